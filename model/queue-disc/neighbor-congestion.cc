// SPDX-License-Identifier: GPL-2.0-only
#include "neighbor-congestion.h"

#include "ns3/fabric-time.h"

#include <algorithm>

namespace ns3
{

void
NeighborCongestion::OnNotification(const HopCongestionNotification& notification, int64_t nowPs)
{
    Expire(nowPs);
    const int64_t lapsePs = nowPs + FabricTime::ToPs(*m_timeout);
    auto told = std::find_if(m_told.begin(), m_told.end(), [&](const Told& other) {
        return other.last.queue == notification.queue;
    });
    const uint32_t before = told != m_told.end() ? told->count : 0;
    if (told != m_told.end())
    {
        m_told.erase(told);
    }
    if (notification.isKnown)
    {
        const auto isDoubtful = [&notification](const Named& named) {
            return named.queue == notification.queue && !named.isKnown;
        };
        m_named.erase(std::remove_if(m_named.begin(), m_named.end(), isDoubtful), m_named.end());
    }
    if (notification.degree > 0)
    {
        m_told.push_back({notification, lapsePs, before + 1});
        for (const FlowKey& flow : notification.flows)
        {
            auto named = std::find_if(m_named.begin(), m_named.end(), [&](const Named& other) {
                return other.flow == flow;
            });
            if (named == m_named.end())
            {
                named = m_named.insert(named, {flow, lapsePs});
            }
            named->lapsePs = lapsePs;
            named->isKnown = notification.isKnown;
            named->queue = notification.queue;
            named->hasNoWay = named->hasNoWay || notification.queue == FabricPacketItem::NO_PORT;
        }
    }
    Summarize();
}

bool
NeighborCongestion::Expire(int64_t nowPs)
{
    if (m_told.empty() && m_named.empty())
    {
        return false;
    }
    const auto isOver = [nowPs](const auto& entry) { return nowPs >= entry.lapsePs; };
    const bool wasCongested = m_degree > 0;
    m_told.erase(std::remove_if(m_told.begin(), m_told.end(), isOver), m_told.end());
    m_named.erase(std::remove_if(m_named.begin(), m_named.end(), isOver), m_named.end());
    Summarize();
    return wasCongested && m_degree == 0;
}

void
NeighborCongestion::Summarize()
{
    m_degree = 0;
    m_isKnown = false;
    for (const Told& told : m_told)
    {
        m_degree = std::max(m_degree, told.last.GetDegree());
        m_isKnown = m_isKnown || told.last.isKnown;
    }
}

uint32_t
NeighborCongestion::GetNNotifications() const
{
    uint32_t count = 0;
    for (const Told& told : m_told)
    {
        count += told.count;
    }
    return count;
}

std::vector<FlowKey>
NeighborCongestion::CollectFlows() const
{
    std::vector<FlowKey> flows;
    for (const Named& named : m_named)
    {
        flows.push_back(named.flow);
    }
    return flows;
}

std::vector<FlowKey>
NeighborCongestion::CollectFlows(uint16_t input) const
{
    std::vector<FlowKey> flows;
    for (const Named& named : m_named)
    {
        if (named.input == input)
        {
            flows.push_back(named.flow);
        }
    }
    return flows;
}

} // namespace ns3
