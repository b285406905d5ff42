// SPDX-License-Identifier: GPL-2.0-only
#include "rank-runner.h"

#include "ns3/attribute-range.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-time.h"
#include "ns3/parse-units.h"
#include "ns3/rank-world.h"
#include "ns3/simulator.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RankRunner);

namespace
{

/// What a program may do at one time; beyond, it is taken for endless.
constexpr uint32_t MAX_OPERATIONS_AT_ONCE = 10000000;

/// @return true if it receives from any rank
bool
TakesFromAny(const RankOperation& operation)
{
    return operation.kind == RankOperation::Kind::RECV &&
           operation.target == RankOperation::ANY_NAME;
}

/// @return FabricFlow::group of messages, by rank; empty: that of none
std::vector<uint16_t>
ListFlowGroups(const RankJob& job)
{
    std::vector<uint16_t> groups;
    for (const RankJob::Part& part : job.GetParts())
    {
        if (part.group > 0)
        {
            groups.resize(job.GetNRanks(), 0);
            std::fill_n(groups.begin() + part.first, part.ranks, part.group);
        }
    }
    return groups;
}

/// @return classes of what ranks send; empty: all have that of all
std::vector<uint8_t>
ListPriorities(const RankJob& job, uint8_t priority)
{
    std::vector<uint8_t> priorities;
    for (const RankJob::Part& part : job.GetParts())
    {
        if (part.priority != RankJob::Part::NO_PRIORITY && part.priority != priority)
        {
            priorities.resize(job.GetNRanks(), priority);
            std::fill_n(priorities.begin() + part.first, part.ranks, part.priority);
        }
    }
    return priorities;
}

/// @return true if it receives with any tag
bool
TakesAnyTag(const RankOperation& operation)
{
    return operation.anyTag;
}

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
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("QueuePairs",
                          "Messages of one rank to another that are sent at the same time: of n "
                          "queue pairs each sends one after the other. 0: each message has a queue "
                          "pair of its own, and all share the links.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&RankRunner::m_queuePairs),
                          MakeUintegerChecker<uint32_t>(0, 64))
            .AddAttribute("Channels",
                          "Parts into which a send, a put or what a get asks for is cut, unless it "
                          "says it: each has a queue pair of its own and leaves by a port of its "
                          "own, counted round among those that lead there. Collectives say it "
                          "themselves.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&RankRunner::m_channels),
                          MakeUintegerChecker<uint16_t>(1, RankOperation::MAX_CHANNELS))
            .AddAttribute("MessageOverhead",
                          "Time that a rank takes in a collective for each message that it "
                          "receives, before it goes on; a lane takes one after the other.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&RankRunner::m_messageOverhead),
                          MakeTimeChecker(Seconds(0), Seconds(1)))
            .AddAttribute("ReduceRate",
                          "Rate at which a rank adds what it receives in a collective to its own, "
                          "one step after the other; 0: it takes no time.",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&RankRunner::m_reduceRate),
                          MakeRateChecker(0))
            .AddAttribute("RoundsAlone",
                          "Rounds of UNTIL in all ranks, without anything that arrives meanwhile, "
                          "after which it is seen whether anything else is to come.",
                          UintegerValue(10000000),
                          MakeUintegerAccessor(&RankRunner::m_roundsAlone),
                          MakeUintegerChecker<uint64_t>(1, uint64_t{1} << 62))
            .AddTraceSource("Compute",
                            "A computation of a rank begins.",
                            MakeTraceSourceAccessor(&RankRunner::m_computeTrace),
                            "ns3::RankRunner::ComputeTracedCallback");
    return tid;
}

RankRunner::RankRunner()
    : m_lanes(std::make_unique<RankLanes>())
{
}

RankRunner::~RankRunner() = default;

void
RankRunner::DoDispose()
{
    m_run.Cancel();
    m_tick.Cancel();
    if (m_recorder)
    {
        m_recorder->GetStarter().SetSource(nullptr);
        m_recorder = nullptr;
    }
    m_messages.reset();
    m_order.reset();
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
    m_messages->SetQueuePairs(m_queuePairs);
    m_messages->SetCallback([this](uint32_t rank, uint32_t request) { OnComplete(rank, request); });
    m_recorder = &recorder;
    recorder.GetStarter().SetSource(this);
    m_ranks.assign(m_job->GetNRanks(), Rank());
    m_requests = RankRequests(m_job->GetNRanks());
    m_messages->SetFlowGroups(ListFlowGroups(*m_job));
    m_messages->SetPriorities(ListPriorities(*m_job, priority));
    m_order = std::make_unique<CollectiveOrder>(*m_job);
    std::vector<bool> anyTag; // by program
    for (const RankProgram& program : m_job->GetPrograms())
    {
        const uint32_t part = m_job->GetPartOfProgram(static_cast<uint32_t>(m_groups.size()));
        m_programParts.push_back(&m_job->GetParts()[part]);
        m_groups.emplace_back();
        m_names.emplace_back();
        for (const std::string& name : program.GetNames())
        {
            m_groups.back().push_back(m_job->FindGroup(name, part));
            m_names.back().push_back(m_marks.NameIndex(name));
        }
        CheckCounted(program);
        const auto& operations = program.GetOperations();
        if (std::any_of(operations.begin(), operations.end(), TakesFromAny))
        {
            m_messages->SetReceivesFromAny();
        }
        anyTag.push_back(std::any_of(operations.begin(), operations.end(), TakesAnyTag));
    }
    if (RankReductions::IsUsedBy(*m_job))
    {
        m_reductions = std::make_unique<RankReductions>(recorder.GetFabric(),
                                                        *m_job,
                                                        m_groups,
                                                        m_messages->GetHosts(),
                                                        priority);
        m_reductions->SetCallbacks([this](uint32_t number) { OnReduced(number); },
                                   [this]() { return CanMove(); });
    }
    m_nRunning = 0;
    m_partRunning.assign(m_job->GetParts().size(), 0);
    m_partEndPs.assign(m_job->GetParts().size(), 0);
    for (uint32_t rank = 0; rank < m_ranks.size(); ++rank)
    {
        m_ranks[rank].program = m_job->GetProgramOf(rank);
        if (m_ranks[rank].program == RankGroup::NONE || !m_messages->IsHere(rank))
        {
            m_ranks[rank].state = State::ENDED;
            continue;
        }
        if (anyTag[m_ranks[rank].program])
        {
            m_messages->SetTakesAnyTag(rank);
        }
        ++m_nRunning;
        ++m_partRunning[m_job->GetPartOfProgram(m_ranks[rank].program)];
        if (const int64_t startPs = m_programParts[m_ranks[rank].program]->startPs; startPs > 0)
        {
            m_ranks[rank].state = State::COMPUTING; // nothing, until its job begins
            SetTimer(startPs, Timer::Kind::RANK, rank);
            continue;
        }
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
            if (TakesFromAny(operation))
            {
                throw FabricError(program.Describe(operation) +
                                  " from any rank: the match table of a NIC has one source for "
                                  "each receive; name the rank, or let receives count as posted");
            }
            if (TakesAnyTag(operation))
            {
                throw FabricError(program.Describe(operation) +
                                  " with any tag: the match table of a NIC has one tag for each "
                                  "receive; name the tag, or let receives count as posted");
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
    // after all that happens in nodes at this time: see FlowStarter::ScheduleDue()
    if (m_run.IsExpired())
    {
        m_run = Simulator::ScheduleNow(&RankRunner::RunReady, this);
    }
}

void
RankRunner::OnArrived(uint32_t flow)
{
    m_rounds = 0;
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

void
RankRunner::OnBegunElsewhere(uint32_t flow, const std::string& note)
{
    m_messages->OnBegunElsewhere(flow, note);
}

int64_t
RankRunner::GetLeastEndPs() const
{
    return IsFinished() ? 0 : m_lastTimerPs; // ranks wait for all that they have begun
}

bool
RankRunner::IsFinished() const
{
    return m_nRunning == 0;
}

bool
RankRunner::IsBusy() const
{
    return m_reductions && m_reductions->IsMoving();
}

bool
RankRunner::CanMove() const
{
    return !m_timers.empty() || !m_ready.empty() || m_messages->HasReplies() ||
           m_recorder->GetProgress().GetNOpenEnds() > 0 || IsBusy();
}

int64_t
RankRunner::GetNextPs() const
{
    return m_timers.empty() ? FabricTime::NEVER : m_timers.top().atPs;
}

int64_t
RankRunner::GetLastPs() const
{
    return std::max<int64_t>(m_roundPs, 0);
}

void
RankRunner::SetTimer(int64_t atPs, Timer::Kind kind, uint32_t number, uint32_t turn)
{
    m_timers.push({atPs, m_nTimers++, kind, number, turn});
    m_lastTimerPs = std::max(m_lastTimerPs, atPs);
}

FlowOrder
RankRunner::GetOrder(uint32_t rank)
{
    FlowOrder order;
    order.atPs = m_roundPs;
    order.round = m_round;
    order.phase = static_cast<uint32_t>(m_phase);
    order.rank = rank;
    order.number = m_nPlaces++;
    return order;
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
        switch (timer.kind)
        {
        case Timer::Kind::RANK:
            m_ranks[timer.number].state = State::READY;
            m_ready.push_back(timer.number);
            break;
        case Timer::Kind::MESSAGE:
            m_rounds = 0;
            m_messages->ArriveLocally(timer.number);
            break;
        case Timer::Kind::TASK:
            EndCompute(timer.number);
            break;
        case Timer::Kind::LANE:
            Release(m_running[m_lanes->lanes[timer.number].collective].rank,
                    COLLECTIVE_REQUEST + timer.number);
            break;
        }
    }
}

void
RankRunner::RunReady()
{
    const int64_t nowPs = FabricTime::ToPs(Simulator::Now());
    m_round = m_roundPs == nowPs ? m_round : 0;
    m_roundPs = nowPs;
    do
    {
        ++m_round;
        m_phase = Phase::TIMERS;
        ServeTimers(nowPs);
        m_phase = Phase::ANSWERS;
        std::vector<uint32_t> local;
        m_messages->Answer(GetOrder(0), local);
        for (const uint32_t number : local)
        {
            SetTimer(nowPs + FabricTime::ToPs(m_localDelay), Timer::Kind::MESSAGE, number);
        }
        m_phase = Phase::RANKS;
        std::vector<uint32_t> ready = std::exchange(m_ready, {});
        std::sort(ready.begin(), ready.end());
        for (const uint32_t rank : ready)
        {
            RunRank(rank, nowPs);
        }
    } while (!m_ready.empty() || m_messages->HasReplies() ||
             (!m_timers.empty() && m_timers.top().atPs <= nowPs));
    Arm();
    if (RankWorld::GetSize() > 1)
    {
        m_log.Add(nowPs, GetNextPs());
    }
    if (IsFinished())
    {
        m_recorder->GetProgress().OnSourceFinished();
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
    m_current = rank;
    StartReleased(rank);
    while (r.state == State::READY)
    {
        if (r.blocking > 0)
        {
            Stop(r, State::BLOCKED, nowPs);
            break;
        }
        const RankOperation& operation = operations[r.pc];
        r.at = r.pc;
        if (++r.operations > MAX_OPERATIONS_AT_ONCE)
        {
            throw FabricError(GetProgram(r).Describe(operation) + ": " + m_job->DescribeRank(rank) +
                              " has done " + std::to_string(MAX_OPERATIONS_AT_ONCE) +
                              " operations at " + FormatFabricTimePs(nowPs) +
                              " without waiting for anything; let it compute for some time, or "
                              "repeat less");
        }
        try
        {
            Do(rank, operation, nowPs);
        }
        catch (const FabricError& error)
        {
            Refuse(rank, operation, error);
        }
        StartReleased(rank);
    }
    m_current = RankGroup::NONE;
}

void
RankRunner::Refuse(uint32_t rank, const RankOperation& operation, const FabricError& error) const
{
    throw error.At(GetProgram(m_ranks[rank]).Describe(operation) + " of " +
                   m_job->DescribeRank(rank) + ": ");
}

int64_t
RankRunner::Evaluate(uint32_t rank, const RankExpression& expression) const
{
    const RankJob::Part& part = GetPart(rank);
    return expression.Evaluate({rank - part.first, part.ranks, m_ranks[rank].rounds.data()});
}

int64_t
RankRunner::EvaluateWithin(uint32_t rank,
                           const RankExpression& expression,
                           const char* what,
                           int64_t least,
                           int64_t most) const
{
    const int64_t value = Evaluate(rank, expression);
    CheckWithin(value, what, least, most);
    return value;
}

int64_t
RankRunner::EvaluateTimePs(uint32_t rank, const RankOperation& operation, int64_t mostPs) const
{
    if (!operation.counted)
    {
        return EvaluateWithin(rank, operation.value, "time", 0, mostPs);
    }
    const int64_t ps = m_roofline.GetTimePs(
        EvaluateWithin(rank, operation.value, "number of operations", 0, INT64_MAX),
        EvaluateWithin(rank, operation.tag, "number of bytes", 0, INT64_MAX));
    CheckWithin(ps, "time", 0, mostPs);
    return ps;
}

void
RankRunner::CheckCounted(const RankProgram& program) const
{
    const auto& operations = program.GetOperations();
    const auto counted = std::find_if(operations.begin(), operations.end(), [](const auto& one) {
        return one.counted;
    });
    if (counted != operations.end() && !m_roofline.IsGiven())
    {
        throw FabricError(program.Describe(*counted) +
                          " says what it does, and nothing how long that takes: give " +
                          FabricTerm::Option("compute", "FLOPS,BYTES/s") +
                          ", such as 312TFLOPS,2TB/s, or write a time");
    }
}

void
RankRunner::CheckWithin(int64_t value, const char* what, int64_t least, int64_t most)
{
    if (value < least || value > most)
    {
        throw FabricError(std::string(what) + " is " + std::to_string(value) + "; it must be " +
                          std::to_string(least) + " to " + std::to_string(most));
    }
}

void
RankRunner::Do(uint32_t rank, const RankOperation& operation, int64_t nowPs)
{
    Rank& r = m_ranks[rank];
    switch (operation.kind)
    {
    case RankOperation::Kind::SEND:
    case RankOperation::Kind::RECV:
    case RankOperation::Kind::PUT:
    case RankOperation::Kind::GET:
    case RankOperation::Kind::COLLECTIVE:
        ++r.pc;
        Start(rank, operation);
        return;
    case RankOperation::Kind::WAIT:
        if (!IsDone(rank, operation))
        {
            Stop(r, State::WAITING, nowPs);
            return;
        }
        ++r.pc;
        return;
    case RankOperation::Kind::COMPUTE:
        ++r.pc;
        if (!operation.blocking)
        {
            Start(rank, operation);
            return;
        }
        if (const int64_t ps = EvaluateTimePs(rank, operation, FabricTime::NEVER - 1 - nowPs);
            ps > 0)
        {
            Stop(r, State::COMPUTING, nowPs);
            NoteCompute(rank, operation, ps);
            SetTimer(nowPs + ps, Timer::Kind::RANK, rank);
        }
        return;
    case RankOperation::Kind::MARK:
        ++r.pc;
        m_marks.End(m_marks.Begin(rank, m_names[r.program][operation.name], nowPs, m_round), nowPs);
        return;
    case RankOperation::Kind::MARK_BEGIN:
        ++r.pc;
        r.marks.push_back(m_marks.Begin(rank, m_names[r.program][operation.name], nowPs, m_round));
        return;
    case RankOperation::Kind::MARK_END:
        ++r.pc;
        m_marks.End(r.marks.back(), nowPs);
        r.marks.pop_back();
        return;
    case RankOperation::Kind::REPEAT: {
        const int64_t count =
            EvaluateWithin(rank, operation.value, "number of rounds", 0, INT64_MAX);
        if (count == 0)
        {
            r.pc = operation.target;
            return;
        }
        r.rounds.push_back(0);
        r.counts.push_back(count);
        ++r.pc;
        return;
    }
    case RankOperation::Kind::NEXT:
        if (++r.rounds.back() < r.counts.back())
        {
            r.pc = operation.target + 1;
            return;
        }
        r.rounds.pop_back();
        r.counts.pop_back();
        ++r.pc;
        return;
    case RankOperation::Kind::UNTIL:
        if (IsDone(rank, operation))
        {
            r.pc = operation.target;
            return;
        }
        ++r.pc;
        if (++m_rounds > m_roundsAlone)
        {
            CheckEnds();
        }
        return;
    case RankOperation::Kind::AGAIN:
        r.pc = operation.target;
        return;
    case RankOperation::Kind::IF:
        r.pc = Evaluate(rank, operation.value) != 0 ? r.pc + 1 : operation.target;
        return;
    case RankOperation::Kind::END:
        if (!IsDone(rank, operation))
        {
            Stop(r, State::WAITING, nowPs);
            return;
        }
        r.state = State::ENDED;
        --m_nRunning;
        --m_partRunning[m_job->GetPartOfProgram(r.program)];
        m_partEndPs[m_job->GetPartOfProgram(r.program)] = nowPs;
        return;
    }
}

bool
RankRunner::IsInUntil(const Rank& r) const
{
    const auto& operations = GetProgram(r).GetOperations();
    const auto behind = operations.begin() + r.at + 1; // it is in the block of one where it asks
    return std::any_of(operations.begin(), behind, [&r](const auto& operation) {
        return operation.kind == RankOperation::Kind::UNTIL && operation.target > r.at;
    });
}

void
RankRunner::CheckEnds()
{
    m_rounds = 0;
    // what other processes are about to do is not known here
    bool more = RankWorld::GetSize() > 1 || m_recorder->GetProgress().GetNOpenEnds() > 0 ||
                m_messages->HasReplies() || IsBusy() ||
                std::any_of(m_ranks.begin(), m_ranks.end(), [this](const Rank& r) {
                    const bool goesOn = r.state == State::READY || r.state == State::COMPUTING;
                    return !r.released.empty() || (goesOn && !IsInUntil(r));
                });
    for (auto timers = m_timers; !timers.empty() && !more; timers.pop())
    {
        more = timers.top().kind != Timer::Kind::RANK;
    }
    if (!more)
    {
        throw FabricError("would repeat its block for ever: after " +
                          std::to_string(m_roundsAlone) +
                          " rounds without anything else, no message is on its way, and all ranks "
                          "wait or repeat such a block; let another rank send what it waits for");
    }
}

bool
RankRunner::IsDone(uint32_t rank, const RankOperation& wait) const
{
    const Rank& r = m_ranks[rank];
    if (wait.kind == RankOperation::Kind::END)
    {
        return r.pending + r.buffered == 0;
    }
    return wait.name == RankOperation::ANY_NAME ? r.pending == 0
                                                : !m_requests.IsOpen(rank, wait.name);
}

void
RankRunner::Wake(uint32_t rank)
{
    Rank& r = m_ranks[rank];
    if ((r.state == State::BLOCKED && r.blocking == 0) ||
        (r.state == State::WAITING && IsDone(rank, GetProgram(r).GetOperations()[r.pc])))
    {
        r.state = State::READY;
        if (rank != m_current)
        {
            m_ready.push_back(rank);
        }
    }
}

} // namespace ns3
