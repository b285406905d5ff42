// SPDX-License-Identifier: GPL-2.0-only
#include "foreign-frame.h"

#include "fabric-error.h"
#include "frame-bytes.h"
#include "packet-kind.h"

#include "ns3/header.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace ns3
{

namespace
{

constexpr size_t IPV4_BYTES = 20;
constexpr size_t IPV6_BYTES = 40;
constexpr size_t LARGEST_HEADER_BYTES = 60; // IPv4 with all options
constexpr size_t PORT_BYTES = 4;

/// The first bytes of a packet: IP header and ports.
struct Head
{
    /// @param packet any packet
    explicit Head(const Packet& packet)
        : length(packet.CopyData(bytes.data(), static_cast<uint32_t>(bytes.size())))
    {
    }

    std::array<uint8_t, LARGEST_HEADER_BYTES + PORT_BYTES> bytes; //!< as far as they go
    size_t length;                                                //!< how many there are
};

/// @return bytes of the IP header, 0 if there is none
size_t
GetHeaderBytes(const uint8_t* packet, size_t length, uint16_t protocol)
{
    if (protocol == FrameBytes::IPV4 && length >= IPV4_BYTES)
    {
        return std::max<size_t>(IPV4_BYTES, (packet[0] & 0x0f) * 4U);
    }
    return protocol == FrameBytes::IPV6 && length >= IPV6_BYTES ? IPV6_BYTES : 0;
}

/// @return DS field of a packet of another protocol, 0 where there is none
uint8_t
GetForeignDs(const uint8_t* packet, size_t length, uint16_t protocol)
{
    if (GetHeaderBytes(packet, length, protocol) == 0)
    {
        return 0;
    }
    return protocol == FrameBytes::IPV4 ? packet[1]
                                        : static_cast<uint8_t>((packet[0] << 4) | (packet[1] >> 4));
}

/// Write the DS field that switches may have marked back into the packet's own header. A checksum
/// that was right stays right, another one stays as it is.
void
SetForeignDs(uint8_t* packet, size_t length, uint16_t protocol, uint8_t ds)
{
    const size_t header = GetHeaderBytes(packet, length, protocol);
    if (header == 0)
    {
        return;
    }
    if (protocol == FrameBytes::IPV6)
    {
        packet[0] = static_cast<uint8_t>((packet[0] & 0xf0) | (ds >> 4));
        packet[1] = static_cast<uint8_t>((packet[1] & 0x0f) | (ds << 4));
        return;
    }
    // ns-3 leaves the checksum 0 unless ChecksumEnabled
    if (header <= length && FrameBytes::GetInternetSum(packet, header) == 0xffff)
    {
        // RFC 1624: checksum' = ~(~checksum + ~old + new)
        uint32_t sum = static_cast<uint16_t>(~((packet[10] << 8) | packet[11]));
        sum += static_cast<uint16_t>(~packet[1]) + uint32_t{ds};
        sum = (sum & 0xffff) + (sum >> 16);
        sum = (sum & 0xffff) + (sum >> 16);
        packet[10] = static_cast<uint8_t>(~sum >> 8);
        packet[11] = static_cast<uint8_t>(~sum);
    }
    packet[1] = ds;
}

/// @return a number for protocol and ports, the same in both directions
uint16_t
GetForeignEntropy(const uint8_t* packet, size_t length, uint16_t protocol)
{
    const size_t header = GetHeaderBytes(packet, length, protocol);
    if (header == 0)
    {
        return 0;
    }
    const bool four = protocol == FrameBytes::IPV4;
    const uint8_t carried = four ? packet[9] : packet[6];
    const bool fragment = four && ((packet[6] & 0x3f) != 0 || packet[7] != 0);
    uint32_t low = 0;
    uint32_t high = 0;
    if (!fragment && (carried == FrameBytes::TCP || carried == FrameBytes::UDP) &&
        length >= header + PORT_BYTES)
    {
        low = (packet[header] << 8) | packet[header + 1];
        high = (packet[header + 2] << 8) | packet[header + 3];
        if (low > high)
        {
            std::swap(low, high);
        }
    }
    const uint32_t mixed = (((high << 16) | low) ^ (uint32_t{carried} << 8)) * 0x9e3779b1U;
    return static_cast<uint16_t>(mixed >> 16);
}

/**
 * @brief Bytes of an IP header that take the place of those in a packet.
 *
 * To ns-3's packet metadata they are the header of ns-3 that they replace.
 */
class ReplacedIpHeader : public Header
{
  public:
    /**
     * @param bytes header; outlives this object
     * @param length how many
     * @param protocol EtherType
     */
    ReplacedIpHeader(const uint8_t* bytes, size_t length, uint16_t protocol)
        : m_bytes(bytes),
          m_length(static_cast<uint32_t>(length)),
          m_name(protocol == FrameBytes::IPV4 ? "ns3::Ipv4Header" : "ns3::Ipv6Header")
    {
    }

    TypeId GetInstanceTypeId() const override
    {
        TypeId tid = Header::GetTypeId();
        TypeId::LookupByNameFailSafe(m_name, &tid);
        return tid;
    }

    uint32_t GetSerializedSize() const override
    {
        return m_length;
    }

    void Serialize(Buffer::Iterator start) const override
    {
        start.Write(m_bytes, m_length);
    }

    uint32_t Deserialize(Buffer::Iterator /* start */) override
    {
        return 0; // never read
    }

    void Print(std::ostream& os) const override
    {
        os << m_length << " bytes";
    }

  private:
    const uint8_t* m_bytes; //!< outlive this object
    uint32_t m_length;      //!< how many
    const char* m_name;     //!< of the class in ns-3
};

/// A packet whose bytes are all of another protocol.
struct ForeignPacket
{
    /**
     * @brief Layout: none.
     * @tparam Wire direction
     * @tparam Item packet item
     */
    template <typename Wire, typename Item>
    static void Describe(Wire& /* transport */, Wire& /* extensions */, Item& /* item */)
    {
    }
};

/// Enters it.
const PacketKindOf<ForeignPacket> g_foreignKind({FabricPacketType::FOREIGN,
                                                 "FOREIGN",
                                                 PacketKind::Frame::FOREIGN});

} // namespace

FrameWriter
ForeignFrame::Write(const FabricPacketItem& item)
{
    if (item.foreignProtocol < FrameBytes::LOWEST_ETHER_TYPE)
    {
        throw FabricError("packet item: foreign protocol " + std::to_string(item.foreignProtocol) +
                          " is no EtherType, at least 1536");
    }
    FrameWriter frame = FrameBytes::Begin(item, item.foreignProtocol);
    frame.Append(*item.GetPacket());
    uint8_t* inner = frame.GetBytes() + FrameBytes::ETHERNET_BYTES;
    const size_t length = frame.GetPosition() - FrameBytes::ETHERNET_BYTES;
    if (GetForeignDs(inner, length, item.foreignProtocol) != item.ds)
    {
        SetForeignDs(inner, length, item.foreignProtocol, item.ds);
    }
    return frame;
}

Ptr<FabricPacketItem>
ForeignFrame::Parse(Ptr<Packet> packet, uint16_t protocol)
{
    if (protocol < FrameBytes::LOWEST_ETHER_TYPE)
    {
        return nullptr;
    }
    Ptr<FabricPacketItem> item(new FabricPacketItem(packet), false);
    item->type = FabricPacketType::FOREIGN;
    item->foreignProtocol = protocol;
    ReadFields(*item);
    return item;
}

void
ForeignFrame::ReadFields(FabricPacketItem& item)
{
    const Head head(*item.GetPacket());
    item.ds = GetForeignDs(head.bytes.data(), head.length, item.foreignProtocol);
    item.entropy = GetForeignEntropy(head.bytes.data(), head.length, item.foreignProtocol);
}

Ptr<const Packet>
ForeignFrame::GetMarkedPacket(const FabricPacketItem& item)
{
    Head head(*item.GetPacket());
    uint8_t* bytes = head.bytes.data();
    const uint16_t protocol = item.foreignProtocol;
    const size_t header = GetHeaderBytes(bytes, head.length, protocol);
    if (header == 0 || header > head.length ||
        GetForeignDs(bytes, head.length, protocol) == item.ds)
    {
        return item.GetPacket();
    }
    SetForeignDs(bytes, head.length, protocol, item.ds);
    Ptr<Packet> packet = item.GetPacket()->Copy();
    packet->RemoveAtStart(static_cast<uint32_t>(header));
    packet->AddHeader(ReplacedIpHeader(bytes, header, protocol));
    return packet;
}

bool
ForeignFrame::GetIpv4Destination(const Packet& packet, uint16_t protocol, Ipv4Address& destination)
{
    constexpr size_t DESTINATION = 16;
    const Head head(packet);
    if (protocol != FrameBytes::IPV4 || head.length < IPV4_BYTES || (head.bytes[0] >> 4) != 4)
    {
        return false;
    }
    destination = Ipv4Address::Deserialize(head.bytes.data() + DESTINATION);
    return true;
}

} // namespace ns3
