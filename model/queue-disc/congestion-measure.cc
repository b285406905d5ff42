// SPDX-License-Identifier: GPL-2.0-only
#include "congestion-measure.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-time.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(CongestionMeasure);
NS_OBJECT_ENSURE_REGISTERED(QueueOccupancyMeasure);
NS_OBJECT_ENSURE_REGISTERED(PortOccupancyMeasure);
NS_OBJECT_ENSURE_REGISTERED(BufferOccupancyMeasure);
NS_OBJECT_ENSURE_REGISTERED(GroupOccupancyMeasure);
NS_OBJECT_ENSURE_REGISTERED(QueueingLatencyMeasure);

TypeId
CongestionMeasure::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::CongestionMeasure").SetParent<Object>().SetGroupName("Dcfabric");
    return tid;
}

void
CongestionMeasure::OnArrival(const QueueView& /* queue */, const QueueDiscItem& /* item */)
{
}

void
CongestionMeasure::OnDeparture(const QueueView& /* queue */, const QueueDiscItem& /* item */)
{
}

TypeId
QueueOccupancyMeasure::GetTypeId()
{
    static TypeId tid = TypeId("ns3::QueueOccupancyMeasure")
                            .SetParent<CongestionMeasure>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<QueueOccupancyMeasure>();
    return tid;
}

Ptr<CongestionMeasure>
QueueOccupancyMeasure::Fork() const
{
    return CopyObject<QueueOccupancyMeasure>(this);
}

uint64_t
QueueOccupancyMeasure::GetLevel(const QueueView& queue, const QueueDiscItem& /* item */)
{
    return queue.GetQueueBytes();
}

TypeId
PortOccupancyMeasure::GetTypeId()
{
    static TypeId tid = TypeId("ns3::PortOccupancyMeasure")
                            .SetParent<CongestionMeasure>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<PortOccupancyMeasure>();
    return tid;
}

Ptr<CongestionMeasure>
PortOccupancyMeasure::Fork() const
{
    return CopyObject<PortOccupancyMeasure>(this);
}

uint64_t
PortOccupancyMeasure::GetLevel(const QueueView& queue, const QueueDiscItem& /* item */)
{
    return queue.GetPortBytes();
}

TypeId
BufferOccupancyMeasure::GetTypeId()
{
    static TypeId tid = TypeId("ns3::BufferOccupancyMeasure")
                            .SetParent<CongestionMeasure>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<BufferOccupancyMeasure>();
    return tid;
}

Ptr<CongestionMeasure>
BufferOccupancyMeasure::Fork() const
{
    return CopyObject<BufferOccupancyMeasure>(this);
}

uint64_t
BufferOccupancyMeasure::GetLevel(const QueueView& queue, const QueueDiscItem& /* item */)
{
    return queue.GetBufferBytes();
}

bool
BufferOccupancyMeasure::ScalesWithRate() const
{
    return false; // one memory serves links of several rates
}

TypeId
GroupOccupancyMeasure::GetTypeId()
{
    static TypeId tid = TypeId("ns3::GroupOccupancyMeasure")
                            .SetParent<CongestionMeasure>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<GroupOccupancyMeasure>()
                            .AddAttribute("Classes",
                                          "Bit mask of the classes of the group.",
                                          UintegerValue(0x3f),
                                          MakeUintegerAccessor(&GroupOccupancyMeasure::m_classes),
                                          MakeUintegerChecker<uint8_t>(1));
    return tid;
}

Ptr<CongestionMeasure>
GroupOccupancyMeasure::Fork() const
{
    return CopyObject<GroupOccupancyMeasure>(this);
}

uint64_t
GroupOccupancyMeasure::GetLevel(const QueueView& queue, const QueueDiscItem& /* item */)
{
    return queue.GetGroupBytes(m_classes);
}

bool
GroupOccupancyMeasure::ScalesWithRate() const
{
    return false; // as the whole memory
}

TypeId
QueueingLatencyMeasure::GetTypeId()
{
    static TypeId tid = TypeId("ns3::QueueingLatencyMeasure")
                            .SetParent<CongestionMeasure>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<QueueingLatencyMeasure>();
    return tid;
}

Ptr<CongestionMeasure>
QueueingLatencyMeasure::Fork() const
{
    return CopyObject<QueueingLatencyMeasure>(this);
}

void
QueueingLatencyMeasure::OnArrival(const QueueView& /* queue */, const QueueDiscItem& /* item */)
{
    m_departs = false;
}

void
QueueingLatencyMeasure::OnDeparture(const QueueView& /* queue */, const QueueDiscItem& /* item */)
{
    m_departs = true;
}

uint64_t
QueueingLatencyMeasure::GetLevel(const QueueView& queue, const QueueDiscItem& item)
{
    if (m_departs)
    {
        const int64_t waitedPs = queue.GetNowPs() - FabricTime::ToPs(item.GetTimeStamp());
        return static_cast<uint64_t>(std::max<int64_t>(waitedPs, 0)) / 1000;
    }
    const uint64_t rate = queue.GetRateBps();
    if (rate == 0)
    {
        throw FabricError(FabricTerm::Class("ns3::QueueingLatencyMeasure"),
                          " needs the rate of the link to tell on arrival how long a packet will "
                          "wait, but the device of the queue disc has no attribute DataRate",
                          {FabricRemedy::Do("set BackToSenderNotifier::AtDeparture")});
    }
    return ToLevel(static_cast<double>(queue.GetQueueBytes()) * 8e9 / static_cast<double>(rate));
}

bool
QueueingLatencyMeasure::ScalesWithRate() const
{
    return false;
}

} // namespace ns3
