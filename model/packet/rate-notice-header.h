// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief The message in which a switch tells a source the fair rate of one of its flows.
 */
#ifndef RATE_NOTICE_HEADER_H
#define RATE_NOTICE_HEADER_H

#include "fabric-packet-item.h"

#include "ns3/header.h"
#include "ns3/ipv4-address.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief IPv4 (20 bytes, no options) and an ICMP message of type 253 (24 bytes), which carries a
 * fair rate and what names the flow.
 *
 * RoCC (CoNEXT 2020), section 3.3, sends its notifications by ICMP, and its implementation in
 * section 6.2 by type 253, which RFC 4727 leaves to experiments. The layout behind the ICMP header
 * is this module's.
 */
class RateNoticeHeader : public Header
{
  public:
    static constexpr uint8_t ICMP = 1;                    //!< protocol number in the IP header
    static constexpr uint8_t ICMP_TYPE = 253;             //!< experimental
    static constexpr uint32_t MESSAGE_BYTES = 24;         //!< ICMP message
    static constexpr uint32_t BYTES = 20 + MESSAGE_BYTES; //!< serialized size

    /// @return the TypeId
    static TypeId GetTypeId();

    // from Header
    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    /// @copydoc Header::Deserialize @return 44, or 0 if it is something else or damaged
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

    /// @return true if a frame looks like such a message @param bytes from the Ethernet header on
    static bool IsRateNotice(const std::vector<uint8_t>& bytes);

    Ipv4Address source;                  //!< the switch
    Ipv4Address destination;             //!< the source of the flow
    FabricPacketItem::RateFields rate{}; //!< the rate, its origin, and the flow's destination
    uint32_t pdc{0};                     //!< of the flow at its source, 24 bits
    uint16_t entropy{0};                 //!< UDP source port of the flow
    uint8_t ds{0};                       //!< DSCP and ECN
};

} // namespace ns3

#endif /* RATE_NOTICE_HEADER_H */
