// SPDX-License-Identifier: GPL-2.0-only
#ifndef STUCK_REPORT_H
#define STUCK_REPORT_H

#include "flow-recorder.h"

#include <string>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Say why nothing moves: which flows are not complete, where packets lie, which ports are
 * paused and by whom.
 * @param recorder of the flows
 * @param maxLines most lines of each kind; what is left out is counted
 * @return lines of text
 */
std::string DescribeStuckFabric(const FlowRecorder& recorder, std::size_t maxLines = 20);

} // namespace ns3

#endif /* STUCK_REPORT_H */
