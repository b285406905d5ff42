// SPDX-License-Identifier: GPL-2.0-only
#include "rank-reductions.h"

#include "ns3/collective-blocks.h"
#include "ns3/fabric-error.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace ns3
{

namespace
{

using ReductionKind = ReductionRequest::Kind; //!< short name

/// Names in programs.
const std::map<std::string, ReductionKind> REDUCTION_KINDS = {
    {"barrier", ReductionKind::BARRIER},
    {"allreduce", ReductionKind::ALL_REDUCE},
    {"reduce", ReductionKind::REDUCE},
    {"broadcast", ReductionKind::BROADCAST},
    {"reducescatter", ReductionKind::REDUCE_SCATTER},
    {"allgather", ReductionKind::ALL_GATHER},
};

/// @return true if switches do an operation
bool
IsInNetwork(const RankOperation& operation)
{
    return operation.kind == RankOperation::Kind::COLLECTIVE &&
           GetRankCollectives()[operation.collective].inNetwork;
}

} // namespace

RankReductions::RankReductions(const Ptr<Fabric>& fabric,
                               const RankJob& job,
                               const std::vector<std::vector<uint32_t>>& groups,
                               const std::vector<uint32_t>& hosts,
                               uint8_t priority)
    : m_fabric(fabric),
      m_job(job)
{
    std::vector<std::set<std::pair<uint32_t, uint32_t>>> used; // by program: groups and channels
    for (std::size_t program = 0; program < job.GetPrograms().size(); ++program)
    {
        used.emplace_back();
        for (const RankOperation& operation : job.GetPrograms()[program].GetOperations())
        {
            if (IsInNetwork(operation))
            {
                used.back().emplace(groups[program][operation.target],
                                    job.GetPrograms()[program].GetPlan(operation).GetNChannels());
            }
        }
    }
    uint32_t trees = 0;
    for (uint32_t rank = 0; rank < job.GetNRanks(); ++rank)
    {
        if (job.GetProgramOf(rank) == RankGroup::NONE)
        {
            continue;
        }
        for (const auto& [groupIndex, channels] : used[job.GetProgramOf(rank)])
        {
            const RankGroup& group = job.GetGroups()[groupIndex];
            const uint32_t part = group.GetPart(rank);
            const auto added = m_numbers.emplace(Key(groupIndex, part, channels),
                                                 static_cast<uint32_t>(m_sessions.size()));
            if (!added.second)
            {
                continue;
            }
            std::vector<uint32_t> places;
            for (uint32_t place = 0; place < group.GetSize(part); ++place)
            {
                places.push_back(hosts[group.GetMember(part, place)]);
            }
            m_sessions.push_back(std::make_unique<ReductionSession>(fabric,
                                                                    "group " + group.GetName(),
                                                                    places,
                                                                    channels,
                                                                    priority,
                                                                    trees));
            m_running.emplace_back(places.size());
            trees += channels;
        }
    }
}

bool
RankReductions::IsUsedBy(const RankJob& job)
{
    return std::any_of(job.GetPrograms().begin(), job.GetPrograms().end(), [](const auto& program) {
        const auto& operations = program.GetOperations();
        return std::any_of(operations.begin(), operations.end(), IsInNetwork);
    });
}

void
RankReductions::SetCallbacks(const std::function<void(uint32_t number)>& done,
                             const std::function<bool()>& canMove)
{
    for (std::size_t session = 0; session < m_sessions.size(); ++session)
    {
        m_sessions[session]->SetCallbacks(
            [this, session, done](uint32_t place, uint64_t index) {
                auto& running = m_running[session][place];
                const auto found = running.find(index);
                const uint32_t number = found->second;
                running.erase(found);
                done(number);
            },
            canMove);
    }
}

RankReductions::Place
RankReductions::Come(uint32_t rank,
                     uint32_t group,
                     const CollectivePlan& plan,
                     uint64_t bytes,
                     uint32_t root)
{
    const RankGroup& ranks = m_job.GetGroups()[group];
    Place place;
    place.session = m_numbers.at(Key(group, ranks.GetPart(rank), plan.GetNChannels()));
    place.place = ranks.GetIndex(rank);
    ReductionRequest request;
    request.kind = REDUCTION_KINDS.at(GetRankCollectives()[plan.GetCollective()].name);
    request.bytes = bytes;
    request.root = root;
    place.index = m_sessions[place.session]->Come(place.place, request);
    return place;
}

void
RankReductions::Begin(const Place& place, uint32_t number)
{
    m_running[place.session][place.place].emplace(place.index, number);
    m_sessions[place.session]->Begin(place.place, place.index);
}

uint64_t
RankReductions::GetSentBytes(const std::string& name,
                             uint64_t bytes,
                             uint32_t place,
                             uint32_t root,
                             uint32_t ranks)
{
    switch (REDUCTION_KINDS.at(name))
    {
    case ReductionKind::BARRIER:
        return 0;
    case ReductionKind::BROADCAST:
        return place == root ? bytes : 0;
    case ReductionKind::ALL_GATHER:
        return GetBlockBytes(bytes, place, 1, ranks);
    default:
        return bytes;
    }
}

bool
RankReductions::IsMoving() const
{
    return std::any_of(m_sessions.begin(), m_sessions.end(), [](const auto& session) {
        return session->IsMoving();
    });
}

RankReductions::Totals
RankReductions::GetTotals() const
{
    Totals totals;
    for (const auto& session : m_sessions)
    {
        totals.trees += session->GetNTrees();
        totals.window = std::max(totals.window, session->GetWindow());
    }
    for (uint32_t node = 0; node < m_fabric->GetGraph().GetNNodes(); ++node)
    {
        if (m_fabric->GetGraph().IsHost(node))
        {
            const auto* agent =
                dynamic_cast<const HostReduction*>(m_fabric->GetNic(node)->GetProtocol());
            for (std::size_t i = 0; agent && i < agent->GetLanes().size(); ++i)
            {
                const ReductionLane::Counts& counts = agent->GetLanes()[i]->GetCounts();
                totals.hostPackets += counts.sent;
                totals.sentAgain += counts.sentAgain;
                totals.timeouts += counts.timeouts;
            }
            continue;
        }
        if (const auto feature = m_fabric->GetSwitch(node)->GetFeature<ReductionFeature>())
        {
            const ReductionFeature::Counts& counts = feature->GetCounts();
            totals.sums += counts.sums;
            totals.repeats += counts.repeats;
            totals.sumsSentAgain += counts.sentAgain;
            totals.answers += counts.answers;
            totals.maxSlots = std::max(totals.maxSlots, counts.maxSlots);
            totals.maxMemory = std::max(totals.maxMemory, feature->GetUsedBytes());
        }
    }
    return totals;
}

} // namespace ns3
