// SPDX-License-Identifier: GPL-2.0-only
#ifndef ACK_TIMEOUT_H
#define ACK_TIMEOUT_H

#include <algorithm>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief How long the sender of a PDC waits for an acknowledgement.
 *
 * As in RFC 6298: with SRTT and RTTVAR moving averages of the RTT and of its deviation, of gains
 * 1/8 and 1/4,
 *
 *   time-out = SRTT + 4 x RTTVAR, but at least leastRtts base RTTs,
 *
 * and before the first RTT firstRtts base RTTs. The base RTT is the larger of that of the pair of
 * hosts and T: the queues that it has to cover are those of the network, which all senders fill,
 * however near the two are to each other. An RTT is taken once in each SRTT, as the gains are
 * meant for, and from every ACK whose RTT is above half the time-out, which a queue that grows
 * quickly would reach before. Each ACK tells when the packet that it answers has left, so that
 * packets which were sent again count as others. What a time-out waits for is the next ACK, not
 * that of one packet: it has to cover gaps between ACKs and the queue that a newcomer finds.
 *
 * It doubles with each time-out in a row, but at most four times. Doubling answers a queue that is
 * longer than the time-out, and sixteen times firstRtts is the queue of 3200 senders that begin at
 * once with a window of T each. It does not answer loss: of tries that fail with probability q the
 * k-th waits 2^k time-outs, and from q = 1/2 on the sum of (2q)^k has no limit. On ways of six
 * links that lose a packet in ten, q is 0.72.
 */
class AckTimeout
{
  public:
    static constexpr uint32_t MAX_BACKOFF = 4; //!< doublings of the time-out: x 16

    /// What a NIC has for all its PDCs.
    struct Settings
    {
        int64_t fixedPs{0};  //!< time-out in ps; 0: by round-trip times
        double firstRtts{1}; //!< before the first RTT, in base RTTs
        double leastRtts{1}; //!< later on, in base RTTs
    };

    /**
     * @brief Begin.
     * @param settings of the NIC
     * @param baseRttPs base RTT in ps, above 0
     */
    void Start(const Settings& settings, int64_t baseRttPs);

    /**
     * @brief An ACK has arrived.
     * @param nowPs time
     * @param rttPs of the packet it answers
     */
    void Measure(int64_t nowPs, int64_t rttPs)
    {
        if (nowPs >= m_nextPs || rttPs > m_halfPs)
        {
            Take(nowPs, rttPs);
        }
    }

    /// @return time-out in ps, above 0, without back-off
    int64_t GetPs() const
    {
        return m_timeoutPs;
    }

    /// @return SRTT in ps; negative before the first RTT
    int64_t GetSmoothedPs() const
    {
        return m_smoothedPs;
    }

    /// It has passed, and doubles.
    void BackOff()
    {
        ++m_backoff;
    }

    /// @return true if it has passed since something new was acknowledged
    bool IsBackedOff() const
    {
        return m_backoff > 0;
    }

    /// Something new has been acknowledged: no back-off.
    void Settle()
    {
        m_backoff = 0;
    }

    /// @return time-out in ps after all doublings
    int64_t GetBackedOffPs() const
    {
        return BackOff(m_timeoutPs);
    }

    /**
     * @param timeoutPs another time-out in ps
     * @return that after all doublings of this one
     */
    int64_t BackOff(int64_t timeoutPs) const
    {
        return timeoutPs << std::min(m_backoff, MAX_BACKOFF);
    }

  private:
    /// Take an RTT into account.
    void Take(int64_t nowPs, int64_t rttPs);

    int64_t m_timeoutPs{1};   //!< present
    uint32_t m_backoff{0};    //!< time-outs in a row
    int64_t m_leastPs{0};     //!< with RTTs
    int64_t m_nextPs{0};      //!< an RTT is taken from then on
    int64_t m_halfPs{0};      //!< an RTT above is taken at once
    int64_t m_smoothedPs{-1}; //!< SRTT; negative: no RTT yet
    int64_t m_deviationPs{0}; //!< RTTVAR
};

} // namespace ns3

#endif /* ACK_TIMEOUT_H */
