// SPDX-License-Identifier: GPL-2.0-only
#include "congestion-control.h"

#include "ns3/assert.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(CongestionControl);

TypeId
CongestionControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::CongestionControl").SetParent<Object>().SetGroupName("Dcfabric");
    return tid;
}

void
CongestionControl::Start(const PathInfo& path, Host* host)
{
    m_path = path;
    m_host = host;
    m_window = UNLIMITED;
    m_rate = static_cast<double>(path.lineRateBps);
    for (const auto& modifier : m_modifiers)
    {
        modifier->Start(path);
    }
    DoStart();
}

CongestionControlNeeds
CongestionControl::GetNeeds() const
{
    return {};
}

void
CongestionControl::Acknowledge(const AckInfo& ack)
{
    for (const auto& modifier : m_modifiers)
    {
        modifier->OnAck(ack);
    }
    OnAck(ack);
    for (const auto& modifier : m_modifiers)
    {
        uint64_t window = m_window;
        double rate = m_rate;
        if (modifier->Lower(ack.nowPs, window, rate))
        {
            const uint64_t before = m_reductions;
            Propose(ack.nowPs, std::max<uint64_t>(window, 1), rate);
            if (m_reductions > before) // another modifier may withhold it still
            {
                OnLowered(ack.nowPs);
            }
        }
    }
    for (const auto& modifier : m_modifiers)
    {
        uint64_t window = m_window;
        double rate = m_rate;
        if (modifier->Raise(ack.nowPs, window, rate))
        {
            Propose(ack.nowPs, window, rate, CongestionCause::RECOVERY);
            OnRaised(ack.nowPs);
        }
    }
}

void
CongestionControl::OnRaised(int64_t /* nowPs */)
{
}

void
CongestionControl::OnLowered(int64_t nowPs)
{
    OnRaised(nowPs);
}

void
CongestionControl::OnAck(const AckInfo& /* ack */)
{
}

void
CongestionControl::OnCnp(int64_t /* nowPs */)
{
}

void
CongestionControl::OnRateNotice(const RateNotice& /* notice */)
{
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
CongestionControl::OnTimeout(int64_t /* nowPs */)
{
}

void
CongestionControl::OnSend(int64_t /* nowPs */, uint32_t /* frameBytes */)
{
}

void
CongestionControl::OnTimer(uint8_t /* timer */, int64_t /* nowPs */)
{
}

bool
CongestionControl::WantsOnSend() const
{
    return false;
}

int64_t
CongestionControl::AssignStreams(int64_t /* stream */)
{
    return 0;
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
    m_rate = std::min(rate, static_cast<double>(m_path.lineRateBps));
}

void
CongestionControl::Propose(int64_t nowPs, uint64_t window, double rate, CongestionCause cause)
{
    CongestionProposal proposal{nowPs, cause, window, rate, m_window, m_rate, window, rate};
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
    window = std::max<uint64_t>(proposal.window, 1);
    rate = std::min(proposal.rate, static_cast<double>(m_path.lineRateBps));
    m_reductions += window < m_window || rate < m_rate;
    m_window = window;
    m_rate = rate;
}

void
CongestionControl::DoDispose()
{
    m_modifiers.clear();
    m_host = nullptr;
    Object::DoDispose();
}

} // namespace ns3
