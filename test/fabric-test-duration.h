// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_TEST_DURATION_H
#define FABRIC_TEST_DURATION_H

#include "ns3/test.h"

#include <type_traits>

/**
 * @file
 * @brief The name of ns-3's extensive tests, which became a scoped enumerator in 3.42.
 */

namespace ns3::tests
{

/**
 * @ingroup dcfabric-tests
 * @brief Up to 3.41: TestCase::EXTENSIVE.
 * @tparam T TestCase
 */
template <typename T, typename = void>
struct DurationOf
{
    static constexpr auto EXTENSIVE = T::EXTENSIVE; //!< run only when asked for
};

/**
 * @ingroup dcfabric-tests
 * @brief From 3.42: TestCase::Duration::EXTENSIVE.
 * @tparam T TestCase
 */
template <typename T>
struct DurationOf<T, std::void_t<typename T::Duration>>
{
    static constexpr auto EXTENSIVE = T::Duration::EXTENSIVE; //!< run only when asked for
};

} // namespace ns3::tests

#endif /* FABRIC_TEST_DURATION_H */
