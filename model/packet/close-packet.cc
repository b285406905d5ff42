// SPDX-License-Identifier: GPL-2.0-only
#include "close-packet.h"

#include "packet-kind.h"

namespace ns3
{

namespace
{

/// Layout of the end of a PDC: 4 bytes.
struct ClosePacket
{
    using Fields = CloseFields; //!< of the item

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
        auto& close = item.template As<Fields>();
        auto answer = static_cast<uint8_t>(close.isAnswer ? 1 : 0);
        extensions.Field(answer, 1, "whether a PDC is closed", 1);
        if constexpr (Wire::READS)
        {
            close.isAnswer = answer != 0;
        }
        extensions.Field(close.otherPdc, 3, "PDC number");
    }

    /**
     * @brief Print.
     * @param os where
     * @param item the packet
     */
    static void Print(std::ostream& os, const FabricPacketItem& item)
    {
        const auto& close = item.As<Fields>();
        os << (close.isAnswer ? " closed" : " to be closed") << ", other end " << close.otherPdc;
    }
};

/// @return what there is to say of it
PacketKind
MakeCloseKind()
{
    PacketKind kind{FabricPacketType::CLOSE, "CLOSE"};
    kind.opcodes = {{0xc9, 0, 0}};
    return kind;
}

const PacketKindOf<ClosePacket> g_closeKind(MakeCloseKind()); //!< enters it

} // namespace

} // namespace ns3
