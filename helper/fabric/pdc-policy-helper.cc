// SPDX-License-Identifier: GPL-2.0-only
#include "pdc-policy-helper.h"

#include "ns3/fabric-error.h"

#include <map>

namespace ns3
{

namespace
{

/**
 * @return numbers of hosts in a network
 * @throws FabricError if one is not of it
 */
std::vector<uint32_t>
FindHosts(const Fabric& fabric, const NodeContainer& nodes)
{
    std::map<uint32_t, uint32_t> numbers;
    for (const uint32_t host : fabric.GetHosts())
    {
        numbers[fabric.GetNodes().Get(host)->GetId()] = host;
    }
    std::vector<uint32_t> hosts;
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        const auto found = numbers.find(nodes.Get(i)->GetId());
        if (found == numbers.end())
        {
            throw FabricError("ns3::PdcPolicyHelper: node " +
                              std::to_string(nodes.Get(i)->GetId()) +
                              " is no host of the network; policies of PDCs are for hosts that "
                              "FabricHelper::Install() was given");
        }
        hosts.push_back(found->second);
    }
    return hosts;
}

/// Refuse CNPs in two intervals.
void
CheckCnpInterval(const Fabric& fabric, const PdcPolicy& policy, int64_t intervalPs)
{
    for (const uint32_t host : fabric.GetHosts())
    {
        const int64_t known = FabricTime::ToPs(fabric.GetNic(host)->cnpInterval);
        if (intervalPs >= 0 && known >= 0 && known != intervalPs)
        {
            throw FabricError(FabricTerm::Class(policy.congestionControl.GetTypeId()),
                              " needs CNPs each " + std::to_string(intervalPs / 1000) +
                                  " ns, but host " + std::to_string(host) + " sends them each " +
                                  std::to_string(known / 1000) +
                                  " ns for another congestion control",
                              {FabricRemedy::Do("give both the same interval")});
        }
    }
}

/// Refuse two classes that grant credit at a host, and packets for which switches have no room.
void
CheckReceiver(const Fabric& fabric, const PdcPolicy& policy, const CongestionControlNeeds& needs)
{
    if (needs.receiver.empty())
    {
        return;
    }
    for (const uint32_t host : fabric.GetHosts())
    {
        fabric.GetNic(host)->GetReceiverGrants().Check(TypeId::LookupByName(needs.receiver));
    }
    const PolicyContext& around = fabric.GetPolicyContext();
    if (!around.lossless && (needs.classes & ~around.classes) != 0)
    {
        throw FabricError(FabricTerm::Class(policy.congestionControl.GetTypeId()),
                          " chooses the classes of packets, for some of which the switches have no "
                          "room",
                          {FabricRemedy::Do("name these with FabricHelper::AddClass()"),
                           FabricRemedy::Do("set it with FabricHelper::SetCongestionControl()")});
    }
}

} // namespace

PdcPolicyHelper::PdcPolicyHelper()
{
    SetCongestionControl("ns3::NoCongestionControl");
    SetLoadBalancer("ns3::PerFlowLoadBalancer");
}

PdcPolicyHelper::PdcPolicyHelper(PdcPolicy policy)
    : m_policy(std::move(policy))
{
}

void
PdcPolicyHelper::Install(Ptr<Fabric> fabric, const NodeContainer& senders, uint8_t priority) const
{
    InstallFor(fabric, senders, {PdcPolicies::ANY_DESTINATION}, priority);
}

void
PdcPolicyHelper::Install(Ptr<Fabric> fabric,
                         const NodeContainer& senders,
                         const NodeContainer& receivers,
                         uint8_t priority) const
{
    InstallFor(fabric, senders, FindHosts(*fabric, receivers), priority);
}

void
PdcPolicyHelper::InstallFor(const Ptr<Fabric>& fabric,
                            const NodeContainer& senders,
                            const std::vector<uint32_t>& destinations,
                            uint8_t priority) const
{
    if (priority > 7 && priority != PdcPolicies::ANY_CLASS)
    {
        throw FabricError("ns3::PdcPolicyHelper: classes must be 0 to 7");
    }
    const std::vector<uint32_t> hosts = FindHosts(*fabric, senders);
    const CongestionControlNeeds needs = GetPdcNeeds(m_policy);
    const PolicyContext around = JoinPdcDefaults(m_policy, fabric->GetPolicyContext());
    CheckPdcPolicy(m_policy, around);
    CheckPdcPaths(m_policy, *fabric);
    CheckCnpInterval(*fabric, m_policy, needs.cnpIntervalPs);
    CheckReceiver(*fabric, m_policy, needs);
    WarnOfPdcPolicy(m_policy, *fabric);

    InstallPdcDefaults(*fabric, around);
    fabric->m_policyContext = around;
    for (const uint32_t host : hosts)
    {
        ConfigureSender(*fabric, host, needs);
        for (const uint32_t dst : destinations)
        {
            fabric->GetNic(host)->GetSendingPdcs().GetPolicies().Set(m_policy, dst, priority);
        }
    }
    for (const uint32_t host : fabric->GetHosts())
    {
        ConfigureReceiver(*fabric, host, needs); // of all: later ones may be sent to as well
    }
}

} // namespace ns3
