// SPDX-License-Identifier: GPL-2.0-only
#ifndef MARKING_PROFILE_H
#define MARKING_PROFILE_H

#include "ns3/data-rate.h"
#include "ns3/object.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief A probability as a function of a congestion measure: of an ECN mark, or of a mark with a
 * notification back to the sender (BackToSenderNotifier).
 *
 * One profile may serve many queues: it has no state.
 */
class MarkingProfile : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @param measure the congestion measure, for a queue its length in bytes
     * @return the probability to mark, from 0 to 1
     */
    virtual double GetProbability(uint64_t measure) const = 0;

    /// @return the largest measure up to which nothing is ever marked, so that callers can decide
    /// without a call; 0 also if even the measure 0 may be marked
    virtual uint64_t GetLowerBound() const = 0;

    /// @return names of the attributes that are queue lengths in bytes for links of GetRateBps();
    /// none by default
    virtual std::vector<std::string> ListThresholds() const;

    /// @return rate of the link for which the thresholds are meant, in bit/s; 0: they hold at any
    virtual uint64_t GetRateBps() const;
};

/**
 * @ingroup dcfabric
 * @brief WRED: 0 up to Kmin, rising linearly to Pmax at Kmax, 1 above (DCQCN, SIGCOMM 2015, figure
 * 5).
 */
class WredMarkingProfile : public MarkingProfile
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    double GetProbability(uint64_t measure) const override;
    uint64_t GetLowerBound() const override;
    std::vector<std::string> ListThresholds() const override;

    uint64_t GetRateBps() const override
    {
        return m_rate.GetBitRate();
    }

  protected:
    void NotifyConstructionCompleted() override;

  private:
    uint64_t m_kmin{100000}; //!< bytes
    uint64_t m_kmax{400000}; //!< bytes
    double m_pmax{0.2};      //!< probability at m_kmax
    DataRate m_rate;         //!< rate of the link for which Kmin and Kmax are meant
};

} // namespace ns3

#endif /* MARKING_PROFILE_H */
