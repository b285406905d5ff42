// SPDX-License-Identifier: GPL-2.0-only
#include "file-topology.h"

#include "hpcc-topology-file.h"

#include "ns3/string.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(FileTopology);

TypeId
FileTopology::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::FileTopology")
            .SetParent<PathTopology>()
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

std::string
FileTopology::GetFormat() const
{
    return "file";
}

std::string
FileTopology::GetPrefix() const
{
    return "file";
}

FabricGraph
FileTopology::Read(const std::string& path) const
{
    return ReadHpccTopology(path);
}

} // namespace ns3
