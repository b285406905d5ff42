// SPDX-License-Identifier: GPL-2.0-only
#ifndef CONWEAVE_SENDER_H
#define CONWEAVE_SENDER_H

#include "ns3/edge-tag.h"

#include <cstdint>
#include <limits>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What the tag of a packet says under ConWeave, beside its way.
 */
struct ConweaveTag
{
    /// What a packet is to its epoch.
    enum Flag : uint8_t
    {
        DATA = 0, //!< one of many
        INIT = 1, //!< the first, to be answered
        TAIL = 2, //!< the last on the old way, to be answered
    };

    uint8_t epoch{0};   //!< number, of which 8 bits are told
    bool phase{false};  //!< true: sent after the tail
    Flag flag{DATA};    //!< what it is
    uint32_t sentNs{0}; //!< when it passed the first switch, 32 bits of ns
    uint32_t tailNs{0}; //!< phase: when the tail did

    /// @param tag to be filled, but for its way
    void Write(EdgeTag& tag) const
    {
        tag.bytes = {epoch, static_cast<uint8_t>((phase ? PHASE : 0) | flag)};
        tag.words = {sentNs, tailNs};
    }

    /**
     * @param tag of a packet
     * @return what it says
     */
    static ConweaveTag Read(const EdgeTag& tag)
    {
        return {tag.bytes[0],
                (tag.bytes[1] & PHASE) != 0,
                static_cast<Flag>(tag.bytes[1] & (PHASE - 1)),
                tag.words[0],
                tag.words[1]};
    }

  private:
    static constexpr uint8_t PHASE = 0x80; //!< bit of #phase
};

/**
 * @ingroup dcfabric
 * @brief A flow at its first switch under ConWeave ([CONWEAVE]_): when its packets take another
 * way.
 *
 * Once an epoch its first packet asks the last switch for a reply. If that comes in time the flow
 * is stable, and the next packet begins the next epoch. If not, one more packet, the tail, takes
 * the old way, and all later ones of the epoch take another one, in phase 1; the tail is answered
 * when the packets of both ways are in order.
 */
class ConweaveSender
{
  public:
    static constexpr int64_t NEVER = std::numeric_limits<int64_t>::max(); //!< no timer

    /// What does not change while a flow is decided on.
    struct Times
    {
        int64_t replyPs;  //!< within which a reply has to come
        int64_t expiryPs; //!< pause after which nothing of the flow is on its way
    };

    /**
     * @brief A data packet passes.
     * @param nowPs the present
     * @param times of its destination
     * @param good a way that is not known to be bad; EdgePath::NONE: there is none
     * @param isUsable false: the present way has failed, and a new epoch begins at once
     * @param path receives the way of this packet
     * @return what to tell with it
     */
    ConweaveTag OnData(int64_t nowPs,
                       const Times& times,
                       uint32_t good,
                       bool isUsable,
                       uint32_t& path);

    /**
     * @brief A reply has come.
     * @param isTail it answers the tail
     * @param epoch that it names
     * @param nowPs the present
     * @return true if it makes the flow stable
     */
    bool OnReply(bool isTail, uint8_t epoch, int64_t nowPs);

    /// @return the way of the next packet, if nothing changes
    uint32_t GetPath() const
    {
        return m_path;
    }

    /// @return true if the next packet begins an epoch
    bool IsStable() const
    {
        return m_stable;
    }

    /// @return number of the epoch
    uint8_t GetEpoch() const
    {
        return m_epoch;
    }

    /// @return when the last packet passed, in ps
    int64_t GetLastPs() const
    {
        return m_lastPs;
    }

  private:
    int64_t m_lastPs{-1};            //!< when the last packet passed; -1: none has
    int64_t m_timerPs{NEVER};        //!< until when a reply is in time
    uint32_t m_path{EdgePath::NONE}; //!< way of the next packet
    uint32_t m_tailNs{0};            //!< when the tail passed
    uint8_t m_epoch{0};              //!< number of the epoch
    bool m_phase{false};             //!< the tail has passed
    bool m_stable{false};            //!< the next packet begins an epoch
};

} // namespace ns3

#endif /* CONWEAVE_SENDER_H */
