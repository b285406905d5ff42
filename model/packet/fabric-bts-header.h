// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_BTS_HEADER_H
#define FABRIC_BTS_HEADER_H

#include "back-to-sender-signals.h"
#include "fabric-packet-item.h"

#include "ns3/header.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What a notification back to a sender says: 4 bytes, and more for each signal that it
 * carries.
 *
 * Which packet it is about is in BTH: PDC at the source and sequence number.
 */
class FabricBtsHeader : public Header
{
  public:
    /// Every BackToSenderSignals::Signal bit.
    static constexpr uint8_t ALL_SIGNALS =
        BackToSenderSignals::QUEUE | BackToSenderSignals::FLOWS | BackToSenderSignals::GRADIENT |
        BackToSenderSignals::RATE | BackToSenderSignals::SENT | BackToSenderSignals::OCCUPANCY;

    /// @return the TypeId
    static TypeId GetTypeId();

    /// @return serialized size @param signals that it carries, BackToSenderSignals::Signal bits
    static uint32_t GetBytes(uint8_t signals);

    // from Header
    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    /// @copydoc Header::Deserialize @return bytes read, or 0 if refused
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

    FabricPacketItem::BtsFields fields{}; //!< all that it says
};

} // namespace ns3

#endif /* FABRIC_BTS_HEADER_H */
