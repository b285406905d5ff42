// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief Measures of congestion that remember: gradient, bytes transmitted, active flows.
 */
#ifndef RATE_MEASURES_H
#define RATE_MEASURES_H

#include "congestion-measure.h"
#include "flow-counter.h"
#include "queue-slope.h"

#include "ns3/nstime.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief How fast a number of bytes grows, in Mb/s, read at each packet that arrives or leaves over
 * intervals of at least Interval; 0 while it shrinks.
 */
class SlopeMeasure : public CongestionMeasure
{
  public:
    uint64_t GetLevel(const QueueView& queue, const QueueDiscItem& item) override;
    void OnArrival(const QueueView& queue, const QueueDiscItem& item) override;
    void OnDeparture(const QueueView& queue, const QueueDiscItem& item) override;

  protected:
    SlopeMeasure();

    /**
     * @brief Set Interval and forget what was seen.
     * @param interval above zero
     */
    void SetInterval(Time interval);
    /// @return Interval
    Time GetInterval() const;

  private:
    /// @return the bytes whose growth is measured
    virtual uint64_t GetBytes(const QueueView& queue) const = 0;

    Time m_interval;    //!< attribute of derived classes
    QueueSlope m_slope; //!< of the bytes
};

/**
 * @ingroup dcfabric
 * @brief How fast the queue grows, in Mb/s; 0 while it shrinks.
 */
class QueueGradientMeasure : public SlopeMeasure
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    Ptr<CongestionMeasure> Fork() const override;

  private:
    uint64_t GetBytes(const QueueView& queue) const override;
};

/**
 * @ingroup dcfabric
 * @brief Bytes that the class, or the whole port, transmits, as a rate in Mb/s.
 */
class TransmittedBytesMeasure : public SlopeMeasure
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    Ptr<CongestionMeasure> Fork() const override;

  private:
    uint64_t GetBytes(const QueueView& queue) const override;

    /// Count what all classes of the port transmit, instead of the class alone
    bool m_ofPort{false};
};

/**
 * @ingroup dcfabric
 * @brief Flows that have sent a packet to the queue within Window.
 *
 * In a fabric a flow is a PDC, whatever paths it takes; elsewhere it is what has one
 * QueueDiscItem::Hash().
 */
class ActiveFlowsMeasure : public CongestionMeasure
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    ActiveFlowsMeasure();
    Ptr<CongestionMeasure> Fork() const override;
    uint64_t GetLevel(const QueueView& queue, const QueueDiscItem& item) override;
    void OnArrival(const QueueView& queue, const QueueDiscItem& item) override;
    bool ScalesWithRate() const override;

  private:
    /// Set Window, above zero.
    void SetWindow(Time window);
    /// @return Window
    Time GetWindow() const;

    Time m_window;       //!< for how long a packet makes its flow an active one
    FlowCounter m_flows; //!< of the queue
};

} // namespace ns3

#endif /* RATE_MEASURES_H */
