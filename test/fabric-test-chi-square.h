// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_TEST_CHI_SQUARE_H
#define FABRIC_TEST_CHI_SQUARE_H

#include <boost/math/distributions/chi_squared.hpp>
#include <cstdint>

/**
 * @file
 * @brief Chi-square tests of frequencies over many seeds.
 */

namespace ns3::tests
{

constexpr uint32_t SEEDS = 100;        //!< of the generator
constexpr double LEAST_P_VALUE = 1e-4; //!< below it a hypothesis is rejected

/**
 * @ingroup dcfabric-tests
 * @brief Give a seed.
 *
 * The generator of ns-3 is linear: the n-th number of seed s is s times that of seed 1, so seeds in
 * a row are no independent samples. These are scrambled (finalizer of MurmurHash3).
 *
 * @param number 1 to SEEDS
 * @return a seed, 1 to 2^31
 */
inline uint32_t
GetSeed(uint32_t number)
{
    number = (number ^ (number >> 16)) * 0x85ebca6b;
    number = (number ^ (number >> 13)) * 0xc2b2ae35;
    return ((number ^ (number >> 16)) >> 1) + 1;
}

/**
 * @ingroup dcfabric-tests
 * @param hits what was counted
 * @param expected its mean
 * @param variance its variance, above 0
 * @return contribution to chi-square
 */
inline double
ChiSquare(double hits, double expected, double variance)
{
    return (hits - expected) * (hits - expected) / variance;
}

/**
 * @ingroup dcfabric-tests
 * @param chiSquare value
 * @param freedom degrees of freedom
 * @return probability of such a chi-square or a larger one
 */
inline double
PValue(double chiSquare, double freedom)
{
    return boost::math::cdf(boost::math::complement(boost::math::chi_squared(freedom), chiSquare));
}

} // namespace ns3::tests

#endif /* FABRIC_TEST_CHI_SQUARE_H */
