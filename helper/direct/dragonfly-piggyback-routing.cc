// SPDX-License-Identifier: GPL-2.0-only
#include "dragonfly-piggyback-routing.h"

#include "dragonfly-vias.h"
#include "switch-rails.h"

#include "ns3/attribute-range.h"
#include "ns3/double.h"
#include "ns3/fabric-time.h"
#include "ns3/group-links.h"
#include "ns3/object-factory.h"
#include "ns3/piggyback-feature.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DragonflyPiggybackRouting);
NS_OBJECT_ENSURE_REGISTERED(DragonflyProgressivePiggybackRouting);

TypeId
DragonflyPiggybackRouting::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::DragonflyPiggybackRouting")
            .SetParent<DragonflyValiantRouting>()
            .SetGroupName("Dcfabric")
            .AddConstructor<DragonflyPiggybackRouting>()
            .AddAttribute("Window",
                          "Time in which what came for a link ages to 1/e; zero: a round trip on "
                          "the longest minimal way, in which a congestion control reacts, or what "
                          "64 kB take, if that is longer.",
                          TimeValue(Seconds(0)),
                          MakeTimeAccessor(&DragonflyPiggybackRouting::m_window),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()))
            .AddAttribute("LeastUse",
                          "Share of its rate up to which a link is good enough for the minimal "
                          "way, whatever others are; zero: 24 kB in a window, half its rate at "
                          "most, as less traffic is too uneven to say anything.",
                          DoubleValue(0),
                          MakeDoubleAccessor(&DragonflyPiggybackRouting::m_leastUse),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("Step",
                          "Share of its rate by which a link is used more than others have been "
                          "told when they are told again: at 1/8 a full link makes a notice in "
                          "0.13 windows.",
                          DoubleValue(0.125),
                          MakeDoubleAccessor(&DragonflyPiggybackRouting::m_step),
                          MakeDoubleChecker<double>(0.001, 1));
    return tid;
}

void
DragonflyPiggybackRouting::Attach(const FabricGraph& graph)
{
    DragonflyValiantRouting::Attach(graph);
    std::vector<uint32_t> groupOf;
    std::vector<std::vector<ToldLinks::Link>> globals(graph.GetNNodes());
    for (uint32_t node = 0; node < graph.GetNNodes(); ++node)
    {
        groupOf.push_back(graph.GetNode(node).pod);
        for (uint32_t p = 0; !graph.IsHost(node) && p < graph.GetDegree(node); ++p)
        {
            const auto& [link, peer] = graph.GetPort(node, p);
            if (!graph.IsHost(peer) && graph.IsGlobal(link))
            {
                globals[node].push_back({static_cast<uint16_t>(p), peer});
            }
        }
    }
    m_links = std::make_shared<const GroupLinks>(std::move(groupOf), std::move(globals));
}

Time
DragonflyPiggybackRouting::GetRoundTrip() const
{
    std::array<int64_t, 3> longest{}; // ps: to hosts, inside groups, between groups
    for (std::size_t i = 0; i < m_graph->GetLinks().size(); ++i)
    {
        const FabricLink& link = m_graph->GetLinks()[i];
        const std::size_t kind = m_graph->IsHost(link.a) || m_graph->IsHost(link.b) ? 0
                                 : m_graph->IsGlobal(static_cast<uint32_t>(i))      ? 2
                                                                                    : 1;
        longest.at(kind) = std::max(longest.at(kind), link.delayPs);
    }
    return FabricTime::FromPs(2 * (2 * longest[0] + 2 * longest[1] + longest[2]));
}

Ptr<SwitchFeature>
DragonflyPiggybackRouting::MakeViaFeature(const std::shared_ptr<const ViaPlan>& plan) const
{
    const uint64_t slowest = FindSlowestLink(*m_graph);
    const Time window = std::max(
        m_window.IsZero() ? PiggybackFeature::GetUsualWindow(slowest, GetRoundTrip()) : m_window,
        NanoSeconds(1));
    const double leastUse =
        m_leastUse > 0 ? m_leastUse : PiggybackFeature::GetUsualLeastUse(slowest, window);
    const auto feature = CreateObjectWithAttributes<PiggybackFeature>("FlowletGap",
                                                                      TimeValue(m_flowletGap),
                                                                      "Window",
                                                                      TimeValue(window),
                                                                      "LeastUse",
                                                                      DoubleValue(leastUse),
                                                                      "Step",
                                                                      DoubleValue(m_step));
    feature->SetPlan(plan);
    feature->SetLinks(m_links);
    return feature;
}

TypeId
DragonflyProgressivePiggybackRouting::GetTypeId()
{
    static TypeId tid = TypeId("ns3::DragonflyProgressivePiggybackRouting")
                            .SetParent<DragonflyPiggybackRouting>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<DragonflyProgressivePiggybackRouting>();
    return tid;
}

std::shared_ptr<const ViaPlan>
DragonflyProgressivePiggybackRouting::MakeVias(const ViaPlan::HopCounter& hops) const
{
    return std::make_shared<const ProgressiveVias>(*m_graph, hops);
}

uint8_t
DragonflyProgressivePiggybackRouting::GetChannelChanges() const
{
    return 3;
}

} // namespace ns3
