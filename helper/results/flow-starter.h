// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOW_STARTER_H
#define FLOW_STARTER_H

#include "flow-source.h"
#include "flow-table.h"

#include "ns3/event-id.h"
#include "ns3/flow-trigger.h"

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Starts the flows of a run: at their times, when triggers fire, or when a FlowSource makes
 * them.
 *
 * A flow that waits for a trigger has FabricFlow::ON_TRIGGER as its start until it starts.
 */
class FlowStarter
{
  public:
    /// What a source makes.
    struct Made
    {
        FabricFlow flow;           //!< what to send; its start is set to the present
        FlowOrder order;           //!< which number it gets when processes join what they know
        bool write{false};         //!< it is written into memory of the receiver
        uint64_t remoteAddress{0}; //!< of a write: what MessageMatcher::Expose() gave there
        uint32_t queuePair{0};     //!< see FabricMessages::Send()
    };

    /// Takes what the process of a host has to know of a flow to it, for ReceiveNote() there.
    using Teller = std::function<void(uint32_t host, const std::string& note)>;

    /// Told of a flow that another process has begun and that ends at a host of this one.
    using Listener = std::function<void(const FabricFlow& flow)>;

    /**
     * @param table the flows; must outlive this object
     * @param triggers what starts the flows that wait for others
     * @throws FabricError for a fault of the triggers (see FindFlowTriggerFault())
     */
    FlowStarter(FlowTable& table, std::vector<FlowTrigger> triggers);
    ~FlowStarter();
    FlowStarter(const FlowStarter&) = delete;
    FlowStarter& operator=(const FlowStarter&) = delete;

    /**
     * @brief Let something make flows during the run.
     * @param source it; must live as long as the run; null: nothing
     */
    void SetSource(FlowSource* source)
    {
        m_source = source;
    }

    /// @return what makes flows during the run; null: nothing
    FlowSource* GetSource() const
    {
        return m_source;
    }

    /**
     * @brief Let the source make flows to hosts of other processes (ranks) of the simulation.
     * Before the run.
     * @param teller tells those
     */
    void SetTeller(Teller teller);

    /**
     * @brief Be told of flows that other processes have begun, those that are written into memory
     * excepted.
     * @param listener it
     */
    void SetBegunElsewhere(Listener listener)
    {
        m_onBegunElsewhere = std::move(listener);
    }

    /// Hand all flows to their NICs, which start them at their times; those of triggers follow when
    /// the triggers fire.
    void Start();

    /**
     * @brief Start a flow now that was not known before the run. For the source.
     * @param made it; a write only where messages are matched
     * @param note what the source at the receiver is told, if that is in another process
     * @return its index
     * @throws FabricError if it does not fit the network
     */
    uint32_t Begin(const Made& made, const std::string& note = {});

    /**
     * @brief Another process has begun a flow to a host of this one.
     * @param note what its Teller was given
     */
    void ReceiveNote(const std::string& note);

    /**
     * @brief A flow is complete at one end: triggers may fire.
     * @param flow its index
     * @param end which
     */
    void FireTriggers(uint32_t flow, FlowEnd end);

    /**
     * @brief A flow is complete at one end: the source may begin others.
     * @param flow its index
     * @param end which
     */
    void TellSource(uint32_t flow, FlowEnd end);

    /// @return true if no flow begins because another one ends
    bool HasNoFollowers() const
    {
        return m_triggers.empty() && !m_source;
    }

    /// @return true if no flow will follow beside those that are known
    bool IsFinished() const
    {
        return !m_source || m_source->IsFinished();
    }

    /**
     * @param nowPs the time in ps
     * @return the first start after a time in ps that is known, or when the source acts next;
     * FabricTime::NEVER if there is none
     */
    int64_t GetNextStartPs(int64_t nowPs) const;

    /// @return flows that triggers and the source have started at hosts of this process
    uint64_t GetNTriggered() const
    {
        return m_nTriggered;
    }

    /// @return times in ps at which triggers have started flows, ascending
    const std::vector<int64_t>& GetDueTimesPs() const
    {
        return m_dueTimesPs;
    }

    /**
     * @brief Learn when triggers of another process have started flows.
     * @param timesPs what GetDueTimesPs() gave there
     */
    void JoinDueTimes(const std::vector<int64_t>& timesPs);

    /// @return simulator events in which triggers have started flows, less those of one process
    /// that simulates all; after JoinDueTimes()
    uint64_t GetNRepeatedStarts() const
    {
        return m_nRepeatedStarts;
    }

  private:
    /// @brief Have the flows of m_due started at this time, after everything else that happens now.
    void ScheduleDue();
    /// Start the flows of m_due, now.
    void StartDue();
    /// Hand a flow to its NIC. @param queuePair see FabricMessages::Send()
    void Send(uint32_t flow, uint32_t queuePair = 0);

    FlowTable& m_table;                  //!< flows
    std::vector<FlowTrigger> m_triggers; //!< of flows that wait for others
    FlowTriggerState m_triggerState;     //!< of m_triggers
    std::vector<uint32_t> m_due;         //!< flows whose triggers have fired at this time
    EventId m_startDue;                  //!< starts them
    std::vector<int64_t> m_dueTimesPs;   //!< when it has done so, ascending
    uint64_t m_nRepeatedStarts{0};       //!< see GetNRepeatedStarts()
    uint64_t m_nTriggered{0};            //!< see GetNTriggered()
    FlowSource* m_source{nullptr};       //!< makes flows during the run
    Teller m_teller;                     //!< to other processes; null: there are none
    Listener m_onBegunElsewhere;         //!< see SetBegunElsewhere()
};

} // namespace ns3

#endif /* FLOW_STARTER_H */
