// SPDX-License-Identifier: GPL-2.0-only
#include "dcqcn-alpha.h"

#include <algorithm>

namespace ns3
{

void
DcqcnAlpha::Configure(double g, int64_t intervalPs, bool periodic)
{
    m_gain = g;
    m_keep = 1 - g;
    m_intervalPs = intervalPs;
    m_periodic = periodic;
}

void
DcqcnAlpha::SetInterval(int64_t nowPs, int64_t intervalPs)
{
    Get(nowPs);
    m_intervalPs = intervalPs;
}

void
DcqcnAlpha::Start(int64_t nowPs)
{
    m_value = 1;
    m_basePs = nowPs;
    m_arrived = false;
}

void
DcqcnAlpha::Notify(int64_t nowPs)
{
    Get(nowPs);
    if (m_periodic)
    {
        m_arrived = true;
        return;
    }
    m_value = m_keep * m_value + m_gain;
    m_basePs = nowPs;
}

double
DcqcnAlpha::Get(int64_t nowPs)
{
    // an interval that ends now has passed only if it is periodic
    const int64_t elapsed = nowPs - m_basePs - (m_periodic ? 0 : 1);
    int64_t passed = std::max<int64_t>(elapsed, 0) / m_intervalPs;
    m_basePs += passed * m_intervalPs;
    if (passed > 0 && m_arrived)
    {
        m_value = m_keep * m_value + m_gain;
        m_arrived = false;
        --passed;
    }
    Decay(passed);
    return m_value;
}

void
DcqcnAlpha::Decay(int64_t times)
{
    // by squaring: a long idle time costs little, and the result is the same on every machine
    for (double factor = m_keep; times > 0; times /= 2)
    {
        if (times % 2 != 0)
        {
            m_value *= factor;
        }
        factor *= factor;
    }
}

} // namespace ns3
