// SPDX-License-Identifier: GPL-2.0-only
#include "ewma-gate-modifier.h"

#include "ns3/attribute-range.h"
#include "ns3/double.h"
#include "ns3/pointer.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(EwmaGateModifier);

TypeId
EwmaGateModifier::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::EwmaGateModifier")
            .SetParent<GateModifier>()
            .SetGroupName("Dcfabric")
            .AddConstructor<EwmaGateModifier>()
            .AddAttribute("Signal",
                          "What is averaged; null: ns3::MarkOrDelaySignal where marks tell the "
                          "congestion control of every packet in a long queue, otherwise "
                          "ns3::QueueDelaySignal.",
                          PointerValue(),
                          MakePointerAccessor(&EwmaGateModifier::m_signalAttribute),
                          MakePointerChecker<CongestionSignal>())
            .AddAttribute("Gain",
                          "Weight of a packet in the average.",
                          DoubleValue(1.0 / 8),
                          MakeDoubleAccessor(&EwmaGateModifier::m_gain),
                          MakePositiveDoubleChecker(1))
            .AddAttribute(
                "NoticePackets",
                "Packets that met congestion for which a notification of a queue stands; 0: "
                "it is not read.",
                DoubleValue(1),
                MakeDoubleAccessor(&EwmaGateModifier::m_noticePackets),
                MakeDoubleChecker<double>(0, 1e6))
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
    m_signal = m_signalAttribute ? m_signalAttribute : MakeDefaultSignal(path);
    m_average = {};
}

void
EwmaGateModifier::OnAck(const AckInfo& ack)
{
    if (ack.coveredPackets > 0)
    {
        m_average.Enter(ack, GetPath(), *m_signal, m_gain);
    }
}

void
EwmaGateModifier::OnBts(const BtsNotice& notice)
{
    if (!notice.repeated) // otherwise it is known of this packet
    {
        m_average.EnterNotified(m_noticePackets, m_gain);
    }
}

bool
EwmaGateModifier::IsOpen() const
{
    return m_average.Get() >= m_threshold;
}

} // namespace ns3
