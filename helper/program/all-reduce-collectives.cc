// SPDX-License-Identifier: GPL-2.0-only
#include "all-reduce-collectives.h"

#include "data-collectives.h"

namespace ns3
{

const char*
AllReduceCollective::GetName() const
{
    return "allreduce";
}

double
AllReduceCollective::GetBusFactor(uint32_t size) const
{
    return 2.0 * (size - 1) / size;
}

const char*
RingAllReduce::GetAlgorithm() const
{
    return "ring";
}

uint32_t
RingAllReduce::GetNSteps(uint32_t size) const
{
    return 2 * (size - 1);
}

void
RingAllReduce::GetStep(uint32_t step,
                       uint32_t index,
                       uint32_t size,
                       uint64_t bytes,
                       std::vector<RankExchange>& exchanges) const
{
    // A rank passes on the block that it has just received: the one with its own number first.
    const uint32_t block = (index + 2 * size - step) % size;
    exchanges.push_back({(index + 1) % size, true, GetBlockBytes(bytes, block, 1, size)});
    exchanges.push_back({(index + size - 1) % size, false, 0});
}

uint32_t
FoldedAllReduce::GetNSteps(uint32_t size) const
{
    const uint32_t levels = FloorLog2(size);
    return GetNCoreSteps(levels) + (size == 1U << levels ? 0 : 2);
}

void
FoldedAllReduce::GetStep(uint32_t step,
                         uint32_t index,
                         uint32_t size,
                         uint64_t bytes,
                         std::vector<RankExchange>& exchanges) const
{
    const uint32_t levels = FloorLog2(size);
    const uint32_t folded = size - (1U << levels); // ranks that give their vector away
    const uint32_t before = folded > 0 ? 1 : 0;    // steps
    const bool first = folded > 0 && step == 0;
    const bool last = folded > 0 && step + 1 == GetNSteps(size);
    const bool gives = index < 2 * folded && index % 2 == 0;
    if (first || last)
    {
        if (index < 2 * folded)
        {
            exchanges.push_back({index ^ 1, gives == first, bytes});
        }
        return;
    }
    if (gives)
    {
        return;
    }
    const uint32_t place = index < 2 * folded ? index / 2 : index - folded;
    const Swap swap = GetSwap(step - before, place, levels, bytes);
    const uint32_t other = place ^ swap.distance;
    const uint32_t peer = other < folded ? 2 * other + 1 : other + folded;
    exchanges.push_back({peer, true, swap.bytes});
    exchanges.push_back({peer, false, 0});
}

const char*
DoublingAllReduce::GetAlgorithm() const
{
    return "doubling";
}

uint32_t
DoublingAllReduce::GetNCoreSteps(uint32_t levels) const
{
    return levels;
}

FoldedAllReduce::Swap
DoublingAllReduce::GetSwap(uint32_t step,
                           uint32_t /* place */,
                           uint32_t /* levels */,
                           uint64_t bytes) const
{
    return {1U << step, bytes};
}

const char*
HalvingDoublingAllReduce::GetAlgorithm() const
{
    return "halving-doubling";
}

uint32_t
HalvingDoublingAllReduce::GetNCoreSteps(uint32_t levels) const
{
    return 2 * levels;
}

FoldedAllReduce::Swap
HalvingDoublingAllReduce::GetSwap(uint32_t step,
                                  uint32_t place,
                                  uint32_t levels,
                                  uint64_t bytes) const
{
    // In the first half a rank gives away the part that its peer is to sum up; in the second half
    // it gives the part that it has: blocks whose numbers agree with the owner's in the bits of the
    // steps so far.
    const bool reduce = step < levels;
    const uint32_t distance = 1U << (reduce ? levels - 1 - step : step - levels);
    const uint32_t owner = reduce ? place ^ distance : place;
    return {distance, GetBlockBytes(bytes, owner & ~(distance - 1), distance, 1U << levels)};
}

const char*
TreeAllReduce::GetAlgorithm() const
{
    return "tree";
}

uint32_t
TreeAllReduce::GetNSteps(uint32_t size) const
{
    return 2 * CeilLog2(size);
}

void
TreeAllReduce::GetStep(uint32_t step,
                       uint32_t index,
                       uint32_t size,
                       uint64_t bytes,
                       std::vector<RankExchange>& exchanges) const
{
    const uint32_t levels = CeilLog2(size);
    if (step < levels)
    {
        AddTreeStep(step, true, index, size, bytes, exchanges);
    }
    else
    {
        AddTreeStep(2 * levels - 1 - step, false, index, size, bytes, exchanges);
    }
}

} // namespace ns3
