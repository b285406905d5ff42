// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOW_COUNTS_H
#define FLOW_COUNTS_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What columns of flows.csv count, by flow. A column takes memory from its first number on
 * that is not 0: with a million flows, most of which lose nothing, that is most of it.
 */
class FlowCounts
{
  public:
    /**
     * @param nColumns columns
     * @param nFlows flows that are known; more may follow
     */
    FlowCounts(std::size_t nColumns, std::size_t nFlows)
        : m_columns(nColumns),
          m_nFlows(nFlows)
    {
    }

    /**
     * @param flow its index
     * @param column its place
     * @return the count, 0 at first
     */
    uint64_t Get(uint32_t flow, std::size_t column) const
    {
        const std::vector<uint64_t>& counts = m_columns.at(column);
        return flow < counts.size() ? counts[flow] : 0;
    }

    /**
     * @param flow its index
     * @return the counts of all columns
     */
    std::vector<uint64_t> GetAll(uint32_t flow) const
    {
        std::vector<uint64_t> counts;
        for (std::size_t column = 0; column < m_columns.size(); ++column)
        {
            counts.push_back(Get(flow, column));
        }
        return counts;
    }

    /**
     * @param flow its index
     * @param column its place
     * @param count from now on
     */
    void Set(uint32_t flow, std::size_t column, uint64_t count)
    {
        std::vector<uint64_t>& counts = m_columns.at(column);
        if (flow >= counts.size())
        {
            if (count == 0)
            {
                return;
            }
            counts.resize(flow < m_nFlows ? m_nFlows : flow + std::size_t{1});
        }
        counts[flow] = count;
    }

    /**
     * @brief Forget the counts of the last flows.
     * @param nFlows those that stay
     */
    void Truncate(std::size_t nFlows)
    {
        m_nFlows = nFlows;
        for (std::vector<uint64_t>& counts : m_columns)
        {
            if (counts.size() > nFlows)
            {
                counts.resize(nFlows);
            }
        }
    }

  private:
    std::vector<std::vector<uint64_t>> m_columns; //!< by column and flow, as far as they count
    std::size_t m_nFlows;                         //!< that are known
};

} // namespace ns3

#endif /* FLOW_COUNTS_H */
