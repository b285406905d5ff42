// SPDX-License-Identifier: GPL-2.0-only
#include "modifier-chain.h"

#include "congestion-control.h"

#include "ns3/assert.h"
#include "ns3/log.h"

#include <algorithm>

namespace ns3
{

LogComponent ModifierChain::g_log("ModifierChain", __FILE__);

ModifierChain::ModifierChain(CongestionControl& cc)
    : m_cc(cc)
{
}

void
ModifierChain::Add(Ptr<CongestionModifier> modifier)
{
    NS_ASSERT(modifier);
    m_modifiers.push_back(modifier);
}

void
ModifierChain::Start(const PathInfo& path)
{
    m_isDue = false;
    m_roundTripPs = path.baseRttPs;
    m_filters.clear();
    for (const auto& modifier : m_modifiers)
    {
        modifier->Start(path);
        if (SignalFilter* filter = modifier->GetSignalFilter())
        {
            m_filters.push_back(filter);
        }
    }
}

AckInfo
ModifierChain::FilterAck(const AckInfo& came) const
{
    AckInfo told = came;
    for (SignalFilter* filter : m_filters)
    {
        filter->FilterAck(told);
    }
    return told;
}

bool
ModifierChain::PassesCnp() const
{
    return std::all_of(m_filters.begin(), m_filters.end(), [](SignalFilter* filter) {
        return filter->PassesCnp();
    });
}

double
ModifierChain::FilterUtilization(double utilization) const
{
    for (SignalFilter* filter : m_filters)
    {
        utilization = filter->FilterUtilization(utilization);
    }
    return utilization;
}

void
ModifierChain::BeforeAck(const AckInfo& ack)
{
    for (const auto& modifier : m_modifiers)
    {
        modifier->OnAck(ack);
    }
    m_roundTripPs = std::max(m_cc.GetPath().baseRttPs, ack.rttPs);
    Settle(ack.nowPs);
}

void
ModifierChain::AfterAck(int64_t nowPs)
{
    LowerLate(nowPs);
    RaiseEarly(nowPs);
}

void
ModifierChain::BeforeBts(const BtsNotice& notice)
{
    for (const auto& modifier : m_modifiers)
    {
        modifier->OnBts(notice);
    }
    Settle(notice.nowPs);
    if (notice.dropped)
    {
        TakeDue(notice.nowPs, CongestionCause::LOSS);
    }
}

NoticeEffect
ModifierChain::BeforeNotice(const FabricPacketItem& item, int64_t nowPs)
{
    NoticeEffect effect;
    for (const auto& modifier : m_modifiers)
    {
        const NoticeEffect one = modifier->OnNotice(item, nowPs);
        effect.gates |= one.gates;
        effect.reroutes |= one.reroutes;
    }
    Settle(nowPs);
    return effect;
}

void
ModifierChain::OnReroute(int64_t nowPs)
{
    for (const auto& modifier : m_modifiers)
    {
        modifier->OnReroute(nowPs);
    }
}

bool
ModifierChain::StampsData() const
{
    return std::any_of(m_modifiers.begin(), m_modifiers.end(), [](const auto& modifier) {
        return modifier->StampsData();
    });
}

void
ModifierChain::Stamp(FabricPacketItem& item, int64_t nowPs) const
{
    for (const auto& modifier : m_modifiers)
    {
        modifier->Stamp(item, nowPs);
    }
}

bool
ModifierChain::IsWithheld() const
{
    return std::any_of(m_modifiers.begin(), m_modifiers.end(), [](const auto& modifier) {
        return modifier->IsWithholding();
    });
}

void
ModifierChain::SettleDue(int64_t nowPs)
{
    if (nowPs - m_dueSincePs > m_roundTripPs)
    {
        NS_LOG_LOGIC(m_cc << ": a cut that was withheld is forgiven");
        m_isDue = false;
        m_cc.OnModified(nowPs, ModifierEffect::FORGIVEN);
    }
    else if (!IsWithheld())
    {
        TakeDue(nowPs, CongestionCause::SIGNAL);
    }
}

void
ModifierChain::TakeDue(int64_t nowPs, CongestionCause cause)
{
    if (!m_isDue)
    {
        return;
    }
    const uint64_t window = m_dueWindow;
    const double rate = m_dueRate;
    Apply(nowPs, window, rate, cause, true);
    if (!m_isDue && (m_cc.GetWindow() > window || m_cc.GetRate() > rate))
    {
        m_cc.OnModified(nowPs, ModifierEffect::RAISED); // a modifier made the cut smaller
    }
}

void
ModifierChain::LowerLate(int64_t nowPs)
{
    for (const auto& modifier : m_modifiers)
    {
        uint64_t window = m_cc.GetWindow();
        double rate = m_cc.GetRate();
        if (!m_isDue && !IsWithheld() && modifier->Lower(nowPs, window, rate))
        {
            Apply(nowPs, std::max<uint64_t>(window, 1), rate, CongestionCause::SIGNAL, true);
            m_cc.OnModified(nowPs, ModifierEffect::LOWERED);
        }
    }
}

void
ModifierChain::RaiseEarly(int64_t nowPs)
{
    for (const auto& modifier : m_modifiers)
    {
        uint64_t window = m_cc.GetWindow();
        double rate = m_cc.GetRate();
        if (modifier->Raise(nowPs, window, rate))
        {
            const auto effect = m_isDue ? ModifierEffect::FORGIVEN : ModifierEffect::RAISED;
            Apply(nowPs, window, rate, CongestionCause::RECOVERY, false);
            m_cc.OnModified(nowPs, effect);
        }
    }
}

void
ModifierChain::Apply(int64_t nowPs, uint64_t window, double rate, CongestionCause cause, bool late)
{
    const uint64_t oldWindow = m_cc.GetWindow();
    const double oldRate = m_cc.GetRate();
    CongestionProposal proposal{nowPs,
                                cause,
                                window,
                                rate,
                                oldWindow,
                                oldRate,
                                window,
                                rate,
                                m_isDue ? m_dueWindow : oldWindow,
                                m_isDue ? m_dueRate : oldRate,
                                late};
    for (const auto& modifier : m_modifiers)
    {
        modifier->Modify(proposal);
    }
    if (cause == CongestionCause::LOSS || cause == CongestionCause::TIMEOUT)
    {
        proposal.window = window < oldWindow ? std::min(proposal.window, window) : proposal.window;
        proposal.rate = rate < oldRate ? std::min(proposal.rate, rate) : proposal.rate;
    }
    const bool reduces = m_cc.Take(proposal.window, proposal.rate);
    const bool withheld = !reduces && (window < oldWindow || rate < oldRate);
    if (withheld)
    {
        NS_LOG_LOGIC(m_cc << ": withholds a cut, " << m_cc.DescribeChange(window, rate));
        m_dueSincePs = m_isDue ? m_dueSincePs : nowPs;
        m_dueWindow = std::max<uint64_t>(window, 1);
        m_dueRate = m_cc.ClipRate(rate);
    }
    m_isDue = withheld;
}

} // namespace ns3
