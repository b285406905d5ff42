// SPDX-License-Identifier: GPL-2.0-only
#include "receiving-pdcs.h"

#include "fabric-nic.h"
#include "match-entry.h"
#include "message-matcher.h"

#include "ns3/log.h"

namespace ns3
{

LogComponent ReceivingPdcs::g_log("ReceivingPdcs", __FILE__);

namespace
{

/// @return one number for two
uint64_t
MakeKey(uint32_t src, uint32_t number)
{
    return (uint64_t{src} << 32) | number;
}

} // namespace

ReceivingPdcs::ReceivingPdcs(FabricNic& nic)
    : m_nic(nic)
{
}

ReceivingPdcs::~ReceivingPdcs() = default;

void
ReceivingPdcs::Clear()
{
    NS_LOG_FUNCTION(this);
    m_slots.clear();
    m_bound.Clear();
    m_empty.clear();
    m_closed.clear();
    m_idle.clear();
    m_requests.clear();
    m_count = 0;
}

ReceivingPdc*
ReceivingPdcs::Begin(const FabricPacketItem& item, const MatchEntry* entry)
{
    ReceivingPdc* pdc = nullptr;
    if (entry && entry->pdc != MatchEntry::NO_PDC)
    {
        pdc = Get(entry->pdc);
        const bool syn = item.flags & FabricPacketItem::FLAG_SYN;
        if (pdc->IsEmpty() && syn && !Bind(*pdc, item.data.sourcePdc))
        {
            // its packets came before the receive; an empty one that nobody names goes by itself
            CountLookup(item);
            pdc = Get(*m_bound.Find(item.src, item.data.sourcePdc));
        }
        pdc = pdc->GetSourcePdc() == item.data.sourcePdc ? pdc : nullptr;
    }
    pdc = pdc ? pdc : Find(item);
    if (pdc)
    {
        m_busy = pdc;
        if (pdc->idleSincePs != FabricTime::NEVER)
        {
            m_idle.erase({pdc->idleSincePs, pdc->GetNumber()});
            pdc->idleSincePs = FabricTime::NEVER;
        }
    }
    return pdc;
}

void
ReceivingPdcs::End(ReceivingPdc& pdc, int64_t nowPs)
{
    m_busy = nullptr;
    NoteIdle(pdc, nowPs);
}

ReceivingPdc*
ReceivingPdcs::Find(const FabricPacketItem& item)
{
    if ((item.flags & FabricPacketItem::FLAG_SYN) == 0)
    {
        return Get(item.pdc);
    }
    CountLookup(item);
    if (const uint32_t* known = m_bound.Find(item.src, item.pdc)) // the sender's, with SYN
    {
        return Get(*known);
    }
    if (IsClosed(item.src, item.pdc))
    {
        return nullptr; // a late copy
    }
    // a packet that matches nothing must not take what a receive waits with, unless all share it
    const auto empty = m_empty.find(item.src);
    const uint32_t number = empty == m_empty.end() ? Create(item.src) : empty->second;
    Bind(*m_slots[number].pdc, item.pdc);
    return m_slots[number].pdc.get();
}

void
ReceivingPdcs::CountLookup(const FabricPacketItem& item)
{
    if (item.flags & FabricPacketItem::FLAG_MATCH)
    {
        m_nic.GetMessages().GetMatcher()->CountFurtherLookup();
    }
}

uint32_t
ReceivingPdcs::Create(uint32_t src)
{
    NS_LOG_FUNCTION(this << src);
    const auto number = static_cast<uint32_t>(m_slots.size());
    m_slots.emplace_back();
    Slot& slot = m_slots.back();
    slot.src = src;
    slot.expected = 0;
    slot.pdc = std::make_unique<ReceivingPdc>(m_nic, number, src, ReceivingPdc::NOT_BOUND, 0);
    ++m_count;
    if (MessageMatcher* matcher = m_nic.GetMessages().GetMatcher())
    {
        matcher->OnPdcCreated(src, number);
    }
    return number;
}

uint32_t
ReceivingPdcs::CreateEmpty(uint32_t src)
{
    NS_LOG_FUNCTION(this << src);
    const uint32_t number = Create(src);
    if (!m_nic.pdcPerMessage)
    {
        m_empty[src] = number;
    }
    return number;
}

bool
ReceivingPdcs::Bind(ReceivingPdc& pdc, uint32_t sourcePdc)
{
    NS_LOG_FUNCTION(this << sourcePdc);
    const uint32_t number = pdc.GetNumber();
    if (!m_bound.Add(pdc.GetSource(), sourcePdc, number))
    {
        return false;
    }
    pdc.Bind(sourcePdc);
    m_slots[number].sourcePdc = sourcePdc;
    const auto empty = m_empty.find(pdc.GetSource());
    if (empty != m_empty.end() && empty->second == number)
    {
        m_empty.erase(empty);
    }
    return true;
}

ReceivingPdc*
ReceivingPdcs::Get(uint32_t number)
{
    if (number >= m_slots.size())
    {
        return nullptr;
    }
    Slot& slot = m_slots[number];
    if (!slot.pdc && slot.sourcePdc != ReceivingPdc::NOT_BOUND)
    {
        slot.pdc =
            std::make_unique<ReceivingPdc>(m_nic, number, slot.src, slot.sourcePdc, slot.expected);
        ++m_count;
        if (MessageMatcher* matcher = m_nic.GetMessages().GetMatcher())
        {
            matcher->OnPdcCreated(slot.src, number);
        }
    }
    return slot.pdc.get();
}

bool
ReceivingPdcs::Close(uint32_t number, uint32_t src, uint32_t sourcePdc)
{
    NS_LOG_FUNCTION(this << number << src << sourcePdc);
    if (IsClosed(src, sourcePdc))
    {
        return true; // the answer was lost
    }
    if (number >= m_slots.size() || m_slots[number].src != src ||
        m_slots[number].sourcePdc != sourcePdc)
    {
        return false;
    }
    Slot& slot = m_slots[number];
    if (slot.pdc)
    {
        if (!slot.pdc->IsIdle())
        {
            return false;
        }
        Evict(number);
    }
    if (!m_nic.GetMessages().GetMatcher())
    {
        m_bound.Remove(src, sourcePdc);
        slot.sourcePdc = ReceivingPdc::NOT_BOUND;
        m_closed[src].Arrive(sourcePdc);
    }
    return true;
}

bool
ReceivingPdcs::IsClosed(uint32_t src, uint32_t sourcePdc) const
{
    const auto closed = m_closed.find(src);
    return closed != m_closed.end() && closed->second.HasArrived(sourcePdc);
}

int64_t
ReceivingPdcs::GetIdlePs() const
{
    return FabricTime::ToPs(m_nic.pdcIdleTime.IsZero() && m_nic.pdcClose ? m_nic.pdcTimeout
                                                                         : m_nic.pdcIdleTime);
}

void
ReceivingPdcs::Attach(uint32_t number)
{
    NS_LOG_FUNCTION(this << number);
    ReceivingPdc& pdc = *Get(number);
    ++pdc.entries;
    NoteIdle(pdc, m_nic.GetNowPs());
}

void
ReceivingPdcs::Detach(uint32_t number)
{
    NS_LOG_FUNCTION(this << number);
    ReceivingPdc& pdc = *m_slots[number].pdc;
    --pdc.entries;
    NoteIdle(pdc, m_nic.GetNowPs());
}

void
ReceivingPdcs::NoteIdle(ReceivingPdc& pdc, int64_t nowPs)
{
    if (&pdc == m_busy || !pdc.IsIdle())
    {
        return;
    }
    const uint32_t number = pdc.GetNumber();
    const uint32_t limit = m_nic.maxReceivingPdcs;
    const int64_t idlePs = GetIdlePs();
    if (pdc.entries == 0 && m_nic.pdcPerMessage && (idlePs == 0 || pdc.IsEmpty()))
    {
        Evict(number); // its message is over, as is its sender's PDC
        return;
    }
    if (limit > 0 || idlePs > 0)
    {
        m_idle.erase({pdc.idleSincePs, number});
        pdc.idleSincePs = nowPs;
        m_idle.insert({nowPs, number});
    }
    if (idlePs > 0 && pdc.entries == 0)
    {
        m_nic.GetMessages().SetTimer(
            {nowPs + idlePs, MessageTimers::Kind::IDLE_RECEIVER, number, 0});
    }
    while (limit > 0 && m_count > limit && !m_idle.empty())
    {
        ++m_nic.Count().pdcsEvicted;
        Evict(m_idle.begin()->second); // the least recently used
    }
}

void
ReceivingPdcs::OnIdleTimer(uint32_t number, int64_t nowPs)
{
    NS_LOG_FUNCTION(this << number << nowPs);
    const ReceivingPdc* pdc = Peek(number);
    if (pdc && pdc->idleSincePs == nowPs - GetIdlePs() && pdc->entries == 0)
    {
        Evict(number);
    }
}

void
ReceivingPdcs::Evict(uint32_t number)
{
    NS_LOG_FUNCTION(this << number);
    Slot& slot = m_slots[number];
    const ReceivingPdc& pdc = *slot.pdc;
    m_idle.erase({pdc.idleSincePs, number});
    if (pdc.IsEmpty())
    {
        m_empty.erase(slot.src);
    }
    NS_LOG_LOGIC(m_nic << " pdc " << number << " from " << slot.src << ": is removed");
    slot.expected = pdc.GetExpected();
    if (MessageMatcher* matcher = m_nic.GetMessages().GetMatcher())
    {
        matcher->OnPdcRemoved(slot.src, number, pdc.entries > 0);
    }
    slot.pdc.reset();
    --m_count;
    m_nic.GetReceiverGrants().OnGone(number);
}

void
ReceivingPdcs::NoteRequest(uint32_t src, uint32_t msn, uint32_t number)
{
    m_requests.insert({MakeKey(src, msn), number});
}

void
ReceivingPdcs::ForgetRequest(uint32_t src, uint32_t msn, uint32_t number)
{
    m_requests.erase({MakeKey(src, msn), number});
}

void
ReceivingPdcs::EndRequest(uint32_t src, uint32_t msn, uint8_t epoch)
{
    const uint64_t key = MakeKey(src, msn);
    auto request = m_requests.lower_bound({key, 0});
    while (request != m_requests.end() && request->first == key)
    {
        const uint32_t number = request->second;
        Peek(number)->EndRequest(msn, epoch); // forgets it, if it is of this attempt
        request = m_requests.upper_bound({key, number});
    }
}

} // namespace ns3
