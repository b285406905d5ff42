// SPDX-License-Identifier: GPL-2.0-only
#ifndef RANK_COLLECTIVE_H
#define RANK_COLLECTIVE_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What a rank does with another in a step of a collective.
 */
struct RankExchange
{
    uint32_t peer;  //!< place of the other in the group, counted from the root
    bool send;      //!< true: it is sent something; false: received from
    uint64_t bytes; //!< that are sent
};

/**
 * @ingroup dcfabric
 * @brief An operation that the ranks of a group do together, as a program of messages: each rank
 * takes steps, and the next begins when it has received all messages of the step before.
 *
 * What it sends is buffered: only the end of its program waits for the ACKs. A rank knows nothing
 * of the others but what arrives. All of a group begin their collectives in the same order.
 */
class RankCollective
{
  public:
    virtual ~RankCollective() = default;

    /// @return its name in programs
    virtual const char* GetName() const = 0;

    /// @return name of the algorithm, one of those of GetName()
    virtual const char* GetAlgorithm() const = 0;

    /// @return true if the size is that for one other rank, and may differ between ranks
    virtual bool IsSizeForPeer() const
    {
        return false;
    }

    /**
     * @param size number of ranks in the group
     * @return bus bandwidth over algorithm bandwidth, as nccl-tests (NVIDIA, PERFORMANCE.md) has
     * it: the share of the data that has to cross every rank's link; 0 without data
     */
    virtual double GetBusFactor(uint32_t size) const = 0;

    /**
     * @param size number of ranks in the group
     * @return number of steps that each takes; in some it may have nothing to do
     */
    virtual uint32_t GetNSteps(uint32_t size) const = 0;

    /**
     * @param step a step
     * @param index place of the rank in the group, counted from the root
     * @param size number of ranks in the group
     * @param bytes of the collective, as its algorithm counts them
     * @param exchanges what the rank does in it is appended
     */
    virtual void GetStep(uint32_t step,
                         uint32_t index,
                         uint32_t size,
                         uint64_t bytes,
                         std::vector<RankExchange>& exchanges) const = 0;
};

/**
 * @ingroup dcfabric
 * @brief Barrier by dissemination: in step r of ceil(log2 n), a rank sends to the one 2^r places
 * after it and waits for the one 2^r places before it. Nobody has left before all have come.
 *
 * Source: Hensgen, Finkel, Manber, "Two algorithms for barrier synchronization", 1988. Messages
 * have one byte, the least there is.
 */
class DisseminationBarrier : public RankCollective
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
 * @return all collectives, by their index in programs; of those with one name, the first is the
 * default
 */
const std::vector<const RankCollective*>& GetRankCollectives();

/**
 * @ingroup dcfabric
 * @param name of a collective
 * @param algorithm of it; empty: the default
 * @return its index among GetRankCollectives()
 * @throws FabricError if there is none, listing the known ones
 */
uint32_t FindRankCollective(const std::string& name, const std::string& algorithm);

} // namespace ns3

#endif /* RANK_COLLECTIVE_H */
