// SPDX-License-Identifier: GPL-2.0-only
#include "slowdown-summary.h"

#include <algorithm>
#include <numeric>

namespace ns3
{

constexpr std::array<uint64_t, 10> SlowdownSummary::EDGES;

void
SlowdownSummary::Add(uint64_t sizeBytes, double slowdown)
{
    const auto edge = std::lower_bound(EDGES.begin(), EDGES.end(), sizeBytes);
    m_values[static_cast<std::size_t>(edge - EDGES.begin())].push_back(slowdown);
}

SlowdownSummary::Statistics
SlowdownSummary::Compute(std::vector<double>& values)
{
    Statistics result;
    result.count = values.size();
    if (values.empty())
    {
        return result;
    }
    std::sort(values.begin(), values.end());
    result.mean =
        std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    // in whole per mille: 0.95 x 20 must be rank 19 and not 20
    const auto at = [&values](std::size_t perMille) {
        return values[(perMille * values.size() + 999) / 1000 - 1];
    };
    result.p50 = at(500);
    result.p95 = at(950);
    result.p99 = at(990);
    result.p999 = at(999);
    return result;
}

SlowdownSummary::Statistics
SlowdownSummary::GetBucket(std::size_t bucket) const
{
    std::vector<double> values = m_values.at(bucket);
    return Compute(values);
}

SlowdownSummary::Statistics
SlowdownSummary::GetOverall() const
{
    std::vector<double> values;
    for (const auto& bucket : m_values)
    {
        values.insert(values.end(), bucket.begin(), bucket.end());
    }
    return Compute(values);
}

} // namespace ns3
