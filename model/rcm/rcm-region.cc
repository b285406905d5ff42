// SPDX-License-Identifier: GPL-2.0-only
#include "rcm-region.h"

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
        m_standsOut = false;
    }
    m_queues[queue] = degree;
    m_local = *std::max_element(m_queues.begin(), m_queues.end());
}

void
RcmRegion::Store(const FlowKey& flow, uint16_t input)
{
    m_cam.Store(flow, input);
    ++m_since;
    if (m_recognized.empty() || (!m_standsOut && m_since >= m_parameters->camDepth))
    {
        Recognize();
    }
}

void
RcmRegion::Recognize()
{
    if (m_queues[0] > 0 && m_cam.IsFull())
    {
        m_recognized = m_cam.CollectOutstanding();
        m_standsOut = !m_recognized.empty();
        if (!m_standsOut)
        {
            m_recognized = m_cam.CollectFrequent();
        }
        m_since = 0;
    }
}

bool
RcmRegion::CallsForDetours(uint64_t reservedBytes) const
{
    const RcmParameters& p = *m_parameters;
    const double full = p.detourFill * static_cast<double>(p.reserveBytes);
    return m_local > 0 || static_cast<double>(reservedBytes) > full ||
           (GetRemoteDegree() > 0 && (m_neighbor.GetNNotifications() >= p.detourNotifications ||
                                      (p.detourDegree > 0 && GetRemoteDegree() >= p.detourDegree)));
}

std::vector<FlowKey>
RcmRegion::CollectHarmful() const
{
    if (GetRemoteDegree() > 0)
    {
        return m_neighbor.CollectFlows();
    }
    std::vector<FlowKey> flows;
    for (const auto& sample : m_recognized)
    {
        flows.push_back(sample.flow);
    }
    return flows;
}

std::vector<FlowKey>
RcmRegion::TakeHarmful(uint16_t input)
{
    std::vector<FlowKey> flows;
    if (GetRemoteDegree() > 0)
    {
        flows = m_neighbor.CollectFlows(input);
    }
    else
    {
        for (const auto& sample : m_recognized)
        {
            if (sample.origin == input)
            {
                flows.push_back(sample.flow);
            }
        }
    }
    if (flows.size() > m_parameters->maxFlows)
    {
        std::rotate(flows.begin(), flows.begin() + m_taken % flows.size(), flows.end());
        m_taken += m_parameters->maxFlows;
        flows.resize(m_parameters->maxFlows);
    }
    return flows;
}

} // namespace ns3
