// SPDX-License-Identifier: GPL-2.0-only
#include "tagged-receives.h"

#include <algorithm>

namespace ns3
{

bool
TaggedReceives::Takes(const Receive& receive, const Rule& rule, const Message& message)
{
    return (receive.src == message.src || receive.src == MessageMatcher::ANY_SOURCE) &&
           ((rule.bits ^ message.bits) & ~rule.ignore) == 0;
}

std::optional<TaggedReceives::Match>
TaggedReceives::Post(const Receive& receive, const Rule& rule)
{
    const auto found =
        std::find_if(m_unexpected.begin(), m_unexpected.end(), [&](const auto& entry) {
            return Takes(receive, rule, entry.second);
        });
    if (found == m_unexpected.end())
    {
        m_posted.push_back({receive, rule});
        return std::nullopt;
    }
    const Match match{found->second, receive, rule};
    m_unexpected.erase(found);
    return match;
}

void
TaggedReceives::Note(uint32_t src, uint64_t index, uint64_t bits)
{
    Source& source = m_sources[src];
    if (index >= source.next) // else it is a further packet
    {
        source.known.emplace(index, bits);
        Advance(src, source);
    }
}

void
TaggedReceives::Advance(uint32_t src, Source& source)
{
    while (!source.known.empty() && source.known.begin()->first == source.next)
    {
        if (const std::optional<uint64_t> bits = source.known.begin()->second)
        {
            m_toDecide.emplace(m_turns, Message{src, source.next, *bits, m_turns});
            ++m_turns;
        }
        source.known.erase(source.known.begin());
        ++source.next;
    }
}

bool
TaggedReceives::Skip(uint32_t src, uint64_t index)
{
    Source& source = m_sources[src];
    if (index >= source.next)
    {
        source.known[index] = std::nullopt;
        Advance(src, source);
        return true;
    }
    const auto found =
        std::find_if(m_unexpected.begin(), m_unexpected.end(), [src, index](const auto& entry) {
            return entry.second.src == src && entry.second.index == index;
        });
    if (found == m_unexpected.end())
    {
        return false;
    }
    m_unexpected.erase(found);
    return true;
}

std::optional<TaggedReceives::Match>
TaggedReceives::TakeNext()
{
    while (!m_toDecide.empty())
    {
        const Message message = m_toDecide.begin()->second;
        m_toDecide.erase(m_toDecide.begin());
        const auto found =
            std::find_if(m_posted.begin(), m_posted.end(), [&message](const Posted& posted) {
                return Takes(posted.receive, posted.rule, message);
            });
        if (found != m_posted.end())
        {
            const Match match{message, found->receive, found->rule};
            m_posted.erase(found);
            return match;
        }
        m_unexpected.emplace(message.turn, message);
    }
    return std::nullopt;
}

void
TaggedReceives::Return(const Message& message)
{
    m_toDecide.emplace(message.turn, message);
}

std::optional<TaggedReceives::Receive>
TaggedReceives::Withdraw(uint64_t handle)
{
    const auto found =
        std::find_if(m_posted.begin(), m_posted.end(), [handle](const Posted& posted) {
            return posted.receive.handle == handle;
        });
    if (found == m_posted.end())
    {
        return std::nullopt;
    }
    const Receive receive = found->receive;
    m_posted.erase(found);
    return receive;
}

} // namespace ns3
