// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief Timing profiles that are no straight line.
 */
#ifndef CURVED_TIMING_PROFILES_H
#define CURVED_TIMING_PROFILES_H

#include "timing-profile.h"

#include <string>
#include <vector>

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
    /// A corner.
    struct Point
    {
        uint64_t level;    //!< where
        int64_t spacingPs; //!< how long, at least 0
    };

    /**
     * @brief Set the points, written as the attribute.
     * @throws FabricError if they make no sense
     */
    void SetPoints(std::string points);
    /// @return the points as the attribute takes them
    std::string GetPoints() const;

    std::vector<Point> m_points; //!< by level
    std::string m_text;          //!< as given
};

/**
 * @ingroup dcfabric
 * @brief MaxSpacing up to the level Low, MinSpacing from High on, and in between the same factor
 * for each step of the level: MaxSpacing (MinSpacing / MaxSpacing)^x, with x from 0 to 1.
 *
 * So the rate of notifications, not their spacing, is what grows by the same factor.
 */
class ExponentialTimingProfile : public TimingProfile
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    int64_t GetSpacingPs(uint64_t level) const override;

  protected:
    void NotifyConstructionCompleted() override;

  private:
    uint64_t m_low;    //!< attribute
    uint64_t m_high;   //!< attribute
    Time m_maxSpacing; //!< attribute
    Time m_minSpacing; //!< attribute
};

} // namespace ns3

#endif /* CURVED_TIMING_PROFILES_H */
