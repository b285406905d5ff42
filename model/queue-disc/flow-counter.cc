// SPDX-License-Identifier: GPL-2.0-only
#include "flow-counter.h"

#include <iterator>

namespace ns3
{

void
FlowCounter::Enter(int64_t nowPs, uint64_t flow)
{
    Forget(nowPs); // or flows that no longer count would pile up
    const auto [known, isNew] = m_byFlow.try_emplace(flow);
    if (isNew)
    {
        m_byTime.push_back({nowPs, flow});
        known->second = std::prev(m_byTime.end());
        return;
    }
    known->second->lastPs = nowPs;
    m_byTime.splice(m_byTime.end(), m_byTime, known->second);
}

uint32_t
FlowCounter::GetCount(int64_t nowPs)
{
    Forget(nowPs);
    return static_cast<uint32_t>(m_byFlow.size());
}

void
FlowCounter::Forget(int64_t nowPs)
{
    while (!m_byTime.empty() && m_byTime.front().lastPs < nowPs - m_windowPs)
    {
        m_byFlow.erase(m_byTime.front().flow);
        m_byTime.pop_front();
    }
}

} // namespace ns3
