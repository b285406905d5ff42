// SPDX-License-Identifier: GPL-2.0-only
#ifndef POST_DELAY_H
#define POST_DELAY_H

#include "ns3/random-variable-stream.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Read how long after a message its receive is posted (see ReceivePoster).
 * @param text `none`, `fixed:T`, `uniform:A,B` or `exponential:mean=T`; times with a unit
 * @return what draws the delay in seconds; null for `none`
 * @throws FabricError for anything else
 */
Ptr<RandomVariableStream> MakePostDelay(const std::string& text);

/**
 * @ingroup dcfabric
 * @return all forms of the text, such as `fixed:T`
 */
std::vector<std::string> ListPostDelays();

} // namespace ns3

#endif /* POST_DELAY_H */
