// SPDX-License-Identifier: GPL-2.0-only
#include "rcm-region.h"

#include "ns3/fabric-time.h"

#include <algorithm>

namespace ns3
{

void
RcmRegion::SetLocal(uint16_t queue, double degree)
{
    m_queues.resize(std::max<std::size_t>(m_queues.size(), queue + 1U), 0);
    m_queues[queue] = degree;
    const double before = m_local;
    m_local = *std::max_element(m_queues.begin(), m_queues.end());
    if ((before > 0) != (m_local > 0))
    {
        m_cam.Clear();
        m_recognized.clear();
    }
}

void
RcmRegion::OnPacket(const RcmFlow& flow, uint32_t bytes, double draw)
{
    if (m_cam.OnPacket(flow, bytes, draw) && m_local > 0 && m_recognized.empty() && m_cam.IsFull())
    {
        m_recognized = m_cam.CollectHarmful();
    }
}

void
RcmRegion::OnNotification(const RcmNotification& notification, int64_t nowPs)
{
    Expire(nowPs);
    auto told = std::find_if(m_told.begin(), m_told.end(), [&](const Told& other) {
        return other.last.queue == notification.queue;
    });
    if (notification.degree > 0)
    {
        const uint32_t before = told != m_told.end() ? told->count : 0;
        told = told != m_told.end() ? told : m_told.insert(told, Told());
        const int64_t lapsePs = nowPs + FabricTime::ToPs(m_parameters->remoteTimeout);
        *told = {notification, lapsePs, before + 1};
    }
    else if (told != m_told.end())
    {
        m_told.erase(told);
    }
    Summarize();
}

bool
RcmRegion::Expire(int64_t nowPs)
{
    const auto isOver = [nowPs](const Told& told) { return nowPs >= told.lapsePs; };
    const auto valid = std::remove_if(m_told.begin(), m_told.end(), isOver);
    if (valid == m_told.end())
    {
        return false;
    }
    m_told.erase(valid, m_told.end());
    Summarize();
    return m_told.empty();
}

void
RcmRegion::Summarize()
{
    m_remote = 0;
    m_named.clear();
    for (const Told& told : m_told)
    {
        m_remote = std::max(m_remote, told.last.GetDegree());
        for (const RcmFlow& flow : told.last.flows)
        {
            if (std::find(m_named.begin(), m_named.end(), flow) == m_named.end())
            {
                m_named.push_back(flow);
            }
        }
    }
}

uint32_t
RcmRegion::GetNNotifications() const
{
    uint32_t count = 0;
    for (const Told& told : m_told)
    {
        count += told.count;
    }
    return count;
}

std::vector<RcmFlow>
RcmRegion::CollectHarmful() const
{
    std::vector<RcmFlow> flows = m_remote > 0 ? m_named : m_recognized;
    flows.resize(std::min<std::size_t>(flows.size(), m_parameters->maxFlows));
    return flows;
}

} // namespace ns3
