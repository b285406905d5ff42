// SPDX-License-Identifier: GPL-2.0-only
#include "dcqcn-congestion-control.h"

#include "ns3/assert.h"
#include "ns3/attribute-range.h"
#include "ns3/back-to-sender-signals.h"
#include "ns3/boolean.h"
#include "ns3/bts-packet.h"
#include "ns3/double.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-time.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <string>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DcqcnCongestionControl);
DCFABRIC_OBJECT_CLONABLE(DcqcnCongestionControl);

namespace
{

/// Part of the line rate that recovery need not reach.
constexpr double NEGLIGIBLE = 1e-6;

} // namespace

TypeId
DcqcnCongestionControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::DcqcnCongestionControl")
            .SetParent<CongestionControl>()
            .SetGroupName("Dcfabric")
            .AddConstructor<DcqcnCongestionControl>()
            .AddAttribute("G",
                          "Gain g of alpha.",
                          DoubleValue(1.0 / 256),
                          MakeDoubleAccessor(&DcqcnCongestionControl::m_g),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("AlphaInterval",
                          "Time without a notification after which alpha decreases; longer than "
                          "CnpInterval, or alpha settles at half of its value.",
                          TimeValue(MicroSeconds(55)),
                          MakeTimeAccessor(&DcqcnCongestionControl::m_alphaInterval),
                          MakeTimeChecker(NanoSeconds(1), AttributeRange::GetMaxTime()))
            .AddAttribute("DecreaseInterval",
                          "Least time between two decreases.",
                          TimeValue(MicroSeconds(50)),
                          MakeTimeAccessor(&DcqcnCongestionControl::m_decreaseInterval),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()))
            .AddAttribute("IncreaseInterval",
                          "Interval of the increase timer.",
                          TimeValue(MicroSeconds(55)),
                          MakeTimeAccessor(&DcqcnCongestionControl::m_increaseInterval),
                          MakeTimeChecker(NanoSeconds(1), AttributeRange::GetMaxTime()))
            .AddAttribute("CnpInterval",
                          "Least time between two CNPs of a receiver; zero: no CNPs, marks echoed "
                          "by ACKs are the notifications.",
                          TimeValue(MicroSeconds(50)),
                          MakeTimeAccessor(&DcqcnCongestionControl::m_cnpInterval),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()))
            .AddAttribute("ByteCounter",
                          "Frame bytes sent from one expiry of the byte counter to the next; 0: no "
                          "byte counter.",
                          UintegerValue(10000000),
                          MakeUintegerAccessor(&DcqcnCongestionControl::m_byteCounter),
                          MakeUintegerChecker<uint64_t>(0, AttributeRange::MAX_BYTES))
            .AddAttribute("FastRecoveryStages",
                          "Increase events of fast recovery, F.",
                          UintegerValue(5),
                          MakeUintegerAccessor(&DcqcnCongestionControl::m_fastStages),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("AdditiveIncrease",
                          "Step of the target rate after fast recovery, R_AI.",
                          DataRateValue(DataRate("40Mbps")),
                          MakeDataRateAccessor(&DcqcnCongestionControl::m_additiveIncrease),
                          MakeRateChecker(0))
            .AddAttribute("HyperIncrease",
                          "First step of the target rate in hyper increase, R_HAI.",
                          DataRateValue(DataRate("200Mbps")),
                          MakeDataRateAccessor(&DcqcnCongestionControl::m_hyperIncrease),
                          MakeRateChecker(0))
            .AddAttribute("GrowingHyperIncrease",
                          "Stage i of hyper increase adds i x HyperIncrease (QCN); false: each "
                          "adds HyperIncrease.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&DcqcnCongestionControl::m_growingHyper),
                          MakeBooleanChecker())
            .AddAttribute("HasWindow",
                          "Have a window beside the rate: what the line carries in T.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&DcqcnCongestionControl::m_hasWindow),
                          MakeBooleanChecker())
            .AddAttribute("VaryWindow",
                          "The window follows the rate; false: it stays that of the line rate.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&DcqcnCongestionControl::m_varyWindow),
                          MakeBooleanChecker())
            .AddAttribute("MinRate",
                          "Least rate.",
                          DataRateValue(DataRate("100Mbps")),
                          MakeDataRateAccessor(&DcqcnCongestionControl::m_minRate),
                          MakeRateChecker(1))
            .AddAttribute("ClampTargetRate",
                          "Every decrease sets the target rate; false: only one that follows an "
                          "increase.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&DcqcnCongestionControl::m_clampTarget),
                          MakeBooleanChecker())
            .AddAttribute("PeriodicChecks",
                          "Decide alpha and decreases at multiples of their intervals after the "
                          "first notification; false: when a notification arrives.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&DcqcnCongestionControl::m_periodic),
                          MakeBooleanChecker());
    return tid;
}

CongestionControlNeeds
DcqcnCongestionControl::GetNeeds() const
{
    CongestionControlNeeds needs;
    needs.ecn = true;
    needs.features = {{"ns3::WrebFeature", nullptr}};
    needs.sends = m_byteCounter > 0;
    needs.cnpIntervalPs = m_cnpInterval.IsZero() ? -1 : FabricTime::ToPs(m_cnpInterval);
    return needs;
}

void
DcqcnCongestionControl::DoStart()
{
    const uint64_t line = GetPath().lineRateBps;
    const int64_t alphaPs = FabricTime::ToPs(m_alphaInterval);
    m_decreasePs = FabricTime::ToPs(m_decreaseInterval);
    m_increasePs = FabricTime::ToPs(m_increaseInterval);
    if (m_periodic && m_decreasePs <= 0)
    {
        throw FabricError(FabricTerm::Attribute(GetInstanceTypeId(), "PeriodicChecks") +
                          " needs a DecreaseInterval above zero");
    }
    CheckMinRate(m_minRate);
    GetRateWindow().Check(GetPath(), GetInstanceTypeId());
    NS_ASSERT_MSG(GetHost(), GetInstanceTypeId() << " needs timers");
    m_alpha.Configure(m_g, alphaPs, m_periodic);
    m_line = static_cast<double>(line);
    m_target = m_line;
    m_bytes = 0;
    m_timeStage = 0;
    m_byteStage = 0;
    m_told = 0;
    m_untold = false;
    m_hears = false;
    m_notified = false;
    m_decreasePending = false;
    m_increasing = false;
    SetInitial(GetWindowAt(m_line), m_line);
}

void
DcqcnCongestionControl::StretchIntervals(int64_t nowPs, double times)
{
    const auto stretch = [times](const Time& interval) {
        return static_cast<int64_t>(static_cast<double>(FabricTime::ToPs(interval)) * times);
    };
    m_alpha.SetInterval(nowPs, stretch(m_alphaInterval));
    m_decreasePs = stretch(m_decreaseInterval);
    m_increasePs = stretch(m_increaseInterval);
}

int64_t
DcqcnCongestionControl::GetCnpIntervalPs() const
{
    return FabricTime::ToPs(m_cnpInterval);
}

void
DcqcnCongestionControl::OnAck(const AckInfo& ack)
{
    const uint64_t told = std::min<uint64_t>(m_told, ack.markedPackets);
    m_told -= told;
    const bool isNews = ack.markedPackets > told;
    m_untold |= isNews;
    if (isNews && m_cnpInterval.IsZero())
    {
        Notify(ack.nowPs, {CongestionCause::SIGNAL, 0});
    }
}

void
DcqcnCongestionControl::OnCnp(int64_t nowPs)
{
    // where queues notify, ACKs tell whether there are marks of which none has told
    const bool isNews = !m_hears || m_untold;
    m_untold = false;
    if (isNews)
    {
        Notify(nowPs, {CongestionCause::SIGNAL, 0});
    }
}

void
DcqcnCongestionControl::OnBts(const BtsNotice& notice)
{
    m_hears = true;
    // of a dropped packet no echo will come
    if (notice.repeated)
    {
        m_told -= m_told > 0 ? 1 : 0;
        return;
    }
    m_told += notice.dropped ? 0 : 1;
    const auto cause = notice.dropped ? CongestionCause::LOSS : CongestionCause::SIGNAL;
    Notify(notice.nowPs, {cause, GetShare(notice.item)});
}

double
DcqcnCongestionControl::GetShare(const FabricPacketItem* bts)
{
    using Signals = BackToSenderSignals;
    if (!bts)
    {
        return 0;
    }
    const BtsFields& told = bts->As<BtsFields>();
    const bool isTold =
        (told.signals & Signals::FLOWS) && (told.signals & Signals::RATE) && told.activeFlows > 0;
    return isTold ? told.rateMbps * 1e6 / told.activeFlows : 0;
}

void
DcqcnCongestionControl::OnModified(int64_t nowPs, ModifierEffect effect)
{
    if (effect == ModifierEffect::FORGIVEN)
    {
        m_basePs = m_periodic ? m_basePs : nowPs - m_decreasePs;
    }
}

void
DcqcnCongestionControl::Notify(int64_t nowPs, Notification what)
{
    const bool first = !m_notified;
    if (first)
    {
        m_notified = true;
        m_alpha.Start(nowPs);
        m_basePs = m_periodic ? nowPs : nowPs - m_decreasePs;
        m_targetAtPs = nowPs - m_decreasePs;
    }
    if (what.share > 0 && GetDueRate() <= GetLeastRate(nowPs, what.share))
    {
        RunIncreaseTimer(nowPs);
        SetTarget(nowPs, GetDueRate(), what.share);
        BeginIncrease(nowPs);
    }
    else if (!m_decreasePending)
    {
        const int64_t atPs = GetDecreaseTime(nowPs, what.share);
        if (atPs <= nowPs)
        {
            Decrease(nowPs, what);
        }
        else
        {
            m_decreasePending = true;
            m_pending = what;
            GetHost()->SetTimer(DECREASE, atPs);
        }
    }
    else
    {
        // the one decrease stands for all
        m_pending.cause = what.cause == CongestionCause::LOSS ? what.cause : m_pending.cause;
        m_pending.share = std::min(m_pending.share, what.share);
    }
    if (!first)
    {
        m_alpha.Notify(nowPs); // the cut goes by alpha before this notification
    }
}

int64_t
DcqcnCongestionControl::GetDecreaseTime(int64_t nowPs, double share) const
{
    if (m_periodic)
    {
        return m_basePs + ((nowPs - m_basePs) / m_decreasePs + 1) * m_decreasePs;
    }
    const bool isAbove = share > 0 && GetDueRate() > share;
    return m_basePs + (isAbove ? std::min(m_decreasePs, GetPath().baseRttPs) : m_decreasePs);
}

double
DcqcnCongestionControl::GetLeastRate(int64_t nowPs, double share)
{
    return std::max(share * (1 - m_alpha.Get(nowPs) / 2),
                    static_cast<double>(m_minRate.GetBitRate()));
}

void
DcqcnCongestionControl::Decrease(int64_t nowPs, Notification what)
{
    RunIncreaseTimer(nowPs);
    const double rate = GetDueRate();
    const double least = GetLeastRate(nowPs, what.share);
    if (rate > least || what.share == 0)
    {
        SetTarget(nowPs, rate, what.share);
        const double cut = rate * (1 - m_alpha.Get(nowPs) / 2);
        const double next = std::max(cut, least);
        Propose(nowPs, GetWindowAt(next), next, what.cause);
    }
    if (!m_periodic)
    {
        m_basePs = nowPs;
    }
    BeginIncrease(nowPs);
}

void
DcqcnCongestionControl::BeginIncrease(int64_t nowPs)
{
    m_timeStage = 0;
    m_byteStage = 0;
    m_bytes = 0;
    m_increasing = true;
    m_increaseAtPs = nowPs + m_increasePs;
    GetHost()->SetTimer(INCREASE, m_increaseAtPs);
}

void
DcqcnCongestionControl::SetTarget(int64_t nowPs, double rate, double share)
{
    // cuts on the way to the share, and once below it, are one decrease of DCQCN's
    const bool isNew = share == 0 || (rate > share && nowPs - m_targetAtPs >= m_decreasePs);
    if (isNew && (m_clampTarget || m_timeStage > 0 || m_byteStage > 0))
    {
        m_target = rate;
        m_targetAtPs = nowPs;
    }
    m_target = std::max(m_target, std::min(share, m_line));
}

void
DcqcnCongestionControl::OnTimer(uint8_t timer, int64_t nowPs)
{
    if (timer == DECREASE && m_decreasePending)
    {
        m_decreasePending = false;
        Decrease(nowPs, m_pending);
    }
    else if (timer == INCREASE)
    {
        RunIncreaseTimer(nowPs);
    }
}

void
DcqcnCongestionControl::RunIncreaseTimer(int64_t nowPs)
{
    if (!m_increasing || nowPs < m_increaseAtPs)
    {
        return;
    }
    m_increaseAtPs += m_increasePs;
    GetHost()->SetTimer(INCREASE, m_increaseAtPs);
    Increase(nowPs, m_timeStage);
}

void
DcqcnCongestionControl::OnSend(int64_t nowPs, uint32_t frameBytes)
{
    if (!m_increasing || m_byteCounter == 0)
    {
        return;
    }
    m_bytes += frameBytes;
    if (m_bytes >= m_byteCounter)
    {
        m_bytes %= m_byteCounter; // at most one expiry per packet
        RunIncreaseTimer(nowPs);
        if (m_increasing)
        {
            Increase(nowPs, m_byteStage);
        }
    }
}

void
DcqcnCongestionControl::Increase(int64_t nowPs, uint32_t& stage)
{
    const uint32_t most = std::max(m_timeStage, m_byteStage);
    const uint32_t least = m_byteCounter > 0 ? std::min(m_timeStage, m_byteStage) : m_timeStage;
    const double rate = GetDueRate();
    m_target = std::max(m_target, rate); // a modifier may have raised the rate above it
    if (most >= m_fastStages)
    {
        auto step = static_cast<double>(m_additiveIncrease.GetBitRate());
        if (least > m_fastStages)
        {
            const uint32_t times = m_growingHyper ? least - m_fastStages : 1;
            step = times * static_cast<double>(m_hyperIncrease.GetBitRate());
        }
        m_target = std::min(m_target + step, m_line);
    }
    double raised = (rate + m_target) / 2;
    if (m_line - raised < NEGLIGIBLE * m_line)
    {
        raised = m_line;
    }
    ++stage;
    Propose(nowPs, GetWindowAt(raised), raised, CongestionCause::RECOVERY);
    if (GetDueRate() >= m_line)
    {
        m_target = m_line;
        m_increasing = false;
        GetHost()->CancelTimer(INCREASE);
    }
}

} // namespace ns3
