// SPDX-License-Identifier: GPL-2.0-only
#ifndef SENT_ENTROPIES_H
#define SENT_ENTROPIES_H

#include <cstdint>
#include <deque>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Which entropies the packets have that a sender has not heard of; kept for load balancers
 * that ask for it (LoadBalancer::NeedsLosses()).
 */
class SentEntropies
{
  public:
    /// No packet, or one of which all has been told.
    static constexpr uint32_t NONE = UINT32_MAX;

    /**
     * @brief A packet is sent, for the first time or again.
     * @param unacked first packet that is not acknowledged in order; what is before is forgotten
     * @param seq number of the packet, at least that
     * @param entropy of it
     */
    void Note(uint64_t unacked, uint64_t seq, uint16_t entropy)
    {
        while (m_first < unacked && !m_entropies.empty())
        {
            m_entropies.pop_front();
            ++m_first;
        }
        if (m_entropies.empty())
        {
            m_first = unacked;
        }
        while (m_first + m_entropies.size() <= seq)
        {
            m_entropies.push_back(NONE);
        }
        m_entropies[seq - m_first] = entropy;
    }

    /**
     * @brief Tell the entropy of the last copy of a packet, once.
     * @param seq number of the packet
     * @return its entropy; NONE if it is not known or was told
     */
    uint32_t Take(uint64_t seq)
    {
        if (seq < m_first || seq - m_first >= m_entropies.size())
        {
            return NONE;
        }
        const uint32_t entropy = m_entropies[seq - m_first];
        m_entropies[seq - m_first] = NONE;
        return entropy;
    }

  private:
    uint64_t m_first{0};              //!< number of the first packet
    std::deque<uint32_t> m_entropies; //!< of it and those that follow
};

} // namespace ns3

#endif /* SENT_ENTROPIES_H */
