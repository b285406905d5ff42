// SPDX-License-Identifier: GPL-2.0-only
#ifndef SIM_ENVIRONMENT_H
#define SIM_ENVIRONMENT_H

namespace ns3
{

/**
 * @brief Have standard input, output and error open, lest a file of the run becomes one of them.
 * What is written to an output that was closed fails.
 */
void OpenSimStreams();

/**
 * @brief Refuse what ns-3 takes from the environment: it would change results, and summary.json
 * would not tell.
 * @throws FabricError if there is such a thing, with the options to write instead
 */
void RefuseSimEnvironment();

} // namespace ns3

#endif /* SIM_ENVIRONMENT_H */
