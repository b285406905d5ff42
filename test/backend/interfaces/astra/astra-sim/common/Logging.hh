// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief What the front end uses of ASTRA-sim 2.x, declared as it is there, to compile it without.
 */
#pragma once

#include <string>

namespace AstraSim
{

class LoggerFactory
{
  public:
    static void init(const std::string& /* configuration */)
    {
    }

    static void shutdown()
    {
    }
};

} // namespace AstraSim
