// SPDX-License-Identifier: GPL-2.0-only
#include "scenario-violations.h"

namespace ns3
{

std::vector<std::string>
FindScenarioViolations(const RunSummary& summary,
                       const Fabric& fabric,
                       const Fabric::Conservation& where,
                       bool lossless)
{
    std::vector<std::string> found;
    if (lossless && summary.totals.lossInFabric > 0)
    {
        std::string text = "the lossless fabric lost packets: ";
        for (uint32_t node = 0; node < fabric.GetGraph().GetNNodes(); ++node)
        {
            if (!fabric.GetGraph().IsHost(node))
            {
                for (const auto& [reason, count] : fabric.GetSwitch(node)->GetDrops())
                {
                    text += "\n  node " + std::to_string(node) + " (" +
                            fabric.GetGraph().GetName(node) + "): " + std::to_string(count) + " " +
                            ToText(reason);
                }
            }
        }
        found.push_back(text);
    }
    if (!where.Holds())
    {
        found.push_back("packets are missing: " + std::to_string(where.created) + " sent, but " +
                        std::to_string(where.consumed) + " handled, " +
                        std::to_string(where.dropped) + " dropped and " +
                        std::to_string(where.inFlight) + " on their way");
    }
    return found;
}

} // namespace ns3
