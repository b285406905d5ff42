// SPDX-License-Identifier: GPL-2.0-only
#include "rank-runner.h"

#include "ns3/plain-bytes.h"

#include <algorithm>

/**
 * @file
 * @ingroup dcfabric
 * @brief How RankRunner joins what processes of a simulation know of their ranks.
 */

namespace ns3
{

std::string
RankRunner::Pack() const
{
    std::string bytes;
    WritePlain(bytes, m_nRunning);
    WritePlainAll(bytes, m_partRunning);
    WritePlainAll(bytes, m_partEndPs);
    WritePlain(bytes, GetNUnreceived());
    WritePlainAll(bytes, m_marks.GetRows());
    WritePlainAll(bytes, m_collectives.GetRows());
    m_log.Pack(bytes);
    const std::map<uint32_t, std::string> waiting = DescribeOwn();
    WritePlain(bytes, waiting.size());
    for (const auto& [rank, line] : waiting)
    {
        WritePlain(bytes, rank);
        WritePlainText(bytes, line);
    }
    return bytes;
}

void
RankRunner::Join(const std::string& bytes)
{
    std::size_t at = 0;
    m_nRunning += TakePlain<uint32_t>(bytes, at);
    const auto running = TakePlainAll<uint32_t>(bytes, at);
    const auto endPs = TakePlainAll<int64_t>(bytes, at);
    for (std::size_t part = 0; part < m_partRunning.size(); ++part)
    {
        m_partRunning[part] += running.at(part);
        m_partEndPs[part] = std::max(m_partEndPs[part], endPs.at(part));
    }
    m_nUnreceivedElsewhere += TakePlain<uint64_t>(bytes, at);
    m_marks.Join(TakePlainAll<RankMarks::Row>(bytes, at));
    m_collectives.Join(TakePlainAll<CollectiveLog::Row>(bytes, at));
    m_log.Join(bytes, at);
    for (auto left = TakePlain<std::size_t>(bytes, at); left > 0; --left)
    {
        const auto rank = TakePlain<uint32_t>(bytes, at);
        m_waitElsewhere[rank] = TakePlainText(bytes, at);
    }
}

} // namespace ns3
