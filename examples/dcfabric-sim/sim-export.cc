// SPDX-License-Identifier: GPL-2.0-only
#include "sim-export.h"

#include "ns3/fabric-spec.h"
#include "ns3/hpcc-fct-file.h"
#include "ns3/parse-units.h"

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
};

constexpr Format FORMATS[] = {
    {"hpcc-fct", "``fct.txt`` of the public HPCC simulator", "fct.txt", &WriteHpccFctFile},
};

} // namespace

std::vector<SimValue>
ListSimExports(const std::string& /* option */)
{
    return ListSimValues(FORMATS);
}

void
CheckSimExport(const SimOptions& options)
{
    for (const auto& name : SplitFabricList(options.Get("export")))
    {
        FindFabricName(FORMATS, name, "--export");
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
