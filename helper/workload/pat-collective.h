// SPDX-License-Identifier: GPL-2.0-only
#ifndef PAT_COLLECTIVE_H
#define PAT_COLLECTIVE_H

#include "rank-collective.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief All-gather and reduce-scatter by parallel aggregated trees (PAT) of NCCL 2.23: every rank
 * is the root of a binomial tree of its own, all trees are the same but for where they begin, and
 * what a rank passes on in a step for all of them is one message.
 *
 * All-gather goes far first: with L = ceil(log2 n), a rank sends in step k to the one 2^(L-1-k)
 * places on, so that what goes far is little. Reduce-scatter is the same backwards. L steps, and
 * (n - 1)/n S from each rank, for any n.
 *
 * Source: Jeaugey, "PAT: a new algorithm for all-gather and reduce-scatter operations at scale",
 * 2025.
 */
struct PatCollective
{
    /**
     * @brief A step of all-gather.
     * @param step below ceil(log2 size)
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
     * @brief A step of reduce-scatter.
     * @param step below ceil(log2 size)
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
};

} // namespace ns3

#endif /* PAT_COLLECTIVE_H */
