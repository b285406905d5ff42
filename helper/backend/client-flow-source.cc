// SPDX-License-Identifier: GPL-2.0-only
#include "client-flow-source.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-time.h"
#include "ns3/parse-units.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <limits>

namespace ns3
{

namespace
{

/// Rounds at one time; beyond, a client is taken for endless.
constexpr uint32_t MAX_ROUNDS_AT_ONCE = 10000000;

/// @return ascending ranks in words, as `0, 3 to 7`
std::string
WriteRanks(const std::vector<uint32_t>& ranks)
{
    std::string text;
    for (std::size_t i = 0; i < ranks.size(); ++i)
    {
        const std::size_t first = i;
        while (i + 1 < ranks.size() && ranks[i + 1] == ranks[i] + 1)
        {
            ++i;
        }
        text += (text.empty() ? "" : ", ") + std::to_string(ranks[first]);
        text += i == first ? "" : " to " + std::to_string(ranks[i]);
    }
    return text;
}

} // namespace

constexpr uint64_t ClientFlowSource::MAX_BYTES;

ClientFlowSource::ClientFlowSource(FlowRecorder& recorder, Settings settings)
    : m_recorder(recorder),
      m_settings(std::move(settings)),
      m_turns(m_settings.queuePairs),
      m_finished(m_settings.hosts.size(), false)
{
    recorder.GetStarter().SetSource(this);
}

ClientFlowSource::~ClientFlowSource()
{
    m_act.Cancel();
    m_tick.Cancel();
    m_recorder.GetStarter().SetSource(nullptr);
}

void
ClientFlowSource::CheckRank(uint32_t rank) const
{
    if (rank >= GetNRanks())
    {
        throw FabricError("there is no rank " + std::to_string(rank) + "; ranks are 0 to " +
                          std::to_string(GetNRanks() - 1));
    }
}

uint64_t
ClientFlowSource::CheckBytes(uint64_t bytes)
{
    if (bytes > MAX_BYTES)
    {
        throw FabricError("a message of " + std::to_string(bytes) +
                          " bytes is too long; the most is " + std::to_string(MAX_BYTES));
    }
    return std::max<uint64_t>(bytes, 1);
}

void
ClientFlowSource::Schedule(uint64_t deltaPs, Handler handler)
{
    const int64_t nowPs = FabricTime::ToPs(Simulator::Now());
    if (deltaPs >= static_cast<uint64_t>(FabricTime::NEVER - nowPs))
    {
        throw FabricError("nothing can be scheduled in " + std::to_string(deltaPs) +
                          " ps: times end at " + std::to_string(FabricTime::NEVER) + " ps");
    }
    m_timers.push({nowPs + static_cast<int64_t>(deltaPs), m_nCalls++, false, std::move(handler)});
}

void
ClientFlowSource::Send(uint32_t src, uint32_t dst, uint64_t bytes, uint64_t tag, Handler onSent)
{
    CheckRank(src);
    CheckRank(dst);
    Message message;
    message.key = {dst, src, tag};
    message.bytes = CheckBytes(bytes);
    message.number = m_nCalls++;
    message.handler = std::move(onSent);
    if (m_settings.hosts[src] == m_settings.hosts[dst])
    {
        const int64_t nowPs = FabricTime::ToPs(Simulator::Now());
        m_timers.push({nowPs + m_settings.localDelayPs, message.number, true, nullptr});
        m_local.emplace(message.number, std::move(message));
    }
    else if (m_hasStarted)
    {
        BeginFlow(std::move(message));
    }
    else
    {
        m_unbegun.push_back(std::move(message));
    }
}

void
ClientFlowSource::BeginFlow(Message message)
{
    const Key key = message.key;
    FlowStarter::Made made;
    made.flow.src = m_settings.hosts[key.src];
    made.flow.dst = m_settings.hosts[key.dst];
    made.flow.sizeBytes = message.bytes;
    made.flow.priority = m_settings.priority;
    made.flow.group = m_settings.group;
    made.queuePair = m_turns.Take(key.src, key.dst);
    made.order.atPs = FabricTime::ToPs(Simulator::Now());
    made.order.rank = key.src;
    made.order.number = message.number;
    message.answered = m_recorder.GetTable().IsAnswered(made.flow);
    m_flows.emplace(m_recorder.GetStarter().Begin(made), std::move(message));
    ++m_nOpen;
}

void
ClientFlowSource::Receive(uint32_t dst,
                          uint32_t src,
                          uint64_t bytes,
                          uint64_t tag,
                          Handler onReceived)
{
    CheckRank(src);
    CheckRank(dst);
    const uint64_t counted = CheckBytes(bytes);
    const Key key{dst, src, tag};
    m_lines[key].waiting.push_back({counted, m_nCalls++, std::move(onReceived)});
    ++m_nWaiting;
    Fill(key);
}

void
ClientFlowSource::Arrive(const Key& key, uint64_t bytes)
{
    m_lines[key].bytes += bytes;
    Fill(key);
}

void
ClientFlowSource::Fill(const Key& key)
{
    const auto place = m_lines.find(key);
    Line& line = place->second;
    while (!line.waiting.empty() && line.waiting.front().bytes <= line.bytes)
    {
        Receipt& first = line.waiting.front();
        line.bytes -= first.bytes;
        m_received.push_back({key.dst, first.number, std::move(first.handler)});
        line.waiting.pop_front();
        --m_nWaiting;
    }
    if (line.waiting.empty() && line.bytes == 0)
    {
        m_lines.erase(place);
    }
}

void
ClientFlowSource::Finish(uint32_t rank)
{
    CheckRank(rank);
    if (!m_finished[rank])
    {
        m_finished[rank] = true;
        ++m_nFinished;
    }
}

uint64_t
ClientFlowSource::GetNUnreceivedBytes() const
{
    uint64_t bytes = 0;
    for (const auto& [key, line] : m_lines)
    {
        bytes += line.bytes;
    }
    return bytes;
}

void
ClientFlowSource::Start()
{
    m_hasStarted = true;
    ScheduleAct();
}

void
ClientFlowSource::ScheduleAct()
{
    // after all that happens in nodes at this time: see FlowStarter::ScheduleDue()
    if (m_act.IsExpired())
    {
        m_act = Simulator::ScheduleNow(&ClientFlowSource::Act, this);
    }
}

void
ClientFlowSource::OnArrived(uint32_t flow)
{
    Close(flow, &Message::arrived);
}

void
ClientFlowSource::OnAcknowledged(uint32_t flow)
{
    Close(flow, &Message::acknowledged);
}

void
ClientFlowSource::Close(uint32_t flow, bool Message::*end)
{
    const auto found = m_flows.find(flow);
    if (found == m_flows.end())
    {
        return; // of a workload beside the client's
    }
    Message& message = found->second;
    const bool wasOpen = message.IsOpen();
    message.*end = true;
    m_nOpen -= wasOpen && !message.IsOpen() ? 1 : 0;
    if (end == &Message::arrived)
    {
        Arrive(message.key, message.bytes);
    }
    else
    {
        m_sent.push_back({message.key.src, message.number, std::move(message.handler)});
    }
    if (message.arrived && message.acknowledged)
    {
        m_flows.erase(found);
    }
    ScheduleAct();
}

void
ClientFlowSource::OnBegunElsewhere(uint32_t /* flow */, const std::string& /* note */)
{
}

void
ClientFlowSource::TakeTimers(int64_t nowPs)
{
    while (!m_timers.empty() && m_timers.top().atPs <= nowPs)
    {
        const Timer& timer = m_timers.top();
        if (timer.isMessage)
        {
            auto message = m_local.extract(timer.number);
            Arrive(message.mapped().key, message.mapped().bytes);
            m_sent.push_back(
                {message.mapped().key.src, timer.number, std::move(message.mapped().handler)});
        }
        else
        {
            m_called.push_back({0, timer.number, timer.handler});
        }
        m_timers.pop();
    }
}

void
ClientFlowSource::CallAll(std::vector<Due> due)
{
    std::sort(due.begin(), due.end());
    for (const Due& one : due)
    {
        if (one.handler)
        {
            one.handler();
        }
    }
}

bool
ClientFlowSource::IsDue(int64_t nowPs) const
{
    return !m_received.empty() || !m_sent.empty() ||
           (!m_timers.empty() && m_timers.top().atPs <= nowPs);
}

void
ClientFlowSource::Act()
{
    const int64_t nowPs = FabricTime::ToPs(Simulator::Now());
    m_lastPs = nowPs;
    for (Message& message : std::exchange(m_unbegun, {}))
    {
        BeginFlow(std::move(message));
    }
    for (uint32_t round = 0; IsDue(nowPs); ++round)
    {
        if (round == MAX_ROUNDS_AT_ONCE)
        {
            throw FabricError("the client has been called in " +
                              std::to_string(MAX_ROUNDS_AT_ONCE) + " rounds at " +
                              FormatFabricTimePs(nowPs) +
                              ", each of which led to the next at the same time; let it wait for "
                              "a message or some time");
        }
        TakeTimers(nowPs);
        // what is due now; what a handler leads to is due in the next round
        std::vector<Due> received = std::exchange(m_received, {});
        std::vector<Due> sent = std::exchange(m_sent, {});
        std::vector<Due> called = std::exchange(m_called, {});
        CallAll(std::move(received));
        CallAll(std::move(sent));
        CallAll(std::move(called));
    }
    Arm();
    if (IsFinished())
    {
        m_recorder.GetProgress().OnSourceFinished();
    }
}

void
ClientFlowSource::Arm()
{
    if (m_timers.empty() || (!m_tick.IsExpired() && m_tickPs <= m_timers.top().atPs))
    {
        return;
    }
    m_tick.Cancel();
    m_tickPs = m_timers.top().atPs;
    m_tick = Simulator::Schedule(FabricTime::FromPs(m_tickPs) - Simulator::Now(),
                                 &ClientFlowSource::ScheduleAct,
                                 this);
}

bool
ClientFlowSource::IsSending() const
{
    return m_nOpen > 0 || !m_local.empty() || !m_unbegun.empty() || !m_received.empty() ||
           !m_sent.empty();
}

bool
ClientFlowSource::IsIdle() const
{
    return m_hasStarted && m_nWaiting == 0 && m_timers.empty();
}

bool
ClientFlowSource::IsFinished() const
{
    return !IsSending() && (m_nFinished == GetNRanks() || (m_nFinished == 0 && IsIdle()));
}

int64_t
ClientFlowSource::GetNextPs() const
{
    return m_timers.empty() ? FabricTime::NEVER : m_timers.top().atPs;
}

int64_t
ClientFlowSource::GetLastPs() const
{
    return m_lastPs;
}

int64_t
ClientFlowSource::GetLeastEndPs() const
{
    return 0;
}

std::string
ClientFlowSource::GetWaitingTitle() const
{
    return "what ranks wait for";
}

std::vector<std::string>
ClientFlowSource::DescribeWaiting() const
{
    if (IsFinished())
    {
        return {};
    }
    std::vector<std::pair<Key, std::string>> waiting;
    std::vector<std::pair<Key, std::string>> unreceived;
    std::vector<bool> waits(GetNRanks(), false);
    for (const auto& [key, line] : m_lines)
    {
        uint64_t here = line.bytes;
        for (const Receipt& receipt : line.waiting)
        {
            waits[key.dst] = true;
            waiting.emplace_back(key,
                                 "rank " + std::to_string(key.dst) + " receives " +
                                     FormatFabricCount(receipt.bytes, "byte") + " from rank " +
                                     std::to_string(key.src) + " with tag " +
                                     std::to_string(key.tag) + ": " +
                                     std::to_string(receipt.bytes - here) + " missing");
            here = 0; // they are of the first one
        }
        if (line.waiting.empty())
        {
            unreceived.emplace_back(key,
                                    "rank " + std::to_string(key.dst) + " does not receive " +
                                        FormatFabricCount(line.bytes, "byte") +
                                        " that have come from rank " + std::to_string(key.src) +
                                        " with tag " + std::to_string(key.tag));
        }
    }
    std::vector<std::string> lines;
    for (auto* some : {&waiting, &unreceived})
    {
        // receives of one key stay in their order
        std::stable_sort(some->begin(), some->end(), [](const auto& a, const auto& b) {
            return a.first.Tie() < b.first.Tie();
        });
        for (const auto& [key, line] : *some)
        {
            lines.push_back(line);
        }
    }
    std::vector<uint32_t> idle;
    for (uint32_t rank = 0; rank < GetNRanks(); ++rank)
    {
        if (!m_finished[rank] && !waits[rank])
        {
            idle.push_back(rank);
        }
    }
    if (m_nFinished > 0 && !idle.empty())
    {
        lines.push_back("ranks that receive nothing and have not finished: " + WriteRanks(idle));
    }
    return lines;
}

} // namespace ns3
