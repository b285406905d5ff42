// SPDX-License-Identifier: GPL-2.0-only
#ifndef MEDIAN_FILTER_MODIFIER_H
#define MEDIAN_FILTER_MODIFIER_H

#include "congestion-modifier.h"
#include "median-window.h"
#include "signal-filter.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Tells the congestion control the median of the last signals of the connection instead of
 * the last one ([Median]).
 *
 * Where packets are spread over paths, a signal of one that is hot stands for that path only: fewer
 * than half of the last Signals ones never pass. A control that is told a median has no reason to
 * cut, whereas a gate withholds a cut that it wanted.
 *
 * Of each ACK it keeps the RTT without the time that the ACK waited at the receiver, the part of
 * the packets that were marked (not of an ACK that answers none), and whether the packet was marked
 * that triggered it; and U of controls that measure it from INT. A CNP stands for a mark that is
 * the newest: it passes if the median with it is a mark. Modifiers are told all as it came, and
 * what losses, time-outs, trims and notifications of queues tell is no signal to filter.
 */
class MedianFilterModifier : public CongestionModifier, public SignalFilter
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @copydoc CongestionModifier::Start It cannot if Signals is even.
    void Start(const PathInfo& path) override;

    SignalFilter* GetSignalFilter() override
    {
        return this;
    }

    void FilterAck(AckInfo& told) override;
    bool PassesCnp() override;
    double FilterUtilization(double utilization) override;

  private:
    uint32_t m_signals;         //!< over which the median is taken, odd
    MedianWindow m_delay;       //!< RTTs in ps, without the wait at the receiver
    MedianWindow m_markedPart;  //!< parts of packets that were marked
    MedianWindow m_trigger;     //!< 1: the packet that triggered an ACK was marked
    MedianWindow m_utilization; //!< U
};

} // namespace ns3

#endif /* MEDIAN_FILTER_MODIFIER_H */
