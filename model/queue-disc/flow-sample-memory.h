// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOW_SAMPLE_MEMORY_H
#define FLOW_SAMPLE_MEMORY_H

#include "ns3/flow-key.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Finds the flows that take much of a queue: a memory of the latest sampled flows that is
 * written cyclically.
 *
 * A flow is frequent while at least minHits of the camDepth latest samples are of it. The distance
 * of samples is random, from 0 to twice camBytes: at regular ones a flow that an arbiter serves in
 * turn would be met always or never.
 */
class FlowSampleMemory
{
  public:
    /// What may differ between memories.
    struct Parameters
    {
        uint32_t camDepth{0}; //!< samples that are kept, above 0
        uint32_t minHits{0};  //!< samples that make a flow frequent
        uint64_t camBytes{0}; //!< mean bytes from one sample to the next
    };

    /// @param parameters outlive this object
    explicit FlowSampleMemory(const Parameters& parameters)
        : m_parameters(&parameters)
    {
    }

    /**
     * @brief A packet passes the queue.
     * @param bytes its size
     * @param draw random number from 0 to 1, used if it is a sample
     * @return true if it is one, to be stored: the first packet, then one for each interval
     */
    bool OnPacket(uint32_t bytes, double draw)
    {
        m_left -= bytes;
        if (m_left > 0)
        {
            return false;
        }
        m_left = 2 * draw * static_cast<double>(m_parameters->camBytes);
        return true;
    }

    /**
     * @brief Write a sample, over the oldest if there are camDepth. Where camDepth has changed, it
     * begins anew.
     * @param flow of which it is
     */
    void Store(const FlowKey& flow)
    {
        if (m_latest.size() != m_parameters->camDepth)
        {
            m_latest.assign(m_parameters->camDepth, {});
            m_next = 0;
            m_samples = 0;
        }
        m_latest[m_next] = flow;
        m_next = m_next + 1 == m_latest.size() ? 0 : m_next + 1;
        m_samples = std::min<std::size_t>(m_samples + 1, m_latest.size());
    }

    /// @brief Forget all samples; the next packet is sampled.
    void Clear()
    {
        *this = FlowSampleMemory(*m_parameters);
    }

    /// @return true if there are camDepth samples
    bool IsFull() const
    {
        return m_samples == m_parameters->camDepth;
    }

    /**
     * @param flow any
     * @return samples of it
     */
    uint32_t CountHits(const FlowKey& flow) const
    {
        const auto end = m_latest.begin() + static_cast<std::ptrdiff_t>(m_samples);
        return static_cast<uint32_t>(std::count(m_latest.begin(), end, flow));
    }

    /**
     * @param flow any
     * @return true if it is frequent
     */
    bool IsFrequent(const FlowKey& flow) const
    {
        return CountHits(flow) >= m_parameters->minHits;
    }

    /// @return the frequent flows, by number of samples, of equal ones that sampled last first
    std::vector<FlowKey> CollectFrequent() const
    {
        std::vector<FlowKey> flows;
        for (std::size_t age = 1; age <= m_samples; ++age)
        {
            const FlowKey& flow = m_latest[(m_next + m_latest.size() - age) % m_latest.size()];
            if (IsFrequent(flow) && std::find(flows.begin(), flows.end(), flow) == flows.end())
            {
                flows.push_back(flow);
            }
        }
        std::stable_sort(flows.begin(), flows.end(), [this](const FlowKey& a, const FlowKey& b) {
            return CountHits(a) > CountHits(b);
        });
        return flows;
    }

  private:
    const Parameters* m_parameters; //!< of this and others
    double m_left{0};               //!< bytes to pass before the next sample
    std::vector<FlowKey> m_latest;  //!< samples in their places, m_samples of them valid
    std::size_t m_next{0};          //!< place of the next one
    std::size_t m_samples{0};       //!< so far, up to camDepth
};

} // namespace ns3

#endif /* FLOW_SAMPLE_MEMORY_H */
