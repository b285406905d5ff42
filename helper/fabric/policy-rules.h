// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief Rules that say which policies of PDCs work in which network.
 */
#ifndef POLICY_RULES_H
#define POLICY_RULES_H

#include "policy-context.h"

#include "ns3/load-balancer.h"
#include "ns3/path-selector.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief A policy of PDCs and what it would find around it.
 */
struct PolicyCase
{
    /**
     * @param thePolicy types and attributes
     * @param theContext around it
     */
    PolicyCase(const PdcPolicy& thePolicy, const PolicyContext& theContext);

    const PdcPolicy& policy;      //!< of the PDCs
    const PolicyContext& around;  //!< around them
    TypeId control;               //!< class of the congestion control
    CongestionControlNeeds needs; //!< of congestion control and modifiers
    bool readsInt;                //!< INT of data or ACKs is needed
    Ptr<LoadBalancer> balancer;   //!< of the hosts
    TypeId balancerType;          //!< its class
    uint32_t maxPaths;            //!< over which the hosts send packets of a message
    Ptr<PathSelector> selector;   //!< of the switches
    TypeId selectorType;          //!< its class
};

/**
 * @brief A rule.
 * @param what a case
 * @throws FabricError if the rule refuses it
 */
using PolicyRule = void (*)(const PolicyCase& what);

/// Switch features that congestion control and modifiers need, and messages that last long enough.
void CheckFeatureRules(const PolicyCase& what);
/// Who reads INT has to see packets of one path, and not too many hops.
void CheckIntRules(const PolicyCase& what);
/// Who goes by answers needs some.
void CheckAnswerRules(const PolicyCase& what);
/// One alone moves flows to other paths.
void CheckMoveRules(const PolicyCase& what);
/// Packets that overtake one another need a receiver that takes them.
void CheckOrderRules(const PolicyCase& what);
/// Modifiers that count paths need some to count.
void CheckPathSetRules(const PolicyCase& what);
/// Who reads marks needs somebody who marks.
void CheckMarkRules(const PolicyCase& what);
/// What receivers grant nobody else may change.
void CheckReceiverRules(const PolicyCase& what);

/**
 * @param base name of the base class: ns3::CongestionControl, ns3::CongestionModifier
 * @param feature class of a switch feature
 * @return classes of that base which read what the feature tells senders, by name
 */
std::vector<TypeId> ListReaders(const std::string& base, TypeId feature);

} // namespace ns3

#endif /* POLICY_RULES_H */
