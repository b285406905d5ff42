// SPDX-License-Identifier: GPL-2.0-only
#include "sim-format.h"

#include <cstdarg>
#include <cstdio>

namespace ns3
{

std::string
FormatSim(const char* format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    return text;
}

} // namespace ns3
