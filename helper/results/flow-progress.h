// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOW_PROGRESS_H
#define FLOW_PROGRESS_H

#include "flow-starter.h"
#include "flow-table.h"
#include "late-stop.h"

#include "ns3/event-id.h"

#include <cstdint>
#include <map>
#include <set>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Hears from all NICs when flows arrive and are acknowledged, and ends the simulation when
 * all are.
 *
 * Takes the message callbacks of all NICs; a flow's index is its message tag.
 */
class FlowProgress
{
  public:
    /**
     * @param table the flows; must outlive this object
     * @param starter starts them; likewise
     */
    FlowProgress(FlowTable& table, FlowStarter& starter);
    ~FlowProgress();
    FlowProgress(const FlowProgress&) = delete;
    FlowProgress& operator=(const FlowProgress&) = delete;

    /**
     * @brief Stop the simulation when all flows are complete, so that whatever is periodic ends;
     * with a flow without end it never stops by itself.
     * @param stop true: do so
     */
    void SetStopWhenComplete(bool stop)
    {
        m_stopWhenComplete = stop;
    }

    /// The source has finished.
    void OnSourceFinished();

    /// Bring the counts of flows that are being sent up to date; those of completed flows are
    /// final.
    void CollectOpen();

    /// @return true if all flows that have an end are complete, and no flow will follow
    bool IsComplete() const
    {
        return GetNOpenEnds() == 0 && m_starter.IsFinished();
    }

    /**
     * @param nowPs the present in ps
     * @return true if a flow has started and is not complete, or the source is busy; to be asked by
     * all ranks together
     */
    bool IsActive(int64_t nowPs) const;

    /// @return ends of flows, at hosts that this process simulates, that are not complete; flows
    /// without end not counted
    uint64_t GetNOpenEnds() const
    {
        return m_table.GetNEnds() - m_nClosedEnds + m_nOpenElsewhere;
    }

    /**
     * @brief Learn how many ends of flows are open in another process.
     * @param count what GetNOpenEnds() gave there
     */
    void JoinOpenEnds(uint64_t count)
    {
        m_nOpenElsewhere += count;
    }

    /// @return when the last end became complete, in ps
    int64_t GetLastEndPs() const
    {
        return m_lastEndPs;
    }

    /// @return when something happened last at what this process simulates, in ps
    int64_t GetLastPs() const;

    /**
     * @brief Nodes may have head starts (FabricEngine::SetHeadStarts()): take what they tell in the
     * order of time, where something follows from it.
     */
    void KeepOrder()
    {
        m_keepsOrder = true;
    }

    /// @return simulator events that were spent on stopping, and on order
    uint64_t GetNStopEvents() const
    {
        return m_stop.GetNEvents() + m_nLingerEvents + m_nOrderEvents;
    }

  private:
    /// An end that a node has told of, and that is taken later.
    struct Told
    {
        uint32_t flow;            //!< number
        FlowEnd end;              //!< which
        FabricMessageEvent event; //!< what was told
    };

    /// What was told at one time.
    struct ToldAt
    {
        std::vector<Told> ends; //!< in the order of telling
        EventId next;           //!< ComeTo(), then TakeTold()
    };

    /// A node tells that a flow is complete at one end.
    void OnTold(uint32_t flow, FlowEnd end, const FabricMessageEvent& event);
    /// All nodes have come to the time of the first ends that were told.
    void ComeTo();
    /// All nodes have handled what happens at this time: take what they have told.
    void TakeTold();
    /// A flow is complete at one end.
    void OnEnd(uint32_t flow, FlowEnd end, const FabricMessageEvent& event);
    /// Ends are closed, so many.
    void Close(uint64_t ends);
    /// Close both ends of a flow that is not answered after a time, in which packets may arrive.
    void Linger(int64_t lingerPs);
    /// The time of Linger() is over for the first flows that wait.
    void CloseLingering();
    /// Stop the simulation if it is to end when all flows are complete.
    void StopIfComplete();

    FlowTable& m_table;                 //!< flows
    FlowStarter& m_starter;             //!< starts them
    bool m_stopWhenComplete{false};     //!< end the simulation
    bool m_hasFinished{false};          //!< the source
    uint64_t m_nClosedEnds{0};          //!< ends at hosts of this process that are complete
    uint64_t m_nOpenElsewhere{0};       //!< see JoinOpenEnds()
    int64_t m_lastEndPs{0};             //!< see GetLastEndPs()
    LateStop m_stop;                    //!< ends the simulation
    std::multiset<int64_t> m_lingering; //!< when flows that are not answered are over, in ps
    EventId m_closeLingering;           //!< for the first of these
    uint64_t m_nLingerEvents{0};        //!< simulator events for these
    bool m_keepsOrder{false};           //!< see KeepOrder()
    std::map<int64_t, ToldAt> m_told;   //!< by time in ps
    uint64_t m_nOrderEvents{0};         //!< simulator events for these
};

} // namespace ns3

#endif /* FLOW_PROGRESS_H */
