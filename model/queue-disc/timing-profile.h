// SPDX-License-Identifier: GPL-2.0-only
#ifndef TIMING_PROFILE_H
#define TIMING_PROFILE_H

#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief The least time between two notifications to one source, as a function of the congestion
 * level ([Patent] (16), claims 1 to 4).
 *
 * One profile may serve many queues: it has no state.
 */
class TimingProfile : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @param level measure of congestion, as the MarkingProfile gets it
     * @return least time since the last notification to the source, in ps
     */
    virtual int64_t GetSpacingPs(uint64_t level) const = 0;
};

/**
 * @ingroup dcfabric
 * @brief MaxSpacing up to the level Low, MinSpacing from High on: the more congested, the more
 * often. What lies between is up to the class.
 */
class FallingTimingProfile : public TimingProfile
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    int64_t GetSpacingPs(uint64_t level) const final;

  protected:
    void NotifyConstructionCompleted() override;

    /**
     * @brief Add the four attributes to a class that is derived, under whose name users set them.
     * @param tid of that class
     * @param least spacing that it takes
     * @return it
     */
    static TypeId AddAttributes(TypeId tid, Time least);

  private:
    /**
     * @param mostPs MaxSpacing in ps
     * @param leastPs MinSpacing in ps
     * @param above how far the level lies above Low, more than 0
     * @param span how far High does, more than above
     * @return the spacing in ps
     */
    virtual int64_t GetBetweenPs(int64_t mostPs,
                                 int64_t leastPs,
                                 double above,
                                 double span) const = 0;

    uint64_t m_low{0};  //!< level up to which the spacing is MaxSpacing
    uint64_t m_high{0}; //!< level from which on the spacing is MinSpacing, above Low
    Time m_maxSpacing;  //!< least time between two notifications at little congestion
    /// Least time between two notifications at heavy congestion, at most MaxSpacing
    Time m_minSpacing;
};

/**
 * @ingroup dcfabric
 * @brief MaxSpacing up to the level Low, falling linearly to MinSpacing at High and above.
 */
class LinearTimingProfile : public FallingTimingProfile
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

  private:
    int64_t GetBetweenPs(int64_t mostPs, int64_t leastPs, double above, double span) const override;
};

} // namespace ns3

#endif /* TIMING_PROFILE_H */
