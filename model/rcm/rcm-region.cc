// SPDX-License-Identifier: GPL-2.0-only
#include "rcm-region.h"

#include <algorithm>
#include <utility>

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
        m_isDoubtful = false;
        m_isLeftover = false;
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
    if (m_queues[0] <= 0 || !m_cam.IsFull())
    {
        return;
    }
    auto outstanding = m_cam.CollectOutstanding();
    if (outstanding.empty() && AsksAgain())
    {
        return;
    }
    m_isDoubtful = false;
    m_standsOut = !outstanding.empty();
    m_isLeftover = !m_standsOut && !CanCongest();
    m_recognized = m_standsOut ? std::move(outstanding) : m_cam.CollectFrequent();
    m_since = 0;
}

bool
RcmRegion::AsksAgain()
{
    if (m_isDoubtful && m_since < m_parameters->camDepth)
    {
        return true; // there are samples of the time when they were held
    }
    const double mean = m_cam.GetMean();
    m_isDoubtful = m_standsOut ||
                   (m_isDoubtful &&
                    std::any_of(m_recognized.begin(), m_recognized.end(), [&](const auto& sample) {
                        return m_cam.CountHits(sample.flow) > mean;
                    }));
    m_standsOut = false;
    m_since = 0;
    return m_isDoubtful;
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

bool
RcmRegion::CanCongest() const
{
    if (!m_rates)
    {
        return true;
    }
    uint64_t sum = 0;
    for (const uint16_t origin : m_cam.CollectOrigins())
    {
        sum += m_rates->at(origin);
    }
    return sum > m_rates->at(m_port);
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
        if (!m_isLeftover)
        {
            flows.push_back(sample.flow);
        }
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
            if (sample.origin == input && !m_isLeftover)
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
