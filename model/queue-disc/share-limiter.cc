// SPDX-License-Identifier: GPL-2.0-only
#include "share-limiter.h"

#include "ns3/fabric-time.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

ShareLimiter::ShareLimiter(uint64_t rateBps)
{
    SetRate(rateBps);
}

void
ShareLimiter::SetRate(uint64_t rateBps)
{
    m_psPerByte =
        static_cast<double>(FabricTime::PS_PER_BYTE_AT_1_BPS) / static_cast<double>(rateBps);
    m_windowPs = std::max<int64_t>(1, GetLinePs(m_window));
}

int64_t
ShareLimiter::GetLinePs(int64_t bytes) const
{
    return std::llround(m_psPerByte * static_cast<double>(bytes));
}

void
ShareLimiter::Begin(int64_t window, int64_t part, uint32_t bytes, int64_t nowPs)
{
    m_window = window;
    m_part = part;
    m_sent = 0;
    m_limitedSent = 0;
    m_windowPs = std::max<int64_t>(1, GetLinePs(window));
    m_startPs = nowPs + GetLinePs(bytes);
}

void
ShareLimiter::End()
{
    m_window = 0;
    m_part = 0;
}

int64_t
ShareLimiter::CountElapsed(int64_t nowPs) const
{
    return std::max<int64_t>(0, (nowPs - m_startPs) / m_windowPs);
}

void
ShareLimiter::OnSent(bool isLimited, uint32_t bytes, int64_t nowPs)
{
    if (const int64_t elapsed = CountElapsed(nowPs); elapsed > 0)
    {
        m_sent = 0;
        Roll(elapsed, m_startPs + elapsed * m_windowPs);
    }
    m_sent += bytes;
    m_limitedSent += isLimited ? bytes : 0;
    if (m_sent >= m_window)
    {
        const int64_t count = m_sent / m_window;
        m_sent %= m_window;
        Roll(count, nowPs + GetLinePs(bytes - m_sent));
    }
}

void
ShareLimiter::Roll(int64_t count, int64_t endPs)
{
    const bool isPaid = count > m_limitedSent / m_part;
    m_limitedSent = isPaid ? 0 : m_limitedSent - count * m_part;
    m_startPs = endPs;
}

int64_t
ShareLimiter::GetRetryPs(int64_t nowPs) const
{
    return MaySend(nowPs) ? nowPs : m_startPs + m_limitedSent / m_part * m_windowPs;
}

} // namespace ns3
