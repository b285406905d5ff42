// SPDX-License-Identifier: GPL-2.0-only
#ifndef CLASS_LIST_H
#define CLASS_LIST_H

#include "ns3/type-id.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @param base name of a class, such as `ns3::SwitchFeature`
 * @return this and all classes derived from it of which objects can be made, by name: ns-3 has them
 * in the order in which libraries were loaded, which differs from build to build. None if there is
 * no such class, because this build leaves it out
 */
std::vector<TypeId> ListClasses(const std::string& base);

} // namespace ns3

#endif /* CLASS_LIST_H */
