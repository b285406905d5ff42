// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLIT_SPACER_H
#define FLIT_SPACER_H

#include "ns3/object.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Decides how the flits of a congested port follow one another ([PFT], section III-C).
 *
 * It works on f(c) = ((c << M) >> N) + K with c the used credits. A packet is known here by the
 * flits that still have to go, before the first one of the packet after it may: as many as it has,
 * from the cycle on in which its own first one went. Flits go one by one, in cycles; those of a
 * packet that has begun, too, although its bits leave without a pause here.
 *
 * Cycles with the same used credits are counted together.
 */
class FlitSpacer : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @brief Set how fast flits can go.
     * @param cycles that a flit takes on the wire, rounded down, at least 1
     */
    void SetFlitCycles(uint64_t cycles);

    /**
     * @brief Fix random streams.
     * @param stream first one
     * @return how many are used
     */
    virtual int64_t AssignStreams(int64_t stream);

    /**
     * @brief A packet begins in this cycle.
     * @param flits of it
     */
    void Begin(uint64_t flits);

    /// Another packet wants to follow, now or as soon as it may.
    void Want();

    /**
     * @brief Cycles without congestion go by, in which flits go as fast as they can.
     * @param cycles how many
     */
    void PassFreely(uint64_t cycles);

    /**
     * @brief Cycles of congestion go by.
     * @param cycles how many
     * @param used credits in all of them
     */
    virtual void PassSpaced(uint64_t cycles, uint32_t used) = 0;

    /**
     * @param used credits in all cycles from now on, all of them congested
     * @return the cycle, 1 for the next one, in which the wanted packet may begin; 0 if it may now;
     * CycleClock::NEVER if it may not until there are fewer used credits
     */
    virtual uint64_t GetCyclesToOpen(uint32_t used) = 0;

    /// @return true if cycles change nothing here but the time since the last flit
    bool IsAtRest() const
    {
        return GetNDue() == 0;
    }

    /**
     * @param used credits, c
     * @return f(c)
     */
    int64_t GetF(uint32_t used) const
    {
        return static_cast<int64_t>((uint64_t{used} << m_m) >> m_n) + m_k;
    }

  protected:
    /// Longest time that is told apart, in cycles.
    static constexpr uint64_t LONGEST = uint64_t{1} << 62;

    /// @return flits that go as soon as they may
    uint64_t GetNDue() const
    {
        return m_wanted ? m_toGo : m_toGo - 1;
    }

    /**
     * @brief Cycles go by in which flits go evenly.
     * @param cycles how many
     * @param interval cycles from flit to flit, at least 1
     */
    void PassEvenly(uint64_t cycles, uint64_t interval);

    /**
     * @brief Flits have gone.
     * @param flits how many
     * @param cycles cycles that went by
     * @param last the cycle of the last one, 1 for the first of them
     */
    void NoteGone(uint64_t flits, uint64_t cycles, uint64_t last);

    /// What was planned holds no longer.
    virtual void DropPlan();

    uint64_t m_flitCycles{1};    //!< least cycles from flit to flit
    uint64_t m_toGo{1};          //!< the last one is the first of the next packet
    uint64_t m_sinceGo{LONGEST}; //!< cycles since a flit went
    bool m_wanted{false};        //!< a packet waits

  private:
    uint32_t m_m{0}; //!< m of f(c) = ((c << m) >> n) + k, with c the used credits
    uint32_t m_n{0}; //!< n of f(c)
    int64_t m_k{0};  //!< k of f(c)
};

/**
 * @ingroup dcfabric
 * @brief FI of [PFT]: a flit goes max(1, f(c)) cycles after the one before it.
 */
class FixedIntervalSpacer : public FlitSpacer
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @param used credits, c
     * @return cycles from flit to flit
     */
    uint64_t GetInterval(uint32_t used) const;

    // from FlitSpacer
    void PassSpaced(uint64_t cycles, uint32_t used) override;
    uint64_t GetCyclesToOpen(uint32_t used) override;
};

/**
 * @ingroup dcfabric
 * @brief RI of [PFT]: a flit goes in a cycle in which a random number of RandomBits bits is at
 * least f(c).
 *
 * The number is drawn in cycles in which the wire could take a flit and one waits. Instead of one
 * draw for each there is one for each row of cycles in which flits go, or do not: the lengths of
 * rows have exactly the distribution that draws for each cycle give. Draws for cycles that have not
 * come yet are void when the credits change, which leaves the distribution as it is, because cycles
 * do not depend on one another.
 */
class RandomIntervalSpacer : public FlitSpacer
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    RandomIntervalSpacer();

    /**
     * @param used credits, c
     * @return share of the cycles in which a flit may go, 0 to 1
     */
    double GetShare(uint32_t used) const;

    // from FlitSpacer
    int64_t AssignStreams(int64_t stream) override;
    void PassSpaced(uint64_t cycles, uint32_t used) override;
    uint64_t GetCyclesToOpen(uint32_t used) override;

  protected:
    void DropPlan() override;

  private:
    /// Flits that go as closely as they can.
    struct Row
    {
        uint64_t first; //!< cycle of the first one
        uint64_t flits; //!< how many
    };

    /// Draw when the flits that are due go.
    void Plan(double share);
    /// @return number of failures before a success of the given chance, above 0
    uint64_t DrawFailures(double chance);

    uint32_t m_bits{0};                  //!< bits of the random number that f(c) is compared with
    Ptr<UniformRandomVariable> m_random; //!< for all draws
    std::vector<Row> m_rows;             //!< plan, in cycles from now on
    uint64_t m_lastCycle{0};             //!< of the plan
    double m_plannedShare{-1};           //!< negative: there is no plan
};

} // namespace ns3

#endif /* FLIT_SPACER_H */
