// SPDX-License-Identifier: GPL-2.0-only
#ifndef JOB_PLACEMENT_H
#define JOB_PLACEMENT_H

#include "ns3/fabric-form.h"
#include "ns3/fabric-graph.h"
#include "ns3/named-table.h"
#include "ns3/object.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Which hosts a job gets: the first ones, in an order of its own, that no other job has.
 *
 * A placement is a class in a file of its own, which adds itself to GetJobPlacementTable().
 */
class JobPlacement : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @brief Put the hosts in order.
     * @param graph the network
     * @return places of hosts in FabricGraph::GetHosts(), each once
     * @throws FabricError if the network has nothing that it could go by
     */
    virtual std::vector<uint32_t> ListPlaces(const FabricGraph& graph) = 0;

    /// @return true if the job takes the first hosts of all, those of other jobs included
    virtual bool IsFixed() const;

    /**
     * @brief Fix the random streams.
     * @param stream first stream number to use
     * @return number of streams reserved
     */
    virtual int64_t AssignStreams(int64_t stream);
};

/**
 * @ingroup dcfabric
 * @return how users write placements
 */
NamedTable<FabricForm>& GetJobPlacementTable();

/**
 * @ingroup dcfabric
 * @param text what a user wrote, such as `scattered` or `file:hosts.txt`
 * @return the placement
 * @throws FabricError for an unknown name
 */
Ptr<JobPlacement> MakeJobPlacement(const std::string& text);

/**
 * @ingroup dcfabric
 * @param graph a network
 * @return places of hosts in FabricGraph::GetHosts(), by the switch that their first port leads to,
 * in the order of hosts; hosts without a switch each by themselves. A switch inside a server counts
 * only for hosts that have no other
 */
std::vector<std::vector<uint32_t>> ListPlacesBySwitch(const FabricGraph& graph);

} // namespace ns3

#endif /* JOB_PLACEMENT_H */
