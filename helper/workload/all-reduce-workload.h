// SPDX-License-Identifier: GPL-2.0-only
#ifndef ALL_REDUCE_WORKLOAD_H
#define ALL_REDUCE_WORKLOAD_H

#include "generated-workload.h"

#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Base class of all-reduce: every host holds a vector of `Size` bytes and in the end their
 * sum.
 *
 * All hosts take part, in the order of their numbers. A host's message of one step starts when its
 * message of the step before has arrived at it (computing the sum takes no time); those of the
 * first step start together. Nothing is drawn. Every message is a flow; flow s x N + i is what the
 * i-th of N hosts sends in step s.
 */
class AllReduceWorkload : public SizedWorkload
{
  public:
    /// Largest number of flows that are made.
    static constexpr uint64_t MAX_FLOWS = 20000000;

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::vector<FabricFlow> Generate(const FabricGraph& graph) override;

    std::vector<FlowTrigger> GetTriggers() const override
    {
        return m_triggers;
    }

  protected:
    /**
     * @param count number N of hosts
     * @return number of steps
     * @throws FabricError if this algorithm cannot do with that number
     */
    virtual uint32_t GetNSteps(uint32_t count) const = 0;

    /**
     * @param step a step
     * @param host place of a host among all
     * @param count number N of hosts
     * @return place of the host to which it sends in that step
     */
    virtual uint32_t GetPeer(uint32_t step, uint32_t host, uint32_t count) const = 0;

    /**
     * @param step a step
     * @param host place of a host among all
     * @param count number N of hosts
     * @return first byte of the vector that it sends in that step, and the one after the last
     */
    virtual std::pair<uint64_t, uint64_t> GetRange(uint32_t step,
                                                   uint32_t host,
                                                   uint32_t count) const = 0;

    /**
     * @param block number of a block, from 0 to count
     * @param count number of blocks into which the vector is cut as evenly as bytes go
     * @return first byte of that block
     */
    uint64_t GetBlock(uint32_t block, uint32_t count) const
    {
        return static_cast<uint64_t>(static_cast<__uint128_t>(m_size) * block / count);
    }

  private:
    std::vector<FlowTrigger> m_triggers; //!< of the last Generate()
};

/**
 * @ingroup dcfabric
 * @brief Ring all-reduce: N - 1 steps of reduce-scatter, then N - 1 of all-gather, 1/N of the
 * vector to the next host in each.
 *
 * Source: Patarasuk, Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations",
 * 2009.
 */
class RingAllReduceWorkload : public AllReduceWorkload
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

  protected:
    uint32_t GetNSteps(uint32_t count) const override;
    uint32_t GetPeer(uint32_t step, uint32_t host, uint32_t count) const override;
    std::pair<uint64_t, uint64_t> GetRange(uint32_t step,
                                           uint32_t host,
                                           uint32_t count) const override;
};

/**
 * @ingroup dcfabric
 * @brief Halving and doubling: log2 N steps of reduce-scatter with hosts at distance N/2, N/4 ... 1
 * that exchange 1/2, 1/4 ... 1/N of the vector, then the same backwards for the all-gather.
 *
 * N must be a power of two. Source: Thakur, Rabenseifner, Gropp, "Optimization of collective
 * communication operations in MPICH", 2005.
 */
class HalvingDoublingWorkload : public AllReduceWorkload
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

  protected:
    uint32_t GetNSteps(uint32_t count) const override;
    uint32_t GetPeer(uint32_t step, uint32_t host, uint32_t count) const override;
    std::pair<uint64_t, uint64_t> GetRange(uint32_t step,
                                           uint32_t host,
                                           uint32_t count) const override;
};

} // namespace ns3

#endif /* ALL_REDUCE_WORKLOAD_H */
