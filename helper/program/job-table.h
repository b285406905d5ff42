// SPDX-License-Identifier: GPL-2.0-only
#ifndef JOB_TABLE_H
#define JOB_TABLE_H

#include "job-steps.h"
#include "rank-runner.h"

#include "ns3/flow-recorder.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Write jobs.csv: a row for each job, and for what runs beside them.
 * @param recorder of the flows
 * @param runner of the jobs
 * @param steps of the jobs
 * @param labels by FabricFlow::group; empty: there is one job and nothing else
 * @param path file to write
 * @throws ResultFileError if it cannot be written
 */
void WriteJobTable(const FlowRecorder& recorder,
                   const RankRunner& runner,
                   const JobSteps& steps,
                   const std::vector<std::string>& labels,
                   const std::string& path);

} // namespace ns3

#endif /* JOB_TABLE_H */
