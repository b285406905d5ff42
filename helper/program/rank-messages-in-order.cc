// SPDX-License-Identifier: GPL-2.0-only
#include "rank-messages.h"

#include "ns3/fabric-error.h"

/**
 * @file
 * @ingroup dcfabric
 * @brief Messages to ranks that receive with any tag.
 *
 * A message on its way is in the line of its sender under ANY_TAG. When it has come (arrived, and
 * all before it have), it looks for the first posted receive in the four lines that accept it; if
 * there is none, it waits under the same four keys. So no step depends on how many receives or
 * messages wait, and no receive of another rank pays for it.
 */

namespace ns3
{

void
RankMessages::SetTakesAnyTag(uint32_t rank)
{
    if (m_postsReceives)
    {
        throw FabricError("rank " + std::to_string(rank) +
                          " cannot receive with any tag: receives are posted at the NICs");
    }
    m_inOrder.resize(m_hosts.size(), false);
    m_inOrder[rank] = true;
}

void
RankMessages::ComeInOrder(uint32_t rank, uint32_t src)
{
    while (true)
    {
        const auto line = m_lines.find({rank, src, ANY_TAG});
        if (line == m_lines.end() || line->second.firstMessage == NONE ||
            !m_messages[line->second.firstMessage].arrived)
        {
            return; // one that was sent before comes first
        }
        const uint32_t number = line->second.firstMessage;
        RankMessage& message = m_messages[number];
        line->second.firstMessage = message.next;
        Tidy(line);
        auto taker = m_lines.end();
        for (const LineKey& key : {LineKey{rank, src, message.tag},
                                   LineKey{rank, src, ANY_TAG},
                                   LineKey{rank, ANY, message.tag},
                                   LineKey{rank, ANY, ANY_TAG}})
        {
            const auto one = m_lines.find(key);
            if (one != m_lines.end() && one->second.firstPosted != NONE &&
                (taker == m_lines.end() || m_posted[one->second.firstPosted].order <
                                               m_posted[taker->second.firstPosted].order))
            {
                taker = one;
            }
        }
        if (taker != m_lines.end())
        {
            Give(number, taker);
        }
        else
        {
            message.arrival = ++m_nArrived; // now it counts as arrived
            SetWaiting(number, true);
        }
    }
}

void
RankMessages::TakeWaiting(uint32_t rank, uint32_t src, uint64_t tag)
{
    const auto waiting = m_waiting.find({rank, src, tag});
    if (waiting != m_waiting.end())
    {
        const uint32_t number = waiting->second.begin()->second;
        SetWaiting(number, false);
        Give(number, m_lines.find({rank, src, tag}));
    }
}

void
RankMessages::SetWaiting(uint32_t number, bool waits)
{
    const RankMessage& message = m_messages[number];
    for (const uint32_t src : {message.src, ANY})
    {
        for (const uint64_t tag : {message.tag, ANY_TAG})
        {
            auto& messages = m_waiting[{message.dst, src, tag}];
            if (waits)
            {
                messages.emplace(message.arrival, number);
            }
            else if (messages.erase(message.arrival); messages.empty())
            {
                m_waiting.erase({message.dst, src, tag});
            }
        }
    }
}

} // namespace ns3
