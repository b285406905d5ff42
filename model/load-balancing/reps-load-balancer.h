// SPDX-License-Identifier: GPL-2.0-only
#ifndef REPS_LOAD_BALANCER_H
#define REPS_LOAD_BALANCER_H

#include "entropy-store.h"
#include "load-balancer.h"

#include "ns3/nstime.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Recycled entropy packet spraying, REPS (paragraphs 25 to 40 of [Patent]): an entropy that
 * was acknowledged without mark is used once more, the oldest first.
 *
 * A packet takes the oldest valid entropy of the store; if there is none, a fresh one is made, by a
 * balancer of its own (Fresh), which hears of all feedback: with BitmapSprayLoadBalancer this is
 * the mixed balancer of uet-htsim. So do packets sent again, also after a time-out: while a path is
 * dead, what was lost on it would else be lost again as often as fresh entropies lead there. As
 * each ACK without mark brings one entropy back, as many packets are under way on a path as it
 * carries without marks; a path that marks or loses them drains by itself.
 *
 * Where an ACK covers several packets (FabricNic::AckEvery), the entropy of the one that triggered
 * it comes back, and the others are lost to the store.
 *
 * Recurrent connections have one queue for all PDCs to a host and in a class, at a time or one
 * after the other; its entropies do not expire. Otherwise each PDC has one, which goes with it, and
 * entropies expire.
 */
class RepsLoadBalancer : public LoadBalancer
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

    Ptr<Object> MakeShared(uint64_t acksPerRtt) const override;

    uint32_t GetGroup() const override
    {
        return m_group;
    }

    /// @copydoc LoadBalancer::Join @throws FabricError if its group has a store of another class
    void Join(Ptr<Object> shared, uint64_t connection) override;
    void Start(uint16_t entropy) override;
    uint16_t ChooseEntropy(int64_t nowPs, bool retransmission) override;
    void OnAck(int64_t nowPs, uint16_t entropy, bool marked) override;
    bool NeedsLosses() const override;
    void OnTrim(int64_t nowPs, uint16_t entropy, bool lastHop) override;
    void OnLoss(int64_t nowPs, uint16_t entropy) override;
    void OnTimeout(int64_t nowPs) override;

    std::vector<PolicyDefault> ListDefaults(const PolicyNetwork& network) const override;

    uint32_t GetMaxPaths() const override
    {
        return UINT32_MAX;
    }

    /// @return true if connections come back
    bool IsRecurrent() const
    {
        return m_recurrent;
    }

    /// @return class of the store
    TypeId GetStoreType() const
    {
        return m_storeType;
    }

    /// @return class of what makes fresh entropies
    TypeId GetFreshType() const
    {
        return m_freshType;
    }

  protected:
    void DoDispose() override;

  private:
    /**
     * @brief Set m_storeType.
     * @throws FabricError for another class
     */
    void SetStoreType(TypeId type);
    /**
     * @brief Set m_freshType.
     * @param type a LoadBalancer, but not this one
     * @throws FabricError for another class
     */
    void SetFreshType(TypeId type);

    TypeId m_storeType;      //!< class of the store of entropies
    TypeId m_freshType;      //!< class of what makes an entropy when none is stored
    Time m_expiry;           //!< how long entropies are valid after their ACK
    bool m_recurrent{false}; //!< entropies do not expire, the next PDC of the pair takes them over
    uint32_t m_group{0}; //!< connections of a NIC whose policies name the same group share a store
    Ptr<UniformRandomVariable> m_random; //!< of the NIC
    Ptr<LoadBalancer> m_fresh;           //!< makes entropies
    Ptr<EntropyStore> m_store;           //!< of the NIC
    uint32_t m_fifo{0};                  //!< queue in the store
};

} // namespace ns3

#endif /* REPS_LOAD_BALANCER_H */
