// SPDX-License-Identifier: GPL-2.0-only
#ifndef RING_QUEUE_H
#define RING_QUEUE_H

#include "first-sink-trace.h"

#include "ns3/queue-item.h"
#include "ns3/queue.h"
#include "ns3/traced-callback.h"

#include <boost/circular_buffer.hpp>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief A first-in first-out queue of queue disc items over a ring, to be an internal queue of a
 * queue disc.
 *
 * DropTailQueue keeps its packets in a list and allocates for each of them. The ring grows to the
 * longest queue seen and does not shrink. The base class's own container stays empty; its trace
 * sources are therefore offered again, by the same names, which is why the TypeId descends from
 * QueueBase.
 */
class RingQueue final : public Queue<QueueDiscItem>
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    RingQueue();

    /// @brief Limit the queue; hides that of QueueBase, which is not virtual. @param size most
    /// packets or bytes
    void SetMaxSize(QueueSize size);

    /// @return the limit
    QueueSize GetMaxSize() const
    {
        return QueueBase::GetMaxSize();
    }

    bool Enqueue(Ptr<QueueDiscItem> item) override;
    Ptr<QueueDiscItem> Dequeue() override;
    Ptr<QueueDiscItem> Remove() override;
    Ptr<const QueueDiscItem> Peek() const override;

  protected:
    void DoDispose() override;

  private:
    /// @return true if a packet does not fit @param size its bytes
    bool IsFull(uint32_t size) const;
    /// @return the head, removed, counted and traced as dequeued; the queue must not be empty
    Ptr<QueueDiscItem> TakeHead();

    bool m_limited{false};                                             //!< MaxSize can be reached
    boost::circular_buffer<Ptr<QueueDiscItem>> m_ring;                 //!< the items
    FirstSinkTrace<Ptr<const QueueDiscItem>> m_traceEnqueue;           //!< item entered
    FirstSinkTrace<Ptr<const QueueDiscItem>> m_traceDequeue;           //!< item left
    TracedCallback<Ptr<const QueueDiscItem>> m_traceDrop;              //!< item dropped
    TracedCallback<Ptr<const QueueDiscItem>> m_traceDropBeforeEnqueue; //!< item refused
    TracedCallback<Ptr<const QueueDiscItem>> m_traceDropAfterDequeue;  //!< item removed
};

} // namespace ns3

#endif /* RING_QUEUE_H */
