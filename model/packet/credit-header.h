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
 * @brief What follows the Ethernet header of a credit frame: version, request flag, buffer units,
 * then the totals.
 *
 * Version 1 has units sent and limit of each class, version 2 the number, units sent and limit of
 * up to eight virtual queues. The EtherType is that of local experiments (IEEE 802).
 */
class CreditHeader : public Header
{
  public:
    static constexpr uint16_t ETHER_TYPE = 0x88B5;                  //!< local experimental
    static constexpr uint8_t VERSION_CLASSES = 1;                   //!< totals of classes
    static constexpr uint8_t VERSION_QUEUES = 2;                    //!< totals of queues
    static constexpr uint32_t CLASSES_BYTES = 1 + 1 + 4 + 8 * 8;    //!< size of version 1
    static constexpr uint32_t QUEUES_BYTES = CLASSES_BYTES + 8 * 2; //!< size of version 2

    /// @return the TypeId
    static TypeId GetTypeId();

    // from Header
    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    /// @copydoc Header::Deserialize @return 70 or 86, or 0 if refused
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

    FabricPacketItem::CreditFields fields{};                //!< for all classes
    std::array<FabricPacketItem::CreditTotals, 8> totals{}; //!< by class, or of fields.queues
};

} // namespace ns3

#endif /* CREDIT_HEADER_H */
