// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief What congestion controls and their modifiers are told.
 */
#ifndef CONGESTION_INFO_H
#define CONGESTION_INFO_H

#include "ns3/int-format.h"
#include "ns3/ptr.h"

#include <cstdint>

namespace ns3
{

class FabricPacketItem;

/**
 * @ingroup dcfabric
 * @brief What a congestion control knows about its connection from the start.
 */
struct PathInfo
{
    /// Most paths of which congestion control keeps a state for each.
    static constexpr uint32_t MAX_PATH_SET = 256;

    uint64_t lineRateBps{0}; //!< rate of the sender's link in bit/s
    /// T in ps: the base RTT that controls count with. By default that of the farthest pair of the
    /// network, the same for all connections.
    int64_t baseRttPs{0};
    /// Base RTT of this pair of hosts in ps, whatever T is: what an RTT is to be compared with.
    int64_t pairRttPs{0};
    uint64_t bdpBytes{0};     //!< lineRateBps x baseRttPs, in bytes
    uint32_t payloadBytes{0}; //!< payload of a full packet
    uint32_t packetBytes{0};  //!< frame of a full packet, without INT
    Ptr<IntFormat> intFormat; //!< how INT records are to be read
    uint32_t switches{0};     //!< switches on a shortest way; only for who needs it
    /// Time in ps that the shortest queue takes to drain of which a switch may mark a packet; 0:
    /// none marks by profile, or nobody needs it.
    int64_t markPs{0};
    /// The congestion control lives on marks, and every packet that meets a long queue is marked.
    bool marksTell{true};
    /// A gap in what is acknowledged tells of a loss; false: rather of packets that others
    /// overtook.
    bool gapsTell{true};
    bool trims{false};    //!< queues without room for a packet cut its payload off
    bool lossless{false}; //!< flow control stops classes: packets are to keep theirs
    uint32_t paths{1};    //!< on which the load balancer spreads packets; UINT32_MAX: any number
};

/**
 * @ingroup dcfabric
 * @brief What one acknowledgement tells. Valid only during the call it is passed to.
 */
struct AckInfo
{
    int64_t nowPs{0};         //!< time of arrival
    int64_t rttPs{0};         //!< round-trip time of the packet that triggered the ACK
    uint64_t ackedPayload{0}; //!< payload bytes that this ACK newly acknowledges (also selectively)
    uint64_t cumulativeBytes{0}; //!< payload bytes acknowledged in order since the PDC began
    uint64_t sentBytes{0};       //!< payload bytes sent for the first time: snd_nxt
    uint64_t inFlightBytes{0};   //!< payload bytes sent and not yet acknowledged, after this ACK
    uint32_t coveredPackets{0};  //!< data packets answered
    uint32_t markedPackets{0};   //!< of these, marked
    uint16_t activeFlows{0};     //!< N of [FNCC]
    bool triggerMarked{false};   //!< the triggering packet was marked
    bool rerouted{false};        //!< it took a path that the connection has left since
    /// So many 128ths of what it acknowledges are to leave the window, because the receiver cannot
    /// keep up; those of this module always can.
    uint8_t windowPenalty{0};
    const FabricPacketItem* item{nullptr}; //!< the ACK itself: INT records and the rest
};

/**
 * @ingroup dcfabric
 * @brief What a NACK of a packet without its payload tells. Valid only during the call it is passed
 * to.
 */
struct TrimInfo
{
    int64_t nowPs{0};          //!< time of arrival
    int64_t rttPs{0};          //!< round-trip time of the packet and its NACK; 0: it was a copy
    uint64_t lostBytes{0};     //!< payload bytes that will be sent again; 0: it was known
    uint64_t inFlightBytes{0}; //!< payload bytes sent and not yet acknowledged, without those
    bool lastHop{false};       //!< the port to the receiver had no room
};

/**
 * @ingroup dcfabric
 * @brief What the queue of a switch tells the source of a packet ([Patent] (10) to (16)). Valid
 * only during the call it is passed to.
 */
struct BtsNotice
{
    int64_t nowPs{0};      //!< time of arrival
    bool dropped{false};   //!< the packet was dropped
    bool repeated{false};  //!< the packet had been marked before, by a queue that told so then
    bool rerouted{false};  //!< the packet took a path that the connection has left since
    uint64_t lostBytes{0}; //!< payload bytes that will be sent again because of it
    uint64_t sentBytes{0}; //!< payload bytes sent for the first time: snd_nxt
    const FabricPacketItem* item{nullptr}; //!< the notification itself: signals
};

} // namespace ns3

#endif /* CONGESTION_INFO_H */
