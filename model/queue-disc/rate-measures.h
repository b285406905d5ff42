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
 * @brief How fast the queue grows, in Mb/s; 0 while it shrinks.
 *
 * Read at each packet that arrives or leaves, over intervals of at least Interval.
 */
class QueueGradientMeasure : public CongestionMeasure
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    QueueGradientMeasure();
    Ptr<CongestionMeasure> Fork() const override;
    uint64_t GetLevel(const QueueView& queue, const QueueDiscItem& item) override;
    void OnArrival(const QueueView& queue, const QueueDiscItem& item) override;
    void OnDeparture(const QueueView& queue, const QueueDiscItem& item) override;

  private:
    /// @brief Set Interval. @param interval above zero
    void SetInterval(Time interval);
    /// @return Interval
    Time GetInterval() const;

    Time m_interval;    //!< attribute
    QueueSlope m_slope; //!< of the bytes that wait
};

/**
 * @ingroup dcfabric
 * @brief Bytes that the class, or the whole port, transmits, as a rate in Mb/s over intervals of at
 * least Interval.
 */
class TransmittedBytesMeasure : public CongestionMeasure
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    TransmittedBytesMeasure();
    Ptr<CongestionMeasure> Fork() const override;
    uint64_t GetLevel(const QueueView& queue, const QueueDiscItem& item) override;
    void OnArrival(const QueueView& queue, const QueueDiscItem& item) override;
    void OnDeparture(const QueueView& queue, const QueueDiscItem& item) override;

  private:
    /// @brief Set Interval. @param interval above zero
    void SetInterval(Time interval);
    /// @return Interval
    Time GetInterval() const;

    Time m_interval;      //!< attribute
    bool m_ofPort{false}; //!< attribute
    QueueSlope m_slope;   //!< of the bytes that have left
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
    /// @brief Set Window. @param window above zero
    void SetWindow(Time window);
    /// @return Window
    Time GetWindow() const;

    Time m_window;       //!< attribute
    FlowCounter m_flows; //!< of the queue
};

} // namespace ns3

#endif /* RATE_MEASURES_H */
