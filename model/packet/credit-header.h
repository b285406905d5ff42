// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief Frame of credit-based flow control.
 */
#ifndef CREDIT_HEADER_H
#define CREDIT_HEADER_H

#include "fabric-packet-item.h"

#include "ns3/header.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What follows the Ethernet header of a credit frame, 70 bytes: version 1, request flag,
 * buffer units, then for each class units sent and limit. The EtherType is that of local
 * experiments (IEEE 802).
 */
class CreditHeader : public Header
{
  public:
    static constexpr uint16_t ETHER_TYPE = 0x88B5;       //!< local experimental
    static constexpr uint8_t VERSION = 1;                //!< of the layout
    static constexpr uint32_t BYTES = 1 + 1 + 4 + 8 * 8; //!< serialized size

    /// @return the TypeId
    static TypeId GetTypeId();

    // from Header
    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    /// @copydoc Header::Deserialize @return 70, or 0 if refused
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

    FabricPacketItem::CreditFields fields{};                //!< for all classes
    std::array<FabricPacketItem::CreditTotals, 8> totals{}; //!< by class
};

} // namespace ns3

#endif /* CREDIT_HEADER_H */
