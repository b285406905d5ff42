// SPDX-License-Identifier: GPL-2.0-only
#ifndef REORDERING_WINDOW_H
#define REORDERING_WINDOW_H

#include "reordering-memory.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief How much later than those sent after it a packet may arrive before it is lost: RACK.rtt,
 * RACK.xmit_ts and RACK.reo_wnd of RFC 8985 for one connection.
 *
 * The newest packet is the one sent last of all that have been answered. A packet sent before it is
 * lost when the RTT of the newest and the window have passed since it was sent (section 6.2, step
 * 5). The window follows what was seen:
 *
 * - Each answer tells when the packet left that it answers, and so how much more time it took than
 *   the newest one. The window is at least twice the most of this round and the last. That takes
 *   the place of the RFC's count of DSACKs: an answer to the first copy of a packet that was sent
 *   again is one to a late packet as any other, and tells how late.
 * - It also tells its RTT. Packets that wait in a long queue may be overtaken by the next ones as
 *   soon as these find a way around it, such as a detour, although none was before: by as much as
 *   the longest RTT is above the shortest, of this round and the last. The window is at least that
 *   where a queue that grows further drops, and twice that where flow control lets it grow.
 * - At the end of each round it falls by 1/16 of what it is above that, as the RFC keeps a larger
 *   window for 16 recoveries (section 6.2, step 4). A round ends with the first answer to a packet
 *   that was sent a window after its begin: so long it takes to see a packet as late as that.
 *   The lateness itself would do where a queue grows steadily on one of the paths: if a packet that
 *   leaves at t is late by g t, all that left before it have been seen when it is missed, at
 *   t + g t. Twice leaves room for paths that are seldom seen.
 * - It is never below some base RTTs, where the RFC begins with a quarter of the least RTT, or with
 *   zero as long as nothing was overtaken: where this rule is used packets overtake one another
 *   from the first one on, and what is not yet seen has to be covered. Senders that begin together
 *   have a base RTT's worth of packets each on their way before the first answer: where n of them
 *   meet at a port, with another path beside it, packets are late by n - 1 base RTTs.
 * - It begins with what other connections of the host have needed of late (ReorderingMemory).
 */
class ReorderingWindow
{
  public:
    /**
     * @param leastPs least window in ps, above 0
     * @param growth by how many times the queues that RTTs tell of may have grown when packets are
     * missed: 1 where they are bounded, 2 where they are not
     */
    ReorderingWindow(int64_t leastPs, int64_t growth)
        : m_windowPs(leastPs),
          m_leastPs(leastPs),
          m_growth(growth)
    {
    }

    /**
     * @brief Begin with what other connections have needed, and tell them.
     * @param memory of the host
     * @param nowPs time
     */
    void Share(Ptr<ReorderingMemory> memory, int64_t nowPs)
    {
        m_memory = memory;
        m_windowPs = std::max(m_windowPs, memory->GetPs(nowPs));
    }

    /**
     * @brief An answer has arrived.
     * @param sentPs when the packet left that it answers
     * @param nowPs time
     */
    void OnArrival(int64_t sentPs, int64_t nowPs)
    {
        const int64_t rttPs = nowPs - sentPs;
        m_present.leastPs = std::min(m_present.leastPs, rttPs);
        m_present.mostPs = std::max(m_present.mostPs, rttPs);
        if (sentPs >= m_newestPs)
        {
            m_newestPs = sentPs;
            m_rttPs = rttPs;
        }
        else
        {
            m_present.latePs = std::max(m_present.latePs, rttPs - m_rttPs);
        }
        const int64_t spreadPs =
            std::max(m_present.mostPs, m_last.mostPs) - std::min(m_present.leastPs, m_last.leastPs);
        const int64_t latePs = std::max(m_present.latePs, m_last.latePs);
        const int64_t seenPs = std::max({m_leastPs, FACTOR * latePs, m_growth * spreadPs});
        const bool isRound = sentPs >= m_roundPs;
        if (m_memory && seenPs > m_leastPs && (isRound || seenPs > m_windowPs))
        {
            m_memory->Note(seenPs, nowPs);
        }
        m_windowPs = std::max(m_windowPs, seenPs);
        if (isRound)
        {
            m_windowPs -= (m_windowPs - seenPs) / DECAY;
            m_roundPs = nowPs + m_windowPs;
            m_last = m_present;
            m_present = Round();
        }
    }

    /// @return when the newest packet left that was answered; less than all times at first
    int64_t GetNewestPs() const
    {
        return m_newestPs;
    }

    /**
     * @param sentPs when a packet left, before GetNewestPs()
     * @return when it is lost if nothing arrives that answers it, in ps
     */
    int64_t GetDuePs(int64_t sentPs) const
    {
        return sentPs + m_rttPs + m_windowPs;
    }

    /**
     * @param nowPs time
     * @return packets that left then or before, and have not been answered, are lost
     */
    int64_t GetLostUntilPs(int64_t nowPs) const
    {
        return std::min(m_newestPs - 1, nowPs - m_rttPs - m_windowPs);
    }

    /// @return the window in ps
    int64_t GetPs() const
    {
        return m_windowPs;
    }

  private:
    static constexpr int64_t FACTOR = 2; //!< over the latest packet
    static constexpr int64_t DECAY = 16; //!< rounds

    /// What was seen in a round.
    struct Round
    {
        int64_t leastPs{std::numeric_limits<int64_t>::max()}; //!< shortest RTT
        int64_t mostPs{0};                                    //!< longest RTT
        int64_t latePs{0};                                    //!< latest packet
    };

    int64_t m_windowPs;                                          //!< RACK.reo_wnd
    int64_t m_leastPs;                                           //!< its least
    int64_t m_growth;                                            //!< of queues
    int64_t m_newestPs{std::numeric_limits<int64_t>::min() / 2}; //!< RACK.xmit_ts
    int64_t m_rttPs{0};                                          //!< RACK.rtt
    int64_t m_roundPs{0};           //!< the round lasts until an answer to what leaves then
    Ptr<ReorderingMemory> m_memory; //!< shared with other connections; null: none
    Round m_present;                //!< the round
    Round m_last;                   //!< the one before
};

} // namespace ns3

#endif /* REORDERING_WINDOW_H */
