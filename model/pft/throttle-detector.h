// SPDX-License-Identifier: GPL-2.0-only
#ifndef THROTTLE_DETECTOR_H
#define THROTTLE_DETECTOR_H

#include "ns3/object.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Decides from the used credits of a port whether the network behind it is congested ([PFT],
 * section III-B).
 *
 * The credits are looked at once in each cycle. Cycles in which they are the same are counted
 * together, however many they are: AdvanceCycles() takes constant time but for the transitions in
 * them, and cycles that repeat themselves are skipped.
 */
class ThrottleDetector : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @brief Refuse thresholds that do not fit.
     * @param peerUnits credits that the peer has given for its whole buffer
     * @throws FabricError for a threshold that the used credits can never pass, and for settings
     * that contradict one another
     */
    virtual void Check(uint32_t peerUnits) const;

    /**
     * @brief Cycles go by.
     * @param cycles how many
     * @param used credits in all of them
     */
    virtual void AdvanceCycles(uint64_t cycles, uint32_t used) = 0;

    /**
     * @param used credits in all cycles from now on
     * @return the cycle, 1 for the next one, in which the state changes; CycleClock::NEVER if it
     * does not
     */
    virtual uint64_t GetCyclesToChange(uint32_t used) const = 0;

    /// @return the state: true for congested, false for normal
    bool IsCongested() const
    {
        return m_congested;
    }

    /// @return how often the state became congested
    uint64_t GetNEntries() const
    {
        return m_entries;
    }

    /// @return cycles in which the state was congested, the one included in which it became so
    uint64_t GetNCongestedCycles() const
    {
        return m_congestedCycles;
    }

  protected:
    /**
     * @param used credits
     * @return true if they speak for the other state
     */
    bool SpeaksForChange(uint32_t used) const
    {
        return m_congested ? used < m_leave : used > m_enter;
    }

    /// Go to the other state.
    void Change()
    {
        m_congested = !m_congested;
        m_entries += m_congested ? 1 : 0;
    }

    uint32_t m_enter{0};           //!< te
    uint32_t m_leave{0};           //!< ts
    bool m_congested{false};       //!< state
    uint64_t m_entries{0};         //!< transitions to congested
    uint64_t m_congestedCycles{0}; //!< in that state
};

/**
 * @ingroup dcfabric
 * @brief FT of [PFT], algorithm 1: congested with more than Enter used credits, normal again with
 * fewer than Leave.
 */
class FixedThresholdDetector : public ThrottleDetector
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    // from ThrottleDetector
    void Check(uint32_t peerUnits) const override;
    void AdvanceCycles(uint64_t cycles, uint32_t used) override;
    uint64_t GetCyclesToChange(uint32_t used) const override;
};

/**
 * @ingroup dcfabric
 * @brief AT of [PFT], algorithm 2: congested after EnterCycles cycles with more than Enter used
 * credits in one period of EnterPeriod, normal again after LeaveCycles with fewer than Leave in one
 * of LeavePeriod.
 *
 * Periods follow one another without overlap, and each transition begins one. All cycles of a
 * period are compared, where the algorithm as printed skips the one that ends it. Leave may be
 * above Enter, as in the best setting of [PFT]: between the two the state goes to and fro.
 */
class AverageThresholdDetector : public ThrottleDetector
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    // from ThrottleDetector
    void Check(uint32_t peerUnits) const override;
    void AdvanceCycles(uint64_t cycles, uint32_t used) override;
    uint64_t GetCyclesToChange(uint32_t used) const override;

  private:
    /// @return length of the present state's period
    uint64_t GetPeriod() const
    {
        return m_congested ? m_leavePeriod : m_enterPeriod;
    }

    /// @return cycles in it after which the state changes
    uint64_t GetEnough() const
    {
        return m_congested ? m_leaveCycles : m_enterCycles;
    }

    /// Let cycles go by without a transition.
    void Count(uint64_t cycles, bool speaks);

    uint64_t m_enterPeriod{0}; //!< Te
    uint64_t m_enterCycles{0}; //!< Te'
    uint64_t m_leavePeriod{0}; //!< Ts
    uint64_t m_leaveCycles{0}; //!< Ts'
    uint64_t m_position{0};    //!< cycles of the present period that have gone by
    uint64_t m_count{0};       //!< of these, that spoke for a change
};

} // namespace ns3

#endif /* THROTTLE_DETECTOR_H */
