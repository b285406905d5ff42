// SPDX-License-Identifier: GPL-2.0-only
#ifndef PDC_POLICY_HELPER_H
#define PDC_POLICY_HELPER_H

#include "checked-factory.h"
#include "fabric.h"

#include "ns3/node-container.h"
#include "ns3/pdc-policy.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Installs congestion control, load balancing and modifiers on some hosts of a network, or
 * on some of their PDCs.
 *
 *     PdcPolicyHelper swift;
 *     swift.SetCongestionControl("ns3::SwiftCongestionControl");
 *     swift.SetLoadBalancer("ns3::RepsLoadBalancer");
 *     swift.AddModifier("ns3::RatioCutModifier");
 *     swift.Install(fabric, hosts);            // all PDCs that begin there from now on
 *     swift.Install(fabric, hosts, receivers); // those to some hosts
 *
 * What the policies declare of others (PolicyDefault), such as the reliability under spraying,
 * holds for the whole network from then on, where a user has set nothing.
 *
 * All others keep what FabricHelper installed. Of several policies the more special one holds, that
 * of a destination before that of a class, and of two for the same PDCs the later one. PDCs that
 * exist keep theirs. Random draws are those of the NIC (FabricHelper::AssignStreams()).
 */
class PdcPolicyHelper
{
  public:
    /// No congestion control, one path for each PDC, no modifiers.
    PdcPolicyHelper();
    /**
     * @brief Begin with a policy.
     * @param policy types and attributes
     */
    explicit PdcPolicyHelper(PdcPolicy policy);

    /**
     * @brief Set the congestion control.
     * @param type TypeId name
     * @param args attribute names and values
     * @throws FabricError for an unknown type or attribute, or an invalid value
     */
    template <typename... Args>
    void SetCongestionControl(const std::string& type, Args&&... args)
    {
        m_policy.congestionControl = MakeCheckedFactory("congestion control",
                                                        "ns3::CongestionControl",
                                                        type,
                                                        std::forward<Args>(args)...);
    }

    /**
     * @brief Append a modifier; they act in the order of addition.
     * @param type TypeId name
     * @param args attribute names and values
     * @throws FabricError as above
     */
    template <typename... Args>
    void AddModifier(const std::string& type, Args&&... args)
    {
        m_policy.modifiers.push_back(MakeCheckedFactory("modifier",
                                                        "ns3::CongestionModifier",
                                                        type,
                                                        std::forward<Args>(args)...));
    }

    /**
     * @brief Set the load balancer.
     * @param type TypeId name
     * @param args attribute names and values
     * @throws FabricError as above
     */
    template <typename... Args>
    void SetLoadBalancer(const std::string& type, Args&&... args)
    {
        m_policy.loadBalancer = MakeCheckedFactory("load balancer",
                                                   "ns3::LoadBalancer",
                                                   type,
                                                   std::forward<Args>(args)...);
    }

    /// @return types and attributes
    const PdcPolicy& Get() const
    {
        return m_policy;
    }

    /**
     * @brief Install on PDCs to come; on all of them or, if refused, on none.
     * @param fabric the network
     * @param senders hosts of it
     * @param priority class of the PDCs, 0 to 7, or PdcPolicies::ANY_CLASS
     * @throws FabricError if a node is no host of the network, or the policy cannot work there
     */
    void Install(Ptr<Fabric> fabric,
                 const NodeContainer& senders,
                 uint8_t priority = PdcPolicies::ANY_CLASS) const;

    /**
     * @brief Install on PDCs to some hosts.
     * @param fabric,senders,priority as above
     * @param receivers hosts of the network
     * @throws FabricError as above
     */
    void Install(Ptr<Fabric> fabric,
                 const NodeContainer& senders,
                 const NodeContainer& receivers,
                 uint8_t priority = PdcPolicies::ANY_CLASS) const;

  private:
    /**
     * @brief Install.
     * @param fabric,senders,priority as above
     * @param destinations addresses, or PdcPolicies::ANY_DESTINATION alone
     */
    void InstallFor(const Ptr<Fabric>& fabric,
                    const NodeContainer& senders,
                    const std::vector<uint32_t>& destinations,
                    uint8_t priority) const;

    PdcPolicy m_policy; //!< types and attributes
};

} // namespace ns3

#endif /* PDC_POLICY_HELPER_H */
