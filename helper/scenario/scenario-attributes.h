// SPDX-License-Identifier: GPL-2.0-only
#ifndef SCENARIO_ATTRIBUTES_H
#define SCENARIO_ATTRIBUTES_H

#include "ns3/type-id.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Refuse an attribute that does not exist and a text that it does not take, before ns-3 does
 * so with its help or aborts the program.
 * @param name `ns3::Class::Attribute` or one of ListScenarioGlobals()
 * @param value what the user wrote
 * @throws FabricError with the nearest name, or with the legal values
 */
void CheckScenarioAttribute(const std::string& name, const std::string& value);

/**
 * @ingroup dcfabric
 * @return names of ns-3's global values
 */
std::vector<std::string> ListScenarioGlobals();

/**
 * @ingroup dcfabric
 * @brief Find the class to which an attribute belongs, because ns-3 sets defaults only there.
 * @param name `ns3::Class::Attribute`, or anything else
 * @return `ns3::Base::Attribute` if the class has inherited it, else the name
 */
std::string GetScenarioAttributeOwner(const std::string& name);

/**
 * @ingroup dcfabric
 * @brief Refuse an attribute of a class of this module that the run does not use.
 * @param name `ns3::Class::Attribute` as the user wrote it
 * @param used classes of the run
 * @throws FabricError if setting the attribute has no effect
 */
void CheckScenarioAttributeUse(const std::string& name, const std::vector<TypeId>& used);

} // namespace ns3

#endif /* SCENARIO_ATTRIBUTES_H */
