// SPDX-License-Identifier: GPL-2.0-only
#include "load-balancer.h"

#include "ns3/path-selector.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(LoadBalancer);
NS_OBJECT_ENSURE_REGISTERED(PerFlowLoadBalancer);
DCFABRIC_OBJECT_CLONABLE(PerFlowLoadBalancer);

TypeId
LoadBalancer::GetTypeId()
{
    static TypeId tid = TypeId("ns3::LoadBalancer").SetParent<Object>().SetGroupName("Dcfabric");
    return tid;
}

void
LoadBalancer::SetRandomVariable(Ptr<UniformRandomVariable> /* random */)
{
}

Ptr<Object>
LoadBalancer::MakeShared(uint64_t /* acksPerRtt */) const
{
    return nullptr;
}

void
LoadBalancer::Join(Ptr<Object> /* shared */, uint64_t /* connection */)
{
}

std::vector<PolicyDefault>
LoadBalancer::ListDefaults(const PolicyNetwork& /* network */) const
{
    return GetMaxPaths() > 1 || MovesFlows() ? PolicyDefault::WherePacketsOvertake()
                                             : std::vector<PolicyDefault>();
}

void
LoadBalancer::OnAck(int64_t /* nowPs */, uint16_t /* entropy */, bool /* marked */)
{
}

TypeId
PerFlowLoadBalancer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::PerFlowLoadBalancer")
            .SetParent<LoadBalancer>()
            .SetGroupName("Dcfabric")
            .AddConstructor<PerFlowLoadBalancer>()
            .AddAttribute("RepathTimeouts",
                          "Time-outs in a row, without acknowledgement, from which "
                          "on each one changes the path; 0: none does.",
                          UintegerValue(2),
                          MakeUintegerAccessor(&PerFlowLoadBalancer::m_repathTimeouts),
                          MakeUintegerChecker<uint32_t>());
    return tid;
}

void
PerFlowLoadBalancer::OnTimeout(int64_t /* nowPs */)
{
    ++m_timeouts;
    if (m_repathTimeouts > 0 && m_timeouts >= m_repathTimeouts)
    {
        m_entropy = static_cast<uint16_t>(PathSelector::Mix(m_entropy, m_timeouts));
    }
}

bool
PerFlowLoadBalancer::OnReroute(int64_t /* nowPs */)
{
    constexpr uint32_t OF_MOVES = 0x80000000; // other salts than those of time-outs
    const uint16_t before = m_entropy;
    while (m_entropy == before)
    {
        ++m_moves;
        m_entropy = static_cast<uint16_t>(PathSelector::Mix(before, OF_MOVES | m_moves));
    }
    return true;
}

} // namespace ns3
