// SPDX-License-Identifier: GPL-2.0-only
#include "class-list.h"

#include <algorithm>

namespace ns3
{

std::vector<TypeId>
ListClasses(const std::string& base)
{
    std::vector<TypeId> classes;
    TypeId parent;
    if (!TypeId::LookupByNameFailSafe(base, &parent))
    {
        return classes;
    }
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId tid = TypeId::GetRegistered(i);
        if ((tid == parent || tid.IsChildOf(parent)) && tid.HasConstructor())
        {
            classes.push_back(tid);
        }
    }
    std::sort(classes.begin(), classes.end(), [](TypeId a, TypeId b) {
        return a.GetName() < b.GetName();
    });
    return classes;
}

} // namespace ns3
