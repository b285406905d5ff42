// SPDX-License-Identifier: GPL-2.0-only
#include "bts-packet.h"

#include "packet-kind.h"

namespace ns3
{

namespace
{

/// Layout of a notification back to a sender: 4 bytes, and more for each signal that it carries.
/// Which packet it is about is in BTH: PDC at the source and sequence number.
struct BtsPacket
{
    using Fields = BtsFields; //!< of the item

    /**
     * @brief Layout.
     * @tparam Wire direction
     * @tparam Item packet item
     * @param extensions where
     * @param item the notification
     */
    template <typename Wire, typename Item>
    static void Describe(Wire& /* transport */, Wire& extensions, Item& item)
    {
        using Signals = BackToSenderSignals;
        auto& bts = item.template As<Fields>();
        auto first = static_cast<uint8_t>((bts.dropped << 7) | (bts.marked << 6) |
                                          (bts.inverted << 5) | bts.priority);
        extensions.Field(first, 1);
        if constexpr (Wire::READS)
        {
            bts.dropped = (first & 0x80) != 0;
            bts.marked = (first & 0x40) != 0;
            bts.inverted = (first & 0x20) != 0;
            bts.priority = first & 7;
        }
        extensions.Field(bts.signals, 1, "set of signals of a BTS", Signals::ALL);
        extensions.Field(bts.port, 2);
        const auto told = [&](uint8_t signal) { return (bts.signals & signal) != 0; };
        if (told(Signals::QUEUE | Signals::FLOWS))
        {
            const auto half = [&](bool isTold, auto& value) {
                if (isTold)
                {
                    extensions.Field(value, 2);
                    return;
                }
                extensions.Constant(0, 2);
            };
            half(told(Signals::QUEUE), bts.relativeQueue);
            half(told(Signals::FLOWS), bts.activeFlows);
        }
        if (told(Signals::GRADIENT))
        {
            extensions.Field(bts.gradientMbps, 4);
        }
        if (told(Signals::RATE))
        {
            extensions.Field(bts.rateMbps, 4);
        }
        if (told(Signals::SENT))
        {
            extensions.Field(bts.portSentBytes, 4);
            extensions.Field(bts.queueSentBytes, 4);
            extensions.Field(bts.timeNs, 4);
        }
        if (told(Signals::OCCUPANCY))
        {
            extensions.Field(bts.portBytes, 4);
            extensions.Field(bts.bufferBytes, 4);
            extensions.Field(bts.groupBytes, 4);
        }
    }

    /**
     * @brief Print.
     * @param os where
     * @param item the notification
     */
    static void Print(std::ostream& os, const FabricPacketItem& item)
    {
        const auto& bts = item.As<Fields>();
        os << " of port " << bts.port << " class " << +bts.priority
           << (bts.dropped ? " dropped" : "") << (bts.marked ? " marked" : "");
    }
};

/// @return what there is to say of it
PacketKind
MakeBtsKind()
{
    PacketKind kind{FabricPacketType::BTS, "BTS"};
    kind.opcodes = {{0xc4, 0, 0}};
    kind.carriesInt = true;
    return kind;
}

const PacketKindOf<BtsPacket> g_btsKind(MakeBtsKind()); //!< enters it

} // namespace

} // namespace ns3
