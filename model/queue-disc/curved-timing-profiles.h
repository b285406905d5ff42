// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief Timing profiles that are no straight line.
 */
#ifndef CURVED_TIMING_PROFILES_H
#define CURVED_TIMING_PROFILES_H

#include "profile-points.h"
#include "timing-profile.h"

#include <string>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Straight lines between the points of a user; level before the first and behind the last.
 *
 * Two points of the same level make a step: at that level the first of them counts. Spacings need
 * not fall with the level.
 */
class PiecewiseTimingProfile : public TimingProfile
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    int64_t GetSpacingPs(uint64_t level) const override;

  private:
    /**
     * @brief Set the points, written as the attribute.
     * @throws FabricError if they make no sense
     */
    void SetPoints(std::string points);
    /// @return the points as the attribute takes them
    std::string GetPoints() const;

    ProfilePoints m_points; //!< attribute, spacings in ps
};

/**
 * @ingroup dcfabric
 * @brief MaxSpacing up to the level Low, MinSpacing from High on, and in between the same factor
 * for each step of the level: MaxSpacing (MinSpacing / MaxSpacing)^x, with x from 0 to 1.
 *
 * So the rate of notifications, not their spacing, is what grows by the same factor.
 */
class ExponentialTimingProfile : public FallingTimingProfile
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

  private:
    int64_t GetBetweenPs(int64_t mostPs, int64_t leastPs, double above, double span) const override;
};

} // namespace ns3

#endif /* CURVED_TIMING_PROFILES_H */
