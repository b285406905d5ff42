// SPDX-License-Identifier: GPL-2.0-only
#ifndef SCENARIO_POLICIES_H
#define SCENARIO_POLICIES_H

#include "scenario-options.h"
#include "scenario-value.h"

#include "ns3/named-table.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief A policy as options name it.
 */
struct ScenarioPolicy
{
    using Attributes = std::vector<std::pair<std::string, std::string>>; //!< names and values

    const char* option;         //!< option that chooses it, such as `cc`
    const char* name;           //!< value of the option
    const char* typeId;         //!< class, or `none`
    const char* help{""};       //!< a few words for users, in reStructuredText
    Attributes attributes{};    //!< that the name stands for; over a preset, under what the user
                                //!< gives; what a class needs of others it declares itself
    std::string loadBalancer{}; //!< class at hosts that comes with it; empty: the default
    const char* key{nullptr};   //!< parameter behind a colon, the value of the first attribute
    uint64_t maxValue{0};       //!< largest value of it, from 1 on
};

/**
 * @ingroup dcfabric
 * @return all policies: the one place that knows which name means which class; a new policy is a
 * line of this table, or is added to it behind another one, which is named as `cc=hpcc`
 */
NamedTable<ScenarioPolicy>& GetScenarioPolicyTable();

/**
 * @ingroup dcfabric
 * @return the entries of GetScenarioPolicyTable()
 */
const std::vector<ScenarioPolicy>& GetScenarioPolicies();

/**
 * @ingroup dcfabric
 * @param policy which
 * @return classes of the switch features that a congestion control, modifier or path selector
 * needs, with its attributes as they are by default now; none of another policy
 */
std::vector<std::string> GetScenarioPolicyFeatures(const ScenarioPolicy& policy);

/**
 * @ingroup dcfabric
 * @param option which
 * @return its policies
 */
std::vector<ScenarioValue> ListScenarioPolicies(const std::string& option);

/**
 * @ingroup dcfabric
 * @param option option
 * @param value its text, with or without parameter, or the TypeId of a class
 * @return a policy; of a class the first one with it, else one of its own
 * @throws FabricError for an unknown value, listing the known ones, and for a class that the option
 * does not choose
 */
const ScenarioPolicy& FindScenarioPolicy(const std::string& option, const std::string& value);

/**
 * @ingroup dcfabric
 * @param option which
 * @param type of the class
 * @return the first policy of the option with that class, else one of its own
 * @throws FabricError if the option does not choose among such classes
 */
const ScenarioPolicy& FindScenarioPolicyOf(const std::string& option, TypeId type);

/**
 * @ingroup dcfabric
 * @param options of the run
 * @param option which
 * @param value its text
 * @return ScenarioPolicy::attributes with the parameter that the user gave
 * @throws FabricError for a parameter that is unknown or out of range, or given as an attribute as
 * well
 */
ScenarioPolicy::Attributes GetScenarioPolicyAttributes(const ScenarioOptions& options,
                                                       const std::string& option,
                                                       const std::string& value);

/**
 * @ingroup dcfabric
 * @param value text of `lb`
 * @return class of the load balancer at hosts
 * @throws FabricError for an unknown one
 */
std::string GetScenarioLoadBalancer(const std::string& value);

/**
 * @ingroup dcfabric
 * @param names comma list as for `modifiers`
 * @return classes of modifiers
 * @throws FabricError if one is unknown or named twice
 */
std::vector<std::string> ListScenarioModifiers(const std::string& names);

/**
 * @ingroup dcfabric
 * @param options of the run
 * @return classes of modifiers that are the hosts' half of `coordination`; their needs are the
 * other
 * @throws FabricError if it is unknown
 */
std::vector<std::string> ListScenarioCoordination(const ScenarioOptions& options);

/**
 * @ingroup dcfabric
 * @brief Note a class and those of the objects that its attributes, and theirs, name by default.
 * @param type TypeId name
 * @param used they are added
 * @return the name
 */
std::string UseScenarioClass(const std::string& type, std::vector<TypeId>& used);

} // namespace ns3

#endif /* SCENARIO_POLICIES_H */
