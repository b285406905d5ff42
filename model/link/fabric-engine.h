// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_ENGINE_H
#define FABRIC_ENGINE_H

#include "ns3/event-impl.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief An engine of the simulator that the nodes of a fabric reach without the detours of
 * Simulator. Under one that is none of these, they go by way of that.
 */
class FabricEngine
{
  public:
    /// @return the engine that runs events now; null if that is none of these
    static FabricEngine* GetRunning()
    {
        return g_running;
    }

    /// Global values of ns-3, such as `SchedulerType`, and what they are to be.
    using Globals = std::vector<std::pair<const char*, const char*>>;

    /// @return what runs fastest in this build, in the order in which it is to be set
    static const Globals& GetGlobals()
    {
        return ListGlobals();
    }

    /**
     * @brief Say that a class of this build runs faster than those of ns-3, as a static object
     * does.
     * @param global name of the global value that chooses it
     * @param type its TypeId
     * @return true
     */
    static bool Announce(const char* global, const char* type)
    {
        ListGlobals().emplace_back(global, type);
        return true;
    }

    /// @return true if a tick is a picosecond (valid while it runs)
    bool TicksArePs() const
    {
        return m_ticksArePs;
    }

    /**
     * @brief Schedule the event of a node, while it runs.
     * @param tick when, not before the present
     * @param context of the event
     * @param event of the node; its reference is given away
     */
    virtual void ScheduleDrain(int64_t tick, uint32_t context, EventImpl* event) = 0;

    /// Of GetNextTick(): nothing is left to happen.
    static constexpr int64_t NO_TICK = INT64_MAX;

    /**
     * @brief Let nodes have head starts: one that has its turn goes on with what is due in it
     * (FabricActor::DrainAhead()), before others that are behind have theirs. Nothing that these
     * send can be there so early, because a link takes its delay. So a node finds what it needs in
     * the caches of the processor, where otherwise the whole network passes through them between
     * two of its events.
     *
     * What happens in a node is the same. In different nodes, what is less than the least delay of
     * a link apart may happen in another order: who listens to several nodes must bear with it.
     * Events that are none of nodes are barriers: before them all nodes have come to their time,
     * and none is further. An event that something in a node schedules sees that node in its
     * present, and others, perhaps, later.
     * @param on whether they have
     */
    void SetHeadStarts(bool on)
    {
        m_headStarts = on;
    }

    /// @return true while events run in which nodes have head starts
    static bool HaveHeadStarts()
    {
        return g_running && g_running->m_headStarts;
    }

    /// @return time of the first event that is none of a node, which no node may pass
    int64_t GetBarrierTick() const
    {
        return m_barrierTick;
    }

    /// @return the present
    int64_t GetTick() const
    {
        return static_cast<int64_t>(m_nowTick);
    }

    /**
     * @brief A node that has a head start comes to another time, which counts as an event.
     * @param tick when
     */
    void AdvanceTo(int64_t tick)
    {
        m_nowTick = static_cast<uint64_t>(tick);
        ++m_eventCount;
    }

    /// An event has come whose node had been at its time already: it does not count.
    void Discount()
    {
        --m_eventCount;
    }

    /// @return time of the next event; #NO_TICK if there is none. Whether it runs or not
    virtual int64_t GetNextTick() const = 0;

  protected:
    ~FabricEngine() = default;

    inline static FabricEngine* g_running{nullptr}; //!< while it runs
    uint64_t m_nowTick{0};                          //!< the present
    uint64_t m_eventCount{0};                       //!< events that have run
    int64_t m_barrierTick{NO_TICK};                 //!< GetBarrierTick()
    bool m_ticksArePs{false};                       //!< resolution
    bool m_headStarts{false};                       //!< SetHeadStarts()

  private:
    /// @return see GetGlobals()
    static Globals& ListGlobals()
    {
        static Globals globals{{"SchedulerType", "ns3::PriorityQueueScheduler"}}; // ns-3's fastest
        return globals;
    }
};

} // namespace ns3

#endif /* FABRIC_ENGINE_H */
