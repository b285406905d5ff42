// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOW_SAMPLE_MEMORY_H
#define FLOW_SAMPLE_MEMORY_H

#include "ns3/flow-key.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Finds the flows that take much of a queue: a memory of the latest sampled flows that is
 * written cyclically.
 *
 * A flow is frequent while at least minHits of the camDepth latest samples are of it. It stands out
 * while it has far more than flows that share evenly would have. The n samples of d flows are m = n
 * / d for each on the mean, and were they drawn at random they would scatter by about the root of
 * m: a flow with more than m + standOut sqrt(m) is no equal of the others. One that is alone in the
 * memory stands out.
 *
 * The distance of samples is random, from 0 to twice camBytes: at regular ones a flow that an
 * arbiter serves in turn would be met always or never.
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
        double standOut{0};   //!< how far above the mean a flow stands out, in roots of the mean
    };

    /// What is kept of a packet.
    struct Sample
    {
        FlowKey flow;       //!< to which it belongs
        uint16_t origin{0}; //!< where it came from, in any numbers
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
     * @param origin where it came from
     */
    void Store(const FlowKey& flow, uint16_t origin = 0)
    {
        if (m_latest.size() != m_parameters->camDepth)
        {
            m_latest.assign(m_parameters->camDepth, {});
            m_next = 0;
            m_samples = 0;
        }
        m_latest[m_next] = {flow, origin};
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
        return static_cast<uint32_t>(
            std::count_if(m_latest.begin(), end, [&flow](const Sample& sample) {
                return sample.flow == flow;
            }));
    }

    /**
     * @param flow any
     * @return true if it is frequent
     */
    bool IsFrequent(const FlowKey& flow) const
    {
        return CountHits(flow) >= m_parameters->minHits;
    }

    /// @return mean number of samples of a flow that has any; 0: there are none
    double GetMean() const
    {
        const std::size_t flows = Collect(0).size();
        return flows > 0 ? static_cast<double>(m_samples) / static_cast<double>(flows) : 0;
    }

    /// @return where the samples came from, each place once
    std::vector<uint16_t> CollectOrigins() const
    {
        std::vector<uint16_t> origins;
        for (std::size_t i = 0; i < m_samples; ++i)
        {
            origins.push_back(m_latest[i].origin);
        }
        std::sort(origins.begin(), origins.end());
        origins.erase(std::unique(origins.begin(), origins.end()), origins.end());
        return origins;
    }

    /// @return the latest sample of each frequent flow, by number of samples, of equal ones that
    /// sampled last first
    std::vector<Sample> CollectFrequent() const
    {
        return Collect(m_parameters->minHits);
    }

    /// @return the latest sample of each frequent flow that stands out, in the same order
    std::vector<Sample> CollectOutstanding() const
    {
        std::vector<Sample> flows = Collect(0);
        if (flows.size() > 1)
        {
            const double mean = static_cast<double>(m_samples) / static_cast<double>(flows.size());
            const double most = mean + m_parameters->standOut * std::sqrt(mean);
            flows.erase(std::find_if(flows.begin(),
                                     flows.end(),
                                     [this, most](const Sample& sample) {
                                         const uint32_t hits = CountHits(sample.flow);
                                         return hits <= most || hits < m_parameters->minHits;
                                     }),
                        flows.end());
        }
        return flows;
    }

  private:
    /**
     * @param least samples
     * @return the latest sample of each flow with so many
     */
    std::vector<Sample> Collect(uint32_t least) const
    {
        std::vector<std::pair<uint32_t, Sample>> found;
        for (std::size_t age = 1; age <= m_samples; ++age)
        {
            const Sample& sample = m_latest[(m_next + m_latest.size() - age) % m_latest.size()];
            const auto same =
                std::find_if(found.begin(), found.end(), [&sample](const auto& other) {
                    return other.second.flow == sample.flow;
                });
            if (same == found.end())
            {
                found.emplace_back(1, sample);
            }
            else
            {
                ++same->first;
            }
        }
        std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
            return a.first > b.first;
        });
        std::vector<Sample> samples;
        for (const auto& [hits, sample] : found)
        {
            if (hits >= least)
            {
                samples.push_back(sample);
            }
        }
        return samples;
    }

    const Parameters* m_parameters; //!< of this and others
    double m_left{0};               //!< bytes to pass before the next sample
    std::vector<Sample> m_latest;   //!< samples in their places, m_samples of them valid
    std::size_t m_next{0};          //!< place of the next one
    std::size_t m_samples{0};       //!< so far, up to camDepth
};

} // namespace ns3

#endif /* FLOW_SAMPLE_MEMORY_H */
