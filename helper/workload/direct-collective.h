// SPDX-License-Identifier: GPL-2.0-only
#ifndef DIRECT_COLLECTIVE_H
#define DIRECT_COLLECTIVE_H

#include "rank-collective.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Collectives in which each rank exchanges blocks with all others at once: the `direct`
 * algorithms of ASTRA-sim (Rashidi et al., 2020), and all-to-all as NCCL's group of sends and
 * receives.
 *
 * A rank meets the others in the order of their places after its own, so that no two begin with the
 * same one. All of it is one step; a window bounds how many of the n - 1 exchanges are under way.
 */
struct DirectCollective
{
    /**
     * @brief Each block goes to the rank that sums it up.
     * @param step 0
     * @param index place of the rank
     * @param size number of ranks
     * @param bytes length of the vector
     * @param exchanges what the rank does is appended
     */
    static void AddReduceScatter(uint32_t step,
                                 uint32_t index,
                                 uint32_t size,
                                 uint64_t bytes,
                                 std::vector<RankExchange>& exchanges);

    /**
     * @brief The own block goes to all others.
     * @param step 0
     * @param index place of the rank
     * @param size number of ranks
     * @param bytes length of the vector
     * @param exchanges what the rank does is appended
     */
    static void AddAllGather(uint32_t step,
                             uint32_t index,
                             uint32_t size,
                             uint64_t bytes,
                             std::vector<RankExchange>& exchanges);

    /**
     * @brief One, then the other.
     * @param step 0 or 1
     * @param index place of the rank
     * @param size number of ranks
     * @param bytes length of the vector
     * @param exchanges what the rank does is appended
     */
    static void AddAllReduce(uint32_t step,
                             uint32_t index,
                             uint32_t size,
                             uint64_t bytes,
                             std::vector<RankExchange>& exchanges);

    /**
     * @brief A message of its own to each other rank.
     * @param step 0
     * @param index place of the rank
     * @param size number of ranks
     * @param bytes length of a message
     * @param exchanges what the rank does is appended
     */
    static void AddAllToAll(uint32_t step,
                            uint32_t index,
                            uint32_t size,
                            uint64_t bytes,
                            std::vector<RankExchange>& exchanges);
};

} // namespace ns3

#endif /* DIRECT_COLLECTIVE_H */
