// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSS_EPISODE_H
#define LOSS_EPISODE_H

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What a sender knows whose reliability policy recovers from losses by episodes
 * (SleekRepeat, IrnRepeat): where the present one ends, and what the policy has to know of the
 * sender.
 */
struct LossEpisode
{
    int64_t baseRttPs{0}; //!< as for ReliabilityPolicy::Start()
    uint64_t endSeq{0};   //!< first packet that had not been sent when it began; 0: there was none
    uint64_t examined{0}; //!< IrnRepeat: packets before it have been found lost once, if at all
    double windowPackets{0}; //!< window of the congestion control, at most one BDP, in full packets
    bool hasBacklog{false};  //!< there are packets that have never been sent
};

} // namespace ns3

#endif /* LOSS_EPISODE_H */
