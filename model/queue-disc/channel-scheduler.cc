// SPDX-License-Identifier: GPL-2.0-only
#include "channel-scheduler.h"

#include "ns3/pointer.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(ChannelScheduler);

namespace
{

/// @return the lowest set bit of a mask that is not 0
uint8_t
LowestBit(uint32_t mask)
{
    return static_cast<uint8_t>(__builtin_ctz(mask));
}

} // namespace

TypeId
ChannelScheduler::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ChannelScheduler")
            .SetParent<ClassScheduler>()
            .SetGroupName("Dcfabric")
            .AddConstructor<ChannelScheduler>()
            .AddAttribute("Scheduler",
                          "Chooses among the first channels of all lists; null for strict "
                          "priority.",
                          PointerValue(),
                          MakePointerAccessor(&ChannelScheduler::m_scheduler),
                          MakePointerChecker<ClassScheduler>());
    return tid;
}

ChannelScheduler::ChannelScheduler()
{
    SetClasses({});
}

void
ChannelScheduler::SetClasses(const std::vector<std::vector<uint8_t>>& families)
{
    for (uint8_t c = 0; c < 8; ++c)
    {
        m_first[c] = c;
        m_channels[c] = static_cast<uint8_t>(1U << c);
    }
    for (const std::vector<uint8_t>& family : families)
    {
        for (const uint8_t c : family)
        {
            m_first[c] = family.front();
            m_channels[family.front()] |= 1U << c;
        }
    }
}

uint8_t
ChannelScheduler::Choose(uint8_t channels) const
{
    auto chosen = LowestBit(channels);
    uint64_t earliest = GetStart(chosen);
    for (uint32_t rest = channels & (channels - 1U); rest != 0; rest &= rest - 1)
    {
        const uint8_t c = LowestBit(rest);
        if (GetStart(c) < earliest)
        {
            chosen = c;
            earliest = GetStart(c);
        }
    }
    return chosen;
}

uint8_t
ChannelScheduler::Commit(uint8_t priority, uint32_t bytes)
{
    const uint64_t start = GetStart(priority);
    m_virtual[m_first[priority]] = start;
    m_finish[priority] = start + bytes;
    return priority;
}

uint8_t
ChannelScheduler::Select(uint8_t eligible, const std::array<uint32_t, 8>& headBytes)
{
    m_eligible = eligible;
    if (!m_scheduler)
    {
        // the list whose first class is the highest
        uint8_t first = 0;
        for (uint32_t rest = eligible; rest != 0; rest &= rest - 1)
        {
            first = std::max(first, m_first[LowestBit(rest)]);
        }
        const uint8_t channel = Choose(eligible & m_channels[first]);
        return Commit(channel, headBytes[channel]);
    }
    uint8_t firsts = 0;
    std::array<uint8_t, 8> chosen{};
    std::array<uint32_t, 8> chosenBytes{};
    for (uint32_t rest = eligible; rest != 0;)
    {
        const uint8_t first = m_first[LowestBit(rest)];
        firsts |= 1U << first;
        chosen[first] = Choose(static_cast<uint8_t>(rest & m_channels[first]));
        chosenBytes[first] = headBytes[chosen[first]];
        rest &= ~uint32_t{m_channels[first]};
    }
    const uint8_t channel = chosen[m_scheduler->Select(firsts, chosenBytes)];
    return Commit(channel, headBytes[channel]);
}

bool
ChannelScheduler::NeedsHeadBytes() const
{
    return true;
}

bool
ChannelScheduler::IgnoresLoneClass() const
{
    return !m_scheduler || m_scheduler->IgnoresLoneClass();
}

void
ChannelScheduler::OnEmpty(uint8_t priority)
{
    const uint8_t first = m_first[priority];
    m_eligible &= ~(1U << priority);
    if (m_scheduler && (m_eligible & m_channels[first]) == 0)
    {
        m_scheduler->OnEmpty(first);
    }
}

void
ChannelScheduler::DoDispose()
{
    m_scheduler = nullptr;
    ClassScheduler::DoDispose();
}

} // namespace ns3
