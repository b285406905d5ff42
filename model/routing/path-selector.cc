// SPDX-License-Identifier: GPL-2.0-only
#include "path-selector.h"

#include "forwarding-table.h"

#include "ns3/fabric-packet-item.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(PathSelector);

TypeId
PathSelector::GetTypeId()
{
    static TypeId tid = TypeId("ns3::PathSelector").SetParent<Object>().SetGroupName("Dcfabric");
    return tid;
}

void
PathSelector::Attach(uint32_t /* address */, uint8_t /* tier */)
{
}

uint16_t
PathSelector::Predict(const PortGroup& /* group */, const FabricPacketItem& /* item */) const
{
    return FabricPacketItem::NO_PORT;
}

void
PathSelector::OnTableChange()
{
}

std::vector<PolicyDefault>
PathSelector::ListDefaults(const PolicyNetwork& /* network */) const
{
    return KeepsOrder() ? std::vector<PolicyDefault>() : PolicyDefault::WherePacketsOvertake();
}

uint16_t
PathSelector::SelectAgain(const PortGroup& rest, const FabricPacketItem& item)
{
    return rest.nPorts == 1 ? rest.ports[0] : Select(rest, item);
}

uint32_t
PathSelector::Mix(uint32_t hash, uint32_t salt)
{
    // the salt's odd multiple keeps nearby salts apart; the rest is the usual multiply-and-shift
    uint64_t x =
        (uint64_t{hash} + 1) * (0x9e3779b97f4a7c15U + 2 * uint64_t{salt} * 0xd6e8feb86659fd93U);
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93U;
    return static_cast<uint32_t>(x >> 32);
}

} // namespace ns3
