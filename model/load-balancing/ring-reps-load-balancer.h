// SPDX-License-Identifier: GPL-2.0-only
#ifndef RING_REPS_LOAD_BALANCER_H
#define RING_REPS_LOAD_BALANCER_H

#include "load-balancer.h"

#include "ns3/fabric-time.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Recycled entropies in a small ring that is frozen when a path fails: REPS as published and
 * as in the consortium's simulator uet-htsim (commit 40ccb05). RepsLoadBalancer has the rules of
 * [Patent].
 *
 * An ACK without mark writes its entropy at the head of the ring, as a valid one, over the oldest
 * one if the ring is full. A packet takes the oldest valid entropy, which is not valid then but
 * stays in the ring; without a valid one it draws one of the connection's 2^EntropyBits.
 *
 * Nothing comes back from a path that fails, so the ring holds entropies that have worked lately.
 * After a time-out the ring is therefore *frozen*: for Freezing packets go round it, whether its
 * entropies are valid or not, while ACKs are written as before. Then it is cleared, and
 * ExplorePackets packets draw. A time-out while the ring is frozen, or during these packets,
 * changes nothing. Where queues trim, a loss that nobody has told of is as sure a sign as a
 * time-out (FreezeOnLoss).
 */
class RingRepsLoadBalancer : public LoadBalancer
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    bool NeedsRandomVariable() const override
    {
        return true;
    }

    void SetRandomVariable(Ptr<UniformRandomVariable> random) override
    {
        m_random = random;
    }

    void Start(uint16_t entropy) override;
    uint16_t ChooseEntropy(int64_t nowPs, bool retransmission) override;
    void OnAck(int64_t nowPs, uint16_t entropy, bool marked) override;
    void OnLoss(int64_t nowPs, uint16_t entropy) override;
    void OnTimeout(int64_t nowPs) override;

    bool NeedsLosses() const override
    {
        return m_freezeOnLoss;
    }

    std::vector<PolicyDefault> ListDefaults(const PolicyNetwork& network) const override;

    uint32_t GetMaxPaths() const override
    {
        return m_bits == 16 ? UINT32_MAX : uint32_t{1} << m_bits;
    }

    /**
     * @param nowPs time in ps
     * @return true if the ring is frozen
     */
    bool IsFrozen(int64_t nowPs) const
    {
        return m_frozen && nowPs < m_thawPs;
    }

  protected:
    void DoDispose() override;

  private:
    /// Clear the ring if the time to be frozen is over.
    void Thaw(int64_t nowPs);
    /// @return an entropy at random
    uint16_t Draw();

    uint32_t m_capacity;                 //!< of the ring
    uint8_t m_bits;                      //!< of entropies that differ
    Time m_freezing;                     //!< how long the ring is frozen; zero: never
    uint32_t m_explorePackets;           //!< that draw afterwards
    bool m_freezeOnLoss;                 //!< also when a packet is lost
    Ptr<UniformRandomVariable> m_random; //!< of the NIC
    std::vector<uint16_t> m_ring;        //!< entropies, as many as have been written
    uint32_t m_head{0};                  //!< where the next one is written
    uint32_t m_valid{0};                 //!< valid ones, the last before the head
    uint32_t m_walk{0};                  //!< next one to be taken while frozen
    uint32_t m_explore{0};               //!< packets that draw
    uint16_t m_upper{0};                 //!< bits of entropies that do not differ
    bool m_frozen{false};                //!< until m_thawPs
    int64_t m_thawPs{0};                 //!< end of it
};

} // namespace ns3

#endif /* RING_REPS_LOAD_BALANCER_H */
