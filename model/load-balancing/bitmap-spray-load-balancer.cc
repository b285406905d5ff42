// SPDX-License-Identifier: GPL-2.0-only
#include "bitmap-spray-load-balancer.h"

#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(BitmapSprayLoadBalancer);
DCFABRIC_OBJECT_CLONABLE(BitmapSprayLoadBalancer);

TypeId
BitmapSprayLoadBalancer::GetTypeId()
{
    using Lb = BitmapSprayLoadBalancer;
    static TypeId tid = TypeId("ns3::BitmapSprayLoadBalancer")
                            .SetParent<ObliviousSprayLoadBalancer>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<BitmapSprayLoadBalancer>()
                            .AddAttribute("MarkPenalty",
                                          "Points for an ACK with mark.",
                                          UintegerValue(1),
                                          MakeUintegerAccessor(&Lb::m_markPenalty),
                                          MakeUintegerChecker<uint8_t>())
                            .AddAttribute("TrimPenalty",
                                          "Points for a packet that was trimmed.",
                                          UintegerValue(4),
                                          MakeUintegerAccessor(&Lb::m_trimPenalty),
                                          MakeUintegerChecker<uint8_t>())
                            .AddAttribute("LossPenalty",
                                          "Points for a packet that was lost.",
                                          UintegerValue(15),
                                          MakeUintegerAccessor(&Lb::m_lossPenalty),
                                          MakeUintegerChecker<uint8_t>())
                            .AddAttribute("MaxPenalty",
                                          "Most points of an entropy.",
                                          UintegerValue(15),
                                          MakeUintegerAccessor(&Lb::m_maxPenalty),
                                          MakeUintegerChecker<uint8_t>());
    return tid;
}

std::vector<PolicyDefault>
BitmapSprayLoadBalancer::ListDefaults(const PolicyNetwork& network) const
{
    auto defaults = LoadBalancer::ListDefaults(network);
    const auto marks = PolicyDefault::WhereMarksAreRead();
    defaults.insert(defaults.end(), marks.begin(), marks.end());
    return defaults;
}

void
BitmapSprayLoadBalancer::Start(uint16_t entropy)
{
    ObliviousSprayLoadBalancer::Start(entropy);
    m_penalties.assign(GetNEntropies(), 0);
}

uint16_t
BitmapSprayLoadBalancer::ChooseEntropy(int64_t /* nowPs */, bool /* retransmission */)
{
    bool paid = false;
    for (uint32_t skipped = 0; skipped < GetNEntropies() && m_penalties[Peek()] > 0; ++skipped)
    {
        const uint32_t place = Take();
        m_penalties[place] -= paid ? 0 : 1;
        paid = true;
    }
    return ToEntropy(Take());
}

void
BitmapSprayLoadBalancer::Penalize(uint16_t entropy, uint32_t points)
{
    uint8_t& penalty = m_penalties[ToPlace(entropy)];
    penalty = static_cast<uint8_t>(std::min<uint32_t>(penalty + points, m_maxPenalty));
}

void
BitmapSprayLoadBalancer::OnAck(int64_t /* nowPs */, uint16_t entropy, bool marked)
{
    if (marked)
    {
        Penalize(entropy, m_markPenalty);
    }
}

void
BitmapSprayLoadBalancer::OnTrim(int64_t /* nowPs */, uint16_t entropy, bool lastHop)
{
    if (!lastHop)
    {
        Penalize(entropy, m_trimPenalty);
    }
}

void
BitmapSprayLoadBalancer::OnLoss(int64_t /* nowPs */, uint16_t entropy)
{
    Penalize(entropy, m_lossPenalty);
}

} // namespace ns3
