// SPDX-License-Identifier: GPL-2.0-only
#include "reduction-packet.h"

#include "ns3/packet-kind.h"

namespace ns3
{

namespace
{

/// Layout of a packet of in-network reduction: 24 bytes, and its part of the vector.
struct ReductionPacket
{
    using Fields = ReductionFields; //!< of the item

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
        extensions.Field(fields.way, 1, "way of a reduction", Fields::DOWN);
        extensions.Field(fields.operation, 1, "operation of a reduction", Fields::BROADCAST);
        extensions.Constant(0, 2);
        extensions.Field(fields.group, 4);
        extensions.Field(fields.root, 4);
        extensions.Field(fields.ranks, 4);
        extensions.Field(fields.number, 8);
        if constexpr (Wire::READS)
        {
            fields.payloadBytes = static_cast<uint16_t>(item.GetPacket()->GetSize());
        }
    }

    /**
     * @brief Print.
     * @param os where
     * @param item the packet
     */
    static void Print(std::ostream& os, const FabricPacketItem& item)
    {
        const auto& fields = item.As<Fields>();
        os << (fields.way == Fields::UP ? " up" : " down") << " tree " << fields.group << " packet "
           << fields.number << " of " << fields.ranks << " ranks, " << fields.payloadBytes
           << " bytes";
    }
};

/// @return what there is to say of it
PacketKind
MakeReductionKind()
{
    PacketKind kind{ReductionFields::TYPE, "REDUCTION"};
    kind.opcodes = {{0xca, 0, 0}};
    kind.hasPayload = true;
    kind.getPayloadBytes = [](const FabricPacketItem& item) {
        return uint32_t{item.As<ReductionFields>().payloadBytes};
    };
    return kind;
}

const PacketKindOf<ReductionPacket> g_reductionKind(MakeReductionKind()); //!< enters it

} // namespace

} // namespace ns3
