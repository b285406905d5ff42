// SPDX-License-Identifier: GPL-2.0-only
#ifndef LINK_CHANGE_H
#define LINK_CHANGE_H

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Something that happens to a link at a time.
 *
 * It holds from its time on, that time included: it comes before everything else that happens in a
 * node at that time. Changes at one time take effect in the order of their kinds.
 */
struct LinkChange
{
    /// What happens.
    enum Kind : uint8_t
    {
        RATE, //!< both directions have another rate, from the next packet on
        DOWN, //!< what is on the wire is lost, and nothing is sent
        UP    //!< packets may go again
    };

    int64_t timePs;      //!< when, in ps
    Kind kind;           //!< what
    uint64_t rateBps{0}; //!< new rate in bit/s, above 0; of no meaning for DOWN and UP

    /**
     * @param o the other
     * @return true if this one takes effect before another
     */
    bool Before(const LinkChange& o) const
    {
        return timePs != o.timePs ? timePs < o.timePs : kind < o.kind;
    }
};

} // namespace ns3

#endif /* LINK_CHANGE_H */
