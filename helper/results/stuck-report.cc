// SPDX-License-Identifier: GPL-2.0-only
#include "stuck-report.h"

#include "fabric-sampler.h"

#include "ns3/queue-disc.h"

#include <vector>

namespace ns3
{

namespace
{

/// @brief Append a heading and some lines. @param text where to @param title heading @param lines
/// all @param maxLines how many at most
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

/// @return node and port in words @param graph plan @param port the port
std::string
NamePort(const FabricGraph& graph, const FabricNetDevice& port)
{
    const uint32_t node = port.GetActor()->GetAddress();
    return "node " + std::to_string(node) + " (" + graph.GetName(node) + ") port " +
           std::to_string(port.GetPort());
}

/// @return the classes in a bit mask @param mask bit mask
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

/// @return what a flow waits for @param recorder of the flows @param flow its number
std::string
DescribeFlow(const FlowRecorder& recorder, uint32_t flow)
{
    const FabricFlow& f = recorder.GetFlows()[flow];
    std::string text = "flow " + std::to_string(flow) + " from " + std::to_string(f.src) + " to " +
                       std::to_string(f.dst) + ", " + std::to_string(f.sizeBytes) + " bytes: ";
    if (recorder.GetRecords()[flow].fctPs >= 0)
    {
        return text + "arrived, but the sender does not know";
    }
    if (f.startPs == FabricFlow::ON_TRIGGER)
    {
        return text + "waits for the flows that start it";
    }
    for (const SendingPdc* pdc : recorder.GetFabric()->GetNic(f.src)->GetSendingPdcs())
    {
        if (pdc->GetTag() == flow)
        {
            return text + std::to_string(pdc->GetAckedBytes()) + " bytes acknowledged, " +
                   std::to_string(pdc->GetInFlightBytes()) + " on their way, " +
                   std::to_string(pdc->GetNRetransmitted()) + " packets sent again, " +
                   std::to_string(pdc->GetNTimeouts()) + " time-outs";
        }
    }
    return text + "no PDC is sending it";
}

} // namespace

std::string
DescribeStuckFabric(const FlowRecorder& recorder, std::size_t maxLines)
{
    const Ptr<Fabric> fabric = recorder.GetFabric();
    const FabricGraph& graph = fabric->GetGraph();
    std::vector<std::string> flows;
    for (uint32_t i = 0; i < recorder.GetRecords().size(); ++i)
    {
        if (!recorder.GetRecords()[i].IsComplete())
        {
            flows.push_back(DescribeFlow(recorder, i));
        }
    }
    std::vector<std::string> packets;
    std::vector<std::string> pauses;
    for (const FabricNetDevice* port : GetFabricPorts(*fabric))
    {
        const uint32_t waiting = port->GetQueueDisc()->GetNPackets();
        if (waiting > 0)
        {
            packets.push_back(NamePort(graph, *port) + ": " + std::to_string(waiting) +
                              " packets, " + std::to_string(port->GetQueueBytes()) +
                              " bytes towards " + NamePort(graph, *port->GetPeer()));
        }
        if (port->GetPausedClasses() != 0)
        {
            pauses.push_back(NamePort(graph, *port) + ": class " +
                             NameClasses(port->GetPausedClasses()) + " paused by " +
                             NamePort(graph, *port->GetPeer()));
        }
    }
    std::string text;
    AppendSection(text, "flows that are not complete", flows, maxLines);
    AppendSection(text, "queues that hold packets", packets, maxLines);
    AppendSection(text, "ports that are paused", pauses, maxLines);
    return text;
}

} // namespace ns3
