// SPDX-License-Identifier: GPL-2.0-only
#include "hyper-x-piggyback-routing.h"

#include "hyper-x-vias.h"
#include "switch-rails.h"

#include "ns3/attribute-range.h"
#include "ns3/double.h"
#include "ns3/fabric-time.h"
#include "ns3/grid-links.h"
#include "ns3/object-factory.h"
#include "ns3/piggyback-feature.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(HyperXPiggybackRouting);
NS_OBJECT_ENSURE_REGISTERED(HyperXProgressivePiggybackRouting);

TypeId
HyperXPiggybackRouting::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::HyperXPiggybackRouting")
            .SetParent<HyperXValiantRouting>()
            .SetGroupName("Dcfabric")
            .AddConstructor<HyperXPiggybackRouting>()
            .AddAttribute("Window",
                          "Time in which what came for a link ages to 1/e; zero: a round trip on "
                          "the longest minimal way, in which a congestion control reacts, or what "
                          "64 kB take, if that is longer.",
                          TimeValue(Seconds(0)),
                          MakeTimeAccessor(&HyperXPiggybackRouting::m_window),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()))
            .AddAttribute("LeastUse",
                          "Share of its rate up to which a link is good enough for the minimal "
                          "way, whatever others are; zero: 24 kB in a window, half its rate at "
                          "most, as less traffic is too uneven to say anything.",
                          DoubleValue(0),
                          MakeDoubleAccessor(&HyperXPiggybackRouting::m_leastUse),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("Step",
                          "Share of its rate by which a link is used more than others have been "
                          "told when they are told again: at 1/8 a full link makes a notice in "
                          "0.13 windows.",
                          DoubleValue(0.125),
                          MakeDoubleAccessor(&HyperXPiggybackRouting::m_step),
                          MakeDoubleChecker<double>(0.001, 1));
    return tid;
}

void
HyperXPiggybackRouting::Attach(const FabricGraph& graph)
{
    HyperXValiantRouting::Attach(graph);
    std::vector<std::vector<ToldLinks::Link>> links(graph.GetNNodes());
    for (uint32_t node = 0; node < graph.GetNNodes(); ++node)
    {
        for (uint32_t p = 0; !graph.IsHost(node) && p < graph.GetDegree(node); ++p)
        {
            const uint32_t peer = graph.GetPort(node, p).peer;
            if (!graph.IsHost(peer) && GetDirection(node, peer).dimension != 0)
            {
                links[node].push_back({static_cast<uint16_t>(p), peer});
            }
        }
    }
    m_links = std::make_shared<const GridLinks>(m_places, std::move(links));
}

Time
HyperXPiggybackRouting::GetRoundTrip() const
{
    std::vector<int64_t> longest(m_places->GetNDimensions(), 0); // ps, by dimension
    int64_t toHost = 0;
    for (const FabricLink& link : m_graph->GetLinks())
    {
        const bool isHost = m_graph->IsHost(link.a) || m_graph->IsHost(link.b);
        int64_t& delay = isHost ? toHost : longest[GetDirection(link.a, link.b).dimension];
        delay = std::max(delay, link.delayPs);
    }
    return FabricTime::FromPs(2 * std::accumulate(longest.begin(), longest.end(), 2 * toHost));
}

Ptr<SwitchFeature>
HyperXPiggybackRouting::MakeViaFeature(const std::shared_ptr<const ViaPlan>& plan) const
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
HyperXProgressivePiggybackRouting::GetTypeId()
{
    static TypeId tid = TypeId("ns3::HyperXProgressivePiggybackRouting")
                            .SetParent<HyperXPiggybackRouting>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<HyperXProgressivePiggybackRouting>();
    return tid;
}

std::shared_ptr<const ViaPlan>
HyperXProgressivePiggybackRouting::MakeVias(const ViaPlan::HopCounter& hops) const
{
    return std::make_shared<const HyperXProgressiveVias>(*m_graph, m_places, hops);
}

uint8_t
HyperXProgressivePiggybackRouting::GetChannelChanges() const
{
    return 2;
}

} // namespace ns3
