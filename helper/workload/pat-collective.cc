// SPDX-License-Identifier: GPL-2.0-only
#include "pat-collective.h"

#include "collective-blocks.h"

namespace ns3
{

namespace
{

/**
 * @param at place of a rank that has data
 * @param distance to the rank that gets it
 * @param size number of ranks
 * @param bytes length of the vector
 * @return bytes of the blocks whose trees have this edge: in the tree of a root, those that are a
 * multiple of twice the distance after it have data, and pass it on if somebody is there
 */
uint64_t
GetPassedBytes(uint32_t at, uint32_t distance, uint32_t size, uint64_t bytes)
{
    uint64_t passed = 0;
    for (uint64_t after = 0; after + distance < size; after += 2 * uint64_t{distance})
    {
        const auto root = static_cast<uint32_t>((at + size - after) % size);
        passed += GetBlockBytes(bytes, root, 1, size);
    }
    return passed;
}

} // namespace

void
PatCollective::AddAllGather(uint32_t step,
                            uint32_t index,
                            uint32_t size,
                            uint64_t bytes,
                            std::vector<RankExchange>& exchanges)
{
    const uint32_t distance = 1U << (CeilLog2(size) - 1 - step);
    exchanges.push_back({(index + distance) % size, // less than one turn
                         true,
                         GetPassedBytes(index, distance, size, bytes)});
    exchanges.push_back({(index + size - distance) % size, false, 0});
}

void
PatCollective::AddReduceScatter(uint32_t step,
                                uint32_t index,
                                uint32_t size,
                                uint64_t bytes,
                                std::vector<RankExchange>& exchanges)
{
    const uint32_t distance = 1U << step;
    const uint32_t parent = (index + size - distance) % size;
    exchanges.push_back({parent, true, GetPassedBytes(parent, distance, size, bytes)});
    exchanges.push_back(
        {(index + distance) % size, false, GetPassedBytes(index, distance, size, bytes)});
}

} // namespace ns3
