// SPDX-License-Identifier: GPL-2.0-only
#ifndef QUEUE_COUNTERS_H
#define QUEUE_COUNTERS_H

#include "ns3/queue.h"

#include <cstdint>

namespace ns3
{

class QueueCounters;

/**
 * @ingroup dcfabric
 * @brief Counts for a queue that does not use the container of Queue.
 *
 * The counters of QueueBase are protected from ns-3.36 on. Before, they are private and QueueBase
 * has all specializations of Queue for friends: hence this one, which is no queue.
 */
template <>
class Queue<QueueCounters> : public QueueBase
{
  public:
    /**
     * @brief A packet was dropped before it entered.
     * @param queue which counts
     * @param size bytes
     */
    static void DropBeforeEnqueue(QueueBase& queue, uint32_t size)
    {
        Drop(queue, size);
        ++(queue.*&Queue::m_nTotalDroppedPacketsBeforeEnqueue);
        queue.*& Queue::m_nTotalDroppedBytesBeforeEnqueue += size;
    }

    /**
     * @brief A packet was dropped after it left.
     * @param queue which counts
     * @param size bytes
     */
    static void DropAfterDequeue(QueueBase& queue, uint32_t size)
    {
        Drop(queue, size);
        ++(queue.*&Queue::m_nTotalDroppedPacketsAfterDequeue);
        queue.*& Queue::m_nTotalDroppedBytesAfterDequeue += size;
    }

    /**
     * @brief A packet enters.
     * @param queue which counts
     * @param size bytes
     */
    static void Enqueue(QueueBase& queue, uint32_t size)
    {
        queue.*& Queue::m_nBytes += size;
        queue.*& Queue::m_nTotalReceivedBytes += size;
        ++(queue.*&Queue::m_nPackets);
        ++(queue.*&Queue::m_nTotalReceivedPackets);
    }

    /**
     * @brief A packet enters and leaves.
     * @param queue which counts
     * @param size bytes
     */
    static void Pass(QueueBase& queue, uint32_t size)
    {
        queue.*& Queue::m_nTotalReceivedBytes += size;
        ++(queue.*&Queue::m_nTotalReceivedPackets);
    }

    /**
     * @brief Packets have entered and left.
     * @param queue which counts
     * @param packets how many
     * @param bytes of them all
     */
    static void Pass(QueueBase& queue, uint64_t packets, uint64_t bytes)
    {
        queue.*& Queue::m_nTotalReceivedBytes += static_cast<uint32_t>(bytes);
        queue.*& Queue::m_nTotalReceivedPackets += static_cast<uint32_t>(packets);
    }

    /**
     * @brief A packet leaves.
     * @param queue which counts
     * @param size bytes
     */
    static void Dequeue(QueueBase& queue, uint32_t size)
    {
        queue.*& Queue::m_nBytes -= size;
        --(queue.*&Queue::m_nPackets);
    }

    /**
     * @brief A packet that waits has lost bytes.
     * @param queue which counts
     * @param size bytes that it has lost
     */
    static void Shrink(QueueBase& queue, uint32_t size)
    {
        queue.*& Queue::m_nBytes -= size;
        queue.*& Queue::m_nTotalReceivedBytes -= size;
    }

  private:
    /// A packet was dropped.
    static void Drop(QueueBase& queue, uint32_t size)
    {
        ++(queue.*&Queue::m_nTotalDroppedPackets);
        queue.*& Queue::m_nTotalDroppedBytes += size;
    }
};

} // namespace ns3

#endif /* QUEUE_COUNTERS_H */
