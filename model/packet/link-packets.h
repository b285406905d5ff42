// SPDX-License-Identifier: GPL-2.0-only
#ifndef LINK_PACKETS_H
#define LINK_PACKETS_H

#include <array>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Fields of a PFC frame (FabricPacketType::PAUSE, IEEE 802.1Qbb): MAC control of opcode
 * 0x0101, padded to the smallest frame.
 */
struct PauseFields
{
    uint8_t classEnable;            //!< bit c: quanta[c] is valid
    std::array<uint16_t, 8> quanta; //!< pause time in units of 512 bit times, 0 resumes
};

/**
 * @ingroup dcfabric
 * @brief Fields of a credit frame (FabricPacketType::CREDIT) beside FabricPacketItem::credits: a
 * frame of the EtherType of local experiments (IEEE 802), version 1 with the totals of the classes,
 * version 2 with those of up to eight virtual queues.
 */
struct CreditFields
{
    uint8_t request;                //!< 1: the peer is asked to tell its state
    uint32_t bufferUnits;           //!< buffer of each class or queue at the frame's sender
    bool perQueue;                  //!< the credits are those of #queues, not of the classes
    std::array<uint16_t, 8> queues; //!< which virtual queue each of the credits is of
};

/**
 * @ingroup dcfabric
 * @brief What one end of a link with link-level retry says to the other.
 */
enum class RetryWord : uint8_t
{
    ACK,       //!< all frames up to a number have arrived
    NACK,      //!< likewise, and the next one is missing
    INIT,      //!< frames are numbered anew
    INIT_ECHO, //!< answer to it
    REPLAY,    //!< the frame of a number, sent again
};

/**
 * @ingroup dcfabric
 * @brief Fields of FabricPacketType::LLR. Its number is FabricPacketItem::linkNumber.
 *
 * All but REPLAY are ordered sets of 8 bytes. A REPLAY stands for the frame, whose size it has: the
 * frame itself went to the other end when it was sent first, and is kept there (RetryReceiver).
 */
struct RetryFields
{
    RetryWord word; //!< what is said
};

} // namespace ns3

#endif /* LINK_PACKETS_H */
