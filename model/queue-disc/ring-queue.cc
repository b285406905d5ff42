// SPDX-License-Identifier: GPL-2.0-only
#include "ring-queue.h"

#include "ns3/attribute-range.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RingQueue);

namespace
{

/// One cache line of pointers.
constexpr size_t INITIAL_CAPACITY = 8;

using Counters = Queue<QueueCounters>;

} // namespace

TypeId
RingQueue::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RingQueue")
            .SetParent<QueueBase>()
            .SetGroupName("Dcfabric")
            .AddConstructor<RingQueue>()
            .AddAttribute("MaxSize",
                          "Most packets or bytes the queue accepts.",
                          QueueSizeValue(QueueSize("4294967295B")),
                          MakeQueueSizeAccessor(&RingQueue::SetMaxSize, &RingQueue::GetMaxSize),
                          MakePositiveQueueSizeChecker())
            .AddTraceSource("Enqueue",
                            "Enqueue a packet in the queue.",
                            MakeTraceSourceAccessor(&RingQueue::m_traceEnqueue),
                            "ns3::QueueItem::TracedCallback")
            .AddTraceSource("Dequeue",
                            "Dequeue a packet from the queue.",
                            MakeTraceSourceAccessor(&RingQueue::m_traceDequeue),
                            "ns3::QueueItem::TracedCallback")
            .AddTraceSource("Drop",
                            "Drop a packet (for whatever reason).",
                            MakeTraceSourceAccessor(&RingQueue::m_traceDrop),
                            "ns3::QueueItem::TracedCallback")
            .AddTraceSource("DropBeforeEnqueue",
                            "Drop a packet before enqueue.",
                            MakeTraceSourceAccessor(&RingQueue::m_traceDropBeforeEnqueue),
                            "ns3::QueueItem::TracedCallback")
            .AddTraceSource("DropAfterDequeue",
                            "Drop a packet after dequeue.",
                            MakeTraceSourceAccessor(&RingQueue::m_traceDropAfterDequeue),
                            "ns3::QueueItem::TracedCallback");
    return tid;
}

RingQueue::RingQueue() = default;

void
RingQueue::SetMaxSize(QueueSize size)
{
    QueueBase::SetMaxSize(size);
    m_limited = size.GetValue() != UINT32_MAX;
}

bool
RingQueue::IsFull(uint32_t size) const
{
    const QueueSize most = GetMaxSize();
    return most.GetUnit() == QueueSizeUnit::PACKETS
               ? GetNPackets() >= most.GetValue()
               : uint64_t{GetNBytes()} + size > most.GetValue();
}

void
RingQueue::Grow(Lane& ring)
{
    ring.set_capacity(std::max(INITIAL_CAPACITY, 2 * ring.capacity()));
}

bool
RingQueue::EnqueueInto(uint8_t lane, Ptr<QueueDiscItem> item)
{
    const uint32_t size = item->GetSize();
    if (m_limited && IsFull(size))
    {
        Counters::DropBeforeEnqueue(*this, size);
        m_traceDrop(item);
        m_traceDropBeforeEnqueue(item);
        return false;
    }
    Lane& ring = m_lanes[lane];
    if (ring.full())
    {
        Grow(ring);
    }
    Counters::Enqueue(*this, size);
    m_traceEnqueue(item);
    ring.push_back(std::move(item));
    return true;
}

Ptr<QueueDiscItem>
RingQueue::TakeHead(uint8_t lane)
{
    Lane& ring = m_lanes[lane];
    Ptr<QueueDiscItem> item = std::move(ring.front());
    ring.pop_front();
    Counters::Dequeue(*this, item->GetSize());
    m_traceDequeue(item);
    return item;
}

uint8_t
RingQueue::FindLane() const
{
    for (uint8_t lane = N_LANES; lane-- > 0;)
    {
        if (!m_lanes[lane].empty())
        {
            return lane;
        }
    }
    return N_LANES;
}

bool
RingQueue::Enqueue(Ptr<QueueDiscItem> item)
{
    return EnqueueInto(0, std::move(item));
}

Ptr<QueueDiscItem>
RingQueue::Dequeue()
{
    const uint8_t lane = FindLane();
    return lane == N_LANES ? nullptr : TakeHead(lane);
}

Ptr<QueueDiscItem>
RingQueue::Remove()
{
    Ptr<QueueDiscItem> item = Dequeue();
    if (item)
    {
        Counters::DropAfterDequeue(*this, item->GetSize());
        m_traceDrop(item);
        m_traceDropAfterDequeue(item);
    }
    return item;
}

Ptr<const QueueDiscItem>
RingQueue::Peek() const
{
    const uint8_t lane = FindLane();
    return lane == N_LANES ? nullptr : m_lanes[lane].front();
}

void
RingQueue::NameHotLines(const HotLines& lines, int depth, uint8_t lane, bool direct) const
{
    const Lane& ring = m_lanes[lane];
    if (depth == 0)
    {
        // the counters of the base class are behind the parts that all objects have
        constexpr std::ptrdiff_t OBJECT_BYTES = 64;
        lines.Add<2>(reinterpret_cast<const char*>(this) + OBJECT_BYTES);
        lines.Add<2>(&m_limited);
        lines.Add<1>(&ring);
        return;
    }
    if (!direct)
    {
        m_traceEnqueue.NameHotLines(lines);
        m_traceDequeue.NameHotLines(lines);
    }
    if (!ring.empty())
    {
        lines.Add<1>(&ring.front());
        lines.Add<1>(&ring.back());
    }
}

void
RingQueue::DoDispose()
{
    for (auto& ring : m_lanes)
    {
        ring.clear();
    }
    Queue<QueueDiscItem>::DoDispose();
}

} // namespace ns3
