// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_PACKET_ITEM_H
#define FABRIC_PACKET_ITEM_H

#include "packet-fields.h"
#include "trimmable-item.h"

#include "ns3/packet.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>

namespace ns3
{

/**
 * @defgroup dcfabric Data-center fabrics
 *
 * Congestion management in data-centre and HPC networks.
 */

/**
 * @ingroup dcfabric
 * @brief The one descriptor a packet has from NIC to NIC.
 *
 * Holds the parsed header fields, so that nothing is parsed or serialized on the way; bytes are
 * made only where they are needed (FabricHeaders). Instances come from a free list. The fields are
 * public: the item is a record with the interface that queue discs expect, not an object with
 * invariants of its own.
 *
 * The base class fills the first cache line; what each hop reads fills the second.
 */
class FabricPacketItem final : public TrimmableItem, public PacketFields
{
  public:
    /// Construct an item around the payload @p payload (timing-only items share one packet).
    explicit FabricPacketItem(Ptr<Packet> payload);

    /**
     * @brief Make an item whose payload exists only as a size.
     * @param type what it is
     * @return an item with all fields zero but for intRecords, of which intCount are valid
     * @throws FabricError if there is no PacketKind of that type
     */
    static Ptr<FabricPacketItem> Create(FabricPacketType type);

    // from QueueDiscItem
    uint32_t GetSize() const override
    {
        return size;
    }

    bool GetUint8Value(QueueItem::Uint8Values field, uint8_t& value) const override;
    void AddHeader() override;
    bool Mark() override;
    uint32_t Hash(uint32_t perturbation = 0) const override;
    void Print(std::ostream& os) const override;

    // from TrimmableItem
    bool CanTrim() const override
    {
        return type == FabricPacketType::DATA && !IsTrimmed() && data.payloadBytes > 0;
    }

    /**
     * @copydoc TrimmableItem::Trim
     *
     * What is left is the frame up to BTH, 62 bytes with the check sums; behind that nothing is
     * kept. The headers of matching, telemetry and coordination are lost with the payload.
     */
    void Trim(uint32_t bytes, uint8_t dscp, bool lastHop) override;

    /// @return true for everything the transport or a switch made: not DATA and not FOREIGN
    bool IsControl() const
    {
        return type != FabricPacketType::DATA && type != FabricPacketType::FOREIGN;
    }

    /// @return true for what flow control or retry says to the other end of a link
    bool IsLinkFrame() const
    {
        return type == FabricPacketType::PAUSE || type == FabricPacketType::CREDIT ||
               type == FabricPacketType::LLR;
    }

    /// @return true for data that has lost its payload
    bool IsTrimmed() const
    {
        return (flags & FLAG_TRIMMED) != 0;
    }

    /// @return true for data that goes through the match table
    bool IsMatched() const
    {
        return (flags & (FLAG_MATCH | FLAG_VOID)) == FLAG_MATCH;
    }

    /// @return priority class, 0 to 7: the class selector of the DSCP
    uint8_t GetPriority() const
    {
        return ds >> 5;
    }

    /**
     * @param priority class, 0 to 7
     * @param ecn ECN codepoint
     * @return the DS field
     */
    static uint8_t MakeDs(uint8_t priority, uint8_t ecn)
    {
        return static_cast<uint8_t>((priority << 5) | ecn);
    }

    /// @return fabric address of the receiver, also while the packet goes by way of a switch
    const uint32_t& GetReceiver() const
    {
        return (flags & FLAG_VIA) != 0 ? finalDst : dst;
    }

    /// @return the same, to be read from bytes
    uint32_t& GetReceiver()
    {
        return (flags & FLAG_VIA) != 0 ? finalDst : dst;
    }

    /**
     * @brief Send the packet by way of a switch.
     * @param via address of the switch
     */
    void GoVia(uint32_t via)
    {
        finalDst = dst;
        dst = via;
        flags |= FLAG_VIA;
    }

    /// The packet need no longer go by way of a switch: the rest of its way leads to the receiver.
    void EndVia()
    {
        dst = finalDst;
        flags &= ~FLAG_VIA;
    }

    /// @return true if the congestion-experienced codepoint is set
    bool IsMarked() const
    {
        return (ds & ECN_MASK) == ECN_CE;
    }

    /**
     * @brief Be an answer to a packet: with its entropy, flow and time of sending.
     * @param data that packet
     */
    void EchoPath(const FabricPacketItem& data)
    {
        entropy = data.entropy;
        flowHash = data.flowHash;
        sendTimePs = data.sendTimePs;
    }

    /**
     * @brief Take the INT that another packet has, and leave it there.
     * @param from that packet
     */
    void CopyInt(const FabricPacketItem& from);

    /// @return with #FLAG_TRIMMED: what its receiver answers
    NackCode GetTrimCode() const
    {
        return (flags & FLAG_LAST_HOP) != 0 ? NackCode::TRIMMED_LAST_HOP : NackCode::TRIMMED;
    }

    /**
     * @brief Compute #flowHash from the addresses and the entropy.
     *
     * The hash does not depend on the direction: a packet and its answer, which swaps source and
     * destination and keeps the entropy, have the same ([FNCC] section 3.1, observation 2).
     */
    void UpdateFlowHash();

    /// Items are taken from and returned to a free list (plain heap under sanitizers).
    static void* operator new(size_t bytes);
    /// Returns an item to that list.
    static void operator delete(void* block);

    /**
     * @brief The fields of a packet that is neither data nor an answer; each kind has its own.
     * @tparam Fields as the PacketKind of #type says
     * @return them
     */
    template <typename Fields>
    Fields& As()
    {
        CheckBody<Fields>();
        return *std::launder(reinterpret_cast<Fields*>(body.data()));
    }

    /// @copydoc As()
    template <typename Fields>
    const Fields& As() const
    {
        CheckBody<Fields>();
        return *std::launder(reinterpret_cast<const Fields*>(body.data()));
    }

    /**
     * @brief Begin the fields of a kind, all zero.
     * @tparam Fields as for As()
     * @return them
     */
    template <typename Fields>
    Fields& Begin()
    {
        CheckBody<Fields>();
        return *new (body.data()) Fields{};
    }

    std::unique_ptr<std::array<IntSample, MAX_HOPS>> exactInt; //!< unpacked INT, only where chosen

  private:
    /// Refuse, where it is compiled, what has no place in a packet. @tparam Fields of a kind
    template <typename Fields>
    static constexpr void CheckBody()
    {
        static_assert(std::is_trivially_copyable_v<Fields> && sizeof(Fields) <= BODY_BYTES &&
                          alignof(Fields) <= alignof(uint64_t),
                      "fields of a packet are plain, and as long as those of an ACK at most");
    }
};

} // namespace ns3

#endif /* FABRIC_PACKET_ITEM_H */
