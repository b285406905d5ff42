// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief The headers of message matching: on data, on what refuses it, and on the request for it.
 */
#ifndef FABRIC_MESSAGE_HEADERS_H
#define FABRIC_MESSAGE_HEADERS_H

#include "fabric-packet-item.h"

#include "ns3/header.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Which message a data packet belongs to and which part of it the packet holds, 24 bytes, or
 * 32 with what only some messages need.
 *
 * With it a receiver needs no packet but this one to find the message, whatever arrived before. It
 * is the first extension header; the top bit of its first byte, which an INT header has clear,
 * tells the two apart.
 */
class FabricMatchHeader : public Header
{
  public:
    static constexpr uint32_t BYTES = 24;                           //!< serialized size
    static constexpr uint32_t EXTRA_BYTES = 8;                      //!< of #extra, unless it is 0
    static constexpr uint64_t MAX_MESSAGE_BYTES = (1ULL << 56) - 1; //!< what 7 bytes hold
    static constexpr uint32_t MAX_PDC = (1U << 24) - 1;             //!< what 3 bytes hold

    /// @return the TypeId
    static TypeId GetTypeId();

    /// @return true if extension headers begin with this one @param first their first byte
    static bool IsMatch(uint8_t first);

    // from Header
    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    /// @copydoc Header::Deserialize @return 24 or 32, or 0 if refused
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

    uint64_t offset{0};       //!< of the first payload byte within the message
    uint64_t messageBytes{0}; //!< length of the message, at most #MAX_MESSAGE_BYTES
    uint64_t extra{0};        //!< address of a write; bytes that come before the receiver asks
    uint32_t msn{0};          //!< message sequence number of the pair of hosts
    uint32_t sourcePdc{0};    //!< PDC number at the sender, at most #MAX_PDC
    uint8_t epoch{0};         //!< attempt of the message
    bool isVoid{false};       //!< the payload was given up, only the sequence number counts
};

/**
 * @ingroup dcfabric
 * @brief Which attempt of which message an RTW or RNR refuses, or an ACK says to be complete, 8
 * bytes behind the ACK extension.
 */
class FabricMessageAckHeader : public Header
{
  public:
    static constexpr uint32_t BYTES = 8; //!< serialized size

    /// @return the TypeId
    static TypeId GetTypeId();

    // from Header
    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    /// @copydoc Header::Deserialize @return 8, or 0 if refused
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

    uint32_t msn{0};   //!< message
    uint8_t epoch{0};  //!< attempt
    bool write{false}; //!< the message is a write
};

/**
 * @ingroup dcfabric
 * @brief What an RTS asks for, 16 bytes.
 */
class FabricRtsHeader : public Header
{
  public:
    static constexpr uint32_t BYTES = 16; //!< serialized size

    /// @return the TypeId
    static TypeId GetTypeId();

    // from Header
    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    /// @copydoc Header::Deserialize @return 16, or 0 if refused
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

    FabricPacketItem::RtsFields fields{}; //!< all that it says
};

} // namespace ns3

#endif /* FABRIC_MESSAGE_HEADERS_H */
