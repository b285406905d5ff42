// SPDX-License-Identifier: GPL-2.0-only
#include "receiver-control.h"

#include "ns3/log.h"

#include <algorithm>

namespace ns3
{

LogComponent ReceiverControl::g_log("ReceiverControl", __FILE__);

NS_OBJECT_ENSURE_REGISTERED(ReceiverControl);

TypeId
ReceiverControl::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ReceiverControl").SetParent<Object>().SetGroupName("Dcfabric");
    return tid;
}

ReceiverControl::ReceiverControl() = default;

ReceiverControl::~ReceiverControl() = default;

void
ReceiverControl::Start(const ReceiverInfo& info, Host* host)
{
    m_info = info;
    m_host = host;
    DoStart();
}

void
ReceiverControl::DoStart()
{
}

int64_t
ReceiverControl::AssignStreams(int64_t /* stream */)
{
    return 0;
}

void
ReceiverControl::TellArrival(const ReceiverArrival& arrival)
{
    if (arrival.flow >= m_flows.size())
    {
        m_flows.resize(arrival.flow + 1);
    }
    Flow& flow = m_flows[arrival.flow];
    flow.receivedBytes += arrival.trimmed ? m_info.packetBytes : arrival.frameBytes;
    // packets that were overtaken tell what was wanted before
    const int64_t more = CreditUnits::GetExcess(arrival.demand, flow.target);
    flow.target += static_cast<uint64_t>(std::max<int64_t>(more, 0));
    if (arrival.asks && flow.GetWanted() == 0 && flow.granted > 0)
    {
        NS_LOG_LOGIC("flow " << arrival.flow << ": tells " << flow.granted << " again");
        Send(arrival.flow, GrantFields::OWN_PRIORITY);
    }
    OnArrival(arrival);
    Serve(arrival.nowPs);
}

void
ReceiverControl::TellGone(uint32_t flow)
{
    if (flow < m_flows.size())
    {
        OnGone(flow);
    }
}

void
ReceiverControl::OnGone(uint32_t /* flow */)
{
}

void
ReceiverControl::TellTimer(int64_t nowPs)
{
    Serve(nowPs);
}

void
ReceiverControl::Serve(int64_t nowPs)
{
    while (nowPs >= m_nextPs)
    {
        const std::optional<Grant> grant = NextGrant(nowPs);
        if (!grant)
        {
            return;
        }
        m_flows[grant->flow].granted += grant->units;
        NS_LOG_LOGIC("flow " << grant->flow << ": grants " << grant->units << " units, "
                             << m_flows[grant->flow].granted << " in all, "
                             << m_flows[grant->flow].target << " wanted");
        Send(grant->flow, grant->priority);
        const double rate = GetRate(nowPs);
        if (rate > 0)
        {
            const double bits = 8.0 * static_cast<double>(grant->units) * CreditUnits::BYTES;
            m_lagPs = (nowPs == m_nextPs ? m_lagPs : 0) + bits * 1e12 / rate;
            const auto wholePs = static_cast<int64_t>(m_lagPs);
            m_lagPs -= static_cast<double>(wholePs);
            m_nextPs = nowPs + std::max<int64_t>(wholePs, 1);
            m_host->SetTimer(m_nextPs);
        }
    }
}

void
ReceiverControl::Send(uint32_t flow, uint8_t priority)
{
    ++m_grants;
    m_host->SendGrant(flow, static_cast<uint32_t>(m_flows[flow].granted), priority);
}

void
ReceiverControl::DoDispose()
{
    m_host = nullptr;
    m_flows.clear();
    Object::DoDispose();
}

} // namespace ns3
