// SPDX-License-Identifier: GPL-2.0-only
#ifndef RANK_LANES_H
#define RANK_LANES_H

#include "numbered-pool.h"

#include "ns3/rank-collective.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief A lane of a collective (CollectivePlan) that a rank is in.
 */
struct RankLane
{
    uint32_t collective{0};              //!< number of the collective
    uint32_t number{0};                  //!< among its lanes
    uint32_t step{0};                    //!< that comes next
    uint32_t open{0};                    //!< what the step has to receive of what it has begun
    uint32_t messages{0};                //!< that the step receives
    uint32_t next{0};                    //!< first of `exchanges` that has not begun
    bool released{false};                //!< it is about to go on
    uint64_t sums{0};                    //!< bytes of them that the rank adds to its own
    std::vector<RankExchange> exchanges; //!< of a step with a window; else empty
};

/**
 * @ingroup dcfabric
 * @brief Lanes of all ranks.
 */
struct RankLanes
{
    NumberedPool<RankLane> lanes;        //!< by number
    std::vector<RankExchange> exchanges; //!< of a step without window
};

} // namespace ns3

#endif /* RANK_LANES_H */
