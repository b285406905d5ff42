// SPDX-License-Identifier: GPL-2.0-only
#include "link-use-notice.h"

#include <algorithm>

namespace ns3
{

namespace
{

constexpr uint8_t LINK_USE_FORMAT = 2; //!< 1 is HopCongestionNotification

/// @return the next multiple of 4
std::size_t
RoundToWords(std::size_t bytes)
{
    return (bytes + 3) / 4 * 4;
}

} // namespace

uint16_t
LinkUseNotice::Quantize(double use)
{
    return static_cast<uint16_t>(std::min(use * UNITS + 0.5, DOWN - 1.0));
}

std::vector<uint8_t>
LinkUseNotice::Serialize() const
{
    std::vector<uint8_t> bytes{LINK_USE_FORMAT,
                               0,
                               static_cast<uint8_t>(uses.size() >> 8),
                               static_cast<uint8_t>(uses.size() & 0xff)};
    for (const uint16_t use : uses)
    {
        bytes.push_back(static_cast<uint8_t>(use >> 8));
        bytes.push_back(static_cast<uint8_t>(use & 0xff));
    }
    bytes.resize(RoundToWords(bytes.size()));
    return bytes;
}

bool
LinkUseNotice::Parse(const std::vector<uint8_t>& bytes, LinkUseNotice& notice)
{
    if (bytes.size() < HEADER_BYTES || bytes[0] != LINK_USE_FORMAT || bytes[1] != 0)
    {
        return false;
    }
    const std::size_t end = HEADER_BYTES + 2 * ((std::size_t{bytes[2]} << 8) + bytes[3]);
    if (bytes.size() != RoundToWords(end) ||
        !std::all_of(bytes.begin() + static_cast<std::ptrdiff_t>(end),
                     bytes.end(),
                     [](uint8_t byte) { return byte == 0; }))
    {
        return false;
    }
    notice.uses.clear();
    for (std::size_t at = HEADER_BYTES; at < end; at += 2)
    {
        notice.uses.push_back(static_cast<uint16_t>((bytes[at] << 8) + bytes[at + 1]));
    }
    return true;
}

} // namespace ns3
