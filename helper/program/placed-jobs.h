// SPDX-License-Identifier: GPL-2.0-only
#ifndef PLACED_JOBS_H
#define PLACED_JOBS_H

#include "rank-job.h"

#include "ns3/fabric-graph.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief A job that is to get hosts beside others.
 */
struct JobRequest
{
    RankJob job{1};               //!< it, with a name if there are others
    std::vector<uint32_t> places; //!< of hosts, in the order in which it would take them
    bool fixed{false};            //!< it takes the first ones, those of other jobs included
    bool isMute{false};           //!< it only keeps its hosts from others
};

/**
 * @ingroup dcfabric
 * @brief Give each job its hosts: first those whose hosts are fixed, then each of the others, in
 * turn, the first ones of its order that no job has.
 * @param jobs at least one that is not mute
 * @return those that are not mute together
 * @throws FabricError if one gets too few hosts, or two have one name
 */
RankJob PlaceJobs(std::vector<JobRequest> jobs);

} // namespace ns3

#endif /* PLACED_JOBS_H */
