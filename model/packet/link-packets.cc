// SPDX-License-Identifier: GPL-2.0-only
#include "link-packets.h"

#include "packet-kind.h"

#include <cstddef>
#include <ostream>
#include <vector>

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

/// First byte of what link-level retry says, where credit frames have their version.
constexpr uint8_t RETRY_VERSION = 3;

/// Layout of what link-level retry says, 46 bytes; on the wire it is no frame (RetryFields).
struct RetryPacket
{
    using Fields = RetryFields; //!< of the item

    /**
     * @brief Layout.
     * @tparam Wire direction
     * @tparam Item packet item
     * @param wire where
     * @param item the ordered set or replay
     */
    template <typename Wire, typename Item>
    static void Describe(Wire& wire, Wire& /* extensions */, Item& item)
    {
        auto& fields = item.template As<Fields>();
        wire.Constant(RETRY_VERSION, 1);
        auto word = static_cast<uint8_t>(fields.word);
        wire.Field(word, 1, "word of link-level retry", static_cast<uint64_t>(RetryWord::REPLAY));
        if constexpr (Wire::READS)
        {
            fields.word = static_cast<RetryWord>(word);
            item.flags |= FabricPacketItem::FLAG_NUMBERED;
        }
        wire.Field(item.linkNumber, 4, "number on the link", 0xfffff);
        wire.Constant(0, 40);
    }

    /**
     * @brief Print what is said.
     * @param os where
     * @param item the ordered set or replay
     */
    static void Print(std::ostream& os, const FabricPacketItem& item)
    {
        static constexpr const char* NAMES[]{"ack", "nack", "init", "init echo", "replay"};
        os << ' ' << NAMES[static_cast<std::size_t>(item.As<Fields>().word)] << ' '
           << item.linkNumber;
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

/**
 * @param bytes of a frame of #CREDIT_ETHER_TYPE
 * @return true if it is one of link-level retry
 */
bool
IsRetry(const std::vector<uint8_t>& bytes)
{
    return bytes.size() > FrameBytes::ETHERNET_BYTES &&
           bytes[FrameBytes::ETHERNET_BYTES] == RETRY_VERSION;
}

/// @return what there is to say of credit frames
PacketKind
MakeCreditKind()
{
    PacketKind kind{FabricPacketType::CREDIT, "CREDIT", PacketKind::Frame::CONTROL};
    kind.etherType = CREDIT_ETHER_TYPE;
    kind.fillsIntRoom = true;
    kind.isFrame = [](const std::vector<uint8_t>& bytes) { return !IsRetry(bytes); };
    return kind;
}

/// @return what there is to say of link-level retry
PacketKind
MakeRetryKind()
{
    PacketKind kind{FabricPacketType::LLR, "LLR", PacketKind::Frame::CONTROL};
    kind.etherType = CREDIT_ETHER_TYPE;
    kind.isFrame = [](const std::vector<uint8_t>& bytes) { return IsRetry(bytes); };
    return kind;
}

const PacketKindOf<PausePacket> g_pauseKind(MakePauseKind());    //!< enters it
const PacketKindOf<CreditPacket> g_creditKind(MakeCreditKind()); //!< enters it
const PacketKindOf<RetryPacket> g_retryKind(MakeRetryKind());    //!< enters it

} // namespace

} // namespace ns3
