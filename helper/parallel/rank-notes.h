// SPDX-License-Identifier: GPL-2.0-only
#ifndef RANK_NOTES_H
#define RANK_NOTES_H

#include <cstdint>
#include <functional>
#include <string>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief By which the processes (ranks) of a simulation tell one another what is no packet.
 */
class RankNotes
{
  public:
    virtual ~RankNotes();

    /// What is told of a note.
    using Listener = std::function<void(const std::string& note)>;

    /// Whom a note is for.
    enum class Topic : uint8_t
    {
        FLOW,    //!< who keeps the flows
        RECEIVE, //!< who posts receives
    };

    /**
     * @brief Be told of notes from other ranks, which their sender knew the least delay of links
     * between ranks ago, or less: before any packet that was sent with them can have arrived.
     * @param topic of these notes
     * @param listener it
     */
    virtual void SetListener(Topic topic, Listener listener) = 0;

    /**
     * @brief Let the rank of a node know something, by SetListener() there.
     * @param node the node
     * @param topic of the note
     * @param note what
     */
    virtual void Tell(uint32_t node, Topic topic, const std::string& note) = 0;
};

} // namespace ns3

#endif /* RANK_NOTES_H */
