// SPDX-License-Identifier: GPL-2.0-only
#include "flow-counter.h"

namespace ns3
{

void
FlowCounter::Enter(int64_t nowPs, uint64_t flow)
{
    GetCount(nowPs); // or those that no longer count would pile up
    m_arrivals.push_back({nowPs, flow});
    ++m_counts[flow];
}

uint32_t
FlowCounter::GetCount(int64_t nowPs)
{
    while (!m_arrivals.empty() && m_arrivals.front().timePs < nowPs - m_windowPs)
    {
        const auto counted = m_counts.find(m_arrivals.front().flow);
        if (--counted->second == 0)
        {
            m_counts.erase(counted);
        }
        m_arrivals.pop_front();
    }
    return static_cast<uint32_t>(m_counts.size());
}

} // namespace ns3
