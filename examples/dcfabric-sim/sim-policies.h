// SPDX-License-Identifier: GPL-2.0-only
#ifndef SIM_POLICIES_H
#define SIM_POLICIES_H

#include "sim-manual.h"
#include "sim-options.h"

#include "ns3/type-id.h"

#include <cstdint>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @brief A policy as the command line names it.
 */
struct SimPolicy
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

/// @return all policies: the one place that knows which name means which class; a new policy is a
/// line of this table
const std::vector<SimPolicy>& GetSimPolicies();

/**
 * @param policy which
 * @return classes of the switch features that a congestion control or modifier needs, with its
 * attributes as they are by default now; none of another policy
 */
std::vector<std::string> GetSimPolicyFeatures(const SimPolicy& policy);

/**
 * @param option which
 * @return its policies
 */
std::vector<SimValue> ListSimPolicies(const std::string& option);

/**
 * @param option option
 * @param value its text, with or without parameter
 * @return a policy
 * @throws FabricError for an unknown value, listing the known ones
 */
const SimPolicy& FindSimPolicy(const std::string& option, const std::string& value);

/**
 * @param option which
 * @param type of the class
 * @return the first policy of the option with that class
 * @throws FabricError if there is none
 */
const SimPolicy& FindSimPolicyOf(const std::string& option, TypeId type);

/**
 * @param options of the program
 * @param option which
 * @param value its text
 * @return SimPolicy::attributes with the parameter that the user gave
 * @throws FabricError for a parameter that is unknown or out of range, or given as an attribute as
 * well
 */
SimPolicy::Attributes GetSimPolicyAttributes(const SimOptions& options,
                                             const std::string& option,
                                             const std::string& value);

/**
 * @param value text of --lb
 * @return class of the load balancer at hosts
 * @throws FabricError for an unknown one
 */
std::string GetSimLoadBalancer(const std::string& value);

/**
 * @param names comma list as for --modifiers
 * @return classes of modifiers
 * @throws FabricError if one is unknown or named twice
 */
std::vector<std::string> ListSimModifiers(const std::string& names);

/**
 * @param options of the program
 * @return classes of modifiers that are the hosts' half of --coordination; their needs are the
 * other
 * @throws FabricError if it is unknown
 */
std::vector<std::string> ListSimCoordination(const SimOptions& options);

/**
 * @brief Note a class and those of the objects that its attributes, and theirs, name by default.
 * @param type TypeId name
 * @param used they are added
 * @return the name
 */
std::string UseSimClass(const std::string& type, std::vector<TypeId>& used);

/**
 * @brief What a user may configure: the classes of a base class.
 */
struct SimKind
{
    const char* title; //!< heading
    const char* base;  //!< TypeId
};

/// @return all kinds of classes
const std::vector<SimKind>& GetSimKinds();

/**
 * @param kind which
 * @return its classes by name
 */
std::vector<TypeId> ListSimClasses(const SimKind& kind);

/**
 * @param tid class
 * @return its attributes, inherited ones of the module included
 */
std::vector<TypeId::AttributeInformation> ListSimAttributes(TypeId tid);

/**
 * @param typeId of a class
 * @return values of options that choose it, such as `--cc=hpcc`
 */
std::vector<std::string> ListSimNames(const std::string& typeId);

/**
 * @brief Print every policy of the module by kind, with its attributes.
 * @param out where to
 */
void PrintSimPolicies(std::ostream& out);

} // namespace ns3

#endif /* SIM_POLICIES_H */
