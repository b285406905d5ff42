// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief The kinds of packets of message matching ([Patent] (53) to (63)): refusals and requests.
 */
#include "matching-packets.h"

#include "packet-kind.h"
#include "roce-extensions.h"
#include "wire-format.h"

namespace ns3
{

namespace
{

/// Layout of what refuses a message: request to wait, receiver not ready.
struct RefusalPacket
{
    using Fields = FabricPacketItem::AckFields; //!< of the item

    /**
     * @brief Layout.
     * @tparam Wire direction
     * @tparam Item packet item
     * @param transport where AETH is
     * @param extensions where the rest is
     * @param item the answer
     */
    template <typename Wire, typename Item>
    static void Describe(Wire& transport, Wire& extensions, Item& item)
    {
        RoceExtensions::Answer(transport, extensions, item, true);
    }

    /**
     * @brief Print.
     * @param os where
     * @param item the answer
     */
    static void Print(std::ostream& os, const FabricPacketItem& item)
    {
        os << " refused msn " << item.ack.msn << " epoch " << +item.ack.epoch;
    }
};

/// Layout of a request to send, 16 bytes.
struct RtsPacket
{
    using Fields = RtsFields; //!< of the item

    /**
     * @brief Layout.
     * @tparam Wire direction
     * @tparam Item packet item
     * @param extensions where
     * @param item the request
     */
    template <typename Wire, typename Item>
    static void Describe(Wire& /* transport */, Wire& extensions, Item& item)
    {
        auto& rts = item.template As<Fields>();
        extensions.Field(rts.epoch, 1);
        extensions.Constant(0, 3);
        extensions.Field(rts.msn, 4);
        extensions.Field(rts.offset, 8);
    }

    /**
     * @brief Print.
     * @param os where
     * @param item the request
     */
    static void Print(std::ostream& os, const FabricPacketItem& item)
    {
        const auto& rts = item.As<Fields>();
        os << " wanted msn " << rts.msn << " epoch " << +rts.epoch << " from " << rts.offset;
    }
};

/**
 * @param type which
 * @param name of it
 * @param opcode of it
 * @return what there is to say of a refusal
 */
PacketKind
MakeRefusalKind(FabricPacketType type, const char* name, uint8_t opcode)
{
    PacketKind kind{type, name};
    kind.opcodes = {{opcode, 0, RoceV2WireFormat::AETH_BYTES}};
    kind.carriesInt = true;
    kind.namesLast = true;
    return kind;
}

/// @return what there is to say of requests
PacketKind
MakeRtsKind()
{
    PacketKind kind{FabricPacketType::RTS, "RTS"};
    kind.opcodes = {{0xc2, 0, 0}};
    return kind;
}

const PacketKindOf<RefusalPacket> g_rtwKind(MakeRefusalKind(FabricPacketType::RTW, "RTW", 0xc1));
const PacketKindOf<RefusalPacket> g_rnrKind(MakeRefusalKind(FabricPacketType::RNR, "RNR", 0xc3));
const PacketKindOf<RtsPacket> g_rtsKind(MakeRtsKind()); //!< enters it

} // namespace

} // namespace ns3
