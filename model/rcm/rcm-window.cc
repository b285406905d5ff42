// SPDX-License-Identifier: GPL-2.0-only
#include "rcm-window.h"

#include "ns3/fabric-time.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

RcmWindow::RcmWindow(const RcmParameters& parameters, uint64_t rateBps)
    : m_parameters(&parameters)
{
    SetRate(rateBps);
}

void
RcmWindow::SetRate(uint64_t rateBps)
{
    m_psPerByte =
        static_cast<double>(FabricTime::PS_PER_BYTE_AT_1_BPS) / static_cast<double>(rateBps);
    m_windowPs = std::max<int64_t>(1, GetLinePs(m_window));
}

int64_t
RcmWindow::GetLinePs(int64_t bytes) const
{
    return std::llround(m_psPerByte * static_cast<double>(bytes));
}

bool
RcmWindow::IsDue(int64_t nowPs) const
{
    return m_state == CONTROLLING && nowPs - m_cutPs >= FabricTime::ToPs(m_parameters->cutSpacing);
}

void
RcmWindow::Cut(double degree, const std::vector<RcmFlow>& harmful, int64_t nowPs)
{
    if (degree <= 0)
    {
        return;
    }
    if (IsDue(nowPs))
    {
        const bool isSame = harmful.size() == m_harmful.size() &&
                            std::is_permutation(harmful.begin(), harmful.end(), m_harmful.begin());
        if (isSame)
        {
            Apply(degree, nowPs);
            return;
        }
        Stop(); // others are to be held: to be measured anew
    }
    if (m_state == IDLE && !harmful.empty())
    {
        Stop();
        m_state = MEASURING;
        m_harmful = harmful;
        m_missing = harmful;
    }
    m_pending = m_state == MEASURING ? std::max(m_pending, degree) : 0;
}

void
RcmWindow::Stop()
{
    m_state = IDLE;
    m_pending = 0;
    m_sent = 0;
    m_harmfulSent = 0;
    m_window = 0;
    m_harmfulWindow = 0;
}

void
RcmWindow::Apply(double degree, int64_t nowPs)
{
    const double left = 1 - std::min(degree, 1.0) * MAX_CUT;
    const double least = m_parameters->minShare * static_cast<double>(m_window);
    const double cut =
        std::max({1.0, std::ceil(least), std::floor(left * static_cast<double>(m_harmfulWindow))});
    m_harmfulWindow = std::min(m_harmfulWindow, static_cast<int64_t>(cut));
    m_cutPs = nowPs;
    ++m_cuts;
}

int64_t
RcmWindow::CountElapsed(int64_t nowPs) const
{
    return std::max<int64_t>(0, (nowPs - m_startPs) / m_windowPs);
}

void
RcmWindow::OnSent(const RcmFlow& flow, bool isHarmful, uint32_t bytes, int64_t nowPs)
{
    if (m_state == CONTROLLING && CountElapsed(nowPs) > 0)
    {
        const int64_t elapsed = CountElapsed(nowPs);
        m_sent = 0;
        Roll(elapsed, m_startPs + elapsed * m_windowPs);
    }
    m_sent += bytes;
    m_harmfulSent += isHarmful ? bytes : 0;
    if (m_state == MEASURING)
    {
        Measure(flow, bytes, nowPs);
    }
    else if (m_state == CONTROLLING && m_sent >= m_window)
    {
        const int64_t count = m_sent / m_window;
        m_sent %= m_window;
        Roll(count, nowPs + GetLinePs(bytes - m_sent));
    }
}

void
RcmWindow::Roll(int64_t count, int64_t endPs)
{
    const bool isPaid = count > m_harmfulSent / m_harmfulWindow;
    m_harmfulSent = isPaid ? 0 : m_harmfulSent - count * m_harmfulWindow;
    m_startPs = endPs;
}

void
RcmWindow::Measure(const RcmFlow& flow, uint32_t bytes, int64_t nowPs)
{
    m_missing.erase(std::remove(m_missing.begin(), m_missing.end(), flow), m_missing.end());
    const uint64_t enough =
        m_missing.empty() ? m_parameters->measureBytes : m_parameters->maxMeasureBytes;
    if (static_cast<uint64_t>(m_sent) < enough)
    {
        return;
    }
    if (m_harmfulSent > 0)
    {
        m_state = CONTROLLING;
        m_window = m_sent;
        m_harmfulWindow = m_harmfulSent;
        m_windowPs = std::max<int64_t>(1, GetLinePs(m_window));
        m_startPs = nowPs + GetLinePs(bytes);
        Apply(m_pending, nowPs);
        m_pending = 0;
    }
    m_sent = 0;
    m_harmfulSent = 0;
}

bool
RcmWindow::MayHarmfulSend(int64_t nowPs) const
{
    return m_state != CONTROLLING || m_harmfulSent / m_harmfulWindow <= CountElapsed(nowPs);
}

int64_t
RcmWindow::GetRetryPs(int64_t nowPs) const
{
    return MayHarmfulSend(nowPs) ? nowPs : m_startPs + m_harmfulSent / m_harmfulWindow * m_windowPs;
}

} // namespace ns3
