// SPDX-License-Identifier: GPL-2.0-only
#include "rank-collective.h"

#include "all-reduce-collectives.h"
#include "data-collectives.h"
#include "root-collectives.h"

#include "ns3/fabric-spec.h"

namespace ns3
{

const char*
DisseminationBarrier::GetName() const
{
    return "barrier";
}

const char*
DisseminationBarrier::GetAlgorithm() const
{
    return "dissemination";
}

double
DisseminationBarrier::GetBusFactor(uint32_t /* size */) const
{
    return 0;
}

uint32_t
DisseminationBarrier::GetNSteps(uint32_t size) const
{
    return CeilLog2(size);
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
    static const RingAllReduce ring;
    static const DoublingAllReduce doubling;
    static const HalvingDoublingAllReduce halvingDoubling;
    static const TreeAllReduce tree;
    static const RingAllGather allGather;
    static const RingReduceScatter reduceScatter;
    static const TreeBroadcast broadcast;
    static const TreeReduce reduce;
    static const PairwiseAllToAll allToAll;
    static const LinearGather gather;
    static const LinearScatter scatter;
    static const std::vector<const RankCollective*> all = {&barrier,
                                                           &ring,
                                                           &doubling,
                                                           &halvingDoubling,
                                                           &tree,
                                                           &allGather,
                                                           &reduceScatter,
                                                           &broadcast,
                                                           &reduce,
                                                           &allToAll,
                                                           &gather,
                                                           &scatter};
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
        names.emplace_back(all[i]->GetName());
        if (names.back() == name)
        {
            if (algorithm.empty() || algorithm == all[i]->GetAlgorithm())
            {
                return i;
            }
            algorithms.emplace_back(all[i]->GetAlgorithm());
        }
    }
    if (algorithms.empty())
    {
        RefuseFabricName(name, names, "collective");
    }
    RefuseFabricName(algorithm, algorithms, "algorithm of " + name);
}

} // namespace ns3
