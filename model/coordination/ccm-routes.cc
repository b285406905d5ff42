// SPDX-License-Identifier: GPL-2.0-only
#include "ccm-routes.h"

#include <algorithm>

namespace ns3
{

bool
CcmRoutes::IsReported(const Route* route, uint16_t port, int64_t nowPs)
{
    return route && std::any_of(route->reports.begin(),
                                route->reports.end(),
                                [port, nowPs](const Report& report) {
                                    return report.port == port && nowPs < report.untilPs;
                                });
}

bool
CcmRoutes::Move(uint64_t flow, uint16_t port, int64_t nowPs)
{
    Route* route = m_routes.Touch(flow, nowPs);
    if (!route)
    {
        return false;
    }
    route->port = port;
    route->hasMoved = true;
    route->movedPs = nowPs;
    return true;
}

bool
CcmRoutes::Take(uint64_t flow, uint16_t port, Source source, int64_t nowPs)
{
    if (source == Source::FORMER ||
        (source == Source::UNKNOWN && !MayMove(Find(flow, nowPs), nowPs)))
    {
        return false;
    }
    Route* route = m_routes.Touch(flow, nowPs);
    if (!route)
    {
        return false;
    }
    route->port = port;
    route->hasMoved = false; // nothing holds it there
    auto& reports = route->reports;
    auto place = std::find_if(reports.begin(), reports.end(), [port](const Report& report) {
        return report.port == port;
    });
    if (place == reports.end())
    {
        place =
            std::min_element(reports.begin(), reports.end(), [](const Report& a, const Report& b) {
                return a.untilPs < b.untilPs;
            });
    }
    *place = {port, nowPs + m_limits.reportPs};
    return true;
}

} // namespace ns3
