// SPDX-License-Identifier: GPL-2.0-only
#include "sim-describe.h"

#include "sim-manual.h"

#include "ns3/fabric-spec.h"
#include "ns3/scenario-description.h"

namespace ns3
{

namespace
{

/// What can be described.
struct Description
{
    std::string name; //!< as users write it
    const char* help; //!< for users

    /// Describes it.
    void (*write)(JsonWriter& json, const ScenarioOptions& options, const FabricSpeaker& speaker);
};

const std::vector<Description> g_descriptions = {
    {"json",
     "all options and attributes, columns and figures of results, and ``inputs``",
     [](JsonWriter& json, const ScenarioOptions& options, const FabricSpeaker& speaker) {
         DescribeScenario(json, options, GetSimOptions(), speaker);
     }},
    {"inputs",
     "the files that a run with the other options reads",
     [](JsonWriter& json, const ScenarioOptions& options, const FabricSpeaker& /* speaker */) {
         DescribeScenarioInputs(json, options);
     }},
};

} // namespace

std::vector<ScenarioValue>
ListSimDescriptions(const std::string& /* option */)
{
    return ListScenarioEntries(g_descriptions);
}

void
PrintSimDescription(std::ostream& out,
                    const ScenarioOptions& options,
                    const std::string& form,
                    const FabricSpeaker& speaker)
{
    JsonWriter json;
    FindFabricName(g_descriptions, form, "--describe").write(json, options, speaker);
    out << json.GetText() << "\n";
}

} // namespace ns3
