// SPDX-License-Identifier: GPL-2.0-only
#ifndef SEND_WINDOW_H
#define SEND_WINDOW_H

#include "packet-bitmap.h"
#include "vector-queue.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What a sender knows of its packets: acknowledged, on their way, to be sent again.
 *
 * Numbers are extended sequence numbers from 0. A reliability policy drives it; the PDC asks it
 * what to send.
 */
class SendWindow
{
  public:
    /// @return first packet that is not acknowledged in order
    uint64_t GetUnacked() const
    {
        return m_unacked;
    }

    /// @return next packet to be sent in order; lower than GetEnd() after Rewind()
    uint64_t GetNext() const
    {
        return m_next;
    }

    /// @return first packet that has never been sent
    uint64_t GetEnd() const
    {
        return m_end;
    }

    /// @return true if nothing is outstanding
    bool IsEmpty() const
    {
        return m_unacked == m_end;
    }

    /// @return true if a packet waits to be sent again @param seq set to its number
    bool PeekLost(uint64_t& seq);

    /// The packet of PeekLost() is being sent.
    void TakeLost();

    /// @return the packet to be sent in order, which is now on its way
    uint64_t TakeNext();

    /// @brief Acknowledge in order. @param cumulative next packet the receiver expects, above
    /// GetUnacked()
    void Acknowledge(uint64_t cumulative);

    /// @return true if the packet has been acknowledged, in order or selectively @param seq number
    bool IsAcknowledged(uint64_t seq) const
    {
        return seq < m_unacked || m_sacked.Test(seq);
    }

    /// @return true if the packet is on its way: sent, neither acknowledged nor known to be lost
    /// @param seq number
    bool IsInFlight(uint64_t seq) const
    {
        return seq < m_next && !IsAcknowledged(seq) && !IsLost(seq);
    }

    /// @return true if the packet waits to be sent again @param seq number
    bool IsLost(uint64_t seq) const
    {
        return seq >= m_unacked && m_isLost.Test(seq);
    }

    /**
     * @brief Acknowledge selectively.
     * @param seq number, below GetEnd()
     * @return false if it was acknowledged before
     */
    bool Sack(uint64_t seq);

    /**
     * @brief Find the packets that must have been lost because later ones have arrived.
     *
     * A packet is lost if one sent at least @p threshold packets later has been acknowledged; also
     * a packet that was sent again, counted from then. Each is reported once each time it is sent.
     * @param threshold at least 1
     * @return how many packets were newly found lost
     */
    uint64_t DetectLoss(uint32_t threshold);

    /// @return how many packets are newly lost: everything outstanding and not acknowledged
    uint64_t MarkAllLost();

    /**
     * @brief A packet is known to be lost, from whatever told so.
     * @param seq number
     * @return false if it is not on its way
     */
    bool Lose(uint64_t seq);

    /// Send everything from the first unacknowledged packet again, in order.
    void Rewind();

    /**
     * @brief Send everything from a packet on again, in order, because it was dropped.
     *
     * Drops of copies that were given up by going back before them change nothing. They are told in
     * the order of sending, and before what was sent since is acknowledged: a number that does not
     * rise is of a copy sent since.
     * @param seq number
     * @return packets that are to be sent again; 0 if the packet is not on its way
     */
    uint64_t RewindTo(uint64_t seq);

    /// @return true, as often as RewindTo() went there, if the first unacknowledged packet is the
    /// one that it went back to; of several, the first
    bool TakeRewound();

    /// @return packets on their way: sent, neither acknowledged nor known to be lost
    uint64_t GetNInFlight() const
    {
        return m_next - m_unacked - m_sacked.GetCount() - m_isLost.GetCount();
    }

    /// @return packets acknowledged selectively
    uint64_t GetNSacked() const
    {
        return m_sacked.GetCount();
    }

    /// @return packets known to be lost and not yet sent again
    uint64_t GetNLost() const
    {
        return m_isLost.GetCount();
    }

  private:
    /// Packets sent again, and m_end when they were.
    using Resent = std::vector<std::pair<uint64_t, uint64_t>>;

    /// @return the entry of a packet in m_resent, or its end @param seq number
    Resent::iterator FindResent(uint64_t seq);
    /// @return false if the packet was lost before or is acknowledged @param seq number
    bool MarkLost(uint64_t seq);

    uint64_t m_unacked{0};            //!< first not acknowledged in order
    uint64_t m_next{0};               //!< next in order
    uint64_t m_end{0};                //!< first never sent
    uint64_t m_highest{0};            //!< behind the highest acknowledged
    uint64_t m_rewoundTo{UINT64_MAX}; //!< packet of RewindTo() that a NACK will name
    uint32_t m_rewinds{0};            //!< how often
    uint64_t m_givenUpEnd{0};         //!< behind the packets that the last RewindTo() gave up
    uint64_t m_givenUpFrom{0};        //!< first of them
    uint64_t m_lastTold{0};           //!< of these, the last that was told to be dropped
    uint64_t m_examined{0}; //!< packets below have been examined for loss in their first sending
    PacketBitmap m_sacked;  //!< acknowledged selectively
    PacketBitmap m_isLost;  //!< to be sent again
    VectorQueue<uint64_t>
        m_lost; //!< the same in the order of discovery; may hold acknowledged ones
    VectorQueue<std::pair<uint64_t, uint64_t>>
        m_resent; //!< packet and m_end when it was sent again
};

} // namespace ns3

#endif /* SEND_WINDOW_H */
