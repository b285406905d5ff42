// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOW_RECORDER_H
#define FLOW_RECORDER_H

#include "flow-order.h"
#include "flow-source.h"
#include "late-stop.h"

#include "ns3/event-id.h"
#include "ns3/fabric-flow.h"
#include "ns3/fabric.h"
#include "ns3/flow-trigger.h"
#include "ns3/rank-notes.h"
#include "ns3/rank-world.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{

class HostIslands;

/**
 * @ingroup dcfabric
 * @brief What became of one flow.
 */
struct FlowRecord
{
    int64_t fctPs{-1};         //!< start to last byte at the receiver; negative: not yet
    int64_t senderFctPs{-1};   //!< start to last ACK at the sender; negative: not yet
    uint64_t packetsSent{0};   //!< retransmissions included; see FlowRecorder::CollectOpen()
    uint64_t retransmitted{0}; //!< packets sent again; see FlowRecorder::CollectOpen()
    /// Reductions of window or rate of its connection; of one that carries several messages, those
    /// since the last one was complete. See FlowRecorder::CollectOpen().
    uint64_t reductions{0};
    uint64_t reordered{0}; //!< packets that arrived after a later one; known on delivery

    /// @return true if the receiver has everything and the sender knows
    bool IsComplete() const
    {
        return fctPs >= 0 && senderFctPs >= 0;
    }

    /**
     * @brief Learn what another process knows of the same flow.
     * @param there its record, in which the end that is not there is empty
     */
    void Join(const FlowRecord& there)
    {
        fctPs = std::max(fctPs, there.fctPs);
        senderFctPs = std::max(senderFctPs, there.senderFctPs);
        packetsSent += there.packetsSent;
        retransmitted += there.retransmitted;
        reductions += there.reductions;
        reordered += there.reordered;
    }
};

/**
 * @ingroup dcfabric
 * @brief Starts the flows of a workload on a fabric and records when each of them ends.
 *
 * Takes the message callbacks of all NICs; a flow's index is its message tag. Results lie in arrays
 * by flow index.
 * A flow that waits for a trigger has FabricFlow::ON_TRIGGER as its start until it starts.
 */
class FlowRecorder
{
  public:
    /**
     * @param fabric the network
     * @param flows what to send; the index is the flow number
     * @param triggers what starts the flows that wait for others
     * @throws FabricError if a flow does not fit the network, or for a fault of the triggers (see
     * FindFlowTriggerFault())
     */
    FlowRecorder(Ptr<Fabric> fabric,
                 std::vector<FabricFlow> flows,
                 std::vector<FlowTrigger> triggers = {});
    ~FlowRecorder();
    FlowRecorder(const FlowRecorder&) = delete;
    FlowRecorder& operator=(const FlowRecorder&) = delete;

    /**
     * @brief Stop the simulation when all flows are complete, so that whatever is periodic ends;
     * with a flow without end it never stops by itself.
     * @param stop true: do so
     */
    void SetStopWhenComplete(bool stop);

    /**
     * @brief Tell flows apart by a label each; by default they have none.
     * @param labels by FabricFlow::group, as FabricWorkload::GetGroups() has them; call before
     * Start()
     * @throws FabricError if a flow has no label, or if a label is empty, occurs twice or has a
     * character that a CSV file would have to quote
     */
    void SetGroups(std::vector<std::string> labels);

    /// @return labels by FabricFlow::group; empty: flows have none
    const std::vector<std::string>& GetGroups() const
    {
        return m_groups;
    }

    /**
     * @param group index of a label
     * @return payload of its flows that has arrived and was new, in bytes
     */
    uint64_t GetDeliveredBytes(uint16_t group) const
    {
        return m_groupBytes.at(group);
    }

    /**
     * @brief Let something make flows during the run.
     * @param source it; must live as long as the run; null: nothing
     */
    void SetSource(FlowSource* source)
    {
        m_source = source;
    }

    /// @return what makes flows during the run; null: nothing
    const FlowSource* GetSource() const
    {
        return m_source;
    }

    /**
     * @brief Let the source make flows to hosts of other processes (ranks) of the simulation.
     * Before the run.
     * @param links to them; must live as long as the run
     */
    void SetLinks(RankNotes& links);

    /// Told of a flow that another process has begun and that ends at a host of this one.
    using Listener = std::function<void(const FabricFlow& flow)>;

    /**
     * @brief Be told of flows that other processes have begun, those that are written into memory
     * excepted.
     * @param listener it
     */
    void SetBegunElsewhere(Listener listener)
    {
        m_onBegunElsewhere = std::move(listener);
    }

    /// What a source makes.
    struct Made
    {
        FabricFlow flow;           //!< what to send; its start is set to the present
        FlowOrder order;           //!< which number it gets when processes join what they know
        bool write{false};         //!< it is written into memory of the receiver
        uint64_t remoteAddress{0}; //!< of a write: what MessageMatcher::Expose() gave there
        uint32_t queuePair{0};     //!< see FabricMessages::Send()
    };

    /**
     * @brief Start a flow now that was not known before the run. For the source.
     * @param made it; a write only where messages are matched
     * @param note what the source at the receiver is told, if that is in another process
     * @return its index
     * @throws FabricError if it does not fit the network
     */
    uint32_t Begin(const Made& made, const std::string& note = {});

    /// The source has finished.
    void OnSourceFinished();

    /// Hand all flows to their NICs, which start them at their times; those of triggers follow when
    /// the triggers fire.
    void Start();

    /// Bring the packet counters of flows that are being sent up to date; those of completed flows
    /// are final.
    void CollectOpen();

    /// @return the flows
    const std::vector<FabricFlow>& GetFlows() const
    {
        return m_flows;
    }

    /// @return what became of them
    const std::vector<FlowRecord>& GetRecords() const
    {
        return m_records;
    }

    /**
     * @param flow its index
     * @return a name of the flow that all processes of the simulation know it by
     */
    FlowOrder GetOrder(uint32_t flow) const
    {
        FlowOrder order;
        order.atPs = -1; // before all that are made
        order.number = flow;
        return flow < m_nGiven || m_orders.empty() ? order : m_orders[flow - m_nGiven];
    }

    /// @return the network
    Ptr<Fabric> GetFabric() const
    {
        return m_fabric;
    }

    /// @return flows that are complete at both ends
    uint32_t GetNCompleted() const
    {
        return m_nCompleted;
    }

    /// @return true if all flows that have an end are complete, and no flow will follow
    bool IsComplete() const
    {
        return m_nOpenEnds == 0 && (!m_source || m_source->IsFinished());
    }

    /// @return ends of flows, at hosts that this process simulates, that are not complete; flows
    /// without end not counted
    uint64_t GetNOpenEnds() const
    {
        return m_nOpenEnds;
    }

    /// @return when the last end became complete, in ps
    int64_t GetLastEndPs() const
    {
        return m_lastEndPs;
    }

    /// @return when something happened last at what this process simulates, in ps
    int64_t GetLastPs() const
    {
        return std::max(m_fabric->GetLastPs(), m_source ? m_source->GetLastPs() : 0);
    }

    /// @return simulator events that were spent on stopping
    uint64_t GetNStopEvents() const
    {
        return m_stop.GetNEvents();
    }

    /// @return simulator events in which triggers have started flows, less those of one process
    /// that simulates all; after Join()
    uint64_t GetNRepeatedStarts() const
    {
        return m_nRepeatedStarts;
    }

    /**
     * @brief Put down what this process knows of flows, for one that joins it with others.
     * @return it, for Join()
     */
    std::string PackEnds() const;

    /**
     * @brief Learn what another process knows of flows.
     * @param bytes what PackEnds() gave there
     * @throws FabricError if that is something else
     */
    void Join(const std::string& bytes);

    /// @return flows without end (FabricFlow::ENDLESS)
    uint32_t GetNEndless() const
    {
        return m_nEndless;
    }

    /**
     * @param nowPs the time in ps
     * @return flows whose start is not after a time
     */
    uint32_t GetNStarted(int64_t nowPs) const;

    /**
     * @param nowPs the present in ps
     * @return true if a flow has started and is not complete; to be asked by all ranks together
     */
    bool IsActive(int64_t nowPs) const
    {
        // each rank knows what triggers have started at its own hosts
        const uint64_t started = GetNStarted(nowPs) - m_nTriggered + RankWorld::Sum(m_nTriggered);
        return 2 * started > RankWorld::Sum(m_nClosedEnds);
    }

    /**
     * @param nowPs the time in ps
     * @return the first start after a time in ps that is known, or when the source acts next;
     * FabricTime::NEVER if there is none
     */
    int64_t GetNextStartPs(int64_t nowPs) const;

    /**
     * @param node a host
     * @return payload of all flows to it that are known here, in bytes
     */
    uint64_t GetBytesTo(uint32_t node) const
    {
        return m_bytesTo[node];
    }

    /// @return payload of all flows that have an end, in bytes
    uint64_t GetTotalBytes() const
    {
        return m_totalBytes;
    }

    /// @return start of the first flow in ps, 0 without flows
    int64_t GetFirstStartPs() const
    {
        return m_starts.empty() ? 0 : m_starts.front();
    }

    /**
     * @param flow its index
     * @return what a flow takes alone on its best path in ps; negative if that is not known, see
     * Fabric::GetIdealFctPs()
     */
    int64_t GetIdealFctPs(uint32_t flow) const;

    /**
     * @param flow its index
     * @return fct over ideal fct; negative for a flow that has not arrived, and if the ideal is not
     * known
     */
    double GetSlowdown(uint32_t flow) const;

    /**
     * @brief Write flows.csv: one line a flow, in the order of flow numbers.
     *
     * Times are in ns with up to three decimals. A flow that has not arrived has empty fct_ns and
     * slowdown, one that is not acknowledged an empty sender_fct_ns; one without end has
     * size_bytes 0 and an empty ideal_fct_ns. With labels there are two
     * further columns, group and cc_reductions.
     * @param path file to write
     * @throws FabricError if it cannot be written
     */
    void WriteCsv(const std::string& path) const;

  private:
    /// Refuse a flow that does not fit the network.
    void CheckFlow(std::size_t index, const FabricFlow& flow) const;
    /// @return index of a flow that is known from now on
    uint32_t Append(const FabricFlow& flow, const FlowOrder& order);
    /// Another process has begun a flow.
    void ReceiveNote(const std::string& note);
    /**
     * @param src its sender
     * @param tag by which that knows it
     * @return index of a flow
     */
    uint32_t Find(uint32_t src, uint32_t tag) const;
    /// Put down what is known of the flows that the source has made, for JoinMade().
    void PackMade(std::string& bytes) const;
    /// Learn what another process knows of such flows, and number all in their order.
    void JoinMade(const std::string& bytes, std::size_t& at);
    /// Stop the simulation if it is to end when all flows are complete.
    void StopIfComplete();
    /// A flow has arrived.
    void OnDelivered(const FabricMessageEvent& event);
    /// New payload of a flow has arrived; only with labels.
    void OnPayload(Ptr<const FabricPacketItem> item);
    /// A flow is acknowledged.
    void OnCompleted(const FabricMessageEvent& event);
    /// One of the two has happened.
    void CheckComplete(const FlowRecord& record);
    /// Learn what another process knows of a flow.
    void JoinFlow(uint32_t flow, int64_t startPs, const FlowRecord& there);
    /// @return how many ends of a flow are at hosts that this process simulates
    uint32_t CountEnds(const FabricFlow& flow) const;
    /// @brief Have the flows of m_due started at this time, after everything else that happens now.
    void ScheduleDue();
    /// Start the flows of m_due, now.
    void StartDue();
    /// Hand a flow to its NIC. @param queuePair see FabricMessages::Send()
    void Send(uint32_t flow, uint32_t queuePair = 0);

    Ptr<Fabric> m_fabric;                //!< network
    std::vector<FabricFlow> m_flows;     //!< what is sent
    std::vector<FlowTrigger> m_triggers; //!< of flows that wait for others
    FlowTriggerState m_triggerState;     //!< of m_triggers
    std::vector<uint32_t> m_due;         //!< flows whose triggers have fired at this time
    EventId m_startDue;                  //!< starts them
    std::vector<int64_t> m_dueTimesPs;   //!< when it has done so, ascending
    uint64_t m_nRepeatedStarts{0};       //!< see GetNRepeatedStarts()
    uint64_t m_nTriggered{0};            //!< flows that triggers and the source have started here
    std::vector<std::string> m_groups;   //!< labels
    std::vector<uint64_t> m_groupBytes;  //!< payload that has arrived, by label
    std::vector<FlowRecord> m_records;   //!< what became of it
    std::vector<int64_t> m_starts;       //!< all starts that are known, ascending, ps
    FlowSource* m_source{nullptr};       //!< makes flows during the run
    std::size_t m_nGiven;                //!< flows that were known before the run
    RankNotes* m_links{nullptr};         //!< to other processes; null: there are none
    std::vector<FlowOrder> m_orders;     //!< of flows that were made, if there are m_links
    Listener m_onBegunElsewhere;         //!< see SetBegunElsewhere()
    /// Which hosts can talk; null: all.
    std::unique_ptr<HostIslands> m_islands;
    /// Flows that others have made and that have not arrived, by sender and its number.
    std::unordered_map<uint64_t, uint32_t> m_foreign;
    std::vector<uint64_t> m_bytesTo; //!< payload by receiver
    bool m_hasFinished{false};       //!< the source
    uint64_t m_totalBytes{0};        //!< of all flows
    uint32_t m_nCompleted{0};        //!< at both ends
    uint64_t m_nOpenEnds{0};         //!< see GetNOpenEnds()
    uint64_t m_nClosedEnds{0};       //!< ends at hosts of this process that are complete
    int64_t m_lastEndPs{0};          //!< see GetLastEndPs()
    LateStop m_stop;                 //!< ends the simulation
    uint32_t m_nEndless{0};          //!< without end
    bool m_stopWhenComplete{false};  //!< end the simulation
};

} // namespace ns3

#endif /* FLOW_RECORDER_H */
