// SPDX-License-Identifier: GPL-2.0-only
#include "back-to-sender-notifier.h"

#include "curved-profiles.h"

#include "ns3/attribute-range.h"
#include "ns3/back-to-sender-signals.h"
#include "ns3/boolean.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-time.h"
#include "ns3/pointer.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(BackToSenderNotifier);

TypeId
BackToSenderNotifier::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::BackToSenderNotifier")
            .SetParent<Object>()
            .SetGroupName("Dcfabric")
            .AddConstructor<BackToSenderNotifier>()
            .AddAttribute("Profile",
                          "Probability of a notification over the measure; null for the marking "
                          "profile of the queue, or if it has none, or the measure is not its "
                          "length, ns3::PiecewiseMarkingProfile.",
                          PointerValue(),
                          MakePointerAccessor(&BackToSenderNotifier::m_profile),
                          MakePointerChecker<MarkingProfile>())
            .AddAttribute("Measure",
                          "What congestion is measured by.",
                          StringValue("ns3::QueueOccupancyMeasure"),
                          MakePointerAccessor(&BackToSenderNotifier::m_measure),
                          MakePointerChecker<CongestionMeasure>())
            .AddAttribute("TimingProfile",
                          "Least time between notifications to one source; null for none.",
                          PointerValue(),
                          MakePointerAccessor(&BackToSenderNotifier::m_timing),
                          MakePointerChecker<TimingProfile>())
            .AddAttribute("ReferenceRate",
                          "Rate of the link for which the profiles are given: measures that grow "
                          "with the rate are taken at other links in proportion. 0: as they are.",
                          DataRateValue(DataRate("100Gbps")),
                          MakeDataRateAccessor(&BackToSenderNotifier::m_referenceRate),
                          MakeRateChecker(0))
            .AddAttribute("Classes",
                          "Bit mask of the classes whose packets notify; they have no other ECN "
                          "marking.",
                          UintegerValue(0x3f),
                          MakeUintegerAccessor(&BackToSenderNotifier::m_classes),
                          MakeUintegerChecker<uint8_t>())
            .AddAttribute("AtDeparture",
                          "Decide when a packet leaves, by what it leaves behind, instead of when "
                          "it arrives, by what it finds.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&BackToSenderNotifier::m_atDeparture),
                          MakeBooleanChecker())
            .AddAttribute("InvertEcn",
                          "Tell senders the opposite of the ECN bit that the packet had.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&BackToSenderNotifier::m_invertEcn),
                          MakeBooleanChecker())
            .AddAttribute("TellRelativeQueue",
                          "Notifications carry the length of the queue over FullQueue.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&BackToSenderNotifier::m_tellQueue),
                          MakeBooleanChecker())
            .AddAttribute("TellActiveFlows",
                          "Notifications carry the number of active flows of the queue.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&BackToSenderNotifier::m_tellFlows),
                          MakeBooleanChecker())
            .AddAttribute("TellGradient",
                          "Notifications carry how fast the queue grows.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&BackToSenderNotifier::m_tellGradient),
                          MakeBooleanChecker())
            .AddAttribute("TellRate",
                          "Notifications carry the rate of the link.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&BackToSenderNotifier::m_tellRate),
                          MakeBooleanChecker())
            .AddAttribute("TellSentBytes",
                          "Notifications carry bytes sent by port and queue, and a time stamp.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&BackToSenderNotifier::m_tellSent),
                          MakeBooleanChecker())
            .AddAttribute("TellOccupancy",
                          "Notifications carry the occupancy of port, buffer and QoS group.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&BackToSenderNotifier::m_tellOccupancy),
                          MakeBooleanChecker())
            .AddAttribute("FullQueue",
                          "Bytes of a queue that is told as full, at ReferenceRate.",
                          UintegerValue(100000),
                          MakeUintegerAccessor(&BackToSenderNotifier::m_fullQueueBytes),
                          MakeUintegerChecker<uint64_t>(1, AttributeRange::MAX_BYTES))
            .AddAttribute("GroupClasses",
                          "Bit mask of the QoS group whose occupancy is told.",
                          UintegerValue(0x3f),
                          MakeUintegerAccessor(&BackToSenderNotifier::m_groupClasses),
                          MakeUintegerChecker<uint8_t>(1))
            .AddAttribute("FlowWindow",
                          "For how long a packet makes its flow an active one, for the signal.",
                          TimeValue(MicroSeconds(50)),
                          MakeTimeAccessor(&BackToSenderNotifier::m_flowWindow),
                          MakeTimeChecker(NanoSeconds(1), AttributeRange::GetMaxTime()))
            .AddAttribute("GradientInterval",
                          "Least time over which growth is measured, for the signal.",
                          TimeValue(MicroSeconds(1)),
                          MakeTimeAccessor(&BackToSenderNotifier::m_gradientInterval),
                          MakeTimeChecker(NanoSeconds(1), AttributeRange::GetMaxTime()));
    return tid;
}

void
BackToSenderNotifier::NotifyConstructionCompleted()
{
    m_lastProfile = CreateObject<PiecewiseMarkingProfile>();
    Object::NotifyConstructionCompleted();
}

const CongestionMeasure&
BackToSenderNotifier::GetMeasure() const
{
    if (!m_measure)
    {
        throw FabricError(FabricTerm::Class("ns3::BackToSenderNotifier") + " needs a Measure, as " +
                          FabricTerm::Class("ns3::QueueOccupancyMeasure"));
    }
    return *m_measure;
}

uint8_t
BackToSenderNotifier::GetSignals() const
{
    using Signals = BackToSenderSignals;
    return static_cast<uint8_t>(
        (m_tellQueue ? Signals::QUEUE : 0) | (m_tellFlows ? Signals::FLOWS : 0) |
        (m_tellGradient ? Signals::GRADIENT : 0) | (m_tellRate ? Signals::RATE : 0) |
        (m_tellSent ? Signals::SENT : 0) | (m_tellOccupancy ? Signals::OCCUPANCY : 0));
}

int64_t
BackToSenderNotifier::GetFlowWindowPs() const
{
    return FabricTime::ToPs(m_flowWindow);
}

int64_t
BackToSenderNotifier::GetGradientIntervalPs() const
{
    return FabricTime::ToPs(m_gradientInterval);
}

} // namespace ns3
