// SPDX-License-Identifier: GPL-2.0-only
#ifndef DCQCN_PLUS_CONGESTION_CONTROL_H
#define DCQCN_PLUS_CONGESTION_CONTROL_H

#include "dcqcn-congestion-control.h"

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief DCQCN+ (ICNP 2018): DCQCN for incasts of many flows, in which the period of CNPs and the
 * timers of senders follow the number of flows.
 *
 * A receiver makes at most one CNP in CnpSpacing (FabricNic::CnpSpacing), so that those of one of N
 * flows are P = max(CnpInterval, N x CnpSpacing) apart. DCQCN's timers are meant for CnpInterval:
 * with a longer period alpha decays and rates recover before the next CNP can come, all N flows do
 * so at once, and the queue stays long. Here senders know P and have all intervals, those of alpha,
 * of decreases and of increases, last P / CnpInterval times longer. So what N flows add to their
 * rates together in a given time stays what DCQCN's flows add when N is CnpInterval / CnpSpacing.
 *
 * **Ours.** The paper itself could not be read, and none of its code is public: its idea is that
 * CNPs tell their period and senders adapt. Here ACKs tell N, the number of connections that
 * receive at that host, and both sides compute P. How the paper changes the steps of increases is
 * not known; they stay DCQCN's. CnpSpacing is 5 us: up to 10 flows this is DCQCN with its 50 us.
 */
class DcqcnPlusCongestionControl : public DcqcnCongestionControl
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    std::vector<PolicyDefault> ListDefaults(const PolicyNetwork& network) const override;
    void OnAck(const AckInfo& ack) override;

    /// @return how many times longer than DCQCN's the intervals last
    double GetStretch() const
    {
        return m_stretch;
    }

  protected:
    /// @throws FabricError as DCQCN, and without CNPs
    void DoStart() override;

  private:
    Time m_spacing;      //!< of all CNPs of a receiver
    double m_stretch{1}; //!< of the intervals
};

} // namespace ns3

#endif /* DCQCN_PLUS_CONGESTION_CONTROL_H */
