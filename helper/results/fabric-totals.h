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
    /// Those of SummaryMembers, by name; see Get().
    std::map<std::string, uint64_t> counters{ListCounters()};
    uint64_t bytesDelivered{0};               //!< payload that arrived and was new
    uint64_t dataSent{0};                     //!< data packets, retransmissions included
    uint64_t retransmitted{0};                //!< data packets sent again
    std::map<std::string, uint64_t> withheld; //!< reductions withheld, by TypeId of the modifier
    /// What switch features, modifiers and throttles of NICs count, of every class of them that
    /// there is; none before Collect(), because to make one of each takes as long as all else that
    /// a program does to say its version.
    SwitchFeature::Counters features;
    DropCounts drops;          //!< lost packets by reason
    uint64_t lossInFabric{0};  //!< of these, by switches and NIC queues: never in a
                               //!< lossless fabric
    uint64_t maxQueueBytes{0}; //!< longest queue of a class at a port, ever
    uint64_t maxPortBytes{0};  //!< longest queue of all classes at that port
    double meanQueueBytes{0};  //!< time average at that port, all classes
    uint32_t maxQueueNode{0};  //!< node of that port
    uint16_t maxQueuePort{0};  //!< number of that port

    /**
     * @param name of a counter in summary.json, none of a feature
     * @return it
     * @throws FabricError if there is none of that name
     */
    uint64_t Get(const std::string& name) const;

    /// @return data and control packets over links
    uint64_t GetPacketHops() const
    {
        return Get("data_packet_hops") + Get("control_packet_hops");
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

    /// @return the counters of SummaryMembers, each zero
    static std::map<std::string, uint64_t> ListCounters();

    /// @return the counters of all classes of switch features, modifiers and throttles, each zero
    static SwitchFeature::Counters ListFeatureCounters();
};

} // namespace ns3

#endif /* FABRIC_TOTALS_H */
