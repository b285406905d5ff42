// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-topology.h"

#include "ns3/fabric-error.h"
#include "ns3/parse-units.h"

namespace ns3
{

namespace
{

/// @return the topologies of this room
std::vector<FabricForm>
ListTopologyForms()
{
    return {
        {"fat-tree", "ns3::FatTreeTopology", {{"k", "K"}}},
        {"leaf-spine",
         "ns3::LeafSpineTopology",
         {{"leaves", "Leaves"},
          {"spines", "Spines"},
          {"hosts", "HostsPerLeaf"},
          {"homes", "Homes"}},
         "with ``homes=2`` each host has links to two leaves"},
        {"dumbbell", "ns3::DumbbellTopology", {{"switches", "Switches"}, {"senders", "Senders"}}},
        {"clos4",
         "ns3::Clos4Topology",
         {{"racks", "Racks"},
          {"hosts", "HostsPerL1"},
          {"l1", "L1"},
          {"l2", "L2"},
          {"switching-racks", "SwitchingRacks"},
          {"l3", "L3"},
          {"l4", "L4"}},
         "four layers"},
        {"file",
         "ns3::FileTopology",
         {{"PATH", "Path"}},
         "topology file of the HPCC simulator, or of SimAI with GPU servers; hosts may have links "
         "to several planes",
         "PATH",
         &FillFabricArgument},
    };
}

/// Tell those who give a path how topologies of files are written.
void
RefusePath(const std::string& text)
{
    const std::string name = text.substr(0, text.find(':'));
    if (name == "graphml" || name.find_first_of("./") != std::string::npos)
    {
        throw FabricError("unknown topology " + QuoteFabricText(text) + "; a topology file is " +
                          FabricTerm::Option("topology", "file:PATH") +
                          " (doc/howto/own-topology.rst), and GraphML is converted to one first "
                          "(doc/howto/topology-zoo.rst)");
    }
}

} // namespace

NS_OBJECT_ENSURE_REGISTERED(FabricTopology);

TypeId
FabricTopology::GetTypeId()
{
    static TypeId tid = TypeId("ns3::FabricTopology").SetParent<Object>().SetGroupName("Dcfabric");
    return tid;
}

NamedTable<FabricForm>&
GetFabricTopologyTable()
{
    static NamedTable<FabricForm> table(&ListTopologyForms);
    return table;
}

const std::vector<FabricForm>&
GetFabricTopologyForms()
{
    return GetFabricTopologyTable().Get();
}

Ptr<FabricTopology>
MakeFabricTopology(const std::string& text, const FabricTopologyOptions& options)
{
    RefusePath(text);
    const auto topology =
        DynamicCast<FabricTopology>(MakeFabricObject(text, "topology", GetFabricTopologyForms()));
    topology->Configure(options);
    return topology;
}

} // namespace ns3
