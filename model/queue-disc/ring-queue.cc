// SPDX-License-Identifier: GPL-2.0-only
#include "ring-queue.h"

#include <algorithm>
#include <utility>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RingQueue);

namespace
{

constexpr size_t INITIAL_CAPACITY = 16;

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
                          MakeQueueSizeChecker())
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

RingQueue::RingQueue()
    : m_ring(INITIAL_CAPACITY)
{
}

void
RingQueue::SetMaxSize(QueueSize size)
{
    QueueBase::SetMaxSize(size);
    m_limited = size.GetValue() != UINT32_MAX;
}

bool
RingQueue::IsFull(uint32_t size) const
{
    return m_maxSize.GetUnit() == QueueSizeUnit::PACKETS
               ? m_nPackets.Get() >= m_maxSize.GetValue()
               : uint64_t{m_nBytes.Get()} + size > m_maxSize.GetValue();
}

bool
RingQueue::Enqueue(Ptr<QueueDiscItem> item)
{
    const uint32_t size = item->GetSize();
    if (m_limited && IsFull(size))
    {
        ++m_nTotalDroppedPackets;
        ++m_nTotalDroppedPacketsBeforeEnqueue;
        m_nTotalDroppedBytes += size;
        m_nTotalDroppedBytesBeforeEnqueue += size;
        m_traceDrop(item);
        m_traceDropBeforeEnqueue(item);
        return false;
    }
    if (m_ring.full())
    {
        m_ring.set_capacity(2 * m_ring.capacity());
    }
    m_nBytes += size;
    m_nTotalReceivedBytes += size;
    ++m_nPackets;
    ++m_nTotalReceivedPackets;
    m_traceEnqueue(item);
    m_ring.push_back(std::move(item));
    return true;
}

Ptr<QueueDiscItem>
RingQueue::TakeHead()
{
    Ptr<QueueDiscItem> item = std::move(m_ring.front());
    m_ring.pop_front();
    m_nBytes -= item->GetSize();
    --m_nPackets;
    m_traceDequeue(item);
    return item;
}

Ptr<QueueDiscItem>
RingQueue::Dequeue()
{
    return m_ring.empty() ? nullptr : TakeHead();
}

Ptr<QueueDiscItem>
RingQueue::Remove()
{
    if (m_ring.empty())
    {
        return nullptr;
    }
    Ptr<QueueDiscItem> item = TakeHead();
    const uint32_t size = item->GetSize();
    ++m_nTotalDroppedPackets;
    ++m_nTotalDroppedPacketsAfterDequeue;
    m_nTotalDroppedBytes += size;
    m_nTotalDroppedBytesAfterDequeue += size;
    m_traceDrop(item);
    m_traceDropAfterDequeue(item);
    return item;
}

Ptr<const QueueDiscItem>
RingQueue::Peek() const
{
    return m_ring.empty() ? nullptr : m_ring.front();
}

void
RingQueue::DoDispose()
{
    m_ring.clear();
    Queue<QueueDiscItem>::DoDispose();
}

} // namespace ns3
