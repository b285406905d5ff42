// SPDX-License-Identifier: GPL-2.0-only
#include "frame-bytes.h"

#include "fabric-error.h"
#include "frame-crc.h"

#include <string>
#include <utility>

namespace ns3
{

void
FrameWriter::Refuse(uint64_t value, uint64_t limit, const char* name)
{
    throw FabricError("packet item: " + std::string(name) + " " + std::to_string(value) +
                      " does not fit the wire, at most " + std::to_string(limit));
}

void
FrameWriter::Grow()
{
    m_bytes.resize(2 * m_position);
}

void
FrameWriter::Checksum(std::size_t from, std::size_t place)
{
    const auto checksum = static_cast<uint16_t>(
        ~FrameBytes::GetInternetSum(m_bytes.data() + from, m_position - from));
    m_bytes[from + place] = static_cast<uint8_t>(checksum >> 8);
    m_bytes[from + place + 1] = static_cast<uint8_t>(checksum);
}

void
FrameWriter::Append(const FrameWriter& other)
{
    std::copy_n(other.m_bytes.data(), other.m_position, Extend(other.m_position));
}

void
FrameWriter::Append(const Packet& packet)
{
    packet.CopyData(Extend(packet.GetSize()), packet.GetSize());
}

void
FrameWriter::AppendCrc(uint32_t crc)
{
    uint8_t* next = Extend(FrameBytes::CRC_BYTES);
    for (int shift = 0; shift < 32; shift += 8)
    {
        *next++ = static_cast<uint8_t>(crc >> shift);
    }
}

uint64_t
FrameReader::Take(uint32_t bytes, uint64_t limit)
{
    if (bytes > GetLeft())
    {
        Refuse();
        return 0;
    }
    uint64_t value = 0;
    for (; bytes > 0; --bytes)
    {
        value = (value << 8) | *m_next++;
    }
    if (value > limit)
    {
        Refuse();
        return 0;
    }
    return value;
}

void
FrameReader::Constant(uint64_t value, uint32_t bytes)
{
    for (; bytes > sizeof(value); --bytes)
    {
        Take(1, 0);
    }
    if (Take(bytes, value) != value)
    {
        Refuse();
    }
}

void
FrameReader::Checksum(std::size_t from, std::size_t /* place */)
{
    if (!m_refused && FrameBytes::GetInternetSum(m_begin + from, GetPosition() - from) != 0xffff)
    {
        Refuse();
    }
}

FrameReader
FrameReader::TakePart(std::size_t bytes)
{
    FrameReader part(m_next, std::min(bytes, GetLeft()));
    if (m_refused || bytes > GetLeft())
    {
        part.Refuse();
        Refuse();
        return part;
    }
    m_next += bytes;
    return part;
}

std::vector<uint8_t>
FrameBytes::Get(Ptr<const Packet> packet)
{
    std::vector<uint8_t> bytes(packet->GetSize());
    packet->CopyData(bytes.data(), packet->GetSize());
    return bytes;
}

FrameWriter
FrameBytes::Begin(const FabricPacketItem& item, uint16_t etherType)
{
    Mac48Address destination = item.IsLinkFrame() ? Mac48Address("01:80:c2:00:00:01")
                                                  : FabricAddress::ToMac(item.GetReceiver());
    Mac48Address source = FabricAddress::ToMac(item.src);
    FrameWriter frame(item.size);
    Ethernet(frame, destination, source, etherType);
    return frame;
}

Ptr<Packet>
FrameBytes::Close(FrameWriter frame)
{
    frame.AppendCrc(FrameCrc::Of(frame.GetBytes(), frame.GetPosition()));
    return CloseWithoutFcs(std::move(frame));
}

Ptr<Packet>
FrameBytes::CloseWithoutFcs(FrameWriter frame)
{
    return Create<Packet>(frame.GetBytes(), static_cast<uint32_t>(frame.GetPosition()));
}

bool
FrameBytes::HasFcs(const std::vector<uint8_t>& bytes)
{
    if (bytes.size() < ETHERNET_BYTES + CRC_BYTES)
    {
        return false;
    }
    const std::size_t end = bytes.size() - CRC_BYTES;
    FrameWriter fcs;
    fcs.AppendCrc(FrameCrc::Of(bytes.data(), end));
    return std::equal(bytes.begin() + static_cast<std::ptrdiff_t>(end),
                      bytes.end(),
                      fcs.GetBytes());
}

Ptr<Packet>
FrameBytes::Cut(Ptr<const Packet> frame, std::size_t front, std::size_t back)
{
    // not RemoveHeader: it would note the removal of a header that nobody added
    Ptr<Packet> part = frame->Copy();
    part->RemoveAtEnd(static_cast<uint32_t>(back));
    part->RemoveAtStart(static_cast<uint32_t>(front));
    return part;
}

uint16_t
FrameBytes::GetInternetSum(const uint8_t* bytes, std::size_t count)
{
    uint32_t sum = 0;
    for (std::size_t i = 0; i + 1 < count; i += 2)
    {
        sum += (uint32_t{bytes[i]} << 8) | bytes[i + 1];
    }
    sum = (sum & 0xffff) + (sum >> 16);
    return static_cast<uint16_t>((sum & 0xffff) + (sum >> 16));
}

bool
FrameBytes::IsIpv4(const std::vector<uint8_t>& bytes, uint8_t protocol)
{
    constexpr std::size_t ETHER_TYPE = 12;
    constexpr std::size_t PROTOCOL = ETHERNET_BYTES + 9;
    return bytes.size() >= ETHERNET_BYTES + IPV4_BYTES &&
           ((bytes[ETHER_TYPE] << 8) | bytes[ETHER_TYPE + 1]) == IPV4 &&
           bytes[ETHERNET_BYTES] == VERSION_AND_LENGTH && bytes[PROTOCOL] == protocol;
}

} // namespace ns3
