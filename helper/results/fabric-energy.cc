// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-energy.h"

#include "ns3/attribute-range.h"
#include "ns3/double.h"
#include "ns3/fabric-net-device.h"
#include "ns3/fabric-nic.h"
#include "ns3/fabric-time.h"
#include "ns3/port-power.h"

#include <memory>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(FabricEnergy);

namespace
{

constexpr double MOST_WATTS = 1e6;
constexpr double PS_PER_SECOND = 1e12;

} // namespace

TypeId
FabricEnergy::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::FabricEnergy")
            .SetParent<Object>()
            .SetGroupName("Dcfabric")
            .AddConstructor<FabricEnergy>()
            .AddAttribute("IdleWatts",
                          "Power of a port, whatever it does.",
                          DoubleValue(0),
                          MakeDoubleAccessor(&FabricEnergy::m_idleWatts),
                          MakeDoubleChecker<double>(0, MOST_WATTS))
            .AddAttribute("PortWatts",
                          "Power of a port while its link is up and it is awake, beside IdleWatts.",
                          DoubleValue(0),
                          MakeDoubleAccessor(&FabricEnergy::m_portWatts),
                          MakeDoubleChecker<double>(0, MOST_WATTS))
            .AddAttribute("SleepWatts",
                          "Power of a port while it is asleep, beside IdleWatts.",
                          DoubleValue(0),
                          MakeDoubleAccessor(&FabricEnergy::m_sleepWatts),
                          MakeDoubleChecker<double>(0, MOST_WATTS))
            .AddAttribute("JoulePerBit",
                          "Energy of each bit of a frame that a port sends or receives.",
                          DoubleValue(0),
                          MakeDoubleAccessor(&FabricEnergy::m_joulePerBit),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("SwitchWatts",
                          "Power of a switch beside that of its ports.",
                          DoubleValue(0),
                          MakeDoubleAccessor(&FabricEnergy::m_switchWatts),
                          MakeDoubleChecker<double>(0, MOST_WATTS))
            .AddAttribute("NicWatts",
                          "Power of a NIC beside that of its ports.",
                          DoubleValue(0),
                          MakeDoubleAccessor(&FabricEnergy::m_nicWatts),
                          MakeDoubleChecker<double>(0, MOST_WATTS))
            .AddAttribute("SleepAfter",
                          "A port that has sent nothing for so long sleeps; 0: it never does.",
                          TimeValue(Seconds(0)),
                          MakeTimeAccessor(&FabricEnergy::m_sleepAfter),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()))
            .AddAttribute("WakeTime",
                          "Time for which the first frame of a port that sleeps has to wait.",
                          TimeValue(Seconds(0)),
                          MakeTimeAccessor(&FabricEnergy::m_wakeTime),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()));
    return tid;
}

bool
FabricEnergy::IsUsed() const
{
    return m_idleWatts > 0 || m_portWatts > 0 || m_sleepWatts > 0 || m_joulePerBit > 0 ||
           m_switchWatts > 0 || m_nicWatts > 0 || !m_sleepAfter.IsZero();
}

void
FabricEnergy::Install(Fabric& fabric) const
{
    const int64_t sleepAfterPs =
        m_sleepAfter.IsZero() ? FabricTime::NEVER : FabricTime::ToPs(m_sleepAfter);
    for (uint32_t node = 0; node < fabric.GetGraph().GetNNodes(); ++node)
    {
        FabricActor* actor = fabric.GetActor(node);
        for (uint16_t p = 0; fabric.IsHere(node) && p < actor->GetNPorts(); ++p)
        {
            FabricNetDevice& port = *actor->GetPort(p);
            port.SetPower(
                std::make_unique<PortPower>(port, sleepAfterPs, FabricTime::ToPs(m_wakeTime)));
        }
    }
}

double
FabricEnergy::GetPortJoule(const PortUse& use) const
{
    return (m_idleWatts * static_cast<double>(use.timePs) +
            m_portWatts * static_cast<double>(use.upPs - use.asleepPs) +
            m_sleepWatts * static_cast<double>(use.asleepPs)) /
           PS_PER_SECOND;
}

double
FabricEnergy::GetBitJoule(uint64_t bytes) const
{
    return m_joulePerBit * 8 * static_cast<double>(bytes);
}

FabricEnergy::Joules
FabricEnergy::Collect(const Fabric& fabric, int64_t nowPs) const
{
    Joules joules;
    for (uint32_t node = 0; node < fabric.GetGraph().GetNNodes(); ++node)
    {
        if (!fabric.IsHere(node))
        {
            continue;
        }
        const FabricActor* actor = fabric.GetActor(node);
        const bool isHost = fabric.GetGraph().IsHost(node);
        joules.nodes +=
            (isHost ? m_nicWatts : m_switchWatts) * static_cast<double>(nowPs) / PS_PER_SECOND;
        joules.bytesDelivered += isHost ? fabric.GetNic(node)->GetCounters().bytesDelivered : 0;
        for (uint16_t p = 0; p < actor->GetNPorts(); ++p)
        {
            const FabricNetDevice& port = *actor->GetPort(p);
            const PortPower* power = port.GetPower();
            PortUse use;
            use.timePs = nowPs;
            use.upPs = power ? power->GetUpPs(nowPs) : nowPs;
            use.asleepPs = power ? power->GetAsleepPs(nowPs) : 0;
            joules.ports += GetPortJoule(use);
            joules.bits += GetBitJoule(2 * port.GetCounters().txBytes);
            joules.wakes += power ? power->GetNWakes() : 0;
        }
    }
    return joules;
}

} // namespace ns3
