// SPDX-License-Identifier: GPL-2.0-only
#ifndef PDC_POLICY_H
#define PDC_POLICY_H

#include "ns3/prototype-factory.h"

#include <cstdint>
#include <map>
#include <vector>

namespace ns3
{

class LoadBalancer;

/**
 * @ingroup dcfabric
 * @brief What decides on window, rate and entropies of a sending PDC: types and attributes.
 */
struct PdcPolicy
{
    PrototypeFactory congestionControl; //!< of a CongestionControl
    std::vector<PrototypeFactory>
        modifiers;                 //!< of CongestionModifiers, in the order in which they act
    PrototypeFactory loadBalancer; //!< of a LoadBalancer
};

/**
 * @ingroup dcfabric
 * @brief The policies of a NIC's PDCs to come: a common one, and others for some destinations and
 * classes.
 */
class PdcPolicies
{
  public:
    static constexpr uint32_t ANY_DESTINATION = UINT32_MAX; //!< of PDCs, for Set()
    static constexpr uint8_t ANY_CLASS = 0xff;              //!< @copydoc ANY_DESTINATION

    /// A policy, and what its PDCs have in common.
    struct Installed
    {
        PdcPolicy policy;   //!< types and attributes
        Ptr<Object> shared; //!< by its load balancers, from the first PDC on; null: nothing
        /// In how many ways at most the packets of a PDC go; UINT32_MAX if there is no bound.
        uint32_t maxPaths{1};
    };

    PdcPolicies();

    /**
     * @brief Set the policy of some PDCs, or of all; the more special one holds, and that of a
     * destination before that of a class. PDCs that there are keep what they share.
     * @param policy types and attributes
     * @param dst fabric address, or ANY_DESTINATION
     * @param priority class, 0 to 7, or ANY_CLASS
     */
    void Set(const PdcPolicy& policy, uint32_t dst = ANY_DESTINATION, uint8_t priority = ANY_CLASS);

    /**
     * @param dst fabric address, or ANY_DESTINATION
     * @param priority class, 0 to 7, or ANY_CLASS
     * @return the policy of a PDC
     */
    Installed& Find(uint32_t dst = ANY_DESTINATION, uint8_t priority = ANY_CLASS);

    /// Forget what PDCs share.
    void Clear()
    {
        for (auto& [key, installed] : m_policies)
        {
            installed.shared = nullptr;
        }
        m_groups.clear();
    }

    /**
     * @brief Have what the load balancers of a policy share, made if need be.
     * @param installed the policy
     * @param balancer one of its load balancers
     * @param acksPerRtt ACKs that can reach the NIC within the largest base RTT
     * @return it; null: they share nothing
     */
    Ptr<Object> Share(Installed& installed, const LoadBalancer& balancer, uint64_t acksPerRtt);

    /// @return what the policies share, by policy; of those that have none so far null
    std::vector<Ptr<Object>> ListShared() const;

    /**
     * @param dst fabric address
     * @param priority class
     * @return one number for all PDCs to that host and of that class
     */
    static uint64_t MakeKey(uint32_t dst, uint8_t priority)
    {
        return (uint64_t{dst} << 8) | priority;
    }

  private:
    std::map<uint64_t, Installed> m_policies; //!< by destination and class
    std::map<uint32_t, Ptr<Object>> m_groups; //!< what groups of LoadBalancer::GetGroup() share
};

} // namespace ns3

#endif /* PDC_POLICY_H */
