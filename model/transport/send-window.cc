// SPDX-License-Identifier: GPL-2.0-only
#include "send-window.h"

#include <algorithm>

namespace ns3
{

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
SendWindow::TakeLost()
{
    const uint64_t seq = m_lost.front();
    m_lost.pop_front();
    m_isLost.Clear(seq);
    m_resent.push_back({seq, m_end});
}

uint64_t
SendWindow::TakeNext()
{
    const uint64_t seq = m_next++;
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
    if (m_highest <= threshold)
    {
        return 0;
    }
    // packet s is lost if packet m_highest - 1 >= s + threshold has arrived
    const uint64_t bound = m_highest - threshold;
    uint64_t found = 0;
    for (m_examined = std::max(m_examined, m_unacked); m_examined < bound; ++m_examined)
    {
        // one that was sent again since, because a switch told of it, is counted from then
        found += !IsAcknowledged(m_examined) && FindResent(m_examined) == m_resent.end() &&
                 MarkLost(m_examined);
    }
    // the first packet sent after it is second, so the threshold-th is second + threshold - 1
    while (!m_resent.empty() && m_resent.front().second <= bound)
    {
        found += MarkLost(m_resent.front().first);
        m_resent.pop_front();
    }
    return found;
}

uint64_t
SendWindow::MarkAllLost()
{
    m_resent.clear();
    m_examined = m_end;
    uint64_t found = 0;
    for (uint64_t seq = m_unacked; seq < m_end; ++seq)
    {
        found += MarkLost(seq);
    }
    return found;
}

SendWindow::Resent::iterator
SendWindow::FindResent(uint64_t seq)
{
    return std::find_if(m_resent.begin(), m_resent.end(), [seq](const auto& entry) {
        return entry.first == seq;
    });
}

bool
SendWindow::Lose(uint64_t seq)
{
    if (!IsInFlight(seq))
    {
        return false;
    }
    const auto entry = FindResent(seq);
    if (entry != m_resent.end())
    {
        m_resent.erase(entry); // it will be counted from its next sending
    }
    return MarkLost(seq);
}

void
SendWindow::Rewind()
{
    m_next = m_unacked;
    m_rewoundTo = UINT64_MAX; // a NACK that comes from now on tells of this round
    m_givenUpEnd = 0;
}

uint64_t
SendWindow::RewindTo(uint64_t seq)
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
    const uint64_t again = m_next - seq;
    m_lastTold = seq;
    m_givenUpFrom = seq;
    m_givenUpEnd = m_next;
    m_next = seq;
    if (seq == m_rewoundTo)
    {
        ++m_rewinds; // dropped once more
    }
    else if (seq < m_rewoundTo || m_rewoundTo < m_unacked)
    {
        // else it is one of several drops in a row, of which the receiver names the first
        m_rewoundTo = seq;
        m_rewinds = 1;
    }
    return again;
}

bool
SendWindow::TakeRewound()
{
    if (m_rewoundTo != m_unacked)
    {
        return false;
    }
    if (--m_rewinds == 0)
    {
        m_rewoundTo = UINT64_MAX;
    }
    return true;
}

} // namespace ns3
