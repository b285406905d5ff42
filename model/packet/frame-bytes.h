// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief Fields of a frame and their bytes: a writer and a reader that share each layout, Ethernet,
 * IPv4 and checksums.
 */
#ifndef FRAME_BYTES_H
#define FRAME_BYTES_H

#include "fabric-address.h"
#include "fabric-packet-item.h"

#include "ns3/mac48-address.h"
#include "ns3/packet.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <type_traits>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Makes bytes of fields, highest byte first.
 *
 * FrameReader has the same functions. A layout is a template over the two, and so is written once:
 * the order of its calls is the order of the bytes.
 */
class FrameWriter
{
  public:
    static constexpr bool READS = false; //!< fields become bytes

    /// @param expected bytes for which to have memory at once; there may be more
    explicit FrameWriter(std::size_t expected = 0)
        : m_bytes(expected)
    {
    }

    /**
     * @brief A number.
     * @tparam T type of the field, an integer
     * @param value the field
     * @param bytes its length on the wire, 1 to 8
     * @param name of the field, for the message
     * @param limit largest value, unless the length is the limit; a value with sign is taken as its
     *        two's complement
     * @throws FabricError if it does not fit
     */
    template <typename T>
    [[gnu::always_inline]] void Field(const T& value,
                                      uint32_t bytes,
                                      const char* name = "field",
                                      uint64_t limit = ANY)
    {
        const uint64_t number = static_cast<std::make_unsigned_t<T>>(value);
        Require(number, std::min(limit, GetLargest(bytes)), name);
        Constant(number, bytes);
    }

    /**
     * @brief A number that is always the same.
     * @param value the number
     * @param bytes its length; what exceeds 8 is zeros in front
     */
    [[gnu::always_inline]] void Constant(uint64_t value, uint32_t bytes)
    {
        constexpr uint32_t MOST = sizeof(value);
        uint8_t* begin = Extend(bytes);
        if (bytes == 0)
        {
            return;
        }
        if (bytes > MOST)
        {
            begin += bytes - MOST;
            bytes = MOST;
        }
        // a compiler makes one or two instructions of it where it knows the length
        value <<= 8 * (MOST - bytes);
        const uint8_t all[MOST] = {static_cast<uint8_t>(value >> 56),
                                   static_cast<uint8_t>(value >> 48),
                                   static_cast<uint8_t>(value >> 40),
                                   static_cast<uint8_t>(value >> 32),
                                   static_cast<uint8_t>(value >> 24),
                                   static_cast<uint8_t>(value >> 16),
                                   static_cast<uint8_t>(value >> 8),
                                   static_cast<uint8_t>(value)};
        std::memcpy(begin, all, bytes);
    }

    /// @brief Two bytes of a checksum, 0 until Checksum() fills them.
    void Skip2()
    {
        Constant(0, 2);
    }

    /**
     * @brief Fill in an Internet checksum (RFC 1071) over all from a place to here.
     * @param from GetPosition() where what it covers began
     * @param place of the two bytes, counted from there
     */
    void Checksum(std::size_t from, std::size_t place);

    /// @return bytes there are
    std::size_t GetPosition() const
    {
        return m_position;
    }

    /**
     * @brief Append the bytes of another writer.
     * @param other what follows
     */
    void Append(const FrameWriter& other);

    /**
     * @brief Append what a packet holds.
     * @param packet what follows
     */
    void Append(const Packet& packet);

    /**
     * @brief Append a CRC, lowest byte first.
     * @param crc its value
     */
    void AppendCrc(uint32_t crc);

    /// @return first byte; valid until more are added
    uint8_t* GetBytes()
    {
        return m_bytes.data();
    }

    /**
     * @brief Check a field.
     * @param value the field
     * @param limit largest value that fits
     * @param name of the field, for the message
     * @throws FabricError if it does not fit
     */
    static void Require(uint64_t value, uint64_t limit, const char* name)
    {
        if (value > limit)
        {
            Refuse(value, limit, name);
        }
    }

    /**
     * @param bytes length of a field, at least 1
     * @return the largest number that it holds
     */
    static constexpr uint64_t GetLargest(uint32_t bytes)
    {
        return bytes < 8 ? (uint64_t{1} << (8 * bytes)) - 1 : ANY;
    }

    static constexpr uint64_t ANY = UINT64_MAX; //!< no limit but the length

  private:
    /// Throw that a field does not fit (Require()).
    [[noreturn]] static void Refuse(uint64_t value, uint64_t limit, const char* name);

    /// @brief Add bytes, 0 until they are written. @return the first
    uint8_t* Extend(std::size_t bytes)
    {
        const std::size_t begin = m_position;
        m_position += bytes;
        if (m_position > m_bytes.size())
        {
            Grow();
        }
        return m_bytes.data() + begin;
    }

    /// Have memory for what there is, and more.
    void Grow();

    std::vector<uint8_t> m_bytes; //!< so far, then zeros
    std::size_t m_position{0};    //!< how many there are
};

/**
 * @ingroup dcfabric
 * @brief Makes fields of bytes: the other side of FrameWriter.
 *
 * Once anything is wrong, all further fields are 0 and IsDone() stays false, so that a layout needs
 * no checks between its fields.
 */
class FrameReader
{
  public:
    static constexpr bool READS = true; //!< bytes become fields

    /**
     * @param bytes first of them; they outlive the reader
     * @param count how many
     */
    FrameReader(const uint8_t* bytes, std::size_t count)
        : m_begin(bytes),
          m_next(bytes),
          m_end(bytes + count)
    {
    }

    /**
     * @brief A number; refused if larger than the limit.
     * @tparam T type of the field, an integer
     * @param value receives it
     * @param bytes its length on the wire, 1 to 8
     * @param limit largest value that is accepted
     */
    template <typename T>
    void Field(T& value,
               uint32_t bytes,
               const char* /* name */ = "",
               uint64_t limit = FrameWriter::ANY)
    {
        value = static_cast<T>(Take(bytes, limit));
    }

    /**
     * @brief A number that is always the same; refused if it is another.
     * @param value the number
     * @param bytes its length, at least 1; what exceeds 8 is zeros in front
     */
    void Constant(uint64_t value, uint32_t bytes);

    /// @brief Two bytes of a checksum.
    void Skip2()
    {
        Take(2, FrameWriter::ANY);
    }

    /**
     * @brief Refuse all from a place to here unless the Internet checksum in it is right.
     * @param from GetPosition() where what it covers began
     */
    void Checksum(std::size_t from, std::size_t /* place */);

    /// @return bytes read
    std::size_t GetPosition() const
    {
        return static_cast<std::size_t>(m_next - m_begin);
    }

    /// @return bytes left
    std::size_t GetLeft() const
    {
        return static_cast<std::size_t>(m_end - m_next);
    }

    /// @return the next byte, 0 if there is none
    uint8_t Peek() const
    {
        return m_next != m_end ? *m_next : 0;
    }

    /// @brief Refuse the bytes.
    void Refuse()
    {
        m_refused = true;
        m_next = m_end;
    }

    /// @return true if all bytes are read and none was refused
    bool IsDone() const
    {
        return !m_refused && m_next == m_end;
    }

    /**
     * @param bytes how many, at most those left
     * @return a reader of the next ones, which this one leaves out
     */
    FrameReader TakePart(std::size_t bytes);

  private:
    /**
     * @param bytes length of a number, 1 to 8
     * @param limit largest value that is accepted
     * @return the number, 0 if refused
     */
    uint64_t Take(uint32_t bytes, uint64_t limit);

    const uint8_t* m_begin; //!< first byte
    const uint8_t* m_next;  //!< to be read
    const uint8_t* m_end;   //!< behind the last
    bool m_refused{false};  //!< something was wrong
};

/**
 * @ingroup dcfabric
 * @brief What frames of all kinds have in common.
 */
class FrameBytes
{
  public:
    static constexpr uint32_t ETHERNET_BYTES = 14; //!< addresses and EtherType
    static constexpr uint32_t IPV4_BYTES = 20;     //!< header without options
    static constexpr uint32_t CRC_BYTES = 4;       //!< FCS, and ICRC as well
    static constexpr uint16_t IPV4 = 0x0800;       //!< EtherType
    static constexpr uint16_t IPV6 = 0x86dd;       //!< EtherType
    static constexpr uint8_t ICMP = 1;             //!< protocol number of IP
    static constexpr uint8_t TCP = 6;              //!< protocol number of IP
    static constexpr uint8_t UDP = 17;             //!< protocol number of IP
    /// The first EtherType: what is below stands for a length (IEEE 802.3, 3.2.6).
    static constexpr uint16_t LOWEST_ETHER_TYPE = 0x0600;

    /**
     * @param packet any packet
     * @return its bytes
     */
    static std::vector<uint8_t> Get(Ptr<const Packet> packet);

    /**
     * @brief Begin a frame with its Ethernet header.
     * @param item what the frame is of: gives the addresses; frames of a link go to the multicast
     *        address of MAC control
     * @param etherType protocol of what follows
     * @return the frame so far
     */
    static FrameWriter Begin(const FabricPacketItem& item, uint16_t etherType);

    /**
     * @brief End a frame with its FCS.
     * @param frame all before it
     * @return the frame
     */
    static Ptr<Packet> Close(FrameWriter frame);

    /**
     * @param frame all before its FCS
     * @return the frame, without
     */
    static Ptr<Packet> CloseWithoutFcs(FrameWriter frame);

    /**
     * @param bytes a frame
     * @return true if it ends with its FCS
     */
    static bool HasFcs(const std::vector<uint8_t>& bytes);

    /**
     * @param frame a frame
     * @param front bytes before what is wanted
     * @param back bytes behind it
     * @return what lies between, with its tags
     */
    static Ptr<Packet> Cut(Ptr<const Packet> frame, std::size_t front, std::size_t back);

    /**
     * @param bytes what the sum is of
     * @param count how many, even, up to 65536
     * @return the sum of an Internet checksum (RFC 1071), 0xffff if they hold a right one
     */
    static uint16_t GetInternetSum(const uint8_t* bytes, std::size_t count);

    /**
     * @param bytes a frame
     * @param protocol of what IP carries
     * @return true if it begins as Ethernet and IPv4 of the fabric, with that protocol
     */
    static bool IsIpv4(const std::vector<uint8_t>& bytes, uint8_t protocol);

    /**
     * @brief The Ethernet header, 14 bytes.
     * @tparam Wire FrameWriter or FrameReader
     * @param wire where
     * @param destination of the frame
     * @param source of the frame
     * @param etherType protocol of what follows
     */
    template <typename Wire>
    static void Ethernet(Wire& wire,
                         Mac48Address& destination,
                         Mac48Address& source,
                         uint16_t& etherType)
    {
        for (Mac48Address* address : {&destination, &source})
        {
            uint8_t bytes[6];
            address->CopyTo(bytes);
            for (uint8_t& byte : bytes)
            {
                wire.Field(byte, 1);
            }
            address->CopyFrom(bytes);
        }
        wire.Field(etherType, 2);
    }

    /**
     * @brief An IPv4 address of the fabric, 4 bytes.
     * @tparam Wire FrameWriter or FrameReader
     * @tparam T type of the field
     * @param wire where
     * @param address fabric address, less than 2^24
     * @param name of the field, for the message
     */
    template <typename Wire, typename T>
    static void HostAddress(Wire& wire, T& address, const char* name)
    {
        wire.Constant(FabricAddress::NETWORK, 1);
        wire.Field(address, 3, name);
    }

    /**
     * @brief The IPv4 header, 20 bytes: no options, never fragmented, TTL 64.
     *
     * The module does not use the header of ns-3's internet module, on which it does not depend.
     * @tparam Wire FrameWriter or FrameReader
     * @tparam Item packet item, constant for a writer
     * @param wire where
     * @param item has addresses, DSCP and ECN
     * @param length this header and what follows, up to 65535
     * @param protocol of what follows
     */
    template <typename Wire, typename Item>
    static void Ipv4(Wire& wire, Item& item, uint32_t& length, uint8_t protocol)
    {
        const std::size_t start = wire.GetPosition();
        wire.Constant(VERSION_AND_LENGTH, 1);
        wire.Field(item.ds, 1);
        wire.Field(length, 2, "IP packet length");
        wire.Constant(0x4000, 4); // identification 0, don't fragment, offset 0
        wire.Constant(64, 1);     // TTL
        wire.Constant(protocol, 1);
        wire.Skip2();
        HostAddress(wire, item.src, "source address");
        HostAddress(wire, item.GetReceiver(), "destination address");
        wire.Checksum(start, 10);
    }

    /// A flag of a packet item and the bit that it is on the wire.
    struct FlagBit
    {
        uint32_t flag; //!< FabricPacketItem::FLAG_ bit, 0 for none
        uint8_t bit;   //!< of the byte
    };

    /**
     * @brief A byte of flags; reading one adds to those that the item has.
     * @tparam Wire FrameWriter or FrameReader
     * @tparam Item packet item, constant for a writer
     * @param wire where
     * @param item has the flags
     * @param flags which of them, and where
     * @param others further bits to write
     * @return the byte
     */
    template <typename Wire, typename Item>
    static uint8_t Flags(Wire& wire,
                         Item& item,
                         std::initializer_list<FlagBit> flags,
                         uint8_t others = 0)
    {
        uint8_t byte = others;
        for (const FlagBit& flag : flags)
        {
            byte |= (item.flags & flag.flag) != 0 ? flag.bit : 0;
        }
        wire.Field(byte, 1);
        if constexpr (Wire::READS)
        {
            for (const FlagBit& flag : flags)
            {
                item.flags |= (byte & flag.bit) != 0 ? flag.flag : 0;
            }
        }
        return byte;
    }

  private:
    static constexpr uint8_t VERSION_AND_LENGTH = 0x45; //!< IPv4, five words: no options
};

} // namespace ns3

#endif /* FRAME_BYTES_H */
