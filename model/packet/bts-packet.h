// SPDX-License-Identifier: GPL-2.0-only
#ifndef BTS_PACKET_H
#define BTS_PACKET_H

#include "back-to-sender-signals.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Fields of a notification back to a sender (FabricPacketType::BTS): FabricPacketItem::pdc
 * is the flow's at its source, psn that of the packet, src the switch. An INT record may come with
 * it.
 *
 * Signals that #signals does not name are zero and take no bytes.
 */
struct BtsFields
{
    uint8_t signals;         //!< BackToSenderSignals::Signal bits
    uint8_t priority : 3;    //!< class of the packet
    uint8_t dropped : 1;     //!< the packet was dropped
    uint8_t marked : 1;      //!< ECN bit of the packet as it was before, or inverted
    uint8_t inverted : 1;    //!< #marked is inverted
    uint16_t port;           //!< egress port of the switch; NO_PORT: none was left
    uint16_t relativeQueue;  //!< queue over a full one, in 1/1024, the largest if more
    uint16_t activeFlows;    //!< of the queue, the largest if more
    int32_t gradientMbps;    //!< growth of the queue
    uint32_t rateMbps;       //!< of the link
    uint32_t portSentBytes;  //!< modulo 2^32
    uint32_t queueSentBytes; //!< modulo 2^32
    uint32_t timeNs;         //!< when these were read, modulo 2^32
    uint32_t portBytes;      //!< waiting at the port, the largest if more
    uint32_t bufferBytes;    //!< in the memory of the switch, likewise
    uint32_t groupBytes;     //!< of the QoS group, likewise
};

} // namespace ns3

#endif /* BTS_PACKET_H */
