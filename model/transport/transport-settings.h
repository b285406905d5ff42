// SPDX-License-Identifier: GPL-2.0-only
#ifndef TRANSPORT_SETTINGS_H
#define TRANSPORT_SETTINGS_H

#include "ack-timeout.h"
#include "reliability-policy.h"

#include "ns3/fabric-time.h"
#include "ns3/int-format.h"
#include "ns3/nstime.h"
#include "ns3/wire-format.h"

#include <cstdint>
#include <functional>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What the transport of a NIC is told: its attributes, and what who builds the network
 * knows.
 *
 * PDCs and messages read it. The attributes are those of FabricNic, which tell their units and
 * ranges; they have their values when it is constructed.
 */
struct TransportSettings
{
    uint32_t payloadBytes{0};      //!< attribute PayloadBytes
    bool pdcPerMessage{false};     //!< attribute
    uint32_t maxSendingPdcs{0};    //!< attribute
    uint32_t maxReceivingPdcs{0};  //!< attribute
    Time pdcIdleTime;              //!< attribute
    bool pdcClose{false};          //!< attribute
    Time pdcTimeout;               //!< attribute
    uint32_t ackEvery{0};          //!< attribute
    uint32_t ackBytes{0};          //!< attribute
    bool ackMarked{false};         //!< attribute
    Time ackTimeout;               //!< attribute
    double firstTimeoutRtts{0};    //!< attribute
    double leastTimeoutRtts{0};    //!< attribute
    Time cnpInterval;              //!< attribute
    Time cnpDelay;                 //!< attribute
    Time cnpSpacing;               //!< attribute
    uint64_t cnpMeterBps{0};       //!< attribute CnpMeterRate, in bit/s
    uint64_t cnpMeterBytes{0};     //!< attribute
    uint32_t maxAhead{0};          //!< attribute
    uint32_t maxHoles{0};          //!< attribute
    bool echoDelay{false};         //!< attribute
    Time baseRtt;                  //!< attribute
    uint32_t initialPsn{0};        //!< attribute
    uint8_t dataClass{0};          //!< attribute
    uint8_t controlClass{0};       //!< attribute
    uint32_t stackQueuePackets{0}; //!< attribute

    Ptr<ReliabilityPolicy> reliability{CreateObject<SelectiveRepeat>()}; //!< may be shared by NICs
    Ptr<WireFormat> wire{CreateObject<RoceV2WireFormat>()}; //!< sizes; may be shared by NICs
    Ptr<IntFormat> intFormat{CreateObject<IntFormat>()}; //!< layout of INT; may be shared by NICs
    std::function<int64_t(uint32_t)> baseRttPsTo;        //!< T by destination; empty: baseRtt
    std::function<int64_t(uint32_t)> pairRttPsTo;        //!< base RTT by destination; empty: T
    std::function<uint32_t(uint32_t)> switchesTo;        //!< on the way by destination; empty: 0
    std::function<int64_t()> markPs;                     //!< PathInfo::markPs; empty: 0
    std::function<bool(uint32_t)> isHost;                //!< by address; empty: all are
    uint64_t acksPerRtt{1};    //!< that can arrive within the largest base RTT, at least 1
    bool marksAreDraws{false}; //!< only a few packets of a long queue are marked
    bool isLossless{false};    //!< links drop nothing
    bool switchesMove{false};  //!< switches move flows to other paths
    bool trims{false};         //!< queues without room for a packet cut its payload off

    /// @return how long PDCs wait for an ACK
    AckTimeout::Settings GetAckTimeout() const
    {
        // as good as nothing is lost there, but pauses and long queues hold packets up
        const double usual = isLossless ? 200 : 25;
        return {FabricTime::ToPs(ackTimeout),
                firstTimeoutRtts,
                leastTimeoutRtts > 0 ? leastTimeoutRtts : usual};
    }

    /**
     * @param dst fabric address
     * @return T to a host in ps
     */
    int64_t GetBaseRttPs(uint32_t dst) const
    {
        return baseRttPsTo ? baseRttPsTo(dst) : FabricTime::ToPs(baseRtt);
    }

    /**
     * @param dst fabric address
     * @return base RTT to a host in ps, whatever T is
     */
    int64_t GetPairRttPs(uint32_t dst) const
    {
        return pairRttPsTo ? pairRttPsTo(dst) : GetBaseRttPs(dst);
    }
};

} // namespace ns3

#endif /* TRANSPORT_SETTINGS_H */
