// SPDX-License-Identifier: GPL-2.0-only
#ifndef SLEEK_REPEAT_H
#define SLEEK_REPEAT_H

#include "reliability-policy.h"

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Selective repeat by the count of packets out of order, as SLEEK in the public simulator of
 * Ultra Ethernet (uet-htsim, commit 40ccb05).
 *
 * When as many packets have arrived behind a missing one as the larger of LeastCount and
 * WindowFactor times the window (at most one BDP), an episode begins: all that is on its way is
 * lost. It ends when all that had been sent when it began is acknowledged; until then the count
 * shows nothing. So packets may overtake one another by more than a window before anything is sent
 * needlessly, and then much is.
 *
 * A probe (TailProbe) asks for what the count cannot show: after a base RTT and the target of
 * queueing delay if there is nothing left to send, else after three base RTTs. If its answer shows
 * a delay below the target while packets are missing, an episode begins, too, also within one: that
 * is how a packet is found whose repetition was lost.
 */
class SleekRepeat : public ReliabilityPolicy
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
    int64_t GetProbeDelayPs(const SendWindow& window,
                            int64_t smoothedPs,
                            int64_t baseRttPs) const override;
    uint64_t OnProbeAnswer(SendWindow& window, int64_t sentPs, int64_t nowPs) const override;

  private:
    /**
     * @brief Begin an episode.
     * @param window of the sender
     * @return packets newly found lost
     */
    static uint64_t Recover(SendWindow& window);

    uint32_t m_leastCount{5};   //!< packets out of order
    double m_windowFactor{1.5}; //!< windows out of order
    double m_targetRtts{1};     //!< target of queueing delay in base RTTs
    double m_idleRtts{3};       //!< base RTTs without an answer
};

} // namespace ns3

#endif /* SLEEK_REPEAT_H */
