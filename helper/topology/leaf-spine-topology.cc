// SPDX-License-Identifier: GPL-2.0-only
#include "leaf-spine-topology.h"

#include "ns3/fabric-error.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(LeafSpineTopology);

TypeId
LeafSpineTopology::GetTypeId()
{
    static TypeId tid = Counts<LeafSpineTopology>::Add(
        TypeId("ns3::LeafSpineTopology")
            .SetParent<TieredTopology>()
            .SetGroupName("Dcfabric")
            .AddConstructor<LeafSpineTopology>(),
        {{"Leaves", "Number of leaf switches.", 8, &LeafSpineTopology::m_leaves},
         {"Spines", "Number of spine switches.", 8, &LeafSpineTopology::m_spines},
         {"HostsPerLeaf", "Number of hosts at each leaf.", 16, &LeafSpineTopology::m_hostsPerLeaf},
         {"Homes", "Leaves to which each host has a link.", 1, &LeafSpineTopology::m_homes}});
    return tid;
}

FabricGraph
LeafSpineTopology::BuildGraph() const
{
    for (auto count : {m_leaves, m_spines, m_hostsPerLeaf})
    {
        if (count < 1 || count > MAX_COUNT)
        {
            throw FabricError("leaf-spine: leaves, spines and hosts per leaf must be from 1 to " +
                              std::to_string(MAX_COUNT) + ", not " + std::to_string(count));
        }
    }
    if (m_homes < 1 || m_leaves % m_homes != 0)
    {
        throw FabricError("leaf-spine: " + std::to_string(m_leaves) +
                          " leaves do not form groups of homes=" + std::to_string(m_homes) +
                          "; the number of leaves must be a multiple");
    }
    const uint32_t hosts = m_leaves / m_homes * m_hostsPerLeaf;
    const uint32_t firstSpine = hosts + m_leaves;
    const std::vector<Tier> tiers = GetTiers({static_cast<double>(m_spines) / m_hostsPerLeaf});

    FabricGraph graph;
    if (hosts < FabricGraph::MAX_NODES)
    {
        graph.Reserve(firstSpine + m_spines, hosts * m_homes + m_leaves * m_spines);
    }
    for (uint32_t i = 0; i < hosts; i++)
    {
        graph.AddHost(i / m_hostsPerLeaf);
    }
    for (uint32_t i = 0; i < m_leaves; i++)
    {
        graph.AddSwitch(1, i / m_homes, "leaf-" + std::to_string(i));
    }
    for (uint32_t i = 0; i < m_spines; i++)
    {
        graph.AddSwitch(2, 0, "spine-" + std::to_string(i));
    }
    for (uint32_t i = 0; i < hosts; i++)
    {
        for (uint32_t j = 0; j < m_homes; j++)
        {
            const uint32_t leaf = hosts + i / m_hostsPerLeaf * m_homes + j;
            graph.AddLink(i, leaf, tiers[0].rateBps, tiers[0].delayPs);
        }
    }
    for (uint32_t i = 0; i < m_leaves; i++)
    {
        for (uint32_t j = 0; j < m_spines; j++)
        {
            graph.AddLink(hosts + i, firstSpine + j, tiers[1].rateBps, tiers[1].delayPs);
        }
    }
    graph.Validate();
    return graph;
}

} // namespace ns3
