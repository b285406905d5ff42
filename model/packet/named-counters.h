// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief Counts under names of their own, for results.
 */
#ifndef NAMED_COUNTERS_H
#define NAMED_COUNTERS_H

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

namespace ns3
{

/// Names, as in `summary.json`, which outlive the counts, and counts.
using NamedCounters = std::vector<std::pair<const char*, uint64_t>>;

/**
 * @brief Add counts to those of the same names.
 * @param sum so far; new names are appended
 * @param counters what is added
 */
inline void
AddCounters(NamedCounters& sum, const NamedCounters& counters)
{
    for (const auto& counter : counters)
    {
        const auto known = std::find_if(sum.begin(), sum.end(), [&counter](const auto& other) {
            return std::strcmp(other.first, counter.first) == 0;
        });
        if (known != sum.end())
        {
            known->second += counter.second;
        }
        else
        {
            sum.push_back(counter);
        }
    }
}

} // namespace ns3

#endif /* NAMED_COUNTERS_H */
