// SPDX-License-Identifier: GPL-2.0-only
#include "dragonfly-valiant-routing.h"

#include "dragonfly-vias.h"

#include "ns3/attribute-range.h"
#include "ns3/fabric-error.h"
#include "ns3/object-factory.h"
#include "ns3/string.h"
#include "ns3/via-feature.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DragonflyValiantRouting);
NS_OBJECT_ENSURE_REGISTERED(DragonflyUgalRouting);

TypeId
DragonflyValiantRouting::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::DragonflyValiantRouting")
            .SetParent<DragonflyMinimalRouting>()
            .SetGroupName("Dcfabric")
            .AddConstructor<DragonflyValiantRouting>()
            .AddAttribute("FlowletGap",
                          "Pause after which a flow may take another way, more than the difference "
                          "between the delays of the ways; zero: each packet may.",
                          TimeValue(Seconds(0)),
                          MakeTimeAccessor(&DragonflyValiantRouting::m_flowletGap),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()));
    return tid;
}

std::shared_ptr<const ViaPlan>
DragonflyValiantRouting::MakeVias(const ViaPlan::HopCounter& hops) const
{
    return std::make_shared<const DragonflyVias>(*m_graph, hops);
}

Ptr<SwitchFeature>
DragonflyValiantRouting::MakeViaFeature(const std::shared_ptr<const ViaPlan>& plan) const
{
    const auto feature =
        CreateObjectWithAttributes<ValiantFeature>("FlowletGap", TimeValue(m_flowletGap));
    feature->SetPlan(plan);
    return feature;
}

uint8_t
DragonflyValiantRouting::GetChannelChanges() const
{
    return 2;
}

TypeId
DragonflyUgalRouting::GetTypeId()
{
    static TypeId tid =
        AddAttributes(TypeId("ns3::DragonflyUgalRouting")
                          .SetParent<DragonflyValiantRouting>()
                          .SetGroupName("Dcfabric")
                          .AddConstructor<DragonflyUgalRouting>())
            .AddAttribute("Queues",
                          "Which queues decide: local, those of the switch (UGAL-L).",
                          StringValue("local"),
                          MakeStringAccessor(&DragonflyUgalRouting::m_queues),
                          MakeStringChecker());
    return tid;
}

void
DragonflyUgalRouting::Attach(const FabricGraph& graph)
{
    DragonflyValiantRouting::Attach(graph);
    if (m_queues == "global")
    {
        throw FabricError(FabricTerm::Attribute("ns3::DragonflyUgalRouting", "Queues", "global"),
                          " (UGAL-G) compares the queues of global links at other switches, which "
                          "no switch knows when a packet comes",
                          {FabricRemedy::Use("local (UGAL-L)")});
    }
    if (m_queues != "local")
    {
        throw FabricError(FabricTerm::Attribute("ns3::DragonflyUgalRouting", "Queues"),
                          ": unknown value '" + m_queues + "'",
                          {FabricRemedy::Use("local")});
    }
}

} // namespace ns3
