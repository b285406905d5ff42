// SPDX-License-Identifier: GPL-2.0-only
#include "pcap-recorder.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-spec.h"
#include "ns3/parse-units.h"
#include "ns3/result-file.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdio>
#include <set>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(PcapPorts);

namespace
{

constexpr const char* TEMPORARY = ".tmp";

/// Add all ports of a node.
void
AddPorts(std::set<std::pair<uint32_t, uint16_t>>& ports, const FabricActor& actor)
{
    for (uint16_t port = 0; port < actor.GetNPorts(); ++port)
    {
        ports.emplace(actor.GetAddress(), port);
    }
}

} // namespace

TypeId
PcapPorts::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::PcapPorts")
            .SetParent<Object>()
            .SetGroupName("Dcfabric")
            .AddConstructor<PcapPorts>()
            .AddAttribute("Ports",
                          "Ports to be captured: hosts, switches, all, or a comma list of nodes "
                          "(all their ports) and NODE:PORT.",
                          StringValue("hosts"),
                          MakeStringAccessor(&PcapPorts::m_ports),
                          MakeStringChecker())
            .AddAttribute("MaxFiles",
                          "Maximum number of files, one for each port; more are refused.",
                          UintegerValue(256),
                          MakeUintegerAccessor(&PcapPorts::m_maxFiles),
                          MakeUintegerChecker<uint32_t>(1));
    return tid;
}

std::vector<FabricNetDevice*>
PcapPorts::Find(const Fabric& fabric) const
{
    const std::string where = "ns3::PcapPorts::Ports";
    const uint32_t nNodes = fabric.GetGraph().GetNNodes();
    std::set<std::pair<uint32_t, uint16_t>> ports;
    if (m_ports == "hosts" || m_ports == "switches" || m_ports == "all")
    {
        for (uint32_t node = 0; node < nNodes; ++node)
        {
            if (m_ports == "all" || fabric.GetGraph().IsHost(node) == (m_ports == "hosts"))
            {
                AddPorts(ports, *fabric.GetActor(node));
            }
        }
    }
    else
    {
        for (const std::string& word : SplitFabricList(m_ports))
        {
            const std::size_t colon = word.find(':');
            const auto node = static_cast<uint32_t>(
                ParseFabricUint(word.substr(0, colon), where + ", node", 0, nNodes - 1));
            const FabricActor& actor = *fabric.GetActor(node);
            if (colon == std::string::npos)
            {
                AddPorts(ports, actor);
                continue;
            }
            ports.emplace(node,
                          ParseFabricUint(word.substr(colon + 1),
                                          where + ", port of node " + std::to_string(node),
                                          0,
                                          actor.GetNPorts() - 1U));
        }
    }
    if (ports.empty())
    {
        throw FabricError(where + ": '" + m_ports + "' names no port");
    }
    if (ports.size() > m_maxFiles)
    {
        throw FabricError(where + ": '" + m_ports + "' are " + std::to_string(ports.size()) +
                          " ports, one file each; name fewer, such as "
                          "--ns3::PcapPorts::Ports=0,1, or raise ns3::PcapPorts::MaxFiles, which "
                          "is " +
                          std::to_string(m_maxFiles));
    }
    std::vector<FabricNetDevice*> found;
    for (const auto& [node, port] : ports)
    {
        found.push_back(fabric.GetPort(node, port));
    }
    return found;
}

void
PcapRecorder::Check(const Fabric& fabric)
{
    CreateObject<PcapPorts>()->Find(fabric);
    for (const uint32_t host : fabric.GetHosts())
    {
        FabricPcapFile::CheckWireFormat(*fabric.GetPort(host, 0));
    }
}

PcapRecorder::PcapRecorder(Ptr<Fabric> fabric, const std::string& path)
    : m_fabric(fabric)
{
    Check(*fabric);
    for (FabricNetDevice* port : CreateObject<PcapPorts>()->Find(*fabric))
    {
        const std::string name = path + "-" + std::to_string(port->GetActor()->GetAddress()) + "-" +
                                 std::to_string(port->GetPort()) + ".pcap";
        m_captures.push_back({port, Create<FabricPcapFile>(port, name + TEMPORARY, true), name});
        FabricPcapFile::Connect(m_captures.back().file, port);
    }
}

PcapRecorder::~PcapRecorder()
{
    for (const Capture& capture : m_captures)
    {
        FabricPcapFile::Disconnect(capture.file, capture.port);
        std::remove((capture.path + TEMPORARY).c_str());
    }
}

void
PcapRecorder::Sample(int64_t /* nowPs */)
{
}

void
PcapRecorder::Finish()
{
    for (const Capture& capture : m_captures)
    {
        FabricPcapFile::Disconnect(capture.file, capture.port);
        capture.file->Close();
    }
    for (const Capture& capture : m_captures)
    {
        if (std::rename((capture.path + TEMPORARY).c_str(), capture.path.c_str()) != 0)
        {
            throw ResultFileError("cannot rename the capture file '" + capture.path + TEMPORARY +
                                  "'");
        }
    }
    m_captures.clear();
}

} // namespace ns3
