// SPDX-License-Identifier: GPL-2.0-only
#ifndef SCENARIO_MESSAGES_H
#define SCENARIO_MESSAGES_H

#include "scenario-options.h"

#include "ns3/fabric-helper.h"
#include "ns3/receive-poster.h"

#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Have messages matched as `messages`, `match-table` and `post-delay` say.
 * @param helper to be told
 * @param options of the run
 * @param used classes that are chosen are added
 * @return what posts the receives; null if messages are not matched
 * @throws FabricError for unknown values, and for options that would have no effect
 */
Ptr<ReceivePoster> ConfigureScenarioMessages(FabricHelper& helper,
                                             const ScenarioOptions& options,
                                             std::vector<TypeId>& used);

} // namespace ns3

#endif /* SCENARIO_MESSAGES_H */
