// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief How many bytes each packet type takes on the wire.
 */
#ifndef WIRE_FORMAT_H
#define WIRE_FORMAT_H

#include "ns3/object.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Policy that gives the frame size of every packet type.
 *
 * A size is that of the Ethernet frame, FCS included, without preamble and inter-frame gap and
 * without telemetry (INT): those are asked for apart. Meant to be asked once per PDC or port and
 * remembered, not once per packet.
 */
class WireFormat : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @param payloadBytes payload of the packet
     * @param firstOfWrite true for the first packet of an RDMA WRITE
     * @return bytes of the frame
     */
    virtual uint32_t GetDataBytes(uint32_t payloadBytes, bool firstOfWrite) const = 0;

    /**
     * @param extra it has the address of a write, or how much comes before the receiver asks
     * @return bytes that the header of message matching adds to a data packet
     */
    static uint32_t GetMatchBytes(bool extra);

    /// @return bytes that the coordination tag adds to a data packet (FabricPacketItem::FLAG_TAG)
    static uint32_t GetTagBytes();

    /// @return bytes of an ACK without INT
    virtual uint32_t GetAckBytes() const = 0;

    /// @return bytes of a NACK without INT
    virtual uint32_t GetNackBytes() const
    {
        return GetAckBytes(); // the syndrome in AETH is all that differs
    }

    /// @return bytes of an answer that names a message, without INT: RTW, RNR, or an ACK of a
    /// complete one
    uint32_t GetRefusalBytes() const;

    /**
     * @param extensionBytes that it carries behind BTH
     * @return bytes of a control packet other than these, without INT
     */
    virtual uint32_t GetNoticeBytes(uint32_t extensionBytes) const = 0;

    /// @return bytes of an RTS, which carries no INT
    uint32_t GetRtsBytes() const;

    /// @return bytes of a congestion notification packet
    uint32_t GetCnpBytes() const;

    /// @return bytes of a switch's fair-rate message
    virtual uint32_t GetRateNoticeBytes() const = 0;

    /**
     * @param signals that it carries, BackToSenderSignals::Signal bits
     * @return bytes of a notification back to a sender without INT
     */
    uint32_t GetBtsBytes(uint8_t signals) const;

    /**
     * @brief Bytes that telemetry adds to a data packet of a sender that wants it.
     * @param hops records present; 0 is what the packet carries when it leaves the sender
     * @param exact records are carried unpacked (IntFormat::IsExact)
     * @return bytes to add to GetDataBytes(); the default is the INT header of RoCEv2 and its
     * records
     */
    virtual uint32_t GetDataIntBytes(uint8_t hops, bool exact) const;

    /**
     * @brief Bytes that telemetry adds to an ACK, NACK, RTW, RNR or BTS.
     * @param hops records present; 0 is what the packet carries when it leaves the host
     * @param exact records are carried unpacked (IntFormat::IsExact)
     * @return bytes to add to GetAckBytes(), GetNackBytes(), GetRefusalBytes() or GetBtsBytes();
     * the default is as much as to data
     */
    virtual uint32_t GetAckIntBytes(uint8_t hops, bool exact) const;

    /**
     * @param packetBytes network-layer packet of another protocol, headers included
     * @return bytes of the frame that carries it (Ethernet header and FCS added)
     */
    uint32_t GetForeignBytes(uint32_t packetBytes) const
    {
        return packetBytes + 18;
    }

    /// @return bytes of a PFC frame, the smallest Ethernet frame (IEEE 802.1Qbb)
    uint32_t GetPauseBytes() const
    {
        return 64;
    }

    /// @return bytes of wire time a frame takes beyond its own: preamble and inter-frame gap
    uint32_t GetGapBytes() const
    {
        return m_gapBytes;
    }

  protected:
    /// @param gapBytes preamble and inter-frame gap
    explicit WireFormat(uint32_t gapBytes);

    uint32_t m_gapBytes; //!< preamble and inter-frame gap
};

/**
 * @ingroup dcfabric
 * @brief True RoCEv2, byte for byte what FabricHeaders writes; the layouts are in
 * doc/wire-format.rst.
 *
 * Data: Ethernet 14 + IPv4 20 + UDP 8 + BTH 12 + payload + ICRC 4 + FCS 4 = payload + 62, the
 * first packet of a WRITE 16 more (RETH). Payloads are neither padded to four bytes nor frames to
 * Ethernet's 64.
 */
class RoceV2WireFormat : public WireFormat
{
  public:
    static constexpr uint32_t BASE_BYTES = 14 + 20 + 8 + 12 + 4 + 4; //!< around every payload
    static constexpr uint32_t RETH_BYTES = 16;             //!< RDMA extended transport header
    static constexpr uint32_t AETH_BYTES = 4;              //!< ACK extended transport header
    static constexpr uint32_t ACK_EXTENSION_BYTES = 32;    //!< SACK, counts, echoes (own header)
    static constexpr uint32_t MATCH_BYTES = 24;            //!< message and offset (own header)
    static constexpr uint32_t MATCH_EXTRA_BYTES = 8;       //!< what only some messages need
    static constexpr uint32_t REFUSAL_EXTENSION_BYTES = 8; //!< refused message (own header)
    static constexpr uint32_t RTS_EXTENSION_BYTES = 16;    //!< requested message (own header)
    static constexpr uint32_t BTS_EXTENSION_BYTES = 4;     //!< before the signals (own header)
    static constexpr uint32_t TAG_BYTES = 8;               //!< coordination tag (own header)
    static constexpr uint32_t CNP_BYTES = 16;              //!< reserved bytes of a CNP
    static constexpr uint32_t RATE_NOTICE_BYTES = 14 + 20 + 24 + 4; //!< Ethernet, IPv4, ICMP, FCS
    static constexpr uint32_t INT_HEADER_BYTES = 4;                 //!< before the records
    static constexpr uint32_t INT_RECORD_BYTES = 8;                 //!< packed record
    static constexpr uint32_t EXACT_INT_RECORD_BYTES = 32; //!< time, bytes, queue, rate unpacked

    /// @return the TypeId
    static TypeId GetTypeId();
    RoceV2WireFormat();

    // from WireFormat
    uint32_t GetDataBytes(uint32_t payloadBytes, bool firstOfWrite) const override
    {
        return BASE_BYTES + payloadBytes + (firstOfWrite ? RETH_BYTES : 0);
    }

    uint32_t GetAckBytes() const override
    {
        return BASE_BYTES + AETH_BYTES + ACK_EXTENSION_BYTES;
    }

    uint32_t GetNoticeBytes(uint32_t extensionBytes) const override
    {
        return BASE_BYTES + extensionBytes;
    }

    uint32_t GetRateNoticeBytes() const override
    {
        return RATE_NOTICE_BYTES;
    }
};

/**
 * @ingroup dcfabric
 * @brief Sizes of the public ns-3 simulator of HPCC (SIGCOMM 2019), for comparisons with it.
 *
 * Data is payload + 48 (14 + 20 + 8 + 6), with telemetry 42 more from the sender on, whatever the
 * number of hops and the form of the records; an ACK has 60 bytes, with telemetry 88; there is no
 * gap between frames. That simulator matches no messages and has no tags: data and refusals then
 * grow by as many bytes as with RoCEv2, an RTS is as large as the other control packets. Only sizes
 * follow: bytes, where needed, are still those of FabricHeaders.
 */
class HpccSimWireFormat : public WireFormat
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    HpccSimWireFormat();

    // from WireFormat
    uint32_t GetDataBytes(uint32_t payloadBytes, bool /* firstOfWrite */) const override
    {
        return payloadBytes + 48; // it has no RETH
    }

    uint32_t GetAckBytes() const override
    {
        return 60;
    }

    uint32_t GetNoticeBytes(uint32_t /* extensionBytes */) const override
    {
        return 60; // as its ACKs
    }

    uint32_t GetRateNoticeBytes() const override
    {
        return 60; // as its other control packets
    }

    uint32_t GetDataIntBytes(uint8_t /* hops */, bool /* exact */) const override
    {
        return 42;
    }

    uint32_t GetAckIntBytes(uint8_t /* hops */, bool /* exact */) const override
    {
        return 28; // 60 + 28 = 88
    }
};

} // namespace ns3

#endif /* WIRE_FORMAT_H */
