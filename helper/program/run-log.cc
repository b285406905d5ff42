// SPDX-License-Identifier: GPL-2.0-only
#include "run-log.h"

#include "ns3/fabric-time.h"
#include "ns3/plain-bytes.h"

#include <algorithm>

namespace ns3
{

void
RunLog::Add(int64_t timePs, int64_t nextPs)
{
    m_entries.front().push_back({timePs, nextPs});
}

uint64_t
RunLog::CountEvents(int64_t endPs) const
{
    std::vector<std::size_t> at(m_entries.size(), 0);
    std::vector<int64_t> timers(m_entries.size(), FabricTime::NEVER);
    int64_t tickPs = -1; // that is set
    uint64_t count = 0;
    while (true)
    {
        int64_t nowPs = FabricTime::NEVER;
        for (std::size_t i = 0; i < at.size(); ++i)
        {
            if (at[i] < m_entries[i].size())
            {
                nowPs = std::min(nowPs, m_entries[i][at[i]].timePs);
            }
        }
        if (nowPs == FabricTime::NEVER)
        {
            return count;
        }
        for (std::size_t i = 0; i < at.size(); ++i)
        {
            for (; at[i] < m_entries[i].size() && m_entries[i][at[i]].timePs == nowPs; ++at[i])
            {
                timers[i] = m_entries[i][at[i]].nextPs;
            }
        }
        ++count;
        // as RankRunner::Arm(); an event that was cancelled counts when its time comes
        const int64_t nextPs = *std::min_element(timers.begin(), timers.end());
        if (nextPs != FabricTime::NEVER && (tickPs <= nowPs || tickPs > nextPs))
        {
            tickPs = nextPs;
            count += nextPs <= endPs ? 1 : 0;
        }
    }
}

void
RunLog::Pack(std::string& bytes) const
{
    WritePlainAll(bytes, m_entries.front());
}

void
RunLog::Join(const std::string& bytes, std::size_t& at)
{
    m_entries.push_back(TakePlainAll<Entry>(bytes, at));
}

} // namespace ns3
