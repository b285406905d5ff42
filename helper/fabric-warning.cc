// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-warning.h"

#include <iostream>
#include <utility>

namespace ns3
{

namespace
{

/// @return what takes warnings; empty: standard error
std::function<void(const FabricText&)>&
GetSink()
{
    static std::function<void(const FabricText&)> sink;
    return sink;
}

} // namespace

void
WarnFabric(const FabricText& text)
{
    if (GetSink())
    {
        GetSink()(text);
        return;
    }
    std::cerr << "warning: " << text.Say() << "\n";
}

std::function<void(const FabricText&)>
SetFabricWarningSink(std::function<void(const FabricText&)> sink)
{
    std::swap(GetSink(), sink);
    return sink;
}

} // namespace ns3
