// SPDX-License-Identifier: GPL-2.0-only
#ifndef OBLIVIOUS_SPRAY_LOAD_BALANCER_H
#define OBLIVIOUS_SPRAY_LOAD_BALANCER_H

#include "load-balancer.h"

#include "ns3/random-variable-stream.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Spraying over a set of entropies of a connection, each once in a round, in an order that
 * is drawn anew for each round; feedback makes no difference.
 *
 * The set has 2^EntropyBits entropies, which share the upper bits that the NIC draws for the
 * connection. The order of a round is counting up, exclusive-or with a number drawn for it. That is
 * how the consortium's simulator uet-htsim (commit 40ccb05) sprays over the entropy values of
 * Ultra Ethernet; classes below skip some of them.
 */
class ObliviousSprayLoadBalancer : public LoadBalancer
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

    uint16_t ChooseEntropy(int64_t /* nowPs */, bool /* retransmission */) override
    {
        return ToEntropy(Take());
    }

    uint32_t GetMaxPaths() const override
    {
        return m_bits == 16 ? UINT32_MAX : GetNEntropies();
    }

    /// @return entropies of the set
    uint32_t GetNEntropies() const
    {
        return uint32_t{1} << m_bits;
    }

  protected:
    /// @return the next place of the round in the set, from 0
    uint32_t Peek() const
    {
        return m_turn ^ m_order;
    }

    /// @return Peek(), which is behind us then
    uint32_t Take();

    /**
     * @param place in the set
     * @return its entropy
     */
    uint16_t ToEntropy(uint32_t place) const
    {
        return static_cast<uint16_t>(m_upper | place);
    }

    /**
     * @param entropy of the connection
     * @return its place in the set
     */
    uint32_t ToPlace(uint16_t entropy) const
    {
        return entropy & (GetNEntropies() - 1);
    }

    /// @return order of the next round, below GetNEntropies(); a test may say which
    virtual uint32_t DrawOrder();

    void DoDispose() override;

  private:
    Ptr<UniformRandomVariable> m_random; //!< of the NIC
    uint8_t m_bits{6};                   //!< of the set's entropies that differ
    uint16_t m_upper{0};                 //!< the others
    uint32_t m_turn{0};                  //!< of the round
    uint32_t m_order{0};                 //!< of the round
};

} // namespace ns3

#endif /* OBLIVIOUS_SPRAY_LOAD_BALANCER_H */
