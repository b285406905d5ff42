// SPDX-License-Identifier: GPL-2.0-only
#include "flow-port-table.h"

#include "ns3/fabric-time.h"

#include <algorithm>
#include <iterator>

namespace ns3
{

FlowPortTable::Entry*
FlowPortTable::Find(uint64_t flow)
{
    const auto entry = m_entries.find(flow);
    return entry == m_entries.end() ? nullptr : &entry->second;
}

bool
FlowPortTable::Holds(const Entry* entry, int64_t nowPs) const
{
    return entry && nowPs - entry->lastPs <= FabricTime::ToPs(m_timeout);
}

void
FlowPortTable::Set(uint64_t flow, uint32_t port, int64_t nowPs, int64_t untilPs)
{
    m_entries[flow] = {nowPs, untilPs, port};
    if (m_entries.size() < m_removeAt)
    {
        return;
    }
    for (auto entry = m_entries.begin(); entry != m_entries.end();)
    {
        entry = Holds(&entry->second, nowPs) ? std::next(entry) : m_entries.erase(entry);
    }
    m_removeAt = std::max<std::size_t>(1024, 2 * m_entries.size());
}

} // namespace ns3
