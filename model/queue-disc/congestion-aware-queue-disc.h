// SPDX-License-Identifier: GPL-2.0-only
#ifndef CONGESTION_AWARE_QUEUE_DISC_H
#define CONGESTION_AWARE_QUEUE_DISC_H

#include "back-to-sender-notices.h"
#include "class-scheduler.h"
#include "marking-profile.h"
#include "packet-trimmer.h"
#include "queue-view.h"
#include "ring-queue.h"

#include "ns3/class-pause-interface.h"
#include "ns3/direct-queue.h"
#include "ns3/lazy-trace.h"
#include "ns3/net-device-queue-interface.h"
#include "ns3/object-factory.h"
#include "ns3/queue-disc.h"
#include "ns3/random-variable-stream.h"
#include "ns3/traced-callback.h"

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <string>
#include <typeinfo>

namespace ns3
{

class LogComponent;

/**
 * @ingroup dcfabric
 * @brief A queue disc with up to eight priority classes, ECN marking by profile, notifications back
 * to senders, and classes that can be paused.
 *
 * The class of a packet follows from its DSCP. A class is made at its first packet: a RingQueue, or
 * a child queue disc of any TypeId (ClassQueueDisc). Marking looks at the length of the class in
 * bytes, at enqueue or at dequeue. It works on any QueueDiscItem and is equally at home in the
 * stock traffic-control layer.
 */
class CongestionAwareQueueDisc : public QueueDisc, public ClassPauseInterface, public DirectQueue
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    CongestionAwareQueueDisc();
    ~CongestionAwareQueueDisc() override;

    /**
     * @brief Make another one with the same attributes, without ns-3's search for each of them,
     * which takes most of the time: networks have a queue disc at each port.
     * @return a disc that nothing has passed; null if this one is of a derived class, or has
     * objects of its own that another must not share
     */
    Ptr<CongestionAwareQueueDisc> CreateAlike() const;

    /**
     * @brief DynamicCast(), but quick for a disc of this very class, as most are.
     * @param disc any disc
     * @return it; null if it is another one
     */
    static CongestionAwareQueueDisc* Find(QueueDisc& disc)
    {
        return typeid(disc) == typeid(CongestionAwareQueueDisc)
                   ? static_cast<CongestionAwareQueueDisc*>(&disc)
                   : dynamic_cast<CongestionAwareQueueDisc*>(&disc);
    }

    static constexpr const char* LIMIT_EXCEEDED_DROP = "Queue disc limit exceeded"; //!< drop reason
    static constexpr const char* CONGESTION_MARK = "Marked by profile";             //!< mark reason

    /// 64-bit counters of a class; those of QueueDisc::Stats are partly 32 bits wide.
    struct alignas(64) ClassCounters
    {
        uint64_t bytes{0};           //!< waiting now
        uint64_t maxBytes{0};        //!< most that ever waited
        uint64_t enqueuedPackets{0}; //!< accepted
        uint64_t enqueuedBytes{0};   //!< accepted
        uint64_t droppedPackets{0};  //!< refused
        uint64_t markedPackets{0};   //!< marked
        uint64_t markedBytes{0};     //!< marked
        uint64_t lostBytes{0};       //!< accepted, then dropped by the child
    };

    /**
     * @brief Limit all classes together; hides that of QueueDisc, which is not virtual.
     * @param size packets or bytes
     * @return false if the size is refused
     */
    bool SetMaxSize(QueueSize size);

    /// @return the limit
    QueueSize GetMaxSize() const
    {
        return QueueDisc::GetMaxSize();
    }

    /// What has been trimmed of a class.
    struct TrimCounters
    {
        uint64_t packets{0}; //!< trimmed
        uint64_t bytes{0};   //!< that they have lost
    };

    // from ClassPauseInterface
    DirectQueue* GetDirectQueue() override;
    void SetPausedClasses(uint8_t classes) override;
    bool HasEligiblePacket() const override;
    uint64_t GetClassBytes(uint8_t priority) const override;
    void SetWaitingBytes(const uint64_t* byClass) override;
    bool Trims() const override;
    bool ConnectDropSinks(const DropSink& refused, const DropSink& dropped) override;
    void NameHotLines(const HotLines& lines, int depth, uint8_t priority) const override;

    // from DirectQueue
    bool EnqueueDirectly(const Ptr<QueueDiscItem>& item,
                         uint32_t size,
                         uint8_t ds,
                         int64_t tick) override;
    bool PassDirectly(QueueDiscItem& item, uint32_t size, uint8_t ds, int64_t tick) override;
    Ptr<QueueDiscItem> DequeueDirectly() override;

    /**
     * @param priority class, 0 to 7
     * @return counters of a class
     */
    const ClassCounters& GetClassCounters(uint8_t priority) const
    {
        return m_classes[priority];
    }

    /// @return true if a child keeps packets, which VisitClass() does not see
    bool HasChildren() const;

    /**
     * @brief Look at the packets of a class, in their order; at none that a child keeps.
     * @param priority class, 0 to 7
     * @param visit called with each
     */
    void VisitClass(uint8_t priority, const std::function<void(const QueueDiscItem&)>& visit) const;

    /// @return marked packets of all classes
    uint64_t GetNMarkedPackets() const;

    /**
     * @param item the packet
     * @return the class of a packet
     */
    uint8_t GetClass(const QueueDiscItem& item) const;

    /**
     * @brief Set the marking profile, from now on.
     * @param profile null for none
     */
    void SetMarkingProfile(Ptr<MarkingProfile> profile);
    /// @return the marking profile, null for none
    Ptr<MarkingProfile> GetMarkingProfile() const;

    /// @return the marking profile, null for none
    const MarkingProfile* PeekMarkingProfile() const
    {
        return PeekPointer(m_profile);
    }

    /**
     * @brief Notify senders back, from now on.
     * @param notifier when and of what; null for none
     */
    void SetBackToSender(Ptr<BackToSenderNotifier> notifier);
    /// @return when senders are notified, and of what; null for none
    Ptr<BackToSenderNotifier> GetBackToSender() const;

    /**
     * @brief Trim packets that do not fit, from now on; in a port of the fabric, before it starts.
     *
     * MaxSize then limits the classes that are trimmed, together, and no others; the trimmer limits
     * that of trimmed packets.
     * @param trimmer null: they are dropped
     */
    void SetTrimmer(Ptr<PacketTrimmer> trimmer);
    /// @return what trims packets; null for nothing
    Ptr<PacketTrimmer> GetTrimmer() const;

    /**
     * @brief Trim a packet on its way to this disc, for which there is no room elsewhere.
     * @param item the packet, of a class that the trimmer covers, and CanTrim()
     * @param priority its class
     * @return bytes that it has lost
     */
    uint32_t Trim(TrimmableItem& item, uint8_t priority);

    /**
     * @param priority class, 0 to 7
     * @return what has been trimmed of a class, which it was in before
     */
    TrimCounters GetTrimCounters(uint8_t priority) const
    {
        return m_trims ? m_trims->counters[priority] : TrimCounters();
    }

    /// @return trimmed packets of all classes
    uint64_t GetNTrimmedPackets() const;

    /**
     * @brief Signature of the Trim trace source.
     * @param item the packet, trimmed
     * @param bytes that it has lost
     */
    typedef void (*TrimTracedCallback)(Ptr<const QueueDiscItem> item, uint32_t bytes);

    /**
     * @brief Tell of what surrounds the disc, instead of DiscContext.
     * @param context outlives the disc; null for DiscContext
     */
    void SetContext(const QueueContext* context)
    {
        MakeNotices().SetContext(context);
    }

    /// Takes notifications to their senders.
    using BackToSenderCallback = BackToSenderNotices::Callback;

    /**
     * @brief Set who takes notifications to their senders, beside the trace source BackToSender.
     * @param callback empty for none
     */
    void SetBackToSenderCallback(BackToSenderCallback callback)
    {
        MakeNotices().SetCallback(std::move(callback));
    }

    /**
     * @brief A packet was dropped, by this disc or on its way to it: notify its sender.
     * @param item the packet
     */
    void NotifyDrop(Ptr<const QueueDiscItem> item);

    /**
     * @param priority class, 0 to 7
     * @return what has been notified of a class
     */
    BackToSenderQueue::Counters GetBackToSenderCounters(uint8_t priority) const
    {
        return m_notices ? m_notices->GetCounters(priority) : BackToSenderQueue::Counters();
    }

    /**
     * @brief Signature of the BackToSender trace source.
     * @param notice what is told
     */
    typedef void (*BackToSenderTracedCallback)(const BackToSenderNotice& notice);

    /**
     * @brief Fix the random streams.
     * @param stream first stream
     * @return how many are used
     */
    int64_t AssignStreams(int64_t stream);

    /**
     * @brief Set the map from DSCP to class.
     * @param map "dscp:class" pairs separated by commas; others go to class 0
     */
    void SetDscpMap(std::string map);
    /// @return the map from DSCP to class
    std::string GetDscpMap() const;

  protected:
    void DoDispose() override;

  private:
    static LogComponent g_log; //!< of this class

    /// Make the ring queue.
    void MakeRings();

    /// @return the ring queue, which is made when it is needed first
    RingQueue& GetRings()
    {
        if (!m_rings)
        {
            MakeRings();
        }
        return *m_rings;
    }

    /// Where a DSCP goes.
    using DscpMap = std::array<uint8_t, 64>;

    bool DoEnqueue(Ptr<QueueDiscItem> item) override;
    Ptr<QueueDiscItem> DoDequeue() override;
    bool CheckConfig() override;
    void InitializeParams() override;

    /// What only discs that trim need.
    struct Trimming
    {
        Ptr<PacketTrimmer> trimmer;           //!< the rules, not null
        std::array<TrimCounters, 8> counters; //!< by the class that a packet was in
        uint64_t maxBytes{0};                 //!< limit of the disc; 0: it is in packets
    };

    /// Keep the limit at hand for what trims.
    void KeepLimit();
    /**
     * @param waiting bytes in all classes
     * @param priority class of a packet
     * @param size its bytes
     * @return true if it fits, as it would beside everything that waits; false: see IsFull()
     */
    bool FitsBesideAll(uint64_t waiting, uint8_t priority, uint32_t size) const;
    /// @return true if a packet of a class does not fit
    bool IsFull(uint8_t priority, uint32_t size) const;
    /// @return packets of a class
    uint64_t GetClassPackets(uint8_t priority) const;
    /// @return the same of a disc that trims
    bool IsClassFull(uint8_t priority, uint32_t size) const;
    /// Mark or notify of a packet as it arrives.
    void Pass(const Ptr<QueueDiscItem>& item, uint8_t priority);
    /// Enter a packet into its class, which may refuse it. @return false if it did
    bool Append(const Ptr<QueueDiscItem>& item, uint8_t priority, uint32_t size);
    /// A packet does not fit: trim it or another one, or drop it. @return false if it was dropped
    bool HandleOverflow(const Ptr<QueueDiscItem>& item, uint8_t priority, uint32_t size);
    /// Drop a packet that does not fit. @return false
    bool Refuse(const Ptr<QueueDiscItem>& item, uint8_t priority, const char* reason);
    /// Trim the newest packet of a class, if it is its turn and the arriving one of @p size bytes
    /// then fits. @return true if so
    bool TrimNewest(uint8_t priority, uint32_t size);

    /**
     * @brief Count a packet that a class has accepted.
     * @param cls the class
     * @param size bytes
     */
    static void CountEntry(ClassCounters& cls, uint32_t size)
    {
        ++cls.enqueuedPackets;
        cls.enqueuedBytes += size;
        cls.maxBytes = std::max(cls.maxBytes, cls.bytes);
    }

    /// @return true if a packet of a class may be marked now, or its sender notified
    bool MayMark(uint8_t priority) const
    {
        return m_classes[priority].bytes + GetWaitingBytes(priority) >= m_markFrom ||
               ((m_notifiedClasses >> priority) & 1) != 0;
    }

    /// @return bytes of a class that wait elsewhere
    uint64_t GetWaitingBytes(uint8_t priority) const
    {
        return m_waitingBytes ? m_waitingBytes[priority] : 0;
    }

    /// Mark or notify of a packet as it leaves.
    void PassOut(const Ptr<QueueDiscItem>& item, uint8_t priority);

    /// The last packet of a class may have left.
    void NoteDeparture(uint8_t priority)
    {
        if (IsClassEmpty(priority))
        {
            m_backlog &= ~(1U << priority);
            if (m_scheduler && !m_ignoresLoneClass)
            {
                m_scheduler->OnEmpty(priority);
            }
        }
    }

    /// @return the child of a class, made at its first packet
    const Ptr<QueueDisc>& GetChild(uint8_t priority);
    /// Mark a packet if the profile says so.
    void MarkByProfile(const Ptr<QueueDiscItem>& item, uint8_t priority);
    /// Draw whether a packet of a notified class triggers a notification; if so, mark it and tell
    /// its sender.
    void DrawNotice(const Ptr<QueueDiscItem>& item, uint8_t priority, double probability);
    /// @return what only discs that notify senders need
    BackToSenderNotices& MakeNotices();
    /// Mark a packet and count it.
    void MarkAndCount(const Ptr<QueueDiscItem>& item, uint8_t priority);
    /// @return a number from 0 to 1
    double Draw();
    /// @return the next packet of a class, null if its child gives none
    Ptr<QueueDiscItem> TakeFrom(uint8_t priority);

    /// @return the class that sends next, of those that are eligible: at least one
    uint8_t SelectClass(uint8_t eligible)
    {
        const bool isLone = (eligible & (eligible - 1)) == 0;
        return !m_scheduler || (isLone && m_ignoresLoneClass)
                   ? static_cast<uint8_t>(31 - __builtin_clz(eligible))
                   : AskScheduler(eligible);
    }

    /// @return the class that the scheduler chooses
    uint8_t AskScheduler(uint8_t eligible);

    /// @return true if nothing waits in a class
    bool IsClassEmpty(uint8_t priority) const
    {
        return m_rings ? m_rings->IsLaneEmpty(priority) : m_children[priority]->GetNPackets() == 0;
    }

    // what each packet needs
    RingQueue* m_rings{nullptr};   //!< the packets of classes without a child; null: see GetRings()
    uint8_t m_backlog{0};          //!< classes with a packet
    uint8_t m_paused{0};           //!< classes that have to wait
    uint8_t m_markedClasses{0x3f}; //!< classes to which the profile applies
    bool m_limited{false};         //!< MaxSize can be reached
    bool m_markAtDequeue{false};   //!< mark when a packet leaves
    uint8_t m_notifiedClasses{0};  //!< classes whose senders are notified
    bool m_keepsInRings{false};    //!< classes have no children
    bool m_isOfPort{false};        //!< nobody looks for the ring queue
    uint64_t m_markFrom{UINT64_MAX};              //!< least length at which to ask the profile
    const uint64_t* m_waitingBytes{nullptr};      //!< elsewhere, by class; null: nothing
    std::shared_ptr<const DscpMap> m_classOfDscp; //!< equal maps are one in memory
    bool m_ignoresLoneClass{false};               //!< so does m_scheduler
    bool m_direct{true}; //!< count without the sinks of ns-3's QueueDisc, with the same results
    Ptr<ClassScheduler> m_scheduler;        //!< null: strict priority, without a call
    std::array<ClassCounters, 8> m_classes; //!< by priority

    Ptr<MarkingProfile> m_profile;                  //!< null for none
    std::array<Ptr<QueueDisc>, 8> m_children;       //!< who keeps the packets, if not m_rings
    TypeId m_childTypeId;                           //!< of children; RingQueue: none
    std::unique_ptr<BackToSenderNotices> m_notices; //!< made when first needed
    BackToSenderNotices::Trace m_noticeTrace;       //!< notifications
    std::unique_ptr<Trimming> m_trims;              //!< null: what does not fit is dropped
    LazyTrace<Ptr<const QueueDiscItem>, uint32_t> m_trimTrace; //!< trimmed here
    Ptr<UniformRandomVariable> m_random;                       //!< made when first needed
    int64_t m_stream{-1};                                      //!< of m_random
};

} // namespace ns3

#endif /* CONGESTION_AWARE_QUEUE_DISC_H */
