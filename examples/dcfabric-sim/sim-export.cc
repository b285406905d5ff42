// SPDX-License-Identifier: GPL-2.0-only
#include "sim-export.h"

#include "ns3/entropy-file.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-spec.h"
#include "ns3/hpcc-fct-file.h"
#include "ns3/parse-units.h"
#include "ns3/rank-world.h"

#include <iostream>

namespace ns3
{

namespace
{

/// An extra format.
struct Format
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
        std::cerr << "dcfabric-sim: note: --export=entropies: no connection keeps any; use "
                     "--lb=reps --ns3::RepsLoadBalancer::Recurrent=true\n";
    }
}

constexpr Format FORMATS[] = {
    {"hpcc-fct", "``fct.txt`` of the public HPCC simulator", "fct.txt", &WriteHpccFctFile, false},
    {"entropies",
     "``entropies.txt`` of recurrent connections, for ``--ns3::EntropyFile::From`` of the next run",
     "entropies.txt",
     &WriteEntropies,
     true},
};

} // namespace

std::vector<SimValue>
ListSimExports(const std::string& /* option */)
{
    return ListSimEntries(FORMATS);
}

void
CheckSimExport(const SimOptions& options)
{
    for (const auto& name : SplitFabricList(options.Get("export")))
    {
        const Format& format = FindFabricName(FORMATS, name, "--export");
        if (format.ofHosts && RankWorld::GetSize() > 1)
        {
            throw FabricError("--export=" + name +
                              ": each process has those of its own hosts only; run it in one");
        }
    }
}

void
ExportSimResults(const SimOptions& options, const FlowRecorder& recorder, const SimFolder& folder)
{
    for (const auto& name : SplitFabricList(options.Get("export")))
    {
        const Format& format = FindFabricName(FORMATS, name, "--export");
        format.write(recorder, folder.GetPath(format.file));
    }
}

} // namespace ns3
