// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAIL_TOPOLOGY_H
#define RAIL_TOPOLOGY_H

#include "ns3/tiered-topology.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Base class of networks of which there may be several, alike, for hosts with several ports.
 *
 * With `Rails` R above 1 a host has R ports, and port r leads to its place in copy r of the
 * network, a *rail*. Rails share no switch and no link. Nodes are numbered hosts first, in the
 * order of their switches and ports, then the switches rail by rail. Links are added hosts first,
 * then those between switches, rail by rail; so the lower ports of a switch lead to its hosts. With
 * several rails the names of switches begin with `rail-<r>-`.
 */
class RailTopology : public TieredTopology
{
  public:
    /// Largest value of each count.
    static constexpr uint32_t MAX_COUNT = 4096;

    /// Largest number of rails.
    static constexpr uint32_t MAX_RAILS = 64;

    /// Largest number of links.
    static constexpr uint64_t MAX_LINKS = uint64_t{1} << 25;

    /// @return the TypeId
    static TypeId GetTypeId();

    FabricGraph BuildGraph() const final;

  protected:
    /// A switch of a rail.
    struct Switch
    {
        uint8_t tier;     //!< as in FabricGraph
        uint32_t pod;     //!< as in FabricGraph
        std::string name; //!< legible place
    };

    /// A link of a rail between two of its switches.
    struct Link
    {
        uint32_t a;    //!< place of one end in Rail::switches
        uint32_t b;    //!< place of the other
        uint32_t tier; //!< of the link, from 1
    };

    /// One network without its hosts.
    struct Rail
    {
        std::vector<Switch> switches; //!< those with hosts first
        std::vector<Link> links;      //!< in the order of ports
        std::vector<Tier> tiers;      //!< rates and delays, host links first
        uint32_t withHosts{0};        //!< number of switches that have hosts
        uint32_t hosts{0};            //!< hosts at each of these
        uint32_t nGroups{0};          //!< as in FabricGraph
        FabricGrid grid;              //!< as in FabricGraph
    };

    /**
     * @brief Plan one network.
     * @return the plan
     * @throws FabricError if the parameters make none
     */
    virtual Rail PlanRail() const = 0;

    /**
     * @brief Refuse what is too large, before it is planned.
     * @param what the topology, for messages
     * @param hosts of the network
     * @param switches of one rail
     * @param links of one rail between switches
     * @throws FabricError beyond FabricGraph::MAX_NODES nodes or MAX_LINKS links
     */
    void CheckSize(const std::string& what,
                   uint64_t hosts,
                   uint64_t switches,
                   uint64_t links) const;

  private:
    uint32_t m_rails; //!< copies of the network, and ports of each host
};

} // namespace ns3

#endif /* RAIL_TOPOLOGY_H */
