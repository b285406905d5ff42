// SPDX-License-Identifier: GPL-2.0-only
#ifndef ATTRIBUTE_RANGE_H
#define ATTRIBUTE_RANGE_H

#include "ns3/attribute.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <string>

/**
 * @file
 * @brief Ranges of attributes that ns-3's own checkers cannot say: open at an end, or of rates.
 */

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief A checker of attributes that says in words what it accepts.
 */
class AttributeRange
{
  public:
    /// Largest rate of any attribute: 1000 Tb/s.
    static constexpr uint64_t MAX_RATE_BPS = 1000000000000000;
    /// Largest number of bytes of any attribute, 1 EB: sums of a few still fit 64 bits with sign.
    static constexpr uint64_t MAX_BYTES = 1000000000000000000;

    virtual ~AttributeRange() = default;

    /// @return the legal values with an article, such as `a rate from 1bps to 1Gbps`
    virtual std::string Describe() const = 0;

    /// @return the longest time of any attribute, 24 h
    static Time GetMaxTime();
};

/**
 * @ingroup dcfabric
 * @param max largest legal value
 * @return a checker of numbers above 0 and up to max
 */
Ptr<const AttributeChecker> MakePositiveDoubleChecker(double max);

/**
 * @ingroup dcfabric
 * @param minBps least legal rate in bit/s
 * @return a checker of rates from that up to AttributeRange::MAX_RATE_BPS
 */
Ptr<const AttributeChecker> MakeRateChecker(uint64_t minBps);

/**
 * @ingroup dcfabric
 * @return a checker of queue sizes that hold something
 */
Ptr<const AttributeChecker> MakePositiveQueueSizeChecker();

} // namespace ns3

#endif /* ATTRIBUTE_RANGE_H */
