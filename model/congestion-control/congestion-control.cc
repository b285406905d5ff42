// SPDX-License-Identifier: GPL-2.0-only
#include "congestion-control.h"

#include "ns3/assert.h"
#include "ns3/fabric-error.h"
#include "ns3/log.h"

#include <algorithm>
#include <iomanip>
#include <sstream>
#include <string>

namespace ns3
{

LogComponent CongestionControl::g_log("CongestionControl", __FILE__);

NS_OBJECT_ENSURE_REGISTERED(CongestionControl);

TypeId
CongestionControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::CongestionControl").SetParent<Object>().SetGroupName("Dcfabric");
    return tid;
}

void
CongestionControl::Host::Print(std::ostream& /* os */) const
{
}

std::ostream&
operator<<(std::ostream& os, const CongestionControl& cc)
{
    if (cc.m_host)
    {
        os << *cc.m_host << ' ';
    }
    return os << cc.GetInstanceTypeId().GetName();
}

std::vector<PolicyDefault>
CongestionControl::ListDefaults(const PolicyNetwork& /* network */) const
{
    return GetNeeds().ecn ? PolicyDefault::WhereMarksAreRead() : std::vector<PolicyDefault>();
}

void
CongestionControl::Start(const PathInfo& path, Host* host)
{
    m_path = path;
    m_path.marksTell = path.marksTell && GetNeeds().ecn;
    m_host = host;
    m_window = UNLIMITED;
    m_rate = static_cast<double>(path.lineRateBps);
    m_dueWindow = m_window;
    m_dueRate = m_rate;
    m_owes = false;
    m_roundTripPs = path.baseRttPs;
    for (const auto& modifier : m_modifiers)
    {
        modifier->Start(m_path);
    }
    DoStart();
}

std::string
CongestionControl::ToMicroSeconds(double ps)
{
    std::ostringstream text;
    text << std::fixed << std::setprecision(3) << ps * 1e-6 << " us";
    return text.str();
}

void
CongestionControl::CheckMinRate(const DataRate& minRate) const
{
    if (minRate.GetBitRate() > m_path.lineRateBps)
    {
        throw FabricError(FabricTerm::Attribute(GetInstanceTypeId(), "MinRate") + " of " +
                          std::to_string(minRate.GetBitRate()) +
                          " bit/s must be at most the line rate, " +
                          std::to_string(m_path.lineRateBps) + " bit/s");
    }
}

void
CongestionControl::Acknowledge(const AckInfo& ack)
{
    for (const auto& modifier : m_modifiers)
    {
        modifier->OnAck(ack);
    }
    m_roundTripPs = std::max(m_path.baseRttPs, ack.rttPs);
    SettleDue(ack.nowPs);
    OnAck(ack);
    LowerLate(ack.nowPs);
    RaiseEarly(ack.nowPs);
}

void
CongestionControl::TellCnp(int64_t nowPs)
{
    SettleDue(nowPs);
    OnCnp(nowPs);
}

bool
CongestionControl::TellNotice(const FabricPacketItem& item, int64_t nowPs)
{
    NoticeEffect effect;
    for (const auto& modifier : m_modifiers)
    {
        const NoticeEffect one = modifier->OnNotice(item, nowPs);
        effect.gates |= one.gates;
        effect.reroutes |= one.reroutes;
    }
    SettleDue(nowPs);
    OnNotice(item, nowPs);
    if (effect.gates)
    {
        LowerLate(nowPs);
    }
    return effect.reroutes;
}

void
CongestionControl::TellReroute(int64_t nowPs)
{
    for (const auto& modifier : m_modifiers)
    {
        modifier->OnReroute(nowPs);
    }
}

bool
CongestionControl::StampsData() const
{
    return std::any_of(m_modifiers.begin(), m_modifiers.end(), [](const auto& modifier) {
        return modifier->StampsData();
    });
}

void
CongestionControl::Stamp(FabricPacketItem& item, int64_t nowPs) const
{
    for (const auto& modifier : m_modifiers)
    {
        modifier->Stamp(item, nowPs);
    }
}

void
CongestionControl::TellBts(const BtsNotice& notice)
{
    for (const auto& modifier : m_modifiers)
    {
        modifier->OnBts(notice);
    }
    SettleDue(notice.nowPs);
    if (notice.dropped)
    {
        TakeDue(notice.nowPs, CongestionCause::LOSS);
    }
    OnBts(notice);
    LowerLate(notice.nowPs);
}

void
CongestionControl::TellLoss(int64_t nowPs, uint64_t lostBytes)
{
    SettleDue(nowPs);
    if (m_path.gapsTell)
    {
        TakeDue(nowPs, CongestionCause::LOSS);
    }
    OnLoss(nowPs, lostBytes);
}

void
CongestionControl::TellTimeout(int64_t nowPs)
{
    SettleDue(nowPs);
    TakeDue(nowPs, CongestionCause::TIMEOUT);
    OnTimeout(nowPs);
}

void
CongestionControl::TellTimer(uint8_t timer, int64_t nowPs)
{
    SettleDue(nowPs);
    OnTimer(timer, nowPs);
}

bool
CongestionControl::IsWithheld() const
{
    return std::any_of(m_modifiers.begin(), m_modifiers.end(), [](const auto& modifier) {
        return modifier->IsWithholding();
    });
}

void
CongestionControl::Settle(int64_t nowPs)
{
    if (nowPs - m_dueSincePs > m_roundTripPs)
    {
        NS_LOG_LOGIC(*this << ": a cut that was withheld is forgiven");
        m_owes = false;
        m_dueWindow = m_window;
        m_dueRate = m_rate;
        OnForgiven(nowPs);
    }
    else if (!IsWithheld())
    {
        TakeDue(nowPs, CongestionCause::SIGNAL);
    }
}

void
CongestionControl::TakeDue(int64_t nowPs, CongestionCause cause)
{
    if (!m_owes)
    {
        return;
    }
    const uint64_t window = m_dueWindow;
    const double rate = m_dueRate;
    Apply(nowPs, window, rate, cause, true);
    if (!m_owes && (m_window > window || m_rate > rate)) // a modifier made the cut smaller
    {
        OnRaised(nowPs);
    }
}

void
CongestionControl::LowerLate(int64_t nowPs)
{
    for (const auto& modifier : m_modifiers)
    {
        uint64_t window = m_window;
        double rate = m_rate;
        if (!m_owes && !IsWithheld() && modifier->Lower(nowPs, window, rate))
        {
            Apply(nowPs, std::max<uint64_t>(window, 1), rate, CongestionCause::SIGNAL, true);
            OnLowered(nowPs);
        }
    }
}

void
CongestionControl::RaiseEarly(int64_t nowPs)
{
    for (const auto& modifier : m_modifiers)
    {
        uint64_t window = m_window;
        double rate = m_rate;
        if (modifier->Raise(nowPs, window, rate))
        {
            const bool owed = m_owes;
            Apply(nowPs, window, rate, CongestionCause::RECOVERY, false);
            owed ? OnForgiven(nowPs) : OnRaised(nowPs);
        }
    }
}

void
CongestionControl::OnBts(const BtsNotice& notice)
{
    if (notice.dropped && notice.lostBytes > 0)
    {
        OnLoss(notice.nowPs, notice.lostBytes);
    }
}

void
CongestionControl::OnLoss(int64_t /* nowPs */, uint64_t /* lostBytes */)
{
}

void
CongestionControl::OnSend(int64_t /* nowPs */, uint32_t /* frameBytes */)
{
}

void
CongestionControl::AddModifier(Ptr<CongestionModifier> modifier)
{
    NS_ASSERT(modifier);
    m_modifiers.push_back(modifier);
}

void
CongestionControl::SetInitial(uint64_t window, double rate)
{
    m_window = std::max<uint64_t>(window, 1);
    m_rate = ClipRate(rate);
    m_dueWindow = m_window;
    m_dueRate = m_rate;
}

void
CongestionControl::Propose(int64_t nowPs, uint64_t window, double rate, CongestionCause cause)
{
    Apply(nowPs, window, rate, cause, false);
}

void
CongestionControl::LeaveAtDue(int64_t nowPs, CongestionCause cause)
{
    if (cause == CongestionCause::LOSS || cause == CongestionCause::TIMEOUT)
    {
        TakeDue(nowPs, cause);
    }
}

void
CongestionControl::Apply(int64_t nowPs,
                         uint64_t window,
                         double rate,
                         CongestionCause cause,
                         bool late)
{
    CongestionProposal proposal{nowPs,
                                cause,
                                window,
                                rate,
                                m_window,
                                m_rate,
                                window,
                                rate,
                                m_dueWindow,
                                m_dueRate,
                                late};
    for (const auto& modifier : m_modifiers)
    {
        modifier->Modify(proposal);
    }
    if (cause == CongestionCause::LOSS || cause == CongestionCause::TIMEOUT)
    {
        proposal.window = window < m_window ? std::min(proposal.window, window) : proposal.window;
        proposal.rate = rate < m_rate ? std::min(proposal.rate, rate) : proposal.rate;
    }
    NS_ASSERT_MSG(proposal.rate > 0, "a rate of zero would never end");
    const uint64_t newWindow = std::max<uint64_t>(proposal.window, 1);
    const double newRate = ClipRate(proposal.rate);
    const bool reduces = newWindow < m_window || newRate < m_rate;
    const bool withheld = !reduces && (window < m_window || rate < m_rate);
    if (reduces || withheld)
    {
        NS_LOG_LOGIC(
            *this << ": " << (withheld ? "withholds a cut" : "cuts") << ", rate " << m_rate
                  << " to " << (withheld ? rate : newRate) << " bit/s"
                  << (m_window == UNLIMITED ? "" : ", window " + std::to_string(m_window))
                  << (m_window == UNLIMITED && window == UNLIMITED
                          ? ""
                          : " to " + std::to_string(withheld ? window : newWindow) + " B"));
    }
    m_reductions += reduces;
    m_window = newWindow;
    m_rate = newRate;
    if (withheld)
    {
        m_dueSincePs = m_owes ? m_dueSincePs : nowPs;
        m_dueWindow = std::max<uint64_t>(window, 1);
        m_dueRate = ClipRate(rate);
    }
    else
    {
        m_dueWindow = m_window;
        m_dueRate = m_rate;
    }
    m_owes = withheld;
}

void
CongestionControl::DoDispose()
{
    m_modifiers.clear();
    m_host = nullptr;
    Object::DoDispose();
}

} // namespace ns3
