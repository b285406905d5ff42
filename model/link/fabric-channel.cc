// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-channel.h"

#include "fabric-net-device.h"

#include "ns3/attribute-range.h"
#include "ns3/fabric-error.h"
#include "ns3/object-class.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(FabricChannel);

TypeId
FabricChannel::GetTypeId()
{
    // the name Delay is what ns-3's MPI engines look for
    static TypeId tid =
        TypeId("ns3::FabricChannel")
            .SetParent<Channel>()
            .SetGroupName("Dcfabric")
            .AddConstructor<FabricChannel>()
            .AddAttribute("Delay",
                          "Propagation delay, one way, at least one tick.",
                          TimeValue(MicroSeconds(1)),
                          MakeTimeAccessor(&FabricChannel::m_delay),
                          // Connect() refuses what is below one tick, which differs between runs
                          MakeTimeChecker(Time(0) - AttributeRange::GetMaxTime(),
                                          AttributeRange::GetMaxTime()));
    return tid;
}

Ptr<FabricChannel>
FabricChannel::Create(Time delay)
{
    Ptr<FabricChannel> channel(new FabricChannel, false);
    SetObjectClass(*channel, GetTypeId());
    channel->m_delay = delay;
    return channel;
}

void
FabricChannel::Connect(Ptr<FabricNetDevice> a, Ptr<FabricNetDevice> b)
{
    if (m_delay.GetTimeStep() < 1)
    {
        throw FabricError(
            FabricTerm::Attribute("ns3::FabricChannel", "Delay") +
            ": a link needs a delay of at least one tick of the simulator's resolution");
    }
    m_devices = {a, b};
    a->Connect(this, b);
    b->Connect(this, a);
}

void
FabricChannel::ScheduleChange(const LinkChange& change)
{
    for (const Ptr<FabricNetDevice>& device : m_devices)
    {
        device->GetLink().ScheduleChange(change);
    }
}

Time
FabricChannel::GetDelay() const
{
    return m_delay;
}

std::size_t
FabricChannel::GetNDevices() const
{
    return m_devices[0] ? 2 : 0;
}

Ptr<NetDevice>
FabricChannel::GetDevice(std::size_t i) const
{
    return m_devices.at(i);
}

void
FabricChannel::DoDispose()
{
    m_devices = {};
    Channel::DoDispose();
}

} // namespace ns3
