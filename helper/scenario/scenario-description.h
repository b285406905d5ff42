// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief What programs may ask of scenarios, as JSON: all options with what they take, all classes
 * with their attributes, and the files that a run reads (doc/describe.rst).
 */
#ifndef SCENARIO_DESCRIPTION_H
#define SCENARIO_DESCRIPTION_H

#include "scenario-options.h"
#include "scenario-schema.h"

#include "ns3/fabric-text.h"
#include "ns3/json-writer.h"

#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Write an object with options, classes and input files.
 * @param json gets the object
 * @param options of a run: for its input files; defaults of attributes are those of the process
 * @param schema options to be described: GetScenarioSchema(), and those of a program
 * @param speaker names options in headings
 * @throws FabricError for a topology or workload that is refused
 */
void DescribeScenario(JsonWriter& json,
                      const ScenarioOptions& options,
                      const std::vector<ScenarioOption>& schema,
                      const FabricSpeaker& speaker = FabricSpeaker());

/**
 * @ingroup dcfabric
 * @brief Write an object with the input files only.
 * @param json gets the object
 * @param options of a run
 * @throws FabricError for a topology or workload that is refused
 */
void DescribeScenarioInputs(JsonWriter& json, const ScenarioOptions& options);

} // namespace ns3

#endif /* SCENARIO_DESCRIPTION_H */
