// SPDX-License-Identifier: GPL-2.0-only
#include "trace-series.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-pcap-file.h"
#include "ns3/fabric-spec.h"
#include "ns3/node-names.h"
#include "ns3/object.h"
#include "ns3/parse-units.h"
#include "ns3/plain-bytes.h"
#include "ns3/rank-world.h"
#include "ns3/result-file.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdio>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Which ports of a fabric are captured.
 */
class PcapPorts : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @brief Find the ports.
     * @param fabric the network
     * @return ports in the order of nodes and ports, each once
     * @throws FabricError for text that names no port, or more than MaxFiles ports
     */
    std::vector<FabricNetDevice*> Find(const Fabric& fabric) const;

  private:
    std::string m_ports{"hosts"}; //!< attribute Ports
    uint32_t m_maxFiles{256};     //!< attribute MaxFiles
};

/**
 * @ingroup dcfabric
 * @brief A capture file for each port that PcapPorts selects: `PATH-NODE-PORT.pcap`.
 *
 * Of several processes (ranks) of a simulation rank 0 has the files. All have to call Sample() and
 * Finish() together.
 */
class PcapRecorder : public FabricSampler
{
  public:
    /**
     * @brief Begin the files; other ranks than 0 make none.
     * @param start what it is made of
     * @throws FabricError as PcapPorts and FabricPcapFile do
     */
    explicit PcapRecorder(const TraceStart& start);
    ~PcapRecorder() override;
    /**
     * @brief Write what other processes (ranks) have captured: what passes at this one is written
     * then, if it has the files.
     * @param nowPs the present in ps
     */
    void Sample(int64_t nowPs) override;
    /**
     * @brief Complete the files.
     * @param endPs end of the run in ps
     */
    void Finish(int64_t endPs) override;

    /**
     * @brief Refuse what cannot be captured, before any file is touched.
     * @param fabric the network
     */
    static void Check(const Fabric& fabric);

  private:
    /// A port and its capture.
    struct Capture
    {
        Ptr<FabricNetDevice> port;  //!< the port, which may outlive the simulation
        Ptr<FabricCapture> packets; //!< of the port; null: another process simulates it
        Ptr<FabricPcapFile> file;   //!< null at other ranks than 0
        std::string path;           //!< final name of the file
    };

    /// Write what other processes have captured.
    void Join();

    Ptr<Fabric> m_fabric;            //!< network
    std::vector<Capture> m_captures; //!< of all ports
    std::string m_frames;            //!< captured here, and not yet at rank 0
};

NS_OBJECT_ENSURE_REGISTERED(PcapPorts);

namespace
{

constexpr const char* TEMPORARY = ".tmp";

/// Keeps what a port sends and receives for rank 0.
class RankCapture : public FabricCapture
{
  public:
    /**
     * @param device port
     * @param index of the capture
     * @param frames takes them
     */
    RankCapture(const FabricNetDevice* device, uint32_t index, std::string* frames)
        : FabricCapture(device, true),
          m_index(index),
          m_frames(frames)
    {
    }

  private:
    void Take(int64_t nowPs, Ptr<const Packet> frame) override
    {
        const uint32_t size = frame->GetSize();
        std::string& bytes = *m_frames;
        WritePlain(bytes, m_index);
        WritePlain(bytes, nowPs);
        WritePlain(bytes, size);
        bytes.resize(bytes.size() + size);
        frame->CopyData(reinterpret_cast<uint8_t*>(&bytes[bytes.size() - size]), size);
    }

    uint32_t m_index;      //!< of the capture
    std::string* m_frames; //!< of all captures of this process
};

/// @return what there is to say of it
TraceSeries
DescribeCaptures()
{
    TraceSeries series{"pcap",
                       "captures of host ports, or of others by ``--ns3::PcapPorts::Ports``",
                       {},
                       &TraceSeries::Make<PcapRecorder>};
    series.check = &PcapRecorder::Check;
    series.settings = "ns3::PcapPorts";
    return series;
}

const TraceSeries& g_captures = TraceSeriesTable::Add(DescribeCaptures());

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
                          "(all their ports) and NODE:PORT, nodes by number or name.",
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
    const FabricText where = FabricTerm::Attribute("ns3::PcapPorts", "Ports");
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
            const uint32_t node =
                FindFabricNode(fabric.GetGraph(), word.substr(0, colon), where + ": ");
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
                          " ports, one file each; name fewer, such as " +
                          FabricTerm::Attribute("ns3::PcapPorts", "Ports", "0,1") + ", or raise " +
                          FabricTerm::Attribute("ns3::PcapPorts", "MaxFiles") + ", which is " +
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
        FabricCapture::CheckWireFormat(*fabric.GetPort(host, 0));
    }
}

PcapRecorder::PcapRecorder(const TraceStart& start)
    : m_fabric(start.recorder.GetFabric())
{
    Check(*m_fabric);
    const bool leads = RankWorld::GetRank() == 0; // and has the files
    for (FabricNetDevice* port : CreateObject<PcapPorts>()->Find(*m_fabric))
    {
        const uint32_t node = port->GetActor()->GetAddress();
        const std::string name = start.path + "-" + std::to_string(node) + "-" +
                                 std::to_string(port->GetPort()) + ".pcap";
        const auto index = static_cast<uint32_t>(m_captures.size());
        m_captures.push_back({port, nullptr, nullptr, name});
        Capture& capture = m_captures.back();
        if (leads)
        {
            capture.file = Create<FabricPcapFile>(port, name + TEMPORARY, true);
        }
        if (m_fabric->IsHere(node))
        {
            capture.packets = capture.file;
            if (!leads)
            {
                capture.packets = Create<RankCapture>(port, index, &m_frames);
            }
            FabricCapture::Connect(capture.packets, port);
        }
    }
}

PcapRecorder::~PcapRecorder()
{
    for (const Capture& capture : m_captures)
    {
        if (capture.packets)
        {
            FabricCapture::Disconnect(capture.packets, capture.port);
        }
        if (capture.file)
        {
            std::remove((capture.path + TEMPORARY).c_str());
        }
    }
}

void
PcapRecorder::Join()
{
    for (const std::string& frames : RankWorld::Gather(m_frames))
    {
        for (std::size_t at = 0; at < frames.size();)
        {
            const auto index = TakePlain<uint32_t>(frames, at);
            const auto nowPs = TakePlain<int64_t>(frames, at);
            const auto size = TakePlain<uint32_t>(frames, at);
            const auto* begin = reinterpret_cast<const uint8_t*>(frames.data() + at);
            m_captures.at(index).file->Write(nowPs, ns3::Create<Packet>(begin, size));
            at += size;
        }
    }
    m_frames.clear();
}

void
PcapRecorder::Sample(int64_t /* nowPs */)
{
    Join();
}

void
PcapRecorder::Finish(int64_t /* endPs */)
{
    Join();
    for (const Capture& capture : m_captures)
    {
        if (capture.packets)
        {
            FabricCapture::Disconnect(capture.packets, capture.port);
        }
        if (capture.file)
        {
            capture.file->Close();
        }
    }
    for (const Capture& capture : m_captures)
    {
        if (capture.file &&
            std::rename((capture.path + TEMPORARY).c_str(), capture.path.c_str()) != 0)
        {
            throw ResultFileError("cannot rename the capture file '" + capture.path + TEMPORARY +
                                  "'");
        }
    }
    m_captures.clear();
}

} // namespace ns3
