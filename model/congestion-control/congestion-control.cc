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

CongestionControl::CongestionControl(const CongestionControl& other)
    : Object(other)
{
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
CongestionControl::Start(const PathInfo& path, Host* host, const CongestionControlNeeds& needs)
{
    m_path = path;
    m_path.marksTell = path.marksTell && needs.ecn;
    m_host = host;
    m_window = UNLIMITED;
    m_rate = static_cast<double>(path.lineRateBps);
    if (m_chain)
    {
        m_chain->Start(m_path);
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
    if (!m_chain)
    {
        OnAck(ack);
        return;
    }
    m_chain->BeforeAck(ack);
    if (m_chain->Filters())
    {
        OnAck(m_chain->FilterAck(ack));
    }
    else
    {
        OnAck(ack);
    }
    m_chain->AfterAck(ack.nowPs);
}

void
CongestionControl::TellCnp(int64_t nowPs)
{
    SettleDue(nowPs);
    if (!m_chain || m_chain->PassesCnp())
    {
        OnCnp(nowPs);
    }
}

bool
CongestionControl::TellNotice(const FabricPacketItem& item, int64_t nowPs)
{
    const NoticeEffect effect = m_chain ? m_chain->BeforeNotice(item, nowPs) : NoticeEffect();
    OnNotice(item, nowPs);
    if (effect.gates)
    {
        m_chain->LowerLate(nowPs);
    }
    return effect.reroutes;
}

void
CongestionControl::TellReroute(int64_t nowPs)
{
    if (m_chain)
    {
        m_chain->OnReroute(nowPs);
    }
}

bool
CongestionControl::StampsData() const
{
    return m_chain && m_chain->StampsData();
}

void
CongestionControl::Stamp(FabricPacketItem& item, int64_t nowPs)
{
    if (m_chain)
    {
        m_chain->Stamp(item, nowPs);
    }
}

void
CongestionControl::TellBts(const BtsNotice& notice)
{
    if (!m_chain)
    {
        OnBts(notice);
        return;
    }
    m_chain->BeforeBts(notice);
    OnBts(notice);
    m_chain->LowerLate(notice.nowPs);
}

void
CongestionControl::TellLoss(int64_t nowPs, uint64_t lostBytes)
{
    SettleDue(nowPs);
    if (m_path.gapsTell)
    {
        LeaveAtDue(nowPs, CongestionCause::LOSS);
    }
    OnLoss(nowPs, lostBytes);
}

void
CongestionControl::TellTrim(const TrimInfo& trim)
{
    SettleDue(trim.nowPs);
    LeaveAtDue(trim.nowPs, CongestionCause::LOSS);
    OnTrim(trim);
}

void
CongestionControl::TellTimeout(int64_t nowPs)
{
    SettleDue(nowPs);
    LeaveAtDue(nowPs, CongestionCause::TIMEOUT);
    OnTimeout(nowPs);
}

void
CongestionControl::TellTimer(uint8_t timer, int64_t nowPs)
{
    SettleDue(nowPs);
    OnTimer(timer, nowPs);
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
CongestionControl::OnTrim(const TrimInfo& trim)
{
    if (trim.lostBytes > 0)
    {
        OnLoss(trim.nowPs, trim.lostBytes);
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
    if (!m_chain)
    {
        m_chain = std::make_unique<ModifierChain>(*this);
    }
    m_chain->Add(modifier);
}

const std::vector<Ptr<CongestionModifier>>&
CongestionControl::GetModifiers() const
{
    static const std::vector<Ptr<CongestionModifier>> none;
    return m_chain ? m_chain->Get() : none;
}

void
CongestionControl::SetInitial(uint64_t window, double rate)
{
    m_window = std::max<uint64_t>(window, 1);
    m_rate = ClipRate(rate);
}

void
CongestionControl::Propose(int64_t nowPs, uint64_t window, double rate, CongestionCause cause)
{
    if (m_chain)
    {
        m_chain->Propose(nowPs, window, rate, cause);
    }
    else
    {
        Take(window, rate);
    }
}

void
CongestionControl::LeaveAtDue(int64_t nowPs, CongestionCause cause)
{
    if (m_chain && (cause == CongestionCause::LOSS || cause == CongestionCause::TIMEOUT))
    {
        m_chain->TakeDue(nowPs, cause);
    }
}

bool
CongestionControl::Take(uint64_t window, double rate)
{
    NS_ASSERT_MSG(rate > 0, "a rate of zero would never end");
    const uint64_t newWindow = std::max<uint64_t>(window, 1);
    const double newRate = ClipRate(rate);
    const bool reduces = newWindow < m_window || newRate < m_rate;
    if (reduces)
    {
        NS_LOG_LOGIC(*this << ": cuts, " << DescribeChange(newWindow, newRate));
    }
    m_reductions += reduces;
    m_window = newWindow;
    m_rate = newRate;
    return reduces;
}

std::string
CongestionControl::DescribeChange(uint64_t window, double rate) const
{
    std::ostringstream text;
    text << "rate " << m_rate << " to " << rate << " bit/s";
    if (m_window != UNLIMITED)
    {
        text << ", window " << m_window;
    }
    if (m_window != UNLIMITED || window != UNLIMITED)
    {
        text << " to " << window << " B";
    }
    return text.str();
}

void
CongestionControl::DoDispose()
{
    m_chain.reset();
    m_host = nullptr;
    Object::DoDispose();
}

} // namespace ns3
