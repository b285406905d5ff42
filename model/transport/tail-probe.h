// SPDX-License-Identifier: GPL-2.0-only
#ifndef TAIL_PROBE_H
#define TAIL_PROBE_H

#include "ack-timeout.h"

#include "ns3/fabric-time.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief When a sender asks whether the last packets that it sent have arrived, as tail loss
 * probes (RFC 8985, section 7) do.
 *
 * A packet behind which nothing more is answered cannot be found lost by what was sent later. After
 * some time without packet and answer the sender therefore sends a probe. That of the RFC is a new
 * packet, or the last one again; this one has no payload, and the number of a packet that has been
 * acknowledged, as the keep-alives of TCP (RFC 9293, section 3.8.4): nothing is retransmitted
 * needlessly where packets are only late. It is of the class of data and waits with it. Its answer
 * tells what has arrived, and counts as that to any packet sent at its time.
 *
 * The RFC sends one probe and leaves the rest to the time-out, which is as long as SRTT + 4 RTTVAR
 * there. Ours is far longer (AckTimeout), so a probe without answer is repeated, with the back-off
 * of RFC 9002, section 6.2.1, up to that of the time-out.
 */
class TailProbe
{
  public:
    /**
     * @brief An answer has come, whatever it tells.
     * @param nowPs time
     */
    void OnAnswer(int64_t nowPs)
    {
        m_answerPs = nowPs;
        m_unanswered = 0;
        m_wanted = false;
        m_sentPs = FabricTime::NEVER;
    }

    /// The time of GetDuePs() has come.
    void Want()
    {
        m_wanted = true;
    }

    /**
     * @brief That time has come, but nothing could be sent.
     * @param nowPs time
     */
    void Defer(int64_t nowPs)
    {
        m_answerPs = nowPs;
    }

    /// A packet leaves that tells as much as a probe.
    void Cancel()
    {
        m_wanted = false;
        m_sentPs = FabricTime::NEVER;
    }

    /**
     * @brief A probe leaves.
     * @param nowPs time
     */
    void Send(int64_t nowPs)
    {
        ++m_unanswered;
        m_wanted = false;
        m_sentPs = std::min(m_sentPs, nowPs);
    }

    /**
     * @param sentPs when a packet left that is answered
     * @return true if it was a probe behind which nothing else was sent
     */
    bool IsAnswered(int64_t sentPs) const
    {
        return sentPs >= m_sentPs;
    }

    /// @return true if one is to be sent
    bool IsWanted() const
    {
        return m_wanted;
    }

    /**
     * @param lastSendPs when the last packet left, probes included
     * @param delayPs how long to wait then, without back-off
     * @return when to send the next one, in ps
     */
    int64_t GetDuePs(int64_t lastSendPs, int64_t delayPs) const
    {
        return std::max(lastSendPs, m_answerPs) +
               (delayPs << std::min(m_unanswered, AckTimeout::MAX_BACKOFF));
    }

  private:
    int64_t m_answerPs{std::numeric_limits<int64_t>::min()}; //!< last answer
    uint32_t m_unanswered{0};                                //!< probes since
    int64_t m_sentPs{FabricTime::NEVER}; //!< first probe since the last answer and packet
    bool m_wanted{false};                //!< one is to be sent
};

} // namespace ns3

#endif /* TAIL_PROBE_H */
