// SPDX-License-Identifier: GPL-2.0-only
#include "dragonfly-topology.h"

#include "global-links.h"

#include "ns3/string.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DragonflyTopology);

TypeId
DragonflyTopology::GetTypeId()
{
    static TypeId tid =
        Counts<DragonflyTopology>::Add(
            TypeId("ns3::DragonflyTopology")
                .SetParent<RailTopology>()
                .SetGroupName("Dcfabric")
                .AddConstructor<DragonflyTopology>(),
            {{"Hosts", "Hosts of each router.", 2, &DragonflyTopology::m_hosts},
             {"Routers", "Routers of each group.", 4, &DragonflyTopology::m_routers},
             {"Globals", "Global ports of each router.", 2, &DragonflyTopology::m_globals}})
            .AddAttribute("Groups",
                          "Groups; 0: as many as have a link to every other.",
                          UintegerValue(9),
                          MakeUintegerAccessor(&DragonflyTopology::m_groups),
                          MakeUintegerChecker<uint32_t>(0, FabricGraph::MAX_NODES))
            .AddAttribute("Arrangement",
                          "Which groups the global ports of a group lead to: absolute, relative, "
                          "palm-tree or circulant.",
                          StringValue("absolute"),
                          MakeStringAccessor(&DragonflyTopology::m_arrangement),
                          MakeStringChecker());
    return tid;
}

RailTopology::Rail
DragonflyTopology::PlanRail() const
{
    const uint32_t globalPorts = m_routers * m_globals;
    const uint32_t groups = m_groups == 0 ? globalPorts + 1 : m_groups;
    const uint64_t routers = uint64_t{groups} * m_routers;
    CheckSize("dragonfly",
              routers * m_hosts,
              routers,
              routers * (m_routers - 1) / 2 + routers * m_globals / 2);

    Rail rail;
    rail.tiers = GetFlatTiers(3, "a dragonfly");
    rail.hosts = m_hosts;
    rail.withHosts = static_cast<uint32_t>(routers);
    rail.nGroups = groups;
    rail.switches.reserve(routers);
    for (uint32_t i = 0; i < routers; i++)
    {
        const uint32_t group = i / m_routers;
        rail.switches.push_back(
            {1, group, "router-" + std::to_string(group) + "-" + std::to_string(i % m_routers)});
    }
    for (uint32_t i = 0; i < routers; i++)
    {
        for (uint32_t j = i + 1; j < (i / m_routers + 1) * m_routers; j++)
        {
            rail.links.push_back({i, j, 1});
        }
    }
    for (const GlobalLink& link : ArrangeGlobalLinks(m_arrangement, groups, globalPorts))
    {
        rail.links.push_back({link.groupA * m_routers + link.portA / m_globals,
                              link.groupB * m_routers + link.portB / m_globals,
                              2});
    }
    return rail;
}

} // namespace ns3
