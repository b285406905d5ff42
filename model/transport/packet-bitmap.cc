// SPDX-License-Identifier: GPL-2.0-only
#include "packet-bitmap.h"

#include <algorithm>

namespace ns3
{

void
PacketBitmap::AdvanceTo(uint64_t base)
{
    if (m_count == 0)
    {
        m_base = base;
        return;
    }
    const uint64_t end = std::min(base, m_base + Capacity());
    for (uint64_t seq = m_base; seq < end;)
    {
        uint64_t& word = m_words[(seq / 64) & m_mask];
        const uint64_t next = std::min(end, (seq / 64 + 1) * 64);
        const uint64_t width = next - seq;
        const uint64_t mask = (width == 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1)
                              << (seq % 64);
        m_count -= static_cast<uint64_t>(__builtin_popcountll(word & mask));
        word &= ~mask;
        seq = next;
    }
    m_base = base;
}

uint64_t
PacketBitmap::Extract(uint64_t first) const
{
    if (m_count == 0 || first - m_base >= Capacity())
    {
        return 0;
    }
    const uint64_t shift = first % 64;
    uint64_t bits = Word(first) >> shift;
    if (shift != 0 && first + 64 - shift - m_base < Capacity())
    {
        bits |= Word(first + 64 - shift) << (64 - shift);
    }
    return bits;
}

void
PacketBitmap::Grow(uint64_t seq)
{
    const uint64_t needed = seq / 64 - m_base / 64 + 1;
    uint64_t size = m_words.empty() ? 1 : m_words.size();
    while (size < needed)
    {
        size *= 2;
    }
    std::vector<uint64_t> words(size, 0);
    for (uint64_t i = 0; i < m_words.size(); ++i)
    {
        const uint64_t word = m_base / 64 + i;
        words[word & (size - 1)] = m_words[word & m_mask];
    }
    m_words = std::move(words);
    m_mask = size - 1;
}

} // namespace ns3
