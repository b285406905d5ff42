// SPDX-License-Identifier: GPL-2.0-only
#include "closed-wings.h"

#include "fabric-error.h"

#include <sstream>

// from wings.cmake: NAME=WING, one after the other, each with a comma behind it
#ifndef DCFABRIC_CLOSED_WINGS
#define DCFABRIC_CLOSED_WINGS ""
#endif

namespace ns3
{

std::string
FindClosedWing(const std::string& name)
{
    std::istringstream closed(DCFABRIC_CLOSED_WINGS);
    for (std::string entry; std::getline(closed, entry, ',');)
    {
        const std::size_t equals = entry.rfind('=');
        if (entry.substr(0, equals) == name)
        {
            return entry.substr(equals + 1);
        }
    }
    return "";
}

void
RefuseClosedWing(const std::string& name, const FabricText& subject)
{
    const std::string wing = FindClosedWing(name);
    if (!wing.empty())
    {
        throw FabricError(subject,
                          ": this build leaves out " + wing,
                          {FabricRemedy::Do("configure with -DDCFABRIC_" + wing + "=ON")});
    }
}

} // namespace ns3
