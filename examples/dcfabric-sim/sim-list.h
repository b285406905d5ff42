// SPDX-License-Identifier: GPL-2.0-only
#ifndef SIM_LIST_H
#define SIM_LIST_H

#include "ns3/type-id.h"

#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

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

#endif /* SIM_LIST_H */
