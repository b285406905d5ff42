// SPDX-License-Identifier: GPL-2.0-only
#include "rate-measures.h"

#include "ns3/attribute-range.h"
#include "ns3/boolean.h"
#include "ns3/fabric-time.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(QueueGradientMeasure);
NS_OBJECT_ENSURE_REGISTERED(TransmittedBytesMeasure);
NS_OBJECT_ENSURE_REGISTERED(ActiveFlowsMeasure);

SlopeMeasure::SlopeMeasure()
    : m_slope(1)
{
}

void
SlopeMeasure::SetInterval(Time interval)
{
    m_interval = interval;
    m_slope = QueueSlope(FabricTime::ToPs(interval));
}

Time
SlopeMeasure::GetInterval() const
{
    return m_interval;
}

void
SlopeMeasure::OnArrival(const QueueView& queue, const QueueDiscItem& /* item */)
{
    m_slope.Update(queue.GetNowPs(), GetBytes(queue));
}

void
SlopeMeasure::OnDeparture(const QueueView& queue, const QueueDiscItem& /* item */)
{
    m_slope.Update(queue.GetNowPs(), GetBytes(queue));
}

uint64_t
SlopeMeasure::GetLevel(const QueueView& /* queue */, const QueueDiscItem& /* item */)
{
    return ToLevel(m_slope.GetPerSecond() / 1e6);
}

TypeId
QueueGradientMeasure::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::QueueGradientMeasure")
            .SetParent<CongestionMeasure>()
            .SetGroupName("Dcfabric")
            .AddConstructor<QueueGradientMeasure>()
            .AddAttribute("Interval",
                          "Least time over which the growth is measured.",
                          TimeValue(MicroSeconds(1)),
                          MakeTimeAccessor(&QueueGradientMeasure::SetInterval,
                                           &QueueGradientMeasure::GetInterval),
                          MakeTimeChecker(NanoSeconds(1), AttributeRange::GetMaxTime()));
    return tid;
}

Ptr<CongestionMeasure>
QueueGradientMeasure::Fork() const
{
    Ptr<QueueGradientMeasure> fork = CopyObject<QueueGradientMeasure>(this);
    fork->SetInterval(GetInterval());
    return fork;
}

uint64_t
QueueGradientMeasure::GetBytes(const QueueView& queue) const
{
    return queue.GetQueueBytes();
}

TypeId
TransmittedBytesMeasure::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::TransmittedBytesMeasure")
            .SetParent<CongestionMeasure>()
            .SetGroupName("Dcfabric")
            .AddConstructor<TransmittedBytesMeasure>()
            .AddAttribute("Interval",
                          "Least time over which the bytes are counted.",
                          TimeValue(MicroSeconds(10)),
                          MakeTimeAccessor(&TransmittedBytesMeasure::SetInterval,
                                           &TransmittedBytesMeasure::GetInterval),
                          MakeTimeChecker(NanoSeconds(1), AttributeRange::GetMaxTime()))
            .AddAttribute("OfPort",
                          "Count what all classes of the port transmit, instead of "
                          "the class alone.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&TransmittedBytesMeasure::m_ofPort),
                          MakeBooleanChecker());
    return tid;
}

Ptr<CongestionMeasure>
TransmittedBytesMeasure::Fork() const
{
    Ptr<TransmittedBytesMeasure> fork = CopyObject<TransmittedBytesMeasure>(this);
    fork->SetInterval(GetInterval());
    return fork;
}

uint64_t
TransmittedBytesMeasure::GetBytes(const QueueView& queue) const
{
    return m_ofPort ? queue.GetPortSentBytes() : queue.GetQueueSentBytes();
}

TypeId
ActiveFlowsMeasure::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ActiveFlowsMeasure")
            .SetParent<CongestionMeasure>()
            .SetGroupName("Dcfabric")
            .AddConstructor<ActiveFlowsMeasure>()
            .AddAttribute(
                "Window",
                "For how long a packet makes its flow an active one.",
                TimeValue(MicroSeconds(50)),
                MakeTimeAccessor(&ActiveFlowsMeasure::SetWindow, &ActiveFlowsMeasure::GetWindow),
                MakeTimeChecker(NanoSeconds(1), AttributeRange::GetMaxTime()));
    return tid;
}

ActiveFlowsMeasure::ActiveFlowsMeasure()
    : m_flows(1)
{
}

void
ActiveFlowsMeasure::SetWindow(Time window)
{
    m_window = window;
    m_flows = FlowCounter(FabricTime::ToPs(window));
}

Time
ActiveFlowsMeasure::GetWindow() const
{
    return m_window;
}

Ptr<CongestionMeasure>
ActiveFlowsMeasure::Fork() const
{
    Ptr<ActiveFlowsMeasure> fork = CopyObject<ActiveFlowsMeasure>(this);
    fork->SetWindow(m_window);
    return fork;
}

void
ActiveFlowsMeasure::OnArrival(const QueueView& queue, const QueueDiscItem& item)
{
    m_flows.Enter(queue.GetNowPs(), queue.GetFlow(item));
}

uint64_t
ActiveFlowsMeasure::GetLevel(const QueueView& queue, const QueueDiscItem& /* item */)
{
    return m_flows.GetCount(queue.GetNowPs());
}

bool
ActiveFlowsMeasure::ScalesWithRate() const
{
    return false;
}

} // namespace ns3
