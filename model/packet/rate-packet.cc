// SPDX-License-Identifier: GPL-2.0-only
#include "rate-packet.h"

#include "packet-kind.h"

namespace ns3
{

namespace
{

constexpr uint8_t RATE_ICMP_TYPE = 253; //!< of experiments

/// Layout of a fair rate: IPv4 and 24 bytes of ICMP.
struct RatePacket
{
    using Fields = RateFields; //!< of the item

    /**
     * @brief Layout.
     * @tparam Wire direction
     * @tparam Item packet item
     * @param wire where
     * @param item the message
     */
    template <typename Wire, typename Item>
    static void Describe(Wire& wire, Wire& /* extensions */, Item& item)
    {
        auto& rate = item.template As<Fields>();
        uint32_t length = FrameBytes::IPV4_BYTES + 24;
        FrameBytes::Ipv4(wire, item, length, FrameBytes::ICMP);
        const std::size_t start = wire.GetPosition();
        wire.Constant(RATE_ICMP_TYPE, 1);
        wire.Constant(0, 1); // code
        wire.Skip2();        // checksum
        wire.Field(rate.rateMbps, 4);
        FrameBytes::HostAddress(wire, rate.flowDst, "destination of the flow");
        wire.Field(rate.priority, 1, "class of a fair rate", 7);
        wire.Field(item.pdc, 3, "PDC number");
        wire.Field(item.entropy, 2);
        wire.Field(rate.port, 2);
        wire.Constant(0, 4);
        wire.Checksum(start, 2);
    }
};

/// @return what there is to say of it
PacketKind
MakeRateKind()
{
    PacketKind kind{FabricPacketType::RATE, "RATE", PacketKind::Frame::CONTROL};
    kind.etherType = FrameBytes::IPV4;
    kind.isFrame = [](const std::vector<uint8_t>& bytes) {
        constexpr std::size_t TYPE = FrameBytes::ETHERNET_BYTES + FrameBytes::IPV4_BYTES;
        return bytes.size() >= TYPE + 1 + FrameBytes::CRC_BYTES &&
               FrameBytes::IsIpv4(bytes, FrameBytes::ICMP) && bytes[TYPE] == RATE_ICMP_TYPE;
    };
    return kind;
}

const PacketKindOf<RatePacket> g_rateKind(MakeRateKind()); //!< enters it

} // namespace

} // namespace ns3
