// SPDX-License-Identifier: GPL-2.0-only
#include "conweave-packet.h"

#include "packet-kind.h"

namespace ns3
{

namespace
{

/// Layout of what edge switches tell one another under ConWeave, 16 bytes.
struct ConweavePacket
{
    using Fields = ConweaveFields; //!< of the item

    /**
     * @brief Layout.
     * @tparam Wire direction
     * @tparam Item packet item
     * @param extensions where
     * @param item the packet
     */
    template <typename Wire, typename Item>
    static void Describe(Wire& /* transport */, Wire& extensions, Item& item)
    {
        auto& fields = item.template As<Fields>();
        extensions.Field(fields.kind, 1, "kind of a ConWeave packet", Fields::NOTIFY);
        extensions.Field(fields.epoch, 1);
        extensions.Field(fields.entropy, 2);
        FrameBytes::HostAddress(extensions, fields.flowSrc, "source of a flow");
        FrameBytes::HostAddress(extensions, fields.flowDst, "destination of a flow");
        extensions.Field(fields.path, 4);
    }

    /**
     * @brief Print.
     * @param os where
     * @param item the packet
     */
    static void Print(std::ostream& os, const FabricPacketItem& item)
    {
        const auto& fields = item.As<Fields>();
        os << " kind " << +fields.kind << " flow " << fields.flowSrc << "->" << fields.flowDst
           << " entropy " << fields.entropy << " epoch " << +fields.epoch << " path 0x" << std::hex
           << fields.path << std::dec;
    }
};

/// @return what there is to say of it
PacketKind
MakeConweaveKind()
{
    PacketKind kind{ConweaveFields::TYPE, "CONWEAVE"};
    kind.opcodes = {{0xcf, 0, 0}};
    return kind;
}

const PacketKindOf<ConweavePacket> g_conweaveKind(MakeConweaveKind()); //!< enters it

} // namespace

} // namespace ns3
