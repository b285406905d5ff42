// SPDX-License-Identifier: GPL-2.0-only
#ifndef SIM_EXPORT_H
#define SIM_EXPORT_H

#include "sim-folder.h"
#include "sim-manual.h"
#include "sim-options.h"

#include "ns3/flow-recorder.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @brief Refuse unknown formats.
 * @param options of the program
 * @throws FabricError for an unknown one
 */
void CheckSimExport(const SimOptions& options);

/**
 * @brief Write the extra formats that the user asked for.
 * @param options of the program
 * @param recorder of the flows
 * @param folder for the files
 */
void ExportSimResults(const SimOptions& options,
                      const FlowRecorder& recorder,
                      const SimFolder& folder);

/**
 * @param option --export
 * @return all formats
 */
std::vector<SimValue> ListSimExports(const std::string& option);

} // namespace ns3

#endif /* SIM_EXPORT_H */
