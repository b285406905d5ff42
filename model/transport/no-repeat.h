// SPDX-License-Identifier: GPL-2.0-only
#ifndef NO_REPEAT_H
#define NO_REPEAT_H

#include "reliability-policy.h"

#include "ns3/nstime.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Datagrams: nothing is answered and nothing is sent again (UUD of Ultra Ethernet).
 *
 * A message is complete at its sender when its last packet has left, and at its receiver when all
 * of it has arrived, which is never if a packet was lost. Without answers there is no congestion
 * control either: ns3::NoCongestionControl alone goes with it.
 */
class NoRepeat : public ReliabilityPolicy
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    bool AcceptsOutOfOrder() const override;
    uint32_t GetDataFlags() const override;
    bool AwaitsAnswers() const override;
    int64_t GetLingerPs() const override;
    uint64_t OnAck(SendWindow& window, int64_t sentPs, int64_t nowPs) const override;
    uint64_t OnNack(SendWindow& window, int64_t sentPs, int64_t nowPs) const override;
    uint64_t OnDropNotice(SendWindow& window, uint64_t seq, int64_t nowPs) const override;
    void OnTimeout(SendWindow& window, int64_t nowPs) const override;

  private:
    Time m_linger; //!< time after the last packet has left in which packets may still arrive
};

} // namespace ns3

#endif /* NO_REPEAT_H */
