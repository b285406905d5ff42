// SPDX-License-Identifier: GPL-2.0-only
#include "shield-notice.h"

#include <cstddef>
#include <utility>

namespace ns3
{

namespace
{

constexpr uint8_t SHIELD_FORMAT = 4;        //!< 3 is HermesProbe
constexpr uint32_t LAST_ADDRESS = 0xffffff; //!< fabric addresses are less than 2^24

/// Append four bytes.
void
PutWord(std::vector<uint8_t>& bytes, uint32_t word)
{
    for (int shift = 24; shift >= 0; shift -= 8)
    {
        bytes.push_back(static_cast<uint8_t>(word >> shift));
    }
}

/// @return four bytes from there on
uint32_t
GetWord(const std::vector<uint8_t>& bytes, std::size_t at)
{
    uint32_t word = 0;
    for (std::size_t i = at; i < at + 4; ++i)
    {
        word = (word << 8) | bytes[i];
    }
    return word;
}

} // namespace

std::vector<uint8_t>
ShieldNotice::Serialize() const
{
    std::vector<std::pair<uint32_t, uint32_t>> ranges;
    for (uint32_t address = 0; address < lost.size(); ++address)
    {
        if (!lost[address])
        {
            continue;
        }
        if (!ranges.empty() && ranges.back().second + 1 == address)
        {
            ++ranges.back().second;
        }
        else
        {
            ranges.emplace_back(address, address);
        }
    }
    std::vector<uint8_t> bytes{SHIELD_FORMAT,
                               0,
                               static_cast<uint8_t>(ranges.size() >> 8),
                               static_cast<uint8_t>(ranges.size() & 0xff)};
    for (const auto& [first, last] : ranges)
    {
        PutWord(bytes, first);
        PutWord(bytes, last);
    }
    return bytes;
}

bool
ShieldNotice::Parse(const std::vector<uint8_t>& bytes, ShieldNotice& notice)
{
    if (bytes.size() < 4 || bytes[0] != SHIELD_FORMAT || bytes[1] != 0 ||
        bytes.size() != 4 + 8 * ((std::size_t{bytes[2]} << 8) + bytes[3]))
    {
        return false;
    }
    notice.lost.clear();
    for (std::size_t at = 4; at < bytes.size(); at += 8)
    {
        const uint32_t first = GetWord(bytes, at);
        const uint32_t last = GetWord(bytes, at + 4);
        const bool touches = at > 4 && first <= notice.lost.size();
        if (touches || last < first || last > LAST_ADDRESS)
        {
            return false;
        }
        notice.lost.resize(first, false);
        notice.lost.resize(std::size_t{last} + 1, true);
    }
    return true;
}

} // namespace ns3
