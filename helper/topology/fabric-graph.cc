// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-graph.h"

#include "ns3/attribute-range.h"
#include "ns3/fabric-error.h"

#include <algorithm>

namespace ns3
{

namespace
{

/// Tier of a switch that no host reaches.
constexpr uint8_t NO_TIER = 0xff;

} // namespace

void
FabricGraph::Reserve(uint32_t nodes, uint32_t links)
{
    m_nodes.reserve(nodes);
    m_hosts.reserve(nodes);
    m_links.reserve(links);
}

uint32_t
FabricGraph::AddNode(NodeKind kind, uint8_t tier, uint32_t pod, const std::string& name)
{
    if (m_nodes.size() >= MAX_NODES)
    {
        throw FabricError("a topology has at most " + std::to_string(MAX_NODES) + " nodes");
    }
    m_portsValid = false;
    m_nodes.push_back(Node{kind, tier, pod, name});
    return static_cast<uint32_t>(m_nodes.size() - 1);
}

uint32_t
FabricGraph::AddHost(uint32_t pod, const std::string& name)
{
    const uint32_t id = GetNNodes();
    AddNode(HOST, 0, pod, name.empty() ? "host-" + std::to_string(id) : name);
    m_hosts.push_back(id);
    return id;
}

uint32_t
FabricGraph::AddSwitch(uint8_t tier, uint32_t pod, const std::string& name)
{
    const uint32_t id = GetNNodes();
    return AddNode(SWITCH, tier, pod, name.empty() ? "switch-" + std::to_string(id) : name);
}

uint32_t
FabricGraph::AddNvSwitch(uint32_t pod, const std::string& name)
{
    const uint32_t id = AddSwitch(1, pod, name);
    if (name.empty())
    {
        m_nodes[id].name = "nvswitch-" + std::to_string(id);
    }
    m_nodes[id].nvSwitch = true;
    return id;
}

uint32_t
FabricGraph::AddLink(uint32_t a, uint32_t b, uint64_t rateBps, int64_t delayPs, double errorRate)
{
    m_portsValid = false;
    m_links.push_back(FabricLink{a, b, rateBps, delayPs, errorRate});
    return static_cast<uint32_t>(m_links.size() - 1);
}

void
FabricGraph::SetQueueLimits(uint32_t link, uint64_t limitA, uint64_t limitB)
{
    m_links.at(link).queueLimitA = limitA;
    m_links.at(link).queueLimitB = limitB;
}

bool
FabricGraph::HasQueueLimits() const
{
    return std::any_of(m_links.begin(), m_links.end(), [](const FabricLink& link) {
        return link.queueLimitA != 0 || link.queueLimitB != 0;
    });
}

void
FabricGraph::SetDefaultErrorRate(double errorRate)
{
    for (FabricLink& link : m_links)
    {
        link.errorRate = link.errorRate == 0 ? errorRate : link.errorRate;
    }
}

void
FabricGraph::AddSwitchLatency(int64_t latencyPs)
{
    for (FabricLink& link : m_links)
    {
        link.delayPs += (IsHost(link.a) ? 0 : latencyPs / 2) + (IsHost(link.b) ? 0 : latencyPs / 2);
    }
}

void
FabricGraph::SetPlace(uint32_t node, double x, double y)
{
    GetNode(node);
    m_places[node] = {x, y};
}

bool
FabricGraph::IsGlobal(uint32_t link) const
{
    const FabricLink& ends = m_links.at(link);
    return m_nGroups > 0 && !IsHost(ends.a) && !IsHost(ends.b) &&
           GetNode(ends.a).pod != GetNode(ends.b).pod;
}

std::vector<uint32_t>
FabricGraph::GetCoordinates(uint32_t switchNode) const
{
    if (GetNode(switchNode).kind == HOST)
    {
        throw FabricError(GetName(switchNode) + " is a host: only switches have coordinates");
    }
    const auto hostsBefore =
        std::lower_bound(m_hosts.begin(), m_hosts.end(), switchNode) - m_hosts.begin();
    const auto place = switchNode - static_cast<uint32_t>(hostsBefore);
    return m_grid.GetCoordinates(place % m_grid.GetNPlaces());
}

void
FabricGraph::ClearQueueLimits()
{
    for (auto& link : m_links)
    {
        link.queueLimitA = 0;
        link.queueLimitB = 0;
    }
}

void
FabricGraph::DeriveTiers()
{
    std::vector<uint32_t> frontier = m_hosts;
    for (auto& node : m_nodes)
    {
        node.tier = node.kind == HOST ? 0 : NO_TIER;
    }
    // Breadth first from all hosts at once.
    for (uint8_t tier = 1; tier < NO_TIER && !frontier.empty(); tier++)
    {
        std::vector<uint32_t> next;
        for (auto node : frontier)
        {
            const Port* ports = GetPorts(node);
            for (uint32_t i = 0; i < GetDegree(node); i++)
            {
                Node& peer = m_nodes[ports[i].peer];
                if (peer.tier == NO_TIER)
                {
                    peer.tier = tier;
                    next.push_back(ports[i].peer);
                }
            }
        }
        frontier.swap(next);
    }
}

void
FabricGraph::Validate() const
{
    if (m_hosts.empty())
    {
        throw FabricError("the topology has no host");
    }
    ValidateLinks();
    for (uint32_t node = 0; node < GetNNodes(); node++)
    {
        if (GetDegree(node) > MAX_PORTS)
        {
            throw FabricError(GetName(node) + " (node " + std::to_string(node) + ") has " +
                              std::to_string(GetDegree(node)) + " links; a node has at most " +
                              std::to_string(MAX_PORTS) + " ports");
        }
    }
    for (auto host : m_hosts)
    {
        if (GetDegree(host) == 0)
        {
            throw FabricError(GetName(host) + " (node " + std::to_string(host) +
                              ") has no link: every host needs at least one");
        }
    }
}

void
FabricGraph::ValidateLinks() const
{
    for (uint32_t i = 0; i < GetNLinks(); i++)
    {
        const FabricLink& link = m_links[i];
        const auto refuse = [&](const std::string& why) {
            throw FabricError("link " + std::to_string(i) + " between nodes " +
                              std::to_string(link.a) + " and " + std::to_string(link.b) + ": " +
                              why);
        };
        for (auto end : {link.a, link.b})
        {
            if (end >= GetNNodes())
            {
                refuse("unknown node " + std::to_string(end) + ", the nodes are 0 to " +
                       std::to_string(static_cast<int64_t>(GetNNodes()) - 1));
            }
        }
        if (link.a == link.b)
        {
            refuse("a link needs two different ends");
        }
        if (link.rateBps == 0)
        {
            refuse("the rate must be above 0");
        }
        if (link.rateBps > AttributeRange::MAX_RATE_BPS)
        {
            refuse("a rate of " + std::to_string(link.rateBps) + " bit/s is above 1000 Tb/s");
        }
        if (link.delayPs < 1 || link.delayPs > MAX_DELAY_PS)
        {
            refuse("a delay of " + std::to_string(link.delayPs) +
                   " ps is outside 1 ps to 1 s (write a unit, such as 1us)");
        }
        if (!(link.errorRate >= 0.0 && link.errorRate < 1.0))
        {
            refuse("an error rate of " + std::to_string(link.errorRate) +
                   " is outside 0 (inclusive) to 1 (exclusive)");
        }
    }
}

uint32_t
FabricGraph::GetNNodes() const
{
    return static_cast<uint32_t>(m_nodes.size());
}

uint32_t
FabricGraph::GetNHosts() const
{
    return static_cast<uint32_t>(m_hosts.size());
}

uint32_t
FabricGraph::GetNSwitches() const
{
    return GetNNodes() - GetNHosts();
}

uint32_t
FabricGraph::GetNLinks() const
{
    return static_cast<uint32_t>(m_links.size());
}

const FabricGraph::Node&
FabricGraph::GetNode(uint32_t node) const
{
    if (node >= GetNNodes())
    {
        throw FabricError("unknown node " + std::to_string(node) + " of " +
                          std::to_string(GetNNodes()));
    }
    return m_nodes[node];
}

const FabricGraph::Port&
FabricGraph::GetPort(uint32_t node, uint32_t port) const
{
    if (port >= GetDegree(node))
    {
        throw FabricError(GetName(node) + " has no port " + std::to_string(port));
    }
    return m_ports[m_portOffsets[node] + port];
}

uint64_t
FabricGraph::GetNodeRateBps(uint32_t node) const
{
    uint64_t rate = 0;
    uint64_t inside = 0;
    const Port* ports = GetPorts(node);
    for (uint32_t i = 0; i < GetDegree(node); i++)
    {
        const bool leaves = !m_nodes[ports[i].peer].nvSwitch;
        (leaves ? rate : inside) += m_links[ports[i].link].rateBps;
    }
    return rate > 0 ? rate : inside;
}

void
FabricGraph::BuildPorts() const
{
    if (m_portsValid)
    {
        return;
    }
    // Count, sum up, fill: links in order give ports in order.
    m_portOffsets.assign(m_nodes.size() + 1, 0);
    for (const auto& link : m_links)
    {
        GetNode(link.a);
        GetNode(link.b);
        m_portOffsets[link.a + 1]++;
        m_portOffsets[link.b + 1]++;
    }
    for (size_t i = 1; i < m_portOffsets.size(); i++)
    {
        m_portOffsets[i] += m_portOffsets[i - 1];
    }
    m_ports.resize(2 * m_links.size());
    std::vector<uint32_t> next(m_portOffsets.begin(), m_portOffsets.end() - 1);
    for (uint32_t i = 0; i < GetNLinks(); i++)
    {
        const FabricLink& link = m_links[i];
        m_ports[next[link.a]++] = Port{i, link.b};
        m_ports[next[link.b]++] = Port{i, link.a};
    }
    m_portsValid = true;
}

} // namespace ns3
