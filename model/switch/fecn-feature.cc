// SPDX-License-Identifier: GPL-2.0-only
#include "fecn-feature.h"

#include "fabric-switch.h"
#include "port-state.h"

#include "ns3/attribute-range.h"
#include "ns3/log.h"
#include "ns3/uinteger.h"

namespace ns3
{

LogComponent FecnFeature::g_log("FecnFeature", __FILE__);

NS_OBJECT_ENSURE_REGISTERED(FecnFeature);

TypeId
FecnFeature::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::FecnFeature")
            .SetParent<SwitchFeature>()
            .SetGroupName("Dcfabric")
            .AddConstructor<FecnFeature>()
            .AddAttribute("Threshold",
                          "Weight of the threshold: (16 - weight) / 16 of QueueBytes; 15 is the "
                          "strictest, 0: nothing is marked.",
                          UintegerValue(15),
                          MakeUintegerAccessor(&FecnFeature::m_weight),
                          MakeUintegerChecker<uint8_t>(0, 15))
            .AddAttribute("MarkingRate",
                          "Marking_Rate: packets that go without mark between two marks.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&FecnFeature::m_markingRate),
                          MakeUintegerChecker<uint16_t>())
            .AddAttribute("PacketSize",
                          "Packet_Size: least size of a packet to be marked, in 64 B.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&FecnFeature::m_packetSize),
                          MakeUintegerChecker<uint8_t>())
            .AddAttribute("VictimMask",
                          "Victim_Mask: bit mask of the ports 0 to 63 that mark also while flow "
                          "control stops the class.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&FecnFeature::m_victimMask),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("QueueBytes",
                          "What a weight is a part of, in bytes.",
                          UintegerValue(1600000),
                          MakeUintegerAccessor(&FecnFeature::m_queueBytes),
                          MakeUintegerChecker<uint64_t>(1, AttributeRange::MAX_BYTES))
            .AddAttribute("Rate",
                          "Rate of the port for which QueueBytes is meant; those of others are "
                          "scaled from it. 0: it holds at any rate.",
                          DataRateValue(DataRate(100000000000)),
                          MakeDataRateAccessor(&FecnFeature::m_rate),
                          MakeRateChecker(0));
    return tid;
}

uint32_t
FecnFeature::GetHooks() const
{
    return ENQUEUE;
}

const char*
FecnFeature::GetClash() const
{
    return " and would count packets twice";
}

SwitchFeature::Effects
FecnFeature::GetEffects() const
{
    Effects effects;
    effects.markedClasses = 0xff;
    return effects;
}

SwitchFeature::Counters
FecnFeature::GetCounters() const
{
    return {{"fecn_marks", m_marks}, {"fecn_victims", m_victims}};
}

void
FecnFeature::Attach(FabricSwitch* sw, uint32_t number)
{
    NS_LOG_FUNCTION(this << sw << number);
    SwitchFeature::Attach(sw, number);
    m_passed.assign(std::size_t{sw->GetNPorts()} * N_CLASSES, 0);
}

uint64_t
FecnFeature::GetThresholdBytes(uint64_t rateBps) const
{
    if (m_weight == 0)
    {
        return UINT64_MAX;
    }
    const double scale = m_rate.GetBitRate() == 0 ? 1
                                                  : static_cast<double>(rateBps) /
                                                        static_cast<double>(m_rate.GetBitRate());
    return static_cast<uint64_t>(static_cast<double>(m_queueBytes) * (16 - m_weight) / 16 * scale);
}

void
FecnFeature::OnEnqueue(FabricNetDevice& egress, FabricPacketItem& item)
{
    const uint8_t priority = item.GetPriority();
    if (item.type != FabricPacketType::DATA || item.size < m_packetSize * 64U ||
        PortState::GetQueueBytes(egress, priority) <= GetThresholdBytes(egress.GetRateBps()))
    {
        return;
    }
    const uint16_t port = egress.GetPort();
    const bool stopped = ((egress.GetPausedClasses() >> priority) & 1) != 0;
    if (stopped && (port >= 64 || ((m_victimMask >> port) & 1) == 0))
    {
        ++m_victims;
        return;
    }
    uint32_t& passed = m_passed[port * N_CLASSES + priority];
    if (passed < m_markingRate)
    {
        ++passed;
        return;
    }
    if (item.Mark())
    {
        passed = 0;
        ++m_marks;
        NS_LOG_LOGIC(*m_switch << " port " << port << ": FECN, class " << +priority);
    }
}

} // namespace ns3
