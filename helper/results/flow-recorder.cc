// SPDX-License-Identifier: GPL-2.0-only
#include "flow-recorder.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-time.h"
#include "ns3/host-islands.h"
#include "ns3/parse-units.h"
#include "ns3/plain-bytes.h"
#include "ns3/result-file.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <memory>

namespace ns3
{

namespace
{

/// Message of a flow without end: at 800 Gb/s it takes 133 days, longer than the 106 that times in
/// ps hold.
constexpr uint64_t ENDLESS_MESSAGE_BYTES = uint64_t{1} << 60;

} // namespace

FlowRecorder::FlowRecorder(Ptr<Fabric> fabric,
                           std::vector<FabricFlow> flows,
                           std::vector<FlowTrigger> triggers)
    : m_fabric(fabric),
      m_flows(std::move(flows)),
      m_triggers(std::move(triggers)),
      m_triggerState(m_triggers),
      m_records(m_flows.size()),
      m_nGiven(m_flows.size()),
      m_bytesTo(fabric->GetGraph().GetNNodes())
{
    if (m_flows.size() >= UINT32_MAX)
    {
        throw FabricError("a workload has at most 2^32 - 2 flows");
    }
    auto islands = std::make_unique<HostIslands>(fabric->GetGraph());
    if (!islands->JoinAll())
    {
        m_islands = std::move(islands);
    }
    for (std::size_t i = 0; i < m_flows.size(); ++i)
    {
        const FabricFlow& flow = m_flows[i];
        CheckFlow(i, flow);
        if (flow.sizeBytes == FabricFlow::ENDLESS)
        {
            ++m_nEndless;
        }
        else
        {
            m_totalBytes += flow.sizeBytes;
            m_bytesTo[flow.dst] += flow.sizeBytes;
            m_nOpenEnds += CountEnds(flow);
        }
        if (flow.startPs != FabricFlow::ON_TRIGGER)
        {
            m_starts.push_back(flow.startPs);
        }
    }
    const FlowTriggerFault fault = FindFlowTriggerFault(m_flows, m_triggers);
    if (!fault.what.empty())
    {
        throw FabricError(fault.what);
    }
    std::sort(m_starts.begin(), m_starts.end());
    for (const uint32_t host : m_fabric->GetHosts())
    {
        Ptr<FabricNic> nic = m_fabric->GetNic(host);
        nic->GetMessages().SetDeliveredCallback(
            [this](const FabricMessageEvent& event) { OnDelivered(event); });
        nic->GetMessages().SetCompletedCallback(
            [this](const FabricMessageEvent& event) { OnCompleted(event); });
    }
}

void
FlowRecorder::CheckFlow(std::size_t index, const FabricFlow& flow) const
{
    const FabricGraph& graph = m_fabric->GetGraph();
    if (!graph.IsHost(flow.src) || !graph.IsHost(flow.dst) || flow.src == flow.dst ||
        flow.sizeBytes == 0 || flow.startPs < FabricFlow::ON_TRIGGER)
    {
        throw FabricError("flow " + std::to_string(index) + ": from " + std::to_string(flow.src) +
                          " to " + std::to_string(flow.dst) + ", " +
                          FormatFabricCount(flow.sizeBytes, "byte") + " at " +
                          std::to_string(flow.startPs) +
                          " ps: it needs two different hosts of the network, at least one "
                          "byte, and a start that is not negative");
    }
    if (m_islands && !m_islands->Join(flow.src, flow.dst))
    {
        throw FabricError("flow " + std::to_string(index) + ": no path between hosts " +
                          std::to_string(flow.src) + " (" + graph.GetName(flow.src) + ") and " +
                          std::to_string(flow.dst) + " (" + graph.GetName(flow.dst) +
                          "): neither a link nor switches join them");
    }
}

FlowRecorder::~FlowRecorder()
{
    m_startDue.Cancel();
    for (const uint32_t host : m_fabric->GetHosts())
    {
        Ptr<FabricNic> nic = m_fabric->GetNic(host);
        nic->GetMessages().SetDeliveredCallback(nullptr);
        nic->GetMessages().SetCompletedCallback(nullptr);
    }
    SetGroups({});
}

void
FlowRecorder::SetStopWhenComplete(bool stop)
{
    m_stopWhenComplete = stop;
}

void
FlowRecorder::SetGroups(std::vector<std::string> labels)
{
    for (auto label = labels.begin(); label != labels.end(); ++label)
    {
        if (label->empty() || label->find_first_of(",\"\r\n") != std::string::npos ||
            std::find(labels.begin(), label, *label) != label)
        {
            throw FabricError("labels of flows: '" + *label +
                              "' must be a name that occurs once, without commas, quotes and line "
                              "ends");
        }
    }
    for (std::size_t i = 0; i < m_flows.size() && !labels.empty(); ++i)
    {
        if (m_flows[i].group >= labels.size())
        {
            throw FabricError("flow " + std::to_string(i) + ": group " +
                              std::to_string(m_flows[i].group) + " has no label; there are " +
                              std::to_string(labels.size()));
        }
    }
    if (labels.empty() != m_groups.empty())
    {
        for (const uint32_t host : m_fabric->GetHosts())
        {
            const auto sink = MakeCallback(&FlowRecorder::OnPayload, this);
            Ptr<FabricNic> nic = m_fabric->GetNic(host);
            labels.empty() ? nic->TraceDisconnectWithoutContext("Payload", sink)
                           : nic->TraceConnectWithoutContext("Payload", sink);
        }
    }
    m_groupBytes.assign(labels.size(), 0);
    m_groups = std::move(labels);
}

void
FlowRecorder::OnPayload(Ptr<const FabricPacketItem> item)
{
    m_groupBytes[m_flows.at(Find(item->src, item->data.tag)).group] += item->data.payloadBytes;
}

void
FlowRecorder::Start()
{
    for (uint32_t i = 0; i < m_flows.size(); ++i)
    {
        if (m_flows[i].startPs != FabricFlow::ON_TRIGGER && m_fabric->IsHere(m_flows[i].src))
        {
            Send(i);
        }
    }
    if (m_source)
    {
        m_source->Start();
    }
}

void
FlowRecorder::SetLinks(RankNotes& links)
{
    m_links = &links;
    links.SetListener(RankNotes::Topic::FLOW,
                      [this](const std::string& note) { ReceiveNote(note); });
}

uint32_t
FlowRecorder::Append(const FabricFlow& flow, const FlowOrder& order)
{
    CheckFlow(m_flows.size(), flow);
    if (m_flows.size() >= UINT32_MAX - 1)
    {
        throw FabricError("a workload has at most 2^32 - 2 flows");
    }
    m_bytesTo[flow.dst] += flow.sizeBytes;
    m_nOpenEnds += CountEnds(flow);
    m_flows.push_back(flow);
    m_records.emplace_back();
    if (m_links)
    {
        m_orders.push_back(order);
    }
    return static_cast<uint32_t>(m_flows.size() - 1);
}

uint32_t
FlowRecorder::Begin(const Made& made, const std::string& note)
{
    FabricFlow flow = made.flow;
    flow.startPs = FabricTime::ToPs(Simulator::Now());
    const uint32_t index = Append(flow, made.order);
    const auto place = std::upper_bound(m_starts.begin(), m_starts.end(), flow.startPs);
    m_starts.insert(place, flow.startPs);
    m_totalBytes += flow.sizeBytes;
    ++m_nTriggered;
    if (made.write)
    {
        OutgoingMessage message;
        message.bytes = flow.sizeBytes;
        message.tag = index;
        message.write = true;
        message.remoteAddress = made.remoteAddress;
        message.queuePair = made.queuePair;
        m_fabric->GetNic(flow.src)->GetMessages().SendMatched(flow.dst, message, flow.priority);
    }
    else
    {
        Send(index, made.queuePair);
    }
    if (m_links && !m_fabric->IsHere(flow.dst))
    {
        std::string text;
        WritePlain(text, index);
        WritePlain(text, flow);
        WritePlain(text, made.order);
        WritePlain(text, made.write);
        WritePlainText(text, note);
        m_links->Tell(flow.dst, RankNotes::Topic::FLOW, text);
    }
    return index;
}

void
FlowRecorder::ReceiveNote(const std::string& note)
{
    std::size_t at = 0;
    const auto tag = TakePlain<uint32_t>(note, at);
    const auto flow = TakePlain<FabricFlow>(note, at);
    const auto order = TakePlain<FlowOrder>(note, at);
    const auto write = TakePlain<bool>(note, at);
    const uint32_t index = Append(flow, order);
    m_foreign.emplace((uint64_t{flow.src} << 32) | tag, index);
    if (!write && m_onBegunElsewhere)
    {
        m_onBegunElsewhere(flow);
    }
    m_source->OnBegunElsewhere(index, TakePlainText(note, at));
}

uint32_t
FlowRecorder::Find(uint32_t src, uint32_t tag) const
{
    return tag < m_nGiven || !m_links || m_fabric->IsHere(src)
               ? tag
               : m_foreign.at((uint64_t{src} << 32) | tag);
}

void
FlowRecorder::OnSourceFinished()
{
    if (!m_hasFinished)
    {
        m_hasFinished = true;
        m_lastEndPs = FabricTime::ToPs(Simulator::Now());
    }
    StopIfComplete();
}

void
FlowRecorder::Send(uint32_t flow, uint32_t queuePair)
{
    const FabricFlow& f = m_flows[flow];
    const uint64_t bytes = std::min(f.sizeBytes, ENDLESS_MESSAGE_BYTES);
    FabricMessages& messages = m_fabric->GetNic(f.src)->GetMessages();
    messages.SendAt(f.startPs, f.dst, bytes, flow, f.priority, queuePair);
}

void
FlowRecorder::ScheduleDue()
{
    // What happens in a node at this time is in the simulator's list already, for nothing crosses a
    // link in no time: this event comes after all of it, whatever the order among the nodes.
    if (!m_due.empty() && m_startDue.IsExpired())
    {
        m_startDue = Simulator::ScheduleNow(&FlowRecorder::StartDue, this);
    }
}

void
FlowRecorder::StartDue()
{
    const int64_t nowPs = FabricTime::ToPs(Simulator::Now());
    std::sort(m_due.begin(), m_due.end());
    const auto place = std::upper_bound(m_starts.begin(), m_starts.end(), nowPs);
    m_starts.insert(place, m_due.size(), nowPs);
    for (const uint32_t flow : m_due)
    {
        m_flows[flow].startPs = nowPs;
        Send(flow);
    }
    m_nTriggered += m_due.size();
    m_dueTimesPs.push_back(nowPs);
    m_due.clear();
}

void
FlowRecorder::OnDelivered(const FabricMessageEvent& event)
{
    const uint32_t flow = Find(event.src, event.tag);
    FlowRecord& record = m_records.at(flow);
    record.fctPs = event.nowPs - m_flows[flow].startPs;
    record.reordered = event.reordered;
    m_triggerState.Received(flow, m_due);
    ScheduleDue();
    CheckComplete(record);
    if (!m_foreign.empty())
    {
        m_foreign.erase((uint64_t{event.src} << 32) | event.tag);
    }
    if (m_source)
    {
        m_source->OnArrived(flow); // may begin flows
    }
}

void
FlowRecorder::OnCompleted(const FabricMessageEvent& event)
{
    FlowRecord& record = m_records.at(event.tag);
    record.senderFctPs = event.nowPs - m_flows[event.tag].startPs;
    record.packetsSent = event.packetsSent;
    record.retransmitted = event.retransmitted;
    record.reductions = event.reductions;
    m_triggerState.Sent(event.tag, m_due);
    ScheduleDue();
    CheckComplete(record);
    if (m_source)
    {
        m_source->OnAcknowledged(event.tag);
    }
}

void
FlowRecorder::CollectOpen()
{
    for (const uint32_t host : m_fabric->GetHosts())
    {
        for (const SendingPdc* pdc : m_fabric->GetNic(host)->GetSendingPdcs().GetBusy())
        {
            for (const FabricMessageEvent& message : pdc->GetOpenMessages())
            {
                FlowRecord& record = m_records.at(message.tag);
                record.packetsSent = message.packetsSent;
                record.retransmitted = message.retransmitted;
                record.reductions = message.reductions;
            }
        }
    }
}

void
FlowRecorder::CheckComplete(const FlowRecord& record)
{
    m_nCompleted += record.IsComplete() ? 1 : 0;
    ++m_nClosedEnds;
    --m_nOpenEnds;
    m_lastEndPs = FabricTime::ToPs(Simulator::Now());
    StopIfComplete();
}

uint32_t
FlowRecorder::CountEnds(const FabricFlow& flow) const
{
    return (m_fabric->IsHere(flow.src) ? 1 : 0) + (m_fabric->IsHere(flow.dst) ? 1 : 0);
}

std::string
FlowRecorder::PackEnds() const
{
    std::string bytes;
    WritePlain(bytes, m_nOpenEnds);
    for (const uint64_t delivered : m_groupBytes)
    {
        WritePlain(bytes, delivered);
    }
    WritePlain(bytes, m_dueTimesPs.size());
    for (const int64_t timePs : m_dueTimesPs)
    {
        WritePlain(bytes, timePs);
    }
    PackMade(bytes);
    for (uint32_t i = 0; i < m_nGiven; ++i)
    {
        if (CountEnds(m_flows[i]) > 0)
        {
            WritePlain(bytes, i);
            WritePlain(bytes, m_flows[i].startPs);
            WritePlain(bytes, m_records[i]);
        }
    }
    return bytes;
}

void
FlowRecorder::PackMade(std::string& bytes) const
{
    WritePlain(bytes, m_orders.size());
    for (std::size_t i = 0; i < m_orders.size(); ++i)
    {
        WritePlain(bytes, m_orders[i]);
        WritePlain(bytes, m_flows[m_nGiven + i]);
        WritePlain(bytes, m_records[m_nGiven + i]);
    }
}

void
FlowRecorder::JoinMade(const std::string& bytes, std::size_t& at)
{
    struct Known
    {
        FlowOrder order;
        FabricFlow flow;
        FlowRecord record;
    };

    std::vector<Known> all;
    for (std::size_t i = 0; i < m_orders.size(); ++i)
    {
        all.push_back({m_orders[i], m_flows[m_nGiven + i], m_records[m_nGiven + i]});
    }
    for (auto left = TakePlain<std::size_t>(bytes, at); left > 0; --left)
    {
        Known known;
        ReadPlain(bytes, at, known.order);
        ReadPlain(bytes, at, known.flow);
        ReadPlain(bytes, at, known.record);
        all.push_back(known);
    }
    std::stable_sort(all.begin(), all.end(), [](const Known& a, const Known& b) {
        return a.order < b.order;
    });
    for (std::size_t i = m_nGiven; i < m_flows.size(); ++i)
    {
        m_nCompleted -= m_records[i].IsComplete() ? 1 : 0;
    }
    m_orders.clear();
    m_flows.resize(m_nGiven);
    m_records.resize(m_nGiven);
    for (const Known& known : all)
    {
        if (!m_orders.empty() && m_orders.back() == known.order)
        {
            m_records.back().Join(known.record); // the other end of the same flow
            continue;
        }
        m_orders.push_back(known.order);
        m_flows.push_back(known.flow);
        m_records.push_back(known.record);
    }
    m_starts.clear();
    m_totalBytes = 0;
    for (std::size_t i = 0; i < m_flows.size(); ++i)
    {
        m_totalBytes += m_flows[i].sizeBytes == FabricFlow::ENDLESS ? 0 : m_flows[i].sizeBytes;
        if (m_flows[i].startPs != FabricFlow::ON_TRIGGER)
        {
            m_starts.push_back(m_flows[i].startPs);
        }
        m_nCompleted += i >= m_nGiven && m_records[i].IsComplete() ? 1 : 0;
    }
}

void
FlowRecorder::Join(const std::string& bytes)
{
    std::size_t at = 0;
    m_nOpenEnds += TakePlain<uint64_t>(bytes, at);
    for (uint64_t& delivered : m_groupBytes)
    {
        delivered += TakePlain<uint64_t>(bytes, at);
    }
    std::vector<int64_t> dueTimesPs(TakePlain<std::size_t>(bytes, at));
    for (int64_t& timePs : dueTimesPs)
    {
        ReadPlain(bytes, at, timePs);
    }
    std::vector<int64_t> all;
    std::set_union(m_dueTimesPs.begin(),
                   m_dueTimesPs.end(),
                   dueTimesPs.begin(),
                   dueTimesPs.end(),
                   std::back_inserter(all));
    m_nRepeatedStarts += m_dueTimesPs.size() + dueTimesPs.size() - all.size();
    m_dueTimesPs = std::move(all);
    JoinMade(bytes, at);
    while (at < bytes.size())
    {
        const auto flow = TakePlain<uint32_t>(bytes, at);
        const auto startPs = TakePlain<int64_t>(bytes, at);
        JoinFlow(flow, startPs, TakePlain<FlowRecord>(bytes, at));
    }
    std::sort(m_starts.begin(), m_starts.end());
}

void
FlowRecorder::JoinFlow(uint32_t flow, int64_t startPs, const FlowRecord& there)
{
    FlowRecord& here = m_records.at(flow);
    const bool was = here.IsComplete();
    // each end is known in one place, and empty in others; where a flow arrives its start is not
    // known if a trigger has started it elsewhere
    const int64_t startHerePs = m_flows[flow].startPs;
    const int64_t arrivalPs = std::max(here.fctPs < 0 ? -1 : startHerePs + here.fctPs,
                                       there.fctPs < 0 ? -1 : startPs + there.fctPs);
    if (startHerePs == FabricFlow::ON_TRIGGER && startPs != FabricFlow::ON_TRIGGER)
    {
        m_flows[flow].startPs = startPs;
        m_starts.push_back(startPs);
    }
    here.Join(there);
    here.fctPs = arrivalPs < 0 ? -1 : arrivalPs - m_flows[flow].startPs;
    m_nCompleted += here.IsComplete() && !was ? 1 : 0;
}

void
FlowRecorder::StopIfComplete()
{
    if (m_stopWhenComplete && m_nEndless == 0 && IsComplete())
    {
        m_stop.Request();
    }
}

uint32_t
FlowRecorder::GetNStarted(int64_t nowPs) const
{
    return static_cast<uint32_t>(std::upper_bound(m_starts.begin(), m_starts.end(), nowPs) -
                                 m_starts.begin());
}

int64_t
FlowRecorder::GetNextStartPs(int64_t nowPs) const
{
    const auto next = std::upper_bound(m_starts.begin(), m_starts.end(), nowPs);
    const int64_t sourcePs = m_source ? m_source->GetNextPs() : FabricTime::NEVER;
    return next == m_starts.end() ? sourcePs : std::min(*next, sourcePs);
}

int64_t
FlowRecorder::GetIdealFctPs(uint32_t flow) const
{
    const FabricFlow& f = m_flows.at(flow);
    return m_fabric->GetIdealFctPs(f.src, f.dst, f.sizeBytes, f.priority);
}

double
FlowRecorder::GetSlowdown(uint32_t flow) const
{
    const int64_t fctPs = m_records.at(flow).fctPs;
    const int64_t idealPs = fctPs < 0 ? -1 : GetIdealFctPs(flow);
    return idealPs < 0 ? -1 : static_cast<double>(fctPs) / static_cast<double>(idealPs);
}

void
FlowRecorder::WriteCsv(const std::string& path) const
{
    ResultFile file(path);
    std::string& text = file.Text();
    text += "flow,src,dst,size_bytes,start_ns,fct_ns,sender_fct_ns,ideal_fct_ns,slowdown,"
            "packets_sent,packets_retransmitted,reordered";
    text += m_groups.empty() ? "" : ",group,cc_reductions";
    file.EndLine();
    const auto column = [&text](uint64_t value) {
        text += ',';
        text += std::to_string(value);
    };
    const auto time = [&text](int64_t timePs) {
        text += ',';
        if (timePs >= 0)
        {
            AppendNanoseconds(text, timePs);
        }
    };
    for (uint32_t i = 0; i < m_flows.size(); ++i)
    {
        const FabricFlow& flow = m_flows[i];
        const FlowRecord& record = m_records[i];
        const bool endless = flow.sizeBytes == FabricFlow::ENDLESS;
        const int64_t idealPs = endless ? -1 : GetIdealFctPs(i);
        text += std::to_string(i);
        column(flow.src);
        column(flow.dst);
        column(endless ? 0 : flow.sizeBytes);
        time(flow.startPs);
        time(record.fctPs);
        time(record.senderFctPs);
        time(idealPs < IdealTimeProvider::BEYOND_PS ? idealPs : -1);
        text += ',';
        if (record.fctPs >= 0 && idealPs >= 0)
        {
            char slowdown[32];
            std::snprintf(slowdown,
                          sizeof(slowdown),
                          "%.6f",
                          static_cast<double>(record.fctPs) / static_cast<double>(idealPs));
            text += slowdown;
        }
        column(record.packetsSent);
        column(record.retransmitted);
        column(record.reordered);
        if (!m_groups.empty())
        {
            text += ',' + m_groups[flow.group];
            column(record.reductions);
        }
        file.EndLine();
    }
    file.Commit();
}

} // namespace ns3
