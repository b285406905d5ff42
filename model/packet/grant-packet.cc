// SPDX-License-Identifier: GPL-2.0-only
#include "grant-packet.h"

#include "packet-kind.h"

namespace ns3
{

namespace
{

constexpr uint16_t GRANT_UDP_PORT = 49150;   //!< of Ultra Ethernet
constexpr uint32_t GRANT_UDP_BYTES = 8 + 18; //!< header, fields and padding
constexpr uint8_t GRANT_CONTROL_TYPE = 0x0b; //!< of Ultra Ethernet: a control packet
constexpr uint8_t GRANT_CONTROL_KIND = 7;    //!< likewise: credit

/// Layout of a grant: IPv4, UDP, 12 bytes of fields, 6 of padding.
struct GrantPacket
{
    using Fields = GrantFields; //!< of the item

    /**
     * @brief Layout.
     * @tparam Wire direction
     * @tparam Item packet item
     * @param wire where
     * @param item the grant
     */
    template <typename Wire, typename Item>
    static void Describe(Wire& wire, Wire& /* extensions */, Item& item)
    {
        auto& grant = item.template As<Fields>();
        uint32_t length = FrameBytes::IPV4_BYTES + GRANT_UDP_BYTES;
        FrameBytes::Ipv4(wire, item, length, FrameBytes::UDP);
        wire.Field(item.entropy, 2);
        wire.Constant(GRANT_UDP_PORT, 2);
        wire.Constant(GRANT_UDP_BYTES, 2);
        wire.Constant(0, 2); // checksum: none
        wire.Constant(GRANT_CONTROL_TYPE, 1);
        wire.Constant(GRANT_CONTROL_KIND, 1);
        wire.Field(grant.priority, 1);
        wire.Constant(0, 2);
        wire.Field(item.pdc, 3, "PDC number");
        wire.Field(grant.total, 4);
        wire.Constant(0, 6);
    }

    /**
     * @brief Print.
     * @param os where
     * @param item the grant
     */
    static void Print(std::ostream& os, const FabricPacketItem& item)
    {
        const auto& grant = item.As<Fields>();
        os << " total " << grant.total;
        if (grant.priority != Fields::OWN_PRIORITY)
        {
            os << " class " << +grant.priority;
        }
    }
};

/// @return what there is to say of it
PacketKind
MakeGrantKind()
{
    PacketKind kind{FabricPacketType::GRANT, "GRANT", PacketKind::Frame::CONTROL};
    kind.etherType = FrameBytes::IPV4;
    kind.isFrame = [](const std::vector<uint8_t>& bytes) {
        constexpr std::size_t PORT = FrameBytes::ETHERNET_BYTES + FrameBytes::IPV4_BYTES + 2;
        return bytes.size() == GrantFields::FRAME_BYTES &&
               FrameBytes::IsIpv4(bytes, FrameBytes::UDP) &&
               ((bytes[PORT] << 8) | bytes[PORT + 1]) == GRANT_UDP_PORT;
    };
    kind.isAbout = [](const FabricPacketItem& item, uint32_t receiver) {
        return item.src == receiver;
    };
    return kind;
}

const PacketKindOf<GrantPacket> g_grantKind(MakeGrantKind()); //!< enters it

} // namespace

} // namespace ns3
