// SPDX-License-Identifier: GPL-2.0-only
#include "route-walk.h"

#include "channel-walk.h"
#include "link-walk.h"

#include <algorithm>
#include <utility>

namespace ns3
{

std::unique_ptr<RouteWalk>
RouteWalk::Make(const Fabric& fabric, const RoutingBuilder& routing)
{
    const FabricGraph& graph = fabric.GetGraph();
    if (fabric.GetVias())
    {
        return std::make_unique<ChannelWalk>(fabric, routing);
    }
    for (uint32_t node = 0; node < graph.GetNNodes(); ++node)
    {
        if (!graph.IsHost(node) && fabric.GetSwitch(node)->GetFeature<VirtualChannels>())
        {
            return std::make_unique<ChannelWalk>(fabric, routing);
        }
    }
    return std::make_unique<LinkWalk>(fabric, routing);
}

RouteWalk::RouteWalk(const Fabric& fabric, const RoutingBuilder& routing)
    : m_fabric(fabric),
      m_routing(routing),
      m_graph(fabric.GetGraph()),
      m_lossless(fabric.GetLosslessClasses()),
      m_trees(routing.GetTrees())
{
    uint32_t inputs = 0;
    uint32_t ports = 0;
    for (uint32_t node = 0; node < m_graph.GetNNodes(); ++node)
    {
        const uint32_t degree = m_graph.GetDegree(node);
        const bool isHost = m_graph.IsHost(node);
        m_tables.push_back(isHost ? nullptr : &fabric.GetSwitch(node)->GetForwardingTable());
        m_firstInput.push_back(inputs);
        m_firstPort.push_back(ports);
        ports += degree;
        inputs += isHost ? 0 : degree;
        m_maxDegree = std::max(m_maxDegree, isHost ? 0 : degree);
    }
    m_firstInput.push_back(inputs);
    m_farInput.resize(ports);
    std::vector<std::pair<uint32_t, uint32_t>> met(m_graph.GetNLinks(), {UINT32_MAX, 0});
    for (uint32_t node = 0; node < m_graph.GetNNodes(); ++node)
    {
        for (uint32_t port = 0; port < m_graph.GetDegree(node); ++port)
        {
            auto& [other, otherPort] = met[m_graph.GetPort(node, port).link];
            if (other == UINT32_MAX)
            {
                other = node;
                otherPort = port;
                continue;
            }
            m_farInput[m_firstPort[node] + port] = m_firstInput[other] + otherPort;
            m_farInput[m_firstPort[other] + otherPort] = m_firstInput[node] + port;
        }
    }
    const DestinationClasses& classes = *routing.GetClasses();
    m_hostOf.assign(classes.nClasses, DestinationClasses::NONE);
    m_viaOf.assign(classes.nClasses, DestinationClasses::NONE);
    for (auto node = static_cast<uint32_t>(classes.classOf.size()); node-- > 0;)
    {
        if (classes.classOf[node] != DestinationClasses::NONE)
        {
            (m_graph.IsHost(node) ? m_hostOf : m_viaOf)[classes.classOf[node]] = node;
        }
    }
    if (!fabric.GetVias())
    {
        m_viaOf.clear(); // switches are destinations only of what other switches tell them
    }
    // on trees they would begin beside the tree of the flow that they tell of
    m_switchesSend = !m_trees && fabric.GetPolicyContext().HasFeature([](const auto& feature) {
        return feature.effects.message != nullptr;
    });
    ListSourcesOfAll();
    if (m_switchesSend && fabric.GetPolicyContext().HasFeature(
                              [](const auto& feature) { return feature.effects.reachesSwitches; }))
    {
        ListReporters();
    }
}

RouteWalk::~RouteWalk() = default;

bool
RouteWalk::DoTreesFollowTiers() const
{
    for (uint32_t tree = 0; m_trees && tree < m_trees->GetN(); ++tree)
    {
        const uint32_t root = m_trees->GetRoot(tree);
        for (uint32_t node : m_sources)
        {
            while (node != root)
            {
                const uint16_t port = m_trees->GetPort(tree, node, root);
                const uint8_t tier = m_graph.GetNode(node).tier;
                if (port == SpanningTrees::NO_PORT)
                {
                    return false;
                }
                node = m_graph.GetPort(node, port).peer;
                if (m_graph.GetNode(node).tier <= tier)
                {
                    return false;
                }
            }
        }
    }
    return m_trees && m_choosy.empty();
}

void
RouteWalk::ListSourcesOfAll()
{
    for (uint32_t node = 0; m_switchesSend && node < m_graph.GetNNodes(); ++node)
    {
        if (!m_graph.IsHost(node))
        {
            m_sources.push_back(node);
        }
    }
    for (uint32_t c = 0; !m_switchesSend && c < m_hostOf.size(); ++c)
    {
        const std::vector<uint32_t>& lastHops = m_routing.GetLastHops(c);
        if (m_hostOf[c] != DestinationClasses::NONE)
        {
            (lastHops.size() == 1 ? m_sources : m_choosy)
                .push_back(lastHops.size() == 1 ? lastHops.front() : c);
        }
    }
}

std::vector<RouteWalk::NodeSet>
RouteWalk::FindChoicesBefore(const std::vector<uint32_t>& sources, uint32_t address) const
{
    const std::size_t words = m_graph.GetNNodes() / 64 + 1;
    std::vector<NodeSet> before(m_graph.GetNNodes());
    std::vector<uint32_t> toDo = sources;
    for (const uint32_t source : sources)
    {
        before[source].resize(words);
    }
    for (std::size_t i = 0; i < toDo.size(); ++i)
    {
        const uint32_t node = toDo[i];
        const PortGroup group = FindPorts(node, address, 0);
        NodeSet passed = before[node];
        passed[node / 64] |= uint64_t{group.nPorts > 1} << (node % 64);
        for (uint16_t p = 0; p < group.nPorts; ++p)
        {
            const uint32_t peer = m_graph.GetPorts(node)[group.ports[p]].peer;
            if (m_graph.IsHost(peer))
            {
                continue;
            }
            bool isNew = before[peer].empty();
            before[peer].resize(words);
            for (std::size_t word = 0; word < words; ++word)
            {
                isNew = isNew || (passed[word] & ~before[peer][word]) != 0;
                before[peer][word] |= passed[word];
            }
            if (isNew)
            {
                toDo.push_back(peer); // perhaps again: what follows has to know, too
            }
        }
    }
    return before;
}

void
RouteWalk::ListReporters()
{
    std::vector<uint32_t> sources;
    for (uint32_t c = 0; c < m_hostOf.size(); ++c)
    {
        if (m_hostOf[c] != DestinationClasses::NONE)
        {
            const std::vector<uint32_t>& lastHops = m_routing.GetLastHops(c);
            sources.insert(sources.end(), lastHops.begin(), lastHops.end());
        }
    }
    std::sort(sources.begin(), sources.end());
    sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
    std::vector<NodeSet> told(m_graph.GetNNodes(), NodeSet(m_graph.GetNNodes() / 64 + 1));
    for (uint32_t c = 0; c < m_hostOf.size(); ++c)
    {
        if (m_hostOf[c] == DestinationClasses::NONE)
        {
            continue;
        }
        const std::vector<NodeSet> before = FindChoicesBefore(sources, m_hostOf[c]);
        for (uint32_t node = 0; node < before.size(); ++node)
        {
            // at the last switch congestion is the receiver's: there is no other way
            const std::size_t words =
                before[node].empty() || m_routing.GetDistance(node, c) == 0 ? 0 : told[node].size();
            for (std::size_t word = 0; word < words; ++word)
            {
                told[node][word] |= before[node][word];
            }
        }
    }
    m_reportersTo.resize(m_graph.GetNNodes());
    for (uint32_t node = 0; node < told.size(); ++node)
    {
        for (uint32_t point = 0; point < told.size(); ++point)
        {
            if ((told[node][point / 64] >> (point % 64) & 1) != 0)
            {
                m_reportersTo[point].push_back(node);
            }
        }
    }
}

std::vector<uint32_t>
RouteWalk::ListSources(uint32_t destinationClass) const
{
    if (m_reporters)
    {
        return *m_reporters;
    }
    std::vector<uint32_t> sources = m_sources;
    for (const uint32_t c : m_choosy)
    {
        for (const uint32_t place : m_routing.ListNearest(c, destinationClass))
        {
            sources.push_back(m_routing.GetLastHops(c)[place]);
        }
    }
    return sources;
}

PortGroup
RouteWalk::FindPorts(uint32_t node, uint32_t address, uint32_t tree) const
{
    PortGroup group = m_tables[node]->Lookup(address);
    // groups hold a port for each tree, in their order; links to a host are no trees
    if (m_trees && group.nPorts == m_trees->GetN())
    {
        group.ports += tree;
        group.nPorts = 1;
    }
    return group;
}

RouteWalk::Channel
RouteWalk::GetSender(uint32_t input) const
{
    // hosts have no inputs: of nodes that begin at one number the last is the switch
    const auto after = std::upper_bound(m_firstInput.begin(), m_firstInput.end(), input);
    const auto node = static_cast<uint32_t>(after - m_firstInput.begin()) - 1;
    const auto& [link, peer] = m_graph.GetPort(node, input - m_firstInput[node]);
    uint32_t port = 0;
    while (m_graph.GetPort(peer, port).link != link)
    {
        ++port;
    }
    return {peer, static_cast<uint16_t>(port), 0};
}

void
RouteWalk::WalkAll()
{
    for (const std::vector<uint32_t>* destinations : {&m_viaOf, &m_hostOf})
    {
        for (uint32_t c = 0; c < destinations->size(); ++c)
        {
            const uint32_t address = (*destinations)[c];
            for (uint32_t tree = 0; tree < (m_trees ? m_trees->GetN() : 1); ++tree)
            {
                if (address != DestinationClasses::NONE)
                {
                    DoWalk(c, address, tree);
                }
            }
        }
    }
    for (uint32_t node = 0; node < m_reportersTo.size(); ++node)
    {
        if (!m_reportersTo[node].empty())
        {
            m_reporters = &m_reportersTo[node];
            DoWalk(m_routing.GetClasses()->classOf[node], node, 0);
        }
    }
    m_reporters = nullptr;
}

} // namespace ns3
