// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_TEST_WINGS_H
#define FABRIC_TEST_WINGS_H

#include "ns3/closed-wings.h"

#include <iostream>
#include <string>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Cases about many policies skip those of parts that the build leaves out (wings.cmake).
 * Cases about such a part alone lie in a folder of their own, and are left out with it.
 */

namespace ns3::tests
{

/**
 * @param type name of a class, or an option or value as in wings.cmake
 * @return false if this build leaves it out, which is told
 */
inline bool
HasClass(const std::string& type)
{
    const std::string wing = FindClosedWing(type);
    if (!wing.empty())
    {
        std::cout << "skipped: " << type << ", because this build leaves out " << wing << std::endl;
    }
    return wing.empty();
}

/**
 * @param text of a topology, as on a command line
 * @return false if this build leaves it out, which is told
 */
inline bool
HasTopology(const std::string& text)
{
    return HasClass("topology=" + text.substr(0, text.find(':')));
}

} // namespace ns3::tests

#endif /* FABRIC_TEST_WINGS_H */
