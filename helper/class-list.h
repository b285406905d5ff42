// SPDX-License-Identifier: GPL-2.0-only
#ifndef CLASS_LIST_H
#define CLASS_LIST_H

#include "ns3/type-id.h"

#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @param base a class
 * @return this and all classes derived from it of which objects can be made, by name: ns-3 has them
 * in the order in which libraries were loaded, which differs from build to build
 */
std::vector<TypeId> ListClasses(TypeId base);

} // namespace ns3

#endif /* CLASS_LIST_H */
