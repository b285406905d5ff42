// SPDX-License-Identifier: GPL-2.0-only
#include "table-matcher.h"

#include "matched-sends.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-nic.h"

#include <algorithm>
#include <utility>

namespace ns3
{

TableMatcher::TableMatcher(FabricNic& nic,
                           Ptr<MatchTable> table,
                           Ptr<const MessageProtocol> protocol)
    : MessageMatcher(std::move(protocol)),
      m_nic(nic),
      m_table(std::move(table))
{
    if (m_protocol->GetStopEarlierPs() > 0 && !m_protocol->StopsTarget())
    {
        throw FabricError(
            FabricTerm::Attribute("ns3::MessageProtocol", "StopEarlier"),
            " stops earlier messages beside later ones",
            {FabricRemedy::Set(FabricTerm::Attribute("ns3::MessageProtocol", "StopTarget") +
                               " as well")});
    }
}

TableMatcher::~TableMatcher() = default;

std::unique_ptr<OutgoingMessages>
TableMatcher::MakeOutgoing(SendingPdc& pdc)
{
    return std::make_unique<MatchedSends>(m_nic, pdc);
}

MessageMatcher::TableState
TableMatcher::GetTableState() const
{
    return {m_table->GetInstanceTypeId(),
            m_table->GetCapacity(),
            m_table->GetMaxEntries(),
            m_table->GetNLookups()};
}

std::size_t
TableMatcher::GetNReceives() const
{
    return m_receives.size() + m_tagged.GetNReceives();
}

std::size_t
TableMatcher::GetNToPost() const
{
    return m_toPost.size();
}

void
TableMatcher::OnPdcCreated(uint32_t src, uint32_t pdc)
{
    m_sources[src].pdc = pdc;
}

uint32_t
TableMatcher::MsnOf(uint64_t index) const
{
    return static_cast<uint32_t>(index) + m_protocol->GetInitialMsn();
}

uint64_t
TableMatcher::IndexOf(const ReceiveWindow& window, uint32_t msn) const
{
    // the number nearest to what is expected next
    const uint64_t near = window.GetExpected();
    return near + static_cast<int64_t>(static_cast<int32_t>(msn - MsnOf(near)));
}

void
TableMatcher::Post(const Receive& receive)
{
    if (m_tagged.Knows(receive.src))
    {
        throw FabricError("host " + std::to_string(m_nic.GetAddress()) +
                          " posts a receive without match bits for messages of host " +
                          std::to_string(receive.src) + ", which have some");
    }
    Source& source = m_sources[receive.src];
    uint64_t index = source.posted;
    if (source.returned.empty())
    {
        ++source.posted;
    }
    else
    {
        index = *source.returned.begin();
        source.returned.erase(source.returned.begin());
    }
    PostFor(index, receive);
}

void
TableMatcher::PostFor(uint64_t index, const Receive& receive)
{
    const Place place{receive, index, false};
    Place& kept = m_receives.emplace(receive.handle, place).first->second;
    if (receive.limitPs != FabricTime::NEVER)
    {
        m_nic.GetMessages().SetTimer(
            {receive.limitPs, MessageTimers::Kind::RECEIVE_LIMIT, 0, receive.handle});
    }
    m_nic.GetMessages().NoteState(receive.src,
                                  MsnOf(place.index),
                                  0,
                                  false,
                                  MessageState::NONEXISTENT,
                                  MessageState::POSTED);
    if (!Install(kept))
    {
        ++m_counters.overflows;
        m_waiting.push_back(receive.handle);
    }
}

void
TableMatcher::PostTagged(const Receive& receive, const MatchRule& rule)
{
    if (receive.src != ANY_SOURCE && m_sources[receive.src].posted > 0)
    {
        throw FabricError("host " + std::to_string(m_nic.GetAddress()) +
                          " posts receives with match bits for host " +
                          std::to_string(receive.src) + " and others without");
    }
    if (receive.limitPs != FabricTime::NEVER)
    {
        m_nic.GetMessages().SetTimer(
            {receive.limitPs, MessageTimers::Kind::RECEIVE_LIMIT, 0, receive.handle});
    }
    if (const auto match = m_tagged.Post(receive, rule))
    {
        Take(*match);
    }
}

void
TableMatcher::Take(const TaggedReceives::Match& match)
{
    Receive receive = match.receive;
    receive.src = match.message.src;
    receive.limitPs = FabricTime::NEVER; // it has its timer
    m_taken.emplace(receive.handle, match.message);
    PostFor(match.message.index, receive);
}

void
TableMatcher::InstallTagged()
{
    while (const auto match = m_tagged.TakeNext())
    {
        Take(*match);
    }
}

MatchEntry*
TableMatcher::MatchTagged(const FabricPacketItem& item)
{
    const Source& source = m_sources[item.src];
    if (source.posted > 0)
    {
        throw FabricError("host " + std::to_string(m_nic.GetAddress()) +
                          " has posted receives without match bits for messages of host " +
                          std::to_string(item.src) + ", which have some");
    }
    const uint64_t index = IndexOf(source.done, item.data.msn);
    if (source.done.HasArrived(index))
    {
        return nullptr;
    }
    m_tagged.Note(item.src, index, item.data.matchBits);
    InstallTagged();
    return m_table->Find(MatchTable::MakeKey(item.src, item.data.msn));
}

bool
TableMatcher::SkipTagged(const FabricPacketItem& item, MatchEntry* canary)
{
    Source& source = m_sources[item.src];
    const uint32_t msn = item.data.msn;
    const uint64_t index = IndexOf(source.done, msn);
    if (source.done.HasArrived(index) || !m_tagged.Skip(item.src, index))
    {
        return false;
    }
    const auto refusal = source.refusals.find(index);
    const bool isRemembered = refusal != source.refusals.end();
    const uint32_t number = canary         ? canary->pdc
                            : isRemembered ? refusal->second.pdc
                                           : MatchEntry::NO_PDC;
    if (number != MatchEntry::NO_PDC)
    {
        m_nic.GetReceivingPdcs().Get(number)->ForgetRefusal(msn);
    }
    if (canary)
    {
        Release(*canary);
        m_table->Erase(MatchTable::MakeKey(item.src, msn));
    }
    source.refusals.erase(index);
    source.done.Arrive(index);
    InstallTagged();
    InstallWaiting();
    return true;
}

void
TableMatcher::PostAt(int64_t atPs, const Receive& receive)
{
    m_toPost.emplace(receive.handle, receive);
    m_nic.GetMessages().SetTimer({atPs, MessageTimers::Kind::POST, receive.src, receive.handle});
}

void
TableMatcher::PostDue(uint64_t handle)
{
    const auto found = m_toPost.find(handle);
    const Receive receive = found->second;
    m_toPost.erase(found);
    Post(receive);
}

MatchEntry*
TableMatcher::InsertEvicting(MatchTable::Key key)
{
    MatchEntry* entry = m_table->Insert(key);
    MatchTable::Key evictedKey = 0;
    MatchEntry evicted;
    if (!entry && m_table->EvictFailed(evictedKey, evicted))
    {
        // the host remembers what the table forgets
        ++m_counters.overflows;
        Source& source = m_sources[static_cast<uint32_t>(evictedKey >> 32)];
        const uint64_t index = IndexOf(source.done, static_cast<uint32_t>(evictedKey));
        source.refusals[index] = {evicted.epoch, evicted.pdc};
        Release(evicted);
        entry = m_table->Insert(key);
    }
    return entry;
}

void
TableMatcher::Attach(MatchEntry& entry, uint32_t pdc)
{
    if (entry.pdc != pdc)
    {
        Release(entry);
        entry.pdc = pdc; // before room is made for it, which may take it away at once
        m_nic.GetReceivingPdcs().Attach(pdc);
    }
}

void
TableMatcher::Release(MatchEntry& entry)
{
    if (entry.pdc != MatchEntry::NO_PDC)
    {
        const uint32_t pdc = entry.pdc;
        entry.pdc = MatchEntry::NO_PDC;
        m_nic.GetReceivingPdcs().Detach(pdc);
    }
}

bool
TableMatcher::LookUpComplete(const Source& source, uint32_t msn)
{
    CountFurtherLookup();
    return source.done.HasArrived(IndexOf(source.done, msn));
}

bool
TableMatcher::Install(Place& place)
{
    const uint32_t src = place.receive.src;
    const uint32_t msn = MsnOf(place.index);
    const MatchTable::Key key = MatchTable::MakeKey(src, msn);
    Source& source = m_sources[src];
    MatchEntry* entry = m_table->Find(key);
    bool refused = entry;
    uint32_t pdc = entry ? entry->pdc : source.pdc;
    if (!entry)
    {
        entry = InsertEvicting(key);
        if (!entry)
        {
            return false;
        }
        const auto refusal = source.refusals.find(place.index);
        if (refusal != source.refusals.end())
        {
            refused = true;
            entry->epoch = refusal->second.epoch;
            pdc = refusal->second.pdc;
            source.refusals.erase(refusal);
        }
        else if (pdc == MatchEntry::NO_PDC || m_nic.pdcPerMessage)
        {
            // the first SYN packet will find it here, with its message
            pdc = m_nic.GetReceivingPdcs().CreateEmpty(src);
        }
    }
    entry->state = MatchEntry::State::POSTED;
    entry->handle = place.receive.handle;
    entry->buffer = place.receive.buffer;
    entry->capacity = place.receive.capacity;
    place.installed = true;
    if (refused)
    {
        ++entry->epoch;
        m_nic.GetReceivingPdcs().Get(pdc)->RequestSend({0, msn, entry->epoch});
    }
    Attach(*entry, pdc);
    return true;
}

void
TableMatcher::InstallWaiting()
{
    while (!m_waiting.empty())
    {
        const auto place = m_receives.find(m_waiting.front());
        if (place != m_receives.end() && !Install(place->second))
        {
            return;
        }
        m_waiting.pop_front();
    }
}

bool
TableMatcher::Withdraw(uint64_t handle, MessageStatus status)
{
    if (const auto pending = m_tagged.Withdraw(handle))
    {
        FabricMessageEvent event;
        event.src = pending->src;
        event.dst = m_nic.GetAddress();
        event.nowPs = m_nic.GetNowPs();
        event.handle = handle;
        event.status = status;
        event.buffer = pending->buffer;
        m_nic.GetMessages().NotifyReceive(event);
        return true;
    }
    const auto found = m_receives.find(handle);
    if (found == m_receives.end())
    {
        return false;
    }
    const Place place = found->second;
    Source& source = m_sources[place.receive.src];
    const uint32_t msn = MsnOf(place.index);
    const MatchTable::Key key = MatchTable::MakeKey(place.receive.src, msn);
    MatchEntry* entry = place.installed ? m_table->Find(key) : nullptr;
    if (entry && entry->messageBytes > 0)
    {
        return false;
    }
    if (entry)
    {
        if (entry->epoch > 0)
        {
            // the sender waits, or has been asked: the next receive has to ask anew
            source.refusals[place.index] = {entry->epoch, entry->pdc};
            ReceivingPdc* pdc = m_nic.GetReceivingPdcs().Get(entry->pdc);
            pdc->CancelRequest(msn);
            pdc->NoteRefusal(msn);
        }
        Release(*entry);
        m_table->Erase(key);
    }
    else
    {
        m_waiting.erase(std::remove(m_waiting.begin(), m_waiting.end(), handle), m_waiting.end());
    }
    m_receives.erase(handle);
    const auto taken = m_taken.find(handle);
    if (taken == m_taken.end())
    {
        source.returned.insert(place.index);
    }
    else
    {
        m_tagged.Return(taken->second);
        m_taken.erase(taken);
        InstallTagged();
    }
    InstallWaiting();
    Fail(place, status);
    return true;
}

void
TableMatcher::Expire(uint64_t handle)
{
    if (Withdraw(handle, MessageStatus::TIMED_OUT))
    {
        return;
    }
    const auto found = m_receives.find(handle);
    if (found == m_receives.end())
    {
        return; // complete
    }
    const MatchTable::Key key =
        MatchTable::MakeKey(found->second.receive.src, MsnOf(found->second.index));
    GiveUp(found->second, *m_table->Find(key), MessageStatus::TIMED_OUT);
}

void
TableMatcher::OnVoid(const FabricPacketItem& item, ReceivingPdc& pdc)
{
    if (item.data.messageBytes > 0)
    {
        return; // a packet of an attempt that was stopped
    }
    m_nic.GetReceivingPdcs().EndRequest(item.src, item.data.msn, item.data.epoch);
    const MatchTable::Key key = MatchTable::MakeKey(item.src, item.data.msn);
    CountFurtherLookup();
    MatchEntry* entry = m_table->Find(key);
    if (entry && entry->state == MatchEntry::State::POSTED)
    {
        GiveUp(m_receives.at(entry->handle), *entry, MessageStatus::CANCELLED);
        return;
    }
    if ((item.flags & FabricPacketItem::FLAG_TAGGED) != 0 && SkipTagged(item, entry))
    {
        return;
    }
    Source& source = m_sources[item.src];
    if (!entry && !LookUpComplete(source, item.data.msn))
    {
        // whoever posts the receive asks, and is told again
        const uint64_t index = IndexOf(source.done, item.data.msn);
        source.refusals.insert({index, {item.data.epoch, pdc.GetNumber()}});
    }
}

void
TableMatcher::GiveUp(Place place, MatchEntry& entry, MessageStatus status)
{
    // what follows is acknowledged and goes nowhere
    if (entry.pdc != MatchEntry::NO_PDC && entry.messageBytes > 0)
    {
        // a request stays until it is answered, or the sender might wait for it for ever
        m_nic.GetReceivingPdcs().Get(entry.pdc)->EndMessage();
    }
    const uint64_t committed = entry.committed;
    Release(entry);
    m_sources[place.receive.src].done.Arrive(place.index);
    m_receives.erase(place.receive.handle);
    m_taken.erase(place.receive.handle);
    m_table->Finish(MatchTable::MakeKey(place.receive.src, MsnOf(place.index)), false);
    InstallWaiting();
    Fail(place, status, committed);
}

void
TableMatcher::Fail(const Place& place, MessageStatus status, uint64_t committed)
{
    FabricMessageEvent event;
    event.src = place.receive.src;
    event.dst = m_nic.GetAddress();
    event.nowPs = m_nic.GetNowPs();
    event.handle = place.receive.handle;
    event.status = status;
    event.msn = MsnOf(place.index);
    event.buffer = place.receive.buffer;
    event.committed = committed;
    m_nic.GetMessages().NoteState(place.receive.src,
                                  MsnOf(place.index),
                                  0,
                                  false,
                                  MessageState::POSTED,
                                  MessageState::ABANDONED);
    m_nic.GetMessages().NotifyReceive(event);
}

uint64_t
TableMatcher::Expose(uint8_t* buffer, uint64_t bytes)
{
    const uint64_t address = m_nextAddress;
    m_regions.emplace(address, Region{buffer, bytes});
    constexpr uint64_t PAGE = 4096; // one is left free behind each
    m_nextAddress += (bytes / PAGE + 2) * PAGE;
    return address;
}

MatchEntry*
TableMatcher::FindWrite(const FabricPacketItem& item)
{
    const MatchTable::Key key = MatchTable::MakeKey(item.src, item.data.msn);
    ++m_counters.writeLookups;
    const auto known = m_writes.find(key);
    if (known != m_writes.end())
    {
        return &known->second;
    }
    const ReceiveWindow& written = m_sources[item.src].written;
    CountFurtherLookup();
    if (written.HasArrived(IndexOf(written, item.data.msn)))
    {
        return nullptr;
    }
    const uint64_t address = item.data.remoteAddress;
    auto region = m_regions.upper_bound(address);
    if (region == m_regions.begin() ||
        (--region,
         address - region->first > region->second.bytes ||
             item.data.messageBytes > region->second.bytes - (address - region->first)))
    {
        throw FabricError(
            "write of " + std::to_string(item.data.messageBytes) + " bytes from host " +
            std::to_string(item.src) + " to address " + std::to_string(address) + " of host " +
            std::to_string(m_nic.GetAddress()) + ": no memory is exposed there, or not as much");
    }
    MatchEntry& entry = m_writes[key];
    entry.buffer =
        region->second.buffer ? region->second.buffer + (address - region->first) : nullptr;
    entry.capacity = item.data.messageBytes;
    return &entry;
}

MatchEntry*
TableMatcher::Match(const FabricPacketItem& item)
{
    if (item.flags & FabricPacketItem::FLAG_WRITE)
    {
        return FindWrite(item);
    }
    MatchEntry* entry = m_table->Match(MatchTable::MakeKey(item.src, item.data.msn));
    const bool isTagged = (item.flags & FabricPacketItem::FLAG_TAGGED) != 0;
    return !entry && isTagged ? MatchTagged(item) : entry;
}

TableMatcher::Verdict
TableMatcher::Refuse(MatchEntry* entry, const FabricPacketItem& item, ReceivingPdc& pdc)
{
    ++m_counters.unmatched;
    ++m_nic.Count().dataRefused;
    m_counters.wastedBytes += item.data.payloadBytes;
    if (!m_protocol->KeepsCanary())
    {
        return Verdict::REFUSED;
    }
    pdc.NoteRefusal(item.data.msn);
    Source& source = m_sources[item.src];
    const uint64_t index = IndexOf(source.done, item.data.msn);
    const auto outside = entry ? source.refusals.end() : source.refusals.find(index);
    if (!entry && outside == source.refusals.end())
    {
        entry = m_table->Insert(MatchTable::MakeKey(item.src, item.data.msn));
        if (entry)
        {
            entry->state = MatchEntry::State::FAILED;
            entry->epoch = item.data.epoch;
            Attach(*entry, pdc.GetNumber());
        }
        else
        {
            ++m_counters.overflows;
            source.refusals[index] = {item.data.epoch, pdc.GetNumber()};
        }
        return Verdict::REFUSED;
    }
    uint8_t& epoch = entry ? entry->epoch : outside->second.epoch;
    if (static_cast<int8_t>(item.data.epoch - epoch) > 0)
    {
        epoch = item.data.epoch;
    }
    return Verdict::REFUSED;
}

TableMatcher::Verdict
TableMatcher::OnData(MatchEntry* entry, const FabricPacketItem& item, ReceivingPdc& pdc, bool late)
{
    const bool write = item.flags & FabricPacketItem::FLAG_WRITE;
    if (!entry)
    {
        const Source& source = m_sources[item.src];
        if (write || LookUpComplete(source, item.data.msn))
        {
            if (!write) // whose numbers are others
            {
                pdc.EndRequest(item.data.msn, item.data.epoch);
            }
            ++m_nic.Count().dataDuplicate;
            return Verdict::KNOWN;
        }
    }
    if (!entry || entry->state == MatchEntry::State::FAILED)
    {
        return Refuse(entry, item, pdc);
    }
    if (entry->messageBytes == 0)
    {
        entry->messageBytes = item.data.messageBytes;
        entry->missing = item.data.messageBytes;
        entry->tag = item.data.tag;
        Attach(*entry, pdc.GetNumber());
        pdc.BeginMessage();
    }
    if (!write)
    {
        pdc.EndRequest(item.data.msn, item.data.epoch); // it had its effect
    }
    const uint64_t packet = item.data.offset / m_nic.payloadBytes;
    if (entry->packets.HasArrived(packet))
    {
        ++m_nic.Count().dataDuplicate;
        return Verdict::PLACED;
    }
    entry->packets.Arrive(packet);
    if (item.data.offset < entry->capacity)
    {
        const uint64_t room = entry->capacity - item.data.offset;
        const uint64_t bytes = std::min<uint64_t>(room, item.data.payloadBytes);
        entry->committed += bytes;
        if (entry->buffer && item.GetPacket()->GetSize() > 0)
        {
            item.GetPacket()->CopyData(entry->buffer + item.data.offset,
                                       static_cast<uint32_t>(bytes));
        }
    }
    m_nic.CountDelivered(item);
    if (late && !(item.flags & FabricPacketItem::FLAG_RETRANSMISSION))
    {
        ++m_nic.Count().reordered;
        ++entry->reordered;
    }
    entry->missing -= item.data.payloadBytes;
    if (entry->missing > 0)
    {
        const bool isPart = !write && (item.flags & FabricPacketItem::FLAG_TAGGED) == 0 &&
                            item.data.eagerBytes != 0;
        if (isPart && !entry->fetched && item.data.epoch == entry->epoch)
        {
            // rendezvous: the sender stops after its first part
            entry->fetched = true;
            ++entry->epoch;
            pdc.RequestSend({item.data.eagerBytes, item.data.msn, entry->epoch});
        }
        return Verdict::PLACED;
    }
    pdc.EndMessage();
    m_completed = {};
    m_completed.tag = entry->tag;
    m_completed.src = item.src;
    m_completed.dst = m_nic.GetAddress();
    m_completed.bytes = entry->messageBytes;
    m_completed.reordered = entry->reordered;
    m_completed.handle = entry->handle;
    m_completed.status =
        entry->messageBytes > entry->capacity ? MessageStatus::TRUNCATED : MessageStatus::COMPLETE;
    m_completed.msn = item.data.msn;
    m_completed.buffer = entry->buffer;
    m_completed.committed = entry->committed;
    m_completed.matchBits =
        (item.flags & FabricPacketItem::FLAG_TAGGED) != 0 ? item.data.matchBits : 0;
    Release(*entry);
    Source& source = m_sources[item.src];
    const MatchTable::Key key = MatchTable::MakeKey(item.src, item.data.msn);
    if (write)
    {
        source.written.Arrive(IndexOf(source.written, item.data.msn));
        m_writes.erase(key);
        return Verdict::COMPLETED;
    }
    m_nic.GetMessages().NoteState(item.src,
                                  item.data.msn,
                                  entry->epoch,
                                  false,
                                  MessageState::POSTED,
                                  MessageState::COMPLETE);
    source.done.Arrive(IndexOf(source.done, item.data.msn));
    m_receives.erase(entry->handle);
    m_taken.erase(entry->handle);
    m_table->Finish(key, true);
    InstallWaiting();
    return Verdict::COMPLETED;
}

uint64_t
TableMatcher::GetRestartOffset(uint32_t src, uint32_t msn) const
{
    const MatchEntry* entry = m_table->Find(MatchTable::MakeKey(src, msn));
    return entry ? m_protocol->GetRestartOffset(entry->packets.GetExpected() * m_nic.payloadBytes)
                 : 0;
}

void
TableMatcher::Deliver(int64_t nowPs)
{
    m_completed.nowPs = nowPs;
    const FabricMessageEvent event = m_completed; // the listener may bring about the next
    m_nic.GetMessages().NotifyDelivered(event);
    if (event.handle != 0)
    {
        m_nic.GetMessages().NotifyReceive(event);
    }
}

void
TableMatcher::OnPdcRemoved(uint32_t src, uint32_t pdc, bool attached)
{
    Source& source = m_sources[src];
    if (source.pdc == pdc)
    {
        source.pdc = MatchEntry::NO_PDC;
    }
    if (attached)
    {
        m_table->DetachPdc(pdc);
    }
}

} // namespace ns3
