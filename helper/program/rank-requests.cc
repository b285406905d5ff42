// SPDX-License-Identifier: GPL-2.0-only
#include "rank-requests.h"

namespace ns3
{

constexpr uint32_t RankRequests::NONE;

RankRequests::RankRequests(uint32_t ranks)
    : m_latest(ranks)
{
}

uint32_t
RankRequests::Open(uint32_t rank, uint32_t name, std::size_t names)
{
    if (m_latest[rank].empty())
    {
        m_latest[rank].assign(names, NONE); // most ranks of large jobs start nothing with a name
    }
    const uint32_t latest = m_latest[rank][name];
    if (latest != NONE && m_sets[latest].first == NONE)
    {
        ++m_sets[latest].open;
        return latest;
    }
    uint32_t set = m_freeSet;
    if (set == NONE)
    {
        set = static_cast<uint32_t>(m_sets.size());
        m_sets.emplace_back();
    }
    else
    {
        m_freeSet = m_sets[set].next;
    }
    m_sets[set] = {name, latest == NONE ? 1U : 2U, NONE, NONE};
    if (latest != NONE)
    {
        m_sets[latest].next = set;
    }
    m_latest[rank][name] = set;
    return set;
}

void
RankRequests::Close(uint32_t rank, uint32_t set, std::vector<uint32_t>& tasks)
{
    while (set != NONE && --m_sets[set].open == 0)
    {
        uint32_t waiter = m_sets[set].first;
        while (waiter != NONE)
        {
            tasks.push_back(m_waiters[waiter].task);
            const uint32_t next = m_waiters[waiter].next;
            m_waiters[waiter].next = m_freeWaiter;
            m_freeWaiter = waiter;
            waiter = next;
        }
        uint32_t& latest = m_latest[rank][m_sets[set].name];
        if (latest == set)
        {
            latest = NONE;
        }
        const uint32_t next = m_sets[set].next;
        m_sets[set].next = m_freeSet;
        m_freeSet = set;
        set = next;
    }
}

bool
RankRequests::Await(uint32_t rank, uint32_t name, uint32_t task)
{
    if (!IsOpen(rank, name))
    {
        return false;
    }
    uint32_t& first = m_sets[m_latest[rank][name]].first;
    uint32_t waiter = m_freeWaiter;
    if (waiter == NONE)
    {
        waiter = static_cast<uint32_t>(m_waiters.size());
        m_waiters.emplace_back();
    }
    else
    {
        m_freeWaiter = m_waiters[waiter].next;
    }
    m_waiters[waiter] = {task, first};
    first = waiter;
    return true;
}

} // namespace ns3
