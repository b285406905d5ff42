// SPDX-License-Identifier: GPL-2.0-only
#include "rank-collective.h"

namespace ns3
{

const char*
DisseminationBarrier::GetName() const
{
    return "barrier";
}

uint32_t
DisseminationBarrier::GetNSteps(uint32_t /* index */, uint32_t size) const
{
    uint32_t steps = 0;
    while ((uint64_t{1} << steps) < size)
    {
        ++steps;
    }
    return steps;
}

void
DisseminationBarrier::GetStep(uint32_t step,
                              uint32_t index,
                              uint32_t size,
                              uint64_t /* bytes */,
                              std::vector<RankExchange>& exchanges) const
{
    const uint64_t distance = uint64_t{1} << step;
    exchanges.push_back({static_cast<uint32_t>((index + distance) % size), true, 1});
    exchanges.push_back({static_cast<uint32_t>((index + size - distance) % size), false, 1});
}

const std::vector<const RankCollective*>&
GetRankCollectives()
{
    static const DisseminationBarrier barrier;
    static const std::vector<const RankCollective*> all = {&barrier};
    return all;
}

} // namespace ns3
