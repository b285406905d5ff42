// SPDX-License-Identifier: GPL-2.0-only
#include "root-collectives.h"

#include "data-collectives.h"

namespace ns3
{

const char*
LinearGather::GetName() const
{
    return "gather";
}

const char*
LinearGather::GetAlgorithm() const
{
    return "linear";
}

double
LinearGather::GetBusFactor(uint32_t size) const
{
    return (size - 1.0) / size;
}

uint32_t
LinearGather::GetNSteps(uint32_t size) const
{
    return size > 1 ? 1 : 0;
}

void
LinearGather::GetStep(uint32_t /* step */,
                      uint32_t index,
                      uint32_t size,
                      uint64_t bytes,
                      std::vector<RankExchange>& exchanges) const
{
    if (index > 0)
    {
        exchanges.push_back({0, true, GetBlockBytes(bytes, index, 1, size)});
        return;
    }
    for (uint32_t peer = 1; peer < size; ++peer)
    {
        exchanges.push_back({peer, false, 0});
    }
}

const char*
LinearScatter::GetName() const
{
    return "scatter";
}

void
LinearScatter::GetStep(uint32_t /* step */,
                       uint32_t index,
                       uint32_t size,
                       uint64_t bytes,
                       std::vector<RankExchange>& exchanges) const
{
    if (index > 0)
    {
        exchanges.push_back({0, false, 0});
        return;
    }
    for (uint32_t peer = 1; peer < size; ++peer)
    {
        exchanges.push_back({peer, true, GetBlockBytes(bytes, peer, 1, size)});
    }
}

} // namespace ns3
