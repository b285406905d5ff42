// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_TEST_FOREIGN_H
#define FABRIC_TEST_FOREIGN_H

#include "fabric-test-network.h"

#include "ns3/fabric-address.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric.h"
#include "ns3/mac48-address.h"
#include "ns3/packet.h"

#include <cstdint>
#include <memory>
#include <vector>

/**
 * @file
 * @brief Packets of other protocols for the suites that send them.
 */

namespace ns3::tests
{

constexpr uint16_t IPV4_TYPE = 0x0800; //!< EtherType

/// What an IPv4 packet with UDP is to look like.
struct Ipv4Form
{
    uint32_t src{0};         //!< host
    uint32_t dst{1};         //!< host
    uint8_t ds{0};           //!< DS field
    uint16_t sourcePort{7};  //!< UDP
    uint16_t targetPort{9};  //!< UDP
    uint16_t fragment{0};    //!< flags and offset
    uint32_t bytes{1000};    //!< in all
    bool hasChecksum{false}; //!< ns-3 leaves it out by default
};

/**
 * @param form what it is to look like
 * @return bytes of a packet
 */
inline std::vector<uint8_t>
MakeIpv4Bytes(const Ipv4Form& form)
{
    std::vector<uint8_t> bytes(form.bytes);
    for (std::size_t i = 28; i < bytes.size(); ++i)
    {
        bytes[i] = static_cast<uint8_t>(i * 7);
    }
    const auto put16 = [&bytes](std::size_t at, uint32_t value) {
        bytes[at] = static_cast<uint8_t>(value >> 8);
        bytes[at + 1] = static_cast<uint8_t>(value);
    };
    bytes[0] = 0x45;
    bytes[1] = form.ds;
    put16(2, form.bytes);
    put16(6, form.fragment);
    bytes[8] = 37; // TTL
    bytes[9] = 17; // UDP
    FabricAddress::ToIpv4(form.src).Serialize(bytes.data() + 12);
    FabricAddress::ToIpv4(form.dst).Serialize(bytes.data() + 16);
    put16(20, form.sourcePort);
    put16(22, form.targetPort);
    put16(24, form.bytes - 20);
    if (form.hasChecksum)
    {
        uint32_t sum = 0;
        for (std::size_t i = 0; i < 20; i += 2)
        {
            sum += (bytes[i] << 8) | bytes[i + 1];
        }
        sum = (sum & 0xffff) + (sum >> 16);
        put16(10, ~((sum & 0xffff) + (sum >> 16)));
    }
    return bytes;
}

/**
 * @param bytes its bytes
 * @return a packet
 */
inline Ptr<Packet>
MakePacket(const std::vector<uint8_t>& bytes)
{
    return Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size()));
}

/**
 * @param packet any packet
 * @return the bytes of a packet
 */
inline std::vector<uint8_t>
BytesOf(Ptr<const Packet> packet)
{
    std::vector<uint8_t> bytes(packet->GetSize());
    packet->CopyData(bytes.data(), static_cast<uint32_t>(bytes.size()));
    return bytes;
}

/**
 * @ingroup dcfabric-tests
 * @brief Takes IPv4 packets at a host, in place of a stack.
 */
class StackStub
{
  public:
    /// A packet that arrived.
    struct Arrival
    {
        int64_t timePs;             //!< when
        std::vector<uint8_t> bytes; //!< what
        Address from;               //!< from whom
    };

    /**
     * @param fabric the network
     * @param host where
     */
    StackStub(Ptr<Fabric> fabric, uint32_t host)
        : m_port(fabric->GetPort(host, 0))
    {
        fabric->GetNodes().Get(host)->RegisterProtocolHandler(
            MakeCallback(&StackStub::OnReceive, this),
            IPV4_TYPE,
            m_port);
    }

    std::vector<Arrival> arrivals; //!< so far

  private:
    /**
     * @brief A packet has arrived.
     * @param packet what
     * @param from whom
     */
    void OnReceive(Ptr<NetDevice> /* device */,
                   Ptr<const Packet> packet,
                   uint16_t /* protocol */,
                   const Address& from,
                   const Address& /* to */,
                   NetDevice::PacketType /* type */)
    {
        arrivals.push_back({m_port->GetNowPs(), BytesOf(packet), from});
    }

    FabricNetDevice* m_port; //!< of the host
};

/**
 * @brief Send an IPv4 packet as a stack without ARP does.
 * @param fabric the network
 * @param form the packet
 * @return false if it was dropped
 */
inline bool
SendIpv4(Ptr<Fabric> fabric, const Ipv4Form& form)
{
    return fabric->GetPort(form.src, 0)
        ->Send(MakePacket(MakeIpv4Bytes(form)), Mac48Address::GetBroadcast(), IPV4_TYPE);
}

} // namespace ns3::tests

#endif /* FABRIC_TEST_FOREIGN_H */
