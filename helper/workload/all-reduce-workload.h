// SPDX-License-Identifier: GPL-2.0-only
#ifndef ALL_REDUCE_WORKLOAD_H
#define ALL_REDUCE_WORKLOAD_H

#include "generated-workload.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Base class of all-reduce: every host holds a vector of `Size` bytes and in the end their
 * sum.
 *
 * All hosts take part, in the order of their numbers, by the steps of GetRankCollectives(). A
 * host's message of one step starts when its message of the step before has arrived at it
 * (computing the sum takes no time); those of the first step start together. Nothing is drawn.
 * Every message is a flow; flow s x N + i is what the i-th of N hosts sends in step s.
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
     * @param algorithm of `allreduce` in GetRankCollectives(); one in which each rank sends one
     * message in each step, if CheckCount() lets it
     */
    explicit AllReduceWorkload(const std::string& algorithm);

    /**
     * @param count number N of hosts
     * @throws FabricError if this algorithm cannot do with that number
     */
    virtual void CheckCount(uint32_t count) const;

  private:
    std::string m_algorithm;             //!< of the collective
    std::vector<FlowTrigger> m_triggers; //!< of the last Generate()
};

/**
 * @ingroup dcfabric
 * @brief Ring all-reduce: N - 1 steps of reduce-scatter, then N - 1 of all-gather, 1/N of the
 * vector to the next host in each.
 */
class RingAllReduceWorkload : public AllReduceWorkload
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    RingAllReduceWorkload();
};

/**
 * @ingroup dcfabric
 * @brief Halving and doubling: log2 N steps of reduce-scatter with hosts at distance N/2, N/4 ... 1
 * that exchange 1/2, 1/4 ... 1/N of the vector, then the same backwards for the all-gather. N must
 * be a power of two.
 */
class HalvingDoublingWorkload : public AllReduceWorkload
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    HalvingDoublingWorkload();

  protected:
    void CheckCount(uint32_t count) const override;
};

} // namespace ns3

#endif /* ALL_REDUCE_WORKLOAD_H */
