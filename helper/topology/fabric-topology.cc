// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-topology.h"

#include "clos4-topology.h"
#include "dumbbell-topology.h"
#include "fat-tree-topology.h"
#include "file-topology.h"
#include "htsim-topology.h"
#include "leaf-spine-topology.h"

#include "ns3/fabric-spec.h"
#include "ns3/uinteger.h"

#include <utility>
#include <vector>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(FabricTopology);

TypeId
FabricTopology::GetTypeId()
{
    static TypeId tid = TypeId("ns3::FabricTopology").SetParent<Object>().SetGroupName("Dcfabric");
    return tid;
}

FabricTopology::FabricTopology()
{
}

FabricTopology::~FabricTopology()
{
}

namespace
{

Ptr<FabricTopology>
MakeFatTree(FabricSpec& spec)
{
    spec.ExpectKeys({"k"});
    auto topology = CreateObject<FatTreeTopology>();
    topology->SetK(
        static_cast<uint32_t>(spec.GetUint("k", topology->GetK(), 2, FatTreeTopology::MAX_K)));
    return topology;
}

Ptr<FabricTopology>
MakeLeafSpine(FabricSpec& spec)
{
    spec.ExpectKeys({"leaves", "spines", "hosts", "homes"});
    constexpr uint64_t MAX = LeafSpineTopology::MAX_COUNT;
    auto topology = CreateObject<LeafSpineTopology>();
    topology->SetLeaves(
        static_cast<uint32_t>(spec.GetUint("leaves", topology->GetLeaves(), 1, MAX)));
    topology->SetSpines(
        static_cast<uint32_t>(spec.GetUint("spines", topology->GetSpines(), 1, MAX)));
    topology->SetHostsPerLeaf(
        static_cast<uint32_t>(spec.GetUint("hosts", topology->GetHostsPerLeaf(), 1, MAX)));
    topology->SetHomes(static_cast<uint32_t>(spec.GetUint("homes", topology->GetHomes(), 1, MAX)));
    return topology;
}

Ptr<FabricTopology>
MakeDumbbell(FabricSpec& spec)
{
    spec.ExpectKeys({"switches", "senders"});
    constexpr uint64_t MAX = DumbbellTopology::MAX_COUNT;
    auto topology = CreateObject<DumbbellTopology>();
    topology->SetSwitches(
        static_cast<uint32_t>(spec.GetUint("switches", topology->GetSwitches(), 1, MAX)));
    topology->SetSenders(
        static_cast<uint32_t>(spec.GetUint("senders", topology->GetSenders(), 1, MAX)));
    return topology;
}

Ptr<FabricTopology>
MakeClos4(FabricSpec& spec)
{
    constexpr std::pair<const char*, const char*> KEYS[] = {{"racks", "Racks"},
                                                            {"hosts", "HostsPerL1"},
                                                            {"l1", "L1"},
                                                            {"l2", "L2"},
                                                            {"switching-racks", "SwitchingRacks"},
                                                            {"l3", "L3"},
                                                            {"l4", "L4"}};
    std::vector<std::string> known;
    for (const auto& [key, attribute] : KEYS)
    {
        known.emplace_back(key);
    }
    spec.ExpectKeys(known);
    auto topology = CreateObject<Clos4Topology>();
    for (const auto& [key, attribute] : KEYS)
    {
        if (spec.Has(key))
        {
            topology->SetAttribute(
                attribute,
                UintegerValue(spec.GetUint(key, 1, 1, Clos4Topology::MAX_COUNT)));
        }
    }
    return topology;
}

/**
 * @tparam T descendant of PathTopology
 * @param spec its path
 * @return the topology in a file
 */
template <typename T>
Ptr<FabricTopology>
MakeFromFile(FabricSpec& spec)
{
    auto topology = CreateObject<T>();
    topology->SetPath(spec.GetArgument("PATH"));
    return topology;
}

/// One known name.
struct TopologyMaker
{
    const char* name;                         //!< as written before the colon
    Ptr<FabricTopology> (*make)(FabricSpec&); //!< builds it from the rest
};

constexpr TopologyMaker TOPOLOGY_MAKERS[] = {
    {"fat-tree", &MakeFatTree},
    {"leaf-spine", &MakeLeafSpine},
    {"dumbbell", &MakeDumbbell},
    {"clos4", &MakeClos4},
    {"file", &MakeFromFile<FileTopology>},
    {"topo", &MakeFromFile<HtsimTopology>},
};

} // namespace

Ptr<FabricTopology>
MakeFabricTopology(const std::string& text, const FabricTopologyOptions& options)
{
    FabricSpec spec(text, "topology");
    std::vector<std::string> known;
    for (const auto& maker : TOPOLOGY_MAKERS)
    {
        if (spec.GetName() == maker.name)
        {
            Ptr<FabricTopology> topology = maker.make(spec);
            topology->Configure(options);
            return topology;
        }
        known.emplace_back(maker.name);
    }
    spec.RefuseName(known);
}

} // namespace ns3
