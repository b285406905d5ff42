// SPDX-License-Identifier: GPL-2.0-only
#ifndef PACKET_FIELDS_H
#define PACKET_FIELDS_H

#include "edge-tag.h"
#include "int-format.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What a packet is to the fabric: the number of its PacketKind, which says all else.
 *
 * A type of one's own is a number from OWN on, that of its operation code.
 */
enum class FabricPacketType : uint8_t
{
    DATA,    //!< payload of a message (RC SEND or WRITE)
    ACK,     //!< acknowledgement (RC ACK with AETH)
    NACK,    //!< out-of-sequence NAK of go-back-N
    CNP,     //!< congestion notification packet of RoCEv2
    FOREIGN, //!< a packet of another protocol that crosses the fabric
    PAUSE,   //!< PFC frame, never leaves its link
    CREDIT,  //!< frame of credit-based flow control, never leaves its link
    RATE,    //!< fair rate that a switch tells the source of a flow (ICMP)
    RTW,     //!< request to wait: an ACK of a packet whose receive is not posted ([Patent] (59))
    RNR,     //!< receiver not ready: likewise, and the sender tries again by itself
    RTS,     //!< request to send: the receive is posted, or the rest is fetched
    BTS,     //!< back to sender: a queue notifies the source of a packet ([Patent] (10) to (16))
    NOTICE,  //!< what a feature of a switch tells that of its neighbor; its bytes are the payload
    CCM,     //!< notification of coordinated congestion management ([CCM] section 6.2)
    LLR,     //!< of link-level retry (RetryFields), never leaves its link
    CLOSE,   //!< a PDC that goes, said by either end
    GRANT,   //!< what a receiver lets a sender send in all
    OWN = 0xd0, //!< the first type that is not the module's
};

/**
 * @ingroup dcfabric
 * @brief Why a receiver sends a NACK.
 */
enum class NackCode : uint8_t
{
    OUT_OF_ORDER,     //!< go-back-N: a packet before it is missing
    TRIMMED,          //!< it came without its payload
    TRIMMED_LAST_HOP, //!< likewise, which the port to this receiver cut off
    NO_PDC,           //!< the PDC that it names is closed, or never was
};

/**
 * @ingroup dcfabric
 * @brief The parsed header fields of a packet, and what nodes note beside them. All of it is plain:
 * it goes to another process as it lies in memory (ItemCodec).
 */
struct PacketFields
{
    /// #ingressPort of a packet that its node made itself.
    static constexpr uint16_t NO_PORT = 0xffff;

    /// #nextOutput and #output before somebody has asked.
    static constexpr uint16_t UNKNOWN_PORT = 0xfffe;

    /// In a credit frame: no virtual queue.
    static constexpr uint16_t NO_QUEUE = 0xffff;

    /// Most INT records a packet can carry.
    static constexpr uint8_t MAX_HOPS = 8;

    /// Largest #pathId.
    static constexpr uint16_t MAX_PATH_ID = 0xfff;

    /// ECN codepoints in the low two bits of #ds (RFC 3168).
    static constexpr uint8_t ECN_MASK = 0x03;
    static constexpr uint8_t ECN_ECT0 = 0x02; //!< capable
    static constexpr uint8_t ECN_CE = 0x03;   //!< congestion experienced

    /// Bytes that the fields of a kind of packet may take, see FabricPacketItem::As().
    static constexpr std::size_t BODY_BYTES = 40;

    /// Bits of #flags.
    static constexpr uint32_t FLAG_SYN = 0x01;   //!< the target does not know this PDC yet
    static constexpr uint32_t FLAG_FIRST = 0x02; //!< first packet of its message
    static constexpr uint32_t FLAG_LAST = 0x04;  //!< last packet of its message
    static constexpr uint32_t FLAG_WRITE = 0x08; //!< RDMA WRITE instead of SEND
    static constexpr uint32_t FLAG_RETRANSMISSION =
        0x10; //!< not the first copy (metadata, not on the wire)
    static constexpr uint32_t FLAG_ECHO_MARK =
        0x20; //!< ACK: the packet that triggered it was marked
    static constexpr uint32_t FLAG_INT_REVERSED =
        0x40; //!< INT was taken on the return path: last hop first
    static constexpr uint32_t FLAG_INT =
        0x80; //!< has an INT header; switches add records to data that has one
    static constexpr uint32_t FLAG_ACK_REQUEST =
        0x100;                                    //!< the sender waits for an ACK of this packet
    static constexpr uint32_t FLAG_MATCH = 0x200; //!< data: goes through the match table
    static constexpr uint32_t FLAG_COMPLETE =
        0x400; //!< ACK: the message of the packet that triggered it has arrived completely
    static constexpr uint32_t FLAG_VOID =
        0x800; //!< data: its payload was given up, only the sequence number counts
    static constexpr uint32_t FLAG_SPARED =
        0x1000; //!< was ECT(0) before it entered the queue, and will be again (metadata)
    static constexpr uint32_t FLAG_VIA =
        0x2000; //!< #dst is a switch on the way, #finalDst the receiver (metadata)
    static constexpr uint32_t FLAG_TAG =
        0x4000; //!< data: has the coordination tag, #arPoint and #FLAG_CC ([CCM] section 6.1)
    static constexpr uint32_t FLAG_CC =
        0x8000; //!< in the tag: CC indicator, the flow may cause incast congestion
    static constexpr uint32_t FLAG_TRIMMED =
        0x10000; //!< data: a queue without room for it cut its payload off
    static constexpr uint32_t FLAG_LAST_HOP =
        0x20000; //!< with FLAG_TRIMMED: by the port to its receiver
    static constexpr uint32_t FLAG_DEMAND = 0x40000; //!< data: has #demand
    static constexpr uint32_t FLAG_NO_PDC =
        0x100000; //!< data: its receiver keeps no PDC for it; ACK: of such a packet alone
    static constexpr uint32_t FLAG_TAGGED = 0x200000; //!< data, with FLAG_MATCH: has match bits
    static constexpr uint32_t FLAG_EDGE =
        0x10000000; //!< data or answer: has #edge, from its first switch to its last
    static constexpr uint32_t FLAG_ORDERED_SET =
        0x40000000; //!< between frames on its link, without preamble and gap (metadata)
    static constexpr uint32_t FLAG_NUMBERED =
        0x80000000; //!< has a #linkNumber on the link that it is on (metadata)

    /// #arPoint that names no point: none upstream can choose another path.
    static constexpr uint32_t NO_AR_POINT = 0xffffffff;

    // Second cache line: read at each hop; it ends with the first INT records.
    uint32_t src{0};         //!< fabric address of the sender
    uint32_t dst{0};         //!< where it goes: fabric address of the receiver, or see #FLAG_VIA
    uint32_t flowHash{0};    //!< direction-free hash of addresses and entropy
    uint32_t size{0};        //!< frame bytes, without preamble and gap
    uint32_t bufferBytes{0}; //!< bytes charged to the buffer of the switch it is in
    uint32_t flags{0};       //!< FLAG_ bits
    uint16_t ingressPort{0}; //!< port at which it entered the node it is in
    FabricPacketType type{FabricPacketType::DATA}; //!< what it is
    uint8_t ds{0};                                 //!< DSCP and ECN
    uint8_t intCount{0};                           //!< INT records present
    uint8_t bufferClass{0}; //!< class in which it came into the node it is in, and has its room

    /// Credits of one class or virtual queue, in units since the beginning, modulo 2^32.
    struct CreditTotals
    {
        uint32_t sent;  //!< sent by the sender of the frame
        uint32_t limit; //!< up to which the receiver of the frame may send
    };

    union {
        std::array<uint64_t, MAX_HOPS> intRecords; //!< packed INT records (IntFormat)
        std::array<CreditTotals, 8> credits;       //!< credit frame: by class, or of some queues
        EdgeTag edge; //!< with FLAG_EDGE: never beside INT, whose records are of one path
    };

    // What only the ends read.
    int64_t sendTimePs{
        0};          //!< when the sender put it on its wire (ACK: of the packet that triggered it)
    uint32_t pdc{0}; //!< PDC number at the receiver of this packet (with SYN: at the sender)
    uint32_t psn{0}; //!< 24-bit packet sequence number (ACK: cumulative, next expected)
    uint16_t entropy{0}; //!< UDP source port

    union {
        uint16_t foreignProtocol{0}; //!< FOREIGN: EtherType
        /// With an INT header: which path the records are of, 12 bits (IntStamper); 0: unsaid.
        uint16_t pathId;
    };

    union {
        uint32_t echoDelayNs{0}; //!< ACK: ns that it waited at its sender, where that is measured
        /// With FLAG_DEMAND: credit that the sender wants in all, 24 bits (CreditUnits).
        uint32_t demand;
    };

    uint32_t finalDst{0}; //!< with FLAG_VIA: fabric address of the receiver
    uint32_t arPoint{0};  //!< with FLAG_TAG: AR indicator, fabric address or #NO_AR_POINT

    /// Fields of a data packet.
    struct DataFields
    {
        uint64_t offset;       //!< of the first payload byte within its message
        uint64_t messageBytes; //!< length of the message

        union {
            uint64_t eagerBytes; //!< with FLAG_MATCH: what is sent before the receiver asks; 0: all
            uint64_t remoteAddress; //!< with FLAG_WRITE: of the message at the receiver
            uint64_t matchBits;     //!< with FLAG_TAGGED: of the message
        };

        uint32_t
            msn; //!< message sequence number: of the pair of hosts with FLAG_MATCH, else of the PDC
        uint16_t payloadBytes; //!< payload of this packet
        uint8_t epoch;         //!< attempt of the message, with FLAG_MATCH
        uint32_t sourcePdc;    //!< PDC number at the sender
        uint32_t tag;          //!< the caller's number of the message (metadata, not on the wire)
    };

    /// Fields of an ACK or NACK.
    struct AckFields
    {
        uint64_t sackBitmap;     //!< bit i: packet sackBase + i has arrived
        uint32_t sackBase;       //!< 24-bit sequence number of bit 0
        uint32_t triggerPsn;     //!< packet that triggered it
        uint32_t coveredPackets; //!< data packets this ACK answers
        uint32_t markedPackets;  //!< of these, with congestion experienced
        uint32_t targetPdc;      //!< PDC number at the acknowledging side
        uint16_t activeFlows;    //!< N of [FNCC]: PDCs with an incomplete inbound message there
        uint8_t epoch;           //!< RTW and RNR: attempt that is refused
        NackCode code;           //!< NACK: why (RTW and RNR: nothing)
        uint32_t msn;            //!< RTW and RNR: message that is refused
    };

    union {
        DataFields data;
        AckFields ack;
        std::array<std::byte, BODY_BYTES> body; //!< of other kinds, see FabricPacketItem::As()
    };

    static_assert(sizeof(AckFields) == BODY_BYTES && sizeof(DataFields) == BODY_BYTES,
                  "FabricPacketItem::Create() clears an ACK, and with it all");

    uint32_t linkNumber{0}; //!< with FLAG_NUMBERED: 20 bits, which the preamble has room for

    // Under VoqCreditFlowControl, where it is known before a packet comes (metadata):
    mutable uint16_t nextOutput{UNKNOWN_PORT}; //!< port by which it will leave the next node
    mutable uint16_t output{UNKNOWN_PORT};     //!< port by which it will leave the node it is in
};

static_assert(std::is_trivially_copyable_v<PacketFields> && std::is_standard_layout_v<PacketFields>,
              "it is copied as bytes");

} // namespace ns3

#endif /* PACKET_FIELDS_H */
