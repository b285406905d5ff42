// SPDX-License-Identifier: GPL-2.0-only
#ifndef ROOT_COLLECTIVES_H
#define ROOT_COLLECTIVES_H

#include "rank-collective.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Gather: every rank sends its block of S/n bytes to the root, all at once.
 *
 * As the linear algorithm of MPI libraries, and NCCL, where it is a group of sends and receives: an
 * incast. The block of the root stays where it is.
 */
class LinearGather : public RankCollective
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
 * @brief Scatter: the root sends every other rank a block of its S bytes, S/n each, all at once.
 */
class LinearScatter : public LinearGather
{
  public:
    const char* GetName() const override;
    void GetStep(uint32_t step,
                 uint32_t index,
                 uint32_t size,
                 uint64_t bytes,
                 std::vector<RankExchange>& exchanges) const override;
};

} // namespace ns3

#endif /* ROOT_COLLECTIVES_H */
