// SPDX-License-Identifier: GPL-2.0-only
#include "rocc-congestion-control.h"

#include "ns3/assert.h"
#include "ns3/attribute-range.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-packet-item.h"
#include "ns3/fabric-time.h"
#include "ns3/rate-packet.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RoccCongestionControl);
DCFABRIC_OBJECT_CLONABLE(RoccCongestionControl);

namespace
{

/// Least rate in bit/s: a message that says zero must not stop the flow for good.
constexpr double MIN_RATE = 1e6;

} // namespace

TypeId
RoccCongestionControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RoccCongestionControl")
            .SetParent<CongestionControl>()
            .SetGroupName("Dcfabric")
            .AddConstructor<RoccCongestionControl>()
            .AddAttribute("RecoveryInterval",
                          "Time without an accepted message after which the rate doubles.",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&RoccCongestionControl::m_recoveryInterval),
                          MakeTimeChecker(NanoSeconds(1), AttributeRange::GetMaxTime()))
            .AddAttribute("ReactionDelay",
                          "Time from the arrival of a message until it becomes effective.",
                          TimeValue(Seconds(0)),
                          MakeTimeAccessor(&RoccCongestionControl::m_reactionDelay),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()));
    return tid;
}

CongestionControlNeeds
RoccCongestionControl::GetNeeds() const
{
    CongestionControlNeeds needs;
    needs.features = {{"ns3::RoccFeature", "fair rates from the switches, but these"}};
    return needs;
}

void
RoccCongestionControl::DoStart()
{
    m_recoveryPs = FabricTime::ToPs(m_recoveryInterval);
    m_delayPs = FabricTime::ToPs(m_reactionDelay);
    NS_ASSERT_MSG(GetHost(), "RoCC needs timers");
    m_waiting.clear();
    m_limited = false;
    m_accepted = 0;
}

void
RoccCongestionControl::OnNotice(const FabricPacketItem& item, int64_t nowPs)
{
    if (item.type == FabricPacketType::RATE)
    {
        const auto& rate = item.As<RateFields>();
        OnRateNotice({nowPs,
                      rate.rateMbps * 1e6,
                      (uint64_t{item.src} << 24) | (uint64_t{rate.port} << 8) | rate.priority});
    }
}

void
RoccCongestionControl::OnRateNotice(const RateNotice& notice)
{
    if (m_delayPs == 0)
    {
        Process(notice, notice.nowPs);
        return;
    }
    m_waiting.push_back(notice);
    if (m_waiting.size() == 1)
    {
        GetHost()->SetTimer(REACTION, notice.nowPs + m_delayPs);
    }
}

void
RoccCongestionControl::Process(const RateNotice& notice, int64_t nowPs)
{
    const double rate = std::max(notice.rateBps, MIN_RATE);
    const bool own = m_limited && notice.congestionPoint == m_congestionPoint;
    if (rate > GetDueRate() && !own)
    {
        return;
    }
    m_limited = true;
    m_congestionPoint = notice.congestionPoint;
    ++m_accepted;
    Propose(nowPs, UNLIMITED, rate);
    Continue(nowPs);
}

void
RoccCongestionControl::Continue(int64_t nowPs)
{
    if (GetDueRate() >= static_cast<double>(GetPath().lineRateBps))
    {
        m_limited = false;
        GetHost()->CancelTimer(RECOVERY);
        return;
    }
    GetHost()->SetTimer(RECOVERY, nowPs + m_recoveryPs);
}

void
RoccCongestionControl::OnTimer(uint8_t timer, int64_t nowPs)
{
    if (timer == RECOVERY)
    {
        Propose(nowPs, UNLIMITED, 2 * GetDueRate(), CongestionCause::RECOVERY);
        Continue(nowPs);
        return;
    }
    while (!m_waiting.empty() && m_waiting.front().nowPs + m_delayPs <= nowPs)
    {
        const RateNotice notice = m_waiting.front();
        m_waiting.pop_front();
        Process(notice, nowPs);
    }
    if (!m_waiting.empty())
    {
        GetHost()->SetTimer(REACTION, m_waiting.front().nowPs + m_delayPs);
    }
}

} // namespace ns3
