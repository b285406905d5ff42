// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOW_SAMPLE_MEMORY_H
#define FLOW_SAMPLE_MEMORY_H

#include "ns3/flow-key.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
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
            m_origins.clear();
        }
        m_isCounted = false;
        if (origin >= m_origins.size())
        {
            m_origins.resize(origin + 1U, 0);
        }
        if (IsFull())
        {
            --m_origins[m_latest[m_next].origin];
        }
        ++m_origins[origin];
        m_latest[m_next] = {flow, origin};
        m_next = m_next + 1 == m_latest.size() ? 0 : m_next + 1;
        m_samples = std::min<std::size_t>(m_samples + 1, m_latest.size());
    }

    /// @brief Forget all samples; the next packet is sampled.
    void Clear()
    {
        m_left = 0;
        m_latest.clear();
        m_next = 0;
        m_samples = 0;
        m_origins.clear();
        m_shares.clear();
        m_isCounted = true;
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
        const std::size_t flows = Count().size();
        return flows > 0 ? static_cast<double>(m_samples) / static_cast<double>(flows) : 0;
    }

    /// @return where the samples came from, each place once, ascending
    std::vector<uint16_t> CollectOrigins() const
    {
        std::vector<uint16_t> origins;
        for (std::size_t origin = 0; origin < m_origins.size(); ++origin)
        {
            if (m_origins[origin] > 0)
            {
                origins.push_back(static_cast<uint16_t>(origin));
            }
        }
        return origins;
    }

    /// @return the latest sample of each frequent flow, by number of samples, of equal ones that
    /// sampled last first
    std::vector<Sample> CollectFrequent() const
    {
        return Collect(m_parameters->minHits, 0);
    }

    /// @return the latest sample of each frequent flow that stands out, in the same order
    std::vector<Sample> CollectOutstanding() const
    {
        const double mean = GetMean();
        // one that is alone does
        const double most =
            Count().size() > 1 ? mean + m_parameters->standOut * std::sqrt(mean) : 0;
        return Collect(Count().size() > 1 ? m_parameters->minHits : 0, most);
    }

  private:
    /// A flow that has samples.
    struct Share
    {
        uint32_t hits; //!< how many
        Sample latest; //!< of them
    };

    /// @return the flows, by number of samples, of equal ones that sampled last first
    const std::vector<Share>& Count() const
    {
        if (m_isCounted)
        {
            return m_shares;
        }
        m_isCounted = true;
        m_shares.clear();
        std::size_t place = m_next;
        for (std::size_t age = 1; age <= m_samples; ++age)
        {
            place = (place == 0 ? m_latest.size() : place) - 1;
            const Sample& sample = m_latest[place];
            const auto same =
                std::find_if(m_shares.begin(), m_shares.end(), [&sample](const Share& other) {
                    return other.latest.flow == sample.flow;
                });
            if (same == m_shares.end())
            {
                m_shares.push_back({1, sample});
            }
            else
            {
                ++same->hits;
            }
        }
        // few, and most often in order
        for (auto unsorted = m_shares.begin(); unsorted != m_shares.end(); ++unsorted)
        {
            const auto fewer = std::upper_bound(
                m_shares.begin(),
                unsorted,
                unsorted->hits,
                [](uint32_t hits, const Share& other) { return hits > other.hits; });
            std::rotate(fewer, unsorted, unsorted + 1);
        }
        return m_shares;
    }

    /**
     * @param least samples
     * @param most samples of those that are left out
     * @return the latest sample of each flow with so many
     */
    std::vector<Sample> Collect(uint32_t least, double most) const
    {
        std::vector<Sample> samples;
        for (const Share& share : Count())
        {
            if (share.hits < least || share.hits <= most)
            {
                break;
            }
            samples.push_back(share.latest);
        }
        return samples;
    }

    const Parameters* m_parameters;      //!< of this and others
    double m_left{0};                    //!< bytes to pass before the next sample
    std::vector<Sample> m_latest;        //!< samples in their places, m_samples of them valid
    std::size_t m_next{0};               //!< place of the next one
    std::size_t m_samples{0};            //!< so far, up to camDepth
    std::vector<uint32_t> m_origins;     //!< samples by where they came from
    mutable std::vector<Share> m_shares; //!< Count()
    mutable bool m_isCounted{true};      //!< they are those of the samples
};

} // namespace ns3

#endif /* FLOW_SAMPLE_MEMORY_H */
