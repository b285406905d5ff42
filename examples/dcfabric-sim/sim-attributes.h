// SPDX-License-Identifier: GPL-2.0-only
#ifndef SIM_ATTRIBUTES_H
#define SIM_ATTRIBUTES_H

#include "ns3/type-id.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @brief Refuse the text of an attribute on which ns-3's own reader would abort the program, and
 * what the setter of one of this module refuses.
 *
 * Names that do not exist and values out of range are left to CommandLine.
 * @param name `ns3::Class::Attribute` or a global value; anything else is not looked at
 * @param value what the user wrote
 * @throws FabricError if the value is malformed
 */
void CheckSimAttribute(const std::string& name, const std::string& value);

/**
 * @brief Find the class to which an attribute belongs, because ns-3 sets defaults only there.
 * @param name `ns3::Class::Attribute`, or anything else
 * @return `ns3::Base::Attribute` if the class has inherited it, else the name
 */
std::string GetSimAttributeOwner(const std::string& name);

/**
 * @brief Refuse an attribute of a class of this module that the run does not use.
 * @param name `ns3::Class::Attribute` as the user wrote it
 * @param used classes of the run
 * @throws FabricError if setting the attribute has no effect
 */
void CheckSimAttributeUse(const std::string& name, const std::vector<TypeId>& used);

} // namespace ns3

#endif /* SIM_ATTRIBUTES_H */
