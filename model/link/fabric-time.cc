// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-time.h"

#include "ns3/abort.h"

namespace ns3
{

namespace
{

/// Picoseconds in a tick, and ticks in a picosecond: one of both is 1.
struct Scale
{
    int64_t psPerTick;
    int64_t ticksPerPs;
};

Scale
GetScale()
{
    switch (Time::GetResolution())
    {
    case Time::S:
        return {1000000000000, 1};
    case Time::MS:
        return {1000000000, 1};
    case Time::US:
        return {1000000, 1};
    case Time::NS:
        return {1000, 1};
    case Time::PS:
        return {1, 1};
    case Time::FS:
        return {1, 1000};
    default:
        NS_ABORT_MSG("dcfabric needs a resolution between seconds and femtoseconds");
    }
}

} // namespace

int64_t
FabricTime::ScaleToPs(int64_t ticks)
{
    const Scale scale = GetScale();
    return ticks * scale.psPerTick / scale.ticksPerPs;
}

int64_t
FabricTime::ScaleToTicks(int64_t timePs)
{
    const Scale scale = GetScale();
    return (timePs + scale.psPerTick - 1) / scale.psPerTick * scale.ticksPerPs;
}

} // namespace ns3
