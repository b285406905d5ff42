// SPDX-License-Identifier: GPL-2.0-only
#include "stuck-report.h"

#include "fabric-sampler.h"

#include "ns3/parse-units.h"
#include "ns3/plain-bytes.h"
#include "ns3/queue-disc.h"

#include <sstream>
#include <vector>

namespace ns3
{

namespace
{

/// Append a heading and some lines.
void
AppendSection(std::string& text,
              const std::string& title,
              const std::vector<std::string>& lines,
              std::size_t maxLines)
{
    if (lines.empty())
    {
        return;
    }
    text += title + " (" + std::to_string(lines.size()) + "):\n";
    for (std::size_t i = 0; i < lines.size() && i < maxLines; ++i)
    {
        text += "  " + lines[i] + "\n";
    }
    if (lines.size() > maxLines)
    {
        text += "  ... and " + std::to_string(lines.size() - maxLines) + " more\n";
    }
}

/// @return node and port in words
std::string
NamePort(const FabricGraph& graph, const FabricNetDevice& port)
{
    const uint32_t node = port.GetActor()->GetAddress();
    return "node " + std::to_string(node) + " (" + graph.GetName(node) + ") port " +
           std::to_string(port.GetPort());
}

/// @return the classes in a bit mask
std::string
NameClasses(uint8_t mask)
{
    std::string text;
    for (int c = 0; c < 8; ++c)
    {
        if ((mask >> c) & 1)
        {
            text += (text.empty() ? "" : ",") + std::to_string(c);
        }
    }
    return text;
}

/// @return where a matched message stands, empty if it is not open
std::string
DescribeMessage(const FabricNic& nic, uint32_t tag)
{
    for (const SendingPdc* pdc : nic.GetSendingPdcs().GetBusy())
    {
        if (!pdc->GetOutgoing())
        {
            continue;
        }
        for (const auto& [key, message] : pdc->GetOutgoing()->Get())
        {
            if (message.tag == tag)
            {
                std::ostringstream text;
                text << "message " << message.msn << " to that host is " << message.state
                     << " after " << FormatFabricCount(message.refusals, "refusal") << ", ";
                return text.str();
            }
        }
    }
    return "";
}

/// @return how many messages and receives are open at a host, empty if none is
std::string
DescribeMatching(const FabricNic& nic)
{
    std::size_t open = 0;
    for (const SendingPdc* pdc : nic.GetSendingPdcs().GetBusy())
    {
        open += pdc->GetOutgoing() ? pdc->GetOutgoing()->Get().size() : 0;
    }
    const MessageMatcher* matcher = nic.GetMessages().GetMatcher();
    const std::size_t receives = matcher ? matcher->GetNReceives() : 0;
    const std::size_t toPost = matcher ? matcher->GetNToPost() : 0;
    if (open + receives + toPost == 0)
    {
        return "";
    }
    return "host " + std::to_string(nic.GetAddress()) + ": " +
           FormatFabricCount(open, "message sent from it") + ", " +
           FormatFabricCount(receives, "receive posted") + ", " + std::to_string(toPost) +
           " to be posted";
}

/// @return how a flow is sent
std::string
DescribeSending(const FlowRecorder& recorder, uint32_t flow)
{
    const FabricFlow& f = recorder.GetFlows()[flow];
    const Ptr<FabricNic> nic = recorder.GetFabric()->GetNic(f.src);
    const std::string message = DescribeMessage(*nic, flow);
    for (const SendingPdc* pdc : nic->GetSendingPdcs().GetBusy())
    {
        if (message.empty() ? pdc->GetRanges().GetTag() == flow : pdc->GetDestination() == f.dst)
        {
            return message + FormatFabricCount(pdc->GetAckedBytes(), "byte acknowledged") + ", " +
                   std::to_string(pdc->GetInFlightBytes()) + " on their way, " +
                   FormatFabricCount(pdc->GetNRetransmitted(), "packet sent again") + ", " +
                   FormatFabricCount(pdc->GetNTimeouts(), "time-out");
        }
    }
    return "no PDC is sending it";
}

/**
 * @param sending how it is sent
 * @return what a flow waits for
 */
std::string
DescribeFlow(const FlowRecorder& recorder, uint32_t flow, const std::string& sending)
{
    const FabricFlow& f = recorder.GetFlows()[flow];
    const std::string text =
        "flow " + std::to_string(flow) + " from " + std::to_string(f.src) + " to " +
        std::to_string(f.dst) + ", " +
        (f.sizeBytes == FabricFlow::ENDLESS ? std::string("without end")
                                            : FormatFabricCount(f.sizeBytes, "byte")) +
        ": ";
    if (recorder.GetRecords()[flow].fctPs >= 0)
    {
        return text + "arrived, but the sender does not know";
    }
    return text +
           (f.startPs == FabricFlow::ON_TRIGGER ? "waits for the flows that start it" : sending);
}

} // namespace

StuckReport::StuckReport(const FlowRecorder& recorder)
{
    const Ptr<Fabric> fabric = recorder.GetFabric();
    const FabricGraph& graph = fabric->GetGraph();
    for (uint32_t i = 0; i < recorder.GetRecords().size(); ++i)
    {
        if (!recorder.GetRecords()[i].IsComplete() && fabric->IsHere(recorder.GetFlows()[i].src))
        {
            m_flows[recorder.GetTable().GetOrder(i)] = DescribeSending(recorder, i);
        }
    }
    for (const uint32_t host : fabric->GetHosts())
    {
        const std::string line =
            fabric->IsHere(host) ? DescribeMatching(*fabric->GetNic(host)) : "";
        if (!line.empty())
        {
            m_lines[MATCHING][host] = line;
        }
    }
    for (const FabricNetDevice* port : GetFabricPorts(*fabric))
    {
        const uint64_t place = (uint64_t{port->GetActor()->GetAddress()} << 16) | port->GetPort();
        const std::string name = NamePort(graph, *port);
        const std::string peer = NamePort(graph, *port->GetLink().GetPeer());
        const uint32_t waiting = port->GetQueue().GetDisc()->GetNPackets();
        if (waiting > 0)
        {
            m_lines[PACKETS][place] = name + ": " + FormatFabricCount(waiting, "packet") + ", " +
                                      FormatFabricCount(port->GetQueue().GetBytes(), "byte") +
                                      " towards " + peer;
        }
        if (!port->IsLinkUp())
        {
            m_lines[DOWN][place] = name + " towards " + peer;
        }
        if (port->GetPausedClasses() != 0)
        {
            m_lines[PAUSED][place] =
                name + ": class " + NameClasses(port->GetPausedClasses()) + " paused by " + peer;
        }
    }
}

std::string
StuckReport::Pack() const
{
    std::string bytes;
    WritePlain(bytes, m_flows.size());
    for (const auto& [order, text] : m_flows)
    {
        WritePlain(bytes, order);
        WritePlainText(bytes, text);
    }
    for (const auto& lines : m_lines)
    {
        WritePlain(bytes, lines.size());
        for (const auto& [place, text] : lines)
        {
            WritePlain(bytes, place);
            WritePlainText(bytes, text);
        }
    }
    return bytes;
}

void
StuckReport::Join(const std::string& bytes)
{
    std::size_t at = 0;
    for (auto left = TakePlain<std::size_t>(bytes, at); left > 0; --left)
    {
        const auto order = TakePlain<FlowOrder>(bytes, at);
        m_flows[order] = TakePlainText(bytes, at);
    }
    for (auto& lines : m_lines)
    {
        for (auto left = TakePlain<std::size_t>(bytes, at); left > 0; --left)
        {
            const auto place = TakePlain<uint64_t>(bytes, at);
            lines[place] = TakePlainText(bytes, at);
        }
    }
}

std::vector<std::string>
StuckReport::GetLines(Section section) const
{
    std::vector<std::string> lines;
    for (const auto& [place, line] : m_lines[section])
    {
        lines.push_back(line);
    }
    return lines;
}

std::string
StuckReport::ToText(const FlowRecorder& recorder, std::size_t maxLines) const
{
    std::vector<std::string> flows;
    for (uint32_t i = 0; i < recorder.GetRecords().size(); ++i)
    {
        if (!recorder.GetRecords()[i].IsComplete())
        {
            const auto sending = m_flows.find(recorder.GetTable().GetOrder(i));
            flows.push_back(
                DescribeFlow(recorder, i, sending == m_flows.end() ? "" : sending->second));
        }
    }
    std::string text;
    AppendSection(text, "flows that are not complete", flows, maxLines);
    if (recorder.GetStarter().GetSource())
    {
        AppendSection(text,
                      recorder.GetStarter().GetSource()->GetWaitingTitle(),
                      recorder.GetStarter().GetSource()->DescribeWaiting(),
                      maxLines);
    }
    AppendSection(text, "hosts with open messages or receives", GetLines(MATCHING), maxLines);
    AppendSection(text, "queues that hold packets", GetLines(PACKETS), maxLines);
    AppendSection(text, "ports whose link is down", GetLines(DOWN), maxLines);
    AppendSection(text, "ports that are paused", GetLines(PAUSED), maxLines);
    return text;
}

std::string
DescribeStuckFabric(const FlowRecorder& recorder, std::size_t maxLines)
{
    return StuckReport(recorder).ToText(recorder, maxLines);
}

} // namespace ns3
