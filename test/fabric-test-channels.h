// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_TEST_CHANNELS_H
#define FABRIC_TEST_CHANNELS_H

#include "ns3/fabric-graph.h"
#include "ns3/routing-algorithm.h"
#include "ns3/routing-builder.h"

#include <cstdint>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Ways that packets may go, link by link and channel by channel, without packets.
 */

namespace ns3::tests
{

/// A link in the direction of travel, with its channel.
struct ChannelHop
{
    uint32_t node;   //!< a switch
    uint32_t port;   //!< its port
    uint8_t channel; //!< on the link

    /**
     * @param o another
     * @return an order
     */
    bool operator<(const ChannelHop& o) const
    {
        return std::tie(node, port, channel) < std::tie(o.node, o.port, o.channel);
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief All ways that a routing leaves to packets between hosts.
 */
class ChannelWalk
{
  public:
    /// Called for each way between two hosts, with the links between switches.
    using Visitor =
        std::function<void(uint32_t src, uint32_t dst, const std::vector<ChannelHop>& way)>;

    /**
     * @brief Build the tables.
     * @param graph the plan, outlives this object
     * @param algorithm attached to it
     * @param nChannels channels that there are; 0: as many as are needed
     */
    ChannelWalk(const FabricGraph& graph, Ptr<RoutingAlgorithm> algorithm, uint8_t nChannels = 0)
        : m_graph(graph),
          m_routing(graph, PeekPointer(algorithm))
    {
        for (uint32_t node = 0; node < graph.GetNNodes(); ++node)
        {
            if (graph.IsHost(node))
            {
                continue;
            }
            m_tables.emplace(node, m_routing.BuildTable(node));
            if (const auto channels = algorithm->MakeChannels(node))
            {
                // a class for each channel: they have the same numbers
                std::vector<uint8_t> classes(nChannels == 0 ? channels->GetN() : nChannels);
                std::iota(classes.begin(), classes.end(), 0);
                channels->SetClasses({classes});
                m_channels[node] = channels;
            }
        }
    }

    /// @return the routes
    const RoutingBuilder& GetRouting() const
    {
        return m_routing;
    }

    /**
     * @param visitor called for each other
     * @return number of ways that end before their host
     */
    uint32_t Visit(const Visitor& visitor)
    {
        uint32_t lost = 0;
        for (const uint32_t src : m_graph.GetHosts())
        {
            for (const uint32_t dst : m_graph.GetHosts())
            {
                std::vector<ChannelHop> way;
                lost += src == dst ? 0
                                   : Step(m_graph.GetPort(src, 0).peer,
                                          FindPort(m_graph.GetPort(src, 0).peer, src),
                                          0,
                                          dst,
                                          way,
                                          [&]() { visitor(src, dst, way); });
            }
        }
        return lost;
    }

    /// @return true if links with their channels can wait for one another in a circle
    bool HasCircle()
    {
        std::map<ChannelHop, std::set<ChannelHop>> next;
        Visit([&](uint32_t, uint32_t, const std::vector<ChannelHop>& way) {
            for (std::size_t i = 1; i < way.size(); ++i)
            {
                next[way[i - 1]].insert(way[i]);
                next[way[i]];
            }
        });
        // take away what waits for nothing, until there is no more of it
        for (bool found = true; found;)
        {
            found = false;
            for (auto hop = next.begin(); hop != next.end();)
            {
                auto& waits = hop->second;
                for (auto other = waits.begin(); other != waits.end();)
                {
                    other = next.count(*other) == 0 ? waits.erase(other) : std::next(other);
                }
                found = found || waits.empty();
                hop = waits.empty() ? next.erase(hop) : std::next(hop);
            }
        }
        return !next.empty();
    }

  private:
    /**
     * @param node the node
     * @param peer the neighbor
     * @return the port of a node that leads to a neighbor
     */
    uint16_t FindPort(uint32_t node, uint32_t peer) const
    {
        uint16_t port = 0;
        while (m_graph.GetPort(node, port).peer != peer)
        {
            ++port;
        }
        return port;
    }

    /**
     * @brief Go on from a switch in all ways.
     * @param node the switch
     * @param ingress port of arrival
     * @param channel of arrival
     * @param dst host
     * @param way so far
     * @param done called at the end
     * @return ways that end too early
     */
    uint32_t Step(uint32_t node,
                  uint16_t ingress,
                  uint8_t channel,
                  uint32_t dst,
                  std::vector<ChannelHop>& way,
                  const std::function<void()>& done)
    {
        const PortGroup group = m_tables.at(node).Lookup(dst);
        uint32_t lost = 0;
        uint32_t taken = 0;
        for (uint16_t i = 0; i < group.nPorts && way.size() < m_graph.GetNNodes(); ++i)
        {
            const uint16_t port = group.ports[i];
            const uint32_t peer = m_graph.GetPort(node, port).peer;
            if (peer == dst)
            {
                done();
                return 0;
            }
            const auto channels = m_channels.find(node);
            uint8_t on = channel;
            if (channels != m_channels.end())
            {
                if (!channels->second->Allows(channel, ingress, port, dst))
                {
                    continue;
                }
                on = channels->second->GetNextClass(channel, ingress, port, dst, false);
            }
            ++taken;
            way.push_back({node, port, on});
            lost += Step(peer, FindPort(peer, node), on, dst, way, done);
            way.pop_back();
        }
        return taken == 0 ? 1 : lost;
    }

    const FabricGraph& m_graph;                          //!< plan
    RoutingBuilder m_routing;                            //!< routes
    std::map<uint32_t, ForwardingTable> m_tables;        //!< by switch
    std::map<uint32_t, Ptr<VirtualChannels>> m_channels; //!< by switch
};

} // namespace ns3::tests

#endif /* FABRIC_TEST_CHANNELS_H */
