// SPDX-License-Identifier: GPL-2.0-only
#ifndef PACKET_SPRAYING_H
#define PACKET_SPRAYING_H

#include "load-balancer.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Random packet spraying at the host: each packet has an entropy drawn anew.
 *
 * Draws come from the stream that the NIC has for the entropies of packets, so that they do not
 * change those of other hosts. A host with several links keeps the one of the connection: switches
 * spread packets, by whatever path selector hashes the entropy.
 *
 * Under spraying packets overtake one another by as much as queues differ: what is taken for lost
 * is sent twice, and slows down congestion controls that react to loss. Load balancers with several
 * paths therefore declare a loss rule (ListDefaults()).
 */
class RandomSprayLoadBalancer : public LoadBalancer
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    void SetRandomVariable(Ptr<UniformRandomVariable> random) override
    {
        m_random = random;
    }

    void Start(uint16_t entropy) override;
    uint16_t ChooseEntropy(int64_t nowPs, bool retransmission) override;

    uint32_t GetMaxPaths() const override
    {
        return UINT32_MAX;
    }

    bool NeedsRandomVariable() const override
    {
        return true;
    }

  protected:
    void DoDispose() override;

  private:
    Ptr<UniformRandomVariable> m_random; //!< of the NIC
};

/**
 * @ingroup dcfabric
 * @brief Round-robin packet spraying at the host: the entropy counts up from a random start, packet
 * by packet, and begins again after a number of them.
 *
 * What a switch makes of an entropy is a hash: consecutive entropies take paths as independent as
 * random ones, but each entropy is used equally often, and a small number of entropies is a fixed
 * set of at most so many paths.
 */
class RoundRobinSprayLoadBalancer : public LoadBalancer
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    void Start(uint16_t entropy) override;
    uint16_t ChooseEntropy(int64_t nowPs, bool retransmission) override;

    uint32_t GetMaxPaths() const override
    {
        return m_entropies == 65536 ? UINT32_MAX : m_entropies;
    }

  private:
    /// Number of entropies that a connection goes through (1 to 65536)
    uint32_t m_entropies{65536};
    uint32_t m_turn{0};  //!< of the next packet, below m_entropies
    uint16_t m_first{0}; //!< entropy of turn 0
};

} // namespace ns3

#endif /* PACKET_SPRAYING_H */
