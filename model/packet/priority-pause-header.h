// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief MAC control frame of priority-based flow control.
 */
#ifndef PRIORITY_PAUSE_HEADER_H
#define PRIORITY_PAUSE_HEADER_H

#include "fabric-packet-item.h"

#include "ns3/header.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What follows the Ethernet header of a PFC frame (IEEE 802.1Qbb), 46 bytes: opcode 0x0101,
 * class-enable vector, eight pause times, zeros up to the smallest frame.
 */
class PriorityPauseHeader : public Header
{
  public:
    static constexpr uint16_t ETHER_TYPE = 0x8808; //!< MAC control
    static constexpr uint16_t OPCODE = 0x0101;     //!< priority-based flow control
    static constexpr uint32_t BYTES = 64 - 14 - 4; //!< serialized size

    /// @return the TypeId
    static TypeId GetTypeId();

    // from Header
    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    /// @copydoc Header::Deserialize @return 46, or 0 if refused
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

    FabricPacketItem::PauseFields fields{}; //!< classes and their pause times
};

} // namespace ns3

#endif /* PRIORITY_PAUSE_HEADER_H */
