// SPDX-License-Identifier: GPL-2.0-only
#ifndef SIGNAL_FILTER_H
#define SIGNAL_FILTER_H

#include "congestion-info.h"

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Changes what a congestion control is told, rather than what it makes of it.
 *
 * A modifier that is one as well (CongestionModifier::GetSignalFilter()) stands between what comes
 * from the network and the algorithm. Losses and time-outs are told as they are.
 */
class SignalFilter
{
  public:
    virtual ~SignalFilter() = default;

    /**
     * @brief Change what the algorithm is told of an acknowledgement; called once for each, after
     * all modifiers were told what came.
     * @param told changed; first it is what came, or what the filter before made of it
     */
    virtual void FilterAck(AckInfo& told) = 0;

    /**
     * @brief A CNP arrived.
     * @return true if the algorithm is to be told
     */
    virtual bool PassesCnp() = 0;

    /**
     * @brief The algorithm has measured how much the most loaded link of a path is used (U of
     * HPCC); called at most once for an ACK.
     * @param utilization 1: the link is full and its queue empty
     * @return what the algorithm is to count with
     */
    virtual double FilterUtilization(double utilization) = 0;
};

} // namespace ns3

#endif /* SIGNAL_FILTER_H */
