// SPDX-License-Identifier: GPL-2.0-only
#ifndef TAGGED_RECEIVES_H
#define TAGGED_RECEIVES_H

#include "ns3/message-matcher.h"

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <unordered_map>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Which tagged message goes to which receive: by source and 64 match bits, as Portals 4,
 * libfabric and Ultra Ethernet match, in the order that MPI wants.
 *
 * - The messages of a source are looked at in the order of sending: one whose packets overtake
 * those of an earlier message waits for it.
 * - A message goes to the receive that was posted first of those that it matches.
 * - A receive takes, of the messages that no receive has matched, the first one that it matches, in
 *   the order in which their turn came.
 *
 * It decides only: MessageMatcher has receives and messages.
 */
class TaggedReceives
{
  public:
    using Receive = MessageMatcher::Receive; //!< what is posted
    using Rule = MessageMatcher::MatchRule;  //!< what it takes

    /// A message that has no receive.
    struct Message
    {
        uint32_t src;   //!< fabric address of the sender
        uint64_t index; //!< which of its messages, from 0
        uint64_t bits;  //!< its match bits
        uint64_t turn;  //!< how many messages had their turn before
    };

    /// A message and its receive.
    struct Match
    {
        Message message; //!< which
        Receive receive; //!< where it goes
        Rule rule;       //!< of the receive
    };

    /**
     * @brief Post a receive.
     * @param receive what, from one source or MessageMatcher::ANY_SOURCE
     * @param rule bits that it takes
     * @return the message that it takes, if there is one already
     */
    std::optional<Match> Post(const Receive& receive, const Rule& rule);

    /**
     * @brief A packet of a message has arrived, perhaps not the first.
     * @param src fabric address of the sender
     * @param index which of its messages
     * @param bits its match bits
     */
    void Note(uint32_t src, uint64_t index, uint64_t bits);

    /**
     * @brief A message will not come.
     * @param src fabric address of the sender
     * @param index which of its messages
     * @return false if it has a receive
     */
    bool Skip(uint32_t src, uint64_t index);

    /**
     * @brief The next message in turn that has a receive, after Note(), Skip() or Return().
     * @return it; nothing if no turn is left
     */
    std::optional<Match> TakeNext();

    /**
     * @brief A receive is taken back whose message it did not get.
     * @param message the message, which other receives may take
     */
    void Return(const Message& message);

    /**
     * @brief Take a receive back that has no message.
     * @param handle of the receive
     * @return it; nothing if there is none
     */
    std::optional<Receive> Withdraw(uint64_t handle);

    /**
     * @param src fabric address of a sender
     * @return true if it has sent tagged messages
     */
    bool Knows(uint32_t src) const
    {
        return m_sources.count(src) > 0;
    }

    /// @return receives that have no message
    std::size_t GetNReceives() const
    {
        return m_posted.size();
    }

    /// @return messages that have no receive, and whose turn has come
    std::size_t GetNUnexpected() const
    {
        return m_unexpected.size();
    }

  private:
    /// A receive that has no message.
    struct Posted
    {
        Receive receive; //!< what
        Rule rule;       //!< bits that it takes
    };

    /// Messages of a source whose turn has not come.
    struct Source
    {
        uint64_t next{0};                                  //!< whose turn it is
        std::map<uint64_t, std::optional<uint64_t>> known; //!< by index: match bits; none: skipped
    };

    /// Messages whose turn has come are to be decided on.
    void Advance(uint32_t src, Source& source);
    /// @return true if a receive takes a message
    static bool Takes(const Receive& receive, const Rule& rule, const Message& message);

    std::list<Posted> m_posted;                     //!< in the order of posting
    std::map<uint64_t, Message> m_unexpected;       //!< by turn
    std::unordered_map<uint32_t, Source> m_sources; //!< by address
    std::map<uint64_t, Message> m_toDecide;         //!< by turn
    uint64_t m_turns{0};                            //!< messages that had their turn
};

} // namespace ns3

#endif /* TAGGED_RECEIVES_H */
