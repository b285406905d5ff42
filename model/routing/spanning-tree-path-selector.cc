// SPDX-License-Identifier: GPL-2.0-only
#include "spanning-tree-path-selector.h"

#include "forwarding-table.h"

#include "ns3/fabric-packet-item.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(SpanningTreePathSelector);

TypeId
SpanningTreePathSelector::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::SpanningTreePathSelector")
            .SetParent<PathSelector>()
            .SetGroupName("Dcfabric")
            .AddConstructor<SpanningTreePathSelector>()
            .AddAttribute("Trees",
                          "Number of spanning trees (up to 4096); 0: one for each switch of the "
                          "highest tier, such as cores or spines.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&SpanningTreePathSelector::m_trees),
                          MakeUintegerChecker<uint32_t>(0, 4096))
            .AddAttribute("HashSeed",
                          "Changes which flow is on which tree; the same at every switch.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&SpanningTreePathSelector::m_seed),
                          MakeUintegerChecker<uint32_t>());
    return tid;
}

uint16_t
SpanningTreePathSelector::Predict(const PortGroup& group, const FabricPacketItem& item) const
{
    return group.ports[Scale(Mix(item.flowHash, m_seed), group.nPorts)];
}

uint16_t
SpanningTreePathSelector::SelectAgain(const PortGroup& /* rest */,
                                      const FabricPacketItem& /* item */)
{
    return FabricPacketItem::NO_PORT;
}

} // namespace ns3
