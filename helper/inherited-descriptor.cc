// SPDX-License-Identifier: GPL-2.0-only
#include "inherited-descriptor.h"

#include <charconv>
#include <cstdlib>
#include <cstring>

namespace ns3
{

int
FindInheritedDescriptor(const char* variable, struct stat& status)
{
    const char* text = std::getenv(variable);
    if (!text)
    {
        return -1;
    }
    const char* end = text + std::strlen(text);
    int descriptor = -1;
    const auto read = std::from_chars(text, end, descriptor);
    return read.ec == std::errc() && read.ptr == end && descriptor >= 0 &&
                   fstat(descriptor, &status) == 0
               ? descriptor
               : -1;
}

} // namespace ns3
