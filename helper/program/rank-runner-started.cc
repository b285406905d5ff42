// SPDX-License-Identifier: GPL-2.0-only
#include "rank-runner.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-time.h"
#include "ns3/simulator.h"

#include <algorithm>

/**
 * @file
 * @ingroup dcfabric
 * @brief How RankRunner begins messages, computations and collectives: at once, or when what they
 * wait for is complete.
 */

namespace ns3
{

void
RankRunner::Start(uint32_t rank, const RankOperation& operation)
{
    Task task;
    task.operation = &operation;
    task.rank = rank;
    task.order = m_nStarted++;
    switch (operation.kind)
    {
    case RankOperation::Kind::COMPUTE:
        task.value = static_cast<uint64_t>(EvaluateTimePs(rank, operation, FabricTime::NEVER / 2));
        break;
    case RankOperation::Kind::COLLECTIVE:
        task.peer = AddCollective(task);
        break;
    default:
        EvaluateMessage(task);
        break;
    }
    if (operation.afters == 0)
    {
        task.request = AddRequest(rank, operation);
        task.begun = OpenRequest(rank, operation.begun);
        Launch(task, RankRequests::NONE);
        return;
    }
    const uint32_t number = m_tasks.Take();
    for (uint32_t i = 0; i < operation.afters; ++i)
    {
        const uint32_t name = GetProgram(m_ranks[rank]).GetAfter(operation, i);
        task.unmet += m_requests.Await(rank, name, number) ? 1 : 0;
    }
    task.request = AddRequest(rank, operation); // now, because it does not wait for itself
    task.begun = OpenRequest(rank, operation.begun);
    m_tasks[number] = task;
    if (task.unmet == 0)
    {
        Launch(task, number);
    }
}

void
RankRunner::EvaluateMessage(Task& task) const
{
    constexpr int64_t MAX_TAG = INT32_MAX;
    const RankOperation& operation = *task.operation;
    const uint32_t rank = task.rank;
    const RankJob::Part& part = GetPart(rank);
    const bool any =
        operation.kind == RankOperation::Kind::RECV && operation.target == RankOperation::ANY_NAME;
    task.peer =
        any ? RankMessages::ANY
            : part.first +
                  static_cast<uint32_t>(
                      EvaluateWithin(rank, operation.peer, "the other rank", 0, part.ranks - 1));
    task.tag = operation.anyTag
                   ? RankMessages::ANY_TAG
                   : static_cast<uint64_t>(EvaluateWithin(rank, operation.tag, "tag", 0, MAX_TAG));
    task.value = static_cast<uint64_t>(EvaluateWithin(rank, operation.value, "size", 0, INT64_MAX));
}

uint32_t
RankRunner::OpenRequest(uint32_t rank, uint32_t name)
{
    return name == RankOperation::ANY_NAME
               ? uint32_t{UNNAMED_REQUEST}
               : m_requests.Open(rank, name, GetProgram(m_ranks[rank]).GetRequests().size());
}

uint32_t
RankRunner::AddRequest(uint32_t rank, const RankOperation& operation)
{
    if (operation.blocking)
    {
        ++m_ranks[rank].blocking;
        return BLOCKING_REQUEST;
    }
    ++m_ranks[rank].pending;
    return OpenRequest(rank, operation.name);
}

void
RankRunner::Release(uint32_t rank, uint32_t number)
{
    Rank& r = m_ranks[rank];
    if (r.released.empty() && rank != m_current)
    {
        m_ready.push_back(rank);
    }
    r.released.push_back(number);
}

void
RankRunner::CloseRequest(uint32_t rank, uint32_t set)
{
    if (set == UNNAMED_REQUEST)
    {
        return;
    }
    m_met.clear();
    m_requests.Close(rank, set, m_met);
    for (const uint32_t number : m_met)
    {
        if (--m_tasks[number].unmet == 0)
        {
            Release(rank, number);
        }
    }
}

void
RankRunner::OnComplete(uint32_t rank, uint32_t request)
{
    Rank& r = m_ranks[rank];
    if (request == BLOCKING_REQUEST)
    {
        --r.blocking;
    }
    else if (request == BUFFERED_REQUEST)
    {
        --r.buffered;
    }
    else if (request >= COLLECTIVE_REQUEST && request != UNNAMED_REQUEST)
    {
        RankLane& lane = m_lanes->lanes[request - COLLECTIVE_REQUEST];
        --lane.open;
        if ((lane.open == 0 || lane.next < lane.exchanges.size()) && !lane.released)
        {
            lane.released = true;
            Release(rank, request);
        }
        return;
    }
    else
    {
        --r.pending;
        CloseRequest(rank, request);
    }
    Wake(rank);
}

void
RankRunner::StartReleased(uint32_t rank)
{
    std::vector<uint32_t>& released = m_ranks[rank].released;
    const auto order = [this](uint32_t number) {
        if (number < COLLECTIVE_REQUEST)
        {
            return m_tasks[number].order * CollectivePlan::MAX_LANES;
        }
        const RankLane& lane = m_lanes->lanes[number - COLLECTIVE_REQUEST];
        return m_running[lane.collective].order * CollectivePlan::MAX_LANES + lane.number;
    };
    while (!released.empty())
    {
        m_releasing.clear();
        m_releasing.swap(released);
        std::sort(m_releasing.begin(), m_releasing.end(), [&order](uint32_t a, uint32_t b) {
            return order(a) < order(b);
        });
        for (const uint32_t number : m_releasing)
        {
            const RankOperation* operation =
                number < COLLECTIVE_REQUEST
                    ? m_tasks[number].operation
                    : m_running[m_lanes->lanes[number - COLLECTIVE_REQUEST].collective].operation;
            try
            {
                LaunchOrAdvance(number);
            }
            catch (const FabricError& error)
            {
                Refuse(rank, *operation, error);
            }
        }
    }
}

void
RankRunner::LaunchOrAdvance(uint32_t number)
{
    if (number >= COLLECTIVE_REQUEST)
    {
        Advance(number - COLLECTIVE_REQUEST);
        return;
    }
    const Task task = m_tasks[number]; // its place may be taken meanwhile
    Launch(task, number);
}

void
RankRunner::Launch(const Task& task, uint32_t number)
{
    const RankOperation& operation = *task.operation;
    const bool computes = operation.kind == RankOperation::Kind::COMPUTE;
    if (number == RankRequests::NONE && (computes || operation.stream != RankOperation::ANY_NAME))
    {
        number = m_tasks.Take();
        m_tasks[number] = task;
    }
    if (operation.stream == RankOperation::ANY_NAME)
    {
        Go(task, number);
        return;
    }
    Stream& stream = m_streams[(uint64_t{task.rank} << 32) | operation.stream];
    m_tasks[number].next = RankRequests::NONE;
    if (stream.busy)
    {
        (stream.first == RankRequests::NONE ? stream.first : m_tasks[stream.last].next) = number;
        stream.last = number;
        return;
    }
    stream.first = RankRequests::NONE;
    stream.busy = Go(task, number);
}

bool
RankRunner::Go(const Task& task, uint32_t number)
{
    const bool computes = task.operation->kind == RankOperation::Kind::COMPUTE;
    const int64_t nowPs = FabricTime::ToPs(Simulator::Now());
    const auto ps = static_cast<int64_t>(task.value);
    if (computes && ps > 0)
    {
        if (ps >= FabricTime::NEVER - nowPs)
        {
            throw FabricError("it would end after the end of time");
        }
        NoteCompute(task.rank, *task.operation, ps);
        SetTimer(nowPs + ps, Timer::Kind::TASK, number, task.rank + 1);
    }
    else if (number != RankRequests::NONE)
    {
        m_tasks.Return(number);
    }
    CloseRequest(task.rank, task.begun);
    if (task.operation->kind == RankOperation::Kind::COLLECTIVE)
    {
        m_running[task.peer].request = task.request;
        BeginCollective(task.peer);
    }
    else if (!computes)
    {
        LaunchMessage(task);
    }
    else if (ps == 0)
    {
        OnComplete(task.rank, task.request);
    }
    Wake(task.rank);
    return computes && ps > 0;
}

void
RankRunner::LaunchMessage(const Task& task)
{
    const RankOperation::Kind kind = task.operation->kind;
    if (kind == RankOperation::Kind::RECV)
    {
        m_messages->Receive(task.rank, task.peer, task.tag, task.request);
        return;
    }
    const bool buffered =
        kind == RankOperation::Kind::SEND && task.value <= m_eagerBytes && m_eagerBytes > 0;
    RankMessage message;
    message.src = task.rank;
    message.dst = task.peer;
    message.tag = task.tag;
    message.request = buffered ? uint32_t{BUFFERED_REQUEST} : task.request;
    message.bytes = task.value;
    message.channels = task.operation->channels > 0 ? task.operation->channels : m_channels;
    message.kind = kind == RankOperation::Kind::SEND  ? RankMessage::Kind::SEND
                   : kind == RankOperation::Kind::PUT ? RankMessage::Kind::PUT
                                                      : RankMessage::Kind::REQUEST;
    if (message.kind == RankMessage::Kind::REQUEST)
    {
        message.replyBytes = task.value;
        message.bytes = m_requestBytes;
    }
    m_ranks[task.rank].buffered += buffered ? 1 : 0;
    Begin(message);
    if (buffered)
    {
        OnComplete(task.rank, task.request);
    }
}

void
RankRunner::Begin(RankMessage message)
{
    message.order = GetOrder(message.src);
    m_nPlaces += message.channels - 1U; // of its other parts
    const uint32_t stays = m_messages->Begin(message);
    if (stays != RankMessage::LOCAL)
    {
        const int64_t nowPs = FabricTime::ToPs(Simulator::Now());
        SetTimer(nowPs + FabricTime::ToPs(m_localDelay), Timer::Kind::MESSAGE, stays);
    }
}

void
RankRunner::NoteCompute(uint32_t rank, const RankOperation& operation, int64_t ps) const
{
    if (!m_computeTrace.IsUsed())
    {
        return;
    }
    const std::string none;
    const std::string& stream = operation.stream == RankOperation::ANY_NAME
                                    ? none
                                    : GetProgram(m_ranks[rank]).GetStreams()[operation.stream];
    m_computeTrace(RankComputation{rank, stream, ps, operation.line});
}

void
RankRunner::EndCompute(uint32_t number)
{
    const Task task = m_tasks[number];
    m_tasks.Return(number);
    OnComplete(task.rank, task.request);
    if (task.operation->stream == RankOperation::ANY_NAME)
    {
        return;
    }
    Stream& stream = m_streams[(uint64_t{task.rank} << 32) | task.operation->stream];
    stream.busy = false;
    while (!stream.busy && stream.first != RankRequests::NONE)
    {
        const uint32_t next = stream.first;
        stream.first = m_tasks[next].next;
        const Task first = m_tasks[next];
        try
        {
            stream.busy = Go(first, next);
        }
        catch (const FabricError& error)
        {
            Refuse(first.rank, *first.operation, error);
        }
    }
}

} // namespace ns3
