// SPDX-License-Identifier: GPL-2.0-only
#ifndef ALL_REDUCE_COLLECTIVES_H
#define ALL_REDUCE_COLLECTIVES_H

#include "rank-collective.h"

#include <cstdint>
#include <vector>

/**
 * @file
 * @brief All-reduce: every rank of n has a vector of S bytes, and in the end all have the sum.
 * Summing takes no time.
 */

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief All-reduce of whatever algorithm.
 */
class AllReduceCollective : public RankCollective
{
  public:
    const char* GetName() const override;
    double GetBusFactor(uint32_t size) const override;
};

/**
 * @ingroup dcfabric
 * @brief Ring: n - 1 steps of reduce-scatter, then n - 1 of all-gather, with S/n bytes to the next
 * rank in each.
 *
 * Source: Patarasuk, Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations",
 * 2009.
 */
class RingAllReduce : public AllReduceCollective
{
  public:
    const char* GetAlgorithm() const override;
    uint32_t GetNSteps(uint32_t size) const override;
    void GetStep(uint32_t step,
                 uint32_t index,
                 uint32_t size,
                 uint64_t bytes,
                 std::vector<RankExchange>& exchanges) const override;
};

/**
 * @ingroup dcfabric
 * @brief Base of algorithms for powers of two: of n ranks, the largest such number p that fits
 * takes part. Of the first 2 (n - p) ranks, those with even places give their vector to the next
 * before, and get the sum from it after.
 *
 * Source: Thakur, Rabenseifner, Gropp, "Optimization of collective communication operations in
 * MPICH", 2005, section 4.5.
 */
class FoldedAllReduce : public AllReduceCollective
{
  public:
    uint32_t GetNSteps(uint32_t size) const override;
    void GetStep(uint32_t step,
                 uint32_t index,
                 uint32_t size,
                 uint64_t bytes,
                 std::vector<RankExchange>& exchanges) const override;

  protected:
    /**
     * @param levels log2 of the number of ranks that take part
     * @return steps that they take
     */
    virtual uint32_t GetNCoreSteps(uint32_t levels) const = 0;

    /// What a rank exchanges with another in a step.
    struct Swap
    {
        uint32_t
            distance;   //!< its number among those that take part, exclusive or this, is the peer
        uint64_t bytes; //!< that it sends
    };

    /**
     * @param step one of them
     * @param place number of the rank among those that take part
     * @param levels log2 of how many they are
     * @param bytes S
     * @return the exchange
     */
    virtual Swap GetSwap(uint32_t step, uint32_t place, uint32_t levels, uint64_t bytes) const = 0;
};

/**
 * @ingroup dcfabric
 * @brief Recursive doubling: log2 p steps, in each of which ranks at distance 1, 2, 4 ... exchange
 * S bytes. Good for short vectors.
 */
class DoublingAllReduce : public FoldedAllReduce
{
  public:
    const char* GetAlgorithm() const override;

  protected:
    uint32_t GetNCoreSteps(uint32_t levels) const override;
    Swap GetSwap(uint32_t step, uint32_t place, uint32_t levels, uint64_t bytes) const override;
};

/**
 * @ingroup dcfabric
 * @brief Recursive halving and doubling: log2 p steps of reduce-scatter with ranks at distance p/2,
 * p/4 ... 1 that exchange S/2, S/4 ... S/p bytes, then the same backwards for the all-gather.
 */
class HalvingDoublingAllReduce : public FoldedAllReduce
{
  public:
    const char* GetAlgorithm() const override;

  protected:
    uint32_t GetNCoreSteps(uint32_t levels) const override;
    Swap GetSwap(uint32_t step, uint32_t place, uint32_t levels, uint64_t bytes) const override;
};

/**
 * @ingroup dcfabric
 * @brief Binomial tree: reduce to the first rank, then broadcast from it, in ceil(log2 n) steps
 * each, with S bytes in every message.
 */
class TreeAllReduce : public AllReduceCollective
{
  public:
    const char* GetAlgorithm() const override;
    uint32_t GetNSteps(uint32_t size) const override;
    void GetStep(uint32_t step,
                 uint32_t index,
                 uint32_t size,
                 uint64_t bytes,
                 std::vector<RankExchange>& exchanges) const override;
};

} // namespace ns3

#endif /* ALL_REDUCE_COLLECTIVES_H */
