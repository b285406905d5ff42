// SPDX-License-Identifier: GPL-2.0-only
#ifndef OWN_OBJECT_H
#define OWN_OBJECT_H

#include "ns3/object-base.h"

#include <string>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Give an object a policy of its own.
 *
 * What a default or a factory names for an attribute that is a pointer is one object for all that
 * are made. One that remembers something, as whose turn it is, would do so for all switches
 * together, and results would depend on the order in which they have theirs.
 * @param owner an object that has just been made
 * @param attribute name of the attribute; nothing happens if there is none, if it is null, or if
 * its object is of a class that cannot be made by name
 */
void GiveOwnObject(ObjectBase& owner, const std::string& attribute);

} // namespace ns3

#endif /* OWN_OBJECT_H */
