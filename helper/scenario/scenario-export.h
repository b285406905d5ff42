// SPDX-License-Identifier: GPL-2.0-only
#ifndef SCENARIO_EXPORT_H
#define SCENARIO_EXPORT_H

#include "scenario-options.h"
#include "scenario-value.h"

#include "ns3/flow-recorder.h"
#include "ns3/named-table.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief An extra format of results.
 */
struct ScenarioExport
{
    std::string name;                                       //!< on the command line
    const char* help;                                       //!< for users
    const char* file;                                       //!< name of the file
    void (*write)(const FlowRecorder&, const std::string&); //!< writes it to a path
    bool ofHosts{false}; //!< of which each process knows its own only
};

/**
 * @ingroup dcfabric
 * @return all extra formats
 */
NamedTable<ScenarioExport>& GetScenarioExportTable();

/**
 * @ingroup dcfabric
 * @brief Refuse unknown formats.
 * @param options of the run
 * @throws FabricError for an unknown one
 */
void CheckScenarioExport(const ScenarioOptions& options);

/**
 * @ingroup dcfabric
 * @brief Write the extra formats that the user asked for.
 * @param options of the run
 * @param recorder of the flows
 * @param folder for the files, which exists
 */
void ExportScenarioResults(const ScenarioOptions& options,
                           const FlowRecorder& recorder,
                           const std::string& folder);

/**
 * @ingroup dcfabric
 * @param option `export`
 * @return all formats
 */
std::vector<ScenarioValue> ListScenarioExports(const std::string& option);

/**
 * @ingroup dcfabric
 * @return names of the files of all formats
 */
std::vector<std::string> ListScenarioExportFiles();

} // namespace ns3

#endif /* SCENARIO_EXPORT_H */
