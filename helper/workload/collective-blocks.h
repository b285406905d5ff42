// SPDX-License-Identifier: GPL-2.0-only
#ifndef COLLECTIVE_BLOCKS_H
#define COLLECTIVE_BLOCKS_H

#include <cstdint>

/**
 * @file
 * @ingroup dcfabric
 * @brief How a vector is cut for a collective, and logarithms of numbers of ranks.
 */

namespace ns3
{

/**
 * @ingroup dcfabric
 * @param bytes length of a vector
 * @param first number of a block
 * @param blocks how many from there
 * @param count number of blocks into which the vector is cut, as evenly as bytes go; at least 1
 * @return bytes of these blocks
 */
inline uint64_t
GetBlockBytes(uint64_t bytes, uint32_t first, uint32_t blocks, uint32_t count)
{
    const auto begin = [&](uint64_t block) {
        return static_cast<uint64_t>(static_cast<__uint128_t>(bytes) * block / count);
    };
    return begin(uint64_t{first} + blocks) - begin(first);
}

/**
 * @ingroup dcfabric
 * @param number at least 1
 * @return its logarithm to the base of 2, rounded down
 */
inline uint32_t
FloorLog2(uint32_t number)
{
    uint32_t result = 0;
    while ((number >> 1) >> result)
    {
        ++result;
    }
    return result;
}

/**
 * @ingroup dcfabric
 * @param number at least 1
 * @return its logarithm to the base of 2, rounded up
 */
inline uint32_t
CeilLog2(uint32_t number)
{
    return number > 1 ? FloorLog2(number - 1) + 1 : 0;
}

} // namespace ns3

#endif /* COLLECTIVE_BLOCKS_H */
