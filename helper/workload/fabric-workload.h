// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_WORKLOAD_H
#define FABRIC_WORKLOAD_H

#include "fabric-flow.h"
#include "flow-trigger.h"
#include "offered-load.h"

#include "ns3/fabric-graph.h"
#include "ns3/object.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Base class of traffic: turns a topology into a list of flows.
 *
 * Flows are generated before the run, so that the same list can be written to a file, replayed by
 * another simulator, and does not depend on how the network is built.
 */
class FabricWorkload : public Object
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @brief Draw the flows.
     * @param graph the network; must have passed FabricGraph::Validate()
     * @return flows between hosts of the graph; the index is the flow number. Generators sort by
     * start time, flow files keep the order of the file
     * @throws FabricError if the workload does not fit the network
     */
    virtual std::vector<FabricFlow> Generate(const FabricGraph& graph) = 0;

    /**
     * @brief What starts those flows that wait for others.
     * @return triggers of the flows of the last Generate(), without faults; most workloads have
     * none
     */
    virtual std::vector<FlowTrigger> GetTriggers() const
    {
        return {};
    }

    /**
     * @brief The labels by which results tell flows apart.
     * @return labels by FabricFlow::group; empty: the workload has none
     */
    virtual std::vector<std::string> GetGroups() const
    {
        return {};
    }

    /// @return span in which flows arrive, in ps; 0: the workload asks for no load
    virtual int64_t GetSpanPs() const
    {
        return 0;
    }

    /// @return load that is asked for in GetSpanPs(), see OfferedLoad; 0: none, or it is not known
    virtual double GetAskedLoad() const
    {
        return 0;
    }

    /**
     * @brief The load that flows really offer, which differs from the one asked for as much as
     * their arrivals and sizes are random.
     * @param graph the network @param flows of the last Generate()
     * @return it; nothing without span
     */
    virtual OfferedLoad GetOfferedLoad(const FabricGraph& graph,
                                       const std::vector<FabricFlow>& flows) const;

    /// @return classes whose attributes have an effect
    virtual std::vector<TypeId> GetTypes() const
    {
        return {GetInstanceTypeId()};
    }

    /**
     * @brief Fix the random streams, as everywhere in ns-3.
     *
     * Without a call streams are taken automatically at the first use and then depend on what else
     * was created.
     *
     * @param stream first stream number to use
     * @return number of streams reserved, 0 if the workload draws nothing
     */
    virtual int64_t AssignStreams(int64_t stream);
};

} // namespace ns3

#endif /* FABRIC_WORKLOAD_H */
