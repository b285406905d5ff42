// SPDX-License-Identifier: GPL-2.0-only
#ifndef DATA_COLLECTIVES_H
#define DATA_COLLECTIVES_H

#include "rank-collective.h"

#include <cstdint>
#include <vector>

/**
 * @file
 * @brief Collectives that move data: all-gather, reduce-scatter, broadcast, reduce, all-to-all.
 */

namespace ns3
{

/**
 * @ingroup dcfabric
 * @param number at least 1
 * @return its logarithm to the base of 2, rounded down
 */
uint32_t FloorLog2(uint32_t number);

/**
 * @ingroup dcfabric
 * @param number at least 1
 * @return its logarithm to the base of 2, rounded up
 */
uint32_t CeilLog2(uint32_t number);

/**
 * @ingroup dcfabric
 * @param bytes length of a vector
 * @param first number of a block
 * @param blocks how many from there
 * @param count number of blocks into which the vector is cut, as evenly as bytes go
 * @return bytes of these blocks
 */
uint64_t GetBlockBytes(uint64_t bytes, uint32_t first, uint32_t blocks, uint32_t count);

/**
 * @ingroup dcfabric
 * @brief Messages between levels of a binomial tree whose root is the first rank.
 * @param level from 0, the leaves
 * @param up true: towards the root
 * @param index place of the rank
 * @param size number of ranks
 * @param bytes of each message
 * @param exchanges what the rank does is appended
 */
void AddTreeStep(uint32_t level,
                 bool up,
                 uint32_t index,
                 uint32_t size,
                 uint64_t bytes,
                 std::vector<RankExchange>& exchanges);

/**
 * @ingroup dcfabric
 * @brief All-gather in a ring: every rank has a block of S/n bytes, and in the end all have the S
 * bytes; n - 1 steps.
 */
class RingAllGather : public RankCollective
{
  public:
    const char* GetName() const override;
    const char* GetAlgorithm() const override;
    double GetBusFactor(uint32_t size) const override;
    uint32_t GetNSteps(uint32_t size) const override;
    void GetStep(uint32_t step,
                 uint32_t index,
                 uint32_t size,
                 uint64_t bytes,
                 std::vector<RankExchange>& exchanges) const override;
};

/**
 * @ingroup dcfabric
 * @brief Reduce-scatter in a ring: every rank has S bytes, and in the end a block of S/n bytes of
 * the sum; the messages of an all-gather, though of other blocks.
 */
class RingReduceScatter : public RingAllGather
{
  public:
    const char* GetName() const override;
};

/**
 * @ingroup dcfabric
 * @brief Broadcast down a binomial tree: S bytes of the root to all.
 */
class TreeBroadcast : public RankCollective
{
  public:
    const char* GetName() const override;
    const char* GetAlgorithm() const override;
    double GetBusFactor(uint32_t size) const override;
    uint32_t GetNSteps(uint32_t size) const override;
    void GetStep(uint32_t step,
                 uint32_t index,
                 uint32_t size,
                 uint64_t bytes,
                 std::vector<RankExchange>& exchanges) const override;
};

/**
 * @ingroup dcfabric
 * @brief Reduce up a binomial tree: the sum of all vectors of S bytes at the root.
 */
class TreeReduce : public TreeBroadcast
{
  public:
    const char* GetName() const override;
    void GetStep(uint32_t step,
                 uint32_t index,
                 uint32_t size,
                 uint64_t bytes,
                 std::vector<RankExchange>& exchanges) const override;
};

/**
 * @ingroup dcfabric
 * @brief All-to-all by pairwise exchange: n - 1 steps; in step s a rank exchanges with the rank
 * whose place is its own, exclusive or s, if n is a power of two, else it sends to the one s places
 * on and receives from the one s places before. The size is that for one other rank.
 */
class PairwiseAllToAll : public RankCollective
{
  public:
    const char* GetName() const override;
    const char* GetAlgorithm() const override;
    bool IsSizeForPeer() const override;
    double GetBusFactor(uint32_t size) const override;
    uint32_t GetNSteps(uint32_t size) const override;
    void GetStep(uint32_t step,
                 uint32_t index,
                 uint32_t size,
                 uint64_t bytes,
                 std::vector<RankExchange>& exchanges) const override;
};

} // namespace ns3

#endif /* DATA_COLLECTIVES_H */
