// SPDX-License-Identifier: GPL-2.0-only
#ifndef LIST_SPRAY_LOAD_BALANCER_H
#define LIST_SPRAY_LOAD_BALANCER_H

#include "load-balancer.h"

#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Packet spraying over the entropies of a list, in turn or at random ([Patent] (28),
 * (167)).
 *
 * The list is for who knows which entropies lead over which paths, such as over disjoint ones. In
 * turn, a connection begins at a random place of it. A list of up to PathInfo::MAX_PATH_SET
 * entropies is a path set.
 */
class ListSprayLoadBalancer : public LoadBalancer
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    bool NeedsRandomVariable() const override
    {
        return m_draws;
    }

    void SetRandomVariable(Ptr<UniformRandomVariable> random) override
    {
        m_random = random;
    }

    void Start(uint16_t entropy) override;
    uint16_t ChooseEntropy(int64_t nowPs, bool retransmission) override;

    uint32_t GetMaxPaths() const override;

    /**
     * @brief Set the list.
     * @param text numbers and ranges, such as `3,7,100-107`; each entropy once
     * @throws FabricError that says what is wrong
     */
    void SetEntropies(std::string text);

    /// @return the list as it was set
    std::string GetEntropies() const
    {
        return m_text;
    }

  protected:
    void DoDispose() override;

  private:
    bool m_draws{false};                 //!< draw from the list, or take them in turn
    std::string m_text;                  //!< entropies to go through: numbers and ranges
    std::vector<uint16_t> m_entropies;   //!< in order
    Ptr<UniformRandomVariable> m_random; //!< of the NIC
    uint32_t m_turn{0};                  //!< place of the next one
};

} // namespace ns3

#endif /* LIST_SPRAY_LOAD_BALANCER_H */
