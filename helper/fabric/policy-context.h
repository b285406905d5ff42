// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief What the policies of PDCs need of the network around them.
 */
#ifndef POLICY_CONTEXT_H
#define POLICY_CONTEXT_H

#include "declared-defaults.h"
#include "port-marking.h"

#include "ns3/congestion-control.h"
#include "ns3/object-factory.h"
#include "ns3/pdc-policy.h"
#include "ns3/switch-feature.h"
#include "ns3/type-id.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ns3
{

class Fabric;

/**
 * @ingroup dcfabric
 * @brief The policies of a network whose class other policies may declare.
 */
struct DefaultedPolicies
{
    ObjectFactory reliability;    //!< of every host
    ObjectFactory markingProfile; //!< of every port of a switch, where marks is true
    bool marks{false};            //!< there is a marking profile
    bool choseReliability{false}; //!< a user has chosen the class
    bool choseMarking{false};     //!< a user has chosen the class, or none
    bool canMark{true};           //!< queue discs mark by profile if they have one, and nothing
                                  //!< else marks
    PortMarking marking;          //!< how to install the profile; of Complete()

    /// Take what policies declare, where a user has chosen nothing. @param defaults of all
    void Complete(const DeclaredDefaults& defaults);
};

/**
 * @ingroup dcfabric
 * @brief What PDCs find around them.
 */
struct PolicyContext
{
    /// A switch feature.
    struct Feature
    {
        TypeId type;                    //!< class
        SwitchFeature::Effects effects; //!< what it does to others
    };

    std::vector<Feature> features; //!< of every switch
    ObjectFactory pathSelector;    //!< of every switch
    ObjectFactory queueDisc;       //!< of every port of a switch
    ObjectFactory reliability;     //!< of every host
    bool marks{false};             //!< switches mark by a profile
    bool lossless{false};          //!< under flow control that keeps queues from dropping
    bool trims{false};             //!< queues without room for a packet cut its payload off
    uint64_t ackEvery{1};          //!< packets of an ACK
    uint64_t ackBytes{0};          //!< bytes of an ACK; 0: as ackEvery says
    uint32_t packetBytes{0};       //!< frame of a full packet, without INT
    uint8_t classes{0};            //!< bit mask: that packets of the transport may have
    uint32_t maxSwitches{0};       //!< on the longest of the shortest paths
    PolicyNetwork network;         //!< its rates and times
    DeclaredDefaults defaults;     //!< of the policies that there are
    DefaultedPolicies given;       //!< without these
    PortMarking marking;           //!< with these, where marks is true

    /**
     * @param type class of a feature
     * @return true if the switches have one
     */
    bool Has(TypeId type) const
    {
        return HasFeature([type](const Feature& feature) {
            return feature.type == type || feature.type.IsChildOf(type);
        });
    }

    /// @return true if a feature marks packets by draws of its own, whatever profile queues have
    bool HasOwnDraws() const
    {
        return HasFeature([](const Feature& feature) {
            return feature.effects.markedClasses != 0 && !feature.effects.sharesProfile;
        });
    }

    /// @return true if a feature marks packets by draws, and not by the profile of the queues
    bool MarksByDraws() const
    {
        return HasOwnDraws() || (!marks && HasFeature([](const Feature& feature) {
                   return feature.effects.markedClasses != 0;
               }));
    }

    /**
     * @param predicate of a Feature
     * @return true if it holds for one of them
     */
    template <typename Predicate>
    bool HasFeature(Predicate predicate) const
    {
        return std::any_of(features.begin(), features.end(), predicate);
    }
};

/**
 * @param policy types and attributes
 * @return what congestion control and modifiers of a policy need
 */
CongestionControlNeeds GetPdcNeeds(const PdcPolicy& policy);

/**
 * @param policy types and attributes
 * @param network where it is to work
 * @return what it needs of others where a user has set nothing
 */
DeclaredDefaults ListPdcDefaults(const PdcPolicy& policy, const PolicyNetwork& network);

/**
 * @brief Take what policies declare that come when the network is there: reliability of all hosts
 * and marking profile of all switches, where a user has set nothing.
 * @param policy types and attributes
 * @param around of the PDCs so far
 * @return around them with the policy
 * @throws FabricError if a policy declares something else that the network does not have
 */
PolicyContext JoinPdcDefaults(const PdcPolicy& policy, const PolicyContext& around);

/**
 * @brief Give hosts and switches the reliability and marking profile that they do not have yet.
 * @param fabric the network, whose context is the former one
 * @param around from now on
 */
void InstallPdcDefaults(const Fabric& fabric, const PolicyContext& around);

/**
 * @brief Refuse a policy that cannot work.
 * @param policy types and attributes
 * @param around of the PDCs
 * @throws FabricError that names both sides and a remedy
 */
void CheckPdcPolicy(const PdcPolicy& policy, const PolicyContext& around);

/**
 * @brief Refuse a topology on which data and ACK go apart, if they must not.
 * @param policy types and attributes
 * @param fabric the network
 * @throws FabricError as above
 */
void CheckPdcPaths(const PdcPolicy& policy, const Fabric& fabric);

/**
 * @brief Warn of attributes that make no sense between the hosts that are farthest from one
 * another.
 * @param policy types and attributes
 * @param fabric the network
 */
void WarnOfPdcPolicy(const PdcPolicy& policy, const Fabric& fabric);

/**
 * @brief Tell the NIC of a sender what PDCs there need to know.
 * @param fabric the network
 * @param node the host
 * @param needs of the PDCs
 */
void ConfigureSender(const Fabric& fabric, uint32_t node, const CongestionControlNeeds& needs);

/**
 * @brief Tell the NIC of a receiver what it has to answer.
 * @param fabric the network
 * @param node the host
 * @param needs of PDCs to it
 */
void ConfigureReceiver(const Fabric& fabric, uint32_t node, const CongestionControlNeeds& needs);

} // namespace ns3

#endif /* POLICY_CONTEXT_H */
