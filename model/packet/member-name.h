// SPDX-License-Identifier: GPL-2.0-only
#ifndef MEMBER_NAME_H
#define MEMBER_NAME_H

namespace ns3
{

// without external linkage: an explicit instantiation may stand only once in a program
namespace
{

/**
 * @ingroup dcfabric
 * @brief Names a member of an ns-3 class that has no accessor.
 *
 * The arguments of an explicit instantiation are exempt from access checks (C++17, [temp.spec]
 * paragraph 6). The friend function hands the pointer to member out by argument-dependent lookup
 * of the tag.
 * @tparam Tag declares the function
 * @tparam member pointer to member
 */
template <typename Tag, typename Tag::Type member>
struct MemberName
{
    /// @return the pointer to member
    friend constexpr typename Tag::Type Reach(Tag)
    {
        return member;
    }
};

} // namespace

} // namespace ns3

/// In a namespace without a name within ns3: has Reach(TAG()) return the pointer to a member.
#define DCFABRIC_NAME_MEMBER(TAG, TYPE, OWNER, MEMBER)                                             \
    struct TAG                                                                                     \
    {                                                                                              \
        using Type = TYPE OWNER::*;                                                                \
        friend constexpr Type Reach(TAG);                                                          \
    };                                                                                             \
    template struct MemberName<TAG, &OWNER::MEMBER>

#endif /* MEMBER_NAME_H */
