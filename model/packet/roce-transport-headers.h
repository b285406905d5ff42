// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief The InfiniBand transport headers that RoCEv2 carries: BTH, RETH and AETH.
 */
#ifndef ROCE_TRANSPORT_HEADERS_H
#define ROCE_TRANSPORT_HEADERS_H

#include "ns3/header.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Base transport header, 12 bytes (InfiniBand Architecture Specification, volume 1, 9.2).
 *
 * Two uses of bits that the specification reserves: the lowest bit of the six behind FECN and BECN
 * says that the packet opens its PDC (SYN), and the seven in front of the sequence number give the
 * length of the extension headers in units of four bytes.
 */
class RoceBthHeader : public Header
{
  public:
    /// Operation codes of the reliable connection service and of the RoCEv2 CNP; from 0xc0 on those
    /// that InfiniBand leaves to manufacturers.
    enum Opcode : uint8_t
    {
        SEND_FIRST = 0x00,
        SEND_MIDDLE = 0x01,
        SEND_LAST = 0x02,
        SEND_ONLY = 0x04,
        WRITE_FIRST = 0x06,
        WRITE_MIDDLE = 0x07,
        WRITE_LAST = 0x08,
        WRITE_ONLY = 0x0a,
        ACKNOWLEDGE = 0x11,
        CNP = 0x81,
        REQUEST_TO_WAIT = 0xc1,
        REQUEST_TO_SEND = 0xc2,
        RECEIVER_NOT_READY = 0xc3,
        BACK_TO_SENDER = 0xc4,
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    // from Header
    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    /// @copydoc Header::Deserialize @return 12, or 0 if refused
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

    /// @return true if the opcode starts a message
    bool IsFirst() const;
    /// @return true if the opcode ends a message
    bool IsLast() const;
    /// @return true if the opcode is one of RDMA WRITE
    bool IsWrite() const;
    /// @return true if the opcode carries payload of a message
    bool IsData() const;
    /// @return true if the opcode is one that the fabric sends
    bool IsKnown() const;

    uint32_t destinationPdc{0}; //!< destination queue pair, 24 bits
    uint32_t psn{0};            //!< packet sequence number, 24 bits
    uint16_t extensionBytes{0}; //!< extension headers, a multiple of 4 up to 508
    uint8_t opcode{SEND_FIRST}; //!< Opcode
    bool becn{false};           //!< backward congestion notification, set in a CNP
    bool syn{false};            //!< the packet opens its PDC
    bool ackRequest{false};     //!< the responder shall acknowledge at once
};

/**
 * @ingroup dcfabric
 * @brief RDMA extended transport header, 16 bytes: on the first packet of a WRITE.
 *
 * The fabric has no registered memory, so the remote key carries the upper half of the message
 * length: the length field alone ends at 4 GiB.
 */
class RoceRethHeader : public Header
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    // from Header
    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    /// @copydoc Header::Deserialize @return 16, or 0 if refused
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

    uint64_t offset{0};       //!< virtual address: where in the target buffer the packet goes
    uint64_t messageBytes{0}; //!< remote key (upper 32 bits) and DMA length (lower 32 bits)
};

/**
 * @ingroup dcfabric
 * @brief ACK extended transport header, 4 bytes: on every ACK and NAK.
 */
class RoceAethHeader : public Header
{
  public:
    /// Values of #syndrome.
    enum Syndrome : uint8_t
    {
        ACK = 0x1f,              //!< acknowledged, no end-to-end credits
        NAK_OUT_OF_ORDER = 0x60, //!< sequence error
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    // from Header
    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    /// @copydoc Header::Deserialize @return 4, or 0 if refused
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

    uint32_t msn{0};       //!< 24 bits; RoCE: messages completed; here ns that the ACK waited
    uint8_t syndrome{ACK}; //!< Syndrome
};

} // namespace ns3

#endif /* ROCE_TRANSPORT_HEADERS_H */
