// SPDX-License-Identifier: GPL-2.0-only
#include "frame-bytes.h"

#include "ns3/crc32.h"
#include "ns3/ethernet-header.h"

namespace ns3
{

std::vector<uint8_t>
FrameBytes::Get(Ptr<const Packet> packet)
{
    std::vector<uint8_t> bytes(packet->GetSize());
    packet->CopyData(bytes.data(), packet->GetSize());
    return bytes;
}

void
FrameBytes::AppendCrc(std::vector<uint8_t>& bytes, uint32_t crc)
{
    for (int shift = 0; shift < 32; shift += 8)
    {
        bytes.push_back(static_cast<uint8_t>(crc >> shift));
    }
}

Ptr<Packet>
FrameBytes::Close(std::vector<uint8_t> bytes)
{
    AppendCrc(bytes, CRC32Calculate(bytes.data(), static_cast<int>(bytes.size())));
    return Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size()));
}

bool
FrameBytes::HasFcs(const std::vector<uint8_t>& bytes)
{
    if (bytes.size() < ETHERNET_BYTES + CRC_BYTES)
    {
        return false;
    }
    std::vector<uint8_t> sealed(bytes.begin(), bytes.end() - CRC_BYTES);
    AppendCrc(sealed, CRC32Calculate(sealed.data(), static_cast<int>(sealed.size())));
    return sealed == bytes;
}

void
FrameBytes::AddEthernet(Ptr<Packet> packet,
                        Mac48Address source,
                        Mac48Address destination,
                        uint16_t etherType)
{
    EthernetHeader ethernet(false);
    ethernet.SetSource(source);
    ethernet.SetDestination(destination);
    ethernet.SetLengthType(etherType);
    packet->AddHeader(ethernet);
}

} // namespace ns3
