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

    /**
     * @param address a fabric address, less than 2^24
     * @return 10.a.b.c, where a.b.c are the bytes of the address
     */
    static Ipv4Address ToIpv4(uint32_t address);

    /**
     * @param address a fabric address
     * @return 02:dc:aa:bb:cc:dd, a locally administered address with the bytes of the fabric
     * address
     */
    static Mac48Address ToMac(uint32_t address);

    /// @return the fabric address behind an IPv4 address made by ToIpv4() @param address 10.a.b.c
    static uint32_t FromIpv4(Ipv4Address address);

    /// @return true if an IPv4 address has the form that ToIpv4() gives @param address any address
    static bool IsFabric(Ipv4Address address);

    /// @return true if a MAC address has the form that ToMac() gives @param mac any address
    static bool IsFabric(Mac48Address mac);

    /// @return the fabric address behind a MAC address made by ToMac() @param mac 02:dc:aa:bb:cc:dd
    static uint32_t FromMac(Mac48Address mac);
};

} // namespace ns3

#endif /* FABRIC_ADDRESS_H */
