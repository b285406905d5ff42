// SPDX-License-Identifier: GPL-2.0-only
#ifndef DEADLOCK_DETECTOR_H
#define DEADLOCK_DETECTOR_H

#include "channel-dependencies.h"
#include "wait-graph.h"

#include "ns3/fabric.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/periodic-tasks.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Packets that wait for one another for ever, found while a network runs.
 */
struct Deadlock
{
    int64_t sincePs{0};  //!< look at which none of the cycle's packets could move, in ps
    int64_t foundPs{0};  //!< look at which none had, in ps
    int64_t endedPs{-1}; //!< look at which one had moved after all, in ps; -1: none has so far
    /// what has come over each of these channels waits for room behind the next one
    std::vector<RouteWalk::Channel> cycle;
    uint32_t victims{0}; //!< further inputs of switches that waited for these when it was found

    /**
     * @param graph the plan
     * @return since when, and the cycle
     */
    std::string ToText(const FabricGraph& graph) const;
};

/**
 * @ingroup dcfabric
 * @brief Looks for deadlocks while a network runs: of routes that were not checked
 * (ChannelDependencies), or that have changed since.
 *
 * From time to time it draws which packets wait for room that which others hold (WaitGraph). If
 * some of them wait only for one another, and at the next look none of them has moved, that is a
 * deadlock, reported once with a cycle of switches, ports and classes. It may end: when a link
 * fails, or somebody throws packets away.
 *
 * A look costs a glance at each port that is paused, lacks credits or has a packet at its gate, and
 * more only if these form a cycle of switches. Looking changes nothing in the network.
 *
 *     Ptr<DeadlockDetector> detector = CreateObject<DeadlockDetector>();
 *     detector->Install(fabric);
 *     Simulator::Run();
 *     if (detector->IsDeadlocked()) ...
 */
class DeadlockDetector : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    DeadlockDetector();
    ~DeadlockDetector() override;

    /**
     * @brief Look at a network from the present on, for as long as anything else happens.
     * @param fabric the network
     * @throws FabricError if several processes (ranks) simulate it, which have to look together
     * (LookLate())
     */
    void Install(Ptr<Fabric> fabric);

    /**
     * @brief Look at a network when Look() or LookLate() is called, as by PeriodicTasks.
     * @param fabric the network
     */
    void Attach(Ptr<Fabric> fabric);

    /**
     * @brief Look; all ranks together.
     * @param nowPs the present in ps
     * @return when to look again, in ps; FabricTime::NEVER if nothing is lossless
     */
    int64_t Look(int64_t nowPs);

    /**
     * @brief Look as if at all times that have been asked for up to the present, since the first of
     * which nothing has happened; all ranks together, as by RunLoop.
     * @param nowPs the present in ps
     * @return when to look again, in ps; FabricTime::NEVER if nothing is lossless
     */
    int64_t LookLate(int64_t nowPs);

    /// @return all that were found, in order
    const std::vector<Deadlock>& GetDeadlocks() const
    {
        return m_deadlocks;
    }

    /// @return true if there was a deadlock at the last look
    bool IsDeadlocked() const;

    /**
     * @brief Signature of the trace source Deadlock.
     * @param deadlock what was found
     */
    typedef void (*DeadlockTracedCallback)(const Deadlock& deadlock);

  protected:
    void DoDispose() override;

  private:
    /// What is known of a place whose packets cannot move.
    struct Standing
    {
        WaitGraph::Head head; //!< first packet
        int64_t sincePs;      //!< first look that met it so
    };

    /// Since when a place stands, by what the last look knew.
    void NoteStanding(const WaitGraph& waits, int64_t nowPs);
    /// Note which deadlocks are over.
    void EndOld(int64_t nowPs);
    /// Find cycles that stood at the last look, too, and are not known.
    void FindNew(const WaitGraph& waits, int64_t nowPs);
    /// @return true if one of some places is part of a deadlock that has been told
    bool IsKnown(const std::vector<WaitGraph::Place>& places) const;

    Ptr<Fabric> m_fabric;                                //!< the network
    Time m_interval;                                     //!< time between two looks
    int64_t m_nextPs{0};                                 //!< next look of LookLate()
    PeriodicTasks m_tasks;                               //!< of Install()
    std::map<WaitGraph::Place, Standing> m_standing;     //!< at the last look
    std::vector<Deadlock> m_deadlocks;                   //!< found
    std::vector<std::vector<WaitGraph::Place>> m_cycles; //!< of m_deadlocks
    TracedCallback<const Deadlock&> m_trace;             //!< found
};

} // namespace ns3

#endif /* DEADLOCK_DETECTOR_H */
