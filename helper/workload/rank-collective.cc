// SPDX-License-Identifier: GPL-2.0-only
#include "rank-collective.h"

#include "collective-blocks.h"
#include "direct-collective.h"
#include "double-tree-collective.h"
#include "pat-collective.h"

#include "ns3/fabric-spec.h"

#include <utility>

namespace ns3
{

namespace
{

using Exchanges = std::vector<RankExchange>;

/// Bus factor where each rank's link carries all blocks but its own.
double
OthersBlocks(uint32_t size)
{
    return (size - 1.0) / size;
}

/// Bus factor of all-reduce, which is a reduce-scatter and an all-gather.
double
OthersBlocksTwice(uint32_t size)
{
    return 2.0 * (size - 1) / size;
}

/// Steps of algorithms that meet each other rank once.
uint32_t
StepForEachOther(uint32_t size)
{
    return size - 1;
}

/// Barrier by dissemination: in step r of ceil(log2 n), a rank sends to the one 2^r places after it
/// and waits for the one 2^r places before it. Nobody has left before all have come. Messages have
/// one byte, the least there is.
/// Source: Hensgen, Finkel, Manber, "Two algorithms for barrier synchronization", 1988.
void
AddDissemination(uint32_t step,
                 uint32_t index,
                 uint32_t size,
                 uint64_t /* bytes */,
                 Exchanges& exchanges)
{
    const uint64_t distance = uint64_t{1} << step;
    exchanges.push_back({static_cast<uint32_t>((index + distance) % size), true, 1});
    exchanges.push_back({static_cast<uint32_t>((index + size - distance) % size), false, 0});
}

/**
 * @param step of a ring
 * @param size number of ranks
 * @return true if the block that comes is to be summed up
 * @{
 */
using SumsFunction = bool (*)(uint32_t step, uint32_t size);

bool
SumNone(uint32_t /* step */, uint32_t /* size */)
{
    return false;
}

bool
SumAll(uint32_t /* step */, uint32_t /* size */)
{
    return true;
}

bool
SumFirstHalf(uint32_t step, uint32_t size)
{
    return step + 1 < size;
}

/// @}

/// Ring: a rank passes on the block of S/n bytes that it has just received, the one with its own
/// number first. n - 1 steps are an all-gather, or a reduce-scatter, which has the same messages,
/// though of other blocks; twice as many are an all-reduce.
/// Source: Patarasuk, Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations",
/// 2009.
template <SumsFunction SUMS>
void
AddRing(uint32_t step, uint32_t index, uint32_t size, uint64_t bytes, Exchanges& exchanges)
{
    const uint32_t block = (index + 2 * size - step) % size;
    const uint32_t coming = (block + size - 1) % size;
    exchanges.push_back({(index + 1) % size, true, GetBlockBytes(bytes, block, 1, size)});
    exchanges.push_back({(index + size - 1) % size,
                         false,
                         SUMS(step, size) ? GetBlockBytes(bytes, coming, 1, size) : 0});
}

/// What a rank exchanges with another in a step of an algorithm for powers of two.
struct Swap
{
    uint32_t distance; //!< its number among those that take part, exclusive or this, is the peer
    uint64_t bytes;    //!< that it sends
    uint64_t sums;     //!< of what it gets, that it adds
};

/// The exchange of a rank by its number among 2^levels that take part.
using SwapFunction = Swap (*)(uint32_t step, uint32_t place, uint32_t levels, uint64_t bytes);

/**
 * Steps of an algorithm for powers of two: of n ranks, the largest such number p that fits takes
 * part. Of the first 2 (n - p) ranks, those with even places give their vector to the next before,
 * and get the sum from it after.
 *
 * Source: Thakur, Rabenseifner, Gropp, "Optimization of collective communication operations in
 * MPICH", 2005, section 4.5.
 *
 * @tparam FACTOR steps of those that take part, over log2 p
 * @param size number of ranks
 * @return steps
 */
template <uint32_t FACTOR>
uint32_t
FoldedSteps(uint32_t size)
{
    const uint32_t levels = FloorLog2(size);
    return FACTOR * levels + (size == 1U << levels ? 0 : 2);
}

/// A step of it (see FoldedSteps()).
template <uint32_t FACTOR, SwapFunction SWAP>
void
AddFolded(uint32_t step, uint32_t index, uint32_t size, uint64_t bytes, Exchanges& exchanges)
{
    const uint32_t levels = FloorLog2(size);
    const uint32_t folded = size - (1U << levels); // ranks that give their vector away
    const uint32_t before = folded > 0 ? 1 : 0;    // steps
    const bool first = folded > 0 && step == 0;
    const bool last = folded > 0 && step + 1 == FoldedSteps<FACTOR>(size);
    const bool gives = index < 2 * folded && index % 2 == 0;
    if (first || last)
    {
        if (index < 2 * folded)
        {
            const bool sends = gives == first;
            exchanges.push_back({index ^ 1, sends, sends || first ? bytes : 0});
        }
        return;
    }
    if (gives)
    {
        return;
    }
    const uint32_t place = index < 2 * folded ? index / 2 : index - folded;
    const Swap swap = SWAP(step - before, place, levels, bytes);
    const uint32_t other = place ^ swap.distance;
    const uint32_t peer = other < folded ? 2 * other + 1 : other + folded;
    exchanges.push_back({peer, true, swap.bytes});
    exchanges.push_back({peer, false, swap.sums});
}

/// Recursive doubling: ranks at distance 1, 2, 4 ... exchange S bytes. Good for short vectors.
Swap
SwapDoubling(uint32_t step, uint32_t /* place */, uint32_t /* levels */, uint64_t bytes)
{
    return {1U << step, bytes, bytes};
}

/// Recursive halving and doubling: log2 p steps of reduce-scatter with ranks at distance p/2, p/4
/// ... 1 that exchange S/2, S/4 ... S/p bytes, then the same backwards for the all-gather. In the
/// first half a rank gives away the part that its peer is to sum up; in the second half it gives
/// the part that it has: blocks whose numbers agree with the owner's in the bits of the steps so
/// far.
Swap
SwapHalvingDoubling(uint32_t step, uint32_t place, uint32_t levels, uint64_t bytes)
{
    const bool reduce = step < levels;
    const uint32_t distance = 1U << (reduce ? levels - 1 - step : step - levels);
    const uint32_t owner = reduce ? place ^ distance : place;
    const auto get = [&](uint32_t of) {
        return GetBlockBytes(bytes, of & ~(distance - 1), distance, 1U << levels);
    };
    return {distance, get(owner), reduce ? get(place) : 0};
}

/**
 * Messages of S bytes between levels of a binomial tree whose root is the first rank.
 *
 * @param level from 0, the leaves
 * @param up true: towards the root
 * @param index place of the rank
 * @param size number of ranks
 * @param bytes of each message
 * @param exchanges what the rank does is appended
 */
void
AddTreeLevel(uint32_t level,
             bool up,
             uint32_t index,
             uint32_t size,
             uint64_t bytes,
             Exchanges& exchanges)
{
    const uint32_t distance = 1U << level;
    if (index % distance != 0)
    {
        return; // it is a leaf of a lower level
    }
    const bool child = (index & distance) != 0;
    if (child || size - index > distance)
    {
        const bool sends = child == up;
        exchanges.push_back(
            {child ? index - distance : index + distance, sends, sends || up ? bytes : 0});
    }
}

/// Reduce up the tree: the sum of all vectors at the root.
void
AddTreeUp(uint32_t step, uint32_t index, uint32_t size, uint64_t bytes, Exchanges& exchanges)
{
    AddTreeLevel(step, true, index, size, bytes, exchanges);
}

/// Broadcast down the tree.
void
AddTreeDown(uint32_t step, uint32_t index, uint32_t size, uint64_t bytes, Exchanges& exchanges)
{
    AddTreeLevel(CeilLog2(size) - 1 - step, false, index, size, bytes, exchanges);
}

/// All-reduce in a tree: up, then down.
void
AddTreeBoth(uint32_t step, uint32_t index, uint32_t size, uint64_t bytes, Exchanges& exchanges)
{
    const uint32_t levels = CeilLog2(size);
    const bool up = step < levels;
    AddTreeLevel(up ? step : 2 * levels - 1 - step, up, index, size, bytes, exchanges);
}

/// All-to-all by pairwise exchange: in step s a rank exchanges with the rank whose place is its
/// own, exclusive or s, if n is a power of two; else it sends to the one s places on and receives
/// from the one s places before.
void
AddPairwise(uint32_t step, uint32_t index, uint32_t size, uint64_t bytes, Exchanges& exchanges)
{
    const bool power = (size & (size - 1)) == 0;
    const uint32_t distance = step + 1;
    const uint32_t to = power ? index ^ distance : (index + distance) % size;
    const uint32_t from = power ? to : (index + size - distance) % size;
    exchanges.push_back({to, true, bytes});
    exchanges.push_back({from, false, 0});
}

/**
 * Gather and scatter: blocks of S/n bytes between the root and every other rank, all at once. As
 * the linear algorithm of MPI libraries, and NCCL, where it is a group of sends and receives: an
 * incast. The block of the root stays where it is.
 *
 * @tparam GATHER true: to the root
 */
template <bool GATHER>
void
AddLinear(uint32_t /* step */, uint32_t index, uint32_t size, uint64_t bytes, Exchanges& exchanges)
{
    const auto add = [&](uint32_t peer, uint32_t block, bool send) {
        exchanges.push_back({peer, send, send ? GetBlockBytes(bytes, block, 1, size) : 0});
    };
    if (index > 0)
    {
        add(0, index, GATHER);
        return;
    }
    for (uint32_t peer = 1; peer < size; ++peer)
    {
        add(peer, peer, !GATHER);
    }
}

/// Bus factor of what has no data.
double
NoData(uint32_t /* size */)
{
    return 0;
}

/// Bus factor where one link carries all data.
double
AllData(uint32_t /* size */)
{
    return 1;
}

/// One step, if there is anybody else.
uint32_t
OneStep(uint32_t size)
{
    return size > 1 ? 1 : 0;
}

/// No step: ranks exchange nothing with one another.
uint32_t
NoStep(uint32_t /* size */)
{
    return 0;
}

/// What switches do.
void
AddInNetwork(std::vector<RankCollective>& all)
{
    for (const auto& [name, getBusFactor] :
         {std::pair<const char*, RankCollective::BusFactorFunction>{"barrier", NoData},
          {"allreduce", OthersBlocksTwice},
          {"allgather", OthersBlocks},
          {"reducescatter", OthersBlocks},
          {"broadcast", AllData},
          {"reduce", AllData}})
    {
        RankCollective one{name, "in-network", getBusFactor, NoStep, nullptr};
        one.inNetwork = true;
        all.push_back(one);
    }
}

/// Twice, for the way there and the way back.
template <RankCollective::StepsFunction STEPS>
uint32_t
Twice(uint32_t size)
{
    return 2 * STEPS(size);
}

/// Algorithms of all-reduce.
void
AddAllReduces(std::vector<RankCollective>& all)
{
    constexpr auto ringSteps = Twice<StepForEachOther>;
    RankCollective ring{"allreduce", "ring", OthersBlocksTwice, ringSteps, AddRing<SumFirstHalf>};
    ring.turns = true;
    all.push_back(ring);
    all.push_back(
        {"allreduce", "doubling", OthersBlocksTwice, FoldedSteps<1>, AddFolded<1, SwapDoubling>});
    all.push_back({"allreduce",
                   "halving-doubling",
                   OthersBlocksTwice,
                   FoldedSteps<2>,
                   AddFolded<2, SwapHalvingDoubling>});
    all.push_back({"allreduce", "tree", OthersBlocksTwice, Twice<CeilLog2>, AddTreeBoth});
    RankCollective trees{"allreduce",
                         "double-tree",
                         OthersBlocksTwice,
                         DoubleTreeCollective::GetNSteps,
                         DoubleTreeCollective::AddFirst};
    trees.addOther = DoubleTreeCollective::AddSecond;
    trees.getChunks = DoubleTreeCollective::GetChunks;
    all.push_back(trees);
    RankCollective direct{"allreduce",
                          "direct",
                          OthersBlocksTwice,
                          Twice<OneStep>,
                          DirectCollective::AddAllReduce};
    direct.windowed = true;
    all.push_back(direct);
    ring.algorithm = "hierarchical"; // in one dimension
    ring.byDims = true;
    all.push_back(ring);
}

/**
 * @brief Algorithms of all-gather or reduce-scatter.
 * @param all they are appended
 * @param name of the operation
 * @param addRing,addPat,addDirect steps of its algorithms
 */
void
AddHalves(std::vector<RankCollective>& all,
          const char* name,
          RankCollective::StepFunction addRing,
          RankCollective::StepFunction addPat,
          RankCollective::StepFunction addDirect)
{
    RankCollective ring{name, "ring", OthersBlocks, StepForEachOther, addRing};
    ring.turns = true;
    all.push_back(ring);
    all.push_back({name, "pat", OthersBlocks, CeilLog2, addPat});
    RankCollective direct{name, "direct", OthersBlocks, OneStep, addDirect};
    direct.windowed = true;
    all.push_back(direct);
    ring.algorithm = "hierarchical"; // in one dimension
    ring.byDims = true;
    all.push_back(ring);
}

/// @return all of them
std::vector<RankCollective>
MakeCollectives()
{
    std::vector<RankCollective> all;
    all.push_back({"barrier", "dissemination", NoData, CeilLog2, AddDissemination});
    AddAllReduces(all);
    AddHalves(all,
              "allgather",
              AddRing<SumNone>,
              PatCollective::AddAllGather,
              DirectCollective::AddAllGather);
    AddHalves(all,
              "reducescatter",
              AddRing<SumAll>,
              PatCollective::AddReduceScatter,
              DirectCollective::AddReduceScatter);
    all.push_back({"broadcast", "tree", AllData, CeilLog2, AddTreeDown});
    all.push_back({"reduce", "tree", AllData, CeilLog2, AddTreeUp});
    all.push_back({"alltoall", "pairwise", OthersBlocks, StepForEachOther, AddPairwise, true});
    all.push_back(
        {"alltoall", "direct", OthersBlocks, OneStep, DirectCollective::AddAllToAll, true});
    all.back().windowed = true;
    all.push_back({"gather", "linear", OthersBlocks, OneStep, AddLinear<true>});
    all.push_back({"scatter", "linear", OthersBlocks, OneStep, AddLinear<false>});
    AddInNetwork(all);
    return all;
}

} // namespace

const std::vector<RankCollective>&
GetRankCollectives()
{
    static const std::vector<RankCollective> all = MakeCollectives();
    return all;
}

uint32_t
FindRankCollective(const std::string& name, const std::string& algorithm)
{
    const auto& all = GetRankCollectives();
    std::vector<std::string> names;
    std::vector<std::string> algorithms;
    for (uint32_t i = 0; i < all.size(); ++i)
    {
        names.emplace_back(all[i].name);
        if (name == all[i].name)
        {
            if (algorithm.empty() || algorithm == all[i].algorithm)
            {
                return i;
            }
            algorithms.emplace_back(all[i].algorithm);
        }
    }
    if (algorithms.empty())
    {
        RefuseFabricName(name, names, "collective");
    }
    RefuseFabricName(algorithm, algorithms, "algorithm of " + name);
}

} // namespace ns3
