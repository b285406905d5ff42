// SPDX-License-Identifier: GPL-2.0-only
#include "link-packets.h"

#include "packet-kind.h"

namespace ns3
{

namespace
{

constexpr uint16_t PAUSE_ETHER_TYPE = 0x8808;  //!< MAC control
constexpr uint16_t CREDIT_ETHER_TYPE = 0x88B5; //!< local experimental

/// Layout of a PFC frame, 46 bytes.
struct PausePacket
{
    using Fields = PauseFields; //!< of the item

    /**
     * @brief Layout.
     * @tparam Wire direction
     * @tparam Item packet item
     * @param wire where
     * @param item the frame
     */
    template <typename Wire, typename Item>
    static void Describe(Wire& wire, Wire& /* extensions */, Item& item)
    {
        auto& pause = item.template As<Fields>();
        wire.Constant(0x0101, 2); // opcode of priority-based flow control
        wire.Constant(0, 1);
        wire.Field(pause.classEnable, 1);
        for (auto& quanta : pause.quanta)
        {
            wire.Field(quanta, 2);
        }
        wire.Constant(0, 26); // up to the smallest frame, 64 bytes
    }
};

/// Layout of a credit frame: 70 bytes by class, 86 by virtual queue.
struct CreditPacket
{
    using Fields = CreditFields; //!< of the item

    /**
     * @brief Layout.
     * @tparam Wire direction
     * @tparam Item packet item
     * @param wire where
     * @param item the frame
     */
    template <typename Wire, typename Item>
    static void Describe(Wire& wire, Wire& /* extensions */, Item& item)
    {
        auto& credit = item.template As<Fields>();
        bool perQueue = credit.perQueue;
        uint8_t version = perQueue ? 2 : 1;
        wire.Field(version, 1, "version of a credit frame", 2);
        wire.Field(credit.request, 1, "request of a credit frame", 1);
        wire.Field(credit.bufferUnits, 4);
        if constexpr (Wire::READS)
        {
            perQueue = version == 2;
            credit.perQueue = perQueue;
            credit.queues.fill(FabricPacketItem::NO_QUEUE);
        }
        for (std::size_t i = 0; i < item.credits.size(); ++i)
        {
            if (perQueue)
            {
                wire.Field(credit.queues[i], 2);
            }
            wire.Field(item.credits[i].sent, 4);
            wire.Field(item.credits[i].limit, 4);
        }
    }
};

/// @return what there is to say of PFC frames
PacketKind
MakePauseKind()
{
    PacketKind kind{FabricPacketType::PAUSE, "PAUSE", PacketKind::Frame::CONTROL};
    kind.etherType = PAUSE_ETHER_TYPE;
    return kind;
}

/// @return what there is to say of credit frames
PacketKind
MakeCreditKind()
{
    PacketKind kind{FabricPacketType::CREDIT, "CREDIT", PacketKind::Frame::CONTROL};
    kind.etherType = CREDIT_ETHER_TYPE;
    kind.fillsIntRoom = true;
    return kind;
}

const PacketKindOf<PausePacket> g_pauseKind(MakePauseKind());    //!< enters it
const PacketKindOf<CreditPacket> g_creditKind(MakeCreditKind()); //!< enters it

} // namespace

} // namespace ns3
