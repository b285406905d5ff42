// SPDX-License-Identifier: GPL-2.0-only
#include "data-collectives.h"

namespace ns3
{

uint32_t
FloorLog2(uint32_t number)
{
    uint32_t result = 0;
    while ((number >> 1) >> result)
    {
        ++result;
    }
    return result;
}

uint32_t
CeilLog2(uint32_t number)
{
    return number > 1 ? FloorLog2(number - 1) + 1 : 0;
}

uint64_t
GetBlockBytes(uint64_t bytes, uint32_t first, uint32_t blocks, uint32_t count)
{
    const auto begin = [&](uint64_t block) {
        return static_cast<uint64_t>(static_cast<__uint128_t>(bytes) * block / count);
    };
    return begin(uint64_t{first} + blocks) - begin(first);
}

void
AddTreeStep(uint32_t level,
            bool up,
            uint32_t index,
            uint32_t size,
            uint64_t bytes,
            std::vector<RankExchange>& exchanges)
{
    const uint32_t distance = 1U << level;
    if (index % distance != 0)
    {
        return; // it is a leaf of a lower level
    }
    const bool child = (index & distance) != 0;
    if (child || size - index > distance)
    {
        exchanges.push_back({child ? index - distance : index + distance, child == up, bytes});
    }
}

const char*
RingAllGather::GetName() const
{
    return "allgather";
}

const char*
RingAllGather::GetAlgorithm() const
{
    return "ring";
}

double
RingAllGather::GetBusFactor(uint32_t size) const
{
    return (size - 1.0) / size;
}

uint32_t
RingAllGather::GetNSteps(uint32_t size) const
{
    return size - 1;
}

void
RingAllGather::GetStep(uint32_t step,
                       uint32_t index,
                       uint32_t size,
                       uint64_t bytes,
                       std::vector<RankExchange>& exchanges) const
{
    const uint32_t block = (index + size - step) % size;
    exchanges.push_back({(index + 1) % size, true, GetBlockBytes(bytes, block, 1, size)});
    exchanges.push_back({(index + size - 1) % size, false, 0});
}

const char*
RingReduceScatter::GetName() const
{
    return "reducescatter";
}

const char*
TreeBroadcast::GetName() const
{
    return "broadcast";
}

const char*
TreeBroadcast::GetAlgorithm() const
{
    return "tree";
}

double
TreeBroadcast::GetBusFactor(uint32_t /* size */) const
{
    return 1;
}

uint32_t
TreeBroadcast::GetNSteps(uint32_t size) const
{
    return CeilLog2(size);
}

void
TreeBroadcast::GetStep(uint32_t step,
                       uint32_t index,
                       uint32_t size,
                       uint64_t bytes,
                       std::vector<RankExchange>& exchanges) const
{
    AddTreeStep(CeilLog2(size) - 1 - step, false, index, size, bytes, exchanges);
}

const char*
TreeReduce::GetName() const
{
    return "reduce";
}

void
TreeReduce::GetStep(uint32_t step,
                    uint32_t index,
                    uint32_t size,
                    uint64_t bytes,
                    std::vector<RankExchange>& exchanges) const
{
    AddTreeStep(step, true, index, size, bytes, exchanges);
}

const char*
PairwiseAllToAll::GetName() const
{
    return "alltoall";
}

const char*
PairwiseAllToAll::GetAlgorithm() const
{
    return "pairwise";
}

bool
PairwiseAllToAll::IsSizeForPeer() const
{
    return true;
}

double
PairwiseAllToAll::GetBusFactor(uint32_t size) const
{
    return (size - 1.0) / size;
}

uint32_t
PairwiseAllToAll::GetNSteps(uint32_t size) const
{
    return size - 1;
}

void
PairwiseAllToAll::GetStep(uint32_t step,
                          uint32_t index,
                          uint32_t size,
                          uint64_t bytes,
                          std::vector<RankExchange>& exchanges) const
{
    const bool power = (size & (size - 1)) == 0;
    const uint32_t distance = step + 1;
    const uint32_t to = power ? index ^ distance : (index + distance) % size;
    const uint32_t from = power ? to : (index + size - distance) % size;
    exchanges.push_back({to, true, bytes});
    exchanges.push_back({from, false, 0});
}

} // namespace ns3
