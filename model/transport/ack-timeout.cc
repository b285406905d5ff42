// SPDX-License-Identifier: GPL-2.0-only
#include "ack-timeout.h"

#include "ns3/fabric-time.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace ns3
{

namespace
{

/// @return ps of so many RTTs, at least 1 and short enough to be doubled many times
int64_t
Multiply(double rtts, int64_t rttPs)
{
    constexpr double LONGEST_PS = 1e15; // 1000 s, times 2^4 within 63 bits
    return static_cast<int64_t>(
        std::max(1.0, std::min(std::ceil(rtts * static_cast<double>(rttPs)), LONGEST_PS)));
}

} // namespace

void
AckTimeout::Start(const Settings& settings, int64_t baseRttPs)
{
    m_smoothedPs = -1;
    m_nextPs = settings.fixedPs > 0 ? FabricTime::NEVER : 0; // the first that comes
    m_leastPs = Multiply(settings.leastRtts, baseRttPs);
    m_timeoutPs = settings.fixedPs > 0 ? settings.fixedPs : Multiply(settings.firstRtts, baseRttPs);
    m_halfPs = FabricTime::NEVER;
}

void
AckTimeout::Take(int64_t nowPs, int64_t rttPs)
{
    if (m_smoothedPs < 0)
    {
        m_smoothedPs = rttPs;
        m_deviationPs = rttPs / 2;
    }
    else
    {
        m_deviationPs += (std::abs(m_smoothedPs - rttPs) - m_deviationPs) / 4;
        m_smoothedPs += (rttPs - m_smoothedPs) / 8;
    }
    m_nextPs = nowPs + m_smoothedPs;
    m_timeoutPs = std::max(m_leastPs, m_smoothedPs + 4 * m_deviationPs);
    m_halfPs = m_timeoutPs / 2;
}

} // namespace ns3
