// SPDX-License-Identifier: GPL-2.0-only
#ifndef SHARE_LIMITER_H
#define SHARE_LIMITER_H

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Limits what some packets take of an output: of each window of W bytes that it sends, at
 * most a part.
 *
 * Once the part is used up these packets wait until W bytes of all packets have left, or for as
 * long as W takes at the rate of the line, so that an output without other packets does not wait
 * for ever. What a packet takes beyond the part or W, the next windows have less: otherwise a
 * window of few packets would have no effect.
 */
class ShareLimiter
{
  public:
    /// @param rateBps rate of the line in bit/s, above 0
    explicit ShareLimiter(uint64_t rateBps);

    /**
     * @brief The line has another rate.
     * @param rateBps bit/s, above 0
     */
    void SetRate(uint64_t rateBps);

    /**
     * @brief Begin the first window, behind the packet that is being sent.
     * @param window W in bytes, above 0
     * @param part of it that limited packets may take, above 0
     * @param bytes size of the packet
     * @param nowPs time in ps at which it began
     */
    void Begin(int64_t window, int64_t part, uint32_t bytes, int64_t nowPs);

    /// @brief Nothing is limited any more.
    void End();

    /**
     * @brief Change the part in the middle of a window.
     * @param part bytes, above 0
     */
    void SetPart(int64_t part)
    {
        m_part = part;
    }

    /// @return W in bytes; 0: nothing is limited
    int64_t GetWindow() const
    {
        return m_window;
    }

    /// @return bytes of W that limited packets may take; 0: nothing is limited
    int64_t GetPart() const
    {
        return m_part;
    }

    /**
     * @brief The output has taken a packet, after Begin().
     * @param isLimited it is one of those that are limited
     * @param bytes its size
     * @param nowPs time in ps, not before that of any earlier call
     */
    void OnSent(bool isLimited, uint32_t bytes, int64_t nowPs);

    /**
     * @param nowPs time in ps
     * @return true if limited packets may be sent; others always may
     */
    bool MaySend(int64_t nowPs) const
    {
        return m_limitedSent < m_part || m_part == 0 ||
               m_limitedSent / m_part <= CountElapsed(nowPs);
    }

    /**
     * @param nowPs time in ps at which they may not
     * @return when they may even if nothing is sent, later than that
     */
    int64_t GetRetryPs(int64_t nowPs) const;

    /**
     * @param bytes any
     * @return time that they take at the rate of the line, in ps
     */
    int64_t GetLinePs(int64_t bytes) const;

  private:
    /**
     * @brief Windows are over.
     * @param count how many
     * @param endPs when the last one is
     */
    void Roll(int64_t count, int64_t endPs);

    /**
     * @param nowPs time
     * @return windows that are over because of their time
     */
    int64_t CountElapsed(int64_t nowPs) const;

    int64_t m_part{0};        //!< that limited packets may take
    int64_t m_limitedSent{0}; //!< bytes of them in this window
    int64_t m_window{0};      //!< W
    int64_t m_sent{0};        //!< bytes of all packets in this window
    int64_t m_startPs{0};     //!< of this window
    int64_t m_windowPs{1};    //!< time of W on the line
    double m_psPerByte{0};    //!< of the line
};

} // namespace ns3

#endif /* SHARE_LIMITER_H */
