// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief Marking profiles that are no straight line.
 */
#ifndef CURVED_PROFILES_H
#define CURVED_PROFILES_H

#include "marking-profile.h"
#include "profile-points.h"

#include <string>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Straight lines between the points of a user; level before the first and behind the last
 * ([Patent] (13): "varied or non-linear").
 *
 * Two points of the same measure make a step: at that measure the first of them counts.
 */
class PiecewiseMarkingProfile : public MarkingProfile
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    double GetProbability(uint64_t measure) const override;
    uint64_t GetLowerBound() const override;

  private:
    /**
     * @brief Set the points, written as the attribute.
     * @throws FabricError if they make no sense
     */
    void SetPoints(std::string points);
    /// @return the points as the attribute takes them
    std::string GetPoints() const;

    /// Corners as measure:probability pairs separated by commas, measures rising
    ProfilePoints m_points;
};

/**
 * @ingroup dcfabric
 * @brief 0 up to Kmin, rising exponentially to Pmax at Kmax, 1 above.
 *
 * Between the thresholds, with x from 0 to 1, it is Pmax (e^(a x) - 1) / (e^a - 1), a being
 * Steepness: nearly linear for a small one, for a large one flat until shortly before Kmax.
 */
class ExponentialMarkingProfile : public MarkingProfile
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    double GetProbability(uint64_t measure) const override;
    uint64_t GetLowerBound() const override;

  protected:
    void NotifyConstructionCompleted() override;

  private:
    uint64_t m_kmin;    //!< measure up to which the probability is 0
    uint64_t m_kmax;    //!< measure above which the probability is 1, at least Kmin
    double m_pmax;      //!< probability at Kmax
    double m_steepness; //!< exponent a over the whole span from Kmin to Kmax
};

} // namespace ns3

#endif /* CURVED_PROFILES_H */
