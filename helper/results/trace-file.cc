// SPDX-License-Identifier: GPL-2.0-only
#include "trace-file.h"

#include "ns3/fabric-engine.h"
#include "ns3/plain-bytes.h"
#include "ns3/rank-world.h"

#include <algorithm>

namespace ns3
{

namespace
{

/// Rows of a process that is alone are kept up to about this size.
constexpr std::size_t KEPT_BYTES = 1 << 20;

} // namespace

TraceFile::TraceFile(const std::string& path, const std::string& header)
{
    if (RankWorld::GetRank() == 0)
    {
        m_file = std::make_unique<ResultFile>(path);
        m_file->Text() += header;
        m_file->EndLine();
    }
}

void
TraceFile::EndRow()
{
    if (!m_rows.empty())
    {
        m_rows.back().size = m_text.size() - m_rows.back().begin;
    }
}

std::string&
TraceFile::BeginRow(int64_t when, uint64_t where)
{
    // else rows of earlier times may come
    const bool inOrder = RankWorld::GetSize() == 1 && !FabricEngine::HaveHeadStarts();
    if (m_text.size() > KEPT_BYTES && inOrder && when > m_rows.back().when)
    {
        Flush();
    }
    EndRow();
    m_rows.push_back({when, where, m_text.size(), 0});
    return m_text;
}

void
TraceFile::Write()
{
    if (!std::is_sorted(m_rows.begin(), m_rows.end()))
    {
        std::stable_sort(m_rows.begin(), m_rows.end());
    }
    for (const Row& row : m_rows)
    {
        m_file->Text().append(m_text, row.begin, row.size);
        m_file->EndLine();
    }
}

void
TraceFile::Flush()
{
    EndRow();
    if (RankWorld::GetSize() > 1)
    {
        std::string bytes;
        WritePlainAll(bytes, m_rows);
        bytes += m_text;
        for (const std::string& others : RankWorld::Gather(bytes))
        {
            std::size_t at = 0;
            std::vector<Row> rows = TakePlainAll<Row>(others, at);
            for (Row& row : rows)
            {
                row.begin += m_text.size();
            }
            m_rows.insert(m_rows.end(), rows.begin(), rows.end());
            m_text.append(others, at, std::string::npos);
        }
    }
    if (m_file)
    {
        Write();
    }
    m_rows.clear();
    m_text.clear();
}

void
TraceFile::Commit()
{
    Flush();
    if (m_file)
    {
        m_file->Commit();
    }
}

} // namespace ns3
