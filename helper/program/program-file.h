// SPDX-License-Identifier: GPL-2.0-only
#ifndef PROGRAM_FILE_H
#define PROGRAM_FILE_H

#include "rank-job.h"

#include <string>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Read the programs of ranks from a text file; its grammar is in doc/programs.rst.
 * @param path file to read
 * @return the job
 * @throws FabricError with file and line for what cannot be understood
 */
RankJob ReadProgramFile(const std::string& path);

} // namespace ns3

#endif /* PROGRAM_FILE_H */
