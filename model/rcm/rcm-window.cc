// SPDX-License-Identifier: GPL-2.0-only
#include "rcm-window.h"

#include "ns3/fabric-time.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

RcmWindow::RcmWindow(const RcmParameters& parameters, uint64_t rateBps)
    : m_parameters(&parameters),
      m_limiter(rateBps)
{
}

bool
RcmWindow::IsDue(int64_t nowPs) const
{
    switch (m_state)
    {
    case CONTROLLING:
        return nowPs - m_cutPs >= FabricTime::ToPs(m_parameters->cutSpacing);
    case MEASURING:
        return m_harmfulSent == 0 &&
               nowPs - m_measurePs >=
                   m_limiter.GetLinePs(static_cast<int64_t>(m_parameters->maxMeasureBytes));
    default:
        return true;
    }
}

void
RcmWindow::Cut(double degree, const std::vector<FlowKey>& harmful, int64_t nowPs)
{
    if (degree <= 0)
    {
        return;
    }
    if (IsDue(nowPs))
    {
        const bool isSame = harmful.size() == m_harmful.size() &&
                            std::is_permutation(harmful.begin(), harmful.end(), m_harmful.begin());
        if (isSame && m_state == CONTROLLING)
        {
            Apply(degree, nowPs);
            return;
        }
        Stop(); // others are to be held: to be measured anew
    }
    if (m_state == IDLE && !harmful.empty())
    {
        m_state = MEASURING;
        m_measurePs = nowPs;
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
    m_limiter.End();
}

void
RcmWindow::Apply(double degree, int64_t nowPs)
{
    const auto part = static_cast<double>(m_limiter.GetPart());
    const double least = m_parameters->minShare * static_cast<double>(m_limiter.GetWindow());
    const double left = std::floor(part * (1 - std::min(degree, 1.0) * MAX_CUT));
    m_limiter.SetPart(
        static_cast<int64_t>(std::min(part, std::max({1.0, std::ceil(least), left}))));
    m_cutPs = nowPs;
    ++m_cuts;
}

void
RcmWindow::OnSent(const FlowKey& flow, bool isHarmful, uint32_t bytes, int64_t nowPs)
{
    if (m_state == CONTROLLING)
    {
        m_limiter.OnSent(isHarmful, bytes, nowPs);
    }
    else if (m_state == MEASURING)
    {
        Measure(flow, isHarmful, bytes, nowPs);
    }
}

void
RcmWindow::Measure(const FlowKey& flow, bool isHarmful, uint32_t bytes, int64_t nowPs)
{
    m_sent += bytes;
    m_harmfulSent += isHarmful ? bytes : 0;
    m_missing.erase(std::remove(m_missing.begin(), m_missing.end(), flow), m_missing.end());
    const uint64_t enough =
        m_missing.empty() ? m_parameters->measureBytes : m_parameters->maxMeasureBytes;
    if (static_cast<uint64_t>(m_sent) < enough)
    {
        return;
    }
    if (m_harmfulSent == 0)
    {
        Stop();
        return;
    }
    m_state = CONTROLLING;
    m_limiter.Begin(m_sent, m_harmfulSent, bytes, nowPs);
    Apply(m_pending, nowPs);
    m_pending = 0;
    m_sent = 0;
    m_harmfulSent = 0;
}

} // namespace ns3
