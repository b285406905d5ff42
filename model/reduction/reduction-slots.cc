// SPDX-License-Identifier: GPL-2.0-only
#include "reduction-slots.h"

#include <algorithm>

namespace ns3
{

ReductionSlots::ReductionSlots(uint32_t window, uint32_t children)
    : m_children(children),
      m_words((children + 63) / 64),
      m_slots(std::size_t{2} * window),
      m_bits(m_slots.size() * m_words)
{
}

ReductionSlots::Verdict
ReductionSlots::Contribute(uint64_t number, uint32_t child)
{
    Slot& slot = At(number);
    uint64_t* bits = GetBits(number);
    if (slot.number != number)
    {
        if (slot.number != Slot::NONE && slot.number > number)
        {
            return Verdict::LATE;
        }
        slot = Slot();
        slot.number = number;
        slot.missing = m_children;
        std::fill_n(bits, m_words, 0);
    }
    const uint64_t bit = uint64_t{1} << (child % 64);
    if (slot.state != State::FILLING || (bits[child / 64] & bit) != 0)
    {
        return Verdict::REPEAT;
    }
    bits[child / 64] |= bit;
    if (--slot.missing > 0)
    {
        return Verdict::NEW;
    }
    std::fill_n(bits, m_words, 0); // nobody asks yet
    slot.state = State::ADDING;
    return Verdict::LAST;
}

bool
ReductionSlots::Asks(uint64_t number, uint32_t child)
{
    uint64_t* bits = GetBits(number);
    const uint64_t bit = uint64_t{1} << (child % 64);
    const bool again = (bits[child / 64] & bit) != 0;
    const bool first = std::all_of(bits, bits + m_words, [](uint64_t word) { return word == 0; });
    if (again)
    {
        std::fill_n(bits, m_words, 0); // what was sent at the first asking has been lost, too
    }
    bits[child / 64] |= bit;
    return first || again;
}

std::vector<uint32_t>
ReductionSlots::ListMissing(uint64_t number) const
{
    std::vector<uint32_t> missing;
    const uint64_t* bits = &m_bits[number % m_slots.size() * m_words];
    const Slot& slot = m_slots[number % m_slots.size()];
    for (uint32_t child = 0; child < m_children; ++child)
    {
        const bool has = ((bits[child / 64] >> (child % 64)) & 1) != 0;
        if (slot.number != number || (slot.state == State::FILLING && !has))
        {
            missing.push_back(child);
        }
    }
    return missing;
}

} // namespace ns3
