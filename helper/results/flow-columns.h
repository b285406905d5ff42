// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOW_COLUMNS_H
#define FLOW_COLUMNS_H

#include "result-column.h"

#include "ns3/fabric-message.h"
#include "ns3/fabric-nic.h"

#include <cstddef>
#include <cstdint>
#include <list>
#include <string>
#include <vector>

namespace ns3
{

struct FabricFlow;
struct FlowRecord;

/**
 * @ingroup dcfabric
 * @brief What the columns of flows.csv are made of, at the end of the run.
 */
struct FlowRow
{
    uint32_t number;          //!< of the flow
    const FabricFlow& flow;   //!< what was sent
    const FlowRecord& record; //!< when it arrived
    int64_t idealPs;          //!< what it takes alone, in ps; negative for one without end
    const std::string* label; //!< of its kind; null: flows have none
    bool hasBegun;            //!< false: its start has not come

    /// @return its payload in bytes, 0 of a flow without end
    uint64_t GetBytes() const;
};

/// An end of a flow.
enum class FlowEnd : uint8_t
{
    SENDER,   //!< which has the last ACK in the end
    RECEIVER, //!< which has the last byte in the end
};

/**
 * @ingroup dcfabric
 * @brief A column of flows.csv.
 *
 * Either it counts something at one end of each flow, or it is written from what is known in the
 * end. What is counted is 0 at first, and results of several processes (ranks) are added up: an end
 * is in one of them.
 */
struct FlowColumn
{
    /// Counts, at the NIC of that end.
    using Counter = uint64_t (*)(const FabricNic& nic, const FabricMessageEvent& event);
    /// Appends the field to a row.
    using Writer = void (*)(std::string& text, const FlowRow& row);

    ResultColumn column;          //!< name and type
    Writer write{nullptr};        //!< see there; null: it is counted
    Counter count{nullptr};       //!< see there; null: it is written
    FlowEnd end{FlowEnd::SENDER}; //!< where it is counted: when that end is complete, of flows that
                                  //!< are open at their senders at the end of the run, and of
                                  //!< those of which datagrams are missing at their receivers
    bool ofLabels{false};         //!< only where flows have labels
    bool ofDatagrams{false};      //!< only where senders get no answers
    std::size_t place{0};         //!< among those that are counted; given by the table
};

/**
 * @ingroup dcfabric
 * @brief The columns of flows.csv: those of the table in flow-columns.cc, and then what others add.
 * @code
 * const FlowColumn& g_rtt = FlowColumns::Add(
 *     FlowColumns::Count("base_rtt_ps", FlowEnd::SENDER,
 *                        [](const FabricNic& nic, const FabricMessageEvent& event) { ... }));
 * @endcode
 */
class FlowColumns
{
  public:
    /**
     * @param name in the first line
     * @param end where it is counted
     * @param count counts
     * @return a column
     */
    static FlowColumn Count(const char* name, FlowEnd end, FlowColumn::Counter count);

    /**
     * @brief Add a column, as a static object does, before the first FlowRecorder is made. Columns
     * that are added stand in the order of their names. Aborts if there is one of that name.
     * @param column it
     * @return it, as long as the program
     */
    static const FlowColumn& Add(FlowColumn column);

    /**
     * @brief Take a column out that was added, between two runs.
     * @param column what Add() has returned
     */
    static void Remove(const FlowColumn& column);

    /// @return all, in the order of the file
    static const std::list<FlowColumn>& Get();

    /// @return those that are counted, by FlowColumn::place
    static std::vector<const FlowColumn*> GetCounted();

    /**
     * @param name of a column
     * @return it
     * @throws FabricError if there is none
     */
    static const FlowColumn& Find(const std::string& name);
};

} // namespace ns3

#endif /* FLOW_COLUMNS_H */
