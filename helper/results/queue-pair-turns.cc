// SPDX-License-Identifier: GPL-2.0-only
#include "queue-pair-turns.h"

#include "ns3/queue-pair.h"

namespace ns3
{

QueuePairTurns::Pair&
QueuePairTurns::Find(uint32_t src, uint32_t dst)
{
    const auto [place, added] = m_pairs.try_emplace((uint64_t{src} << 32) | dst);
    if (added)
    {
        place->second.first = m_nQueuePairs + 1;
        m_nQueuePairs += m_perPair;
    }
    return place->second;
}

uint32_t
QueuePairTurns::Take(uint32_t src, uint32_t dst)
{
    if (m_perPair == 0)
    {
        return 0;
    }
    Pair& pair = Find(src, dst);
    const uint32_t taken = pair.first + pair.next;
    pair.next = (pair.next + 1) % m_perPair;
    return taken;
}

uint32_t
QueuePairTurns::TakeChannel(uint32_t src, uint32_t dst, uint32_t channel)
{
    return m_perPair == 0 ? 0 : QueuePair::MakeChannel(Find(src, dst).first, channel - 1);
}

} // namespace ns3
