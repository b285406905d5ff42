// SPDX-License-Identifier: GPL-2.0-only
#include "recovery-growth.h"

#include "ns3/double.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RecoveryGrowth);
NS_OBJECT_ENSURE_REGISTERED(FactorGrowth);
NS_OBJECT_ENSURE_REGISTERED(PacketGrowth);

TypeId
RecoveryGrowth::GetTypeId()
{
    static TypeId tid = TypeId("ns3::RecoveryGrowth").SetParent<Object>().SetGroupName("Dcfabric");
    return tid;
}

TypeId
FactorGrowth::GetTypeId()
{
    static TypeId tid = TypeId("ns3::FactorGrowth")
                            .SetParent<RecoveryGrowth>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<FactorGrowth>()
                            .AddAttribute("Factor",
                                          "By which window and rate grow after an epoch.",
                                          DoubleValue(2),
                                          MakeDoubleAccessor(&FactorGrowth::m_factor),
                                          MakeDoubleChecker<double>(1, 1e6));
    return tid;
}

double
FactorGrowth::Raise(double present, double /* packet */) const
{
    return m_factor * present;
}

TypeId
PacketGrowth::GetTypeId()
{
    static TypeId tid = TypeId("ns3::PacketGrowth")
                            .SetParent<RecoveryGrowth>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<PacketGrowth>()
                            .AddAttribute("Packets",
                                          "By which the window grows after an epoch, and the rate "
                                          "by as many per base RTT.",
                                          DoubleValue(1),
                                          MakeDoubleAccessor(&PacketGrowth::m_packets),
                                          MakeDoubleChecker<double>(0, 1e6));
    return tid;
}

double
PacketGrowth::Raise(double present, double packet) const
{
    return present + m_packets * packet;
}

} // namespace ns3
