// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_TEST_MEMORY_H
#define FABRIC_TEST_MEMORY_H

#include <cstddef>

#if defined(__GLIBC__)
#if __GLIBC_PREREQ(2, 33)
#define DCFABRIC_TEST_MALLINFO 1 //!< the C library tells what is allocated
#include <malloc.h>
#endif
#endif

/**
 * @file
 * @brief What the suites that measure memory share.
 */

namespace ns3::tests
{

/// @return bytes allocated now; 0 where the C library does not tell
inline std::size_t
AllocatedBytes()
{
#ifdef DCFABRIC_TEST_MALLINFO
    const auto info = mallinfo2();
    return info.uordblks + info.hblkhd;
#else
    return 0;
#endif
}

} // namespace ns3::tests

#endif // FABRIC_TEST_MEMORY_H
