// SPDX-License-Identifier: GPL-2.0-only
#ifndef PACKET_KIND_H
#define PACKET_KIND_H

#include "fabric-packet-item.h"
#include "frame-bytes.h"

#include <array>
#include <cstdint>
#include <ostream>
#include <type_traits>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief All that there is to say of a kind of packet, once.
 *
 * Frames and captures, messages between processes and printed packets are made from it. A kind is a
 * static object, in the file of its layout:
 * @code
 * struct HelloFields { uint32_t hops; }; // of FabricPacketItem::As()
 *
 * struct HelloPacket
 * {
 *     using Fields = HelloFields;
 *
 *     template <typename Wire, typename Item>
 *     static void Describe(Wire& transport, Wire& extensions, Item& item)
 *     {
 *         extensions.Field(item.template As<Fields>().hops, 4);
 *     }
 * };
 *
 * constexpr auto HELLO = static_cast<FabricPacketType>(0xd0);
 * const RoceKind<HelloPacket> g_hello(HELLO, "HELLO");
 * @endcode
 * Such a packet takes WireFormat::GetNoticeBytes() of its extension bytes (a multiple of 4), and
 * one to a host goes to the modifiers and the congestion control of the PDC that it names
 * (CongestionControl::OnNotice).
 */
struct PacketKind
{
    /// What begins its frame.
    enum class Frame : uint8_t
    {
        ROCE,    //!< RoCEv2: one of #opcodes
        CONTROL, //!< Ethernet and #etherType
        FOREIGN  //!< that of another protocol (ForeignFrame)
    };

    /// An operation code of RoCEv2.
    struct Opcode
    {
        uint8_t code;           //!< first byte of BTH
        uint32_t flags{0};      //!< of data that it stands for
        uint8_t transportBytes; //!< of the headers of InfiniBand behind BTH
    };

    FabricPacketType type;         //!< its number
    const char* name;              //!< in messages
    Frame frame{Frame::ROCE};      //!< what begins it
    std::vector<Opcode> opcodes{}; //!< ROCE: each of them
    uint16_t etherType{0};         //!< CONTROL: of its frame
    bool hasPayload{false};        //!< bytes of its own follow the headers
    bool carriesInt{false};        //!< INT records may follow the headers
    bool namesLast{false};         //!< BTH names the last packet received in order, as of an ACK
    bool fillsIntRoom{false};      //!< its fields fill the room of INT records, too
    bool hasFields{false};         //!< it uses FabricPacketItem::body

    /// Layout of what follows BTH or the Ethernet header: headers of InfiniBand, then extensions.
    void (*write)(FrameWriter&, FrameWriter&, const FabricPacketItem&){nullptr};
    /// The same, to be read.
    void (*read)(FrameReader&, FrameReader&, FabricPacketItem&){nullptr};
    /// What to print of it beside what all packets have; null: nothing.
    void (*print)(std::ostream&, const FabricPacketItem&){nullptr};
    /// Length of a payload that exists only as a size; null: there is none.
    uint32_t (*getPayloadBytes)(const FabricPacketItem&){nullptr};
    /// CONTROL: whether a frame of #etherType is of this kind, by its bytes; null: each is.
    bool (*isFrame)(const std::vector<uint8_t>&){nullptr};
    /// Whether a packet to the source of a flow is about that to this receiver; null: it is.
    bool (*isAbout)(const FabricPacketItem&, uint32_t){nullptr};

    /**
     * @param item to the source of a flow, whose PDC it names
     * @param receiver of that flow
     * @return whether it is about that flow
     */
    bool IsAbout(const FabricPacketItem& item, uint32_t receiver) const
    {
        return !isAbout || isAbout(item, receiver);
    }

    /**
     * @param item the packet
     * @return the one of #opcodes that stands for it
     * @throws FabricError if there is none
     */
    const Opcode& GetOpcode(const FabricPacketItem& item) const;
};

/**
 * @ingroup dcfabric
 * @brief The kinds of packets that there are.
 */
class PacketKinds
{
  public:
    /**
     * @brief Enter a kind.
     * @param kind which is there as long as the program; aborts if its type or one of its
     *        operation codes is taken (by another kind than NACK, which shares that of ACK)
     */
    static void Add(const PacketKind& kind);

    /**
     * @param type of a packet
     * @return its kind, null if there is none
     */
    static const PacketKind* Find(FabricPacketType type)
    {
        return g_kinds.at(static_cast<uint8_t>(type));
    }

    /**
     * @param type of a packet
     * @return its kind
     * @throws FabricError if there is none
     */
    static const PacketKind& Get(FabricPacketType type)
    {
        const PacketKind* kind = Find(type);
        if (!kind)
        {
            Refuse(type);
        }
        return *kind;
    }

    /**
     * @param code first byte of BTH
     * @param opcode receives what is known of it
     * @return the kind that has it, null if none
     */
    static const PacketKind* FindOpcode(uint8_t code, const PacketKind::Opcode*& opcode);

    /**
     * @param etherType of a frame
     * @param bytes of the frame
     * @return the kind of control frame that it is, null if none
     */
    static const PacketKind* FindControl(uint16_t etherType, const std::vector<uint8_t>& bytes);

    /// @return all of them, by type
    static std::vector<const PacketKind*> List();

  private:
    /**
     * @brief Tell that there is no such kind.
     * @param type its number
     */
    [[noreturn]] static void Refuse(FabricPacketType type);

    static std::array<const PacketKind*, 256> g_kinds; //!< by type, null where there is none
};

/**
 * @ingroup dcfabric
 * @brief A kind made from a class with its layout, entered where it is constructed.
 * @tparam Layout has Describe(transport, extensions, item) for both directions, Fields where the
 *         kind has its own, and Print(os, item) where there is more to print
 */
template <typename Layout>
class PacketKindOf : public PacketKind
{
  public:
    /// @param kind what Layout does not say
    explicit PacketKindOf(const PacketKind& kind)
        : PacketKind(kind)
    {
        write = [](FrameWriter& transport, FrameWriter& extensions, const FabricPacketItem& item) {
            Layout::Describe(transport, extensions, item);
        };
        read = [](FrameReader& transport, FrameReader& extensions, FabricPacketItem& item) {
            Begin<Layout>(&item, 0);
            Layout::Describe(transport, extensions, item);
        };
        hasFields = Begin<Layout>(nullptr, 0);
        print = FindPrint<Layout>(0);
        PacketKinds::Add(*this);
    }

    PacketKindOf(const PacketKindOf&) = delete;
    PacketKindOf& operator=(const PacketKindOf&) = delete;

  private:
    // The first of each pair is for a layout that has the member, the second for any other. Begin()
    // begins the fields, if there is an item, and tells whether there are any.

    template <typename L>
    static auto Begin(FabricPacketItem* item, int /* has it */)
        -> std::enable_if_t<sizeof(typename L::Fields) != 0, bool>
    {
        if (item)
        {
            item->Begin<typename L::Fields>();
        }
        return true;
    }

    template <typename L>
    static bool Begin(FabricPacketItem* /* item */, long /* has not */)
    {
        return false;
    }

    template <typename L>
    static auto FindPrint(int /* has it */) -> decltype(&L::Print)
    {
        return &L::Print;
    }

    template <typename L>
    static auto FindPrint(long /* has not */) -> decltype(PacketKind::print)
    {
        return nullptr;
    }
};

/**
 * @ingroup dcfabric
 * @brief A kind that travels as RoCEv2 with one operation code, that of its type, and extension
 * headers only: how to make one of one's own.
 * @tparam Layout as for PacketKindOf
 */
template <typename Layout>
class RoceKind : public PacketKindOf<Layout>
{
  public:
    /**
     * @param type #FabricPacketType::OWN or larger
     * @param name in messages
     */
    RoceKind(FabricPacketType type, const char* name)
        : PacketKindOf<Layout>(
              {type, name, PacketKind::Frame::ROCE, {{static_cast<uint8_t>(type), 0, 0}}})
    {
    }
};

} // namespace ns3

#endif /* PACKET_KIND_H */
