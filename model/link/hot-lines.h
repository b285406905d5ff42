// SPDX-License-Identifier: GPL-2.0-only
#ifndef HOT_LINES_H
#define HOT_LINES_H

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Takes what a class names of itself as hot: the cache lines that an event will read.
 *
 * Each class of the hot path has a function NameHotLines(), which LookAhead calls. A line is loaded
 * as it is named; nothing happens where the compiler cannot. (Lines that are first collected in a
 * list, and loaded by a loop over it, cost a seventh of the run time of fat-tree:k=16, because the
 * processor mispredicts the ends of such loops.)
 */
class HotLines
{
  public:
    /**
     * @brief Name lines.
     * @tparam N number of lines of 64 bytes
     * @param start in the first line; need not be valid, and may be null
     */
    template <int N>
    void Add([[maybe_unused]] const void* start) const
    {
#if defined(__GNUC__)
        // Counted as an integer: the last line may begin behind its object.
        const auto first = reinterpret_cast<std::uintptr_t>(start);
        for (int line = 0; line < N; ++line)
        {
            __builtin_prefetch(reinterpret_cast<const void*>(first + 64 * line));
        }
#endif
    }
};

} // namespace ns3

#endif /* HOT_LINES_H */
