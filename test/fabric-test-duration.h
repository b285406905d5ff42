// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_TEST_DURATION_H
#define FABRIC_TEST_DURATION_H

#include "ns3/test.h"

#include <type_traits>

/**
 * @file
 * @brief The names of ns-3's extensive tests, which became scoped enumerators in 3.42.
 */

namespace ns3::tests
{

/**
 * @ingroup dcfabric-tests
 * @brief Up to 3.41: TestCase::EXTENSIVE. These run with ./run-tests --all, too; those that take
 * forever only when asked for.
 * @tparam T TestCase
 */
template <typename T, typename = void>
struct DurationOf
{
    static constexpr auto QUICK = T::QUICK;                 //!< run always
    static constexpr auto EXTENSIVE = T::EXTENSIVE;         //!< seconds: more of the same
    static constexpr auto TAKES_FOREVER = T::TAKES_FOREVER; //!< minutes
};

/**
 * @ingroup dcfabric-tests
 * @brief From 3.42: TestCase::Duration::EXTENSIVE.
 * @tparam T TestCase
 */
template <typename T>
struct DurationOf<T, std::void_t<typename T::Duration>>
{
    static constexpr auto QUICK = T::Duration::QUICK;                 //!< run always
    static constexpr auto EXTENSIVE = T::Duration::EXTENSIVE;         //!< seconds
    static constexpr auto TAKES_FOREVER = T::Duration::TAKES_FOREVER; //!< minutes
};

} // namespace ns3::tests

#endif /* FABRIC_TEST_DURATION_H */
