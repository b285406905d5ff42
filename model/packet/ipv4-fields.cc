// SPDX-License-Identifier: GPL-2.0-only
#include "ipv4-fields.h"

#include "frame-bytes.h"

namespace ns3
{

namespace
{

constexpr uint8_t VERSION_AND_LENGTH = 0x45;
constexpr uint32_t DONT_FRAGMENT = 0x4000; // identification 0, offset 0
constexpr uint8_t TTL = 64;

} // namespace

void
Ipv4Fields::Write(Buffer::Iterator& start) const
{
    Buffer::Iterator header = start;
    start.WriteU8(VERSION_AND_LENGTH);
    start.WriteU8(ds);
    start.WriteHtonU16(length);
    start.WriteHtonU32(DONT_FRAGMENT);
    start.WriteU8(TTL);
    start.WriteU8(protocol);
    start.WriteU16(0); // checksum, below
    start.WriteHtonU32(source.Get());
    start.WriteHtonU32(destination.Get());
    const uint16_t checksum = Buffer::Iterator(header).CalculateIpChecksum(BYTES);
    header.Next(10);
    header.WriteU16(checksum);
}

bool
Ipv4Fields::Read(Buffer::Iterator& start)
{
    const uint16_t checksum = Buffer::Iterator(start).CalculateIpChecksum(BYTES);
    const uint8_t version = start.ReadU8();
    ds = start.ReadU8();
    length = start.ReadNtohU16();
    const uint32_t fragment = start.ReadNtohU32();
    const uint8_t ttl = start.ReadU8();
    protocol = start.ReadU8();
    start.Next(2);
    source = Ipv4Address(start.ReadNtohU32());
    destination = Ipv4Address(start.ReadNtohU32());
    return checksum == 0 && version == VERSION_AND_LENGTH && fragment == DONT_FRAGMENT &&
           ttl == TTL;
}

bool
Ipv4Fields::IsFrameOf(const std::vector<uint8_t>& bytes, uint8_t protocol)
{
    constexpr size_t ETHER_TYPE = 12;
    constexpr size_t VERSION = 14;
    constexpr size_t PROTOCOL = 23;
    return ((bytes[ETHER_TYPE] << 8) | bytes[ETHER_TYPE + 1]) == FrameBytes::IPV4 &&
           bytes[VERSION] == VERSION_AND_LENGTH && bytes[PROTOCOL] == protocol;
}

} // namespace ns3
