// SPDX-License-Identifier: GPL-2.0-only
#include "plb-load-balancer.h"

#include "ns3/assert.h"
#include "ns3/attribute-range.h"
#include "ns3/double.h"
#include "ns3/fabric-time.h"
#include "ns3/log.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("PlbLoadBalancer");
NS_OBJECT_ENSURE_REGISTERED(PlbLoadBalancer);
DCFABRIC_OBJECT_CLONABLE(PlbLoadBalancer);

TypeId
PlbLoadBalancer::GetTypeId()
{
    // the values of Linux (net.ipv4.tcp_plb_*)
    static TypeId tid =
        TypeId("ns3::PlbLoadBalancer")
            .SetParent<LoadBalancer>()
            .SetGroupName("Dcfabric")
            .AddConstructor<PlbLoadBalancer>()
            .AddAttribute("Threshold",
                          "Share of marked ACKs from which on a round is congested.",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&PlbLoadBalancer::m_threshold),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("Rounds",
                          "Congested rounds in a row after which the path changes.",
                          UintegerValue(12),
                          MakeUintegerAccessor(&PlbLoadBalancer::m_rounds),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("IdleRounds",
                          "Congested rounds in a row after which the path changes if the PDC has "
                          "been idle for a round; 0: none.",
                          UintegerValue(3),
                          MakeUintegerAccessor(&PlbLoadBalancer::m_idleRounds),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("Suspension",
                          "After a time-out congested rounds change no path for this time, and as "
                          "much again at random.",
                          TimeValue(Seconds(60)),
                          MakeTimeAccessor(&PlbLoadBalancer::m_suspension),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()));
    return tid;
}

uint16_t
PlbLoadBalancer::ChooseEntropy(int64_t nowPs, bool /* retransmission */)
{
    if (m_idleRounds > 0 && nowPs >= m_activePs + m_rttPs)
    {
        EndRound();
        MoveAfter(nowPs, m_idleRounds);
    }
    m_activePs = nowPs;
    return m_entropy;
}

std::vector<PolicyDefault>
PlbLoadBalancer::ListDefaults(const PolicyNetwork& network) const
{
    auto defaults = LoadBalancer::ListDefaults(network);
    const auto marks = PolicyDefault::WhereMarksAreRead();
    defaults.insert(defaults.end(), marks.begin(), marks.end());
    return defaults;
}

void
PlbLoadBalancer::OnAck(int64_t nowPs, uint16_t entropy, bool marked)
{
    m_activePs = nowPs;
    if (entropy != m_entropy)
    {
        return; // of a path that was left
    }
    if (m_acks > 0 && nowPs >= m_roundPs + m_rttPs)
    {
        EndRound();
        MoveAfter(nowPs, m_rounds);
        if (entropy != m_entropy)
        {
            return;
        }
    }
    if (m_acks == 0)
    {
        m_roundPs = nowPs;
    }
    ++m_acks;
    m_marks += marked;
}

void
PlbLoadBalancer::OnTimeout(int64_t nowPs)
{
    Move();
    const int64_t suspensionPs = FabricTime::ToPs(m_suspension);
    m_suspendedPs =
        nowPs + suspensionPs +
        static_cast<int64_t>(m_random->GetValue(0, 1) * static_cast<double>(suspensionPs));
}

bool
PlbLoadBalancer::OnReroute(int64_t /* nowPs */)
{
    Move();
    return true;
}

void
PlbLoadBalancer::EndRound()
{
    if (m_acks == 0)
    {
        return;
    }
    const bool congested = m_marks >= m_threshold * m_acks;
    m_congested = congested ? m_congested + 1 : 0;
    m_acks = 0;
    m_marks = 0;
}

void
PlbLoadBalancer::MoveAfter(int64_t nowPs, uint32_t rounds)
{
    if (m_congested >= rounds && nowPs >= m_suspendedPs)
    {
        Move();
    }
}

void
PlbLoadBalancer::Move()
{
    NS_ASSERT_MSG(m_random, "SetRandomVariable() comes first");
    const uint16_t before = m_entropy;
    while (m_entropy == before)
    {
        m_entropy = static_cast<uint16_t>(m_random->GetInteger(0, UINT16_MAX));
    }
    NS_LOG_LOGIC("entropy " << before << " was congested for " << m_congested
                            << " rounds, or failed: takes " << m_entropy);
    m_acks = 0;
    m_marks = 0;
    m_congested = 0;
}

void
PlbLoadBalancer::DoDispose()
{
    m_random = nullptr;
    LoadBalancer::DoDispose();
}

} // namespace ns3
