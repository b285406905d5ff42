// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief What a queue's congestion is measured by, and the measures that need no memory.
 */
#ifndef CONGESTION_MEASURE_H
#define CONGESTION_MEASURE_H

#include "queue-view.h"

#include "ns3/object.h"
#include "ns3/queue-item.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief A number that tells how congested a queue is ([Patent] (13), (15)).
 *
 * One instance serves one class of one queue disc, and may remember what it sees; Fork() makes the
 * instances from the one that a user configures. A measure of one's own is a class with a TypeId
 * and these functions.
 */
class CongestionMeasure : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @return a measure with the same settings that has seen nothing yet
    virtual Ptr<CongestionMeasure> Fork() const = 0;

    /**
     * @param queue the queue: on arrival what the packet finds, on departure what it leaves behind
     * @param item the packet
     * @return the measure, in the unit that its class names
     */
    virtual uint64_t GetLevel(const QueueView& queue, const QueueDiscItem& item) = 0;

    /**
     * @brief A packet arrives; called before GetLevel().
     * @param queue the queue without the packet
     * @param item the packet
     */
    virtual void OnArrival(const QueueView& queue, const QueueDiscItem& item);

    /**
     * @brief A packet has left; called before GetLevel().
     * @param queue the queue without the packet
     * @param item the packet
     */
    virtual void OnDeparture(const QueueView& queue, const QueueDiscItem& item);

    /// @return true if the measure grows with the rate of the link at the same congestion, as bytes
    /// do, so that BackToSenderNotifier::ReferenceRate applies
    virtual bool ScalesWithRate() const
    {
        return true;
    }

    /// @return true if it is what a marking profile of a queue disc is over, so that notifications
    /// may follow the same profile as marks
    virtual bool IsOfMarks() const
    {
        return false;
    }

    /**
     * @param value the number, not NaN
     * @return a number as a level: rounded down, 0 if negative, the largest level if it is larger
     */
    static uint64_t ToLevel(double value)
    {
        return value >= 0x1p64 ? UINT64_MAX : static_cast<uint64_t>(value > 0 ? value : 0);
    }
};

/**
 * @ingroup dcfabric
 * @brief Bytes that wait in the class.
 */
class QueueOccupancyMeasure : public CongestionMeasure
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    Ptr<CongestionMeasure> Fork() const override;
    uint64_t GetLevel(const QueueView& queue, const QueueDiscItem& item) override;

    bool IsOfMarks() const override
    {
        return true;
    }
};

/**
 * @ingroup dcfabric
 * @brief Bytes that wait in all classes of the port.
 */
class PortOccupancyMeasure : public CongestionMeasure
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    Ptr<CongestionMeasure> Fork() const override;
    uint64_t GetLevel(const QueueView& queue, const QueueDiscItem& item) override;
};

/**
 * @ingroup dcfabric
 * @brief Bytes in the memory that the ports of a switch share.
 */
class BufferOccupancyMeasure : public CongestionMeasure
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    Ptr<CongestionMeasure> Fork() const override;
    uint64_t GetLevel(const QueueView& queue, const QueueDiscItem& item) override;
    bool ScalesWithRate() const override;
};

/**
 * @ingroup dcfabric
 * @brief Bytes of a QoS group, which is a set of classes, in the memory that the ports share.
 */
class GroupOccupancyMeasure : public CongestionMeasure
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    Ptr<CongestionMeasure> Fork() const override;
    uint64_t GetLevel(const QueueView& queue, const QueueDiscItem& item) override;
    bool ScalesWithRate() const override;

  private:
    uint8_t m_classes; //!< bit mask of the classes of the group
};

/**
 * @ingroup dcfabric
 * @brief Queueing latency in ns: on departure the time that the packet has waited, on arrival the
 * time that what it finds will take at the rate of the link.
 */
class QueueingLatencyMeasure : public CongestionMeasure
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    Ptr<CongestionMeasure> Fork() const override;
    /// @copydoc CongestionMeasure::GetLevel @throws FabricError if the rate is unknown
    uint64_t GetLevel(const QueueView& queue, const QueueDiscItem& item) override;
    void OnArrival(const QueueView& queue, const QueueDiscItem& item) override;
    void OnDeparture(const QueueView& queue, const QueueDiscItem& item) override;
    bool ScalesWithRate() const override;

  private:
    bool m_departs{false}; //!< the packet has waited
};

} // namespace ns3

#endif /* CONGESTION_MEASURE_H */
