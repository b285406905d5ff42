// SPDX-License-Identifier: GPL-2.0-only
#include "scenario-export.h"

#include "ns3/entropy-file.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-spec.h"
#include "ns3/fabric-warning.h"
#include "ns3/hpcc-fct-file.h"
#include "ns3/parse-units.h"
#include "ns3/rank-world.h"

namespace ns3
{

namespace
{

/// An extra format.
struct ExportFormat
{
    const char* name;                                       //!< on the command line
    const char* help;                                       //!< for users
    const char* file;                                       //!< name of the file
    void (*write)(const FlowRecorder&, const std::string&); //!< writes it
    bool ofHosts; //!< of which each process knows its own only
};

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

constexpr ExportFormat EXPORT_FORMATS[] = {
    {"hpcc-fct", "``fct.txt`` of the public HPCC simulator", "fct.txt", &WriteHpccFctFile, false},
    {"entropies",
     "``entropies.txt`` of recurrent connections, for ``--ns3::EntropyFile::From`` of the next run",
     "entropies.txt",
     &WriteEntropies,
     true},
};

} // namespace

std::vector<ScenarioValue>
ListScenarioExports(const std::string& /* option */)
{
    return ListScenarioEntries(EXPORT_FORMATS);
}

std::vector<std::string>
ListScenarioExportFiles()
{
    std::vector<std::string> files;
    for (const ExportFormat& format : EXPORT_FORMATS)
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
        const ExportFormat& format =
            FindFabricName(EXPORT_FORMATS, name, FabricTerm::Option("export"));
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
        const ExportFormat& format =
            FindFabricName(EXPORT_FORMATS, name, FabricTerm::Option("export"));
        format.write(recorder, folder + "/" + format.file);
    }
}

} // namespace ns3
