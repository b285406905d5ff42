// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOW_TABLE_H
#define FLOW_TABLE_H

#include "flow-columns.h"
#include "flow-counts.h"
#include "flow-order.h"

#include "ns3/fabric-flow.h"
#include "ns3/fabric.h"

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3
{

class HostIslands;

/**
 * @ingroup dcfabric
 * @brief When a flow has arrived and was acknowledged.
 */
struct FlowRecord
{
    int64_t fctPs{-1};       //!< start to last byte at the receiver; negative: not yet
    int64_t senderFctPs{-1}; //!< start to last ACK at the sender; negative: not yet

    /// @return true if the receiver has everything and the sender knows
    bool IsComplete() const
    {
        return fctPs >= 0 && senderFctPs >= 0;
    }
};

/**
 * @ingroup dcfabric
 * @brief The flows of a run and what became of them, by flow index.
 *
 * Those that are known before the run have the same index in all processes (ranks). One that is
 * made during the run has an index of its own in each process that knows it, and a FlowOrder by
 * which all of them name it.
 */
class FlowTable
{
  public:
    /// All that is known of a flow.
    struct Entry
    {
        FlowOrder order;              //!< its name in all processes
        FabricFlow flow;              //!< what is sent
        FlowRecord record;            //!< when it arrived
        std::vector<uint64_t> counts; //!< by FlowColumn::place
    };

    /**
     * @param fabric the network
     * @param flows what is sent
     * @throws FabricError if a flow does not fit the network
     */
    FlowTable(Ptr<Fabric> fabric, std::vector<FabricFlow> flows);
    ~FlowTable();
    FlowTable(const FlowTable&) = delete;
    FlowTable& operator=(const FlowTable&) = delete;

    /// @return the network
    Ptr<Fabric> GetFabric() const
    {
        return m_fabric;
    }

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
     * @param column of flows.csv, one that is counted
     * @return what it has counted
     */
    uint64_t GetCount(uint32_t flow, const FlowColumn& column) const
    {
        return m_counts.Get(flow, column.place);
    }

    /**
     * @param flow its index
     * @return all of it
     */
    Entry GetEntry(uint32_t flow) const;

    /**
     * @param flow its index
     * @return a name of the flow that all processes of the simulation know it by
     */
    FlowOrder GetOrder(uint32_t flow) const;

    /// @return flows that were known before the run
    uint32_t GetNGiven() const
    {
        return m_nGiven;
    }

    /// @return flows without end (FabricFlow::ENDLESS)
    uint32_t GetNEndless() const
    {
        return m_nEndless;
    }

    /// @return flows that are complete at both ends
    uint32_t GetNCompleted() const
    {
        return m_nCompleted;
    }

    /**
     * @param nowPs the time in ps
     * @return flows whose start is not after a time
     */
    uint32_t GetNStarted(int64_t nowPs) const;

    /**
     * @param nowPs the time in ps
     * @return the first start after a time in ps that is known; FabricTime::NEVER if there is none
     */
    int64_t GetNextStartPs(int64_t nowPs) const;

    /// @return start of the first flow in ps, 0 without flows
    int64_t GetFirstStartPs() const
    {
        return m_starts.empty() ? 0 : m_starts.front();
    }

    /// @return payload of all flows that have an end, in bytes
    uint64_t GetTotalBytes() const
    {
        return m_totalBytes;
    }

    /**
     * @param node a host
     * @return payload of all flows to it that are known here and will arrive, in bytes
     */
    uint64_t GetBytesTo(uint32_t node) const
    {
        return m_bytesTo[node];
    }

    /**
     * @param flow its index
     * @return what a flow takes alone on its best path in ps
     */
    int64_t GetIdealFctPs(uint32_t flow) const;

    /**
     * @param flow its index
     * @return fct over ideal fct; negative for a flow that has not arrived
     */
    double GetSlowdown(uint32_t flow) const;

    /**
     * @param flow of the table
     * @return false if its sender gets no answers (ReliabilityPolicy::AwaitsAnswers()): it is over
     * some time after the last packet has left, whether all has arrived or not
     */
    bool IsAnswered(const FabricFlow& flow) const;

    /// @return true if there is a flow whose sender gets no answers
    bool HasDatagrams() const;

    /**
     * @param flow of the table
     * @return how many of its ends close at hosts that this process simulates: each at its host, or
     * of one that is not answered both at the sender
     */
    uint32_t CountEnds(const FabricFlow& flow) const;

    /// @return ends at hosts that this process simulates of all flows that have an end
    uint64_t GetNEnds() const
    {
        return m_nEnds;
    }

    /// Flows are made at hosts of several processes. Before the run.
    void SetShared()
    {
        m_isShared = true;
    }

    /**
     * @brief Add a flow that starts now.
     * @param flow it, with its start
     * @param order its name
     * @return its index
     * @throws FabricError if it does not fit the network
     */
    uint32_t Add(const FabricFlow& flow, const FlowOrder& order);

    /**
     * @brief Add a flow that another process has begun.
     * @param flow it
     * @param order its name
     * @param tag its index there
     * @return its index here
     */
    uint32_t AddForeign(const FabricFlow& flow, const FlowOrder& order, uint32_t tag);

    /**
     * @brief Let flows start that have waited.
     * @param flows their indices
     * @param nowPs the present in ps
     */
    void Start(const std::vector<uint32_t>& flows, int64_t nowPs);

    /**
     * @param src its sender
     * @param tag by which that knows it
     * @return index of a flow
     */
    uint32_t Find(uint32_t src, uint32_t tag) const;

    /**
     * @brief A flow is complete at one end.
     * @param flow its index
     * @param end which
     * @param event what the NIC there tells
     */
    void Complete(uint32_t flow, FlowEnd end, const FabricMessageEvent& event);

    /**
     * @brief Take over what the columns of one end count so far.
     * @param flow its index
     * @param end which
     * @param event what the NIC there tells
     */
    void Count(uint32_t flow, FlowEnd end, const FabricMessageEvent& event);

    /**
     * @brief Learn what another process knows of a flow that was known before the run: of each end
     * one process knows, and the others have nothing. JoinMade() has to follow.
     * @param flow its index
     * @param there what the other knows
     */
    void Join(uint32_t flow, const Entry& there);

    /**
     * @brief Learn which flows other processes know that were made during the run, and number all
     * in their order. Indices of flows made here are no longer valid.
     * @param there what the others know
     */
    void JoinMade(const std::vector<Entry>& there);

  private:
    /// Refuse a flow that does not fit the network.
    void Check(std::size_t index, const FabricFlow& flow) const;
    /// @return index of a flow that is known from now on
    uint32_t Append(const FabricFlow& flow, const FlowOrder& order);
    /// Add up what columns have counted of a flow.
    void AddCounts(uint32_t flow, const std::vector<uint64_t>& counts);

    Ptr<Fabric> m_fabric;                     //!< network
    std::vector<FabricFlow> m_flows;          //!< what is sent
    std::vector<FlowRecord> m_records;        //!< what became of it
    std::vector<const FlowColumn*> m_counted; //!< columns that are counted
    FlowCounts m_counts;                      //!< by flow and FlowColumn::place
    std::vector<int64_t> m_starts;            //!< all starts that are known, ascending, ps
    uint32_t m_nGiven;                        //!< flows that were known before the run
    bool m_isShared{false};                   //!< see SetShared()
    std::vector<FlowOrder> m_orders;          //!< of flows that were made, if it is shared
    std::unique_ptr<HostIslands> m_islands;   //!< which hosts can talk; null: all
    /// Flows that others have made and that have not arrived, by sender and its number.
    std::unordered_map<uint64_t, uint32_t> m_foreign;
    std::vector<uint64_t> m_bytesTo; //!< payload by receiver
    uint64_t m_totalBytes{0};        //!< of all flows
    uint64_t m_nEnds{0};             //!< see GetNEnds()
    uint32_t m_nCompleted{0};        //!< at both ends
    uint32_t m_nEndless{0};          //!< without end
};

/**
 * @ingroup dcfabric
 * @brief Write flows.csv: one line a flow, in the order of flow numbers, with FlowColumns.
 *
 * Times are in ns with up to three decimals. A flow that has not arrived has empty fct_ns and
 * slowdown, one that is not acknowledged an empty sender_fct_ns; one without end has
 * size_bytes 0 and an empty ideal_fct_ns; one that has not begun an empty start_ns. With labels
 * there are further columns.
 * @param table the flows
 * @param labels by FabricFlow::group; empty: there are none
 * @param path file to write
 * @param endPs end of the run, ps: flows that were to start later have not begun
 * @throws FabricError if it cannot be written
 */
void WriteFlowTable(const FlowTable& table,
                    const std::vector<std::string>& labels,
                    const std::string& path,
                    int64_t endPs);

} // namespace ns3

#endif /* FLOW_TABLE_H */
