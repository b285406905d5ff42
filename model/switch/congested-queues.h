// SPDX-License-Identifier: GPL-2.0-only
#ifndef CONGESTED_QUEUES_H
#define CONGESTED_QUEUES_H

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief How many queues of a class are congested, where one that is short of the length of a
 * congested one counts by the fraction of it that it has.
 */
class CongestedQueues
{
  public:
    /**
     * @brief Begin with empty queues.
     * @param nPorts ports
     * @param congestedBytes length from which on a queue counts fully, above 0
     */
    void Configure(std::size_t nPorts, uint64_t congestedBytes)
    {
        m_congestedBytes = congestedBytes;
        m_counted.assign(nPorts * 8, 0);
        m_sums.fill(0);
    }

    /**
     * @brief A queue has another length.
     * @param port of it
     * @param priority class, 0 to 7
     * @param bytes length
     */
    void Set(uint16_t port, uint8_t priority, uint64_t bytes)
    {
        uint64_t& counted = m_counted[port * 8U + priority];
        const uint64_t now = std::min(bytes, m_congestedBytes);
        m_sums[priority] += now - counted; // modulo 2^64
        counted = now;
    }

    /**
     * @param priority class, 0 to 7
     * @return how many of its queues are congested, at least 1
     */
    double GetNumber(uint8_t priority) const
    {
        return std::max(1.0,
                        static_cast<double>(m_sums[priority]) /
                            static_cast<double>(m_congestedBytes));
    }

  private:
    uint64_t m_congestedBytes{1};     //!< length of a queue that counts fully
    std::vector<uint64_t> m_counted;  //!< by port and class: bytes, at most m_congestedBytes
    std::array<uint64_t, 8> m_sums{}; //!< of these, by class
};

} // namespace ns3

#endif /* CONGESTED_QUEUES_H */
