// SPDX-License-Identifier: GPL-2.0-only
#ifndef PREFETCH_H
#define PREFETCH_H

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Start to load cache lines that will be read soon; nothing where the compiler cannot.
 * @tparam N number of lines of 64 bytes
 * @param address any byte of the first line; need not be valid
 */
template <int N>
inline void
PrefetchLines(const void* address)
{
#if defined(__GNUC__)
    for (int line = 0; line < N; ++line)
    {
        __builtin_prefetch(static_cast<const char*>(address) + 64 * line);
    }
#endif
}

} // namespace ns3

#endif /* PREFETCH_H */
