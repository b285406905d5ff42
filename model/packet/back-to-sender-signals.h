// SPDX-License-Identifier: GPL-2.0-only
#ifndef BACK_TO_SENDER_SIGNALS_H
#define BACK_TO_SENDER_SIGNALS_H

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What a notification tells of the congestion ([Patent] (15)); each signal can be left out.
 */
struct BackToSenderSignals
{
    /// Bits of #present.
    enum Signal : uint8_t
    {
        QUEUE = 1,      //!< #relativeQueue
        FLOWS = 2,      //!< #activeFlows
        GRADIENT = 4,   //!< #gradientBps
        RATE = 8,       //!< #rateBps
        SENT = 16,      //!< #portSentBytes, #queueSentBytes and #timePs
        OCCUPANCY = 32, //!< #portBytes, #bufferBytes and #groupBytes
    };

    static constexpr uint8_t ALL = 63; //!< every Signal bit

    uint8_t present{0};         //!< which of the others are valid
    double relativeQueue{0};    //!< bytes of the queue over those of a full one
    uint32_t activeFlows{0};    //!< flows that send to the queue
    double gradientBps{0};      //!< growth of the queue in bit/s, negative while it shrinks
    uint64_t rateBps{0};        //!< rate of the link in bit/s
    uint64_t portSentBytes{0};  //!< frame bytes that the port has sent
    uint64_t queueSentBytes{0}; //!< those of the queue
    int64_t timePs{0};          //!< when these were read
    uint64_t portBytes{0};      //!< bytes that wait at the port
    uint64_t bufferBytes{0};    //!< bytes in the memory that all ports share
    uint64_t groupBytes{0};     //!< those of the QoS group
};

} // namespace ns3

#endif /* BACK_TO_SENDER_SIGNALS_H */
