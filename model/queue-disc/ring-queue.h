// SPDX-License-Identifier: GPL-2.0-only
#ifndef RING_QUEUE_H
#define RING_QUEUE_H

#include "first-sink-trace.h"
#include "queue-counters.h"

#include "ns3/queue-item.h"
#include "ns3/queue.h"
#include "ns3/traced-callback.h"

#include <array>
#include <boost/circular_buffer.hpp>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief First-in first-out queues of queue disc items over rings, to be the one internal queue of
 * a queue disc with classes.
 *
 * A queue disc counts what passes through its internal queues. One queue with a lane for each class
 * has one set of counters and trace sinks, where a queue for each class would have eight: on a busy
 * port that is half the memory that each packet has to touch. DropTailQueue, besides, allocates for
 * each packet.
 *
 * A lane grows to the most packets it ever held and does not shrink. The methods of Queue put
 * packets into lane 0 and take them from the highest lane that has one. The base class's own
 * container stays empty; its trace sources are therefore offered again, by the same names, which is
 * why the TypeId descends from QueueBase.
 */
class RingQueue final : public Queue<QueueDiscItem>
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    RingQueue();

    static constexpr uint8_t N_LANES = 8; //!< number of lanes

    /**
     * @brief Connect the sinks by which a queue disc counts, in the order of
     * QueueDisc::AddInternalQueue().
     * @param enqueue,dequeue,refusal,drop the sinks
     */
    void ConnectDisc(const CallbackBase& enqueue,
                     const CallbackBase& dequeue,
                     const CallbackBase& refusal,
                     const CallbackBase& drop)
    {
        m_traceEnqueue.ConnectWithoutContext(enqueue);
        m_traceDequeue.ConnectWithoutContext(dequeue);
        m_traceDropBeforeEnqueue.ConnectWithoutContext(refusal);
        m_traceDropAfterDequeue.ConnectWithoutContext(drop);
    }

    /**
     * @brief Limit all lanes together; hides that of QueueBase, which is not virtual.
     * @param size most packets or bytes
     */
    void SetMaxSize(QueueSize size);

    /// @return the limit
    QueueSize GetMaxSize() const
    {
        return QueueBase::GetMaxSize();
    }

    /**
     * @brief Append a packet to a lane.
     * @param lane 0 to 7
     * @param item the packet
     * @return false if it did not fit
     */
    bool EnqueueInto(uint8_t lane, Ptr<QueueDiscItem> item);

    /**
     * @brief Append a packet to a lane, without a word to the first sink of the trace: the queue
     * disc, which knows. The queue must not be limited.
     * @param lane 0 to 7
     * @param item the packet
     * @param size its bytes
     * @param tellFirst called in place of the first sink
     */
    template <typename Teller>
    void Append(uint8_t lane,
                const Ptr<QueueDiscItem>& item,
                uint32_t size,
                const Teller& tellFirst)
    {
        Lane& ring = m_lanes[lane];
        if (ring.full())
        {
            Grow(ring);
        }
        Queue<QueueCounters>::Enqueue(*this, size);
        tellFirst();
        if (m_traceEnqueue.HasOthers())
        {
            m_traceEnqueue.CallOthers(item);
        }
        ring.push_back(item);
    }

    /**
     * @brief Take the head of a lane that is not empty, likewise.
     * @param lane 0 to 7
     * @param tellFirst called with the packet and its bytes in place of the first sink
     * @return the packet
     */
    template <typename Teller>
    Ptr<QueueDiscItem> Take(uint8_t lane, const Teller& tellFirst)
    {
        Lane& ring = m_lanes[lane];
        Ptr<QueueDiscItem> item = std::move(ring.front());
        ring.pop_front();
        const uint32_t size = PeekPointer(item)->GetSize();
        Queue<QueueCounters>::Dequeue(*this, size);
        tellFirst(item, size);
        if (m_traceDequeue.HasOthers())
        {
            m_traceDequeue.CallOthers(item);
        }
        return item;
    }

    /**
     * @brief A packet enters and leaves at once, without a word to anybody.
     * @param size its bytes
     */
    void CountPassage(uint32_t size)
    {
        Queue<QueueCounters>::Pass(*this, size);
    }

    /**
     * @brief Packets have entered and left before there was this queue.
     * @param packets how many
     * @param bytes of them all
     */
    void CountPassages(uint64_t packets, uint64_t bytes)
    {
        Queue<QueueCounters>::Pass(*this, packets, bytes);
    }

    /// @return true if nobody but the queue disc may listen
    bool IsUnobserved() const
    {
        return !m_traceEnqueue.HasOthers() && !m_traceDequeue.HasOthers();
    }

    /// @return true if MaxSize can be reached
    bool IsLimited() const
    {
        return m_limited;
    }

    /**
     * @param lane 0 to 7
     * @return the head of a lane, removed; null if it is empty
     */
    Ptr<QueueDiscItem> DequeueFrom(uint8_t lane)
    {
        return m_lanes[lane].empty() ? nullptr : TakeHead(lane);
    }

    /**
     * @param lane 0 to 7
     * @return the head of a lane, null if it is empty
     */
    Ptr<const QueueDiscItem> PeekAt(uint8_t lane) const
    {
        return m_lanes[lane].empty() ? nullptr : m_lanes[lane].front();
    }

    /**
     * @param lane 0 to 7, not empty
     * @return the packet that came last
     */
    QueueDiscItem& PeekTail(uint8_t lane) const
    {
        return *m_lanes[lane].back();
    }

    /**
     * @brief Move the packet that came last behind those of another lane. It neither leaves nor
     * enters: counters and traces are told nothing but the bytes that it has lost.
     * @param from a lane that is not empty
     * @param to another lane
     * @param lostBytes by which the packet has become shorter
     */
    void MoveTail(uint8_t from, uint8_t to, uint32_t lostBytes)
    {
        if (m_lanes[to].full())
        {
            Grow(m_lanes[to]);
        }
        m_lanes[to].push_back(std::move(m_lanes[from].back()));
        m_lanes[from].pop_back();
        Queue<QueueCounters>::Shrink(*this, lostBytes);
    }

    /**
     * @param lane 0 to 7
     * @return packets in a lane
     */
    std::size_t GetLanePackets(uint8_t lane) const
    {
        return m_lanes[lane].size();
    }

    /**
     * @param lane 0 to 7
     * @return true if a lane is empty
     */
    bool IsLaneEmpty(uint8_t lane) const
    {
        return m_lanes[lane].empty();
    }

    /**
     * @brief Look at the packets of a lane, in their order.
     * @param lane 0 to 7
     * @param visit called with each
     */
    template <typename Visitor>
    void Visit(uint8_t lane, Visitor&& visit) const
    {
        for (const Ptr<QueueDiscItem>& item : m_lanes[lane])
        {
            visit(*item);
        }
    }

    bool Enqueue(Ptr<QueueDiscItem> item) override;
    Ptr<QueueDiscItem> Dequeue() override;
    Ptr<QueueDiscItem> Remove() override;
    Ptr<const QueueDiscItem> Peek() const override;

    /**
     * @brief A packet will enter or leave a lane soon: name what that will read.
     * @param lines takes it
     * @param depth 0, then 1 and up when what depth 0 names has been loaded
     * @param lane 0 to 7
     * @param direct by Append() and Take(), which do not call the first sinks
     */
    void NameHotLines(const HotLines& lines, int depth, uint8_t lane, bool direct) const;

  protected:
    void DoDispose() override;

  private:
    /// @return true if a packet does not fit
    bool IsFull(uint32_t size) const;
    /// @return the head of a lane that is not empty, removed, counted and traced as dequeued
    Ptr<QueueDiscItem> TakeHead(uint8_t lane);
    /// @return the highest lane with a packet; N_LANES if there is none
    uint8_t FindLane() const;

    using Trace = TracedCallback<Ptr<const QueueDiscItem>>;    //!< rarely used
    using HotTrace = FirstSinkTrace<Ptr<const QueueDiscItem>>; //!< used by each packet
    using Lane = boost::circular_buffer<Ptr<QueueDiscItem>>;   //!< one queue

    /// Make room in a lane that is full.
    static void Grow(Lane& ring);

    bool m_limited{false};             //!< MaxSize can be reached
    HotTrace m_traceEnqueue;           //!< item entered
    HotTrace m_traceDequeue;           //!< item left
    std::array<Lane, N_LANES> m_lanes; //!< the items
    Trace m_traceDrop;                 //!< item dropped
    Trace m_traceDropBeforeEnqueue;    //!< item refused
    Trace m_traceDropAfterDequeue;     //!< item removed
};

} // namespace ns3

#endif /* RING_QUEUE_H */
