// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief Marking profiles of switch ports, by the rates of their links.
 */
#ifndef PORT_MARKING_H
#define PORT_MARKING_H

#include "ns3/object-factory.h"

namespace ns3
{

class Fabric;

/**
 * @ingroup dcfabric
 * @brief The marking profile of a network.
 */
struct PortMarking
{
    ObjectFactory profile;   //!< of a MarkingProfile
    bool scaled{true};       //!< thresholds are for MarkingProfile::GetRateBps()
    bool withinBuffer{true}; //!< thresholds are at most what credits of a class let in
};

/**
 * @ingroup dcfabric
 * @param profile as a user has set it, without what policies declare
 * @return how to install it: thresholds that a user sets hold as they are, unless a rate for which
 * they are meant is set, too; all others are scaled
 */
PortMarking MakePortMarking(const ObjectFactory& profile);

/**
 * @brief Give each switch port that marks by profile one for the rate of its link.
 *
 * Thresholds (MarkingProfile::ListThresholds()) are multiplied by the rate of the link over the one
 * for which they are meant. Under credits for each class (CreditFlowControl) the first of them is
 * at most the ingress buffer of the port's link, and the others are brought down with it: beyond,
 * credits hold back hosts that send elsewhere, before there is any mark.
 * @param fabric the network, its flow control configured
 * @param marking what to install
 */
void InstallPortMarking(const Fabric& fabric, const PortMarking& marking);

} // namespace ns3

#endif /* PORT_MARKING_H */
