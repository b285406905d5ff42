// SPDX-License-Identifier: GPL-2.0-only
#ifndef SIM_MESSAGES_H
#define SIM_MESSAGES_H

#include "sim-options.h"

#include "ns3/fabric-helper.h"
#include "ns3/receive-poster.h"

#include <vector>

namespace ns3
{

/**
 * @brief Have messages matched as --messages, --match-table and --post-delay say.
 * @param helper to be told
 * @param options of the program
 * @param used classes that are chosen are added
 * @return what posts the receives; null if messages are not matched
 * @throws FabricError for unknown values, and for options that would have no effect
 */
Ptr<ReceivePoster> ConfigureSimMessages(FabricHelper& helper,
                                        const SimOptions& options,
                                        std::vector<TypeId>& used);

} // namespace ns3

#endif /* SIM_MESSAGES_H */
