// SPDX-License-Identifier: GPL-2.0-only
#ifndef SIM_ATTRIBUTES_H
#define SIM_ATTRIBUTES_H

#include <string>

namespace ns3
{

/**
 * @brief Refuse the text of an attribute on which ns-3's own reader would abort the program.
 *
 * Names that do not exist and values out of range are left to CommandLine.
 * @param name `ns3::Class::Attribute`, or anything else, which is not looked at
 * @param value what the user wrote
 * @throws FabricError if the value is malformed
 */
void CheckSimAttribute(const std::string& name, const std::string& value);

} // namespace ns3

#endif /* SIM_ATTRIBUTES_H */
