// SPDX-License-Identifier: GPL-2.0-only
#include "grid-topology.h"

#include "ns3/fabric-error.h"
#include "ns3/parse-units.h"
#include "ns3/string.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(GridTopology);

TypeId
GridTopology::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::GridTopology").SetParent<RailTopology>().SetGroupName("Dcfabric");
    return tid;
}

TypeId
GridTopology::AddGrid(TypeId tid, const char* dims, uint32_t hosts)
{
    return tid
        .AddAttribute("Dims",
                      "Switches in each dimension, joined by x.",
                      StringValue(dims),
                      MakeStringAccessor(&GridTopology::m_dims),
                      MakeStringChecker())
        .AddAttribute("Hosts",
                      "Hosts of each switch.",
                      UintegerValue(hosts),
                      MakeUintegerAccessor(&GridTopology::m_hosts),
                      MakeUintegerChecker<uint32_t>(1, MAX_COUNT));
}

std::vector<uint32_t>
GridTopology::ReadSizes() const
{
    std::vector<uint32_t> sizes;
    for (size_t begin = 0; begin <= m_dims.size();)
    {
        const size_t end = std::min(m_dims.find('x', begin), m_dims.size());
        const std::string item = m_dims.substr(begin, end - begin);
        const std::string where = std::string(GetName()) + ": dims=" + m_dims;
        const uint64_t size = ParseFabricUint(item, where);
        if (size < 2 || size > FabricGraph::MAX_NODES)
        {
            throw FabricError(where + ": a dimension has from 2 to " +
                              std::to_string(FabricGraph::MAX_NODES) + " switches, not " + item);
        }
        sizes.push_back(static_cast<uint32_t>(size));
        if (sizes.size() > MAX_DIMENSIONS)
        {
            throw FabricError(where + ": more than " + std::to_string(MAX_DIMENSIONS) +
                              " dimensions");
        }
        begin = end + 1;
    }
    return sizes;
}

RailTopology::Rail
GridTopology::PlanRail() const
{
    Rail rail;
    rail.grid.sizes = ReadSizes();
    rail.grid.wraps = Wraps();
    // Sizes and links are checked before either is counted in 32 bits.
    uint64_t switches = 1;
    for (const uint32_t size : rail.grid.sizes)
    {
        switches *= size;
        CheckSize(GetName(), switches * m_hosts, switches, 0);
    }
    uint64_t links = 0;
    for (const uint32_t size : rail.grid.sizes)
    {
        links += switches / size * CountLinks(size);
    }
    CheckSize(GetName(), switches * m_hosts, switches, links);

    rail.tiers = GetFlatTiers(1 + rail.grid.sizes.size(), std::string("a ") + GetName());
    rail.hosts = m_hosts;
    rail.withHosts = static_cast<uint32_t>(switches);
    rail.switches.reserve(switches);
    for (uint32_t place = 0; place < switches; place++)
    {
        std::vector<uint32_t> at = rail.grid.GetCoordinates(place);
        std::string name = "switch";
        for (const uint32_t x : at)
        {
            name += "-" + std::to_string(x);
        }
        rail.switches.push_back({1, 0, name});
        for (uint32_t d = 0; d < at.size(); d++)
        {
            const uint32_t x = at[d];
            for (const uint32_t far : GetFarEnds(x, rail.grid.sizes[d]))
            {
                at[d] = far;
                rail.links.push_back({place, rail.grid.GetPlace(at), 1 + d});
            }
            at[d] = x;
        }
    }
    return rail;
}

} // namespace ns3
