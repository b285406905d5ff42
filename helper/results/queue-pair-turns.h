// SPDX-License-Identifier: GPL-2.0-only
#ifndef QUEUE_PAIR_TURNS_H
#define QUEUE_PAIR_TURNS_H

#include <cstdint>
#include <unordered_map>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Which queue pair the next message of one rank to another takes: each pair of ranks has
 * some of its own, which take turns.
 *
 * Numbers of queue pairs are those of FlowStarter::Made::queuePair. Pairs of ranks get theirs in
 * the order of their first messages, from 1.
 */
class QueuePairTurns
{
  public:
    /**
     * @param perPair queue pairs of a pair of ranks, which is how many of its messages are under
     * way at a time at most; 0: each message has one of its own
     */
    explicit QueuePairTurns(uint32_t perPair = 0)
        : m_perPair(perPair)
    {
    }

    /**
     * @param src rank that sends
     * @param dst rank that receives
     * @return queue pair of the next message; 0: one of its own
     */
    uint32_t Take(uint32_t src, uint32_t dst);

    /**
     * @param src rank that sends
     * @param dst rank that receives
     * @param channel of a collective, from 1
     * @return queue pair of all messages of that channel, whose turns are not counted; 0: each has
     * one of its own
     */
    uint32_t TakeChannel(uint32_t src, uint32_t dst, uint32_t channel);

  private:
    /// What one rank sends to another.
    struct Pair
    {
        uint32_t first{0}; //!< its first queue pair
        uint32_t next{0};  //!< which of them comes next
    };

    /// @return that of two ranks
    Pair& Find(uint32_t src, uint32_t dst);

    uint32_t m_perPair;                         //!< queue pairs of a pair of ranks
    uint32_t m_nQueuePairs{0};                  //!< of all
    std::unordered_map<uint64_t, Pair> m_pairs; //!< by ranks
};

} // namespace ns3

#endif /* QUEUE_PAIR_TURNS_H */
