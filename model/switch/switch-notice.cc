// SPDX-License-Identifier: GPL-2.0-only
#include "switch-notice.h"

#include "fabric-switch.h"

#include "ns3/wire-format.h"

namespace ns3
{

Ptr<FabricPacketItem>
SwitchNotice::Make(const FabricSwitch& sw,
                   uint32_t dst,
                   uint8_t ds,
                   const WireFormat& wire,
                   const std::vector<uint8_t>& payload)
{
    const auto length = static_cast<uint32_t>(payload.size());
    Ptr<FabricPacketItem> item(new FabricPacketItem(Create<Packet>(payload.data(), length)), false);
    item->type = FabricPacketType::NOTICE;
    item->src = sw.GetAddress();
    item->dst = dst;
    item->ds = ds;
    item->size = wire.GetNoticeBytes(length);
    item->UpdateFlowHash();
    return item;
}

std::vector<uint8_t>
SwitchNotice::GetPayload(const FabricPacketItem& item)
{
    std::vector<uint8_t> bytes(item.GetPacket()->GetSize());
    item.GetPacket()->CopyData(bytes.data(), static_cast<uint32_t>(bytes.size()));
    return bytes;
}

} // namespace ns3
