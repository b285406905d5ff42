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
    uint64_t bytes; //!< that are sent; received: that the rank adds to its own
};

/**
 * @ingroup dcfabric
 * @brief An operation that the ranks of a group do together, by one algorithm: each rank takes
 * steps, and the next begins when it has received all messages of the step before.
 *
 * What it sends is buffered: only the end of its program waits for the ACKs. A rank knows nothing
 * of the others but what arrives. All of a group begin their collectives in the same order.
 */
struct RankCollective
{
    /// Number of steps that each of `size` ranks takes; in some it may have nothing to do.
    using StepsFunction = uint32_t (*)(uint32_t size);

    /// Appends what the rank at place `index` of the group, counted from the root, does in a step
    /// of a collective of `bytes`.
    using StepFunction = void (*)(uint32_t step,
                                  uint32_t index,
                                  uint32_t size,
                                  uint64_t bytes,
                                  std::vector<RankExchange>& exchanges);

    /// Bus bandwidth over algorithm bandwidth, as nccl-tests (NVIDIA, PERFORMANCE.md) has it: the
    /// share of the data that has to cross every rank's link; 0 without data.
    using BusFactorFunction = double (*)(uint32_t size);

    const char* name;               //!< its name in programs
    const char* algorithm;          //!< one of those of that name
    BusFactorFunction getBusFactor; //!< of a number of ranks
    StepsFunction getNSteps;        //!< of a number of ranks
    StepFunction addStep;           //!< of a rank
    bool sizeForPeer{false};        //!< the size is that for one other rank, and may differ
    StepFunction addOther{nullptr}; //!< of half of the vector, beside the other half; null: none
    bool turns{false};              //!< a ring: several have orders of their own (CollectivePlan)
    bool windowed{
        false}; //!< steps have many exchanges, of which a window may bound those under way
    bool inNetwork{false}; //!< switches do it (ReductionSession): it has no steps
    bool byDims{false};    //!< for groups of several dimensions only (CollectivePlan)
    /// Into how many chunks the vector is cut, of a number of ranks and bytes, if the user does not
    /// say; null: into one.
    uint32_t (*getChunks)(uint32_t size, uint64_t bytes){nullptr};
};

/**
 * @ingroup dcfabric
 * @return all collectives, by their index in programs; of those with one name, the first is the
 * default
 */
const std::vector<RankCollective>& GetRankCollectives();

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
