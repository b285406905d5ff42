// SPDX-License-Identifier: GPL-2.0-only
#ifndef PORT_QUEUE_H
#define PORT_QUEUE_H

#include "class-pause-interface.h"
#include "direct-queue.h"
#include "hot-lines.h"
#include "stopped-ports.h"

#include "ns3/fabric-packet-item.h"
#include "ns3/queue-disc.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{

class FabricNetDevice;

/**
 * @ingroup dcfabric
 * @brief The queue of a port: a queue disc of any type, and what the port has to know of it.
 */
class PortQueue
{
  public:
    /**
     * @param port owns this object
     */
    explicit PortQueue(FabricNetDevice& port);
    ~PortQueue();

    PortQueue(const PortQueue&) = delete;
    PortQueue& operator=(const PortQueue&) = delete;

    /**
     * @brief Set the root queue disc.
     * @param disc a queue disc, not yet initialized
     */
    void SetDisc(Ptr<QueueDisc> disc);

    /// @return the root queue disc
    Ptr<QueueDisc> GetDisc() const
    {
        return m_owner;
    }

    /// @return the root queue disc, without a reference
    const QueueDisc* PeekDisc() const
    {
        return m_disc;
    }

    /// The queue disc has been initialized: find the shortest way into it.
    void Start();
    /// Give the queue disc up.
    void Dispose();

    /**
     * @brief Append a packet.
     * @param item the packet, given away
     * @param nowPs the present
     * @param tick the same of the simulator, in ticks
     * @return false if the queue disc refused it (FabricNetDevice::OnQueueRefusal())
     */
    bool Enqueue(Ptr<FabricPacketItem>&& item, int64_t nowPs, int64_t tick)
    {
        FabricPacketItem* raw = PeekPointer(item);
        const uint32_t size = raw->size;
        const bool accepted =
            m_direct ? m_direct->EnqueueDirectly(item, size, raw->ds, tick) : m_disc->Enqueue(item);
        if (!accepted || m_refused)
        {
            Refuse(*raw);
            return false;
        }
        Integrate(nowPs);
        m_bytes += size;
        m_maxBytes = std::max(m_maxBytes, m_bytes);
        return true;
    }

    /**
     * @brief Let a packet pass that finds nothing waiting and leaves at once, if nobody can tell it
     * from one that was appended and taken out.
     * @param item the packet
     * @param nowPs the present
     * @param tick the same of the simulator, in ticks
     * @return false if nothing was done
     */
    bool PassThrough(FabricPacketItem& item, int64_t nowPs, int64_t tick)
    {
        if (!m_direct || m_bytes > 0 || !m_direct->PassDirectly(item, item.size, item.ds, tick))
        {
            return false;
        }
        m_sincePs = nowPs;
        return true;
    }

    /**
     * @param nowPs the present
     * @return the packet that leaves next, removed; null if none may
     */
    Ptr<FabricPacketItem> Dequeue(int64_t nowPs)
    {
        if (m_bytes == 0)
        {
            return nullptr;
        }
        Ptr<QueueDiscItem> waiting = m_direct ? m_direct->DequeueDirectly() : m_disc->Dequeue();
        if (!waiting)
        {
            waiting = DequeueAgain();
        }
        if (!waiting)
        {
            return nullptr;
        }
        Integrate(nowPs);
        // only Enqueue() fills the disc
        auto* item = static_cast<FabricPacketItem*>(PeekPointer(waiting));
        m_bytes = m_direct ? m_bytes - item->size : m_disc->GetNBytes();
        return Ptr<FabricPacketItem>(item);
    }

    /**
     * @param nowPs the present
     * @param classes bit mask of the classes to take; a queue disc without classes has one
     * @return all packets, whatever is paused, removed
     */
    std::vector<Ptr<FabricPacketItem>> TakeAll(int64_t nowPs, uint8_t classes = 0xff);

    /// @return true if a packet waits in a class that is not paused
    bool HasEligiblePacket() const
    {
        return m_bytes > 0 && (!m_pausable || m_pausable->HasEligiblePacket());
    }

    /**
     * @brief Let these classes wait and all others go, if the disc can.
     * @param classes bit mask
     */
    void SetPausedClasses(uint8_t classes);

    /// @return bit mask of the classes that may not leave
    uint8_t GetPausedClasses() const
    {
        return m_pausedClasses;
    }

    /// @return bytes waiting in the queue disc
    uint32_t GetBytes() const
    {
        return m_bytes;
    }

    /// @return most bytes of all classes that ever waited in the queue disc; a packet that passed
    /// through did not wait
    uint32_t GetMaxBytes() const
    {
        return m_maxBytes;
    }

    /**
     * @param priority class
     * @return bytes of a class waiting in the queue disc (all bytes if it has no classes)
     */
    uint64_t GetClassBytes(uint8_t priority) const
    {
        return m_pausable ? m_pausable->GetClassBytes(priority) : m_bytes;
    }

    /// @return time average of the bytes waiting in the queue disc since the start
    double GetMeanBytes() const;

    /**
     * @param nowPs since when nothing has happened, in ps
     * @return the same up to that time
     */
    double GetMeanBytes(int64_t nowPs) const;

    /**
     * @brief Tell what waits for the queue disc elsewhere in the node.
     * @param byClass bytes of each of the eight classes, which change; outlives this port; null:
     * nothing
     */
    void SetWaitingBytes(const uint64_t* byClass);

    /**
     * @param priority class
     * @return bytes of a class that wait for the queue disc elsewhere in the node, as in virtual
     * output queues
     */
    uint64_t GetWaitingBytes(uint8_t priority) const
    {
        return m_waitingBytes ? m_waitingBytes[priority] : 0;
    }

    /// Instead of a class: that of the packet that leaves next.
    static constexpr uint8_t NEXT_CLASS = UINT8_MAX;

    /**
     * @brief Name what Enqueue() and Dequeue() read behind this object.
     * @param lines takes it
     * @param depth 0, then 1 and up, each when what the one before names has been loaded
     * @param priority class of the packet, or NEXT_CLASS
     */
    void NameHotLines(const HotLines& lines, int depth, uint8_t priority) const
    {
        if (depth == 0)
        {
            // Of what is ns-3's own, only where the statistics lie is public. Each packet counts in
            // them and reads what is before and right behind them.
            const auto* disc = reinterpret_cast<const char*>(m_disc);
            if (m_direct)
            {
                // lengths, statistics, a packet put back, traces, the disc's own
                lines.Add<3>(disc + g_behindStats - sizeof(QueueDisc::Stats) - BEFORE_STATS);
                lines.Add<2>(disc + g_behindStats + BEHIND_STATS);
                lines.Add<2>(m_pausable);
                return;
            }
            lines.Add<5>(disc);
            lines.Add<3>(disc + g_behindStats);
            lines.Add<1>(m_pausable);
        }
        else if (m_pausable)
        {
            m_pausable->NameHotLines(lines, depth - 1, priority);
        }
    }

  private:
    /**
     * @brief Integrate the length up to the present, before it changes.
     * @param nowPs the present
     */
    void Integrate(int64_t nowPs)
    {
        m_integral += static_cast<double>(m_bytes) * static_cast<double>(nowPs - m_sincePs);
        m_sincePs = nowPs;
    }

    /**
     * @brief The queue disc has refused a packet: tell the port, which may enqueue another one
     * because of it.
     * @param item the packet
     */
    void Refuse(const FabricPacketItem& item);
    /// @return a packet of a queue disc that gave none before, or null
    Ptr<QueueDiscItem> DequeueAgain();
    /**
     * @brief The queue disc does not accept the packet it was given.
     * @param refused the packet
     * @param reason why
     */
    void NotifyRefusal(Ptr<const QueueDiscItem> refused, const char* reason);
    /**
     * @brief The queue disc threw away a packet that it had accepted.
     * @param dropped the packet
     * @param reason why
     */
    void NotifyDrop(Ptr<const QueueDiscItem> dropped, const char* reason);

    /**
     * @brief The queue disc has trimmed a packet, one that it is given or that waits.
     * @param trimmed the packet
     * @param bytes that it has lost
     */
    void NotifyTrim(Ptr<const QueueDiscItem> trimmed, uint32_t bytes);

    /// How far before the statistics a QueueDisc has its lengths; off the mark, a fetch is wasted.
    static constexpr std::ptrdiff_t BEFORE_STATS = 96;
    /// How far behind them it has a packet put back and the traces.
    static constexpr std::ptrdiff_t BEHIND_STATS = 56;
    static std::ptrdiff_t g_behindStats; //!< where in a QueueDisc its statistics end, for LookAhead

    // what each packet needs
    QueueDisc* m_disc{nullptr};               //!< root queue disc
    ClassPauseInterface* m_pausable{nullptr}; //!< the same, if it can skip classes
    DirectQueue* m_direct{nullptr};           //!< the same, if it has a shorter way
    int64_t m_sincePs{0};                     //!< last change of m_bytes
    double m_integral{0};                     //!< byte x ps
    uint32_t m_bytes{0};                      //!< in the queue disc
    uint32_t m_maxBytes{0};                   //!< of all classes
    uint8_t m_pausedClasses{0};               //!< classes that may not leave
    bool m_refused{false};                    //!< in Enqueue()
    uint32_t m_stopped{StoppedPorts::NONE};   //!< number in StoppedPorts

    FabricNetDevice& m_port;                 //!< the port
    const uint64_t* m_waitingBytes{nullptr}; //!< elsewhere in the node, by class
    Ptr<QueueDisc> m_owner;                  //!< reference behind m_disc
};

} // namespace ns3

#endif /* PORT_QUEUE_H */
