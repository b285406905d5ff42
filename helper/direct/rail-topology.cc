// SPDX-License-Identifier: GPL-2.0-only
#include "rail-topology.h"

#include "ns3/fabric-error.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RailTopology);

TypeId
RailTopology::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RailTopology")
            .SetParent<TieredTopology>()
            .SetGroupName("Dcfabric")
            .AddAttribute("Rails",
                          "Copies of the network; each host has a port in every one.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&RailTopology::m_rails),
                          MakeUintegerChecker<uint32_t>(1, MAX_RAILS));
    return tid;
}

void
RailTopology::CheckSize(const std::string& what,
                        uint64_t hosts,
                        uint64_t switches,
                        uint64_t links) const
{
    const auto refuse = [&what](const char* things, uint64_t wanted, uint64_t most) {
        if (wanted > most)
        {
            throw FabricError(what + ": " + std::to_string(wanted) + " " + things +
                              "; a topology has at most " + std::to_string(most));
        }
    };
    refuse("nodes", hosts + m_rails * switches, FabricGraph::MAX_NODES);
    refuse("links", m_rails * (hosts + links), MAX_LINKS);
}

FabricGraph
RailTopology::BuildGraph() const
{
    const Rail rail = PlanRail();
    const uint32_t nHosts = rail.withHosts * rail.hosts;
    const auto nSwitches = static_cast<uint32_t>(rail.switches.size());
    FabricGraph graph;
    graph.Reserve(nHosts + m_rails * nSwitches,
                  m_rails * (nHosts + static_cast<uint32_t>(rail.links.size())));
    for (uint32_t i = 0; i < nHosts; i++)
    {
        graph.AddHost(rail.switches[i / rail.hosts].pod);
    }
    for (uint32_t r = 0; r < m_rails; r++)
    {
        const std::string prefix = m_rails > 1 ? "rail-" + std::to_string(r) + "-" : "";
        for (const Switch& s : rail.switches)
        {
            graph.AddSwitch(s.tier, s.pod, prefix + s.name);
        }
    }
    const auto join = [&](uint32_t a, uint32_t b, uint32_t tier) {
        graph.AddLink(a, b, rail.tiers[tier].rateBps, rail.tiers[tier].delayPs);
    };
    for (uint32_t i = 0; i < nHosts; i++)
    {
        for (uint32_t r = 0; r < m_rails; r++)
        {
            join(i, nHosts + r * nSwitches + i / rail.hosts, 0);
        }
    }
    for (uint32_t r = 0; r < m_rails; r++)
    {
        const uint32_t first = nHosts + r * nSwitches;
        for (const Link& link : rail.links)
        {
            join(first + link.a, first + link.b, link.tier);
        }
    }
    graph.SetNGroups(rail.nGroups);
    graph.SetGrid(rail.grid);
    graph.SetUsualRouting(GetUsualRouting());
    graph.Validate();
    return graph;
}

} // namespace ns3
