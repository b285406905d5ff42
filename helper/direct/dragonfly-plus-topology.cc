// SPDX-License-Identifier: GPL-2.0-only
#include "dragonfly-plus-topology.h"

#include "global-links.h"

#include "ns3/string.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DragonflyPlusTopology);

TypeId
DragonflyPlusTopology::GetTypeId()
{
    static TypeId tid =
        Counts<DragonflyPlusTopology>::Add(
            TypeId("ns3::DragonflyPlusTopology")
                .SetParent<RailTopology>()
                .SetGroupName("Dcfabric")
                .AddConstructor<DragonflyPlusTopology>(),
            {{"Leaves", "Leaves of each group.", 4, &DragonflyPlusTopology::m_leaves},
             {"Spines", "Spines of each group.", 4, &DragonflyPlusTopology::m_spines},
             {"Hosts", "Hosts of each leaf.", 4, &DragonflyPlusTopology::m_hosts},
             {"Globals", "Global ports of each spine.", 4, &DragonflyPlusTopology::m_globals}})
            .AddAttribute("Groups",
                          "Groups; 0: as many as have a link to every other.",
                          UintegerValue(9),
                          MakeUintegerAccessor(&DragonflyPlusTopology::m_groups),
                          MakeUintegerChecker<uint32_t>(0, FabricGraph::MAX_NODES))
            .AddAttribute("Arrangement",
                          "Which groups the global ports of a group lead to: absolute, relative, "
                          "palm-tree or circulant.",
                          StringValue("absolute"),
                          MakeStringAccessor(&DragonflyPlusTopology::m_arrangement),
                          MakeStringChecker());
    return tid;
}

RailTopology::Rail
DragonflyPlusTopology::PlanRail() const
{
    const uint32_t globalPorts = m_spines * m_globals;
    const uint32_t groups = m_groups == 0 ? globalPorts + 1 : m_groups;
    const uint64_t leaves = uint64_t{groups} * m_leaves;
    const uint64_t spines = uint64_t{groups} * m_spines;
    CheckSize("dragonfly-plus",
              leaves * m_hosts,
              leaves + spines,
              leaves * m_spines + spines * m_globals / 2);
    const auto ratio = [](uint32_t up, uint32_t down) { return static_cast<double>(up) / down; };

    Rail rail;
    rail.tiers = GetTiers({ratio(m_spines, m_hosts), ratio(m_globals, m_leaves)});
    rail.hosts = m_hosts;
    rail.withHosts = static_cast<uint32_t>(leaves);
    rail.nGroups = groups;
    rail.switches.reserve(leaves + spines);
    const auto addLayer = [&](uint8_t tier, const std::string& name, uint32_t perGroup) {
        for (uint32_t i = 0; i < groups * perGroup; i++)
        {
            const uint32_t group = i / perGroup;
            rail.switches.push_back(
                {tier, group, name + std::to_string(group) + "-" + std::to_string(i % perGroup)});
        }
    };
    addLayer(1, "leaf-", m_leaves);
    addLayer(2, "spine-", m_spines);
    const auto firstSpine = rail.withHosts;
    for (uint32_t i = 0; i < leaves; i++)
    {
        for (uint32_t j = 0; j < m_spines; j++)
        {
            rail.links.push_back({i, firstSpine + i / m_leaves * m_spines + j, 1});
        }
    }
    for (const GlobalLink& link : ArrangeGlobalLinks(m_arrangement, groups, globalPorts))
    {
        rail.links.push_back({firstSpine + link.groupA * m_spines + link.portA / m_globals,
                              firstSpine + link.groupB * m_spines + link.portB / m_globals,
                              2});
    }
    return rail;
}

} // namespace ns3
