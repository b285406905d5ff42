// SPDX-License-Identifier: GPL-2.0-only
#ifndef RECENT_PACKETS_H
#define RECENT_PACKETS_H

#include <array>
#include <cstddef>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Whose packets came to an output last: tells an incast on its way from flows that only
 * share a path.
 *
 * Several flows to one receiver that fill an output between switches would fill the output to that
 * receiver, too: no other path helps them ([CCM] section 5, "in-cast traffic as no matter how to
 * switch the traffic path, it will final get congested on the last hop"; section 6.3.1 leaves the
 * way to find them open). What waits in a first-in first-out queue came last, so that a ring of the
 * last packets says who waits, at the cost of one store for each packet.
 */
class RecentPackets
{
  public:
    /// Packets that are remembered.
    static constexpr std::size_t SIZE = 32;

    /**
     * @brief A packet comes to the output.
     * @param src its source
     * @param dst its receiver
     * @param bytes of it
     */
    void Add(uint32_t src, uint32_t dst, uint32_t bytes)
    {
        m_packets[m_next] = {src, dst, bytes};
        m_next = (m_next + 1) % SIZE;
    }

    /**
     * @brief Is a flow part of an incast?
     * @param src its source
     * @param dst its receiver
     * @param waitingBytes what waits for the output: only packets of these bytes count
     * @return true if at least half of the packets go to its receiver, and not all of these come
     * from its source
     */
    bool IsIncast(uint32_t src, uint32_t dst, uint64_t waitingBytes) const
    {
        uint64_t bytes = 0;
        uint64_t toReceiver = 0;
        bool hasOthers = false;
        for (std::size_t i = 1; i <= SIZE && bytes < waitingBytes; ++i)
        {
            const Entry& packet = m_packets[(m_next + SIZE - i) % SIZE];
            bytes += packet.bytes;
            if (packet.bytes > 0 && packet.dst == dst)
            {
                toReceiver += packet.bytes;
                hasOthers |= packet.src != src;
            }
        }
        return hasOthers && 2 * toReceiver >= bytes;
    }

  private:
    /// A packet.
    struct Entry
    {
        uint32_t src{0};   //!< source
        uint32_t dst{0};   //!< receiver
        uint32_t bytes{0}; //!< of it; 0: none has come
    };

    std::array<Entry, SIZE> m_packets{}; //!< ring
    std::size_t m_next{0};               //!< place of the next one
};

} // namespace ns3

#endif /* RECENT_PACKETS_H */
