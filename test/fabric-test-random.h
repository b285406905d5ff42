// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_TEST_RANDOM_H
#define FABRIC_TEST_RANDOM_H

#include "ns3/rng-seed-manager.h"

#include <cstdint>
#include <random>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Runs of ns-3's random numbers, and draws that depend on a seed alone.
 */

namespace ns3::tests
{

/**
 * @ingroup dcfabric-tests
 * @brief Sets the random run for as long as it lives.
 */
class RandomRun
{
  public:
    /// @param run number of the run
    explicit RandomRun(uint64_t run)
        : m_before(RngSeedManager::GetRun())
    {
        RngSeedManager::SetRun(run);
    }

    ~RandomRun()
    {
        RngSeedManager::SetRun(m_before);
    }

    RandomRun(const RandomRun&) = delete;
    RandomRun& operator=(const RandomRun&) = delete;

  private:
    uint64_t m_before; //!< run to return to
};

/**
 * @ingroup dcfabric-tests
 * @brief Base of cases that make networks or schedules of a seed.
 */
class RandomDraws
{
  protected:
    /**
     * @brief Begin.
     * @param seed of what follows
     */
    void Seed(uint32_t seed)
    {
        m_random.seed(seed);
    }

    /**
     * @param bound above 0
     * @return a number below a bound
     */
    uint32_t Draw(uint32_t bound)
    {
        return static_cast<uint32_t>(m_random() % bound);
    }

    /**
     * @param values to choose from
     * @return one of them
     */
    template <typename T>
    T Choose(const std::vector<T>& values)
    {
        return values[Draw(static_cast<uint32_t>(values.size()))];
    }

  private:
    std::mt19937 m_random; //!< makes all draws
};

} // namespace ns3::tests

#endif /* FABRIC_TEST_RANDOM_H */
