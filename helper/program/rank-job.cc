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
    m_partOfGroup.push_back(0);
    m_parts.emplace_back();
    m_parts.front().ranks = ranks;
}

void
RankJob::Place(uint32_t rank, uint32_t place)
{
    CheckRanks({rank}, "place");
    m_places[rank] = place;
    m_isPlaced = true;
}

std::vector<uint32_t>
RankJob::GetPlaces() const
{
    std::vector<uint32_t> places = m_places;
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    return places;
}

void
RankJob::Move(const std::vector<uint32_t>& places)
{
    const std::vector<uint32_t> now = GetPlaces();
    if (places.size() < now.size())
    {
        throw FabricError("the ranks are on " + FormatFabricCount(now.size(), "host") + ", not " +
                          std::to_string(places.size()));
    }
    for (uint32_t& place : m_places)
    {
        place = places[static_cast<std::size_t>(std::lower_bound(now.begin(), now.end(), place) -
                                                now.begin())];
    }
    m_isPlaced = true;
}

void
RankJob::SetName(const std::string& name, int64_t startPs, uint16_t group, uint8_t priority)
{
    if (m_parts.size() > 1)
    {
        throw FabricError("job " + QuoteFabricText(name) +
                          " consists of several, which have names");
    }
    if (name.empty() || name.find_first_of(" \t\r\n,\"'") != std::string::npos)
    {
        throw FabricError("job " + QuoteFabricText(name) +
                          ": a name has no blanks, commas and quotes, and is not empty");
    }
    if (startPs < 0)
    {
        throw FabricError("job " + QuoteFabricText(name) + " cannot begin before the run");
    }
    m_parts.front().name = name;
    m_parts.front().startPs = startPs;
    m_parts.front().group = group;
    m_parts.front().priority = priority;
}

void
RankJob::Append(const RankJob& jobs)
{
    for (const RankJob* all : {static_cast<const RankJob*>(this), &jobs})
    {
        for (const Part& part : all->m_parts)
        {
            const auto count =
                std::count_if(m_parts.begin(), m_parts.end(), [&part](const Part& one) {
                    return one.name == part.name;
                });
            if (part.name.empty())
            {
                throw FabricError("jobs need names beside one another");
            }
            if (count > (all == this ? 1 : 0))
            {
                throw FabricError("two jobs are called " + QuoteFabricText(part.name));
            }
        }
    }
    if (jobs.m_ranks > MAX_RANKS - m_ranks)
    {
        throw FabricError("jobs have " + std::to_string(MAX_RANKS) + " ranks together at most");
    }
    const uint32_t firstRank = m_ranks;
    const auto firstPart = static_cast<uint32_t>(m_parts.size());
    const auto firstProgram = static_cast<uint32_t>(m_programs.size());
    for (Part part : jobs.m_parts)
    {
        part.first += firstRank;
        m_parts.push_back(std::move(part));
    }
    for (RankGroup group : jobs.m_groups)
    {
        group.Shift(firstRank);
        m_groups.push_back(std::move(group));
    }
    for (const uint32_t part : jobs.m_partOfGroup)
    {
        m_partOfGroup.push_back(firstPart + part);
    }
    for (const uint32_t part : jobs.m_partOfProgram)
    {
        m_partOfProgram.push_back(firstPart + part);
    }
    for (const uint32_t program : jobs.m_programOf)
    {
        m_programOf.push_back(program == RankGroup::NONE ? program : program + firstProgram);
    }
    m_ranks += jobs.m_ranks;
    m_places.insert(m_places.end(), jobs.m_places.begin(), jobs.m_places.end());
    m_programs.insert(m_programs.end(), jobs.m_programs.begin(), jobs.m_programs.end());
}

const RankJob::Part&
RankJob::GetPartOf(uint32_t rank) const
{
    const auto after =
        std::upper_bound(m_parts.begin(), m_parts.end(), rank, [](uint32_t r, const Part& part) {
            return r < part.first;
        });
    return *(after - 1);
}

std::string
RankJob::DescribeRank(uint32_t rank) const
{
    const Part& part = GetPartOf(rank);
    return "rank " + std::to_string(rank - part.first) +
           (part.name.empty() ? std::string() : " of job " + part.name);
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
            throw FabricError(DescribeRank(rank) + " is on host " + std::to_string(m_places[rank]) +
                              " of the network, counted from 0, but it has " +
                              FormatFabricCount(graph.GetNHosts(), "host") +
                              "; put more ranks on each, or choose a larger " +
                              FabricTerm::Option("topology"));
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
    m_partOfGroup.push_back(0);
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
    m_partOfGroup.push_back(0);
}

uint32_t
RankJob::FindGroup(const std::string& name, uint32_t part) const
{
    for (uint32_t group = 0; group < m_groups.size(); ++group)
    {
        if (m_partOfGroup[group] == part && m_groups[group].GetName() == name)
        {
            return group;
        }
    }
    return RankGroup::NONE;
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
        uint32_t checked = 0; // size of a part
        for (const uint32_t rank : ranks)
        {
            const uint32_t part = m_groups[group].GetPart(rank);
            if (part == RankGroup::NONE)
            {
                throw FabricError(program.Describe(operation) + ": rank " + std::to_string(rank) +
                                  " is not in group " + QuoteFabricText(name));
            }
            if (m_groups[group].GetSize(part) != checked)
            {
                checked = m_groups[group].GetSize(part);
                AtPlace(program.Describe(operation) + ": ",
                        [&]() { program.GetPlan(operation).CheckSize(checked); });
            }
        }
    }
    m_programs.push_back(std::move(program));
    m_partOfProgram.push_back(0);
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
