// SPDX-License-Identifier: GPL-2.0-only
#include "rank-runner.h"

#include "ns3/attribute-range.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-time.h"
#include "ns3/parse-units.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RankRunner);

namespace
{

/// Requests of a rank beside those that have names.
enum : uint32_t
{
    BLOCKING_REQUEST = UINT32_MAX,     //!< of the operation that it is in
    UNNAMED_REQUEST = UINT32_MAX - 1,  //!< started, without name
    BUFFERED_REQUEST = UINT32_MAX - 2, //!< sends that only the end of the program waits for
};

/// Tags of collectives, beyond those of programs.
constexpr uint64_t COLLECTIVE_TAG = uint64_t{1} << 63;

/// What a program may do at one time; beyond, it is taken for endless.
constexpr uint32_t MAX_OPERATIONS_AT_ONCE = 10000000;

} // namespace

TypeId
RankRunner::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RankRunner")
            .SetParent<Object>()
            .SetGroupName("Dcfabric")
            .AddConstructor<RankRunner>()
            .AddAttribute("LocalDelay",
                          "Time that a message between ranks of one host takes.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&RankRunner::m_localDelay),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()))
            .AddAttribute("EagerBytes",
                          "Longest SEND that is complete for its rank as soon as it has begun, "
                          "because the host keeps a copy; 0: none.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RankRunner::m_eagerBytes),
                          MakeUintegerChecker<uint64_t>(0, uint64_t{1} << 62))
            .AddAttribute("RequestBytes",
                          "Bytes of the message that asks for the data of a GET.",
                          UintegerValue(16),
                          MakeUintegerAccessor(&RankRunner::m_requestBytes),
                          MakeUintegerChecker<uint32_t>(1));
    return tid;
}

RankRunner::RankRunner() = default;

RankRunner::~RankRunner() = default;

void
RankRunner::DoDispose()
{
    m_run.Cancel();
    m_tick.Cancel();
    if (m_recorder)
    {
        m_recorder->SetSource(nullptr);
        m_recorder = nullptr;
    }
    m_messages.reset();
    m_job.reset();
    Object::DoDispose();
}

void
RankRunner::Install(FlowRecorder& recorder, std::shared_ptr<const RankJob> job, uint8_t priority)
{
    m_job = std::move(job);
    m_messages = std::make_unique<RankMessages>(recorder,
                                                m_job->GetHosts(recorder.GetFabric()->GetGraph()),
                                                priority,
                                                m_requestBytes);
    m_messages->SetCallback([this](uint32_t rank, uint32_t request) { OnComplete(rank, request); });
    m_recorder = &recorder;
    recorder.SetSource(this);
    m_ranks.assign(m_job->GetNRanks(), Rank());
    for (const RankProgram& program : m_job->GetPrograms())
    {
        m_groups.emplace_back();
        m_names.emplace_back();
        for (const std::string& name : program.GetNames())
        {
            m_groups.back().push_back(m_job->FindGroup(name));
            m_names.back().push_back(m_marks.NameIndex(name));
        }
    }
    m_nRunning = 0;
    for (uint32_t rank = 0; rank < m_ranks.size(); ++rank)
    {
        m_ranks[rank].program = m_job->GetProgramOf(rank);
        if (m_ranks[rank].program == RankGroup::NONE)
        {
            m_ranks[rank].state = State::ENDED;
            continue;
        }
        ++m_nRunning;
        m_ready.push_back(rank);
    }
}

void
RankRunner::SetPostsReceives()
{
    for (const RankProgram& program : m_job->GetPrograms())
    {
        for (const RankOperation& operation : program.GetOperations())
        {
            if (operation.kind == RankOperation::Kind::RECV &&
                operation.target == RankOperation::ANY_NAME)
            {
                throw FabricError(program.Describe(operation) +
                                  " from any rank: the match table of a NIC has one source for "
                                  "each receive; name the rank, or let receives count as posted");
            }
        }
    }
    m_messages->SetPostsReceives();
}

const RankProgram&
RankRunner::GetProgram(const Rank& r) const
{
    return m_job->GetPrograms()[r.program];
}

void
RankRunner::Start()
{
    ScheduleRun();
}

void
RankRunner::ScheduleRun()
{
    // after all that happens in nodes at this time: see FlowRecorder::ScheduleDue()
    if (m_run.IsExpired())
    {
        m_run = Simulator::ScheduleNow(&RankRunner::RunReady, this);
    }
}

void
RankRunner::OnArrived(uint32_t flow)
{
    m_messages->OnArrived(flow);
    if (!m_ready.empty() || m_messages->HasReplies())
    {
        ScheduleRun();
    }
}

void
RankRunner::OnAcknowledged(uint32_t flow)
{
    m_messages->OnAcknowledged(flow);
    if (!m_ready.empty())
    {
        ScheduleRun();
    }
}

bool
RankRunner::IsFinished() const
{
    return m_nRunning == 0;
}

int64_t
RankRunner::GetNextPs() const
{
    return m_timers.empty() ? FabricTime::NEVER : m_timers.top().atPs;
}

void
RankRunner::SetTimer(int64_t atPs, bool isMessage, uint32_t number)
{
    m_timers.push({atPs, m_nTimers++, isMessage, number});
}

void
RankRunner::Arm()
{
    if (m_timers.empty() || (!m_tick.IsExpired() && m_tickPs <= m_timers.top().atPs))
    {
        return;
    }
    m_tick.Cancel();
    m_tickPs = m_timers.top().atPs;
    m_tick = Simulator::Schedule(FabricTime::FromPs(m_tickPs) - Simulator::Now(),
                                 &RankRunner::ScheduleRun,
                                 this);
}

void
RankRunner::ServeTimers(int64_t nowPs)
{
    while (!m_timers.empty() && m_timers.top().atPs <= nowPs)
    {
        const Timer timer = m_timers.top();
        m_timers.pop();
        if (timer.isMessage)
        {
            m_messages->ArriveLocally(timer.number);
        }
        else
        {
            m_ranks[timer.number].state = State::READY;
            m_ready.push_back(timer.number);
        }
    }
}

void
RankRunner::RunReady()
{
    const int64_t nowPs = FabricTime::ToPs(Simulator::Now());
    do
    {
        ServeTimers(nowPs);
        std::vector<uint32_t> local;
        m_messages->Answer(local);
        for (const uint32_t number : local)
        {
            SetTimer(nowPs + FabricTime::ToPs(m_localDelay), true, number);
        }
        std::vector<uint32_t> ready = std::exchange(m_ready, {});
        std::sort(ready.begin(), ready.end());
        for (const uint32_t rank : ready)
        {
            RunRank(rank, nowPs);
        }
    } while (!m_ready.empty() || m_messages->HasReplies() ||
             (!m_timers.empty() && m_timers.top().atPs <= nowPs));
    Arm();
    if (IsFinished())
    {
        m_recorder->OnSourceFinished();
    }
}

void
RankRunner::Stop(Rank& r, State state, int64_t nowPs)
{
    r.state = state;
    r.sincePs = nowPs;
}

void
RankRunner::RunRank(uint32_t rank, int64_t nowPs)
{
    Rank& r = m_ranks[rank];
    const auto& operations = GetProgram(r).GetOperations();
    if (r.nowPs != nowPs)
    {
        r.nowPs = nowPs;
        r.operations = 0;
    }
    while (true)
    {
        if (r.blocking > 0)
        {
            Stop(r, State::BLOCKED, nowPs);
            return;
        }
        const RankOperation& operation = operations[r.pc];
        r.at = r.pc;
        if (++r.operations > MAX_OPERATIONS_AT_ONCE)
        {
            throw FabricError(GetProgram(r).Describe(operation) + ": rank " + std::to_string(rank) +
                              " has done " + std::to_string(MAX_OPERATIONS_AT_ONCE) +
                              " operations at " + FormatFabricTimePs(nowPs) +
                              " without waiting for anything; let it compute for some time, or "
                              "repeat less");
        }
        try
        {
            if (!Do(rank, operation, nowPs))
            {
                return;
            }
        }
        catch (const FabricError& error)
        {
            throw FabricError(GetProgram(r).Describe(operation) + " of rank " +
                              std::to_string(rank) + ": " + error.what());
        }
    }
}

int64_t
RankRunner::Evaluate(uint32_t rank, const RankExpression& expression, uint32_t peer) const
{
    return expression.Evaluate({rank, m_job->GetNRanks(), m_ranks[rank].rounds.data(), peer});
}

int64_t
RankRunner::EvaluateWithin(uint32_t rank,
                           const RankExpression& expression,
                           const char* what,
                           int64_t least,
                           int64_t most,
                           uint32_t peer) const
{
    const int64_t value = Evaluate(rank, expression, peer);
    if (value < least || value > most)
    {
        throw FabricError(std::string(what) + " is " + std::to_string(value) + "; it must be " +
                          std::to_string(least) + " to " + std::to_string(most));
    }
    return value;
}

bool
RankRunner::Do(uint32_t rank, const RankOperation& operation, int64_t nowPs)
{
    Rank& r = m_ranks[rank];
    switch (operation.kind)
    {
    case RankOperation::Kind::SEND:
    case RankOperation::Kind::RECV:
    case RankOperation::Kind::PUT:
    case RankOperation::Kind::GET:
        ++r.pc;
        Transfer(rank, operation);
        return true;
    case RankOperation::Kind::WAIT:
        if (!IsDone(r, operation))
        {
            Stop(r, State::WAITING, nowPs);
            return false;
        }
        ++r.pc;
        return true;
    case RankOperation::Kind::COLLECTIVE:
        r.pc += DoCollective(rank, operation, nowPs) ? 1 : 0;
        return true;
    case RankOperation::Kind::COMPUTE: {
        const int64_t ps =
            EvaluateWithin(rank, operation.value, "time", 0, FabricTime::NEVER - 1 - nowPs);
        ++r.pc;
        if (ps > 0)
        {
            Stop(r, State::COMPUTING, nowPs);
            SetTimer(nowPs + ps, false, rank);
        }
        return ps == 0;
    }
    case RankOperation::Kind::MARK:
        ++r.pc;
        m_marks.End(m_marks.Begin(rank, m_names[r.program][operation.name], nowPs), nowPs);
        return true;
    case RankOperation::Kind::MARK_BEGIN:
        ++r.pc;
        r.marks.push_back(m_marks.Begin(rank, m_names[r.program][operation.name], nowPs));
        return true;
    case RankOperation::Kind::MARK_END:
        ++r.pc;
        m_marks.End(r.marks.back(), nowPs);
        r.marks.pop_back();
        return true;
    case RankOperation::Kind::REPEAT: {
        const int64_t count =
            EvaluateWithin(rank, operation.value, "number of rounds", 0, INT64_MAX);
        if (count == 0)
        {
            r.pc = operation.target;
            return true;
        }
        r.rounds.push_back(0);
        r.counts.push_back(count);
        ++r.pc;
        return true;
    }
    case RankOperation::Kind::NEXT:
        if (++r.rounds.back() < r.counts.back())
        {
            r.pc = operation.target + 1;
            return true;
        }
        r.rounds.pop_back();
        r.counts.pop_back();
        ++r.pc;
        return true;
    case RankOperation::Kind::UNTIL:
        r.pc = IsDone(r, operation) ? operation.target : r.pc + 1;
        return true;
    case RankOperation::Kind::AGAIN:
        r.pc = operation.target;
        return true;
    case RankOperation::Kind::IF:
        r.pc = Evaluate(rank, operation.value) != 0 ? r.pc + 1 : operation.target;
        return true;
    case RankOperation::Kind::END:
        if (!IsDone(r, operation))
        {
            Stop(r, State::WAITING, nowPs);
            return false;
        }
        r.state = State::ENDED;
        --m_nRunning;
        return false;
    }
    return false;
}

uint32_t
RankRunner::AddRequest(Rank& r, const RankOperation& operation)
{
    if (operation.blocking)
    {
        ++r.blocking;
        return BLOCKING_REQUEST;
    }
    ++r.pending;
    if (operation.name == RankOperation::ANY_NAME)
    {
        return UNNAMED_REQUEST;
    }
    const auto found = std::find_if(r.named.begin(), r.named.end(), [&](const auto& named) {
        return named.first == operation.name;
    });
    if (found == r.named.end())
    {
        r.named.emplace_back(operation.name, 1);
    }
    else
    {
        ++found->second;
    }
    return operation.name;
}

void
RankRunner::OnComplete(uint32_t rank, uint32_t request)
{
    Rank& r = m_ranks[rank];
    --(request == BLOCKING_REQUEST   ? r.blocking
       : request == BUFFERED_REQUEST ? r.buffered
                                     : r.pending);
    if (request < BUFFERED_REQUEST)
    {
        const auto found = std::find_if(r.named.begin(), r.named.end(), [&](const auto& named) {
            return named.first == request;
        });
        if (--found->second == 0)
        {
            r.named.erase(found);
        }
    }
    if ((r.state == State::BLOCKED && r.blocking == 0) ||
        (r.state == State::WAITING && IsDone(r, GetProgram(r).GetOperations()[r.pc])))
    {
        r.state = State::READY;
        m_ready.push_back(rank);
    }
}

bool
RankRunner::IsDone(const Rank& r, const RankOperation& wait)
{
    if (wait.kind == RankOperation::Kind::END)
    {
        return r.pending + r.buffered == 0;
    }
    if (wait.name == RankOperation::ANY_NAME)
    {
        return r.pending == 0;
    }
    return std::none_of(r.named.begin(), r.named.end(), [&wait](const auto& named) {
        return named.first == wait.name;
    });
}

void
RankRunner::Begin(const RankMessage& message)
{
    const uint32_t stays = m_messages->Begin(message);
    if (stays != RankMessage::LOCAL)
    {
        const int64_t nowPs = FabricTime::ToPs(Simulator::Now());
        SetTimer(nowPs + FabricTime::ToPs(m_localDelay), true, stays);
    }
}

void
RankRunner::Transfer(uint32_t rank, const RankOperation& operation)
{
    constexpr int64_t MAX_TAG = INT32_MAX;
    const bool any =
        operation.kind == RankOperation::Kind::RECV && operation.target == RankOperation::ANY_NAME;
    const auto peer = any ? RankMessages::ANY
                          : static_cast<uint32_t>(EvaluateWithin(rank,
                                                                 operation.peer,
                                                                 "the other rank",
                                                                 0,
                                                                 m_job->GetNRanks() - 1));
    const auto tag = static_cast<uint64_t>(EvaluateWithin(rank, operation.tag, "tag", 0, MAX_TAG));
    const auto bytes =
        static_cast<uint64_t>(EvaluateWithin(rank, operation.value, "size", 0, INT64_MAX));
    const bool buffered =
        operation.kind == RankOperation::Kind::SEND && bytes <= m_eagerBytes && m_eagerBytes > 0;
    m_ranks[rank].buffered += buffered ? 1 : 0;
    const uint32_t request =
        buffered ? uint32_t{BUFFERED_REQUEST} : AddRequest(m_ranks[rank], operation);
    if (operation.kind == RankOperation::Kind::RECV)
    {
        m_messages->Receive(rank, peer, tag, request);
        return;
    }
    RankMessage message;
    message.src = rank;
    message.dst = peer;
    message.tag = tag;
    message.request = request;
    message.bytes = bytes;
    message.kind = operation.kind == RankOperation::Kind::SEND  ? RankMessage::Kind::SEND
                   : operation.kind == RankOperation::Kind::PUT ? RankMessage::Kind::PUT
                                                                : RankMessage::Kind::REQUEST;
    if (message.kind == RankMessage::Kind::REQUEST)
    {
        message.replyBytes = bytes;
        message.bytes = m_requestBytes;
    }
    Begin(message);
}

uint64_t
RankRunner::GetBytes(uint32_t rank, const RankOperation& operation, uint32_t peer) const
{
    constexpr int64_t MAX_BYTES = INT64_MAX / RankJob::MAX_RANKS; // sums of all ranks fit
    return static_cast<uint64_t>(EvaluateWithin(rank, operation.value, "size", 0, MAX_BYTES, peer));
}

bool
RankRunner::DoCollective(uint32_t rank, const RankOperation& operation, int64_t nowPs)
{
    Rank& r = m_ranks[rank];
    const uint32_t index = m_groups[r.program][operation.name];
    const RankGroup& group = m_job->GetGroups()[index];
    const uint32_t part = group.GetPart(rank);
    const uint32_t size = group.GetSize(part);
    const RankCollective& collective = *GetRankCollectives()[operation.collective];
    const bool forPeer = collective.IsSizeForPeer();
    if (r.step == 0)
    {
        r.row = m_collectives.Begin(rank, operation.collective, index, group, nowPs);
    }
    if (r.step == collective.GetNSteps(size))
    {
        m_collectives.End(r.row, nowPs);
        r.step = 0;
        return true;
    }
    const auto root =
        static_cast<uint32_t>(EvaluateWithin(rank, operation.peer, "root", 0, size - 1));
    const uint32_t place = (group.GetIndex(rank) + size - root) % size;
    const uint64_t bytes = forPeer ? 0 : GetBytes(rank, operation, rank);
    m_collectives.NoteSize(r.row, bytes);
    m_exchanges.clear();
    collective.GetStep(r.step, place, size, bytes, m_exchanges);
    ++r.step;
    const uint64_t tag = COLLECTIVE_TAG | (uint64_t{operation.collective} << 40) | index;
    for (const RankExchange& exchange : m_exchanges)
    {
        const uint32_t peer = group.GetMember(part, (exchange.peer + root) % size);
        if (!exchange.send)
        {
            ++r.blocking;
            m_messages->Receive(rank, peer, tag, BLOCKING_REQUEST);
            continue;
        }
        ++r.buffered;
        RankMessage message;
        message.src = rank;
        message.dst = peer;
        message.tag = tag;
        message.request = BUFFERED_REQUEST;
        message.bytes = forPeer ? GetBytes(rank, operation, peer) : exchange.bytes;
        m_collectives.NoteSent(r.row, message.bytes);
        if (forPeer)
        {
            m_collectives.NoteSize(r.row, message.bytes);
        }
        Begin(message);
    }
    return false;
}

std::string
RankRunner::GetWaitingTitle() const
{
    return "ranks that wait";
}

std::vector<std::string>
RankRunner::DescribeWaiting() const
{
    constexpr std::size_t MAX_PEERS = 4; // of one rank
    std::vector<std::string> lines;
    if (!m_messages)
    {
        return lines;
    }
    const auto open = m_messages->ListOpen();
    for (uint32_t rank = 0; rank < m_ranks.size(); ++rank)
    {
        const Rank& r = m_ranks[rank];
        if (r.state != State::BLOCKED && r.state != State::WAITING)
        {
            continue;
        }
        const RankOperation& operation = GetProgram(r).GetOperations()[r.at];
        std::string text = "rank " + std::to_string(rank) + " on host " +
                           std::to_string(m_messages->GetHosts()[rank]) + " since " +
                           FormatFabricTimePs(r.sincePs) + ", " +
                           GetProgram(r).Describe(operation) + ":";
        std::size_t peers = 0;
        for (const RankMessages::Open& one : open[rank])
        {
            const bool matters =
                r.state == State::BLOCKED
                    ? one.request == BLOCKING_REQUEST
                    : operation.name == RankOperation::ANY_NAME || one.request == operation.name;
            if (!matters || ++peers > MAX_PEERS)
            {
                continue;
            }
            const bool collective = (one.tag & COLLECTIVE_TAG) != 0;
            text += (peers > 1 ? ", " : " ") +
                    std::string(one.receive ? "nothing from " : "not acknowledged by ") +
                    (one.peer == RankMessages::ANY ? std::string("any rank")
                                                   : "rank " + std::to_string(one.peer)) +
                    (collective ? std::string() : ", tag " + std::to_string(one.tag));
        }
        if (peers > MAX_PEERS)
        {
            text += ", and " + std::to_string(peers - MAX_PEERS) + " more";
        }
        lines.push_back(text);
    }
    return lines;
}

} // namespace ns3
