// SPDX-License-Identifier: GPL-2.0-only
#ifndef QUEUE_DISC_STATISTICS_H
#define QUEUE_DISC_STATISTICS_H

#include "ring-queue.h"

#include "ns3/callback.h"
#include "ns3/member-name.h"
#include "ns3/nstime.h"
#include "ns3/queue-disc.h"
#include "ns3/simulator.h"
#include "ns3/traced-callback.h"
#include "ns3/traced-value.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3
{

// without external linkage: an explicit instantiation may stand only once in a program
namespace
{

/// @cond
using ItemTrace = TracedCallback<Ptr<const QueueDiscItem>>;
DCFABRIC_NAME_MEMBER(DiscPackets, TracedValue<uint32_t>, QueueDisc, m_nPackets);
DCFABRIC_NAME_MEMBER(DiscBytes, TracedValue<uint32_t>, QueueDisc, m_nBytes);
DCFABRIC_NAME_MEMBER(DiscStats, QueueDisc::Stats, QueueDisc, m_stats);
DCFABRIC_NAME_MEMBER(DiscRequeued, Ptr<QueueDiscItem>, QueueDisc, m_requeued);
DCFABRIC_NAME_MEMBER(DiscSojourn, TracedCallback<Time>, QueueDisc, m_sojourn);
DCFABRIC_NAME_MEMBER(DiscEnqueueTrace, ItemTrace, QueueDisc, m_traceEnqueue);
DCFABRIC_NAME_MEMBER(DiscDequeueTrace, ItemTrace, QueueDisc, m_traceDequeue);
using DropTrace = TracedCallback<Ptr<const QueueDiscItem>, const char*>;
DCFABRIC_NAME_MEMBER(DiscRefusalTrace, DropTrace, QueueDisc, m_traceDropBeforeEnqueue);
DCFABRIC_NAME_MEMBER(DiscDropTrace, DropTrace, QueueDisc, m_traceDropAfterDequeue);
using ItemMethod = void(Ptr<const QueueDiscItem>);
DCFABRIC_NAME_MEMBER(DiscCountsEntry, ItemMethod, QueueDisc, PacketEnqueued);
DCFABRIC_NAME_MEMBER(DiscCountsLeaving, ItemMethod, QueueDisc, PacketDequeued);
using ItemFunction = std::function<void(Ptr<const QueueDiscItem>)>;
DCFABRIC_NAME_MEMBER(DiscCountsRefusal, ItemFunction, QueueDisc, m_internalQueueDbeFunctor);
DCFABRIC_NAME_MEMBER(DiscCountsDrop, ItemFunction, QueueDisc, m_internalQueueDadFunctor);
using InternalQueues = std::vector<Ptr<Queue<QueueDiscItem>>>;
DCFABRIC_NAME_MEMBER(DiscQueues, InternalQueues, QueueDisc, m_queues);
using LengthTrace = TracedCallback<uint32_t, uint32_t>;
DCFABRIC_NAME_MEMBER(LengthSinks, LengthTrace, TracedValue<uint32_t>, m_cb);
DCFABRIC_NAME_MEMBER(ItemStamp, Time, QueueDiscItem, m_tstamp);

/// @endcond

/**
 * @ingroup dcfabric
 * @brief The statistics of a QueueDisc, written by hand.
 *
 * QueueDisc counts what passes through its internal queue in PacketEnqueued() and PacketDequeued(),
 * which only the traces of that queue can call. These are the same entries, in the same order, with
 * a size that is read once (ns-3, src/traffic-control/model/queue-disc.cc; names and order are the
 * same from 3.35 to 3.48).
 */
class QueueDiscStatistics
{
  public:
    /**
     * @param disc the queue disc
     */
    explicit QueueDiscStatistics(QueueDisc& disc)
        : m_disc(disc)
    {
    }

    /// @return true if the disc holds a packet that somebody peeked at, or that was put back
    bool HoldsRequeued() const
    {
        return PeekPointer(m_disc.*Reach(DiscRequeued())) != nullptr;
    }

    /// @return bytes that wait
    uint32_t GetBytes() const
    {
        return (m_disc.*Reach(DiscBytes())).Get();
    }

    /**
     * @brief A packet is handed to the disc.
     * @param size its bytes
     */
    void Receive(uint32_t size)
    {
        QueueDisc::Stats& stats = m_disc.*Reach(DiscStats());
        ++stats.nTotalReceivedPackets;
        stats.nTotalReceivedBytes += size;
    }

    /**
     * @brief A packet enters the internal queue.
     * @param item the packet
     * @param size its bytes
     */
    void Enter(const Ptr<QueueDiscItem>& item, uint32_t size)
    {
        auto& packets = m_disc.*Reach(DiscPackets());
        packets.Set(packets.Get() + 1);
        auto& bytes = m_disc.*Reach(DiscBytes());
        bytes.Set(bytes.Get() + size);
        QueueDisc::Stats& stats = m_disc.*Reach(DiscStats());
        ++stats.nTotalEnqueuedPackets;
        stats.nTotalEnqueuedBytes += size;
        const ItemTrace& trace = m_disc.*Reach(DiscEnqueueTrace());
        if (!trace.IsEmpty())
        {
            trace(item);
        }
    }

    /**
     * @brief A packet that was handed to the disc has lost bytes before it enters: only what is
     * left counts as received.
     * @param size bytes that it has lost
     */
    void Shorten(uint32_t size)
    {
        (m_disc.*Reach(DiscStats())).nTotalReceivedBytes -= size;
    }

    /**
     * @brief A packet that waits has lost bytes: it counts as if it had come without them.
     * @param size bytes that it has lost
     */
    void Shrink(uint32_t size)
    {
        Shorten(size);
        (m_disc.*Reach(DiscStats())).nTotalEnqueuedBytes -= size;
        auto& bytes = m_disc.*Reach(DiscBytes());
        bytes.Set(bytes.Get() - size);
    }

    /**
     * @brief Connect to DropBeforeEnqueue and DropAfterDequeue.
     * @param refused,dropped sinks
     */
    void ConnectDropSinks(const CallbackBase& refused, const CallbackBase& dropped)
    {
        (m_disc.*Reach(DiscRefusalTrace())).ConnectWithoutContext(refused);
        (m_disc.*Reach(DiscDropTrace())).ConnectWithoutContext(dropped);
    }

    /**
     * @brief Do what QueueDisc::AddInternalQueue() does, without a search for each trace source.
     * What the disc has let pass counts as if it had been in the queue.
     * @param ring a new queue
     */
    void AddQueue(const Ptr<RingQueue>& ring)
    {
        const auto call = &ItemFunction::operator();
        ring->ConnectDisc(MakeCallback(Reach(DiscCountsEntry()), &m_disc),
                          MakeCallback(Reach(DiscCountsLeaving()), &m_disc),
                          MakeCallback(call, &(m_disc.*Reach(DiscCountsRefusal()))),
                          MakeCallback(call, &(m_disc.*Reach(DiscCountsDrop()))));
        (m_disc.*Reach(DiscQueues())).push_back(ring);
        const QueueDisc::Stats& stats = m_disc.*Reach(DiscStats());
        ring->CountPassages(stats.nTotalEnqueuedPackets, stats.nTotalEnqueuedBytes);
    }

    /// @return true if nobody can see a packet enter and leave at once
    bool IsUnobserved() const
    {
        return (m_disc.*Reach(DiscEnqueueTrace())).IsEmpty() &&
               (m_disc.*Reach(DiscDequeueTrace())).IsEmpty() &&
               (m_disc.*Reach(DiscSojourn())).IsEmpty() &&
               ((m_disc.*Reach(DiscPackets())).*Reach(LengthSinks())).IsEmpty() &&
               ((m_disc.*Reach(DiscBytes())).*Reach(LengthSinks())).IsEmpty();
    }

    /**
     * @brief A packet is handed to the disc, enters and leaves at once.
     * @param size its bytes
     */
    void Pass(uint32_t size)
    {
        QueueDisc::Stats& stats = m_disc.*Reach(DiscStats());
        ++stats.nTotalReceivedPackets;
        stats.nTotalReceivedBytes += size;
        ++stats.nTotalEnqueuedPackets;
        stats.nTotalEnqueuedBytes += size;
        ++stats.nTotalDequeuedPackets;
        stats.nTotalDequeuedBytes += size;
    }

    /**
     * @brief A packet that was accepted begins to wait.
     * @param item the packet
     * @param tick the present, in ticks
     */
    static void Stamp(QueueDiscItem& item, int64_t tick)
    {
        item.*Reach(ItemStamp()) = TimeStep(static_cast<uint64_t>(tick));
    }

    /**
     * @brief A packet leaves the internal queue.
     * @param item the packet
     * @param size its bytes
     */
    void Leave(const Ptr<QueueDiscItem>& item, uint32_t size)
    {
        auto& packets = m_disc.*Reach(DiscPackets());
        packets.Set(packets.Get() - 1);
        auto& bytes = m_disc.*Reach(DiscBytes());
        bytes.Set(bytes.Get() - size);
        QueueDisc::Stats& stats = m_disc.*Reach(DiscStats());
        ++stats.nTotalDequeuedPackets;
        stats.nTotalDequeuedBytes += size;
        const TracedCallback<Time>& sojourn = m_disc.*Reach(DiscSojourn());
        if (!sojourn.IsEmpty())
        {
            sojourn(Simulator::Now() - item->GetTimeStamp());
        }
        const ItemTrace& trace = m_disc.*Reach(DiscDequeueTrace());
        if (!trace.IsEmpty())
        {
            trace(item);
        }
    }

  private:
    QueueDisc& m_disc; //!< whose statistics
};

} // namespace

} // namespace ns3

#endif /* QUEUE_DISC_STATISTICS_H */
