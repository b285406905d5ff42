// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief What the front end uses of ASTRA-sim 2.x, declared as it is there, to compile it without.
 */
#pragma once

#include <astra-sim/system/Sys.hh>
#include <string>

namespace Analytical
{

class AnalyticalRemoteMemory : public AstraSim::AstraRemoteMemoryAPI
{
  public:
    explicit AnalyticalRemoteMemory(const std::string& /* configuration */)
    {
    }
};

} // namespace Analytical
