// SPDX-License-Identifier: GPL-2.0-only
#include "channel-scheduler.h"

#include "ns3/pointer.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(ChannelScheduler);

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
    uint8_t chosen = 8;
    uint64_t earliest = 0;
    for (uint8_t c = 0; c < 8; ++c)
    {
        if ((channels >> c) & 1)
        {
            // one that had nothing, or was paused, begins now: it has saved nothing
            const uint64_t start = std::max(m_finish[c], m_virtual[m_first[c]]);
            if (chosen == 8 || start < earliest)
            {
                chosen = c;
                earliest = start;
            }
        }
    }
    return chosen;
}

uint8_t
ChannelScheduler::Select(uint8_t eligible, const std::array<uint32_t, 8>& headBytes)
{
    m_eligible = eligible;
    uint8_t firsts = 0;
    std::array<uint8_t, 8> chosen{};
    std::array<uint32_t, 8> chosenBytes{};
    for (uint8_t c = 0; c < 8; ++c)
    {
        if (m_first[c] == c && (eligible & m_channels[c]) != 0)
        {
            firsts |= 1U << c;
            chosen[c] = Choose(eligible & m_channels[c]);
            chosenBytes[c] = headBytes[chosen[c]];
        }
    }
    const uint8_t first = m_scheduler ? m_scheduler->Select(firsts, chosenBytes)
                                      : static_cast<uint8_t>(31 - __builtin_clz(firsts));
    const uint8_t channel = chosen[first];
    m_virtual[first] = std::max(m_finish[channel], m_virtual[first]);
    m_finish[channel] = m_virtual[first] + headBytes[channel];
    return channel;
}

bool
ChannelScheduler::NeedsHeadBytes() const
{
    return true;
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
