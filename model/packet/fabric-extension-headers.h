// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief The headers this module adds behind those of RoCEv2: acknowledgement state and telemetry.
 */
#ifndef FABRIC_EXTENSION_HEADERS_H
#define FABRIC_EXTENSION_HEADERS_H

#include "fabric-packet-item.h"

#include "ns3/header.h"

#include <array>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What an ACK, NAK, RTW or RNR tells the sender beyond the cumulative sequence number, 32
 * bytes.
 *
 * The entropy of the packet that triggered the ACK is not among the fields: the ACK has it as its
 * own UDP source port.
 */
class FabricAckHeader : public Header
{
  public:
    static constexpr uint32_t BYTES = 32; //!< serialized size

    /// @return the TypeId
    static TypeId GetTypeId();

    // from Header
    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    /// @copydoc Header::Deserialize @return 32, or 0 if refused
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

    FabricPacketItem::AckFields fields{}; //!< counts up to 65535, sequence and PDC numbers 24 bits
    int64_t echoedSendTimePs{0};          //!< when the triggering packet was sent
    bool echoMark{false};                 //!< the triggering packet was marked
    bool complete{false}; //!< the triggering packet's message has arrived completely
};

/**
 * @ingroup dcfabric
 * @brief In-network telemetry: 4 bytes and the records, 8 bytes each packed, 32 unpacked.
 */
class FabricIntHeader : public Header
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    // from Header
    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    /// @copydoc Header::Deserialize @return bytes read, or 0 if refused
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

    std::array<uint64_t, FabricPacketItem::MAX_HOPS> records{}; //!< packed records
    std::array<IntSample, FabricPacketItem::MAX_HOPS> samples;  //!< unpacked records
    uint8_t count{0};                                           //!< records present
    bool exact{false};                                          //!< samples, not records
    bool reversed{false};                                       //!< last hop of the data first
};

} // namespace ns3

#endif /* FABRIC_EXTENSION_HEADERS_H */
