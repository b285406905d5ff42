// SPDX-License-Identifier: GPL-2.0-only
#include "replay-buffer.h"

namespace ns3
{

void
ReplayBuffer::Begin(uint32_t number)
{
    m_sizes.clear();
    m_bytes = 0;
    m_next = 0;
    m_first = number;
}

uint32_t
ReplayBuffer::Append(uint32_t bytes)
{
    const uint32_t number = LinkNumber::Add(m_first, static_cast<int32_t>(m_sizes.size()));
    m_sizes.push_back(bytes);
    m_bytes += bytes;
    m_next = m_sizes.size();
    return number;
}

std::size_t
ReplayBuffer::Acknowledge(uint32_t number)
{
    const int32_t count = LinkNumber::Distance(number, m_first) + 1;
    if (count <= 0 || static_cast<std::size_t>(count) > m_sizes.size())
    {
        return 0; // told before
    }
    const auto done = static_cast<std::size_t>(count);
    for (std::size_t i = 0; i < done; ++i)
    {
        m_bytes -= m_sizes.front();
        m_sizes.pop_front();
    }
    m_first = LinkNumber::Add(m_first, count);
    m_next -= m_next < done ? m_next : done;
    return done;
}

ReplayBuffer::Frame
ReplayBuffer::TakeReplay()
{
    const std::size_t at = m_next++;
    return {LinkNumber::Add(m_first, static_cast<int32_t>(at)), m_sizes[at]};
}

} // namespace ns3
