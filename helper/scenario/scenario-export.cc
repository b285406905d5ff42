// SPDX-License-Identifier: GPL-2.0-only
#include "scenario-export.h"

#include "ns3/entropy-file.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-spec.h"
#include "ns3/fabric-warning.h"
#include "ns3/parse-units.h"
#include "ns3/rank-world.h"

namespace ns3
{

namespace
{

/// Write the entropies of recurrent connections.
void
WriteEntropies(const FlowRecorder& recorder, const std::string& path)
{
    if (EntropyFile::Write(*recorder.GetFabric(), path) == 0)
    {
        NoteFabric(FabricTerm::Option("export", "entropies") + ": no connection keeps any; use " +
                   FabricTerm::Option("lb", "reps") + " " +
                   FabricTerm::Option("ns3::RepsLoadBalancer::Recurrent", "true"));
    }
}

/// @return the formats of this module's own
std::vector<ScenarioExport>
ListOwnExports()
{
    return {{"entropies",
             "``entropies.txt`` of recurrent connections, for ``--ns3::EntropyFile::From`` of the "
             "next run",
             "entropies.txt",
             &WriteEntropies,
             true}};
}

} // namespace

NamedTable<ScenarioExport>&
GetScenarioExportTable()
{
    static NamedTable<ScenarioExport> table(&ListOwnExports);
    return table;
}

std::vector<ScenarioValue>
ListScenarioExports(const std::string& /* option */)
{
    return ListScenarioEntries(GetScenarioExportTable().Get());
}

std::vector<std::string>
ListScenarioExportFiles()
{
    std::vector<std::string> files;
    for (const ScenarioExport& format : GetScenarioExportTable().Get())
    {
        files.emplace_back(format.file);
    }
    return files;
}

void
CheckScenarioExport(const ScenarioOptions& options)
{
    for (const auto& name : SplitFabricList(options.Get("export")))
    {
        const ScenarioExport& format =
            FindFabricName(GetScenarioExportTable().Get(), name, FabricTerm::Option("export"));
        if (format.ofHosts && RankWorld::GetSize() > 1)
        {
            throw FabricError(FabricTerm::Option("export", name) +
                              ": each process has those of its own hosts only; run it in one");
        }
    }
}

void
ExportScenarioResults(const ScenarioOptions& options,
                      const FlowRecorder& recorder,
                      const std::string& folder)
{
    for (const auto& name : SplitFabricList(options.Get("export")))
    {
        const ScenarioExport& format =
            FindFabricName(GetScenarioExportTable().Get(), name, FabricTerm::Option("export"));
        format.write(recorder, folder + "/" + format.file);
    }
}

} // namespace ns3
