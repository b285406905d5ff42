// SPDX-License-Identifier: GPL-2.0-only
#include "rank-runner.h"

#include "ns3/collective-blocks.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-time.h"
#include "ns3/simulator.h"

#include <algorithm>

/**
 * @file
 * @ingroup dcfabric
 * @brief How RankRunner takes part in collectives, lane by lane and step by step.
 */

namespace ns3
{

uint32_t
RankRunner::AddCollective(const Task& task)
{
    const Rank& r = m_ranks[task.rank];
    const uint32_t number = m_running.Take();
    Collective& one = m_running[number];
    one.operation = task.operation;
    one.rank = task.rank;
    one.group = m_groups[r.program][task.operation->target];
    one.iteration = m_collectives.Count(task.rank, task.operation->collective, one.group);
    one.order = task.order;
    one.rounds = r.rounds;
    CheckCollective(one);
    one.begun = false;
    if (IsInNetwork(one))
    {
        one.place = m_reductions->Come(task.rank,
                                       one.group,
                                       GetPlan(one),
                                       GetBytes(one, task.rank),
                                       GetRoot(one));
    }
    return number;
}

void
RankRunner::CheckCollective(const Collective& one)
{
    const bool forPeer = GetRankCollectives()[one.operation->collective].sizeForPeer;
    m_order->Come({&GetProgram(m_ranks[one.rank]),
                   one.operation,
                   one.rank,
                   GetRoot(one),
                   forPeer ? 0 : GetBytes(one, one.rank)},
                  one.group);
}

bool
RankRunner::IsInNetwork(const Collective& one) const
{
    return GetRankCollectives()[one.operation->collective].inNetwork;
}

void
RankRunner::BeginInNetwork(uint32_t number)
{
    Collective& one = m_running[number];
    one.begun = true;
    const RankGroup& group = m_job->GetGroups()[one.group];
    const uint64_t bytes = GetBytes(one, one.rank);
    m_collectives.NoteSize(one.row, bytes);
    m_collectives.NoteSent(
        one.row,
        RankReductions::GetSentBytes(GetRankCollectives()[one.operation->collective].name,
                                     bytes,
                                     group.GetIndex(one.rank),
                                     GetRoot(one),
                                     group.GetSize(group.GetPart(one.rank))));
    m_reductions->Begin(one.place, number);
}

void
RankRunner::OnReduced(uint32_t number)
{
    const Collective& one = m_running[number];
    const uint32_t rank = one.rank;
    const uint32_t request = one.request;
    m_collectives.End(one.row, FabricTime::ToPs(Simulator::Now()));
    m_running.Return(number);
    m_rounds = 0;
    OnComplete(rank, request);
    if (!m_ready.empty())
    {
        ScheduleRun();
    }
}

const CollectivePlan&
RankRunner::GetPlan(const Collective& one) const
{
    return GetProgram(m_ranks[one.rank]).GetPlan(*one.operation);
}

void
RankRunner::BeginCollective(uint32_t number)
{
    Collective& one = m_running[number];
    const uint32_t rank = one.rank;
    const RankGroup& group = m_job->GetGroups()[one.group];
    const CollectivePlan& plan = GetPlan(one);
    one.row = m_collectives.Begin(rank,
                                  one.operation->collective,
                                  one.group,
                                  group,
                                  one.iteration,
                                  GetOrder(rank));
    if (IsInNetwork(one))
    {
        BeginInNetwork(number);
        return;
    }
    one.lanes = plan.GetNLanes(group.GetSize(group.GetPart(rank)),
                               plan.DependsOnBytes() ? GetBytes(one, rank) : 0);
    one.open = one.lanes;
    // when the last one is complete, the collective is gone
    for (uint32_t lane = 0, lanes = one.lanes; lane < lanes; ++lane)
    {
        const uint32_t taken = m_lanes->lanes.Take();
        RankLane& begun = m_lanes->lanes[taken];
        begun.collective = number;
        begun.number = lane;
        begun.step = 0;
        begun.open = 0;
        begun.messages = 0;
        begun.next = 0;
        begun.sums = 0;
        begun.exchanges.clear();
        Advance(taken);
    }
}

void
RankRunner::Advance(uint32_t number)
{
    const uint32_t collective = m_lanes->lanes[number].collective;
    const Collective& one = m_running[collective]; // nothing is added meanwhile
    const RankGroup& group = m_job->GetGroups()[one.group];
    const uint32_t steps = GetPlan(one).GetNSteps(group.GetSize(group.GetPart(one.rank)));
    RankLane& lane = m_lanes->lanes[number];
    lane.released = false;
    while (true)
    {
        if (lane.next < lane.exchanges.size())
        {
            TakeExchanges(number, lane.exchanges, GetRoot(one));
        }
        else if (lane.open == 0)
        {
            if (lane.messages > 0 && TakesTime(number))
            {
                return;
            }
            if (lane.step == steps)
            {
                break;
            }
            TakeStep(number);
        }
        if (lane.open > 0)
        {
            return;
        }
    }
    m_lanes->lanes.Return(number);
    if (--m_running[collective].open == 0)
    {
        const uint32_t rank = one.rank;
        const uint32_t request = one.request;
        m_collectives.End(one.row, FabricTime::ToPs(Simulator::Now()));
        m_running.Return(collective);
        OnComplete(rank, request);
    }
}

bool
RankRunner::TakesTime(uint32_t number)
{
    RankLane& lane = m_lanes->lanes[number];
    const uint64_t rateBps = m_reduceRate.GetBitRate();
    const int64_t nowPs = FabricTime::ToPs(Simulator::Now());
    const auto within = [](__uint128_t ps, const std::string& what, const char* attribute) {
        if (ps >= static_cast<__uint128_t>(FabricTime::NEVER))
        {
            throw FabricError(what + " would end after the end of time; change " +
                              FabricTerm::Attribute("ns3::RankRunner", attribute));
        }
        return static_cast<int64_t>(ps);
    };
    const auto overheadPs = static_cast<__uint128_t>(FabricTime::ToPs(m_messageOverhead));
    int64_t atPs = within(overheadPs * lane.messages + static_cast<__uint128_t>(nowPs),
                          "taking its messages",
                          "MessageOverhead");
    if (rateBps > 0 && lane.sums > 0)
    {
        // the memory of a rank takes the sums of its lanes one after the other
        Rank& r = m_ranks[m_running[lane.collective].rank];
        const __uint128_t ps =
            (static_cast<__uint128_t>(lane.sums) * 8000000000000 + rateBps - 1) / rateBps;
        r.sumsUntilPs = within(ps + static_cast<__uint128_t>(std::max(r.sumsUntilPs, atPs)),
                               "adding up what it has received",
                               "ReduceRate");
        atPs = r.sumsUntilPs;
    }
    lane.messages = 0;
    lane.sums = 0;
    if (atPs > nowPs)
    {
        SetTimer(atPs, Timer::Kind::LANE, number);
    }
    return atPs > nowPs;
}

uint32_t
RankRunner::GetRoot(const Collective& one) const
{
    const RankGroup& group = m_job->GetGroups()[one.group];
    const uint32_t size = group.GetSize(group.GetPart(one.rank));
    return static_cast<uint32_t>(EvaluateFor(one, one.operation->peer, "root", size - 1, one.rank));
}

void
RankRunner::TakeStep(uint32_t number)
{
    RankLane& lane = m_lanes->lanes[number];
    const Collective& one = m_running[lane.collective];
    const RankGroup& group = m_job->GetGroups()[one.group];
    const uint32_t size = group.GetSize(group.GetPart(one.rank));
    const CollectivePlan& plan = GetPlan(one);
    const uint32_t root = GetRoot(one);
    const uint32_t place = (group.GetIndex(one.rank) + size - root) % size;
    const bool forPeer = GetRankCollectives()[one.operation->collective].sizeForPeer;
    const uint64_t bytes = forPeer ? 0 : GetBytes(one, one.rank);
    m_collectives.NoteSize(one.row, bytes);
    std::vector<RankExchange>& exchanges =
        plan.GetWindow() > 0 ? lane.exchanges : m_lanes->exchanges;
    exchanges.clear();
    plan.AddStep(lane.step, lane.number, one.lanes, place, size, bytes, exchanges);
    ++lane.step;
    lane.next = 0;
    lane.messages = 0;
    lane.sums = 0;
    TakeExchanges(number, exchanges, root);
}

void
RankRunner::TakeExchanges(uint32_t number,
                          const std::vector<RankExchange>& exchanges,
                          uint32_t root)
{
    RankLane& lane = m_lanes->lanes[number];
    const Collective& one = m_running[lane.collective];
    const RankOperation& operation = *one.operation;
    const uint32_t rank = one.rank;
    const RankGroup& group = m_job->GetGroups()[one.group];
    const uint32_t part = group.GetPart(rank);
    const uint32_t size = group.GetSize(part);
    const CollectivePlan& plan = GetPlan(one);
    const bool forPeer = GetRankCollectives()[operation.collective].sizeForPeer;
    const uint32_t window = plan.GetWindow();
    // The counts of a group's ranks agree, so that its collectives may begin in any order. Those
    // that are so many apart do not meet.
    const uint64_t tag = COLLECTIVE_TAG | (uint64_t{operation.collective} << 56) |
                         (uint64_t{one.group} << 32) | (lane.number * LANE_ITERATIONS) |
                         (one.iteration % LANE_ITERATIONS);
    ++lane.open;          // so that the step is not complete before it is taken
    lane.released = true; // nor goes on meanwhile
    std::size_t next = lane.next;
    for (; next < exchanges.size() && (window == 0 || lane.open <= window); ++next)
    {
        const RankExchange& exchange = exchanges[next];
        const uint32_t place = (exchange.peer + root) % size;
        const uint32_t peer = group.GetMember(part, place);
        if (plan.HasMatrix() && (exchange.send ? plan.GetFactor(group.GetIndex(rank), place)
                                               : plan.GetFactor(place, group.GetIndex(rank))) == 0)
        {
            continue; // both know that there is nothing
        }
        if (!exchange.send)
        {
            ++lane.open;
            ++lane.messages;
            lane.sums += exchange.bytes;
            m_messages->Receive(rank, peer, tag, COLLECTIVE_REQUEST + number);
            continue;
        }
        ++m_ranks[rank].buffered;
        RankMessage message;
        message.src = rank;
        message.dst = peer;
        message.tag = tag;
        message.request = BUFFERED_REQUEST;
        message.bytes = exchange.bytes;
        if (plan.GetNChannels() > 1)
        {
            message.channel = 1 + lane.number % plan.GetNChannels();
        }
        if (forPeer)
        {
            message.bytes = GetBytes(one, peer);
            m_collectives.NoteSize(one.row, message.bytes);
            message.bytes = GetBlockBytes(message.bytes, lane.number, 1, one.lanes);
        }
        m_collectives.NoteSent(one.row, message.bytes);
        Begin(message);
    }
    lane.next = static_cast<uint32_t>(window > 0 ? next : 0);
    lane.released = false;
    --lane.open;
}

int64_t
RankRunner::EvaluateFor(const Collective& one,
                        const RankExpression& expression,
                        const char* what,
                        int64_t most,
                        uint32_t peer) const
{
    const RankJob::Part& part = GetPart(one.rank);
    const int64_t value = expression.Evaluate(
        {one.rank - part.first, part.ranks, one.rounds.data(), peer - part.first});
    CheckWithin(value, what, 0, most);
    return value;
}

uint64_t
RankRunner::GetBytes(const Collective& one, uint32_t peer) const
{
    constexpr int64_t MAX_BYTES = INT64_MAX / RankJob::MAX_RANKS; // sums of all ranks fit
    const auto bytes =
        static_cast<uint64_t>(EvaluateFor(one, one.operation->value, "size", MAX_BYTES, peer));
    const CollectivePlan& plan = GetPlan(one);
    if (!plan.HasMatrix())
    {
        return bytes;
    }
    const RankGroup& group = m_job->GetGroups()[one.group];
    const auto product = static_cast<__uint128_t>(bytes) *
                         plan.GetFactor(group.GetIndex(one.rank), group.GetIndex(peer));
    const auto most = static_cast<__uint128_t>(INT64_MAX);
    CheckWithin(static_cast<int64_t>(std::min(product, most)), "size", 0, MAX_BYTES);
    return static_cast<uint64_t>(product);
}

} // namespace ns3
