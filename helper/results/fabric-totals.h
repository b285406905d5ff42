// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_TOTALS_H
#define FABRIC_TOTALS_H

#include "ns3/fabric.h"

#include <cstdint>
#include <map>
#include <string>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Counters of all nodes and ports of a fabric, added up.
 */
struct FabricTotals
{
    uint64_t bytesDelivered{0};               //!< payload that arrived and was new
    uint64_t dataSent{0};                     //!< data packets, retransmissions included
    uint64_t retransmitted{0};                //!< data packets sent again
    uint64_t timeouts{0};                     //!< retransmission time-outs
    uint64_t reordered{0};                    //!< packets that arrived after a later one
    uint64_t reductions{0};                   //!< of window or rate, that took hold
    std::map<std::string, uint64_t> withheld; //!< reductions withheld, by TypeId of the modifier
    uint64_t dataHops{0};                     //!< data packets over links
    uint64_t controlHops{0};                  //!< ACKs and the like over links
    uint64_t linkFrames{0};                   //!< PFC frames over links
    uint64_t pauseFrames{0};                  //!< PFC frames sent that pause a class
    uint64_t marks{0};                        //!< ECN marks set by queue discs
    /// What switch features, modifiers and throttles of NICs count, of every class of them that
    /// there is.
    SwitchFeature::Counters features{ListFeatureCounters()};
    uint64_t rtwSent{0};          //!< requests to wait
    uint64_t rtsSent{0};          //!< requests to send
    uint64_t rnrSent{0};          //!< "receiver not ready"
    uint64_t unmatchedPackets{0}; //!< data packets that came before their receive
    uint64_t wastedBytes{0};      //!< their payload
    uint64_t matchLookups{0};     //!< of packets in match tables
    uint64_t furtherLookups{0};   //!< of those for which that was not enough
    DropCounts drops;             //!< lost packets by reason
    uint64_t lossInFabric{0};     //!< of these, by switches and NIC queues: never in a
                                  //!< lossless fabric
    uint64_t maxQueueBytes{0};    //!< longest queue of a class at a port, ever
    uint64_t maxPortBytes{0};     //!< longest queue of all classes at that port
    double meanQueueBytes{0};     //!< time average at that port, all classes
    uint32_t maxQueueNode{0};     //!< node of that port
    uint16_t maxQueuePort{0};     //!< number of that port

    /// @return data and control packets over links
    uint64_t GetPacketHops() const
    {
        return dataHops + controlHops;
    }

    /// @return all of it, for Join() in another process
    std::string Pack() const;

    /**
     * @brief Add totals of nodes that another process simulates.
     * @param bytes what Pack() gave there
     * @throws FabricError if that is something else
     */
    void Join(const std::string& bytes);

    /**
     * @param fabric the network
     * @return totals of a fabric now
     */
    static FabricTotals Collect(const Fabric& fabric);

    /**
     * @param fabric the network
     * @param nowPs the present in ps, or a time since which nothing has happened: time averages end
     * there
     * @return totals of a fabric
     */
    static FabricTotals Collect(const Fabric& fabric, int64_t nowPs);

    /// @return the counters of all classes of switch features, modifiers and throttles, each zero
    static SwitchFeature::Counters ListFeatureCounters();
};

} // namespace ns3

#endif /* FABRIC_TOTALS_H */
