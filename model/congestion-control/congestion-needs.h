// SPDX-License-Identifier: GPL-2.0-only
#ifndef CONGESTION_NEEDS_H
#define CONGESTION_NEEDS_H

#include "ns3/type-id.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What an algorithm or a modifier needs around it; FabricHelper refuses an installation that
 * lacks it.
 */
struct CongestionControlNeeds
{
    /// A switch feature.
    struct Feature
    {
        const char* type; //!< TypeId name
        const char* lack; //!< what is missing without, such as `INT on ACKs, but the switches`;
                          //!< null: nothing, but its messages are read
        const char* forget{nullptr}; //!< own attribute with the time after which a message that is
                                     //!< not repeated holds no longer; null: it is not forgotten
        int64_t forgetPs{0};         //!< that time
    };

    std::vector<Feature> features; //!< of every switch
    bool dataInt{false};           //!< the INT of data packets, which ACKs bring back
    bool ackInt{false};            //!< the INT of ACKs
    bool seesMoves{false};         //!< it learns from INT that packets take another path
    bool symmetricPaths{false};    //!< data and ACK share every link
    bool ecn{false};               //!< a marking profile in the switches
    bool endpointDelay{false};     //!< ACKs tell how long they waited at the receiver
    bool pathSwitches{false};      //!< PathInfo::switches
    bool markDelay{false};         //!< PathInfo::markPs
    bool sends{false};             //!< CongestionControl::OnSend()
    uint8_t classes{0};   //!< bit mask: of data, beside those of flows, without flow control
    std::string receiver; //!< class of the ReceiverControl of every host; empty: none
    int64_t cnpIntervalPs{
        -1}; //!< least spacing of CNPs per PDC at receivers, in ps; negative: no CNPs

    /**
     * @param type TypeId name
     * @return true if a switch feature is needed
     */
    bool NeedsFeature(const std::string& type) const
    {
        return std::any_of(features.begin(), features.end(), [&type](const Feature& feature) {
            return feature.lack && feature.type == type;
        });
    }

    /**
     * @param type class of a switch feature
     * @return true if what it tells senders is of use
     */
    bool Reads(TypeId type) const;

    /**
     * @brief Need what others need as well.
     * @param others their needs; of two intervals of CNPs that which is not negative holds, of two
     * classes of receivers the one that is there
     */
    void Add(const CongestionControlNeeds& others);
};

} // namespace ns3

#endif /* CONGESTION_NEEDS_H */
