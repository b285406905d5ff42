// SPDX-License-Identifier: GPL-2.0-only
#include "hyper-x-valiant-routing.h"

#include "hyper-x-vias.h"

#include "ns3/attribute-range.h"
#include "ns3/fabric-error.h"
#include "ns3/hyper-x-channels.h"
#include "ns3/object-factory.h"
#include "ns3/via-feature.h"

#include <utility>
#include <vector>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(HyperXValiantRouting);

TypeId
HyperXValiantRouting::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::HyperXValiantRouting")
            .SetParent<DimensionOrderRouting>()
            .SetGroupName("Dcfabric")
            .AddConstructor<HyperXValiantRouting>()
            .AddAttribute("FlowletGap",
                          "Pause after which a flow may take another way, more than the difference "
                          "between the delays of the ways; zero: each packet may.",
                          TimeValue(Seconds(0)),
                          MakeTimeAccessor(&HyperXValiantRouting::m_flowletGap),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()));
    return tid;
}

void
HyperXValiantRouting::Attach(const FabricGraph& graph)
{
    DimensionOrderRouting::Attach(graph);
    if (m_places->HasRing())
    {
        throw FabricError(FabricTerm::Class(GetInstanceTypeId()),
                          " needs a grid of full meshes (a HyperX), but this network has none",
                          {FabricRemedy::Use(FabricTerm::Class("ns3::MinimalAdaptiveRouting"))});
    }
}

std::shared_ptr<const ViaPlan>
HyperXValiantRouting::MakeVias(const ViaPlan::HopCounter& hops) const
{
    return std::make_shared<const HyperXVias>(*m_graph, m_places, hops);
}

Ptr<SwitchFeature>
HyperXValiantRouting::MakeViaFeature(const std::shared_ptr<const ViaPlan>& plan) const
{
    const auto feature =
        CreateObjectWithAttributes<ValiantFeature>("FlowletGap", TimeValue(m_flowletGap));
    feature->SetPlan(plan);
    return feature;
}

uint8_t
HyperXValiantRouting::GetChannelChanges() const
{
    return 1;
}

Ptr<VirtualChannels>
HyperXValiantRouting::DoMakeChannels(uint32_t node) const
{
    std::vector<uint8_t> dimensions;
    for (uint32_t p = 0; p < m_graph->GetDegree(node); ++p)
    {
        const uint32_t peer = m_graph->GetPort(node, p).peer;
        dimensions.push_back(m_graph->IsHost(peer) ? HyperXChannels::TO_HOST
                                                   : GetDirection(node, peer).dimension);
    }
    const auto channels = CreateObject<HyperXChannels>();
    channels->Configure(std::move(dimensions), GetChannelChanges());
    return channels;
}

} // namespace ns3
