// SPDX-License-Identifier: GPL-2.0-only
#ifndef SIM_REPORT_H
#define SIM_REPORT_H

#include "ns3/run-summary.h"

#include <ostream>
#include <string>

namespace ns3
{

/**
 * @brief Print the results of a run as a table.
 * @param out where to
 * @param summary of the run
 * @param fabric the network
 * @param folder where the files are
 */
void PrintSimReport(std::ostream& out,
                    const RunSummary& summary,
                    const Fabric& fabric,
                    const std::string& folder);

/**
 * @brief Write what std::cout still holds. A pipe that was closed is no error: its reader has read
 * enough.
 * @param what begin of the message, such as "the report"
 * @param more end of the message, such as where results are all the same
 * @throw FabricError if something could not be written, now or before, such as to a full disk
 */
void FlushSimOutput(const std::string& what, const std::string& more = "");

} // namespace ns3

#endif /* SIM_REPORT_H */
