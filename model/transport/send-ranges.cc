// SPDX-License-Identifier: GPL-2.0-only
#include "send-ranges.h"

#include "send-window.h"

#include <algorithm>
#include <iterator>

namespace ns3
{

void
SendRanges::Add(uint64_t bytes, uint32_t tag, int64_t startPs)
{
    const uint64_t nPackets = (bytes + m_payload - 1) / m_payload;
    m_ranges.push_back({m_endSeq,
                        nPackets,
                        bytes,
                        0,
                        bytes,
                        startPs,
                        tag,
                        m_nextMsn++,
                        0,
                        nullptr,
                        false,
                        0,
                        false});
    m_endSeq += nPackets;
    NoteTag(m_ranges.front());
}

void
SendRanges::AddEmpty(uint32_t msn, uint8_t epoch, int64_t nowPs, bool isTagged)
{
    const auto place = MakeRoom(1, true);
    m_ranges.insert(place.first,
                    {place.second, 1, 0, 0, 0, nowPs, 0, msn, 0, nullptr, true, epoch, isTagged});
}

std::pair<std::vector<SendRange>::iterator, uint64_t>
SendRanges::MakeRoom(uint64_t nPackets, bool next)
{
    auto place = m_ranges.end();
    if (next)
    {
        place = std::find_if(m_ranges.begin(), m_ranges.end(), [this](const SendRange& other) {
            return other.firstSeq >= m_window.GetEnd();
        });
    }
    const uint64_t firstSeq = place == m_ranges.end() ? m_endSeq : place->firstSeq;
    for (auto behind = place; behind != m_ranges.end(); ++behind)
    {
        behind->firstSeq += nPackets;
    }
    m_endSeq += nPackets;
    return {place, firstSeq};
}

void
SendRanges::AddPart(OutgoingMessage& message, uint64_t from, uint64_t to, bool next)
{
    const uint64_t nPackets = (to - from + m_payload - 1) / m_payload;
    const auto [place, firstSeq] = MakeRoom(nPackets, next);
    m_ranges.insert(place,
                    {firstSeq,
                     nPackets,
                     to - from,
                     from / m_payload,
                     message.bytes,
                     message.startPs,
                     message.tag,
                     message.msn,
                     0,
                     &message,
                     false,
                     message.epoch,
                     message.tagged});
    message.sentTo = to;
    ++message.ranges;
    NoteTag(m_ranges.front());
}

bool
SendRanges::Shorten(std::vector<SendRange>::iterator range)
{
    const uint64_t end = std::max(m_window.GetEnd(), range->firstSeq);
    const uint64_t sent = std::min(end - range->firstSeq, range->nPackets);
    const uint64_t cut = range->nPackets - sent;
    if (cut > 0)
    {
        for (auto behind = range + 1; behind != m_ranges.end(); ++behind)
        {
            behind->firstSeq -= cut;
        }
        m_endSeq -= cut;
        range->nPackets = sent;
        range->bytes = sent * m_payload;
    }
    return sent > 0;
}

void
SendRanges::Cut(OutgoingMessage& message)
{
    for (auto range = m_ranges.begin(); range != m_ranges.end();)
    {
        if (range->outgoing == &message && !Shorten(range))
        {
            --message.ranges;
            range = m_ranges.erase(range);
        }
        else
        {
            ++range;
        }
    }
}

void
SendRanges::Void(OutgoingMessage& message)
{
    Cut(message);
    for (SendRange& range : m_ranges)
    {
        if (range.outgoing == &message)
        {
            range.outgoing = nullptr;
            range.isVoid = true;
        }
    }
    message.ranges = 0;
}

SendRange&
SendRanges::Search(uint64_t seq)
{
    const auto behind =
        std::upper_bound(m_ranges.begin(),
                         m_ranges.end(),
                         seq,
                         [](uint64_t s, const SendRange& range) { return s < range.firstSeq; });
    return *std::prev(behind);
}

uint64_t
SendRanges::FindSendEnd() const
{
    // What was handed over before the refused message goes on. The receives of these messages come
    // before its own; to hold them as well, for long, would be to wait for each other.
    uint64_t end = m_window.GetEnd();
    if (m_allHeld)
    {
        return end;
    }
    for (const SendRange& range : m_ranges)
    {
        const bool givenUp = range.isVoid && range.messageBytes == 0;
        if ((givenUp || (range.outgoing && !range.outgoing->write)) &&
            static_cast<int32_t>(range.msn - *m_heldMsn) < 0)
        {
            end = std::max(end, range.firstSeq + range.nPackets);
        }
    }
    return end;
}

} // namespace ns3
