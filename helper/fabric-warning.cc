// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-warning.h"

#include <iostream>
#include <utility>

namespace ns3
{

namespace
{

/// @return what takes warnings; empty: standard error
std::function<void(const std::string&)>&
GetSink()
{
    static std::function<void(const std::string&)> sink;
    return sink;
}

} // namespace

void
WarnFabric(const std::string& text)
{
    if (GetSink())
    {
        GetSink()(text);
        return;
    }
    std::cerr << "warning: " << text << "\n";
}

std::function<void(const std::string&)>
SetFabricWarningSink(std::function<void(const std::string&)> sink)
{
    std::swap(GetSink(), sink);
    return sink;
}

} // namespace ns3
