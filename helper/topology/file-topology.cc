// SPDX-License-Identifier: GPL-2.0-only
#include "file-topology.h"

#include "hpcc-topology-file.h"

#include "ns3/fabric-error.h"
#include "ns3/string.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(PathTopology);
NS_OBJECT_ENSURE_REGISTERED(FileTopology);

TypeId
PathTopology::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::PathTopology").SetParent<FabricTopology>().SetGroupName("Dcfabric");
    return tid;
}

PathTopology::PathTopology(const char* prefix,
                           const char* format,
                           FabricGraph (*read)(const std::string& path))
    : m_prefix(prefix),
      m_format(format),
      m_read(read)
{
}

FabricGraph
PathTopology::BuildGraph() const
{
    if (m_path.empty())
    {
        throw FabricError(std::string(m_format) + " topology: no path given");
    }
    return m_read(m_path);
}

void
PathTopology::Configure(const FabricTopologyOptions& options)
{
    const auto refuse = [this](const std::string& name, const std::string& value) {
        if (!value.empty())
        {
            throw FabricError(FabricTerm::Option(name) + " '" + value + "' has no effect on " +
                              FabricTerm::Option("topology") + " '" + m_prefix + ":" + m_path +
                              "': the file gives every link's rate and delay");
        }
    };
    refuse("rate", options.rate);
    refuse("delay", options.delay);
    refuse("tier-rates", options.tierRates);
    refuse("tier-delays", options.tierDelays);
    refuse("oversubscription", options.oversubscription);
}

TypeId
FileTopology::GetTypeId()
{
    static TypeId tid = TypeId("ns3::FileTopology")
                            .SetParent<PathTopology>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<FileTopology>()
                            .AddAttribute("Path",
                                          "Topology file in the format of the HPCC simulator.",
                                          StringValue(""),
                                          MakeStringAccessor(&FileTopology::m_path),
                                          MakeStringChecker());
    return tid;
}

FileTopology::FileTopology()
    : PathTopology("file", "file", &ReadHpccTopology)
{
}

} // namespace ns3
