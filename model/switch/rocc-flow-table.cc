// SPDX-License-Identifier: GPL-2.0-only
#include "rocc-flow-table.h"

#include <algorithm>
#include <utility>

namespace ns3
{

void
RoccFlowTable::Enter(const Flow& flow, uint64_t queueBytes, int64_t nowPs)
{
    Flow& entry = m_flows[(uint64_t{flow.src} << 32) | flow.pdc];
    entry = flow;
    entry.endByte = m_leftBytes + queueBytes;
    entry.lastSeenPs = nowPs;
}

const std::vector<RoccFlowTable::Flow>&
RoccFlowTable::Collect(int64_t nowPs)
{
    m_collected.clear();
    for (auto it = m_flows.begin(); it != m_flows.end();)
    {
        Flow& flow = it->second;
        const bool queued = flow.endByte > m_leftBytes;
        if (queued)
        {
            flow.lastSeenPs = nowPs;
        }
        if (queued || nowPs - flow.lastSeenPs < m_agePs)
        {
            m_collected.push_back(flow);
            ++it;
        }
        else
        {
            it = m_flows.erase(it);
        }
    }
    // the order of a hash table differs between libraries
    std::sort(m_collected.begin(), m_collected.end(), [](const Flow& a, const Flow& b) {
        return std::make_pair(a.src, a.pdc) < std::make_pair(b.src, b.pdc);
    });
    return m_collected;
}

} // namespace ns3
