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
    if (queue == 0 && (m_queues[0] > 0) != (degree > 0))
    {
        m_cam.Clear();
        m_recognized.clear();
    }
    m_queues[queue] = degree;
    m_local = *std::max_element(m_queues.begin(), m_queues.end());
}

bool
RcmRegion::OnPacket(const RcmFlow& flow, uint32_t bytes, double draw)
{
    const bool isSampled = m_cam.OnPacket(flow, bytes, draw);
    if (isSampled && m_recognized.empty())
    {
        Recognize();
    }
    return isSampled;
}

void
RcmRegion::Recognize()
{
    if (!m_queues.empty() && m_queues[0] > 0 && m_cam.IsFull())
    {
        m_recognized = m_cam.CollectHarmful();
    }
}

void
RcmRegion::OnNotification(const RcmNotification& notification, int64_t nowPs)
{
    Expire(nowPs);
    const int64_t lapsePs = nowPs + FabricTime::ToPs(m_parameters->remoteTimeout);
    auto told = std::find_if(m_told.begin(), m_told.end(), [&](const Told& other) {
        return other.last.queue == notification.queue;
    });
    const uint32_t before = told != m_told.end() ? told->count : 0;
    if (told != m_told.end())
    {
        m_told.erase(told);
    }
    if (notification.degree > 0)
    {
        m_told.push_back({notification, lapsePs, before + 1});
        for (const RcmFlow& flow : notification.flows)
        {
            const auto same = std::find_if(m_named.begin(), m_named.end(), [&](const Named& n) {
                return n.flow == flow;
            });
            if (same == m_named.end())
            {
                m_named.push_back({flow, lapsePs});
            }
            else
            {
                same->lapsePs = lapsePs;
            }
        }
    }
    Summarize();
}

bool
RcmRegion::Expire(int64_t nowPs)
{
    const auto isOver = [nowPs](const auto& entry) { return nowPs >= entry.lapsePs; };
    const bool wasRemote = m_remote > 0;
    m_told.erase(std::remove_if(m_told.begin(), m_told.end(), isOver), m_told.end());
    m_named.erase(std::remove_if(m_named.begin(), m_named.end(), isOver), m_named.end());
    Summarize();
    return wasRemote && m_remote == 0;
}

void
RcmRegion::Summarize()
{
    m_remote = 0;
    for (const Told& told : m_told)
    {
        m_remote = std::max(m_remote, told.last.GetDegree());
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
    std::vector<RcmFlow> flows = m_remote > 0 ? std::vector<RcmFlow>() : m_recognized;
    for (std::size_t i = 0; m_remote > 0 && i < m_named.size(); ++i)
    {
        flows.push_back(m_named[i].flow);
    }
    flows.resize(std::min<std::size_t>(flows.size(), m_parameters->maxFlows));
    return flows;
}

} // namespace ns3
