// SPDX-License-Identifier: GPL-2.0-only
#include "head-starts.h"

#include "whole-network.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-spec.h"
#include "ns3/fabric-time.h"
#include "ns3/parse-units.h"
#include "ns3/scenario-part.h"
#include "ns3/scenario-schema.h"
#include "ns3/simulator-impl.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

namespace ns3
{

namespace
{

/// @return values of the option `head-start`
std::vector<ScenarioValue>
ListHeadStarts(const std::string& /* option */)
{
    return {{"on", "where nothing needs the order of events in different nodes"}, {"off", "never"}};
}

[[maybe_unused]] const bool g_hasHeadStartOption = GetScenarioOptionTable().Add(
    "cores",
    {{"head-start",
      ScenarioOption::Kind::CHOICE,
      "on",
      "whether a node goes on with what others cannot change yet, while it is in the caches of the "
      "processor: results are the same, sooner (:doc:`distributed`)",
      &ListHeadStarts,
      "",
      {},
      ScenarioOption::Role::RUN}});

/// @return true if a flow that ends at one host starts another one elsewhere in no time
bool
HasDistantTriggers(const ScenarioNetwork& network)
{
    return std::any_of(network.triggers.begin(), network.triggers.end(), [&](const auto& trigger) {
        return ListTriggerHosts(trigger, network.flows).size() > 1;
    });
}

} // namespace

void
HeadStarts::Read(const ScenarioNetwork& network, const ScenarioOptions& options)
{
    const std::string& word = options.Get("head-start");
    if (word != "on" && word != "off")
    {
        RefuseFabricName(word, {"on", "off"}, FabricTerm::Option("head-start"));
    }
    const bool logs = std::getenv("NS_LOG"); // lines are to be in the order of time
    // a poster posts receives when their messages start, elsewhere
    m_isPossible = word == "on" && !logs && !network.poster &&
                   !FindWholeNetworkNeed(network, options) && !HasDistantTriggers(network);
}

FabricEngine*
HeadStarts::Find(const ScenarioNetwork& network)
{
    auto* engine = dynamic_cast<FabricEngine*>(PeekPointer(Simulator::GetImplementation()));
    const auto& parts = network.parts;
    if (!m_isPossible || !engine || std::any_of(parts.begin(), parts.end(), [](const auto& part) {
            return part->NeedsOrder();
        }))
    {
        return nullptr;
    }
    int64_t leastPs = FabricTime::NEVER;
    const Fabric& fabric = *network.fabric;
    for (uint32_t node = 0; node < fabric.GetGraph().GetNNodes(); ++node)
    {
        leastPs = std::min(leastPs, fabric.GetActor(node)->FindHeadStart());
    }
    if (leastPs == 0 || leastPs == FabricTime::NEVER)
    {
        return nullptr; // what is sent is there at once, or nothing is sent
    }
    m_leastDelayPs = leastPs;
    return engine;
}

} // namespace ns3
