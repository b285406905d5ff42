// SPDX-License-Identifier: GPL-2.0-only
#ifndef HPCC_CONGESTION_CONTROL_H
#define HPCC_CONGESTION_CONTROL_H

#include "int-window-congestion-control.h"

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief HPCC (SIGCOMM 2019): INT on data packets, echoed by the receiver; first hop first.
 *
 * Nothing is left to this class but what it needs around it.
 */
class HpccCongestionControl : public IntWindowCongestionControl
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    CongestionControlNeeds GetNeeds() const override;
};

} // namespace ns3

#endif /* HPCC_CONGESTION_CONTROL_H */
