// SPDX-License-Identifier: GPL-2.0-only
#ifndef RCM_FLOW_CAM_H
#define RCM_FLOW_CAM_H

#include "rcm-notification.h"
#include "rcm-parameters.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Recognition of the harmful flows of one output queue: a memory of sampled flows that is
 * written cyclically (CFR, [RCM] section 3.3).
 *
 * A flow is harmful while at least MinHits of the CamDepth latest samples are of it. By the letter
 * of the paper one is enough; but then every flow of its figure 6 is harmful, and nothing is left
 * that could pass. The distance of samples is random, from 0 to twice CamBytes: at regular ones a
 * flow that an arbiter serves in turn would be met always or never.
 */
class RcmFlowCam
{
  public:
    /// @param parameters outlive this object
    explicit RcmFlowCam(const RcmParameters& parameters)
        : m_parameters(&parameters)
    {
    }

    /**
     * @brief A packet passes the queue.
     * @param flow its flow
     * @param bytes its size
     * @param draw random number from 0 to 1
     * @return true if it was sampled: the first one, then one for each interval
     */
    bool OnPacket(const RcmFlow& flow, uint32_t bytes, double draw)
    {
        m_left -= bytes;
        if (m_left > 0)
        {
            return false;
        }
        m_left = 2 * draw * static_cast<double>(m_parameters->camBytes);
        Store(flow);
        return true;
    }

    /// @brief Write a sample, over the oldest if there are CamDepth. @param flow of which it is
    void Store(const RcmFlow& flow)
    {
        m_latest.resize(m_parameters->camDepth);
        m_latest[m_next] = flow;
        m_next = (m_next + 1) % m_latest.size();
        m_samples = std::min<std::size_t>(m_samples + 1, m_latest.size());
    }

    /// @brief Forget all samples; the next packet is sampled.
    void Clear()
    {
        *this = RcmFlowCam(*m_parameters);
    }

    /// @return true if there are CamDepth samples
    bool IsFull() const
    {
        return m_samples == m_parameters->camDepth;
    }

    /// @param flow any @return samples of it
    uint32_t CountHits(const RcmFlow& flow) const
    {
        const auto end = m_latest.begin() + static_cast<std::ptrdiff_t>(m_samples);
        return static_cast<uint32_t>(std::count(m_latest.begin(), end, flow));
    }

    /// @param flow any @return true if it is harmful
    bool IsHarmful(const RcmFlow& flow) const
    {
        return CountHits(flow) >= m_parameters->minHits;
    }

    /// @return the harmful flows, by number of samples, of equal ones that sampled last first
    std::vector<RcmFlow> CollectHarmful() const
    {
        std::vector<RcmFlow> flows;
        for (std::size_t age = 1; age <= m_samples; ++age)
        {
            const RcmFlow& flow = m_latest[(m_next + m_latest.size() - age) % m_latest.size()];
            if (IsHarmful(flow) && std::find(flows.begin(), flows.end(), flow) == flows.end())
            {
                flows.push_back(flow);
            }
        }
        std::stable_sort(flows.begin(), flows.end(), [this](const RcmFlow& a, const RcmFlow& b) {
            return CountHits(a) > CountHits(b);
        });
        return flows;
    }

  private:
    const RcmParameters* m_parameters; //!< attributes
    double m_left{0};                  //!< bytes to pass before the next sample
    std::vector<RcmFlow> m_latest;     //!< samples in their places, m_samples of them valid
    std::size_t m_next{0};             //!< place of the next one
    std::size_t m_samples{0};          //!< so far, up to CamDepth
};

} // namespace ns3

#endif /* RCM_FLOW_CAM_H */
