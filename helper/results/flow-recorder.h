// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOW_RECORDER_H
#define FLOW_RECORDER_H

#include "flow-labels.h"
#include "flow-progress.h"
#include "flow-starter.h"
#include "flow-table.h"

#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Starts the flows of a workload on a fabric and records what becomes of them.
 *
 * This is what its parts are held together by: the FlowTable has the flows and their records, the
 * FlowStarter starts them, the FlowProgress hears of their ends and stops the simulation, the
 * FlowLabels tell kinds of flows apart, and flows.csv is made of FlowColumns.
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
                 std::vector<FlowTrigger> triggers = {})
        : m_table(fabric, std::move(flows)),
          m_starter(m_table, std::move(triggers)),
          m_progress(m_table, m_starter),
          m_labels(m_table)
    {
    }

    /// @return the flows and what became of them
    const FlowTable& GetTable() const
    {
        return m_table;
    }

    /// @return what starts them
    FlowStarter& GetStarter()
    {
        return m_starter;
    }

    /// @return what starts them
    const FlowStarter& GetStarter() const
    {
        return m_starter;
    }

    /// @return what hears of their ends
    FlowProgress& GetProgress()
    {
        return m_progress;
    }

    /// @return what hears of their ends
    const FlowProgress& GetProgress() const
    {
        return m_progress;
    }

    /// @return what tells kinds of them apart
    FlowLabels& GetLabels()
    {
        return m_labels;
    }

    /// @return what tells kinds of them apart
    const FlowLabels& GetLabels() const
    {
        return m_labels;
    }

    /// @return the network
    Ptr<Fabric> GetFabric() const
    {
        return m_table.GetFabric();
    }

    /// @return the flows
    const std::vector<FabricFlow>& GetFlows() const
    {
        return m_table.GetFlows();
    }

    /// @return when they arrived
    const std::vector<FlowRecord>& GetRecords() const
    {
        return m_table.GetRecords();
    }

    /**
     * @brief Stop the simulation when all flows are complete (FlowProgress::SetStopWhenComplete()).
     * @param stop true: do so
     */
    void SetStopWhenComplete(bool stop)
    {
        m_progress.SetStopWhenComplete(stop);
    }

    /// Start the flows at their times (FlowStarter::Start()).
    void Start()
    {
        m_starter.Start();
    }

    /// @return true if all flows that have an end are complete, and no flow will follow
    bool IsComplete() const
    {
        return m_progress.IsComplete();
    }

    /**
     * @brief Write flows.csv (WriteFlowTable()).
     * @param path file to write
     * @param endPs end of the run, ps: flows that were to start later have not begun; without it
     * all have
     * @throws FabricError if it cannot be written
     */
    void WriteCsv(const std::string& path, int64_t endPs = FabricTime::NEVER) const
    {
        WriteFlowTable(m_table, m_labels.Get(), path, endPs);
    }

    /**
     * @brief Put down what this process knows of flows, for one that joins it with others.
     * @return it, for Join()
     */
    std::string Pack() const;

    /**
     * @brief Learn what another process knows of flows.
     * @param bytes what Pack() gave there
     * @throws FabricError if that is something else
     */
    void Join(const std::string& bytes);

  private:
    FlowTable m_table;       //!< see GetTable()
    FlowStarter m_starter;   //!< see GetStarter()
    FlowProgress m_progress; //!< see GetProgress()
    FlowLabels m_labels;     //!< see GetLabels()
};

} // namespace ns3

#endif /* FLOW_RECORDER_H */
