// SPDX-License-Identifier: GPL-2.0-only
#include "item-codec.h"

#include "plain-bytes.h"

#include "ns3/packet-kind.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

/// @return bytes of the room for INT records that mean something
std::size_t
GetRecordBytes(const PacketFields& fields)
{
    const bool isFull =
        PacketKinds::Get(fields.type).fillsIntRoom || (fields.flags & PacketFields::FLAG_EDGE) != 0;
    return (isFull ? PacketFields::MAX_HOPS : std::min(fields.intCount, PacketFields::MAX_HOPS)) *
           sizeof(uint64_t);
}

// The fields lie side by side, the room for INT records in the middle: of that only what is used
// goes to the other process.
constexpr std::size_t RECORDS = offsetof(PacketFields, intRecords);      //!< where records begin
constexpr std::size_t REST = RECORDS + sizeof(PacketFields::intRecords); //!< where they end
constexpr std::size_t REST_BYTES = sizeof(PacketFields) - REST;          //!< behind them

/// Append the fields of a packet.
void
WriteFields(std::string& bytes, const PacketFields& fields)
{
    const char* from = reinterpret_cast<const char*>(&fields);
    const std::size_t records = GetRecordBytes(fields);
    std::array<char, sizeof(PacketFields)> room; // joins the bytes at once
    std::memcpy(room.data(), from, RECORDS);
    std::memcpy(room.data() + RECORDS, from + REST, REST_BYTES);
    std::memcpy(room.data() + RECORDS + REST_BYTES, from + RECORDS, records);
    bytes.append(room.data(), RECORDS + REST_BYTES + records);
}

/// Read the fields of a packet. @throws FabricError if the bytes end before, or there is no packet
/// of such a type
void
ReadFields(std::string_view bytes, std::size_t& at, PacketFields& fields)
{
    const auto take = [&bytes, &at](char* to, std::size_t size) {
        if (bytes.size() - at < size)
        {
            ThrowCutShort();
        }
        std::memcpy(to, bytes.data() + at, size);
        at += size;
    };
    char* to = reinterpret_cast<char*>(&fields);
    take(to, RECORDS);
    take(to + REST, REST_BYTES);
    take(to + RECORDS, GetRecordBytes(fields));
}

/// What else there is.
enum ItemParts : uint8_t
{
    PAYLOAD = 1,  //!< a packet with bytes
    EXACT_INT = 2 //!< unpacked INT records
};

/// @return true for a packet with bytes
bool
HasPayload(const FabricPacketItem& item)
{
    return PeekPointer(item.GetPacket())->GetSize() > 0;
}

} // namespace

void
ItemCodec::Write(std::string& bytes, const FabricPacketItem& item)
{
    WriteFields(bytes, item);
    const bool hasPayload = HasPayload(item);
    bytes.push_back(
        static_cast<char>((hasPayload ? PAYLOAD : 0) | (item.exactInt ? EXACT_INT : 0)));
    if (item.exactInt)
    {
        for (uint8_t i = 0; i < item.intCount; ++i)
        {
            WritePlain(bytes, (*item.exactInt)[i]);
        }
    }
    if (hasPayload)
    {
        const Ptr<Packet> payload = item.GetPacket();
        const uint32_t size = payload->GetSerializedSize();
        std::vector<uint32_t> words((size + 3) / 4); // the form that Packet wants is in words
        payload->Serialize(reinterpret_cast<uint8_t*>(words.data()), size);
        WritePlain(bytes, size);
        bytes.append(reinterpret_cast<const char*>(words.data()), size);
    }
}

bool
ItemCodec::IsPlain(const FabricPacketItem& item)
{
    return !item.exactInt && !HasPayload(item);
}

Ptr<FabricPacketItem>
ItemCodec::Read(std::string_view bytes, std::size_t& at, Ptr<FabricPacketItem> item)
{
    if (!item)
    {
        item = FabricPacketItem::Create(FabricPacketType::DATA);
    }
    ReadFields(bytes, at, *item);
    const auto parts = TakePlain<uint8_t>(bytes, at);
    if ((parts & EXACT_INT) != 0)
    {
        item->exactInt = std::make_unique<std::array<IntSample, FabricPacketItem::MAX_HOPS>>();
        for (uint8_t i = 0; i < item->intCount; ++i)
        {
            ReadPlain(bytes, at, (*item->exactInt)[i]);
        }
    }
    if ((parts & PAYLOAD) == 0)
    {
        return item;
    }
    const auto size = TakePlain<uint32_t>(bytes, at);
    if (bytes.size() - at < size)
    {
        ThrowCutShort();
    }
    const auto payload =
        Create<Packet>(reinterpret_cast<const uint8_t*>(bytes.data()) + at, size, true);
    at += size;
    // an item is made around its payload
    const Ptr<FabricPacketItem> whole(new FabricPacketItem(payload), false);
    static_cast<PacketFields&>(*whole) = *item;
    whole->exactInt = std::move(item->exactInt);
    return whole;
}

} // namespace ns3
