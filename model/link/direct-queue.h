// SPDX-License-Identifier: GPL-2.0-only
#ifndef DIRECT_QUEUE_H
#define DIRECT_QUEUE_H

#include "ns3/ptr.h"
#include "ns3/queue-item.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief A queue disc that takes packets from its port without the detours of ns-3's QueueDisc.
 *
 * QueueDisc learns what passes from the trace sinks of its internal queues, and asks each packet
 * for its size some eight times. What is known to the port comes as an argument here. To everybody
 * else the disc is the same: counters, statistics, traces and time stamps, at each moment. Only the
 * log lines of QueueDisc::Enqueue() and Dequeue() are missing.
 */
class DirectQueue
{
  public:
    virtual ~DirectQueue() = default;

    /**
     * @brief Do what QueueDisc::Enqueue() does.
     * @param item the packet
     * @param size its bytes
     * @param ds its DS field
     * @param tick the present of the simulator, in ticks
     * @return false if it was refused
     */
    virtual bool EnqueueDirectly(const Ptr<QueueDiscItem>& item,
                                 uint32_t size,
                                 uint8_t ds,
                                 int64_t tick) = 0;

    /**
     * @brief Do what EnqueueDirectly() and then DequeueDirectly() do with a packet that finds the
     * disc empty and leaves at once, if nobody can see it pass.
     * @param item the packet
     * @param size its bytes
     * @param ds its DS field
     * @param tick the present of the simulator, in ticks
     * @return false if nothing was done, because something waits or somebody looks
     */
    virtual bool PassDirectly(QueueDiscItem& item, uint32_t size, uint8_t ds, int64_t tick) = 0;

    /**
     * @brief Do what QueueDisc::Dequeue() does.
     * @return the packet that leaves next, removed; null if none may
     */
    virtual Ptr<QueueDiscItem> DequeueDirectly() = 0;
};

} // namespace ns3

#endif /* DIRECT_QUEUE_H */
