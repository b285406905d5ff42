// SPDX-License-Identifier: GPL-2.0-only
#ifndef DESCRIBE_RESULTS_H
#define DESCRIBE_RESULTS_H

#include "json-writer.h"

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Write what programs have to know of result files to read and draw them, as an object: the
 * columns of flows.csv (FlowColumns), and the columns and figure of each time series
 * (TraceSeriesTable).
 * @param json takes it
 */
void DescribeResults(JsonWriter& json);

} // namespace ns3

#endif /* DESCRIBE_RESULTS_H */
