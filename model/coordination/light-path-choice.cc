// SPDX-License-Identifier: GPL-2.0-only
#include "light-path-choice.h"

#include <algorithm>

namespace ns3
{

LightPathChoice::Result
LightPathChoice::Choose(const std::vector<Path>& paths,
                        uint16_t present,
                        bool mayMove,
                        uint32_t hash)
{
    Result result{present, 0};
    const bool hasPresent = std::any_of(paths.begin(), paths.end(), [present](const Path& path) {
        return path.port == present;
    });
    const Path* best = nullptr;
    for (std::size_t i = 0; i < paths.size(); ++i)
    {
        const Path& path = paths[(hash + i) % paths.size()];
        if (!path.isLight)
        {
            continue;
        }
        ++result.nLight;
        mayMove = mayMove && path.port != present;
        if ((path.takes || !hasPresent) && (!best || path.bytes < best->bytes))
        {
            best = &path;
        }
    }
    if (mayMove && best)
    {
        result.port = best->port;
    }
    return result;
}

} // namespace ns3
