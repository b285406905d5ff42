// SPDX-License-Identifier: GPL-2.0-only
#include "roce-parts.h"

#include "fabric-error.h"
#include "fabric-extension-headers.h"
#include "frame-bytes.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string>

namespace ns3
{

void
RoceParts::Require(uint64_t value, uint64_t limit, const char* field)
{
    if (value > limit)
    {
        throw FabricError("packet item: " + std::string(field) + " " + std::to_string(value) +
                          " does not fit the wire, at most " + std::to_string(limit));
    }
}

uint32_t
RoceParts::AddInt(const FabricPacketItem& item, Ptr<Packet> packet)
{
    if ((item.flags & FabricPacketItem::FLAG_INT) == 0 && item.intCount == 0)
    {
        return 0;
    }
    FabricIntHeader telemetry;
    telemetry.count = item.intCount;
    telemetry.exact = item.exactInt != nullptr;
    telemetry.reversed = (item.flags & FabricPacketItem::FLAG_INT_REVERSED) != 0;
    if (telemetry.exact)
    {
        telemetry.samples = *item.exactInt;
    }
    else
    {
        std::copy_n(item.intRecords.begin(), item.intCount, telemetry.records.begin());
    }
    packet->AddHeader(telemetry);
    return telemetry.GetSerializedSize();
}

bool
RoceParts::TakeInt(Ptr<Packet> packet, uint32_t extensionBytes, FabricPacketItem& item)
{
    if (extensionBytes == 0)
    {
        return true;
    }
    FabricIntHeader telemetry;
    if (!FrameBytes::Take(packet, telemetry) || telemetry.GetSerializedSize() != extensionBytes)
    {
        return false;
    }
    item.intCount = telemetry.count;
    item.intRecords = telemetry.records;
    item.flags |= FabricPacketItem::FLAG_INT;
    item.flags |= telemetry.reversed ? FabricPacketItem::FLAG_INT_REVERSED : 0;
    if (telemetry.exact)
    {
        item.exactInt =
            std::make_unique<std::array<IntSample, FabricPacketItem::MAX_HOPS>>(telemetry.samples);
    }
    return true;
}

} // namespace ns3
