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
 * @brief MaxSpacing up to the level Low, falling linearly to MinSpacing at High and above: the more
 * congested, the more often.
 */
class LinearTimingProfile : public TimingProfile
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

#endif /* TIMING_PROFILE_H */
