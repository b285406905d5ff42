// SPDX-License-Identifier: GPL-2.0-only
#ifndef RACK_REPEAT_H
#define RACK_REPEAT_H

#include "reliability-policy.h"

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Selective repeat by time, as RACK (RFC 8985): a packet is lost when one sent later has
 * arrived and it is later than packets that overtake one another are.
 *
 * For networks in which packets of a message take different paths: how many overtake a packet
 * tells nothing there, and a packet of which nothing more follows is found, too. How late is too
 * late ReorderingWindow says; a timer finds what no further answer would. Losses behind which
 * nothing arrives are found by a probe (TailProbe) after two SRTTs, as the RFC has it, or the
 * re-ordering window if that is longer: before, its answer would show nothing to be lost.
 */
class RackRepeat : public ReliabilityPolicy
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    bool AcceptsOutOfOrder() const override;
    bool Start(SendWindow& window, int64_t baseRttPs, bool isLossless) const override;
    uint64_t OnAck(SendWindow& window, int64_t sentPs, int64_t nowPs) const override;
    uint64_t OnNack(SendWindow& window, int64_t sentPs, int64_t nowPs) const override;
    uint64_t OnDropNotice(SendWindow& window, uint64_t seq, int64_t nowPs) const override;
    void OnTimeout(SendWindow& window, int64_t nowPs) const override;
    uint64_t OnTimer(SendWindow& window, int64_t nowPs) const override;
    int64_t GetTimerPs(SendWindow& window) const override;
    int64_t GetProbeDelayPs(const SendWindow& window,
                            int64_t smoothedPs,
                            int64_t baseRttPs) const override;

  private:
    /// Least re-ordering window in base RTTs (of the pair of hosts, or T if that is larger)
    double m_leastWindow{8};
};

} // namespace ns3

#endif /* RACK_REPEAT_H */
