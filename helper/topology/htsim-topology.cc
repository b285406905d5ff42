// SPDX-License-Identifier: GPL-2.0-only
#include "htsim-topology.h"

#include "htsim-topology-file.h"

#include "ns3/fabric-error.h"
#include "ns3/string.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(HtsimTopology);

TypeId
HtsimTopology::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::HtsimTopology")
            .SetParent<FabricTopology>()
            .SetGroupName("Dcfabric")
            .AddConstructor<HtsimTopology>()
            .AddAttribute("Path",
                          "Topology file in the format of the htsim simulators.",
                          StringValue(""),
                          MakeStringAccessor(&HtsimTopology::SetPath, &HtsimTopology::GetPath),
                          MakeStringChecker());
    return tid;
}

HtsimTopology::HtsimTopology()
{
}

HtsimTopology::~HtsimTopology()
{
}

FabricGraph
HtsimTopology::BuildGraph() const
{
    if (m_path.empty())
    {
        throw FabricError("htsim topology: no path given");
    }
    return ReadHtsimTopology(m_path).BuildGraph();
}

void
HtsimTopology::Configure(const FabricTopologyOptions& options)
{
    const auto refuse = [this](const std::string& name, const std::string& value) {
        if (!value.empty())
        {
            throw FabricError(name + " '" + value + "' has no effect on topology 'topo:" + m_path +
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
HtsimTopology::SetPath(std::string path)
{
    m_path = path;
}

std::string
HtsimTopology::GetPath() const
{
    return m_path;
}

} // namespace ns3
