// SPDX-License-Identifier: GPL-2.0-only
#ifndef BITMAP_SPRAY_LOAD_BALANCER_H
#define BITMAP_SPRAY_LOAD_BALANCER_H

#include "oblivious-spray-load-balancer.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Spraying over a set of entropies that skips, for some rounds, those that met congestion.
 *
 * Each entropy has a penalty, which a mark, a trim and a loss raise, up to MaxPenalty. A packet
 * takes the next entropy of the round (ObliviousSprayLoadBalancer) that has none. Those in between
 * are skipped, and the first of them loses a point: one point for a packet, so that the more
 * entropies are congested, the longer they are out of use. If all have penalties the packet
 * takes the one with which it has begun. Trims at the last hop, which all paths share, count
 * nothing.
 *
 * The rules and points are those of the consortium's simulator uet-htsim (commit 40ccb05), which
 * has fifteen points for a packet that timed out.
 */
class BitmapSprayLoadBalancer : public ObliviousSprayLoadBalancer
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    void Start(uint16_t entropy) override;
    uint16_t ChooseEntropy(int64_t nowPs, bool retransmission) override;
    void OnAck(int64_t nowPs, uint16_t entropy, bool marked) override;
    void OnTrim(int64_t nowPs, uint16_t entropy, bool lastHop) override;
    void OnLoss(int64_t nowPs, uint16_t entropy) override;

    bool NeedsLosses() const override
    {
        return m_lossPenalty > 0;
    }

    std::vector<PolicyDefault> ListDefaults(const PolicyNetwork& network) const override;

  private:
    /// Raise the penalty of an entropy.
    void Penalize(uint16_t entropy, uint32_t points);

    uint8_t m_markPenalty;            //!< points for a mark
    uint8_t m_trimPenalty;            //!< points for a trim
    uint8_t m_lossPenalty;            //!< points for a loss
    uint8_t m_maxPenalty;             //!< most points
    std::vector<uint8_t> m_penalties; //!< of each place of the set
};

} // namespace ns3

#endif /* BITMAP_SPRAY_LOAD_BALANCER_H */
