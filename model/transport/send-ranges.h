// SPDX-License-Identifier: GPL-2.0-only
#ifndef SEND_RANGES_H
#define SEND_RANGES_H

#include "outgoing-messages.h"
#include "vector-queue.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace ns3
{

class SendWindow;

/**
 * @ingroup dcfabric
 * @brief Packets of one message with consecutive sequence numbers, not all acknowledged. A message
 * that is not matched is one range.
 */
struct SendRange
{
    uint64_t firstSeq;         //!< its first packet
    uint64_t nPackets;         //!< its packets
    uint64_t bytes;            //!< its payload
    uint64_t firstIndex;       //!< its first packet within the message
    uint64_t messageBytes;     //!< length of the message
    int64_t startPs;           //!< when the message was handed over
    uint32_t tag;              //!< the caller's number of the message
    uint32_t msn;              //!< number of the message
    uint64_t resent;           //!< packets sent again
    OutgoingMessage* outgoing; //!< the message if it is matched; null: it is not, or is over
    bool isVoid;               //!< no payload is wanted any more
    uint8_t epoch;             //!< attempt, if the message is matched
    bool isTagged;             //!< the message has match bits
};

/**
 * @ingroup dcfabric
 * @brief Which packets of a sending PDC carry what: messages and parts of them, in the order of
 * their sequence numbers.
 */
class SendRanges
{
  public:
    /**
     * @param window of the PDC: which packets have been sent
     * @param payload of a full packet
     */
    SendRanges(const SendWindow& window, uint32_t payload)
        : m_window(window),
          m_payload(payload)
    {
    }

    /**
     * @brief Append a message that is not matched.
     * @param bytes length, at least 1
     * @param tag the caller's number
     * @param startPs when it was handed over
     */
    void Add(uint64_t bytes, uint32_t tag, int64_t startPs);

    /**
     * @brief Send a part of a matched message, with new sequence numbers.
     * @param message which
     * @param from first byte, a multiple of the payload
     * @param to behind the last byte
     * @param next before what has not begun yet; false: behind everything
     */
    void AddPart(OutgoingMessage& message, uint64_t from, uint64_t to, bool next);

    /**
     * @brief Tell the target that a message will not come: an empty packet of the attempt it waits
     * for.
     * @param msn message
     * @param epoch attempt
     * @param nowPs time
     * @param isTagged it has match bits, and may have no receive yet
     */
    void AddEmpty(uint32_t msn, uint8_t epoch, int64_t nowPs, bool isTagged = false);

    /**
     * @brief Do not send what has not been sent of a message.
     * @param message which
     */
    void Cut(OutgoingMessage& message);
    /**
     * @brief Likewise, and send only empty packets again.
     * @param message which
     */
    void Void(OutgoingMessage& message);

    /**
     * @brief Send nothing new for a while but for messages before one.
     * @param msn number of that one; nothing: go on
     * @param all nor of those before it
     */
    void SetHeld(std::optional<uint32_t> msn, bool all = false)
    {
        m_heldMsn = msn;
        m_allHeld = all;
    }

    /// @return behind the last packet that may be sent for the first time
    uint64_t GetSendEnd() const
    {
        return m_heldMsn ? FindSendEnd() : m_endSeq;
    }

    /**
     * @param seq of an unacknowledged packet
     * @return the range of a packet
     */
    SendRange& Find(uint64_t seq)
    {
        // nearly always the first
        SendRange& front = m_ranges.front();
        return seq < front.firstSeq + front.nPackets ? front : Search(seq);
    }

    /**
     * @param range its range
     * @param seq its number
     * @return payload of a packet
     */
    uint64_t PayloadOf(const SendRange& range, uint64_t seq) const
    {
        const uint64_t index = seq - range.firstSeq;
        return index + 1 < range.nPackets ? m_payload : range.bytes - index * m_payload;
    }

    /**
     * @brief A packet is sent.
     * @param seq its number
     * @return its range
     */
    SendRange& Use(uint64_t seq)
    {
        SendRange& range = Find(seq);
        NoteTag(range);
        return range;
    }

    /// @return tag of the message that is being sent, or of the last one
    uint32_t GetTag() const
    {
        return m_tag;
    }

    /**
     * @param cumulative first packet not acknowledged
     * @return the first range, removed, if all its packets are acknowledged
     */
    std::optional<SendRange> TakeAcked(uint64_t cumulative)
    {
        std::optional<SendRange> range;
        if (!m_ranges.empty() &&
            cumulative >= m_ranges.front().firstSeq + m_ranges.front().nPackets)
        {
            range = m_ranges.front();
            m_ranges.pop_front();
        }
        return range;
    }

    /// @return the ranges
    const VectorQueue<SendRange>& Get() const
    {
        return m_ranges;
    }

  private:
    /// A packet of a range is being sent, or next; an empty one of a message that was given up
    /// stands for no message.
    void NoteTag(const SendRange& range)
    {
        m_tag = range.messageBytes > 0 ? range.tag : m_tag;
    }

    /**
     * @brief Move up the ranges behind a new one of so many packets. It comes before what has not
     * begun yet (@p next), or behind everything.
     * @return where it is to be inserted, and its first packet
     */
    std::pair<std::vector<SendRange>::iterator, uint64_t> MakeRoom(uint64_t nPackets, bool next);
    /**
     * @brief Take what was never sent out of a range; numbers behind it move up.
     * @return false if nothing is left of it
     */
    bool Shorten(std::vector<SendRange>::iterator range);
    /// @return the range of an unacknowledged packet, which is not the first
    SendRange& Search(uint64_t seq);
    /// @return GetSendEnd() while something is held
    uint64_t FindSendEnd() const;

    VectorQueue<SendRange> m_ranges;   //!< not completely acknowledged, in order
    uint64_t m_endSeq{0};              //!< behind the last packet of the last range
    const SendWindow& m_window;        //!< of the PDC
    uint32_t m_payload;                //!< of a full packet
    uint32_t m_tag{0};                 //!< of the message being sent
    uint32_t m_nextMsn{0};             //!< of the next message that is not matched
    std::optional<uint32_t> m_heldMsn; //!< nothing new is sent from this message on
    bool m_allHeld{false};             //!< nor before it
};

} // namespace ns3

#endif /* SEND_RANGES_H */
