// SPDX-License-Identifier: GPL-2.0-only
#ifndef NO_CONGESTION_CONTROL_H
#define NO_CONGESTION_CONTROL_H

#include "congestion-control.h"

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief No control: line rate, no window.
 */
class NoCongestionControl : public CongestionControl
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

  protected:
    void DoStart() override
    {
        // The base class starts with the line rate and without a window.
    }
};

} // namespace ns3

#endif /* NO_CONGESTION_CONTROL_H */
