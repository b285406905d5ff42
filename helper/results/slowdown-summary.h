// SPDX-License-Identifier: GPL-2.0-only
#ifndef SLOWDOWN_SUMMARY_H
#define SLOWDOWN_SUMMARY_H

#include <array>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Slowdowns of the flows that arrived, by size and overall.
 *
 * Percentiles are nearest-rank: of n values in ascending order the one at rank ceil(p x n), counted
 * from 1, so that each is a slowdown that some flow had.
 */
class SlowdownSummary
{
  public:
    /// Statistics of a set of flows; all but the count are 0 for an empty set.
    struct Statistics
    {
        uint64_t count{0}; //!< flows
        double mean{0};    //!< arithmetic mean
        double p50{0};     //!< median
        double p95{0};     //!< 95th percentile
        double p99{0};     //!< 99th percentile
        double p999{0};    //!< 99.9th percentile
    };

    /// Upper edges of all buckets but the last, which has none; a size on an edge lies below it.
    static constexpr std::array<uint64_t, 10> EDGES =
        {10000, 30000, 50000, 80000, 100000, 200000, 1000000, 2000000, 5000000, 10000000};

    /**
     * @brief Add a flow.
     * @param sizeBytes its size
     * @param slowdown its slowdown
     */
    void Add(uint64_t sizeBytes, double slowdown);

    /// @return number of buckets
    static constexpr std::size_t GetNBuckets()
    {
        return EDGES.size() + 1;
    }

    /**
     * @param bucket 0 to GetNBuckets() - 1
     * @return statistics of a bucket
     */
    Statistics GetBucket(std::size_t bucket) const;

    /// @return statistics of all flows
    Statistics GetOverall() const;

    /**
     * @param values in any order; sorted by the call
     * @return their statistics
     */
    static Statistics Compute(std::vector<double>& values);

  private:
    std::array<std::vector<double>, EDGES.size() + 1> m_values; //!< by bucket
};

} // namespace ns3

#endif /* SLOWDOWN_SUMMARY_H */
