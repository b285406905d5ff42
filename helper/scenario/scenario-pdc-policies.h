// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief Policies of single hosts and PDCs, from the file of the option `policies`.
 */
#ifndef SCENARIO_PDC_POLICIES_H
#define SCENARIO_PDC_POLICIES_H

#include "scenario-options.h"

#include "ns3/fabric-flow.h"
#include "ns3/fabric.h"
#include "ns3/pdc-policy.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief A line of the file.
 */
struct ScenarioPdcPolicy
{
    std::string place;                 //!< file and line, for errors
    std::vector<uint32_t> senders;     //!< host numbers; empty: all
    std::vector<uint32_t> receivers;   //!< host numbers; empty: all
    uint8_t priority;                  //!< class, or PdcPolicies::ANY_CLASS
    PdcPolicy policy;                  //!< types and attributes
    std::vector<std::string> features; //!< classes that the switches need
    std::vector<TypeId> used;          //!< classes that are chosen, and those that they name
};

/**
 * @ingroup dcfabric
 * @brief Read the file that the option `policies` names.
 *
 * Each line has senders, receivers and any of `cc=`, `lb=`, `modifiers=`, `class=` and
 * `ns3::CLASS::ATTRIBUTE=`; what it does not name is as the options say.
 * @param options of the run
 * @return its lines, in order; none without the option
 * @throws FabricError with file and line
 */
std::vector<ScenarioPdcPolicy> ReadScenarioPdcPolicies(const ScenarioOptions& options);

/**
 * @ingroup dcfabric
 * @brief Tell which lines are for no flow.
 * @param policies of ReadScenarioPdcPolicies()
 * @param flows all that will be sent
 */
void NoteIdleScenarioPdcPolicies(const std::vector<ScenarioPdcPolicy>& policies,
                                 const std::vector<FabricFlow>& flows);

/**
 * @ingroup dcfabric
 * @brief Install them.
 * @param fabric the network
 * @param policies of ReadScenarioPdcPolicies()
 * @throws FabricError with file and line
 */
void InstallScenarioPdcPolicies(Ptr<Fabric> fabric, const std::vector<ScenarioPdcPolicy>& policies);

} // namespace ns3

#endif /* SCENARIO_PDC_POLICIES_H */
