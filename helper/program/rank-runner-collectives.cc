// SPDX-License-Identifier: GPL-2.0-only
#include "rank-runner.h"

#include "ns3/fabric-time.h"
#include "ns3/simulator.h"

/**
 * @file
 * @ingroup dcfabric
 * @brief How RankRunner takes part in collectives, step by step.
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
    one.step = 0;
    one.open = 0;
    one.order = task.order;
    one.rounds = r.rounds;
    return number;
}

void
RankRunner::Advance(uint32_t number)
{
    const RankOperation& operation = *m_running[number].operation;
    const uint32_t rank = m_running[number].rank;
    const RankGroup& group = m_job->GetGroups()[m_running[number].group];
    const uint32_t steps =
        GetRankCollectives()[operation.collective].getNSteps(group.GetSize(group.GetPart(rank)));
    const int64_t nowPs = FabricTime::ToPs(Simulator::Now());
    if (m_running[number].step == 0)
    {
        m_running[number].row = m_collectives.Begin(rank,
                                                    operation.collective,
                                                    m_running[number].group,
                                                    group,
                                                    m_running[number].iteration,
                                                    GetOrder(rank));
    }
    while (m_running[number].step < steps)
    {
        TakeStep(number);
        if (m_running[number].open > 0)
        {
            return;
        }
    }
    m_collectives.End(m_running[number].row, nowPs);
    const uint32_t request = m_running[number].request;
    m_running.Return(number);
    OnComplete(rank, request);
}

void
RankRunner::TakeStep(uint32_t number)
{
    Collective& one = m_running[number]; // nothing is added meanwhile
    const uint32_t rank = one.rank;
    const RankOperation& operation = *one.operation;
    const RankGroup& group = m_job->GetGroups()[one.group];
    const uint32_t part = group.GetPart(rank);
    const uint32_t size = group.GetSize(part);
    const RankCollective& collective = GetRankCollectives()[operation.collective];
    const bool forPeer = collective.sizeForPeer;
    const auto root =
        static_cast<uint32_t>(EvaluateFor(one, operation.peer, "root", size - 1, rank));
    const uint32_t place = (group.GetIndex(rank) + size - root) % size;
    const uint64_t bytes = forPeer ? 0 : GetBytes(one, rank);
    m_collectives.NoteSize(one.row, bytes);
    m_exchanges.clear();
    collective.addStep(one.step, place, size, bytes, m_exchanges);
    ++one.step;
    // the counts of a group's ranks agree, so that its collectives may begin in any order
    const uint64_t tag = COLLECTIVE_TAG | (uint64_t{operation.collective} << 56) |
                         (uint64_t{one.group} << 32) | one.iteration;
    ++one.open; // so that the step is not complete before it is taken
    for (const RankExchange& exchange : m_exchanges)
    {
        const uint32_t peer = group.GetMember(part, (exchange.peer + root) % size);
        if (!exchange.send)
        {
            ++one.open;
            m_messages->Receive(rank, peer, tag, COLLECTIVE_REQUEST + number);
            continue;
        }
        ++m_ranks[rank].buffered;
        RankMessage message;
        message.src = rank;
        message.dst = peer;
        message.tag = tag;
        message.request = BUFFERED_REQUEST;
        message.bytes = forPeer ? GetBytes(one, peer) : exchange.bytes;
        m_collectives.NoteSent(one.row, message.bytes);
        if (forPeer)
        {
            m_collectives.NoteSize(one.row, message.bytes);
        }
        Begin(message);
    }
    --one.open;
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
    return static_cast<uint64_t>(EvaluateFor(one, one.operation->value, "size", MAX_BYTES, peer));
}

} // namespace ns3
