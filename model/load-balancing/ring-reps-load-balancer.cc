// SPDX-License-Identifier: GPL-2.0-only
#include "ring-reps-load-balancer.h"

#include "ns3/assert.h"
#include "ns3/attribute-range.h"
#include "ns3/boolean.h"
#include "ns3/log.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RingRepsLoadBalancer);
DCFABRIC_OBJECT_CLONABLE(RingRepsLoadBalancer);

TypeId
RingRepsLoadBalancer::GetTypeId()
{
    using Lb = RingRepsLoadBalancer;
    static TypeId tid =
        TypeId("ns3::RingRepsLoadBalancer")
            .SetParent<LoadBalancer>()
            .SetGroupName("Dcfabric")
            .AddConstructor<RingRepsLoadBalancer>()
            .AddAttribute("Capacity",
                          "Entropies that the ring holds (1 to 65536).",
                          UintegerValue(8),
                          MakeUintegerAccessor(&Lb::m_capacity),
                          MakeUintegerChecker<uint32_t>(1, 65536))
            .AddAttribute("EntropyBits",
                          "Entropies are drawn from 2 to the power of this (0 to 16).",
                          UintegerValue(6),
                          MakeUintegerAccessor(&Lb::m_bits),
                          MakeUintegerChecker<uint8_t>(0, 16))
            .AddAttribute("Freezing",
                          "How long the ring is frozen after a time-out; zero: it never is.",
                          TimeValue(MilliSeconds(10)),
                          MakeTimeAccessor(&Lb::m_freezing),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()))
            .AddAttribute("ExplorePackets",
                          "Packets that draw an entropy when the ring is not frozen any more.",
                          UintegerValue(16),
                          MakeUintegerAccessor(&Lb::m_explorePackets),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("FreezeOnLoss",
                          "A packet that is found lost freezes the ring as a time-out does; for "
                          "queues that trim.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&Lb::m_freezeOnLoss),
                          MakeBooleanChecker());
    return tid;
}

std::vector<PolicyDefault>
RingRepsLoadBalancer::ListDefaults(const PolicyNetwork& network) const
{
    auto defaults = LoadBalancer::ListDefaults(network);
    const auto marks = PolicyDefault::WhereMarksAreRead();
    defaults.insert(defaults.end(), marks.begin(), marks.end());
    return defaults;
}

void
RingRepsLoadBalancer::Start(uint16_t entropy)
{
    NS_ASSERT_MSG(m_random, "SetRandomVariable() comes first");
    m_upper = static_cast<uint16_t>(entropy & ~((uint32_t{1} << m_bits) - 1));
    m_ring.clear();
    m_head = 0;
    m_valid = 0;
    m_explore = 0;
    m_frozen = false;
}

uint16_t
RingRepsLoadBalancer::Draw()
{
    return static_cast<uint16_t>(m_upper | m_random->GetInteger(0, (uint32_t{1} << m_bits) - 1));
}

void
RingRepsLoadBalancer::Thaw(int64_t nowPs)
{
    if (m_frozen && nowPs >= m_thawPs)
    {
        m_frozen = false;
        m_ring.clear();
        m_head = 0;
        m_valid = 0;
        m_explore = m_explorePackets;
    }
}

uint16_t
RingRepsLoadBalancer::ChooseEntropy(int64_t nowPs, bool /* retransmission */)
{
    Thaw(nowPs);
    if (m_explore > 0)
    {
        --m_explore;
        return Draw();
    }
    if (m_frozen && !m_ring.empty())
    {
        m_walk = m_walk < m_ring.size() ? m_walk : 0;
        return m_ring[m_walk++];
    }
    if (m_valid == 0)
    {
        return Draw();
    }
    const uint32_t place = m_head < m_valid ? m_head + m_capacity - m_valid : m_head - m_valid;
    --m_valid;
    return m_ring[place];
}

void
RingRepsLoadBalancer::OnAck(int64_t nowPs, uint16_t entropy, bool marked)
{
    Thaw(nowPs);
    if (marked)
    {
        return;
    }
    if (m_head == m_ring.size())
    {
        m_ring.push_back(entropy);
    }
    else
    {
        m_ring[m_head] = entropy;
    }
    m_head = m_head + 1 == m_capacity ? 0 : m_head + 1;
    m_valid += m_valid < m_capacity ? 1 : 0;
}

void
RingRepsLoadBalancer::OnLoss(int64_t nowPs, uint16_t /* entropy */)
{
    if (m_freezeOnLoss)
    {
        OnTimeout(nowPs);
    }
}

void
RingRepsLoadBalancer::OnTimeout(int64_t nowPs)
{
    Thaw(nowPs);
    if (m_freezing.IsZero() || m_frozen || m_explore > 0)
    {
        return;
    }
    m_frozen = true;
    m_thawPs = nowPs + FabricTime::ToPs(m_freezing);
    m_walk = m_ring.size() < m_capacity ? 0 : m_head; // the oldest one
}

void
RingRepsLoadBalancer::DoDispose()
{
    m_random = nullptr;
    LoadBalancer::DoDispose();
}

} // namespace ns3
