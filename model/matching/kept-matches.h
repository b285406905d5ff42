// SPDX-License-Identifier: GPL-2.0-only
#ifndef KEPT_MATCHES_H
#define KEPT_MATCHES_H

#include <cstddef>
#include <cstdint>
#include <list>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What a receiver keeps of a message whose entry is removed: how it was matched, where its
 * buffer is, and what was committed to memory ([Patent] (207)).
 */
struct KeptMatch
{
    uint64_t key;          //!< source and number, MatchTable::Key
    uint64_t handle;       //!< of the receive
    uint8_t* buffer;       //!< user memory; null: timing only
    uint64_t messageBytes; //!< length of the message; 0: nothing of it came
    uint64_t committed;    //!< bytes in user memory
    uint32_t tag;          //!< the sender's number of the message
    bool complete;         //!< all came; false: the receive was given up
};

/**
 * @ingroup dcfabric
 * @brief The last messages whose entries were removed; the oldest give way.
 */
class KeptMatches
{
  public:
    /**
     * @brief Keep a message.
     * @param match what
     * @param most how many are kept at most; 0: none
     */
    void Keep(const KeptMatch& match, std::size_t most)
    {
        if (most == 0)
        {
            return;
        }
        m_matches.push_back(match);
        while (m_matches.size() > most)
        {
            m_matches.pop_front();
        }
    }

    /**
     * @param key of a message
     * @return what is kept of it, null if nothing is; valid until the next Keep()
     */
    const KeptMatch* Find(uint64_t key) const
    {
        for (auto match = m_matches.rbegin(); match != m_matches.rend(); ++match)
        {
            if (match->key == key)
            {
                return &*match;
            }
        }
        return nullptr;
    }

    /// @return how many are kept
    std::size_t GetN() const
    {
        return m_matches.size();
    }

  private:
    std::list<KeptMatch> m_matches; //!< oldest first
};

} // namespace ns3

#endif /* KEPT_MATCHES_H */
