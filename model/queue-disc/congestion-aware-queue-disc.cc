// SPDX-License-Identifier: GPL-2.0-only
#include "congestion-aware-queue-disc.h"

#include "queue-disc-statistics.h"

#include "ns3/attribute-defaults.h"
#include "ns3/attribute-range.h"
#include "ns3/boolean.h"
#include "ns3/drop-reason.h"
#include "ns3/fabric-error.h"
#include "ns3/fq-cobalt-queue-disc.h"
#include "ns3/fq-codel-queue-disc.h"
#include "ns3/fq-pie-queue-disc.h"
#include "ns3/log.h"
#include "ns3/net-device.h"
#include "ns3/object-class.h"
#include "ns3/pointer.h"
#include "ns3/string.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <typeinfo>

namespace ns3
{

LogComponent CongestionAwareQueueDisc::g_log("CongestionAwareQueueDisc", __FILE__);

NS_OBJECT_ENSURE_REGISTERED(CongestionAwareQueueDisc);

namespace
{

/// Bytes per round of a child that has no device to take it from: a full frame.
constexpr uint32_t DEFAULT_CHILD_QUANTUM = 1518;

/// Give a fair-queueing disc that is not yet initialized a quantum: with none its Dequeue() would
/// never return. Nothing happens if it is no T.
template <typename T>
void
FillQuantum(Ptr<QueueDisc> disc)
{
    const auto fair = DynamicCast<T>(disc);
    if (fair && fair->GetQuantum() == 0)
    {
        fair->SetQuantum(DEFAULT_CHILD_QUANTUM);
    }
}

/**
 * @brief Keep each map of DSCPs once: thousands of queue discs have the same.
 * @return the map, or an equal one that is in use
 */
std::shared_ptr<const std::array<uint8_t, 64>>
ShareDscpMap(const std::array<uint8_t, 64>& map)
{
    static std::map<std::array<uint8_t, 64>, std::weak_ptr<const std::array<uint8_t, 64>>> known;
    auto& entry = known[map];
    auto shared = entry.lock();
    if (!shared)
    {
        shared = std::make_shared<const std::array<uint8_t, 64>>(map);
        entry = shared;
    }
    return shared;
}

} // namespace

TypeId
CongestionAwareQueueDisc::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::CongestionAwareQueueDisc")
            .SetParent<QueueDisc>()
            .SetGroupName("Dcfabric")
            .AddConstructor<CongestionAwareQueueDisc>()
            .AddAttribute("MaxSize",
                          "Most packets or bytes in all classes together.",
                          QueueSizeValue(QueueSize("4294967295B")),
                          MakeQueueSizeAccessor(&CongestionAwareQueueDisc::SetMaxSize,
                                                &CongestionAwareQueueDisc::GetMaxSize),
                          MakePositiveQueueSizeChecker())
            .AddAttribute("Trimmer",
                          "What becomes of packets that do not fit: their headers go on. MaxSize "
                          "then limits the classes that are trimmed, and no others. Null: they are "
                          "dropped.",
                          PointerValue(),
                          MakePointerAccessor(&CongestionAwareQueueDisc::SetTrimmer,
                                              &CongestionAwareQueueDisc::GetTrimmer),
                          MakePointerChecker<PacketTrimmer>())
            .AddAttribute("MarkingProfile",
                          "Probability of an ECN mark over the bytes in the class, in notified "
                          "classes of a mark with a notification, if BackToSender has no profile "
                          "of its own; null for none.",
                          PointerValue(),
                          MakePointerAccessor(&CongestionAwareQueueDisc::SetMarkingProfile,
                                              &CongestionAwareQueueDisc::GetMarkingProfile),
                          MakePointerChecker<MarkingProfile>())
            .AddAttribute("MarkedClasses",
                          "Bit mask of the classes to which the profile applies.",
                          UintegerValue(0x3f),
                          MakeUintegerAccessor(&CongestionAwareQueueDisc::m_markedClasses),
                          MakeUintegerChecker<uint8_t>())
            .AddAttribute("MarkAtDequeue",
                          "Decide on the mark when a packet leaves, by what it leaves behind, "
                          "instead of when it arrives, by what it finds.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&CongestionAwareQueueDisc::m_markAtDequeue),
                          MakeBooleanChecker())
            .AddAttribute("BackToSender",
                          "When senders are notified back, and of what; null for never.",
                          PointerValue(),
                          MakePointerAccessor(&CongestionAwareQueueDisc::SetBackToSender,
                                              &CongestionAwareQueueDisc::GetBackToSender),
                          MakePointerChecker<BackToSenderNotifier>())
            .AddAttribute("Scheduler",
                          "Chooses the class that sends next; null for strict priority.",
                          PointerValue(),
                          MakePointerAccessor(&CongestionAwareQueueDisc::m_scheduler),
                          MakePointerChecker<ClassScheduler>())
            .AddAttribute("DscpMap",
                          "Class of each DSCP as dscp:class pairs separated by commas; other "
                          "DSCPs belong to class 0. The default is the class selector: DSCP / 8.",
                          StringValue(""),
                          MakeStringAccessor(&CongestionAwareQueueDisc::SetDscpMap,
                                             &CongestionAwareQueueDisc::GetDscpMap),
                          MakeStringChecker())
            .AddAttribute("ClassQueueDisc",
                          "TypeId of a child queue disc for each class; ns3::RingQueue for a plain "
                          "queue.",
                          TypeIdValue(RingQueue::GetTypeId()),
                          MakeTypeIdAccessor(&CongestionAwareQueueDisc::m_childTypeId),
                          MakeTypeIdChecker())
            .AddAttribute("CountsDirectly",
                          "Take packets from a port of the fabric without the sinks by which "
                          "ns-3's QueueDisc counts, with the same counters, traces and results; "
                          "false to see the log lines of QueueDisc::Enqueue() and Dequeue(). Read "
                          "as the port starts.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&CongestionAwareQueueDisc::m_direct),
                          MakeBooleanChecker())
            .AddTraceSource("BackToSender",
                            "A sender is notified back.",
                            MakeTraceSourceAccessor(&CongestionAwareQueueDisc::m_noticeTrace),
                            "ns3::CongestionAwareQueueDisc::BackToSenderTracedCallback")
            .AddTraceSource("Trim",
                            "A packet that did not fit, or one that made room for it, has lost its "
                            "payload.",
                            MakeTraceSourceAccessor(&CongestionAwareQueueDisc::m_trimTrace),
                            "ns3::CongestionAwareQueueDisc::TrimTracedCallback");
    return tid;
}

CongestionAwareQueueDisc::CongestionAwareQueueDisc()
    : QueueDisc(QueueDiscSizePolicy::MULTIPLE_QUEUES)
{
}

CongestionAwareQueueDisc::~CongestionAwareQueueDisc() = default;

Ptr<CongestionAwareQueueDisc>
CongestionAwareQueueDisc::CreateAlike() const
{
    if (typeid(*this) != typeid(CongestionAwareQueueDisc) || m_scheduler || m_notices || m_trims ||
        m_profile)
    {
        return nullptr;
    }
    Ptr<CongestionAwareQueueDisc> disc(new CongestionAwareQueueDisc, false);
    SetObjectClass(*disc, GetInstanceTypeId());
    disc->SetQuota(GetQuota());
    disc->SetMaxSize(GetMaxSize());
    disc->m_markedClasses = m_markedClasses;
    disc->m_markAtDequeue = m_markAtDequeue;
    disc->m_classOfDscp = m_classOfDscp;
    disc->m_childTypeId = m_childTypeId;
    disc->m_direct = m_direct;
    return disc;
}

bool
CongestionAwareQueueDisc::ConnectDropSinks(const DropSink& refused, const DropSink& dropped)
{
    QueueDiscStatistics(*this).ConnectDropSinks(refused, dropped);
    m_isOfPort = true;
    return true;
}

void
CongestionAwareQueueDisc::SetDscpMap(std::string map)
{
    DscpMap classes{};
    if (map.empty())
    {
        for (size_t dscp = 0; dscp < classes.size(); ++dscp)
        {
            classes[dscp] = static_cast<uint8_t>(dscp / 8);
        }
    }
    std::istringstream in(map);
    std::string pair;
    while (std::getline(in, pair, ','))
    {
        std::istringstream words(pair);
        int dscp = -1;
        int priority = -1;
        char colon = 0;
        std::string rest;
        if (!(words >> dscp >> colon >> priority) || colon != ':' || dscp < 0 || dscp > 63 ||
            priority < 0 || priority > 7 || words >> rest)
        {
            throw FabricError(FabricTerm::Attribute("ns3::CongestionAwareQueueDisc", "DscpMap") +
                              ": \"" + pair +
                              "\" must be dscp:class with dscp 0 to 63 and class 0 to 7");
        }
        classes[dscp] = static_cast<uint8_t>(priority);
    }
    m_classOfDscp = ShareDscpMap(classes);
}

std::string
CongestionAwareQueueDisc::GetDscpMap() const
{
    std::string map;
    for (size_t dscp = 0; dscp < m_classOfDscp->size(); ++dscp)
    {
        if ((*m_classOfDscp)[dscp] != 0)
        {
            map += (map.empty() ? "" : ",") + std::to_string(dscp) + ":" +
                   std::to_string((*m_classOfDscp)[dscp]);
        }
    }
    return map;
}

uint8_t
CongestionAwareQueueDisc::GetClass(const QueueDiscItem& item) const
{
    uint8_t ds = 0;
    return item.GetUint8Value(QueueItem::IP_DSFIELD, ds) ? (*m_classOfDscp)[ds >> 2] : 0;
}

void
CongestionAwareQueueDisc::SetMarkingProfile(Ptr<MarkingProfile> profile)
{
    m_profile = profile;
    // GetLowerBound() cannot say that even an empty queue may mark
    const uint64_t never = profile ? profile->GetLowerBound() : UINT64_MAX;
    m_markFrom = profile && never == 0 && profile->GetProbability(0) > 0 ? 0
                 : never == UINT64_MAX                                   ? UINT64_MAX
                                                                         : never + 1;
}

Ptr<MarkingProfile>
CongestionAwareQueueDisc::GetMarkingProfile() const
{
    return m_profile;
}

void
CongestionAwareQueueDisc::SetPausedClasses(uint8_t classes)
{
    m_paused = classes;
}

bool
CongestionAwareQueueDisc::HasEligiblePacket() const
{
    return (m_backlog & ~m_paused) != 0;
}

uint64_t
CongestionAwareQueueDisc::GetClassBytes(uint8_t priority) const
{
    return m_classes[priority].bytes;
}

void
CongestionAwareQueueDisc::SetWaitingBytes(const uint64_t* byClass)
{
    m_waitingBytes = byClass;
}

void
CongestionAwareQueueDisc::NameHotLines(const HotLines& lines, int depth, uint8_t priority) const
{
    if (priority >= m_classes.size())
    {
        const unsigned eligible = m_backlog & ~m_paused;
        if (eligible == 0)
        {
            return;
        }
        priority = static_cast<uint8_t>(31 - __builtin_clz(eligible));
    }
    if (depth == 0)
    {
        lines.Add<1>(&m_classes[priority]);
    }
    if (m_rings)
    {
        m_rings->NameHotLines(lines, depth, priority, m_direct);
    }
}

uint64_t
CongestionAwareQueueDisc::GetNMarkedPackets() const
{
    uint64_t sum = 0;
    for (const auto& c : m_classes)
    {
        sum += c.markedPackets;
    }
    return sum;
}

int64_t
CongestionAwareQueueDisc::AssignStreams(int64_t stream)
{
    m_stream = stream;
    if (m_random)
    {
        m_random->SetStream(stream);
    }
    return 1;
}

double
CongestionAwareQueueDisc::Draw()
{
    if (!m_random)
    {
        m_random = CreateObject<UniformRandomVariable>();
        if (m_stream >= 0)
        {
            m_random->SetStream(m_stream);
        }
    }
    return m_random->GetValue();
}

void
CongestionAwareQueueDisc::MarkByProfile(const Ptr<QueueDiscItem>& item, uint8_t priority)
{
    const uint64_t bytes = m_classes[priority].bytes + GetWaitingBytes(priority);
    if (bytes < m_markFrom || (((m_markedClasses & ~m_notifiedClasses) >> priority) & 1) == 0)
    {
        return;
    }
    const double probability = m_profile->GetProbability(bytes);
    if (probability > 0 && (probability >= 1 || Draw() < probability))
    {
        MarkAndCount(item, priority);
    }
}

void
CongestionAwareQueueDisc::MarkAndCount(const Ptr<QueueDiscItem>& item, uint8_t priority)
{
    if (Mark(item, CONGESTION_MARK))
    {
        NS_LOG_LOGIC("class " << +priority << " marks " << *item);
        ClassCounters& cls = m_classes[priority];
        ++cls.markedPackets;
        cls.markedBytes += item->GetSize();
    }
}

BackToSenderNotices&
CongestionAwareQueueDisc::MakeNotices()
{
    if (!m_notices)
    {
        m_notices = std::make_unique<BackToSenderNotices>(*this, m_noticeTrace);
        // also tells of packets that a child drops; remains, as what it calls may end notifications
        TraceConnectWithoutContext("Drop",
                                   MakeCallback(&CongestionAwareQueueDisc::NotifyDrop, this));
    }
    return *m_notices;
}

void
CongestionAwareQueueDisc::SetBackToSender(Ptr<BackToSenderNotifier> notifier)
{
    if (notifier || m_notices)
    {
        MakeNotices().SetNotifier(notifier);
        m_notifiedClasses = notifier ? notifier->GetClasses() : 0;
    }
}

Ptr<BackToSenderNotifier>
CongestionAwareQueueDisc::GetBackToSender() const
{
    return m_notices ? m_notices->GetNotifier() : nullptr;
}

void
CongestionAwareQueueDisc::NotifyDrop(Ptr<const QueueDiscItem> item)
{
    const uint8_t priority = GetClass(*item);
    if ((m_notifiedClasses >> priority) & 1)
    {
        m_notices->TellDrop(item, priority);
    }
}

void
CongestionAwareQueueDisc::DrawNotice(const Ptr<QueueDiscItem>& item,
                                     uint8_t priority,
                                     double probability)
{
    if (probability > 0 && (probability >= 1 || Draw() < probability) &&
        m_notices->Pass(*item, priority))
    {
        MarkAndCount(item, priority);
        m_notices->TellEarly(item, priority);
    }
}

bool
CongestionAwareQueueDisc::SetMaxSize(QueueSize size)
{
    m_limited = m_trims || size.GetValue() != UINT32_MAX;
    const bool isSet = QueueDisc::SetMaxSize(size);
    KeepLimit();
    return isSet;
}

void
CongestionAwareQueueDisc::KeepLimit()
{
    if (m_trims)
    {
        const QueueSize limit = GetMaxSize();
        m_trims->maxBytes = limit.GetUnit() == QueueSizeUnit::BYTES ? limit.GetValue() : 0;
    }
}

void
CongestionAwareQueueDisc::SetTrimmer(Ptr<PacketTrimmer> trimmer)
{
    if (!trimmer)
    {
        m_trims = nullptr;
        return;
    }
    if (!m_trims)
    {
        m_trims = std::make_unique<Trimming>();
    }
    m_trims->trimmer = trimmer;
    m_limited = true; // that of trimmed packets may be
    KeepLimit();
}

Ptr<PacketTrimmer>
CongestionAwareQueueDisc::GetTrimmer() const
{
    return m_trims ? m_trims->trimmer : nullptr;
}

bool
CongestionAwareQueueDisc::Trims() const
{
    return m_trims != nullptr;
}

uint32_t
CongestionAwareQueueDisc::Trim(TrimmableItem& item, uint8_t priority)
{
    const uint32_t bytes = m_trims->trimmer->Trim(item);
    NS_LOG_LOGIC("class " << +priority << " trims " << item);
    ++m_trims->counters[priority].packets;
    m_trims->counters[priority].bytes += bytes;
    return bytes;
}

uint64_t
CongestionAwareQueueDisc::GetNTrimmedPackets() const
{
    uint64_t sum = 0;
    for (uint8_t priority = 0; priority < m_classes.size(); ++priority)
    {
        sum += GetTrimCounters(priority).packets;
    }
    return sum;
}

uint64_t
CongestionAwareQueueDisc::GetClassPackets(uint8_t priority) const
{
    return m_rings                ? m_rings->GetLanePackets(priority)
           : m_children[priority] ? m_children[priority]->GetNPackets()
                                  : 0;
}

bool
CongestionAwareQueueDisc::IsClassFull(uint8_t priority, uint32_t size) const
{
    const PacketTrimmer& trimmer = *m_trims->trimmer;
    const QueueSize limit = GetMaxSize();
    const bool inPackets = limit.GetUnit() == QueueSizeUnit::PACKETS;
    if (priority == trimmer.GetTrimmedClass())
    {
        if (trimmer.GetLimit() > 0)
        {
            return m_classes[priority].bytes + size > trimmer.GetLimit();
        }
        const uint64_t sum =
            inPackets ? GetClassPackets(priority) + 1 : m_classes[priority].bytes + size;
        return sum > 2 * uint64_t{limit.GetValue()};
    }
    if (!trimmer.Covers(priority))
    {
        return false;
    }
    uint64_t sum = inPackets ? 1 : size;
    for (uint8_t c = 0; c < m_classes.size(); ++c)
    {
        sum += !trimmer.Covers(c) ? 0 : inPackets ? GetClassPackets(c) : m_classes[c].bytes;
    }
    return sum > limit.GetValue();
}

bool
CongestionAwareQueueDisc::FitsBesideAll(uint64_t waiting, uint8_t priority, uint32_t size) const
{
    return m_trims && waiting + size <= m_trims->maxBytes &&
           priority != PeekPointer(m_trims->trimmer)->GetTrimmedClass();
}

bool
CongestionAwareQueueDisc::IsFull(uint8_t priority, uint32_t size) const
{
    if (m_trims)
    {
        return IsClassFull(priority, size);
    }
    const QueueSize limit = GetMaxSize();
    return limit.GetUnit() == QueueSizeUnit::PACKETS
               ? GetNPackets() >= limit.GetValue()
               : uint64_t{GetNBytes()} + size > limit.GetValue();
}

bool
CongestionAwareQueueDisc::Refuse(const Ptr<QueueDiscItem>& item,
                                 uint8_t priority,
                                 const char* reason)
{
    NS_LOG_INFO("class " << +priority << ": no room for " << *item);
    ++m_classes[priority].droppedPackets;
    DropBeforeEnqueue(item, reason);
    return false;
}

bool
CongestionAwareQueueDisc::TrimNewest(uint8_t priority, uint32_t size)
{
    const PacketTrimmer& trimmer = *m_trims->trimmer;
    const double probability = trimmer.GetNewest();
    if (!m_rings || m_rings->IsLaneEmpty(priority) || probability == 0 ||
        (probability < 1 && Draw() >= probability))
    {
        return false;
    }
    auto* newest = dynamic_cast<TrimmableItem*>(&m_rings->PeekTail(priority));
    const QueueSize limit = GetMaxSize();
    if (!newest || !newest->CanTrim() ||
        IsClassFull(trimmer.GetTrimmedClass(), std::min(newest->GetSize(), trimmer.GetSize())) ||
        (limit.GetUnit() == QueueSizeUnit::BYTES && newest->GetSize() < size &&
         IsClassFull(priority, size - newest->GetSize())))
    {
        return false;
    }
    const uint8_t trimmed = trimmer.GetTrimmedClass();
    if ((m_notifiedClasses >> priority) & 1)
    {
        m_notices->OnDeparture(*newest, priority);
    }
    m_classes[priority].bytes -= newest->GetSize();
    const uint32_t lost = Trim(*newest, priority);
    m_rings->MoveTail(priority, trimmed, lost);
    NoteDeparture(priority);
    m_classes[trimmed].bytes += newest->GetSize();
    CountEntry(m_classes[trimmed], newest->GetSize());
    m_backlog |= 1U << trimmed;
    QueueDiscStatistics(*this).Shrink(lost);
    m_trimTrace(Ptr<const QueueDiscItem>(newest), lost);
    return true;
}

bool
CongestionAwareQueueDisc::HandleOverflow(const Ptr<QueueDiscItem>& item,
                                         uint8_t priority,
                                         uint32_t size)
{
    const char* const noRoom = ToText(DropReason::TRIM_QUEUE_FULL);
    const PacketTrimmer* trimmer = m_trims ? PeekPointer(m_trims->trimmer) : nullptr;
    if (trimmer && priority == trimmer->GetTrimmedClass())
    {
        return Refuse(item, priority, noRoom);
    }
    auto* trimmable = trimmer && trimmer->Covers(priority)
                          ? dynamic_cast<TrimmableItem*>(PeekPointer(item))
                          : nullptr;
    if (!trimmable || !trimmable->CanTrim())
    {
        return Refuse(item, priority, LIMIT_EXCEEDED_DROP);
    }
    const uint8_t trimmed = trimmer->GetTrimmedClass();
    if (IsClassFull(trimmed, std::min(size, trimmer->GetSize())))
    {
        return Refuse(item, priority, noRoom);
    }
    if (TrimNewest(priority, size))
    {
        Pass(item, priority);
        return Append(item, priority, size);
    }
    const uint32_t lost = Trim(*trimmable, priority);
    QueueDiscStatistics(*this).Shorten(lost);
    m_trimTrace(item, lost);
    return Append(item, trimmed, size - lost);
}

void
CongestionAwareQueueDisc::Pass(const Ptr<QueueDiscItem>& item, uint8_t priority)
{
    if (!m_markAtDequeue)
    {
        MarkByProfile(item, priority);
    }
    if ((m_notifiedClasses >> priority) & 1)
    {
        DrawNotice(item, priority, m_notices->OnArrival(*item, priority));
    }
}

bool
CongestionAwareQueueDisc::DoEnqueue(Ptr<QueueDiscItem> item)
{
    const uint8_t priority = GetClass(*item);
    const uint32_t size = item->GetSize();
    if (m_limited && IsFull(priority, size))
    {
        return HandleOverflow(item, priority, size);
    }
    Pass(item, priority);
    return Append(item, priority, size);
}

bool
CongestionAwareQueueDisc::Append(const Ptr<QueueDiscItem>& item, uint8_t priority, uint32_t size)
{
    ClassCounters& cls = m_classes[priority];
    // a child or ring that refuses reports the drop to the base class itself
    bool accepted;
    if (m_keepsInRings)
    {
        accepted = GetRings().EnqueueInto(priority, item);
        cls.bytes += accepted ? size : 0;
    }
    else
    {
        const Ptr<QueueDisc>& child = GetChild(priority);
        accepted = child->Enqueue(item);
        // it may have dropped others as well: what it holds is the truth
        const uint64_t had = cls.bytes + (accepted ? size : 0);
        cls.bytes = child->GetNBytes();
        cls.lostBytes += had - cls.bytes;
    }
    if (!accepted)
    {
        ++cls.droppedPackets;
        return false;
    }
    CountEntry(cls, size);
    m_backlog |= 1U << priority;
    return true;
}

DirectQueue*
CongestionAwareQueueDisc::GetDirectQueue()
{
    // a derived class may have a DoEnqueue() of its own
    const bool isOwn = typeid(*this) == typeid(CongestionAwareQueueDisc);
    return m_direct && m_keepsInRings && isOwn ? this : nullptr;
}

bool
CongestionAwareQueueDisc::EnqueueDirectly(const Ptr<QueueDiscItem>& item,
                                          uint32_t size,
                                          uint8_t ds,
                                          int64_t tick)
{
    RingQueue& rings = GetRings();
    if (rings.IsLimited())
    {
        return Enqueue(item);
    }
    const uint8_t priority = (*m_classOfDscp)[ds >> 2];
    QueueDiscStatistics statistics(*this);
    statistics.Receive(size);
    if (m_limited && !FitsBesideAll(statistics.GetBytes(), priority, size) &&
        IsFull(priority, size))
    {
        const bool isIn = HandleOverflow(item, priority, size);
        if (isIn)
        {
            QueueDiscStatistics::Stamp(*PeekPointer(item), tick);
        }
        return isIn;
    }
    if (MayMark(priority))
    {
        Pass(item, priority);
    }
    rings.Append(priority, item, size, [&] { statistics.Enter(item, size); });
    ClassCounters& cls = m_classes[priority];
    cls.bytes += size;
    CountEntry(cls, size);
    m_backlog |= 1U << priority;
    QueueDiscStatistics::Stamp(*PeekPointer(item), tick);
    return true;
}

Ptr<QueueDiscItem>
CongestionAwareQueueDisc::DequeueDirectly()
{
    QueueDiscStatistics statistics(*this);
    if (statistics.HoldsRequeued())
    {
        return Dequeue();
    }
    const uint8_t eligible = m_backlog & ~m_paused;
    if (eligible == 0)
    {
        return nullptr;
    }
    const uint8_t priority = SelectClass(eligible);
    uint32_t size = 0;
    Ptr<QueueDiscItem> item =
        m_rings->Take(priority, [&](const Ptr<QueueDiscItem>& head, uint32_t bytes) {
            statistics.Leave(head, bytes);
            size = bytes;
        });
    m_classes[priority].bytes -= size;
    NoteDeparture(priority);
    if (MayMark(priority))
    {
        PassOut(item, priority);
    }
    return item;
}

bool
CongestionAwareQueueDisc::PassDirectly(QueueDiscItem& item, uint32_t size, uint8_t ds, int64_t tick)
{
    const uint8_t priority = (*m_classOfDscp)[ds >> 2];
    QueueDiscStatistics statistics(*this);
    if (m_backlog != 0 || ((m_paused >> priority) & 1) || MayMark(priority) ||
        (m_scheduler && !m_ignoresLoneClass) || statistics.HoldsRequeued() ||
        (m_rings && (m_rings->IsLimited() || !m_rings->IsUnobserved())) ||
        !statistics.IsUnobserved() ||
        (m_limited && !FitsBesideAll(0, priority, size) && IsFull(priority, size)))
    {
        return false;
    }
    statistics.Pass(size);
    if (m_rings)
    {
        m_rings->CountPassage(size);
    }
    ClassCounters& cls = m_classes[priority];
    ++cls.enqueuedPackets;
    cls.enqueuedBytes += size;
    cls.maxBytes = std::max<uint64_t>(cls.maxBytes, size);
    QueueDiscStatistics::Stamp(item, tick);
    return true;
}

uint8_t
CongestionAwareQueueDisc::AskScheduler(uint8_t eligible)
{
    std::array<uint32_t, 8> headBytes{};
    if (m_scheduler->NeedsHeadBytes())
    {
        for (uint32_t rest = eligible; rest != 0; rest &= rest - 1)
        {
            const int c = __builtin_ctz(rest);
            const Ptr<const QueueDiscItem> head =
                m_rings ? m_rings->PeekAt(static_cast<uint8_t>(c)) : m_children[c]->Peek();
            headBytes[c] = head ? head->GetSize() : 0;
        }
    }
    return m_scheduler->Select(eligible, headBytes);
}

void
CongestionAwareQueueDisc::PassOut(const Ptr<QueueDiscItem>& item, uint8_t priority)
{
    if (m_markAtDequeue)
    {
        MarkByProfile(item, priority);
    }
    if ((m_notifiedClasses >> priority) & 1)
    {
        DrawNotice(item, priority, m_notices->OnDeparture(*item, priority));
    }
}

Ptr<QueueDiscItem>
CongestionAwareQueueDisc::DoDequeue()
{
    uint8_t eligible = m_backlog & ~m_paused;
    while (eligible != 0)
    {
        const uint8_t priority = SelectClass(eligible);
        if (Ptr<QueueDiscItem> item = TakeFrom(priority))
        {
            PassOut(item, priority);
            return item;
        }
        // a child may drop or hold back all it has: the other classes must not wait for it
        eligible &= ~(1U << priority);
    }
    return nullptr;
}

bool
CongestionAwareQueueDisc::HasChildren() const
{
    return std::any_of(m_children.begin(), m_children.end(), [](const Ptr<QueueDisc>& child) {
        return child;
    });
}

void
CongestionAwareQueueDisc::VisitClass(uint8_t priority,
                                     const std::function<void(const QueueDiscItem&)>& visit) const
{
    if (m_rings)
    {
        m_rings->Visit(priority, visit);
    }
}

Ptr<QueueDiscItem>
CongestionAwareQueueDisc::TakeFrom(uint8_t priority)
{
    ClassCounters& cls = m_classes[priority];
    Ptr<QueueDiscItem> item;
    if (m_rings)
    {
        item = m_rings->DequeueFrom(priority);
        cls.bytes -= item->GetSize();
    }
    else
    {
        item = m_children[priority]->Dequeue();
        // a child may drop at dequeue: what it still holds is the truth
        const uint64_t had = cls.bytes - (item ? item->GetSize() : 0);
        cls.bytes = m_children[priority]->GetNBytes();
        cls.lostBytes += had - cls.bytes;
    }
    NoteDeparture(priority);
    return item;
}

const Ptr<QueueDisc>&
CongestionAwareQueueDisc::GetChild(uint8_t priority)
{
    Ptr<QueueDisc>& child = m_children[priority];
    if (child)
    {
        return child;
    }
    ObjectFactory factory;
    factory.SetTypeId(m_childTypeId);
    child = factory.Create<QueueDisc>();
    Ptr<QueueDiscClass> qdClass = CreateObject<QueueDiscClass>();
    qdClass->SetQueueDisc(child);
    const Ptr<NetDeviceQueueInterface> queues = GetNetDeviceQueueInterface();
    child->SetNetDeviceQueueInterface(queues);
    AddQueueDiscClass(qdClass);
    if (!queues || !queues->GetObject<NetDevice>())
    {
        FillQuantum<FqCoDelQueueDisc>(child);
        FillQuantum<FqCobaltQueueDisc>(child);
        FillQuantum<FqPieQueueDisc>(child);
    }
    child->Initialize();
    return child;
}

namespace
{

/// A ring queue as ns-3 makes one with the defaults of today.
struct RingDefaults
{
    uint64_t version{0}; //!< of the defaults; those of AttributeDefaults are above 0
    bool limited{false}; //!< it has a limit: it matters when it is made
    QueueSize maxSize;   //!< attribute
};

/// @return the defaults of today
const RingDefaults&
GetRingDefaults()
{
    static AttributeDefaults& defaults = AttributeDefaults::Of(RingQueue::GetTypeId());
    static RingDefaults known;
    const uint64_t version = defaults.GetVersion();
    if (known.version != version)
    {
        const auto sample = CreateObject<RingQueue>();
        known = {version, sample->IsLimited(), sample->GetMaxSize()};
    }
    return known;
}

} // namespace

bool
CongestionAwareQueueDisc::CheckConfig()
{
    // the base class only asserts the result, hence the exceptions
    if (GetNPacketFilters() > 0)
    {
        throw FabricError(FabricTerm::Class("ns3::CongestionAwareQueueDisc") +
                          " classifies by DSCP (attribute DscpMap) and takes no packet filters");
    }
    if (GetNInternalQueues() > 0 || GetNQueueDiscClasses() > 0)
    {
        throw FabricError(FabricTerm::Class("ns3::CongestionAwareQueueDisc") +
                          " makes its classes itself (attribute ClassQueueDisc) and takes no "
                          "internal queues or classes");
    }
    if (m_childTypeId != RingQueue::GetTypeId() &&
        (!m_childTypeId.IsChildOf(QueueDisc::GetTypeId()) || !m_childTypeId.HasConstructor()))
    {
        throw FabricError(FabricTerm::Attribute("ns3::CongestionAwareQueueDisc", "ClassQueueDisc") +
                          ": " + m_childTypeId.GetName() + " is neither a queue disc nor " +
                          FabricTerm::Class("ns3::RingQueue"));
    }
    if (m_childTypeId == RingQueue::GetTypeId())
    {
        m_keepsInRings = true;
        if (!m_isOfPort || !m_direct || typeid(*this) != typeid(CongestionAwareQueueDisc) ||
            GetRingDefaults().limited)
        {
            MakeRings();
        }
    }
    return true;
}

void
CongestionAwareQueueDisc::MakeRings()
{
    Ptr<RingQueue> rings(new RingQueue, false); // without the search for its one attribute
    SetObjectClass(*rings, RingQueue::GetTypeId());
    rings->SetMaxSize(GetRingDefaults().maxSize);
    QueueDiscStatistics(*this).AddQueue(rings);
    m_rings = PeekPointer(rings); // the base class owns it
}

void
CongestionAwareQueueDisc::InitializeParams()
{
    // all may have been set behind the back of this class
    SetMarkingProfile(m_profile);
    m_limited = m_trims || GetMaxSize().GetValue() != UINT32_MAX;
    const Ptr<BackToSenderNotifier> notifier = GetBackToSender();
    m_notifiedClasses = notifier ? notifier->GetClasses() : 0;
    m_ignoresLoneClass = m_scheduler && m_scheduler->IgnoresLoneClass();
}

void
CongestionAwareQueueDisc::DoDispose()
{
    SetBackToSender(nullptr);
    if (m_notices)
    {
        TraceDisconnectWithoutContext("Drop",
                                      MakeCallback(&CongestionAwareQueueDisc::NotifyDrop, this));
        m_notices = nullptr;
    }
    if (m_rings)
    {
        m_rings->Dispose();
    }
    m_rings = nullptr;
    m_keepsInRings = false;
    m_children = {};
    m_profile = nullptr;
    m_trims = nullptr;
    m_scheduler = nullptr;
    m_random = nullptr;
    QueueDisc::DoDispose();
}

} // namespace ns3
