// SPDX-License-Identifier: GPL-2.0-only
#include "swift-window.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

void
SwiftWindow::Start(const Parameters& parameters, double packets)
{
    m_parameters = parameters;
    m_hasDecreased = false;
    m_timeouts = 0;
    Set(packets);
}

void
SwiftWindow::Set(double packets)
{
    m_packets = std::max(m_parameters.least, std::min(packets, m_parameters.most));
}

void
SwiftWindow::OnAck(int64_t nowPs,
                   double rttPs,
                   double delayPs,
                   double targetPs,
                   double ackedPackets)
{
    m_timeouts = 0;
    if (delayPs < targetPs)
    {
        Set(m_packets + m_parameters.increase * ackedPackets / std::max(m_packets, 1.0));
    }
    else if (delayPs > 0)
    {
        const double excess = (delayPs - targetPs) / delayPs;
        Decrease(nowPs,
                 rttPs,
                 std::max(1 - m_parameters.beta * excess, 1 - m_parameters.maxDecrease));
    }
}

void
SwiftWindow::OnFastRecovery(int64_t nowPs, double rttPs)
{
    m_timeouts = 0;
    Decrease(nowPs, rttPs, 1 - m_parameters.maxDecrease);
}

void
SwiftWindow::OnTimeout(int64_t nowPs, double rttPs)
{
    ++m_timeouts;
    if (m_timeouts < m_parameters.resetThreshold)
    {
        Decrease(nowPs, rttPs, 1 - m_parameters.maxDecrease);
        return;
    }
    if (m_packets > m_parameters.least)
    {
        m_packets = m_parameters.least;
        m_hasDecreased = true;
        m_lastDecreasePs = nowPs;
    }
}

void
SwiftWindow::Decrease(int64_t nowPs, double rttPs, double factor)
{
    if (m_hasDecreased && static_cast<double>(nowPs - m_lastDecreasePs) < rttPs)
    {
        return;
    }
    const double before = m_packets;
    Set(before * factor);
    if (m_packets < before)
    {
        m_hasDecreased = true;
        m_lastDecreasePs = nowPs;
    }
}

uint64_t
SwiftWindow::GetBytes(const PathInfo& path, double packets)
{
    const double whole = packets < 1 ? packets : std::floor(packets);
    return std::max<uint64_t>(static_cast<uint64_t>(whole * path.payloadBytes), 1);
}

double
SwiftWindow::GetPace(const PathInfo& path, double packets, double rttPs)
{
    const auto line = static_cast<double>(path.lineRateBps);
    return packets >= 1 || rttPs <= 0 ? line
                                      : std::min(line, path.packetBytes * 8e12 * packets / rttPs);
}

} // namespace ns3
