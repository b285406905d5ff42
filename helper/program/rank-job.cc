// SPDX-License-Identifier: GPL-2.0-only
#include "rank-job.h"

#include "ns3/fabric-error.h"
#include "ns3/parse-units.h"

#include <algorithm>
#include <map>
#include <utility>

namespace ns3
{

constexpr uint32_t RankGroup::NONE;
constexpr uint32_t RankJob::MAX_RANKS;

RankGroup::RankGroup(std::string name, const std::vector<uint32_t>& part)
    : m_name(std::move(name)),
      m_part(part),
      m_index(part.size(), 0)
{
    for (uint32_t rank = 0; rank < m_part.size(); ++rank)
    {
        if (m_part[rank] == NONE)
        {
            continue;
        }
        if (m_part[rank] >= m_members.size())
        {
            m_members.resize(m_part[rank] + 1);
        }
        m_index[rank] = static_cast<uint32_t>(m_members[m_part[rank]].size());
        m_members[m_part[rank]].push_back(rank);
    }
}

RankJob::RankJob(uint32_t ranks, uint32_t perHost)
    : m_ranks(ranks)
{
    if (ranks == 0 || ranks > MAX_RANKS || perHost == 0)
    {
        throw FabricError("a job has 1 to " + std::to_string(MAX_RANKS) +
                          " ranks, at least one on each host that it uses; not " +
                          std::to_string(ranks) + ", " + std::to_string(perHost) + " on each");
    }
    m_places.reserve(ranks);
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        m_places.push_back(rank / perHost);
    }
    m_programOf.assign(ranks, RankGroup::NONE);
    m_groups.emplace_back("all", std::vector<uint32_t>(ranks, 0));
}

void
RankJob::Place(uint32_t rank, uint32_t place)
{
    CheckRanks({rank}, "place");
    m_places[rank] = place;
}

std::vector<uint32_t>
RankJob::GetHosts(const FabricGraph& graph) const
{
    std::vector<uint32_t> hosts;
    hosts.reserve(m_ranks);
    for (uint32_t rank = 0; rank < m_ranks; ++rank)
    {
        if (m_places[rank] >= graph.GetNHosts())
        {
            throw FabricError(
                "rank " + std::to_string(rank) + " is on host " + std::to_string(m_places[rank]) +
                " of the network, counted from 0, but it has " +
                FormatFabricCount(graph.GetNHosts(), "host") +
                "; put more ranks on each, or choose a larger " + FabricTerm::Option("topology"));
        }
        hosts.push_back(graph.GetHosts()[m_places[rank]]);
    }
    return hosts;
}

void
RankJob::CheckRanks(const std::vector<uint32_t>& ranks, const std::string& where) const
{
    std::vector<uint32_t> sorted = ranks;
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end())
    {
        throw FabricError(where + ": rank " + std::to_string(*twice) + " occurs twice");
    }
    if (!sorted.empty() && sorted.back() >= m_ranks)
    {
        throw FabricError(where + ": there is no rank " + std::to_string(sorted.back()) +
                          "; ranks are 0 to " + std::to_string(m_ranks - 1));
    }
}

void
RankJob::CheckName(const std::string& name) const
{
    if (FindGroup(name) != RankGroup::NONE)
    {
        throw FabricError("group " + QuoteFabricText(name) + " is there already" +
                          (name == "all" ? "; it has all ranks" : ""));
    }
}

void
RankJob::AddGroup(const std::string& name, const std::vector<uint32_t>& ranks)
{
    CheckName(name);
    CheckRanks(ranks, "group " + QuoteFabricText(name));
    if (ranks.empty())
    {
        throw FabricError("group " + QuoteFabricText(name) + " has no ranks");
    }
    std::vector<uint32_t> part(m_ranks, RankGroup::NONE);
    for (const uint32_t rank : ranks)
    {
        part[rank] = 0;
    }
    m_groups.emplace_back(name, part);
}

void
RankJob::AddGroups(const std::string& name, const RankExpression& by)
{
    CheckName(name);
    std::map<int64_t, uint32_t> parts;
    std::vector<uint32_t> part(m_ranks);
    for (uint32_t rank = 0; rank < m_ranks; ++rank)
    {
        const int64_t value = by.Evaluate({rank, m_ranks, nullptr});
        part[rank] = parts.emplace(value, static_cast<uint32_t>(parts.size())).first->second;
    }
    m_groups.emplace_back(name, part);
}

uint32_t
RankJob::FindGroup(const std::string& name) const
{
    const auto found =
        std::find_if(m_groups.begin(), m_groups.end(), [&name](const RankGroup& group) {
            return group.GetName() == name;
        });
    return found == m_groups.end() ? RankGroup::NONE
                                   : static_cast<uint32_t>(found - m_groups.begin());
}

void
RankJob::Assign(const std::vector<uint32_t>& ranks, RankProgram program)
{
    CheckRanks(ranks, "program");
    program.Finish();
    for (const uint32_t rank : ranks)
    {
        if (m_programOf[rank] != RankGroup::NONE)
        {
            throw FabricError("rank " + std::to_string(rank) + " has a program already");
        }
        m_programOf[rank] = static_cast<uint32_t>(m_programs.size());
    }
    for (const RankOperation& operation : program.GetOperations())
    {
        if (operation.kind != RankOperation::Kind::COLLECTIVE)
        {
            continue;
        }
        const std::string& name = program.GetNames()[operation.target];
        const uint32_t group = FindGroup(name);
        if (group == RankGroup::NONE)
        {
            throw FabricError(program.Describe(operation) + ": there is no group " +
                              QuoteFabricText(name) + "; define it before the program");
        }
        for (const uint32_t rank : ranks)
        {
            if (m_groups[group].GetPart(rank) == RankGroup::NONE)
            {
                throw FabricError(program.Describe(operation) + ": rank " + std::to_string(rank) +
                                  " is not in group " + QuoteFabricText(name));
            }
        }
    }
    m_programs.push_back(std::move(program));
}

std::vector<uint32_t>
RankJob::ReadRanks(const std::string& text, const std::string& where) const
{
    std::vector<uint32_t> ranks;
    const auto number = [&](const std::string& digits, uint64_t least) {
        return static_cast<uint32_t>(ParseFabricUint(digits, where + ": rank", least, m_ranks - 1));
    };
    if (text == "all")
    {
        for (uint32_t rank = 0; rank < m_ranks; ++rank)
        {
            ranks.push_back(rank);
        }
        return ranks;
    }
    for (const std::string& item : SplitFabricList(text))
    {
        const std::size_t dash = item.find('-');
        const std::size_t colon = item.find(':');
        if (dash == std::string::npos)
        {
            ranks.push_back(number(item, 0));
            continue;
        }
        const uint32_t first = number(item.substr(0, dash), 0);
        const std::size_t length = colon == std::string::npos ? colon : colon - dash - 1;
        const uint32_t last = number(item.substr(dash + 1, length), first);
        const uint64_t step =
            colon == std::string::npos
                ? 1
                : ParseFabricUint(item.substr(colon + 1), where + ": step of ranks", 1, MAX_RANKS);
        for (uint64_t rank = first; rank <= last; rank += step)
        {
            ranks.push_back(static_cast<uint32_t>(rank));
        }
    }
    CheckRanks(ranks, where);
    return ranks;
}

} // namespace ns3
