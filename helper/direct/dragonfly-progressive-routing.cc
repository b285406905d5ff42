// SPDX-License-Identifier: GPL-2.0-only
#include "dragonfly-progressive-routing.h"

#include "dragonfly-vias.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DragonflyProgressiveRouting);

TypeId
DragonflyProgressiveRouting::GetTypeId()
{
    static TypeId tid = TypeId("ns3::DragonflyProgressiveRouting")
                            .SetParent<DragonflyUgalRouting>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<DragonflyProgressiveRouting>();
    return tid;
}

std::shared_ptr<const ViaPlan>
DragonflyProgressiveRouting::MakeVias(const ViaPlan::HopCounter& hops) const
{
    return std::make_shared<const ProgressiveVias>(*m_graph, hops);
}

uint8_t
DragonflyProgressiveRouting::GetChannelChanges() const
{
    return 3;
}

} // namespace ns3
