// SPDX-License-Identifier: GPL-2.0-only
#include "rank-runner.h"

#include "ns3/parse-units.h"

#include <algorithm>
#include <set>
#include <tuple>

/**
 * @file
 * @ingroup dcfabric
 * @brief How RankRunner reports ranks that wait for ever.
 */

namespace ns3
{

std::string
RankRunner::GetWaitingTitle() const
{
    return "ranks that wait";
}

std::vector<std::string>
RankRunner::DescribeWaiting() const
{
    std::map<uint32_t, std::string> all = DescribeOwn();
    all.insert(m_waitElsewhere.begin(), m_waitElsewhere.end());
    std::vector<std::string> lines;
    lines.reserve(all.size());
    for (const auto& [rank, line] : all)
    {
        lines.push_back(line);
    }
    return lines;
}

std::map<uint32_t, std::string>
RankRunner::DescribeOwn() const
{
    std::map<uint32_t, std::string> lines;
    if (!m_messages)
    {
        return lines;
    }
    const auto open = m_messages->ListOpen();
    std::vector<std::vector<uint32_t>> tasks(m_ranks.size());
    for (uint32_t number = 0; number < m_tasks.GetEnd(); ++number)
    {
        if (m_tasks.IsUsed(number) && m_tasks[number].unmet > 0)
        {
            tasks[m_tasks[number].rank].push_back(number);
        }
    }
    for (uint32_t rank = 0; rank < m_ranks.size(); ++rank)
    {
        const State state = m_ranks[rank].state;
        if (state == State::BLOCKED || state == State::WAITING)
        {
            // what came later in the program waits for what came before
            std::sort(tasks[rank].begin(), tasks[rank].end(), [this](uint32_t a, uint32_t b) {
                return m_tasks[a].order > m_tasks[b].order;
            });
            lines[rank] = DescribeWait(rank, open[rank], tasks[rank]);
        }
    }
    return lines;
}

std::string
RankRunner::DescribeWait(uint32_t rank,
                         const std::vector<RankMessages::Open>& open,
                         const std::vector<uint32_t>& tasks) const
{
    constexpr std::size_t MAX_ITEMS = 4; // of one rank
    const Rank& r = m_ranks[rank];
    const RankProgram& program = GetProgram(r);
    const RankOperation& operation = program.GetOperations()[r.at];
    const bool all = operation.name == RankOperation::ANY_NAME;
    std::set<uint32_t> names = {operation.name}; // that matter
    std::size_t count = 0;
    std::string waiting;
    for (const uint32_t number : tasks)
    {
        const Task& task = m_tasks[number];
        const bool matters =
            r.state == State::WAITING && (all || names.count(task.operation->name) > 0 ||
                                          names.count(task.operation->begun) > 0);
        if (!matters)
        {
            continue;
        }
        std::string list;
        for (uint32_t i = 0; i < task.operation->afters; ++i)
        {
            const uint32_t name = program.GetAfter(*task.operation, i);
            if (m_requests.IsOpen(rank, name))
            {
                names.insert(name);
                list += (list.empty() ? " waits for " : ", ") + program.GetRequests()[name];
            }
        }
        waiting += ++count > MAX_ITEMS ? "" : "; " + program.Describe(*task.operation) + list;
    }
    waiting += count > MAX_ITEMS ? "; and " + std::to_string(count - MAX_ITEMS) + " more" : "";
    std::string text = m_job->DescribeRank(rank) + " on host " +
                       std::to_string(m_messages->GetHosts()[rank]) + " since " +
                       FormatFabricTimePs(r.sincePs) + ", " + program.Describe(operation) + ":";
    std::size_t peers = 0;
    std::set<std::tuple<uint64_t, uint32_t, bool>> told; // of collectives, whose lanes are many
    for (const RankMessages::Open& one : open)
    {
        uint32_t request = one.request;
        if (request >= COLLECTIVE_REQUEST && request < BUFFERED_REQUEST)
        {
            request = m_running[m_lanes->lanes[request - COLLECTIVE_REQUEST].collective].request;
        }
        const bool matters = r.state == State::BLOCKED
                                 ? request == BLOCKING_REQUEST
                                 : all || (request < COLLECTIVE_REQUEST &&
                                           names.count(m_requests.GetName(request)) > 0);
        const bool collective = (one.tag & COLLECTIVE_TAG) != 0;
        const uint64_t kind =
            one.tag & ~(uint64_t{LANE_ITERATIONS} * CollectivePlan::MAX_LANES - 1);
        if (!matters || (collective && !told.emplace(kind, one.peer, one.receive).second) ||
            ++peers > MAX_ITEMS)
        {
            continue;
        }
        text += (peers > 1 ? ", " : " ") +
                std::string(one.receive ? "nothing from " : "not acknowledged by ") +
                (one.peer == RankMessages::ANY
                     ? std::string("any rank")
                     : "rank " + std::to_string(one.peer - GetPart(rank).first)) +
                (collective                         ? std::string()
                 : one.tag == RankMessages::ANY_TAG ? std::string(", any tag")
                                                    : ", tag " + std::to_string(one.tag));
    }
    if (peers > MAX_ITEMS)
    {
        text += ", and " + std::to_string(peers - MAX_ITEMS) + " more";
    }
    return text + DescribeInNetwork(rank, names) + waiting;
}

std::string
RankRunner::DescribeInNetwork(uint32_t rank, const std::set<uint32_t>& names) const
{
    const Rank& r = m_ranks[rank];
    const bool all =
        GetProgram(r).GetOperations()[r.at].name == RankOperation::ANY_NAME; // it waits for
    for (uint32_t number = 0; m_reductions && number < m_running.GetEnd(); ++number)
    {
        if (!m_running.IsUsed(number) || m_running[number].rank != rank || !m_running[number].begun)
        {
            continue;
        }
        const Collective& one = m_running[number];
        const bool matters = r.state == State::BLOCKED
                                 ? one.request == BLOCKING_REQUEST
                                 : all || (one.request < COLLECTIVE_REQUEST &&
                                           names.count(m_requests.GetName(one.request)) > 0);
        if (matters)
        {
            return " " + m_reductions->DescribeWait(one.place); // the others are behind it
        }
    }
    return "";
}

} // namespace ns3
