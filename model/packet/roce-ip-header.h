// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief The IPv4 and UDP headers that every RoCEv2 packet has.
 */
#ifndef ROCE_IP_HEADER_H
#define ROCE_IP_HEADER_H

#include "ns3/header.h"
#include "ns3/ipv4-address.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief IPv4 (20 bytes, no options) and UDP (8 bytes, to port 4791) in one.
 *
 * They always come together and share the length. The UDP checksum is 0, which RoCEv2 allows over
 * IPv4: ICRC covers the packet.
 */
class RoceIpHeader : public Header
{
  public:
    static constexpr uint16_t UDP_PORT = 4791; //!< assigned to RoCEv2
    static constexpr uint32_t BYTES = 28;      //!< serialized size

    /// @return the TypeId
    static TypeId GetTypeId();

    // from Header
    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    /// @copydoc Header::Deserialize @return 28, or 0 if the packet is not RoCEv2 or damaged
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

    Ipv4Address source;       //!< of the sender
    Ipv4Address destination;  //!< of the receiver
    uint16_t payloadBytes{0}; //!< behind the UDP header, ICRC included
    uint16_t sourcePort{0};   //!< entropy
    uint8_t ds{0};            //!< DSCP and ECN
};

} // namespace ns3

#endif /* ROCE_IP_HEADER_H */
