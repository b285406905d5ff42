// SPDX-License-Identifier: GPL-2.0-only
#include "ewma-gate-modifier.h"

#include "ns3/attribute-range.h"
#include "ns3/double.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(EwmaGateModifier);

TypeId
EwmaGateModifier::GetTypeId()
{
    static TypeId tid = AddSignal(TypeId("ns3::EwmaGateModifier")
                                      .SetParent<GateModifier>()
                                      .SetGroupName("Dcfabric")
                                      .AddConstructor<EwmaGateModifier>(),
                                  1.0 / 8)
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
}

void
EwmaGateModifier::OnAck(const AckInfo& ack)
{
    if (ack.coveredPackets > 0)
    {
        Enter(m_average, ack);
    }
}

void
EwmaGateModifier::OnBts(const BtsNotice& notice)
{
    if (!notice.repeated) // otherwise it is known of this packet
    {
        EnterNotified(m_average);
    }
}

} // namespace ns3
