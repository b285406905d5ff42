// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_TEST_RANDOM_H
#define FABRIC_TEST_RANDOM_H

#include "ns3/rng-seed-manager.h"

#include <cstdint>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Runs of ns-3's random numbers.
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

} // namespace ns3::tests

#endif /* FABRIC_TEST_RANDOM_H */
