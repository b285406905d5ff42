// SPDX-License-Identifier: GPL-2.0-only
#ifndef PREFETCH_H
#define PREFETCH_H

#include <cstddef>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Start to load cache lines that will be read soon; nothing where the compiler cannot.
 * @tparam N number of lines of 64 bytes
 * @param address where to count from; need not be valid, and may be null
 * @param offset bytes from there to any byte of the first line; may lead out of the object
 */
template <int N>
inline void
PrefetchLines([[maybe_unused]] const void* address, [[maybe_unused]] std::ptrdiff_t offset = 0)
{
#if defined(__GNUC__)
    // Counted as an integer: a pointer may neither leave its object nor start from null.
    const auto first = reinterpret_cast<std::uintptr_t>(address) + offset;
    for (int line = 0; line < N; ++line)
    {
        __builtin_prefetch(reinterpret_cast<const void*>(first + 64 * line));
    }
#endif
}

} // namespace ns3

#endif /* PREFETCH_H */
