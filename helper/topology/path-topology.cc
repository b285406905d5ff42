// SPDX-License-Identifier: GPL-2.0-only
#include "path-topology.h"

#include "ns3/fabric-error.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(PathTopology);

TypeId
PathTopology::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::PathTopology").SetParent<FabricTopology>().SetGroupName("Dcfabric");
    return tid;
}

PathTopology::PathTopology()
{
}

PathTopology::~PathTopology()
{
}

FabricGraph
PathTopology::BuildGraph() const
{
    if (m_path.empty())
    {
        throw FabricError(GetFormat() + " topology: no path given");
    }
    return Read(m_path);
}

void
PathTopology::Configure(const FabricTopologyOptions& options)
{
    const auto refuse = [this](const std::string& name, const std::string& value) {
        if (!value.empty())
        {
            throw FabricError(name + " '" + value + "' has no effect on topology '" + GetPrefix() +
                              ":" + m_path + "': the file gives every link's rate and delay");
        }
    };
    refuse("rate", options.rate);
    refuse("delay", options.delay);
    refuse("tier-rates", options.tierRates);
    refuse("tier-delays", options.tierDelays);
    refuse("oversubscription", options.oversubscription);
}

void
PathTopology::SetPath(std::string path)
{
    m_path = path;
}

std::string
PathTopology::GetPath() const
{
    return m_path;
}

} // namespace ns3
