// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief What a scenario names of direct networks.
 */
#include "ns3/fabric-topology.h"
#include "ns3/scenario-policies.h"
#include "ns3/scenario-schema.h"

namespace ns3
{

namespace
{

[[maybe_unused]] const bool g_hasDirectTopologies = GetFabricTopologyTable().Add(
    "clos4",
    {
        {"dragonfly",
         "ns3::DragonflyTopology",
         {{"hosts", "Hosts", false, "p"},
          {"routers", "Routers", false, "a"},
          {"globals", "Globals", false, "h"},
          {"groups", "Groups", false, "g"},
          {"arrangement", "Arrangement"},
          {"rails", "Rails"}},
         "hosts and global links of each of the routers of a group, also as ``p``, ``a``, ``h`` "
         "and "
         "``g`` for the groups; ``groups=0``: as many as fit; "
         "other arrangements of global links are ``relative``, ``palm-tree`` and ``circulant``; "
         "with ``rails=2`` each host has links to two such networks"},
        {"dragonfly-plus",
         "ns3::DragonflyPlusTopology",
         {{"leaves", "Leaves"},
          {"spines", "Spines"},
          {"hosts", "Hosts"},
          {"globals", "Globals"},
          {"groups", "Groups"},
          {"arrangement", "Arrangement"},
          {"rails", "Rails"}},
         "leaves and spines of a group, hosts of a leaf, global links of a spine"},
        {"torus",
         "ns3::TorusTopology",
         {{"dims", "Dims"}, {"hosts", "Hosts"}, {"rails", "Rails"}},
         "rings of any sizes in any number of dimensions"},
        {"hyperx",
         "ns3::HyperXTopology",
         {{"dims", "Dims"},
          {"hosts", "Hosts", false, "t"},
          {"links", "Links", false, "k"},
          {"rails", "Rails"}},
         "a full mesh in each dimension, with so many parallel links; hosts also as ``t``, links "
         "as "
         "``k``"},
    });

[[maybe_unused]] const bool g_hasDirectPolicies = GetScenarioPolicyTable().Add(
    "routing=shortest",
    {
        {"routing",
         "minimal",
         "ns3::DragonflyMinimalRouting",
         "dragonflies: over one link between groups at most"},
        {"routing",
         "valiant",
         "ns3::DragonflyValiantRouting",
         "dragonflies: by way of a third group that is drawn for each packet"},
        {"routing",
         "ugal",
         "ns3::DragonflyUgalRouting",
         "dragonflies: UGAL-L, each packet as under ``minimal`` or ``valiant``, as queues are"},
        {"routing",
         "par",
         "ns3::DragonflyProgressiveRouting",
         "dragonflies: as ``ugal``, and again at the second switch of a group"},
        {"routing",
         "piggyback",
         "ns3::DragonflyPiggybackRouting",
         "dragonflies: as ``ugal``, as links between groups are used, which the switches of a "
         "group tell one another"},
        {"routing",
         "par-piggyback",
         "ns3::DragonflyProgressivePiggybackRouting",
         "dragonflies: the same, and again at the second switch of a group"},
        {"routing",
         "dimension-order",
         "ns3::DimensionOrderRouting",
         "torus and HyperX: one dimension after the other"},
        {"routing",
         "minimal-adaptive",
         "ns3::MinimalAdaptiveRouting",
         "torus and HyperX: of all ways with the fewest hops, as queues are"},
        {"routing",
         "hyperx-valiant",
         "ns3::HyperXValiantRouting",
         "HyperX: by way of another switch that is drawn for each packet"},
        {"routing",
         "hyperx-ugal",
         "ns3::HyperXUgalRouting",
         "HyperX: UGAL-L, each packet as under ``dimension-order`` or ``hyperx-valiant``, as "
         "queues "
         "are"},
        {"routing",
         "hyperx-par",
         "ns3::HyperXProgressiveRouting",
         "HyperX: as ``hyperx-ugal``, and again at the second switch"},
        {"routing",
         "hyperx-piggyback",
         "ns3::HyperXPiggybackRouting",
         "HyperX: as ``hyperx-ugal``, as links are used, which neighbors tell one another"},
        {"routing",
         "hyperx-par-piggyback",
         "ns3::HyperXProgressivePiggybackRouting",
         "HyperX: the same, and again at the second switch"},
    });

[[maybe_unused]] const bool g_hasDirectHelp =
    GetScenarioOptionTable().Change("routing", [](ScenarioOption& option) {
        option.help = "ways on which packets go (:doc:`direct-routing`); without it what the "
                      "topology says: ``minimal`` on dragonflies, ``dimension-order`` on torus and "
                      "HyperX, else ``shortest``";
    });

} // namespace

} // namespace ns3
