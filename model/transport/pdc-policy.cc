// SPDX-License-Identifier: GPL-2.0-only
#include "pdc-policy.h"

#include "ns3/load-balancer.h"

namespace ns3
{

PdcPolicies::PdcPolicies()
{
    PdcPolicy plain;
    plain.congestionControl.SetTypeId("ns3::NoCongestionControl");
    plain.loadBalancer.SetTypeId(PerFlowLoadBalancer::GetTypeId());
    Set(plain);
}

void
PdcPolicies::Set(const PdcPolicy& policy, uint32_t dst, uint8_t priority)
{
    const uint32_t maxPaths = policy.loadBalancer.Create<LoadBalancer>()->GetMaxPaths();
    m_policies[MakeKey(dst, priority)] = {policy, nullptr, maxPaths};
}

PdcPolicies::Installed&
PdcPolicies::Find(uint32_t dst, uint8_t priority)
{
    for (const uint64_t key :
         {MakeKey(dst, priority), MakeKey(dst, ANY_CLASS), MakeKey(ANY_DESTINATION, priority)})
    {
        const auto own = m_policies.find(key);
        if (own != m_policies.end())
        {
            return own->second;
        }
    }
    return m_policies.at(MakeKey(ANY_DESTINATION, ANY_CLASS));
}

std::vector<Ptr<Object>>
PdcPolicies::ListShared() const
{
    std::vector<Ptr<Object>> all;
    for (const auto& [key, installed] : m_policies)
    {
        all.push_back(installed.shared);
    }
    return all;
}

Ptr<Object>
PdcPolicies::Share(Installed& installed, const LoadBalancer& balancer, uint64_t acksPerRtt)
{
    const uint32_t group = balancer.GetGroup();
    if (!installed.shared && group > 0)
    {
        installed.shared = m_groups[group];
    }
    if (!installed.shared)
    {
        installed.shared = balancer.MakeShared(acksPerRtt);
    }
    if (group > 0)
    {
        m_groups[group] = installed.shared;
    }
    return installed.shared;
}

} // namespace ns3
