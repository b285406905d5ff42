// SPDX-License-Identifier: GPL-2.0-only
#include "ewma-gate-modifier.h"

#include "ns3/attribute-range.h"
#include "ns3/double.h"
#include "ns3/fabric-error.h"
#include "ns3/pointer.h"
#include "ns3/string.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(EwmaGateModifier);

TypeId
EwmaGateModifier::GetTypeId()
{
    static TypeId tid = TypeId("ns3::EwmaGateModifier")
                            .SetParent<GateModifier>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<EwmaGateModifier>()
                            .AddAttribute("Signal",
                                          "What is averaged.",
                                          StringValue("ns3::MarkSignal"),
                                          MakePointerAccessor(&EwmaGateModifier::m_signal),
                                          MakePointerChecker<CongestionSignal>())
                            .AddAttribute("Gain",
                                          "Weight of a packet in the average.",
                                          DoubleValue(1.0 / 8),
                                          MakeDoubleAccessor(&EwmaGateModifier::m_gain),
                                          MakePositiveDoubleChecker(1))
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
    if (!m_signal)
    {
        throw FabricError("ns3::EwmaGateModifier needs a Signal, as ns3::MarkSignal");
    }
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

bool
EwmaGateModifier::IsOpen() const
{
    return m_average.Get() >= m_threshold;
}

} // namespace ns3
