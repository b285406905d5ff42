// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-address.h"

namespace ns3
{

namespace
{

constexpr uint32_t NETWORK = 10U << 24;

} // namespace

Ipv4Address
FabricAddress::ToIpv4(uint32_t address)
{
    return Ipv4Address(NETWORK | (address & 0xffffff));
}

Mac48Address
FabricAddress::ToMac(uint32_t address)
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

bool
FabricAddress::IsFabric(Ipv4Address address)
{
    return address.Get() >> 24 == NETWORK >> 24;
}

bool
FabricAddress::IsFabric(Mac48Address mac)
{
    uint8_t b[6];
    mac.CopyTo(b);
    return b[0] == 0x02 && b[1] == 0xdc;
}

uint32_t
FabricAddress::FromIpv4(Ipv4Address address)
{
    return address.Get() & 0xffffff;
}

uint32_t
FabricAddress::FromMac(Mac48Address mac)
{
    uint8_t b[6];
    mac.CopyTo(b);
    return (uint32_t{b[2]} << 24) | (uint32_t{b[3]} << 16) | (uint32_t{b[4]} << 8) | b[5];
}

} // namespace ns3
