// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief Frame sizes of Ultra Ethernet, and of its public simulator.
 */
#ifndef UET_WIRE_FORMAT_H
#define UET_WIRE_FORMAT_H

#include "wire-format.h"

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Sizes of Ultra Ethernet over UDP and IPv4, as Broadcom's public reference provider has
 * them (its header files of 2026; the specification was not read).
 *
 * Data: Ethernet 14 + IPv4 20 + UDP 8 + request of the packet delivery sublayer 12 + standard
 * header of the semantic sublayer 44 + payload + CRC 4 + FCS 4 = payload + 106. An ACK with state
 * of congestion (ACK_CC) has 32, and 12 of a response, where data has 12 and 44; a NACK and a
 * control packet 16 and none. Only sizes follow: bytes, where needed, are those of FabricHeaders.
 * Message matching is part of the standard header; INT and tags, which Ultra Ethernet has not, take
 * as many bytes as with RoCEv2.
 */
class UetWireFormat : public WireFormat
{
  public:
    static constexpr uint32_t BASE_BYTES = 14 + 20 + 8 + 4 + 4; //!< around both sublayers
    static constexpr uint32_t REQUEST_BYTES = 12;               //!< of packet delivery, with data
    static constexpr uint32_t MESSAGE_BYTES = 44;               //!< semantic sublayer, with data
    static constexpr uint32_t ACK_BYTES = 32;                   //!< of packet delivery: ACK_CC
    static constexpr uint32_t RESPONSE_BYTES = 12;              //!< semantic sublayer, with an ACK
    static constexpr uint32_t CONTROL_BYTES = 16;               //!< NACK and control packet

    /// @return the TypeId
    static TypeId GetTypeId();
    UetWireFormat();

    // from WireFormat
    uint32_t GetDataBytes(uint32_t payloadBytes, bool /* firstOfWrite */) const override
    {
        return BASE_BYTES + REQUEST_BYTES + MESSAGE_BYTES + payloadBytes;
    }

    uint32_t GetAckBytes() const override
    {
        return BASE_BYTES + ACK_BYTES + RESPONSE_BYTES;
    }

    uint32_t GetNackBytes() const override
    {
        return BASE_BYTES + CONTROL_BYTES;
    }

    uint32_t GetNoticeBytes(uint32_t /* extensionBytes */) const override
    {
        return BASE_BYTES + CONTROL_BYTES;
    }

    uint32_t GetRateNoticeBytes() const override
    {
        return BASE_BYTES + CONTROL_BYTES;
    }
};

/**
 * @ingroup dcfabric
 * @brief Sizes of the public simulator of the Ultra Ethernet Consortium (uet-htsim, commit
 * 40ccb05), for comparisons with it.
 *
 * Data is payload + 64; every other packet has 64 bytes; there is no gap between frames. It knows
 * no INT: what asks for it adds as many bytes as with RoCEv2.
 */
class UetHtsimWireFormat : public WireFormat
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    UetHtsimWireFormat();

    // from WireFormat
    uint32_t GetDataBytes(uint32_t payloadBytes, bool /* firstOfWrite */) const override
    {
        return payloadBytes + 64;
    }

    uint32_t GetAckBytes() const override
    {
        return 64;
    }

    uint32_t GetNoticeBytes(uint32_t /* extensionBytes */) const override
    {
        return 64;
    }

    uint32_t GetRateNoticeBytes() const override
    {
        return 64;
    }
};

} // namespace ns3

#endif /* UET_WIRE_FORMAT_H */
