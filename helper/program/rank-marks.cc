// SPDX-License-Identifier: GPL-2.0-only
#include "rank-marks.h"

#include "rank-job.h"

#include "ns3/result-file.h"

#include <algorithm>
#include <tuple>

namespace ns3
{

uint32_t
RankMarks::NameIndex(const std::string& name)
{
    const auto found = std::find(m_names.begin(), m_names.end(), name);
    if (found != m_names.end())
    {
        return static_cast<uint32_t>(found - m_names.begin());
    }
    m_names.push_back(name);
    return static_cast<uint32_t>(m_names.size() - 1);
}

std::size_t
RankMarks::Begin(uint32_t rank, uint32_t name, int64_t nowPs, uint32_t round)
{
    m_rows.push_back({rank, name, m_counts[(uint64_t{rank} << 32) | name]++, round, nowPs, -1});
    return m_rows.size() - 1;
}

void
RankMarks::Join(const std::vector<Row>& rows)
{
    m_rows.insert(m_rows.end(), rows.begin(), rows.end());
    // those of a rank are of one process, and in order
    std::stable_sort(m_rows.begin(), m_rows.end(), [](const Row& a, const Row& b) {
        return std::tie(a.startPs, a.round, a.rank) < std::tie(b.startPs, b.round, b.rank);
    });
}

void
RankMarks::WriteCsv(const std::string& path, const RankJob* job) const
{
    ResultFile file(path);
    std::string& text = file.Text();
    const bool named = job && !job->GetParts().front().name.empty();
    text += "rank,name,iteration,start_ns,end_ns";
    text += named ? ",job" : "";
    file.EndLine();
    for (const Row& row : m_rows)
    {
        const RankJob::Part part = named ? job->GetPartOf(row.rank) : RankJob::Part();
        text += std::to_string(row.rank - part.first) + ',' + m_names[row.name] + ',' +
                std::to_string(row.iteration) + ',';
        AppendNanoseconds(text, row.startPs);
        text += ',';
        if (row.endPs >= 0)
        {
            AppendNanoseconds(text, row.endPs);
        }
        text += named ? ',' + part.name : "";
        file.EndLine();
    }
    file.Commit();
}

} // namespace ns3
