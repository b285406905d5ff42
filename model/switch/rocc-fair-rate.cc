// SPDX-License-Identifier: GPL-2.0-only
#include "rocc-fair-rate.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

namespace
{

constexpr double LOW_BPS = 40e9;
constexpr double HIGH_BPS = 100e9;
constexpr RoccFairRate::Defaults AT_LOW = {0.3, 1.5, 150000, 300000, 360000};
constexpr RoccFairRate::Defaults AT_HIGH = {0.45, 2.25, 300000, 600000, 660000};

/// Part of Fmax above which the rate is cut multiplicatively.
constexpr double HIGH_RATE = 1.0 / 8;

/// Largest divisor of the gains: six levels.
constexpr uint32_t MAX_DIVISOR = 32;

} // namespace

RoccFairRate::Defaults
RoccFairRate::GetDefaults(uint64_t rateBps)
{
    const auto rate = static_cast<double>(rateBps);
    const double between = std::clamp((rate - LOW_BPS) / (HIGH_BPS - LOW_BPS), 0.0, 1.0);
    const double beyond = rate < LOW_BPS ? rate / LOW_BPS : std::max(1.0, rate / HIGH_BPS);
    const auto gain = [between](double low, double high) { return low + between * (high - low); };
    const auto length = [&](uint64_t low, uint64_t high) {
        const double bytes = gain(static_cast<double>(low), static_cast<double>(high)) * beyond;
        return static_cast<uint64_t>(std::llround(bytes));
    };
    return {gain(AT_LOW.alpha, AT_HIGH.alpha),
            gain(AT_LOW.beta, AT_HIGH.beta),
            length(AT_LOW.qRefBytes, AT_HIGH.qRefBytes),
            length(AT_LOW.qMidBytes, AT_HIGH.qMidBytes),
            length(AT_LOW.qMaxBytes, AT_HIGH.qMaxBytes)};
}

RoccFairRate::RoccFairRate(const Parameters& parameters)
    : m_parameters(parameters),
      m_rate(parameters.maxRate)
{
}

void
RoccFairRate::SetParameters(const Parameters& parameters)
{
    m_parameters = parameters;
    m_rate = std::clamp(m_rate, parameters.minRate, parameters.maxRate);
}

uint32_t
RoccFairRate::GetGainDivisor() const
{
    uint32_t divisor = 1;
    while (m_rate * 2 * divisor < m_parameters.maxRate && divisor < MAX_DIVISOR)
    {
        divisor *= 2;
    }
    return divisor;
}

double
RoccFairRate::Update(int64_t queue)
{
    const Parameters& p = m_parameters;
    const int64_t growth = queue - m_old;
    const bool high = m_rate > p.maxRate * HIGH_RATE;
    if (queue >= p.qMax && high)
    {
        m_rate = p.minRate;
    }
    else if (growth >= p.qMid && high)
    {
        m_rate /= 2;
    }
    else
    {
        m_rate -=
            (p.alpha * static_cast<double>(queue - p.qRef) + p.beta * static_cast<double>(growth)) /
            GetGainDivisor();
    }
    m_rate = std::clamp(m_rate, p.minRate, p.maxRate);
    m_old = queue;
    return m_rate;
}

} // namespace ns3
