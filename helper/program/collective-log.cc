// SPDX-License-Identifier: GPL-2.0-only
#include "collective-log.h"

#include "rank-job.h"

#include "ns3/rank-collective.h"
#include "ns3/result-file.h"

#include <algorithm>
#include <cstdio>

namespace ns3
{

uint32_t
CollectiveLog::Count(uint32_t rank, uint32_t collective, uint32_t groupIndex)
{
    const uint64_t kind = uint64_t{groupIndex} * GetRankCollectives().size() + collective;
    return m_done[(uint64_t{rank} << 32) | kind]++;
}

uint32_t
CollectiveLog::Begin(uint32_t rank,
                     uint32_t collective,
                     uint32_t groupIndex,
                     const RankGroup& group,
                     uint32_t iteration,
                     const FlowOrder& order)
{
    const uint32_t part = group.GetPart(rank);
    const auto added = m_open.emplace(Key(collective, groupIndex, part, iteration),
                                      static_cast<uint32_t>(m_rows.size()));
    if (added.second)
    {
        Row row{};
        row.collective = collective;
        row.group = groupIndex;
        row.part = part;
        row.iteration = iteration;
        row.ranks = group.GetSize(part);
        row.startPs = order.atPs;
        row.order = order;
        row.endPs = -1;
        m_rows.push_back(row);
    }
    m_rows[added.first->second].lastStartPs = order.atPs;
    return added.first->second;
}

void
CollectiveLog::NoteSize(uint32_t row, uint64_t bytes)
{
    m_rows[row].bytes = std::max(m_rows[row].bytes, bytes);
}

void
CollectiveLog::End(uint32_t row, int64_t nowPs)
{
    Row& r = m_rows[row];
    r.lastLeftPs = nowPs;
    if (++r.left == r.ranks)
    {
        r.endPs = nowPs;
        m_open.erase(Key(r.collective, r.group, r.part, r.iteration));
    }
}

void
CollectiveLog::Join(const std::vector<Row>& rows)
{
    std::map<Key, std::size_t> known;
    for (std::size_t i = 0; i < m_rows.size(); ++i)
    {
        const Row& row = m_rows[i];
        known.emplace(Key(row.collective, row.group, row.part, row.iteration), i);
    }
    for (const Row& there : rows)
    {
        const auto added =
            known.emplace(Key(there.collective, there.group, there.part, there.iteration),
                          m_rows.size());
        if (added.second)
        {
            m_rows.push_back(there);
            continue;
        }
        Row& here = m_rows[added.first->second];
        here.left += there.left;
        here.bytes = std::max(here.bytes, there.bytes);
        here.sentBytes += there.sentBytes;
        here.startPs = std::min(here.startPs, there.startPs);
        here.lastStartPs = std::max(here.lastStartPs, there.lastStartPs);
        here.lastLeftPs = std::max(here.lastLeftPs, there.lastLeftPs);
        here.endPs = here.left == here.ranks ? here.lastLeftPs : -1;
        here.order = std::min(here.order, there.order);
    }
    std::sort(m_rows.begin(), m_rows.end(), [](const Row& a, const Row& b) {
        return a.order < b.order;
    });
}

double
CollectiveLog::GetAlgorithmBandwidth(const Row& row)
{
    const bool forPeer = GetRankCollectives()[row.collective].sizeForPeer;
    const double bytes = forPeer && row.ranks > 1
                             ? static_cast<double>(row.sentBytes) / (row.ranks - 1)
                             : static_cast<double>(row.bytes);
    return bytes / (static_cast<double>(row.endPs - row.startPs) / 1e12);
}

double
CollectiveLog::GetBusBandwidth(const Row& row)
{
    return GetAlgorithmBandwidth(row) *
           GetRankCollectives()[row.collective].getBusFactor(row.ranks);
}

void
CollectiveLog::WriteCsv(const std::string& path, const RankJob& job) const
{
    ResultFile file(path);
    std::string& text = file.Text();
    text += "operation,algorithm,group,first_rank,iteration,ranks,size_bytes,sent_bytes,start_ns,"
            "last_start_ns,end_ns,algbw_gbyte_s,busbw_gbyte_s";
    const bool named = !job.GetParts().front().name.empty();
    text += named ? ",job" : "";
    file.EndLine();
    for (const Row& row : m_rows)
    {
        const RankCollective& collective = GetRankCollectives()[row.collective];
        const RankGroup& group = job.GetGroups()[row.group];
        const RankJob::Part& part = job.GetParts()[job.GetPartOfGroup(row.group)];
        text += std::string(collective.name) + ',' + collective.algorithm + ',' + group.GetName();
        for (const uint64_t value : {uint64_t{group.GetMember(row.part, 0) - part.first},
                                     uint64_t{row.iteration},
                                     uint64_t{row.ranks},
                                     row.bytes,
                                     row.sentBytes})
        {
            text += ',' + std::to_string(value);
        }
        for (const int64_t timePs : {row.startPs, row.lastStartPs, row.endPs})
        {
            text += ',';
            if (timePs >= 0)
            {
                AppendNanoseconds(text, timePs);
            }
        }
        if (row.endPs > row.startPs && collective.getBusFactor(row.ranks) > 0)
        {
            char bandwidths[64];
            std::snprintf(bandwidths,
                          sizeof(bandwidths),
                          ",%.6f,%.6f",
                          GetAlgorithmBandwidth(row) / 1e9,
                          GetBusBandwidth(row) / 1e9);
            text += bandwidths;
        }
        else
        {
            text += ",,";
        }
        text += named ? ',' + part.name : "";
        file.EndLine();
    }
    file.Commit();
}

} // namespace ns3
