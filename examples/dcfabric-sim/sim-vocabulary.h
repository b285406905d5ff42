// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief Messages of the library in the words of the command line.
 */
#ifndef SIM_VOCABULARY_H
#define SIM_VOCABULARY_H

#include "sim-options.h"

#include <string>

namespace ns3
{

/**
 * @brief Name options where the library names classes and attributes of C++.
 *
 * A class that an option chooses becomes that option, with the value that the user gave if there is
 * one: `ns3::PriorityFlowControl` becomes `--flow-control=pfc`. An attribute becomes the option
 * that sets it, with dashes, and so does the name of an option with which a message begins. What
 * stands in quotes or behind dashes is the user's and stays.
 * @param message of a FabricError
 * @param options of the program
 * @return the message for the user of the program
 */
std::string SpeakOfOptions(const std::string& message, const SimOptions& options);

} // namespace ns3

#endif /* SIM_VOCABULARY_H */
