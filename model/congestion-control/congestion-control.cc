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
CongestionControl::Propose(int64_t nowPs, uint64_t window, double rate, CongestionCause cause)
{
    CongestionProposal proposal{nowPs, cause, window, rate, m_window, m_rate};
    for (const auto& modifier : m_modifiers)
    {
        modifier->Modify(proposal);
    }
    rate = std::min(proposal.rate, static_cast<double>(m_path.lineRateBps));
    m_reductions += proposal.window < m_window || rate < m_rate;
    m_window = proposal.window;
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
