// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_ADDRESS_H
#define FABRIC_ADDRESS_H

#include "ns3/ipv4-address.h"
#include "ns3/mac48-address.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Fabric addresses: the number of a node in its topology, and what stands for it on the
 * wire.
 */
class FabricAddress
{
  public:
    static constexpr uint32_t NONE = UINT32_MAX; //!< no node has this address
    static constexpr uint8_t NETWORK = 10;       //!< first byte of the IPv4 addresses

    /**
     * @param address a fabric address, less than 2^24
     * @return 10.a.b.c, where a.b.c are the bytes of the address
     */
    static Ipv4Address ToIpv4(uint32_t address)
    {
        return Ipv4Address((uint32_t{NETWORK} << 24) | (address & 0xffffff));
    }

    /**
     * @param address a fabric address
     * @return 02:dc:aa:bb:cc:dd, a locally administered address with the bytes of the fabric
     * address
     */
    static Mac48Address ToMac(uint32_t address)
    {
        const uint8_t bytes[6] = {0x02,
                                  0xdc,
                                  static_cast<uint8_t>(address >> 24),
                                  static_cast<uint8_t>(address >> 16),
                                  static_cast<uint8_t>(address >> 8),
                                  static_cast<uint8_t>(address)};
        Mac48Address mac;
        mac.CopyFrom(bytes);
        return mac;
    }

    /**
     * @param address 10.a.b.c
     * @return the fabric address behind an IPv4 address made by ToIpv4()
     */
    static uint32_t FromIpv4(Ipv4Address address)
    {
        return address.Get() & 0xffffff;
    }

    /**
     * @param mac 02:dc:aa:bb:cc:dd
     * @return the fabric address behind a MAC address made by ToMac()
     */
    static uint32_t FromMac(Mac48Address mac)
    {
        uint8_t b[6];
        mac.CopyTo(b);
        return (uint32_t{b[2]} << 24) | (uint32_t{b[3]} << 16) | (uint32_t{b[4]} << 8) | b[5];
    }

    /**
     * @param address any IPv4 address
     * @return true if it has the form that ToIpv4() gives
     */
    static bool IsFabric(Ipv4Address address)
    {
        return address.Get() >> 24 == NETWORK;
    }

    /**
     * @param mac any MAC address
     * @return true if it has the form that ToMac() gives
     */
    static bool IsFabric(Mac48Address mac)
    {
        uint8_t b[6];
        mac.CopyTo(b);
        return b[0] == 0x02 && b[1] == 0xdc;
    }
};

} // namespace ns3

#endif /* FABRIC_ADDRESS_H */
