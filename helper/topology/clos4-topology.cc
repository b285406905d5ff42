// SPDX-License-Identifier: GPL-2.0-only
#include "clos4-topology.h"

#include "ns3/fabric-error.h"

#include <string>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(Clos4Topology);

namespace
{

/// @return name of a switch as the source writes it; rack and place in it are from 0
std::string
NameSwitch(uint32_t layer, uint32_t rack, uint32_t place)
{
    return "L" + std::to_string(layer) + "-" + std::to_string(rack + 1) + "-" +
           std::to_string(place + 1);
}

} // namespace

TypeId
Clos4Topology::GetTypeId()
{
    static TypeId tid = Counts<Clos4Topology>::Add(
        TypeId("ns3::Clos4Topology")
            .SetParent<TieredTopology>()
            .SetGroupName("Dcfabric")
            .AddConstructor<Clos4Topology>(),
        {{"Racks", "Computing racks, a multiple of L3.", 4, &Clos4Topology::m_racks},
         {"HostsPerL1", "Hosts at each layer-1 switch.", 2, &Clos4Topology::m_hosts},
         {"L1", "Layer-1 switches of a computing rack.", 2, &Clos4Topology::m_l1},
         {"L2", "Layer-2 switches of a computing rack.", 2, &Clos4Topology::m_l2},
         {"SwitchingRacks", "Switching racks.", 2, &Clos4Topology::m_switchingRacks},
         {"L3", "Layer-3 switches of a switching rack.", 2, &Clos4Topology::m_l3},
         {"L4", "Layer-4 switches of a switching rack.", 2, &Clos4Topology::m_l4}});
    return tid;
}

FabricGraph
Clos4Topology::BuildGraph() const
{
    if (m_racks % m_l3 != 0)
    {
        throw FabricError("clos4: racks=" + std::to_string(m_racks) +
                          " computing racks do not spread evenly over l3=" + std::to_string(m_l3) +
                          " layer-3 switches of a switching rack; use a multiple");
    }
    const uint64_t hosts = uint64_t{m_racks} * m_l1 * m_hosts;
    const uint64_t nodes =
        hosts + uint64_t{m_racks} * (m_l1 + m_l2) + uint64_t{m_switchingRacks} * (m_l3 + m_l4);
    if (nodes > FabricGraph::MAX_NODES)
    {
        throw FabricError("clos4: " + std::to_string(nodes) + " nodes; a topology has at most " +
                          std::to_string(FabricGraph::MAX_NODES));
    }
    const auto ratio = [](uint64_t up, uint64_t down) {
        return static_cast<double>(up) / static_cast<double>(down);
    };
    const std::vector<Tier> tiers = GetTiers({ratio(m_l2, m_hosts),
                                              ratio(m_switchingRacks, m_l1),
                                              ratio(m_l4, uint64_t{m_l2} * m_racks / m_l3)});

    FabricGraph graph;
    for (uint32_t i = 0; i < hosts; i++)
    {
        const uint32_t rack = i / (m_l1 * m_hosts);
        graph.AddHost(rack,
                      "H-" + std::to_string(rack + 1) + "-" +
                          std::to_string(i % (m_l1 * m_hosts) + 1));
    }
    // first switch of each layer
    const auto first1 = static_cast<uint32_t>(hosts);
    const uint32_t first2 = first1 + m_racks * m_l1;
    const uint32_t first3 = first2 + m_racks * m_l2;
    const uint32_t first4 = first3 + m_switchingRacks * m_l3;
    const auto addLayer = [&graph](uint8_t layer, uint32_t racks, uint32_t perRack) {
        for (uint32_t i = 0; i < racks * perRack; i++)
        {
            const uint32_t rack = i / perRack;
            graph.AddSwitch(layer, layer <= 2 ? rack : 0, NameSwitch(layer, rack, i % perRack));
        }
    };
    addLayer(1, m_racks, m_l1);
    addLayer(2, m_racks, m_l2);
    addLayer(3, m_switchingRacks, m_l3);
    addLayer(4, m_switchingRacks, m_l4);
    const auto join = [&graph, &tiers](uint32_t lower, uint32_t upper, size_t tier) {
        graph.AddLink(lower, upper, tiers[tier].rateBps, tiers[tier].delayPs);
    };
    for (uint32_t i = 0; i < hosts; i++)
    {
        join(i, first1 + i / m_hosts, 0);
    }
    for (uint32_t i = 0; i < m_racks * m_l1; i++)
    {
        for (uint32_t j = 0; j < m_l2; j++)
        {
            join(first1 + i, first2 + i / m_l1 * m_l2 + j, 1);
        }
    }
    for (uint32_t i = 0; i < m_racks * m_l2; i++)
    {
        for (uint32_t s = 0; s < m_switchingRacks; s++)
        {
            join(first2 + i, first3 + s * m_l3 + i / m_l2 % m_l3, 2);
        }
    }
    for (uint32_t i = 0; i < m_switchingRacks * m_l3; i++)
    {
        for (uint32_t j = 0; j < m_l4; j++)
        {
            join(first3 + i, first4 + i / m_l3 * m_l4 + j, 3);
        }
    }
    graph.Validate();
    return graph;
}

} // namespace ns3
