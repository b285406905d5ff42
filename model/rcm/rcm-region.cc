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
    }
    m_queues[queue] = degree;
    m_local = *std::max_element(m_queues.begin(), m_queues.end());
}

void
RcmRegion::Store(const FlowKey& flow)
{
    m_cam.Store(flow);
    if (m_recognized.empty())
    {
        Recognize();
    }
}

void
RcmRegion::Recognize()
{
    if (m_queues[0] > 0 && m_cam.IsFull())
    {
        m_recognized = m_cam.CollectFrequent();
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
    std::vector<FlowKey> flows = GetRemoteDegree() > 0 ? m_neighbor.CollectFlows() : m_recognized;
    flows.resize(std::min<std::size_t>(flows.size(), m_parameters->maxFlows));
    return flows;
}

} // namespace ns3
