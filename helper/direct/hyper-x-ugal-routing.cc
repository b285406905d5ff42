// SPDX-License-Identifier: GPL-2.0-only
#include "hyper-x-ugal-routing.h"

#include "hyper-x-vias.h"

#include "ns3/attribute-range.h"
#include "ns3/object-factory.h"
#include "ns3/via-feature.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(HyperXUgalRouting);
NS_OBJECT_ENSURE_REGISTERED(HyperXProgressiveRouting);

TypeId
HyperXUgalRouting::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::HyperXUgalRouting")
            .SetParent<HyperXValiantRouting>()
            .SetGroupName("Dcfabric")
            .AddConstructor<HyperXUgalRouting>()
            .AddAttribute(
                "Bias",
                "Wait in a queue times links between switches by which the minimal way may be "
                "worse and is taken nevertheless: some full packets in a queue say little.",
                TimeValue(MicroSeconds(4)),
                MakeTimeAccessor(&HyperXUgalRouting::m_bias),
                MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()));
    return tid;
}

Ptr<SwitchFeature>
HyperXUgalRouting::MakeViaFeature(const std::shared_ptr<const ViaPlan>& plan) const
{
    const auto feature = CreateObjectWithAttributes<UgalFeature>("FlowletGap",
                                                                 TimeValue(m_flowletGap),
                                                                 "Bias",
                                                                 TimeValue(m_bias));
    feature->SetPlan(plan);
    return feature;
}

TypeId
HyperXProgressiveRouting::GetTypeId()
{
    static TypeId tid = TypeId("ns3::HyperXProgressiveRouting")
                            .SetParent<HyperXUgalRouting>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<HyperXProgressiveRouting>();
    return tid;
}

std::shared_ptr<const ViaPlan>
HyperXProgressiveRouting::MakeVias(const ViaPlan::HopCounter& hops) const
{
    return std::make_shared<const HyperXProgressiveVias>(*m_graph, m_places, hops);
}

uint8_t
HyperXProgressiveRouting::GetChannelChanges() const
{
    return 2;
}

} // namespace ns3
