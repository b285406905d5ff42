// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOW_ORDER_H
#define FLOW_ORDER_H

#include <cstdint>
#include <tuple>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief When a source has made a flow, told so that it does not depend on which process made it:
 * flows are numbered in this order.
 *
 * All that a source does at one time it does in rounds: what leads to something else at the same
 * time is a round before it. A round has phases, and in each of them it goes from rank to rank.
 */
struct FlowOrder
{
    int64_t atPs{0};        //!< when, in ps
    uint32_t round{0};      //!< of all at that time
    uint32_t phase{0};      //!< of the round
    int64_t askedPs{0};     //!< of an answer: when it was asked for, in ps; else 0
    uint32_t askedRound{0}; //!< likewise
    uint32_t askedPhase{0}; //!< likewise
    uint32_t rank{0};       //!< that made it; of an answer: that asked
    uint64_t number{0};     //!< counts what the process of that rank has made

    /// @return all of it, to compare
    auto Tie() const
    {
        return std::tie(atPs, round, phase, askedPs, askedRound, askedPhase, rank, number);
    }

    /**
     * @param o another
     * @return true if this one comes first
     */
    bool operator<(const FlowOrder& o) const
    {
        return Tie() < o.Tie();
    }

    /**
     * @param o another
     * @return true if they are the same
     */
    bool operator==(const FlowOrder& o) const
    {
        return Tie() == o.Tie();
    }
};

} // namespace ns3

#endif /* FLOW_ORDER_H */
