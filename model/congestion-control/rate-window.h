// SPDX-License-Identifier: GPL-2.0-only
#ifndef RATE_WINDOW_H
#define RATE_WINDOW_H

#include "congestion-control.h"

#include "ns3/fabric-error.h"

#include <algorithm>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief The window that a control of rates can have beside them, as in the public HPCC simulator
 * (HAS_WIN, VAR_WIN): what the line carries in T, or the rate's share of it.
 *
 * It bounds what is in flight while signals are on their way: a rate alone sends on while nothing
 * comes back.
 */
struct RateWindow
{
    bool has;    //!< there is a window
    bool varies; //!< it follows the rate; false: it is that of the line rate

    /**
     * @brief Refuse a window where nothing is known to make it of.
     * @param path the connection
     * @param owner class with an attribute HasWindow
     * @throws FabricError if there is to be a window, and the path has no line rate or no T
     */
    void Check(const PathInfo& path, TypeId owner) const
    {
        if (has && path.bdpBytes == 0)
        {
            throw FabricError(FabricTerm::Attribute(owner, "HasWindow") +
                              " needs a line rate and a base RTT above zero");
        }
    }

    /**
     * @param path the connection
     * @param rate in bit/s
     * @return window in payload bytes, at least 1
     */
    uint64_t Get(const PathInfo& path, double rate) const
    {
        if (!has)
        {
            return CongestionControl::UNLIMITED;
        }
        const double share =
            varies ? std::min(rate / static_cast<double>(path.lineRateBps), 1.0) : 1.0;
        return std::max<uint64_t>(
            static_cast<uint64_t>(static_cast<double>(path.bdpBytes) * share + 0.5),
            1);
    }
};

} // namespace ns3

#endif /* RATE_WINDOW_H */
