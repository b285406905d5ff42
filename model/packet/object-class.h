// SPDX-License-Identifier: GPL-2.0-only
#ifndef OBJECT_CLASS_H
#define OBJECT_CLASS_H

#include "member-name.h"

#include "ns3/object.h"
#include "ns3/type-id.h"

namespace ns3
{

// without external linkage: an explicit instantiation may stand only once in a program
namespace
{

/// @cond
DCFABRIC_NAME_MEMBER(ObjectClass, TypeId, Object, m_tid); // ObjectFactory sets it, nobody else can

/// @endcond

/**
 * @ingroup dcfabric
 * @brief Name the class of an object that was made by its constructor alone and gets the values of
 * its attributes from another one, because ns-3 takes longer to look up attributes than all else
 * takes, and networks have thousands of ports.
 * @param object the object
 * @param tid what ObjectFactory would have set
 */
inline void
SetObjectClass(Object& object, TypeId tid)
{
    object.*Reach(ObjectClass()) = tid;
}

} // namespace

} // namespace ns3

#endif /* OBJECT_CLASS_H */
