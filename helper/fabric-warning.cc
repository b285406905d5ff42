// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-warning.h"

#include <iostream>
#include <utility>

namespace ns3
{

namespace
{

/// What takes texts; empty: standard error.
using Sink = std::function<void(const FabricText&)>;

/// @return that of warnings
Sink&
GetWarningSink()
{
    static Sink sink;
    return sink;
}

/// @return that of notes
Sink&
GetNoteSink()
{
    static Sink sink;
    return sink;
}

/// Tell a text of some kind.
void
Tell(const Sink& sink, const char* kind, const FabricText& text)
{
    if (sink)
    {
        sink(text);
        return;
    }
    std::cerr << kind << ": " << text.Say() << "\n";
}

} // namespace

void
WarnFabric(const FabricText& text)
{
    Tell(GetWarningSink(), "warning", text);
}

std::function<void(const FabricText&)>
SetFabricWarningSink(std::function<void(const FabricText&)> sink)
{
    std::swap(GetWarningSink(), sink);
    return sink;
}

void
NoteFabric(const FabricText& text)
{
    Tell(GetNoteSink(), "note", text);
}

std::function<void(const FabricText&)>
SetFabricNoteSink(std::function<void(const FabricText&)> sink)
{
    std::swap(GetNoteSink(), sink);
    return sink;
}

} // namespace ns3
