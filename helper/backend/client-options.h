// SPDX-License-Identifier: GPL-2.0-only
#ifndef CLIENT_OPTIONS_H
#define CLIENT_OPTIONS_H

#include "ns3/scenario-speaker.h"

#include <string>
#include <utility>

/**
 * @file
 * @ingroup dcfabric
 * @brief The options of a client: those of dcfabric-sim, `--ranks` and `--per-host`, which are
 * attributes of ClientWorkload.
 */

namespace ns3
{

/**
 * @ingroup dcfabric
 * @param word `--option=value`, or `--option` where that needs no value
 * @return name and value for FabricScenario::Set()
 * @throws FabricError if it is neither
 */
std::pair<std::string, std::string> ReadClientOption(const std::string& word);

/**
 * @ingroup dcfabric
 * @param workload what a user wrote; may be empty
 * @return the same with a client beside it, unless it names one
 */
std::string AddClient(const std::string& workload);

/**
 * @ingroup dcfabric
 * @brief Names options as a client writes them.
 */
class ClientSpeaker : public ScenarioSpeaker
{
  public:
    using ScenarioSpeaker::ScenarioSpeaker;

    std::string Name(const FabricTerm& term) const override;
};

} // namespace ns3

#endif /* CLIENT_OPTIONS_H */
