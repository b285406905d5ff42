// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_TOPOLOGY_H
#define FABRIC_TOPOLOGY_H

#include "fabric-graph.h"

#include "ns3/fabric-form.h"
#include "ns3/named-table.h"
#include "ns3/object.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What a user may say about the links of any topology; empty means not given.
 */
struct FabricTopologyOptions
{
    std::string rate;             //!< rate of all links, such as `100Gbps`
    std::string delay;            //!< delay of all links, such as `1us`
    std::string tierRates;        //!< comma list of rates, host links first
    std::string tierDelays;       //!< comma list of delays, host links first
    std::string oversubscription; //!< comma list of down / up capacity, edge switches first
};

/**
 * @ingroup dcfabric
 * @brief Base class of topologies: something that yields a FabricGraph.
 */
class FabricTopology : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @brief Build the plan of the network.
     * @return a graph that has passed Validate()
     * @throws FabricError if the parameters or the file make no network
     */
    virtual FabricGraph BuildGraph() const = 0;

    /**
     * @brief Apply options that are common to all topologies.
     * @param options what the user gave
     * @throws FabricError for a malformed value, or a value that this topology has no use for
     */
    virtual void Configure(const FabricTopologyOptions& options) = 0;

    /// @return the workload that programs take if the user names none
    virtual const char* GetUsualWorkload() const
    {
        return "websearch";
    }

    /// @return TypeId name of the routing that programs take if the user names none
    virtual const char* GetUsualRouting() const
    {
        return "ns3::ShortestPathRouting";
    }

    /// @return what says the latency of switches; null: nothing, it may be added to the plan
    virtual const char* GetLatencyKey() const
    {
        return nullptr;
    }
};

/**
 * @ingroup dcfabric
 * @return all topologies that a command line can name: a new one is a line of this table
 */
NamedTable<FabricForm>& GetFabricTopologyTable();

/**
 * @ingroup dcfabric
 * @return the entries of GetFabricTopologyTable()
 */
const std::vector<FabricForm>& GetFabricTopologyForms();

/**
 * @ingroup dcfabric
 * @brief Make a topology from its command line form, such as `leaf-spine:leaves=4` or `file:PATH`.
 * @param spec one of GetFabricTopologyForms(); keys left out keep the attribute's default
 * @param options rates, delays and oversubscription, where the user gave them
 * @return the topology
 * @throws FabricError for an unknown name or key (listing the known ones), a malformed value, or an
 * option that has no effect on this topology
 */
Ptr<FabricTopology> MakeFabricTopology(
    const std::string& spec,
    const FabricTopologyOptions& options = FabricTopologyOptions());

} // namespace ns3

#endif /* FABRIC_TOPOLOGY_H */
