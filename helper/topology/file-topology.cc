// SPDX-License-Identifier: GPL-2.0-only
#include "file-topology.h"

#include "hpcc-topology-file.h"

#include "ns3/fabric-error.h"
#include "ns3/string.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(FileTopology);

TypeId
FileTopology::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::FileTopology")
            .SetParent<FabricTopology>()
            .SetGroupName("Dcfabric")
            .AddConstructor<FileTopology>()
            .AddAttribute("Path",
                          "Topology file in the format of the HPCC simulator.",
                          StringValue(""),
                          MakeStringAccessor(&FileTopology::SetPath, &FileTopology::GetPath),
                          MakeStringChecker());
    return tid;
}

FileTopology::FileTopology()
{
}

FileTopology::~FileTopology()
{
}

FabricGraph
FileTopology::BuildGraph() const
{
    if (m_path.empty())
    {
        throw FabricError("file topology: no path given");
    }
    return ReadHpccTopology(m_path);
}

void
FileTopology::Configure(const FabricTopologyOptions& options)
{
    const auto refuse = [this](const std::string& name, const std::string& value) {
        if (!value.empty())
        {
            throw FabricError(name + " '" + value + "' has no effect on topology 'file:" + m_path +
                              "': the file gives every link's rate and delay");
        }
    };
    refuse("rate", options.rate);
    refuse("delay", options.delay);
    refuse("tier-rates", options.tierRates);
    refuse("tier-delays", options.tierDelays);
    refuse("oversubscription", options.oversubscription);
}

void
FileTopology::SetPath(std::string path)
{
    m_path = path;
}

std::string
FileTopology::GetPath() const
{
    return m_path;
}

} // namespace ns3
