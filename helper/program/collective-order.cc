// SPDX-License-Identifier: GPL-2.0-only
#include "collective-order.h"

#include "ns3/fabric-error.h"
#include "ns3/rank-collective.h"

#include <string>

namespace ns3
{

namespace
{

/**
 * @param mine what a rank does
 * @param first what another one does
 * @return what that has and this one has not; empty: they do the same
 */
std::string
FindDifference(const CollectiveOrder::Call& mine, const CollectiveOrder::Call& first)
{
    const auto collective = [](const CollectiveOrder::Call& call) -> const RankCollective& {
        return GetRankCollectives()[call.operation->collective];
    };
    const RankCollective& own = collective(mine);
    const RankCollective& other = collective(first);
    if (std::string(own.name) != other.name)
    {
        return other.name;
    }
    if (std::string(own.algorithm) != other.algorithm)
    {
        return std::string("algorithm ") + other.algorithm + " instead of " + own.algorithm;
    }
    if (mine.bytes != first.bytes)
    {
        return "size " + std::to_string(first.bytes) + " instead of " + std::to_string(mine.bytes);
    }
    if (mine.root != first.root)
    {
        return "root " + std::to_string(first.root) + " instead of " + std::to_string(mine.root);
    }
    const CollectivePlan& plan = mine.program->GetPlan(*mine.operation);
    return plan.HasSameMessages(first.program->GetPlan(*first.operation)) ? "" : "other options";
}

} // namespace

CollectiveOrder::CollectiveOrder(const RankJob& job)
    : m_job(job)
{
}

void
CollectiveOrder::Come(const Call& call, uint32_t groupIndex)
{
    const RankGroup& group = m_job.GetGroups()[groupIndex];
    const uint32_t part = group.GetPart(call.rank);
    const uint32_t size = group.GetSize(part);
    if (size == 1)
    {
        return;
    }
    const uint64_t number = m_numbers[(uint64_t{call.rank} << 32) | groupIndex]++;
    const auto [turn, added] = m_open.try_emplace({groupIndex, part, number}, Turn{call, size});
    const Call& first = turn->second.first;
    const std::string difference = added ? "" : FindDifference(call, first);
    if (!difference.empty())
    {
        throw FabricError("it is collective " + std::to_string(number + 1) + " of group " +
                          group.GetName() + ", where " + m_job.DescribeRank(first.rank) + " has " +
                          difference + " (" + first.program->Describe(*first.operation) +
                          "); the ranks of a group come to the same collectives in the same order, "
                          "with the same sizes and options");
    }
    if (--turn->second.left == 0)
    {
        m_open.erase(turn);
    }
}

} // namespace ns3
