// SPDX-License-Identifier: GPL-2.0-only
#include "hermes-probe.h"

#include <cstddef>

namespace ns3
{

namespace
{

constexpr uint8_t HERMES_FORMAT = 3; //!< 1 is HopCongestionNotification, 2 LinkUseNotice

} // namespace

std::vector<uint8_t>
HermesProbe::Serialize() const
{
    std::vector<uint8_t> bytes{HERMES_FORMAT, static_cast<uint8_t>(isAnswer), 0, 0};
    for (int shift = 24; shift >= 0; shift -= 8)
    {
        bytes.push_back(static_cast<uint8_t>(path >> shift));
    }
    for (int shift = 56; shift >= 0; shift -= 8)
    {
        bytes.push_back(static_cast<uint8_t>(static_cast<uint64_t>(sentPs) >> shift));
    }
    return bytes;
}

bool
HermesProbe::Parse(const std::vector<uint8_t>& bytes, HermesProbe& probe)
{
    if (bytes.size() != BYTES || bytes[0] != HERMES_FORMAT || bytes[1] > 1 || bytes[2] != 0 ||
        bytes[3] != 0)
    {
        return false;
    }
    probe.isAnswer = bytes[1] != 0;
    probe.path = 0;
    for (std::size_t i = 4; i < 8; ++i)
    {
        probe.path = (probe.path << 8) | bytes[i];
    }
    uint64_t sent = 0;
    for (std::size_t i = 8; i < BYTES; ++i)
    {
        sent = (sent << 8) | bytes[i];
    }
    probe.sentPs = static_cast<int64_t>(sent);
    return true;
}

} // namespace ns3
