// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief What users write for files of other simulators.
 */
#include "hpcc-fct-file.h"
#include "scenario-config.h"

#include "ns3/fabric-spec.h"
#include "ns3/fabric-topology.h"
#include "ns3/fabric-workload-factory.h"
#include "ns3/scenario-export.h"
#include "ns3/scenario-schema.h"
#include "ns3/string.h"

namespace ns3
{

namespace
{

/// PATH,key=value: a comma belongs to the path unless a key follows.
void
FillConnectionMatrix(const FabricForm& form, FabricSpec& spec, Object& object)
{
    const std::string& argument = spec.GetArgument(form.argument);
    const size_t comma = argument.rfind(',');
    const size_t equals = argument.find('=', comma == std::string::npos ? argument.size() : comma);
    object.SetAttribute(
        "Path",
        StringValue(equals == std::string::npos ? argument : argument.substr(0, comma)));
    if (equals != std::string::npos)
    {
        FabricSpec keys("cm:" + argument.substr(comma + 1), "workload");
        FillFabricKeys(form, keys, object);
    }
}

[[maybe_unused]] const bool g_hasForeignTopologies =
    GetFabricTopologyTable().Add("file",
                                 {{"topo",
                                   "ns3::HtsimTopology",
                                   {{"PATH", "Path"}},
                                   "topology file of htsim",
                                   "PATH",
                                   &FillFabricArgument}});

[[maybe_unused]] const bool g_hasForeignWorkloads =
    GetFabricWorkloadTable().Add("flows",
                                 {{"cm",
                                   "ns3::ConnectionMatrixWorkload",
                                   {{"unit", "Unit"}},
                                   "connection matrix of htsim",
                                   "PATH,unit=us",
                                   &FillConnectionMatrix}});

/// @return the option `config`
ScenarioOption
DescribeConfig()
{
    ScenarioOption option{"config",
                          ScenarioOption::Kind::FILE,
                          "",
                          "configuration file (``config.txt``) of the HPCC or ConWeave simulator; "
                          "other options override. See :doc:`migrating`"};
    option.settings = &ReadScenarioConfig;
    return option;
}

[[maybe_unused]] const bool g_hasForeignOptions =
    GetScenarioOptionTable().Add("", {DescribeConfig()});

[[maybe_unused]] const bool g_hasForeignExports = GetScenarioExportTable().Add(
    "",
    {{"hpcc-fct", "``fct.txt`` of the public HPCC simulator", "fct.txt", &WriteHpccFctFile}});

} // namespace

} // namespace ns3
