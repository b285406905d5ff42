// SPDX-License-Identifier: GPL-2.0-only
#ifndef OBJECT_CLASS_H
#define OBJECT_CLASS_H

#include "ns3/object.h"
#include "ns3/type-id.h"

namespace ns3
{

// without external linkage: an explicit instantiation may stand only once in a program
namespace
{

/// How to get at Object::m_tid, which ObjectFactory sets and nobody else can.
struct ObjectClassName
{
    using Type = TypeId Object::*;                //!< pointer to the member
    friend constexpr Type Reach(ObjectClassName); //!< @return that
};

/**
 * @brief Defines Reach(): an explicit instantiation may name what is private.
 * @tparam member the member
 */
template <ObjectClassName::Type member>
struct ObjectClassReach
{
    /// @return the pointer to member
    friend constexpr ObjectClassName::Type Reach(ObjectClassName)
    {
        return member;
    }
};

template struct ObjectClassReach<&Object::m_tid>;

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
    object.*Reach(ObjectClassName()) = tid;
}

} // namespace

} // namespace ns3

#endif /* OBJECT_CLASS_H */
