// SPDX-License-Identifier: GPL-2.0-only
#ifndef SIM_RANKS_H
#define SIM_RANKS_H

#include <string>

namespace ns3
{

/**
 * @brief Find the other ranks, if mpiexec has started several; only rank 0 says anything.
 * @param argc of main()
 * @param argv of main()
 * @throws FabricError as RankWorld::Begin()
 */
void BeginSimRanks(int* argc, char*** argv);

/**
 * @brief Say why the run ends early, and end it on all ranks.
 * @param reason why
 * @param status exit status
 * @return the exit status
 */
int EndSimRanks(const std::string& reason, int status);

} // namespace ns3

#endif /* SIM_RANKS_H */
