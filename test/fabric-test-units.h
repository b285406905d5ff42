// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_TEST_UNITS_H
#define FABRIC_TEST_UNITS_H

#include <cstdint>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Units of the tests: bit/s and ps.
 */

namespace ns3::tests
{

constexpr uint64_t GBPS = 1000000000; //!< bit/s in a Gb/s
constexpr int64_t US = 1000000;       //!< ps in a us

} // namespace ns3::tests

#endif /* FABRIC_TEST_UNITS_H */
