// SPDX-License-Identifier: GPL-2.0-only
#include "fat-tree-topology.h"

#include "ns3/fabric-error.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(FatTreeTopology);

TypeId
FatTreeTopology::GetTypeId()
{
    static TypeId tid = TypeId("ns3::FatTreeTopology")
                            .SetParent<TieredTopology>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<FatTreeTopology>()
                            .AddAttribute("K",
                                          "Ports per switch, even, from 2 to 128.",
                                          UintegerValue(8),
                                          MakeUintegerAccessor(&FatTreeTopology::m_k),
                                          MakeUintegerChecker<uint32_t>(2, 128));
    return tid;
}

FabricGraph
FatTreeTopology::BuildGraph() const
{
    if (m_k < 2 || m_k > MAX_K || m_k % 2 != 0)
    {
        throw FabricError("fat-tree: k=" + std::to_string(m_k) +
                          " is not an even number from 2 to " + std::to_string(MAX_K));
    }
    const uint32_t half = m_k / 2;
    const uint32_t perPod = half * half;
    const uint32_t hosts = m_k * perPod;
    const uint32_t edges = m_k * half;
    const uint32_t firstEdge = hosts;
    const uint32_t firstAgg = firstEdge + edges;
    const uint32_t firstCore = firstAgg + edges;
    const std::vector<Tier> tiers = GetTiers({1.0, 1.0});

    FabricGraph graph;
    graph.Reserve(firstCore + perPod, 3 * hosts);
    for (uint32_t i = 0; i < hosts; i++)
    {
        graph.AddHost(i / perPod);
    }
    for (uint32_t i = 0; i < edges; i++)
    {
        graph.AddSwitch(1,
                        i / half,
                        "edge-" + std::to_string(i / half) + "-" + std::to_string(i % half));
    }
    for (uint32_t i = 0; i < edges; i++)
    {
        graph.AddSwitch(2,
                        i / half,
                        "agg-" + std::to_string(i / half) + "-" + std::to_string(i % half));
    }
    for (uint32_t i = 0; i < perPod; i++)
    {
        graph.AddSwitch(3, 0, "core-" + std::to_string(i));
    }
    // Links from the hosts up, so that the lower ports of every switch lead down.
    for (uint32_t i = 0; i < hosts; i++)
    {
        graph.AddLink(i, firstEdge + i / half, tiers[0].rateBps, tiers[0].delayPs);
    }
    for (uint32_t i = 0; i < edges; i++)
    {
        const uint32_t podAgg = firstAgg + i / half * half;
        for (uint32_t j = 0; j < half; j++)
        {
            graph.AddLink(firstEdge + i, podAgg + j, tiers[1].rateBps, tiers[1].delayPs);
        }
    }
    for (uint32_t i = 0; i < edges; i++)
    {
        const uint32_t group = firstCore + i % half * half;
        for (uint32_t j = 0; j < half; j++)
        {
            graph.AddLink(firstAgg + i, group + j, tiers[2].rateBps, tiers[2].delayPs);
        }
    }
    graph.Validate();
    return graph;
}

} // namespace ns3
