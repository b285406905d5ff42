// SPDX-License-Identifier: GPL-2.0-only
#include "ewma-gate-modifier.h"

#include "ns3/attribute-range.h"
#include "ns3/double.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(EwmaGateModifier);
DCFABRIC_OBJECT_CLONABLE(EwmaGateModifier);

TypeId
EwmaGateModifier::GetTypeId()
{
    static TypeId tid =
        AddSignal(TypeId("ns3::EwmaGateModifier")
                      .SetParent<GateModifier>()
                      .SetGroupName("Dcfabric")
                      .AddConstructor<EwmaGateModifier>(),
                  1.0 / 32,
                  "Least weight of a packet in the average.")
            .AddAttribute("HalfLife",
                          "Where few packets come in a round trip each weighs more: what came "
                          "before halves in this time, in base RTTs of the pair of hosts, unless a "
                          "packet would weigh more than 0.3.",
                          DoubleValue(0.25),
                          MakeDoubleAccessor(&EwmaGateModifier::m_halfLife),
                          MakeDoubleChecker<double>(1e-6, 1e6))
            .AddAttribute("Threshold",
                          "Average from which on reductions take hold.",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&EwmaGateModifier::m_threshold),
                          MakeDoubleChecker<double>(0, 1));
    return tid;
}

void
EwmaGateModifier::Start(const PathInfo& path)
{
    GateModifier::Start(path);
    m_average = {};
    m_lastPs = -1;
}

double
EwmaGateModifier::WeighByTime(const AckInfo& ack)
{
    const int64_t rttPs = GetPath().pairRttPs;
    const int64_t gapPs = m_lastPs < 0 ? rttPs : ack.nowPs - m_lastPs;
    m_lastPs = ack.nowPs;
    const double packetPs = static_cast<double>(gapPs) / ack.coveredPackets;
    // two packets open the gate, never one: it tells of one path
    constexpr double MOST = 0.3;
    return std::min(1 - std::exp2(-packetPs / (m_halfLife * static_cast<double>(rttPs))), MOST);
}

void
EwmaGateModifier::OnAck(const AckInfo& ack)
{
    if (ack.coveredPackets > 0 && Counts(ack))
    {
        Enter(m_average, ack, std::max(GetGain(), WeighByTime(ack)));
    }
}

void
EwmaGateModifier::OnBts(const BtsNotice& notice)
{
    if (!notice.repeated && Counts(notice)) // otherwise it is known of this packet
    {
        // six of them open the gate: they are of a few packets only
        constexpr double BY_NOTICES = 1.0 / 8;
        EnterNotified(m_average, std::max(GetGain(), BY_NOTICES));
    }
}

} // namespace ns3
