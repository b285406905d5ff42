// SPDX-License-Identifier: GPL-2.0-only
#include "item-codec.h"

#include "plain-bytes.h"

#include "ns3/packet-kind.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>
#include <vector>

namespace ns3
{

namespace
{

/// Visit all fields that every packet has.
template <typename Item, typename Visitor>
void
VisitCommonFields(Item& item, const Visitor& visit)
{
    visit(item.type);
    visit(item.src);
    visit(item.dst);
    visit(item.flowHash);
    visit(item.size);
    visit(item.flags);
    visit(item.ds);
    visit(item.intCount);
    visit(item.sendTimePs);
    visit(item.pdc);
    visit(item.psn);
    visit(item.entropy);
    visit(item.pathId); // or foreignProtocol
    visit(item.echoDelayNs);
    visit(item.finalDst);
    visit(item.arPoint);
    if ((item.flags & FabricPacketItem::FLAG_NUMBERED) != 0)
    {
        visit(item.linkNumber);
    }
    if ((item.flags & FabricPacketItem::FLAG_EDGE) != 0)
    {
        visit(item.edge);
    }
}

/// Visit what packets of a kind have beside.
template <typename Item, typename Visitor>
void
VisitKindFields(Item& item, const Visitor& visit)
{
    const PacketKind& kind = PacketKinds::Get(item.type);
    if (kind.hasFields)
    {
        visit(item.body);
    }
    const uint8_t words = kind.fillsIntRoom ? FabricPacketItem::MAX_HOPS
                                            : std::min(item.intCount, FabricPacketItem::MAX_HOPS);
    for (uint8_t i = 0; i < words; ++i)
    {
        visit(item.intRecords[i]);
    }
}

/// Writes fields into a room of its own, which joins the bytes at once: one look at their end
/// instead of one for each field.
class FieldWriter
{
  public:
    /// Write a field.
    template <typename T>
    void operator()(const T& field)
    {
        static_assert(std::is_trivially_copyable_v<T>, "has parts elsewhere");
        std::memcpy(m_room.data() + m_size, &field, sizeof(T));
        m_size += sizeof(T);
    }

    /// @param bytes take what was written
    void AppendTo(std::string& bytes) const
    {
        bytes.append(m_room.data(), m_size);
    }

  private:
    std::array<char, sizeof(FabricPacketItem)> m_room; //!< all fields are of an item
    std::size_t m_size{0};                             //!< written
};

/// Reads fields that FieldWriter has written.
class FieldReader
{
  public:
    /// @param bytes where they are @param at where they begin
    FieldReader(const std::string& bytes, std::size_t at)
        : m_at(bytes.data() + at),
          m_end(bytes.data() + bytes.size())
    {
    }

    /// Read a field. @throws FabricError if the bytes end before
    template <typename T>
    void operator()(T& field)
    {
        if (static_cast<std::size_t>(m_end - m_at) < sizeof(T))
        {
            ThrowCutShort();
        }
        std::memcpy(&field, m_at, sizeof(T));
        m_at += sizeof(T);
    }

    /// @param bytes where they are @return where the next field begins
    std::size_t GetPlace(const std::string& bytes) const
    {
        return static_cast<std::size_t>(m_at - bytes.data());
    }

  private:
    const char* m_at;  //!< next byte
    const char* m_end; //!< behind the last one
};

/// What else there is.
enum ItemParts : uint8_t
{
    PAYLOAD = 1,  //!< a packet with bytes
    EXACT_INT = 2 //!< unpacked INT records
};

} // namespace

void
ItemCodec::Write(std::string& bytes, const FabricPacketItem& item)
{
    FieldWriter fields;
    const auto write = [&fields](const auto& field) { fields(field); };
    VisitCommonFields(item, write);
    VisitKindFields(item, write);
    fields.AppendTo(bytes);
    const Ptr<Packet> payload = item.GetPacket();
    const bool hasPayload = payload->GetSize() > 0;
    WritePlain(bytes,
               static_cast<uint8_t>((hasPayload ? PAYLOAD : 0) | (item.exactInt ? EXACT_INT : 0)));
    if (item.exactInt)
    {
        for (uint8_t i = 0; i < item.intCount; ++i)
        {
            WritePlain(bytes, (*item.exactInt)[i]);
        }
    }
    if (hasPayload)
    {
        const uint32_t size = payload->GetSerializedSize();
        std::vector<uint32_t> words((size + 3) / 4); // the form that Packet wants is in words
        payload->Serialize(reinterpret_cast<uint8_t*>(words.data()), size);
        WritePlain(bytes, size);
        bytes.append(reinterpret_cast<const char*>(words.data()), size);
    }
}

Ptr<FabricPacketItem>
ItemCodec::Read(const std::string& bytes, std::size_t& at)
{
    const std::size_t begin = at;
    std::size_t first = at;
    // the type is in front; Create() refuses one that there is not
    const Ptr<FabricPacketItem> head =
        FabricPacketItem::Create(TakePlain<FabricPacketType>(bytes, first));
    FieldReader fields(bytes, at);
    const auto read = [&fields](auto& field) { fields(field); };
    VisitCommonFields(*head, read);
    VisitKindFields(*head, read);
    at = fields.GetPlace(bytes);
    const auto parts = TakePlain<uint8_t>(bytes, at);
    if ((parts & EXACT_INT) != 0)
    {
        head->exactInt = std::make_unique<std::array<IntSample, FabricPacketItem::MAX_HOPS>>();
        for (uint8_t i = 0; i < head->intCount; ++i)
        {
            ReadPlain(bytes, at, (*head->exactInt)[i]);
        }
    }
    if ((parts & PAYLOAD) == 0)
    {
        return head;
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
    const Ptr<FabricPacketItem> item(new FabricPacketItem(payload), false);
    std::size_t again = begin;
    const auto reread = [&bytes, &again](auto& field) { ReadPlain(bytes, again, field); };
    VisitCommonFields(*item, reread);
    item->ack = {};
    VisitKindFields(*item, reread);
    item->exactInt = std::move(head->exactInt);
    return item;
}

} // namespace ns3
