// SPDX-License-Identifier: GPL-2.0-only
#include "htsim-topology.h"

#include "htsim-topology-file.h"

#include "ns3/string.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(HtsimTopology);

TypeId
HtsimTopology::GetTypeId()
{
    static TypeId tid = TypeId("ns3::HtsimTopology")
                            .SetParent<PathTopology>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<HtsimTopology>()
                            .AddAttribute("Path",
                                          "Topology file in the format of the htsim simulators.",
                                          StringValue(""),
                                          MakeStringAccessor(&HtsimTopology::m_path),
                                          MakeStringChecker());
    return tid;
}

HtsimTopology::HtsimTopology()
    : PathTopology("topo", "htsim", [](const std::string& path) {
          return ReadHtsimTopology(path).BuildGraph();
      })
{
}

} // namespace ns3
