// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief The headers this module adds behind those of RoCEv2 to data and answers: message matching,
 * coordination tag, acknowledgement state, telemetry. Those of other kinds are with these.
 */
#ifndef ROCE_EXTENSIONS_H
#define ROCE_EXTENSIONS_H

#include "fabric-packet-item.h"
#include "frame-bytes.h"

#include <array>
#include <cstdint>
#include <memory>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief The layouts of the extension headers, each for both directions; the part of RoceFrame that
 * knows them.
 *
 * In all functions Wire is FrameWriter or FrameReader, and Item is FabricPacketItem, constant for a
 * writer. A reader checks only what it needs to go on: whatever else is wrong,
 * FabricHeaders::Parse() refuses, because the same bytes would not come back.
 */
class RoceExtensions
{
  public:
    /**
     * @brief Which message a data packet belongs to and which part of it the packet holds, 24
     * bytes, or 32 with what only some messages need.
     *
     * With it a receiver needs no packet but this one to find the message, whatever arrived before.
     * It is the first extension header; the top bit of its first byte, which an INT header has
     * clear, tells the two apart (IsMatch()).
     * @tparam Wire direction
     * @tparam Item packet item
     * @param wire where
     * @param item data with FLAG_MATCH; the address of a write, match bits, or the bytes that come
     *        before the receiver asks, take bytes unless they are 0
     */
    template <typename Wire, typename Item>
    static void Match(Wire& wire, Item& item)
    {
        constexpr uint8_t EXTRA = 0x02;
        const uint8_t flags = FrameBytes::Flags(wire,
                                                item,
                                                {{FabricPacketItem::FLAG_MATCH, MATCH},
                                                 {FabricPacketItem::FLAG_VOID, 0x01},
                                                 {FabricPacketItem::FLAG_TAGGED, 0x04}},
                                                item.data.eagerBytes != 0 ? EXTRA : 0);
        wire.Field(item.data.sourcePdc, 3, "source PDC number");
        wire.Field(item.data.msn, 4);
        wire.Field(item.data.epoch, 1);
        wire.Field(item.data.messageBytes, 7, "length of a matched message");
        wire.Field(item.data.offset, 8);
        if ((flags & EXTRA) != 0)
        {
            wire.Field(item.data.eagerBytes, 8);
        }
    }

    /**
     * @param first first byte of extension headers
     * @return true if they begin with that of message matching
     */
    static bool IsMatch(uint8_t first)
    {
        return (first & MATCH) != 0;
    }

    /**
     * @brief The coordination tag of a data packet, 8 bytes ([CCM] section 6.1).
     *
     * It follows the match header, if any. Its first byte has bit 6 set and bit 7 clear, which an
     * INT header and the match header have not (IsTag()).
     * @tparam Wire direction
     * @tparam Item packet item
     * @param wire where
     * @param item data with FLAG_TAG; its arPoint has 24 bits unless it is NO_AR_POINT
     */
    template <typename Wire, typename Item>
    static void Tag(Wire& wire, Item& item)
    {
        constexpr uint8_t POINT = 0x02;
        const bool named = item.arPoint != FabricPacketItem::NO_AR_POINT;
        const uint8_t flags = FrameBytes::Flags(
            wire,
            item,
            {{FabricPacketItem::FLAG_TAG, TAG}, {FabricPacketItem::FLAG_CC, 0x01}},
            named ? POINT : 0);
        wire.Constant(0, 3);
        if ((flags & POINT) != 0)
        {
            FrameBytes::HostAddress(wire, item.arPoint, "AR point");
            return;
        }
        wire.Constant(0, 4);
        if constexpr (Wire::READS)
        {
            item.arPoint = FabricPacketItem::NO_AR_POINT;
        }
    }

    /**
     * @param first first byte of what follows the match header
     * @return true if that is the coordination tag
     */
    static bool IsTag(uint8_t first)
    {
        return (first & (MATCH | TAG)) == TAG;
    }

    /**
     * @brief The credit that the sender of a data packet wants, 4 bytes.
     *
     * It follows match header and tag, if any. Its first byte has bit 5 set and the two above it
     * clear, which an INT header has not (IsDemand()).
     * @tparam Wire direction
     * @tparam Item packet item
     * @param wire where
     * @param item data with FLAG_DEMAND; its demand has 24 bits
     */
    template <typename Wire, typename Item>
    static void Demand(Wire& wire, Item& item)
    {
        FrameBytes::Flags(wire, item, {{FabricPacketItem::FLAG_DEMAND, DEMAND}});
        wire.Field(item.demand, 3, "demand for credit");
    }

    /**
     * @param first first byte of what follows the coordination tag
     * @return true if that is a demand for credit
     */
    static bool IsDemand(uint8_t first)
    {
        return (first & (MATCH | TAG | DEMAND)) == DEMAND;
    }

    /**
     * @brief What the first switch of a packet tells the last one, 16 bytes.
     *
     * It follows match header, tag and demand of data, if any, or what an answer has. Its first
     * byte has bit 3 set and those above it clear, which an INT header has not (IsEdge()).
     * @tparam Wire direction
     * @tparam Item packet item
     * @param wire where
     * @param item data or answer with FLAG_EDGE
     */
    template <typename Wire, typename Item>
    static void Edge(Wire& wire, Item& item)
    {
        FrameBytes::Flags(wire, item, {{FabricPacketItem::FLAG_EDGE, EDGE}});
        wire.Field(item.edge.bytes[0], 1);
        wire.Field(item.edge.bytes[1], 1);
        wire.Constant(0, 1);
        wire.Field(item.edge.path, 4);
        wire.Field(item.edge.words[0], 4);
        wire.Field(item.edge.words[1], 4);
    }

    /**
     * @param first first byte of what follows
     * @return true if that is what edge switches tell one another
     */
    static bool IsEdge(uint8_t first)
    {
        return (first & (MATCH | TAG | DEMAND | EDGE)) == EDGE;
    }

    /**
     * @brief What an ACK, NAK, RTW or RNR tells the sender beyond the cumulative sequence number,
     * 32 bytes.
     *
     * The entropy of the packet that triggered it is not among the fields: the answer has it as its
     * own UDP source port.
     * @tparam Wire direction
     * @tparam Item packet item
     * @param wire where
     * @param item the answer; counts up to 65535, sequence and PDC numbers of 24 bits
     */
    template <typename Wire, typename Item>
    static void Ack(Wire& wire, Item& item)
    {
        wire.Field(item.ack.sackBitmap, 8);
        wire.Field(item.sendTimePs, 8);
        FrameBytes::Flags(
            wire,
            item,
            {{FabricPacketItem::FLAG_ECHO_MARK, 0x01}, {FabricPacketItem::FLAG_COMPLETE, 0x02}});
        wire.Field(item.ack.sackBase, 3, "SACK base");
        wire.Field(item.ack.triggerPsn, 3, "trigger sequence number");
        wire.Field(item.ack.targetPdc, 3, "target PDC number");
        wire.Field(item.ack.coveredPackets, 2, "number of covered packets");
        wire.Field(item.ack.markedPackets, 2, "number of marked packets");
        wire.Field(item.ack.activeFlows, 2);
    }

    /**
     * @brief Which attempt of which message an RTW or RNR refuses, or an ACK says to be complete, 8
     * bytes.
     * @tparam Wire direction
     * @tparam Item packet item
     * @param wire where
     * @param item the answer
     */
    template <typename Wire, typename Item>
    static void Message(Wire& wire, Item& item)
    {
        wire.Field(item.ack.epoch, 1);
        FrameBytes::Flags(wire, item, {{FabricPacketItem::FLAG_WRITE, 0x01}});
        wire.Constant(0, 2);
        wire.Field(item.ack.msn, 4);
    }

    /**
     * @brief What follows BTH in an ACK, NAK, RTW or RNR.
     * @tparam Wire direction
     * @tparam Item packet item
     * @param transport where AETH is
     * @param extensions where the extension headers are
     * @param item has its type; an ACK that is read becomes a NAK if AETH says so
     * @param namesMessage the message of the packet that it answers is named, as it is where
     *        FLAG_COMPLETE is set
     */
    template <typename Wire, typename Item>
    static void Answer(Wire& transport, Wire& extensions, Item& item, bool namesMessage)
    {
        constexpr uint8_t ACK = 0x1f;   // acknowledged, no end-to-end credits
        constexpr uint8_t NAK = 0x60;   // sequence error
        constexpr uint8_t CODES = 0x6f; // of Ultra Ethernet, from the next on, which are reserved
        constexpr auto LAST = static_cast<uint8_t>(CODES + static_cast<uint8_t>(NackCode::NO_PDC));
        uint8_t syndrome = ACK;
        if (item.type == FabricPacketType::NACK)
        {
            const auto code = static_cast<uint8_t>(item.ack.code);
            syndrome = code == 0 ? NAK : CODES + code;
        }
        transport.Field(syndrome, 1);
        if constexpr (Wire::READS)
        {
            const bool hasCode = syndrome > CODES && syndrome <= LAST;
            if (item.type == FabricPacketType::ACK && (syndrome == NAK || hasCode))
            {
                item.type = FabricPacketType::NACK;
                item.ack.code = static_cast<NackCode>(hasCode ? syndrome - CODES : 0);
            }
        }
        transport.Field(item.echoDelayNs, 3, "endpoint delay");
        Ack(extensions, item);
        if (namesMessage || (item.flags & FabricPacketItem::FLAG_COMPLETE) != 0)
        {
            Message(extensions, item);
        }
    }

    /**
     * @brief In-network telemetry: 4 bytes and the records, 8 bytes each packed, 32 unpacked.
     * @tparam Wire direction
     * @tparam Item packet item
     * @param wire where
     * @param item has the records, up to FabricPacketItem::MAX_HOPS; FLAG_INT is set by reading
     */
    template <typename Wire, typename Item>
    static void Int(Wire& wire, Item& item)
    {
        constexpr uint8_t EXACT = 0x01;
        [[maybe_unused]] const uint8_t flags =
            FrameBytes::Flags(wire,
                              item,
                              {{FabricPacketItem::FLAG_INT_REVERSED, 0x02}},
                              item.exactInt ? EXACT : 0);
        wire.Field(item.intCount, 1, "number of INT records", FabricPacketItem::MAX_HOPS);
        wire.Field(item.pathId, 2, "path id", FabricPacketItem::MAX_PATH_ID);
        if constexpr (Wire::READS)
        {
            item.flags |= FabricPacketItem::FLAG_INT;
            if ((flags & EXACT) != 0)
            {
                item.exactInt =
                    std::make_unique<std::array<IntSample, FabricPacketItem::MAX_HOPS>>();
            }
        }
        for (uint8_t hop = 0; hop < item.intCount; ++hop)
        {
            if (item.exactInt)
            {
                auto& sample = (*item.exactInt)[hop];
                wire.Field(sample.timePs, 8);
                wire.Field(sample.txBytes, 8);
                wire.Field(sample.queueBytes, 8);
                wire.Field(sample.rateBps, 8);
            }
            else
            {
                wire.Field(item.intRecords[hop], 8);
            }
        }
    }

  private:
    static constexpr uint8_t MATCH = 0x80;  //!< first byte of the match header, always set
    static constexpr uint8_t TAG = 0x40;    //!< first byte of the coordination tag, always set
    static constexpr uint8_t DEMAND = 0x20; //!< first byte of a demand for credit, always set
    static constexpr uint8_t EDGE = 0x08;   //!< first byte of what edge switches say, always set
};

} // namespace ns3

#endif /* ROCE_EXTENSIONS_H */
