// SPDX-License-Identifier: GPL-2.0-only
#ifndef OFFERED_LOAD_H
#define OFFERED_LOAD_H

#include <cmath>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What random arrivals offer: payload bits over the span of arrivals and the line rates of
 * all hosts.
 */
struct OfferedLoad
{
    double drawn{0};   //!< by the flows; 0: none arrive at random
    double asked{0};   //!< what drawn is the nearer to the more flows there are; 0: not known
    uint64_t flows{0}; //!< that were drawn

    /// @return true if the load that was drawn is more than a tenth away from that which was asked
    /// for
    bool IsFar() const
    {
        return asked > 0 && std::abs(drawn - asked) > 0.1 * asked;
    }
};

} // namespace ns3

#endif /* OFFERED_LOAD_H */
