// SPDX-License-Identifier: GPL-2.0-only
#include "send-window.h"

#include "loss-episode.h"
#include "packet-sequence.h"
#include "reordering-window.h"

#include "ns3/fabric-time.h"

#include <algorithm>
#include <iterator>

namespace ns3
{

/// When packets left, for policies that go by time.
struct SendWindow::Times
{
    ReorderingWindow reordering;  //!< of the connection
    VectorQueue<int64_t> firstPs; //!< of first copies, ascending, the last of m_end - 1
};

SendWindow::SendWindow() = default;

SendWindow::~SendWindow() = default;

ReorderingWindow&
SendWindow::GetReordering()
{
    return m_times->reordering;
}

const ReorderingWindow&
SendWindow::GetReordering() const
{
    return m_times->reordering;
}

bool
SendWindow::HasPacket(uint64_t end)
{
    uint64_t lost = 0;
    return (m_next < end && (m_next < m_end || m_end + 1 - m_unacked < PacketSequence::HALF)) ||
           PeekLost(lost);
}

bool
SendWindow::PeekLost(uint64_t& seq)
{
    while (!m_lost.empty())
    {
        seq = m_lost.front();
        if (IsLost(seq))
        {
            return true;
        }
        m_lost.pop_front(); // acknowledged after all
    }
    return false;
}

void
SendWindow::TakeLost(int64_t nowPs)
{
    const uint64_t seq = m_lost.front();
    m_lost.pop_front();
    m_isLost.Clear(seq);
    if (m_episode)
    {
        return;
    }
    m_isResent.AdvanceTo(m_unacked);
    m_isResent.Set(seq);
    m_resent.push_back({seq, m_end + m_again, nowPs});
    ++m_again;
    if (m_times)
    {
        return; // the order of sending is that of times
    }
    if (m_offsets.empty() || std::prev(m_offsets.end())->seq != m_end)
    {
        m_offsets.push_back({m_end, 0}); // from the next new one on
    }
    std::prev(m_offsets.end())->again = m_again;
}

uint64_t
SendWindow::GetOffset(uint64_t seq) const
{
    const auto behind =
        std::upper_bound(m_offsets.begin(),
                         m_offsets.end(),
                         seq,
                         [](uint64_t number, const Offset& offset) { return number < offset.seq; });
    return behind == m_offsets.begin() ? m_before : std::prev(behind)->again;
}

void
SendWindow::NoteArrival(uint64_t seq, int64_t sentPs)
{
    // A copy leaves at its time or, if it waits for credits, before the next one is made: it is the
    // last one that was made by then. Several ports can send at one time.
    auto copy =
        std::upper_bound(m_resent.begin(),
                         m_resent.end(),
                         sentPs,
                         [](int64_t time, const Resent& resent) { return time < resent.sentPs; });
    if (copy == m_resent.begin())
    {
        return;
    }
    const int64_t madePs = std::prev(copy)->sentPs;
    while (copy != m_resent.begin() && (--copy)->sentPs == madePs)
    {
        if (copy->seq == seq)
        {
            m_arrived = std::max(m_arrived, copy->order + 1);
            return;
        }
    }
}

uint64_t
SendWindow::TakeNext(int64_t nowPs)
{
    const uint64_t seq = m_next++;
    if (m_times && m_next > m_end)
    {
        m_times->firstPs.push_back(nowPs);
    }
    m_end = std::max(m_end, m_next);
    return seq;
}

void
SendWindow::Acknowledge(uint64_t cumulative)
{
    m_unacked = cumulative;
    m_next = std::max(m_next, cumulative);
    m_highest = std::max(m_highest, cumulative);
    m_sacked.AdvanceTo(cumulative);
    m_isLost.AdvanceTo(cumulative);
}

bool
SendWindow::Sack(uint64_t seq)
{
    if (seq < m_unacked || !m_sacked.Set(seq))
    {
        return false;
    }
    m_isLost.Clear(seq);
    m_highest = std::max(m_highest, seq + 1);
    return true;
}

bool
SendWindow::MarkLost(uint64_t seq)
{
    if (IsAcknowledged(seq) || !m_isLost.Set(seq))
    {
        return false;
    }
    m_lost.push_back(seq);
    return true;
}

uint64_t
SendWindow::DetectLoss(uint32_t threshold)
{
    if (m_highest > 0)
    {
        m_arrived = std::max(m_arrived, GetOrder(m_highest - 1) + 1);
    }
    m_examined = std::max(m_examined, m_unacked);
    if (m_arrived <= threshold)
    {
        return 0;
    }
    // a copy is lost if the last one that arrived was sent by the threshold later
    const uint64_t bound = m_arrived - threshold;
    uint64_t found = 0;
    for (; m_examined < m_end && GetOrder(m_examined) < bound; ++m_examined)
    {
        // one that was sent again since, because a switch told of it, is counted from then
        found +=
            !IsAcknowledged(m_examined) && !m_isResent.Test(m_examined) && MarkLost(m_examined);
    }
    while (!m_resent.empty() && m_resent.front().order < bound)
    {
        m_isResent.Clear(m_resent.front().seq);
        found += MarkLost(m_resent.front().seq);
        m_resent.pop_front();
    }
    while (!m_offsets.empty() && m_offsets.front().seq <= std::min(m_examined, m_highest - 1))
    {
        m_before = m_offsets.front().again;
        m_offsets.pop_front();
    }
    return found;
}

void
SendWindow::KeepTimes(const ReorderingWindow& reordering)
{
    m_times = std::make_unique<Times>(Times{reordering, {}});
}

void
SendWindow::KeepEpisode()
{
    m_episode = std::make_unique<LossEpisode>();
}

void
SendWindow::Postpone(uint64_t seq, int64_t nowPs)
{
    if (!IsInFlight(seq))
    {
        return; // it has been answered or given up since, or is a probe
    }
    // one or two: times of those behind it may not be before its own
    if (m_isResent.Test(seq))
    {
        for (auto copy = m_resent.end(); copy != m_resent.begin();)
        {
            --copy;
            copy->sentPs = std::max(copy->sentPs, nowPs);
            if (copy->seq == seq)
            {
                return;
            }
        }
        return;
    }
    auto& firstPs = m_times->firstPs;
    const uint64_t behind = std::min<uint64_t>(seq < m_end ? m_end - seq : 0, firstPs.size());
    for (auto sentPs = firstPs.end() - static_cast<std::ptrdiff_t>(behind); sentPs != firstPs.end();
         ++sentPs)
    {
        *sentPs = std::max(*sentPs, nowPs);
    }
}

void
SendWindow::SkipTimes()
{
    auto& firstPs = m_times->firstPs;
    while (!firstPs.empty())
    {
        const uint64_t seq = m_end - firstPs.size();
        // one that was sent again since, because a switch told of it, counts from then
        if (IsInFlight(seq) && !m_isResent.Test(seq))
        {
            break;
        }
        firstPs.pop_front();
    }
    while (!m_resent.empty() && !IsInFlight(m_resent.front().seq))
    {
        m_isResent.Clear(m_resent.front().seq);
        m_resent.pop_front();
    }
}

int64_t
SendWindow::GetOldestPs()
{
    SkipTimes();
    const auto& firstPs = m_times->firstPs;
    return std::min(firstPs.empty() ? FabricTime::NEVER : firstPs.front(),
                    m_resent.empty() ? FabricTime::NEVER : m_resent.front().sentPs);
}

uint64_t
SendWindow::DetectOverdue(int64_t untilPs)
{
    uint64_t found = 0;
    for (SkipTimes(); !m_times->firstPs.empty() && m_times->firstPs.front() <= untilPs; SkipTimes())
    {
        found += MarkLost(m_end - m_times->firstPs.size());
    }
    for (; !m_resent.empty() && m_resent.front().sentPs <= untilPs; SkipTimes())
    {
        found += MarkLost(m_resent.front().seq);
    }
    return found;
}

uint64_t
SendWindow::MarkAllLost()
{
    if (m_times)
    {
        m_times->firstPs.clear();
    }
    for (const Resent& resent : m_resent)
    {
        m_isResent.Clear(resent.seq);
    }
    m_resent.clear();
    m_examined = m_end;
    uint64_t found = 0;
    for (uint64_t seq = m_unacked; seq < m_end; ++seq)
    {
        found += MarkLost(seq);
    }
    return found;
}

bool
SendWindow::Lose(uint64_t seq)
{
    if (!IsInFlight(seq))
    {
        return false;
    }
    if (m_isResent.Test(seq))
    {
        // it will be counted from its next sending
        m_isResent.Clear(seq);
        m_resent.erase(std::find_if(m_resent.begin(), m_resent.end(), [seq](const Resent& resent) {
            return resent.seq == seq;
        }));
    }
    return MarkLost(seq);
}

int64_t
SendWindow::GetResentPs(uint64_t seq) const
{
    if (!m_isResent.Test(seq))
    {
        return FabricTime::NEVER;
    }
    return std::find_if(m_resent.begin(),
                        m_resent.end(),
                        [seq](const Resent& resent) { return resent.seq == seq; })
        ->sentPs;
}

void
SendWindow::NoteRewound(uint64_t seq, int64_t nowPs)
{
    // what led no further back, and before, tells no more
    while (!m_rewounds.empty() && m_rewounds.back().seq >= seq)
    {
        m_rewounds.pop_back();
    }
    m_rewounds.push_back({nowPs, seq});
    // nor do those before the last that led to packets which are acknowledged
    auto first = m_rewounds.begin();
    while (std::next(first) != m_rewounds.end() && std::next(first)->seq <= m_unacked)
    {
        ++first;
    }
    m_rewounds.erase(m_rewounds.begin(), first);
}

bool
SendWindow::HasRewoundSince(int64_t sentPs) const
{
    return std::any_of(m_rewounds.begin(), m_rewounds.end(), [&](const Rewound& rewound) {
        return rewound.seq <= m_unacked && sentPs < rewound.nowPs;
    });
}

void
SendWindow::Rewind(int64_t nowPs)
{
    NoteRewound(m_unacked, nowPs);
    m_next = m_unacked;
    m_givenUpEnd = 0;
}

uint64_t
SendWindow::RewindTo(uint64_t seq, int64_t nowPs)
{
    if (seq > m_lastTold && seq < m_givenUpEnd && m_unacked <= m_givenUpFrom)
    {
        m_lastTold = seq;
        return 0;
    }
    if (!IsInFlight(seq))
    {
        return 0;
    }
    NoteRewound(seq, nowPs);
    const uint64_t again = m_next - seq;
    m_lastTold = seq;
    m_givenUpFrom = seq;
    m_givenUpEnd = m_next;
    m_next = seq;
    return again;
}

} // namespace ns3
