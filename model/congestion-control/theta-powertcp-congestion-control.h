// SPDX-License-Identifier: GPL-2.0-only
#ifndef THETA_POWERTCP_CONGESTION_CONTROL_H
#define THETA_POWERTCP_CONGESTION_CONTROL_H

#include "power-window-congestion-control.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief theta-PowerTCP (NSDI 2022): the power of the path from round-trip times alone.
 *
 * Of two ACKs that come dt apart with RTTs r' and r, the queue has grown by r - r' of time: what
 * arrived at it is (r - r') / dt + 1 of what it sent, here at least 1/2, and
 *
 *   U = ((r - r') / dt + 1) r / (RttFactor x T).
 *
 * T is the base RTT of the pair of hosts (PathInfo::pairRttPs), as in the paper; the code of the
 * authors takes the least RTT so far. RttFactor, Gamma and the bound of 1/2 are of that code. ACKs
 * that come at the same time are one measurement, the first.
 */
class ThetaPowerTcpCongestionControl : public PowerWindowCongestionControl
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    void OnAck(const AckInfo& ack) override;

  protected:
    /// @throws FabricError also if the path has no base RTT
    void DoStart() override;

  private:
    double m_rttFactor;      //!< RTT that counts as no queue, in base RTTs
    int64_t m_lastRttPs{0};  //!< r', 0: none yet
    int64_t m_lastTimePs{0}; //!< when that ACK came
};

} // namespace ns3

#endif /* THETA_POWERTCP_CONGESTION_CONTROL_H */
