// SPDX-License-Identifier: GPL-2.0-only
#ifndef DRAIN_EVENT_H
#define DRAIN_EVENT_H

#include "fabric-actor.h"
#include "fabric-engine.h"
#include "look-ahead.h"

#include "ns3/event-impl.h"

#include <cstdint>
#include <utility>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief The one simulator event of a FabricActor, used again and again.
 *
 * It is one cache line, which an event list that looks ahead loads first of all.
 */
class alignas(64) DrainEvent final : public EventImpl
{
  public:
    /**
     * @param actor whose calendar to drain
     */
    explicit DrainEvent(FabricActor* actor)
        : m_actor(actor)
    {
    }

    /// The actor is disposed of: fire into the void, and look at nothing.
    void Detach()
    {
        m_actor = nullptr;
        m_elsewhere = nullptr;
    }

    /// Another process simulates the actor: here, only what happens to links has to be followed.
    void SetElsewhere()
    {
        m_elsewhere = std::exchange(m_actor, nullptr);
    }

    /// @return runs of the events of actors that other processes simulate
    static uint64_t GetNElsewhere()
    {
        return g_nElsewhere;
    }

    /**
     * @brief The event approaches: load what it will read.
     * @param step as of LookAhead
     */
    void Approach(int step) const
    {
        if (m_actor)
        {
            m_lookAhead.Step(*m_actor, step);
        }
    }

    /**
     * @brief Run, called by an engine that knows these events.
     * @param tick the present of the simulator
     */
    void RunAt(int64_t tick)
    {
        if (m_actor)
        {
            m_actor->Drain(tick);
        }
        else if (m_elsewhere)
        {
            ++g_nElsewhere;
            m_elsewhere->Drain(tick);
        }
    }

    /**
     * @brief Run, and go on with what is due in the node.
     * @param engine that calls, and lets nodes have head starts
     */
    void RunAhead(FabricEngine& engine)
    {
        if (m_actor)
        {
            m_actor->DrainAhead(engine);
        }
        else
        {
            RunAt(engine.GetTick());
        }
    }

  private:
    void Notify() override
    {
        try
        {
            RunAt(FabricActor::SimulatorTick());
        }
        catch (...)
        {
            Unref(); // the simulator gives its reference up after a normal end only
            throw;
        }
    }

    inline static uint64_t g_nElsewhere{0}; //!< see GetNElsewhere()

    FabricActor* m_actor;              //!< whose calendar to drain
    FabricActor* m_elsewhere{nullptr}; //!< likewise, if another process simulates it
    mutable LookAhead m_lookAhead;     //!< what was predicted of it
};

} // namespace ns3

#endif /* DRAIN_EVENT_H */
