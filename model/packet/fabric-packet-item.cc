// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-packet-item.h"

#include "packet-kind.h"
#include "wire-format.h"

#include "ns3/address.h"

#include <algorithm>
#include <new>
#include <vector>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define DCFABRIC_POOL_ITEMS 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define DCFABRIC_POOL_ITEMS 0
#endif
#endif
#ifndef DCFABRIC_POOL_ITEMS
#define DCFABRIC_POOL_ITEMS 1
#endif

namespace ns3
{

namespace
{

#if DCFABRIC_POOL_ITEMS
/// @return the free list; leaked on purpose, because items may outlive static destruction
std::vector<void*>&
FreeItems()
{
    static auto* items = new std::vector<void*>;
    return *items;
}

/**
 * @brief Get memory for many items at once: side by side, each at the start of a cache line,
 * without a heap header between.
 * @param items the free list, which is filled
 * @param bytes size of an item
 */
void
AllocateSlab(std::vector<void*>& items, std::size_t bytes)
{
    constexpr std::size_t CACHE_LINE = 64;
    constexpr std::size_t ITEMS_PER_SLAB = 64;
    const std::size_t stride = (bytes + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
    auto* slab =
        static_cast<char*>(::operator new (stride* ITEMS_PER_SLAB, std::align_val_t{CACHE_LINE}));
    for (std::size_t i = ITEMS_PER_SLAB; i-- > 0;)
    {
        items.push_back(slab + i * stride);
    }
}
#endif

/// @return the empty packet that all timing-only items share
Ptr<Packet>
SharedPayload()
{
    static auto* payload = new Ptr<Packet>(Create<Packet>());
    return *payload;
}

/// Finalizer of splitmix64: every input bit reaches every output bit.
uint64_t
MixBits(uint64_t x)
{
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9U;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebU;
    return x ^ (x >> 31);
}

} // namespace

FabricPacketItem::FabricPacketItem(Ptr<Packet> payload)
    : TrimmableItem(payload, Address(), 0)
{
}

Ptr<FabricPacketItem>
FabricPacketItem::Create(FabricPacketType type)
{
    PacketKinds::Get(type);
    Ptr<FabricPacketItem> item(new FabricPacketItem(SharedPayload()), false);
    item->type = type;
    item->ack = {}; // the longest of the union; its padding lies where others have fields
    item->data = {};
    return item;
}

bool
FabricPacketItem::GetUint8Value(QueueItem::Uint8Values field, uint8_t& value) const
{
    if (field != QueueItem::IP_DSFIELD)
    {
        return false;
    }
    value = ds;
    return true;
}

void
FabricPacketItem::AddHeader()
{
    // headers are fields until FabricHeaders makes bytes of them
}

bool
FabricPacketItem::Mark()
{
    if ((ds & ECN_MASK) == 0)
    {
        return false;
    }
    ds |= ECN_CE;
    return true;
}

void
FabricPacketItem::Trim(uint32_t bytes, uint8_t dscp, bool lastHop)
{
    constexpr uint32_t HEADERS = RoceV2WireFormat::BASE_BYTES;
    constexpr uint32_t LOST =
        FLAG_MATCH | FLAG_VOID | FLAG_TAGGED | FLAG_INT | FLAG_TAG | FLAG_CC | FLAG_EDGE;
    size = std::min(size, bytes);
    ds = static_cast<uint8_t>((dscp << 2) | (ds & ECN_MASK));
    flags = (flags & ~LOST) | FLAG_TRIMMED | (lastHop ? FLAG_LAST_HOP : 0);
    intCount = 0;
    exactInt.reset();
    pathId = 0;
    data.payloadBytes = static_cast<uint16_t>(size - std::min(size, HEADERS));
    if (const uint32_t bytesKept = GetPacket()->GetSize())
    {
        GetPacket()->RemoveAtEnd(bytesKept); // not of the one that items without bytes share
    }
}

uint32_t
FabricPacketItem::Hash(uint32_t perturbation) const
{
    return static_cast<uint32_t>(MixBits((uint64_t{flowHash} << 32) ^ perturbation));
}

void
FabricPacketItem::Print(std::ostream& os) const
{
    const PacketKind* kind = PacketKinds::Find(type);
    os << (kind ? kind->name : "UNKNOWN") << ' ' << src << "->" << dst << " pdc " << pdc << " psn "
       << psn << " size " << size << " ds 0x" << std::hex << +ds << std::dec << " entropy "
       << entropy;
    if (kind && kind->print)
    {
        kind->print(os, *this);
    }
    if (type != FabricPacketType::DATA && (flags & FLAG_COMPLETE) != 0)
    {
        os << " complete";
    }
}

void
FabricPacketItem::CopyInt(const FabricPacketItem& from)
{
    intCount = from.intCount;
    intRecords = from.intRecords;
    pathId = from.pathId;
    exactInt =
        from.exactInt ? std::make_unique<std::array<IntSample, MAX_HOPS>>(*from.exactInt) : nullptr;
}

void
FabricPacketItem::UpdateFlowHash()
{
    const uint32_t low = src < dst ? src : dst;
    const uint32_t high = src < dst ? dst : src;
    const uint64_t endpoints = (uint64_t{low} << 32) | high;
    flowHash = static_cast<uint32_t>(MixBits(MixBits(endpoints) + entropy) >> 32);
}

void*
FabricPacketItem::operator new(size_t bytes)
{
#if DCFABRIC_POOL_ITEMS
    auto& items = FreeItems();
    if (items.empty())
    {
        AllocateSlab(items, bytes);
    }
    void* block = items.back();
    items.pop_back();
    return block;
#else
    return ::operator new(bytes);
#endif
}

void
FabricPacketItem::operator delete(void* block)
{
#if DCFABRIC_POOL_ITEMS
    FreeItems().push_back(block);
#else
    ::operator delete(block);
#endif
}

} // namespace ns3
