// SPDX-License-Identifier: GPL-2.0-only
#ifndef SEND_WINDOW_H
#define SEND_WINDOW_H

#include "packet-bitmap.h"
#include "vector-queue.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

class ReorderingWindow;
struct LossEpisode;

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
    SendWindow();
    ~SendWindow();

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

    /// @return behind the highest packet that is acknowledged, in order or selectively
    uint64_t GetHighest() const
    {
        return m_highest;
    }

    /// @return true if nothing is outstanding
    bool IsEmpty() const
    {
        return m_unacked == m_end;
    }

    /**
     * @brief Say whether there is a packet to send.
     *
     * Packets that were sent before may always be sent again. A new one only if its acknowledgement
     * cannot be taken for an old one: less than PacketSequence::HALF packets are outstanding then.
     * @param end behind the last packet that may be sent for the first time
     * @return true if there is
     */
    bool HasPacket(uint64_t end);

    /**
     * @param seq set to its number
     * @return true if a packet waits to be sent again
     */
    bool PeekLost(uint64_t& seq);

    /**
     * @brief The packet of PeekLost() is being sent.
     * @param nowPs time, not before that of the last
     */
    void TakeLost(int64_t nowPs);

    /**
     * @brief The packet that is next in order is being sent.
     * @param nowPs time, not before that of the last
     * @return its number
     */
    uint64_t TakeNext(int64_t nowPs);

    /**
     * @brief Acknowledge in order.
     * @param cumulative next packet the receiver expects, above GetUnacked()
     */
    void Acknowledge(uint64_t cumulative);

    /**
     * @param seq number
     * @return true if the packet has been acknowledged, in order or selectively
     */
    bool IsAcknowledged(uint64_t seq) const
    {
        return seq < m_unacked || m_sacked.Test(seq);
    }

    /**
     * @param seq number
     * @return true if the packet is on its way: sent, neither acknowledged nor known to be lost
     */
    bool IsInFlight(uint64_t seq) const
    {
        return seq < m_next && !IsAcknowledged(seq) && !IsLost(seq);
    }

    /**
     * @param seq number
     * @return true if the packet waits to be sent again
     */
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
     * @brief Tell what is new in a selective acknowledgement, most of which others have told.
     * @param base number of bit 0
     * @param bits packets that have arrived
     * @return of these, the ones that may not be acknowledged yet
     */
    uint64_t FindNew(int64_t base, uint64_t bits) const
    {
        const auto first = static_cast<uint64_t>(base);
        return base < 0 || first < m_unacked ? bits : bits & ~m_sacked.Extract(first);
    }

    /// @return true if packets were sent again whose copies may still be lost
    bool HasResent() const
    {
        return !m_resent.empty();
    }

    /**
     * @param seq number
     * @return when the packet was sent again, if that copy may still be on its way; else NEVER
     */
    int64_t GetResentPs(uint64_t seq) const;

    /**
     * @brief An answer tells which copy of a packet has arrived. Of importance where HasResent():
     * acknowledgements alone do not tell which copy they mean, and are taken to mean the first.
     * @param seq number of the packet that is answered
     * @param sentPs when it left
     */
    void NoteArrival(uint64_t seq, int64_t sentPs);

    /**
     * @brief Find the packets that must have been lost because later ones have arrived.
     *
     * What counts is the order of sending, not of numbers, as in QUIC (RFC 9002, section 6.1.1): a
     * copy of a packet is lost if one sent at least @p threshold packets later, for the first time
     * or again, has arrived. Each copy is reported once.
     * @param threshold at least 1
     * @return how many packets were newly found lost
     */
    uint64_t DetectLoss(uint32_t threshold);

    /**
     * @brief Keep from now on when packets are sent, for GetOldestPs() and DetectOverdue(); then
     * DetectLoss() is not to be used. Nothing must have been sent.
     * @param reordering of the connection
     */
    void KeepTimes(const ReorderingWindow& reordering);

    /// @return true after KeepTimes()
    bool KeepsTimes() const
    {
        return m_times != nullptr;
    }

    /// @return by how much packets overtake one another. Times must be kept.
    ReorderingWindow& GetReordering();
    /// @return the same, to be read
    const ReorderingWindow& GetReordering() const;

    /**
     * @brief Keep a LossEpisode from now on; then which copy of a packet has arrived is not, and
     * DetectLoss() is not to be used. Nothing must have been sent.
     */
    void KeepEpisode();

    /// @return it, null if there is none
    LossEpisode* GetEpisode() const
    {
        return m_episode.get();
    }

    /**
     * @brief A packet leaves only now, because it waited after it was made. Times must be kept.
     * @param seq number
     * @param nowPs time
     */
    void Postpone(uint64_t seq, int64_t nowPs);

    /// @return when the oldest copy left that is on its way; NEVER if there is none
    int64_t GetOldestPs();

    /**
     * @brief Find lost what is on its way for too long. Each copy is reported once.
     * @param untilPs copies that left then or before are lost
     * @return how many packets were newly found lost
     */
    uint64_t DetectOverdue(int64_t untilPs);

    /// @return how many packets are newly lost: everything outstanding and not acknowledged
    uint64_t MarkAllLost();

    /**
     * @brief A packet is known to be lost, from whatever told so.
     * @param seq number
     * @return false if it is not on its way
     */
    bool Lose(uint64_t seq);

    /**
     * @brief Send everything from the first unacknowledged packet again, in order.
     * @param nowPs time
     */
    void Rewind(int64_t nowPs);

    /**
     * @brief Send everything from a packet on again, in order, because it was dropped.
     *
     * Drops of copies that were given up by going back before them change nothing. They are told in
     * the order of sending, and before what was sent since is acknowledged: a number that does not
     * rise is of a copy sent since.
     * @param seq number
     * @param nowPs time
     * @return packets that are to be sent again; 0 if the packet is not on its way
     */
    uint64_t RewindTo(uint64_t seq, int64_t nowPs);

    /**
     * @brief Whether what an answer tells to be missing has been sent again since: the window went
     * back to the first unacknowledged packet, or further, after the answered packet had left.
     * @param sentPs when the packet left that is answered
     * @return true if it has
     */
    bool HasRewoundSince(int64_t sentPs) const;

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
    /// A packet that was sent again.
    struct Resent
    {
        uint64_t seq;   //!< its number
        uint64_t order; //!< how many were sent before, copies included
        int64_t sentPs; //!< when
    };

    struct Times; // when packets left, for policies that go by time

    /// From a packet on, how many were sent again before it.
    struct Offset
    {
        uint64_t seq;   //!< number of the packet
        uint64_t again; //!< sent again before
    };

    /// When the window went back, and to which packet.
    struct Rewound
    {
        int64_t nowPs; //!< time
        uint64_t seq;  //!< number of the packet
    };

    /// @return how many were sent before the first copy of a packet, not below those that may still
    /// be found lost
    uint64_t GetOrder(uint64_t seq) const
    {
        return seq + (m_offsets.empty() ? m_before : GetOffset(seq));
    }

    /// @return of the packets sent before the first copy of one, those that were sent again
    uint64_t GetOffset(uint64_t seq) const;
    /// Forget the times of first copies, and then of others, of which nothing is to be found.
    void SkipTimes();
    /// Note that the window goes back.
    void NoteRewound(uint64_t seq, int64_t nowPs);
    /// @return false if the packet was lost before or is acknowledged
    bool MarkLost(uint64_t seq);

    uint64_t m_unacked{0};           //!< first not acknowledged in order
    uint64_t m_next{0};              //!< next in order
    uint64_t m_end{0};               //!< first never sent
    uint64_t m_highest{0};           //!< behind the highest acknowledged
    uint64_t m_givenUpEnd{0};        //!< behind the packets that the last RewindTo() gave up
    uint64_t m_givenUpFrom{0};       //!< first of them
    uint64_t m_lastTold{0};          //!< of these, the last that was told to be dropped
    uint64_t m_examined{0};          //!< packets below have been examined for loss of a first copy
    uint64_t m_again{0};             //!< copies that TakeLost() took
    uint64_t m_before{0};            //!< of these, before the first of m_offsets
    uint64_t m_arrived{0};           //!< behind the last copy known to have arrived, by order
    PacketBitmap m_sacked;           //!< acknowledged selectively
    PacketBitmap m_isLost;           //!< to be sent again
    PacketBitmap m_isResent;         //!< have an entry in m_resent
    VectorQueue<uint64_t> m_lost;    //!< m_isLost as discovered; may hold acknowledged ones
    VectorQueue<Resent> m_resent;    //!< last copies that may still be lost, as sent
    VectorQueue<Offset> m_offsets;   //!< ascending; those of old packets are in m_before
    std::vector<Rewound> m_rewounds; //!< in the order of time and of numbers
    std::unique_ptr<Times> m_times;  //!< null: not kept
    std::unique_ptr<LossEpisode> m_episode; //!< null: not kept
};

} // namespace ns3

#endif /* SEND_WINDOW_H */
