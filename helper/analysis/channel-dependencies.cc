// SPDX-License-Identifier: GPL-2.0-only
#include "channel-dependencies.h"

#include "ns3/deadlock-proof.h"
#include "ns3/fabric-error.h"

namespace ns3
{

namespace
{

/// Proves by ChannelDependencies.
class ChannelProof : public DeadlockProof
{
  public:
    void Check(const Fabric& fabric) const override
    {
        ChannelDependencies::Check(fabric);
    }

    std::string FindCycle(const Fabric& fabric, const RoutingBuilder& routing) const override
    {
        const ChannelDependencies dependencies(fabric, routing);
        return ChannelDependencies::Describe(fabric.GetGraph(), dependencies.GetCycle());
    }
};

const ChannelProof g_channelProof;
[[maybe_unused]] const bool g_hasChannelProof = DeadlockProof::Set(g_channelProof);

} // namespace

ChannelDependencies::ChannelDependencies(const Fabric& fabric)
    : ChannelDependencies(fabric, fabric.GetRouting())
{
}

ChannelDependencies::ChannelDependencies(const Fabric& fabric, const RoutingBuilder& routing)
{
    if (fabric.GetLosslessClasses() == 0)
    {
        return; // whoever finds no room is dropped
    }
    const std::unique_ptr<RouteWalk> walk = RouteWalk::Make(fabric, routing);
    std::vector<uint32_t> cycle = FindShortestCycle(walk->ListChannels());
    if (!cycle.empty() && fabric.HasGates())
    {
        cycle = FindShortestCycle(walk->ListQueues());
        for (uint32_t& queue : cycle)
        {
            queue /= walk->GetMaxDegree();
        }
    }
    for (const uint32_t number : cycle)
    {
        m_cycle.push_back(walk->GetChannel(number));
    }
}

std::string
ChannelDependencies::Describe(const FabricGraph& graph, const std::vector<Channel>& cycle)
{
    std::string text;
    for (std::size_t i = 0; i <= cycle.size() && !cycle.empty(); ++i)
    {
        const Channel& channel = cycle[i % cycle.size()];
        text += (i == 0 ? "" : " -> ") + graph.GetName(channel.node) + ":" +
                std::to_string(channel.port) + " (class " + std::to_string(channel.priority) + ")";
    }
    return text;
}

void
ChannelDependencies::Check(const Fabric& fabric)
{
    const ChannelDependencies dependencies(fabric);
    if (dependencies.GetCycle().empty())
    {
        return;
    }
    const LinkFlowControl* flowControl =
        fabric.GetPort(dependencies.GetCycle().front().node, 0)->GetFlowControl();
    const TypeId routing = fabric.GetRoutingAlgorithm().GetInstanceTypeId();
    const SpanningTrees* trees = fabric.GetRouting().GetTrees();
    const FabricText routes = trees ? "the " + std::to_string(trees->GetN()) + " trees of " +
                                          FabricTerm::Class("ns3::SpanningTreePathSelector")
                                    : "the routes of " + FabricTerm::Class(routing);
    const FabricRemedy remedy =
        trees ? FabricRemedy::Use("another path selector")
        : fabric.GetRoutingAlgorithm().GetChannels() > 0
            ? FabricRemedy::Do("give it as many virtual channels as it needs (" +
                               FabricTerm::Attribute(routing.GetName(), "Channels", "0") + ")")
            : FabricRemedy::Use("a routing that changes the class of packets on their way");
    throw FabricError(
        "under " + FabricTerm::Class(flowControl->GetInstanceTypeId()) + " " + routes,
        " can deadlock, because packets can wait for one another in a circle: " +
            Describe(fabric.GetGraph(), dependencies.GetCycle()),
        {remedy,
         FabricRemedy::Use("a single spanning tree (" +
                           FabricTerm::Attribute("ns3::SpanningTreePathSelector", "Trees", "1") +
                           ")"),
         FabricRemedy::Use(FabricTerm::None("ns3::LinkFlowControl", "flow control")),
         FabricRemedy::Do("build it as it is with " +
                          FabricTerm::Attribute("ns3::Fabric", "DeadlockCheck", "false"))});
}

} // namespace ns3
