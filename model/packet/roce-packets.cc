// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief The kinds of packets of the transport: data, answers, CNP; and what neighbors tell one
 * another.
 */
#include "fabric-error.h"
#include "packet-kind.h"
#include "roce-extensions.h"
#include "wire-format.h"

namespace ns3
{

namespace
{

/// Flags of data that has RETH: the first packet of a write.
constexpr uint32_t WRITE_FIRST = FabricPacketItem::FLAG_WRITE | FabricPacketItem::FLAG_FIRST;

/**
 * @param item data or answer
 * @return true if what edge switches tell one another is to be written
 */
bool
HasEdge(const FrameWriter& /* extensions */, const FabricPacketItem& item)
{
    return (item.flags & FabricPacketItem::FLAG_EDGE) != 0;
}

/**
 * @param extensions where
 * @return true if what edge switches tell one another follows
 */
bool
HasEdge(const FrameReader& extensions, const FabricPacketItem& /* item */)
{
    return RoceExtensions::IsEdge(extensions.Peek());
}

/// Layout of data: RETH of the first packet of a write, then the headers that flags name.
struct DataPacket
{
    using Fields = FabricPacketItem::DataFields; //!< of the item

    /**
     * @brief Layout.
     * @tparam Wire direction
     * @tparam Item packet item
     * @param transport where RETH is
     * @param extensions where the rest is
     * @param item the packet
     */
    template <typename Wire, typename Item>
    static void Describe(Wire& transport, Wire& extensions, Item& item)
    {
        if (item.IsTrimmed())
        {
            return; // all of it is cut off
        }
        if constexpr (!Wire::READS)
        {
            Require(item);
        }
        if ((item.flags & WRITE_FIRST) == WRITE_FIRST)
        {
            transport.Field(item.data.offset, 8);       // virtual address
            transport.Field(item.data.messageBytes, 8); // remote key and DMA length
        }
        // With RETH too, offset and length are there twice.
        if (HasMatch(extensions, item))
        {
            RoceExtensions::Match(extensions, item);
        }
        if (HasTag(extensions, item))
        {
            RoceExtensions::Tag(extensions, item);
        }
        if (HasDemand(extensions, item))
        {
            RoceExtensions::Demand(extensions, item);
        }
        if (HasEdge(extensions, item))
        {
            RoceExtensions::Edge(extensions, item);
        }
    }

    /**
     * @brief Print.
     * @param os where
     * @param item the packet
     */
    static void Print(std::ostream& os, const FabricPacketItem& item)
    {
        if ((item.flags & FabricPacketItem::FLAG_MATCH) != 0)
        {
            os << " msn " << item.data.msn << " epoch " << +item.data.epoch << " offset "
               << item.data.offset << " of " << item.data.messageBytes
               << ((item.flags & FabricPacketItem::FLAG_VOID) != 0 ? " void" : "");
        }
        if ((item.flags & FabricPacketItem::FLAG_TAG) != 0)
        {
            os << ((item.flags & FabricPacketItem::FLAG_CC) != 0 ? " CC" : "") << " AR "
               << (item.arPoint == FabricPacketItem::NO_AR_POINT ? "none"
                                                                 : std::to_string(item.arPoint));
        }
        if (item.IsTrimmed())
        {
            os << " trimmed"
               << ((item.flags & FabricPacketItem::FLAG_LAST_HOP) != 0 ? " at the last hop" : "");
        }
        if ((item.flags & FabricPacketItem::FLAG_DEMAND) != 0)
        {
            os << " wants " << item.demand;
        }
        if ((item.flags & FabricPacketItem::FLAG_EDGE) != 0)
        {
            os << " path 0x" << std::hex << item.edge.path << std::dec;
        }
    }

  private:
    /**
     * @brief Refuse what has no header that says it.
     * @param item data
     */
    static void Require(const FabricPacketItem& item)
    {
        if ((item.flags & (FabricPacketItem::FLAG_TAG | FabricPacketItem::FLAG_CC)) ==
            FabricPacketItem::FLAG_CC)
        {
            throw FabricError("packet item: FLAG_CC needs FLAG_TAG, whose header says it");
        }
        if ((item.flags & (FabricPacketItem::FLAG_VOID | FabricPacketItem::FLAG_MATCH)) ==
            FabricPacketItem::FLAG_VOID)
        {
            throw FabricError("packet item: FLAG_VOID needs FLAG_MATCH, whose header says it");
        }
    }

    /**
     * @param item data
     * @return true if a header of message matching is to be written
     */
    static bool HasMatch(const FrameWriter& /* extensions */, const FabricPacketItem& item)
    {
        return (item.flags & FabricPacketItem::FLAG_MATCH) != 0;
    }

    /**
     * @param extensions where
     * @return true if a header of message matching follows
     */
    static bool HasMatch(const FrameReader& extensions, const FabricPacketItem& /* item */)
    {
        return RoceExtensions::IsMatch(extensions.Peek());
    }

    /**
     * @param item data
     * @return true if a coordination tag is to be written
     */
    static bool HasTag(const FrameWriter& /* extensions */, const FabricPacketItem& item)
    {
        return (item.flags & FabricPacketItem::FLAG_TAG) != 0;
    }

    /**
     * @param extensions where
     * @return true if a coordination tag follows
     */
    static bool HasTag(const FrameReader& extensions, const FabricPacketItem& /* item */)
    {
        return RoceExtensions::IsTag(extensions.Peek());
    }

    /**
     * @param item data
     * @return true if a demand for credit is to be written
     */
    static bool HasDemand(const FrameWriter& /* extensions */, const FabricPacketItem& item)
    {
        return (item.flags & FabricPacketItem::FLAG_DEMAND) != 0;
    }

    /**
     * @param extensions where
     * @return true if a demand for credit follows
     */
    static bool HasDemand(const FrameReader& extensions, const FabricPacketItem& /* item */)
    {
        return RoceExtensions::IsDemand(extensions.Peek());
    }
};

/// Layout of an ACK or NAK.
struct AckPacket
{
    using Fields = FabricPacketItem::AckFields; //!< of the item

    /**
     * @brief Layout.
     * @tparam Wire direction
     * @tparam Item packet item
     * @param transport where AETH is
     * @param extensions where the rest is
     * @param item the answer
     */
    template <typename Wire, typename Item>
    static void Describe(Wire& transport, Wire& extensions, Item& item)
    {
        RoceExtensions::Answer(transport, extensions, item, false);
        if (HasEdge(extensions, item))
        {
            RoceExtensions::Edge(extensions, item);
        }
    }

    /**
     * @brief Print.
     * @param os where
     * @param item the answer
     */
    static void Print(std::ostream& os, const FabricPacketItem& item)
    {
        if (item.ack.code != NackCode::OUT_OF_ORDER)
        {
            os << " of trimmed " << item.ack.triggerPsn
               << (item.ack.code == NackCode::TRIMMED_LAST_HOP ? " at the last hop" : "");
        }
    }
};

/// Layout of a CNP.
struct CnpPacket
{
    /**
     * @brief Layout.
     * @tparam Wire direction
     * @tparam Item packet item
     * @param transport where it is
     */
    template <typename Wire, typename Item>
    static void Describe(Wire& transport, Wire& /* extensions */, Item& /* item */)
    {
        transport.Constant(0, RoceV2WireFormat::CNP_BYTES);
    }
};

/// A packet that is all payload.
struct NoticePacket
{
    /**
     * @brief Layout: none.
     * @tparam Wire direction
     * @tparam Item packet item
     */
    template <typename Wire, typename Item>
    static void Describe(Wire& /* transport */, Wire& /* extensions */, Item& /* item */)
    {
    }
};

/// @return what there is to say of data
PacketKind
MakeDataKind()
{
    using Item = FabricPacketItem;
    constexpr uint8_t RETH = RoceV2WireFormat::RETH_BYTES;
    PacketKind kind{FabricPacketType::DATA, "DATA"};
    kind.opcodes = {{0x00, Item::FLAG_FIRST, 0},
                    {0x01, 0, 0},
                    {0x02, Item::FLAG_LAST, 0},
                    {0x04, Item::FLAG_FIRST | Item::FLAG_LAST, 0},
                    {0x06, WRITE_FIRST, RETH},
                    {0x07, Item::FLAG_WRITE, 0},
                    {0x08, Item::FLAG_WRITE | Item::FLAG_LAST, 0},
                    {0x0a, WRITE_FIRST | Item::FLAG_LAST, RETH}};
    kind.hasPayload = true;
    kind.carriesInt = true;
    return kind;
}

/**
 * @param type which
 * @param name of it
 * @return what there is to say of an ACK or NAK
 */
PacketKind
MakeAckKind(FabricPacketType type, const char* name)
{
    PacketKind kind{type, name};
    kind.opcodes = {{0x11, 0, RoceV2WireFormat::AETH_BYTES}}; // they differ by AETH
    kind.carriesInt = true;
    kind.namesLast = type == FabricPacketType::ACK;
    return kind;
}

/// @return what there is to say of a CNP
PacketKind
MakeCnpKind()
{
    PacketKind kind{FabricPacketType::CNP, "CNP"};
    kind.opcodes = {{0x81, 0, RoceV2WireFormat::CNP_BYTES}};
    return kind;
}

/// @return what there is to say of what neighbors tell one another
PacketKind
MakeNoticeKind()
{
    PacketKind kind{FabricPacketType::NOTICE, "NOTICE"};
    kind.opcodes = {{0xc5, 0, 0}};
    kind.hasPayload = true;
    return kind;
}

const PacketKindOf<DataPacket> g_dataKind(MakeDataKind());                          //!< enters it
const PacketKindOf<AckPacket> g_ackKind(MakeAckKind(FabricPacketType::ACK, "ACK")); //!< likewise
const PacketKindOf<AckPacket> g_nackKind(MakeAckKind(FabricPacketType::NACK, "NACK")); //!< likewise
const PacketKindOf<CnpPacket> g_cnpKind(MakeCnpKind());                                //!< likewise
const PacketKindOf<NoticePacket> g_noticeKind(MakeNoticeKind());                       //!< likewise

} // namespace

} // namespace ns3
