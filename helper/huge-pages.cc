// SPDX-License-Identifier: GPL-2.0-only
#include "huge-pages.h"

#if defined(__linux__) && defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

void
ns3::UseHugePages()
{
    constexpr int RESERVE = 1 << 30;         // address space for the heap to grow into
    constexpr int LARGEST_IN_HEAP = 1 << 25; // glibc takes no more
    constexpr uintptr_t HUGE_PAGE = 1 << 21;

    auto* const before = static_cast<char*>(sbrk(0));
    mallopt(M_MMAP_THRESHOLD, LARGEST_IN_HEAP);
    mallopt(M_TRIM_THRESHOLD, RESERVE);
    mallopt(M_TOP_PAD, RESERVE);
    // more than is free: the heap grows by the reserve (volatile: or the compiler leaves the pair
    // out)
    void* volatile first = std::malloc(LARGEST_IN_HEAP / 2);
    std::free(first);
    mallopt(M_TOP_PAD, 1 << 26);
    auto* const after = static_cast<char*>(sbrk(0));
    const uintptr_t start =
        (reinterpret_cast<uintptr_t>(before) + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1);
    const auto end = reinterpret_cast<uintptr_t>(after);
    if (end > start)
    {
        // refusal costs speed, nothing else
        madvise(reinterpret_cast<void*>(start), end - start, MADV_HUGEPAGE);
    }
}

#else

void
ns3::UseHugePages()
{
}

#endif
