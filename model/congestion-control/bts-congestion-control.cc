// SPDX-License-Identifier: GPL-2.0-only
#include "bts-congestion-control.h"

#include "ns3/attribute-range.h"
#include "ns3/back-to-sender-signals.h"
#include "ns3/boolean.h"
#include "ns3/bts-packet.h"
#include "ns3/double.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-packet-item.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(BtsCongestionControl);
DCFABRIC_OBJECT_CLONABLE(BtsCongestionControl);

namespace
{

constexpr double QUEUE_UNIT = 1.0 / 1024; //!< of BtsFields::relativeQueue
constexpr double ECHO_QUEUE = 0.5;        //!< relative queue that an echo of a mark stands for
constexpr uint32_t MAX_DOUBLINGS = 30;    //!< of the increase

} // namespace

TypeId
BtsCongestionControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::BtsCongestionControl")
            .SetParent<CongestionControl>()
            .SetGroupName("Dcfabric")
            .AddConstructor<BtsCongestionControl>()
            .AddAttribute("MaxDecrease",
                          "Part of the rate that a cut takes when the queue is full and the share "
                          "of the sender unknown.",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&BtsCongestionControl::m_maxDecrease),
                          MakeDoubleChecker<double>(0, 0.99))
            .AddAttribute("SmallDecrease",
                          "Part of the rate that a cut takes when the queue is full and the sender "
                          "not above its share.",
                          DoubleValue(0.125),
                          MakeDoubleAccessor(&BtsCongestionControl::m_smallDecrease),
                          MakeDoubleChecker<double>(0, 0.99))
            .AddAttribute("AdditiveIncrease",
                          "First increase beyond what the rate was before the cut.",
                          DataRateValue(DataRate("40Mbps")),
                          MakeDataRateAccessor(&BtsCongestionControl::m_additive),
                          MakeRateChecker(0))
            .AddAttribute("FastPeriods",
                          "Most periods that halve the way back to what a cut took.",
                          UintegerValue(5),
                          MakeUintegerAccessor(&BtsCongestionControl::m_fastPeriods),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("PeriodPackets",
                          "Least number of packets acknowledged in a period.",
                          UintegerValue(16),
                          MakeUintegerAccessor(&BtsCongestionControl::m_periodPackets),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("WindowFactor",
                          "Window over rate times base RTT; 0: no window.",
                          DoubleValue(1),
                          MakeDoubleAccessor(&BtsCongestionControl::m_windowFactor),
                          MakeDoubleChecker<double>(0, 1000))
            .AddAttribute("MinRate",
                          "Least rate.",
                          DataRateValue(DataRate("100Mbps")),
                          MakeDataRateAccessor(&BtsCongestionControl::m_minRate),
                          MakeRateChecker(1))
            .AddAttribute("EchoedMarks",
                          "Echoes of marks of which no notification came cut as well.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&BtsCongestionControl::m_echoedMarks),
                          MakeBooleanChecker());
    return tid;
}

CongestionControlNeeds
BtsCongestionControl::GetNeeds() const
{
    CongestionControlNeeds needs;
    needs.features = {{"ns3::WrebFeature", "notifications back to the sender, but the switches"}};
    return needs;
}

void
BtsCongestionControl::DoStart()
{
    const PathInfo& path = GetPath();
    m_leastRate = static_cast<double>(m_minRate.GetBitRate());
    if (path.bdpBytes == 0)
    {
        throw FabricError(FabricTerm::Class("ns3::BtsCongestionControl") +
                          ": the path has no line rate or no base RTT");
    }
    CheckMinRate(m_minRate);
    m_lastCutPs = -path.baseRttPs;
    m_periodPs = 0;
    m_periodAcked = 0;
    m_halvings = 0;
    m_increases = 0;
    m_balance = 0;
    m_target = 0;
    const auto line = static_cast<double>(path.lineRateBps);
    SetInitial(GetWindowOf(line), line);
}

uint64_t
BtsCongestionControl::GetWindowOf(double rate) const
{
    if (m_windowFactor == 0)
    {
        return UNLIMITED;
    }
    const double flight = m_windowFactor * rate * static_cast<double>(GetPath().baseRttPs) / 8e12;
    return static_cast<uint64_t>(flight) + GetPath().payloadBytes;
}

void
BtsCongestionControl::ProposeRate(int64_t nowPs, double rate, CongestionCause cause)
{
    const double line = static_cast<double>(GetPath().lineRateBps);
    rate = std::min(std::max(rate, m_leastRate), line);
    Propose(nowPs, GetWindowOf(rate), rate, cause);
}

void
BtsCongestionControl::BeginPeriod(int64_t nowPs)
{
    m_periodPs = nowPs;
    m_periodAcked = 0;
}

void
BtsCongestionControl::Cut(int64_t nowPs, double rate, double target, CongestionCause cause)
{
    m_halvings = 0;
    m_increases = 0;
    BeginPeriod(nowPs);
    const double present = GetDueRate();
    if (rate < present && nowPs - m_lastCutPs >= GetPath().baseRttPs)
    {
        m_target = target;
        ProposeRate(nowPs, rate, cause);
        m_lastCutPs = GetDueRate() < present ? nowPs : m_lastCutPs; // a modifier may have kept it
        return;
    }
    LeaveAtDue(nowPs, cause);
}

void
BtsCongestionControl::OnModified(int64_t nowPs, ModifierEffect effect)
{
    if (effect == ModifierEffect::FORGIVEN)
    {
        m_lastCutPs = nowPs - GetPath().baseRttPs;
    }
}

void
BtsCongestionControl::OnBts(const BtsNotice& notice)
{
    if (notice.repeated)
    {
        // no echo will come of the packet that the first notification was about
        m_balance = std::max<int64_t>(m_balance - 1, 0);
        return;
    }
    using Signals = BackToSenderSignals;
    const BtsFields& told = notice.item->As<BtsFields>();
    m_balance += notice.dropped ? 0 : 1; // of a dropped packet no echo will come
    const CongestionCause cause = notice.dropped ? CongestionCause::LOSS : CongestionCause::SIGNAL;
    const double queue = (told.signals & Signals::QUEUE) && !notice.dropped
                             ? std::min(told.relativeQueue * QUEUE_UNIT, 1.0)
                             : 1.0;
    const bool shrinks =
        (told.signals & Signals::GRADIENT) && told.gradientMbps < 0 && !notice.dropped;
    const double present = GetDueRate();
    const bool knowsShare =
        (told.signals & Signals::FLOWS) && (told.signals & Signals::RATE) && told.activeFlows > 0;
    const double share =
        knowsShare ? told.rateMbps * 1e6 / told.activeFlows : std::numeric_limits<double>::max();
    if (present > share)
    {
        Cut(notice.nowPs, share, share, cause);
        return;
    }
    const double part = shrinks ? 0 : queue * (knowsShare ? m_smallDecrease : m_maxDecrease);
    Cut(notice.nowPs, present * (1 - part), present, cause);
}

void
BtsCongestionControl::OnAck(const AckInfo& ack)
{
    if (m_echoedMarks && ack.markedPackets > 0)
    {
        m_balance -= ack.markedPackets;
        if (m_balance < 0)
        {
            m_balance = 0; // this echo takes the place of the notification
            Cut(ack.nowPs,
                GetDueRate() * (1 - m_maxDecrease * ECHO_QUEUE),
                GetDueRate(),
                CongestionCause::SIGNAL);
            return;
        }
    }
    m_periodAcked += ack.coveredPackets;
    if (m_periodAcked >= m_periodPackets && ack.nowPs - m_periodPs >= GetPath().baseRttPs)
    {
        BeginPeriod(ack.nowPs);
        Recover(ack.nowPs);
    }
}

void
BtsCongestionControl::Recover(int64_t nowPs)
{
    const double rate = GetDueRate();
    if (rate >= static_cast<double>(GetPath().lineRateBps))
    {
        return;
    }
    if (m_halvings < m_fastPeriods && rate < m_target)
    {
        ++m_halvings;
        ProposeRate(nowPs, (rate + m_target) / 2, CongestionCause::RECOVERY);
        return;
    }
    const double step = std::ldexp(static_cast<double>(m_additive.GetBitRate()),
                                   static_cast<int>(std::min(m_increases, MAX_DOUBLINGS)));
    ++m_increases;
    ProposeRate(nowPs, rate + step, CongestionCause::RECOVERY);
}

void
BtsCongestionControl::OnLoss(int64_t nowPs, uint64_t /* lostBytes */)
{
    Cut(nowPs, GetDueRate() * (1 - m_maxDecrease), GetDueRate(), CongestionCause::LOSS);
}

void
BtsCongestionControl::OnTimeout(int64_t nowPs)
{
    m_lastCutPs = nowPs;
    BeginPeriod(nowPs);
    m_halvings = 0;
    m_increases = 0;
    m_target = GetDueRate();
    ProposeRate(nowPs, m_leastRate, CongestionCause::TIMEOUT);
}

} // namespace ns3
