// SPDX-License-Identifier: GPL-2.0-only
#ifndef CHANNEL_CLASSES_H
#define CHANNEL_CLASSES_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Who needs virtual channels, for AssignChannelClasses().
 */
struct ChannelNeeds
{
    uint8_t nChannels{1};    //!< of each class of senders, at least 1
    uint8_t dataClass{3};    //!< of data
    uint8_t controlClass{6}; //!< of control packets; may be the same
    uint8_t otherClasses{0}; //!< bit mask: further classes of senders, under flow control
    uint8_t takenClasses{0}; //!< bit mask: classes that cannot be channels
    std::string data;        //!< chosen classes of data, as a comma list; empty: free ones
    std::string control;     //!< likewise of control packets
    std::string routing;     //!< what needs them, for errors
};

/**
 * @ingroup dcfabric
 * @brief Give each class of senders the classes of its virtual channels.
 *
 * Free ones nearest below for data and nearest above for all others, then on the other side, so
 * that the order of classes remains where it can.
 * @param needs who needs how many
 * @return for each class of senders a list, itself first
 * @throws FabricError if there are not enough classes, or a list is wrong
 */
std::vector<std::vector<uint8_t>> AssignChannelClasses(const ChannelNeeds& needs);

} // namespace ns3

#endif /* CHANNEL_CLASSES_H */
