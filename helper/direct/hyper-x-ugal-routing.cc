// SPDX-License-Identifier: GPL-2.0-only
#include "hyper-x-ugal-routing.h"

#include "hyper-x-vias.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(HyperXUgalRouting);
NS_OBJECT_ENSURE_REGISTERED(HyperXProgressiveRouting);

TypeId
HyperXUgalRouting::GetTypeId()
{
    static TypeId tid = AddAttributes(TypeId("ns3::HyperXUgalRouting")
                                          .SetParent<HyperXValiantRouting>()
                                          .SetGroupName("Dcfabric")
                                          .AddConstructor<HyperXUgalRouting>());
    return tid;
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
