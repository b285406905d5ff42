// SPDX-License-Identifier: GPL-2.0-only
#ifndef HPCC_PINT_CONGESTION_CONTROL_H
#define HPCC_PINT_CONGESTION_CONTROL_H

#include "int-window-congestion-control.h"

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief HPCC by one number for each packet instead of a record for each hop (PINT, SIGCOMM 2020).
 *
 * Switches average utilization and write that of the most loaded link (PintFeature); U is what the
 * last ACK tells, without an average at the sender. Of the ACKs only a share is looked at, as in
 * the public simulator of the paper, where the others bring no number: which, is a hash of the
 * packet's number. All else is as in HPCC; UtilizationGain has no effect.
 */
class HpccPintCongestionControl : public IntWindowCongestionControl
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    CongestionControlNeeds GetNeeds() const override;
    void OnAck(const AckInfo& ack) override;

  private:
    double m_share; //!< of the ACKs that are looked at
};

} // namespace ns3

#endif /* HPCC_PINT_CONGESTION_CONTROL_H */
