// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_MESSAGE_H
#define FABRIC_MESSAGE_H

#include <cstdint>
#include <ostream>

namespace ns3
{

/// How a message or a receive ended.
enum class MessageStatus : uint8_t
{
    COMPLETE,  //!< all bytes have arrived
    TRUNCATED, //!< the receive had room for a part only
    CANCELLED, //!< taken back by the user
    TIMED_OUT, //!< not complete in the time it was given
};

/**
 * @ingroup dcfabric
 * @brief What a NIC tells about a message when its last byte has arrived, or when its sender knows
 * so.
 */
struct FabricMessageEvent
{
    uint32_t tag{0};           //!< the caller's number of the message
    uint32_t src{0};           //!< fabric address of the sender
    uint32_t dst{0};           //!< fabric address of the receiver
    uint32_t pdc{0};           //!< number of its PDC at the sender (told there)
    uint64_t bytes{0};         //!< length
    int64_t startPs{0};        //!< when it was handed to the sender's NIC (at the sender only)
    int64_t nowPs{0};          //!< when the event happened
    uint64_t packetsSent{0};   //!< all packets, retransmissions included (at the sender only)
    uint64_t retransmitted{0}; //!< packets sent again (at the sender only)
    uint64_t reductions{0};    //!< of window or rate of its connection since a message of it was
                               //!< last completed (at the sender only)
    uint64_t reordered{0};     //!< packets that arrived after a later one (at the receiver only)
    uint64_t handle{0};        //!< of the operation, where messages are matched
    MessageStatus status{MessageStatus::COMPLETE}; //!< how it ended, where messages are matched
    uint32_t msn{0};          //!< message sequence number, where messages are matched
    uint8_t* buffer{nullptr}; //!< user memory of the receive (at the receiver only)
    uint64_t committed{0};    //!< bytes in user memory (at the receiver only)
    uint64_t matchBits{0};    //!< of a tagged message (at the receiver only)
};

/**
 * @ingroup dcfabric
 * @brief Where a message stands at its sender ([Patent] (60)), or a receive.
 */
enum class MessageState : uint8_t
{
    SENDING,     //!< packets are sent
    WAITING,     //!< the receiver has to ask first
    COMPLETE,    //!< everything is acknowledged, or has arrived
    NONEXISTENT, //!< not handed over yet; at the receiver: not posted, whether packets come or not
    POSTED,      //!< the receive is posted
    ABANDONED,   //!< cancelled, or out of time
};

/**
 * @param os where to print
 * @param state a state
 * @return @p os
 */
inline std::ostream&
operator<<(std::ostream& os, MessageState state)
{
    static constexpr const char* NAMES[] =
        {"sending", "waiting", "complete", "nonexistent", "posted", "abandoned"};
    return os << NAMES[static_cast<uint8_t>(state)];
}

/// A change of state, for traces.
struct MessageStateEvent
{
    uint32_t peer;     //!< fabric address of the other end
    uint32_t msn;      //!< message sequence number
    uint8_t epoch;     //!< attempt
    bool sender;       //!< seen at the sender; false: at the receiver
    MessageState from; //!< before
    MessageState to;   //!< after
    int64_t nowPs;     //!< when
};

} // namespace ns3

#endif /* FABRIC_MESSAGE_H */
