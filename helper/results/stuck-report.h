// SPDX-License-Identifier: GPL-2.0-only
#ifndef STUCK_REPORT_H
#define STUCK_REPORT_H

#include "flow-recorder.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Why nothing moves: which flows are not complete, where packets lie, which ports are paused
 * and by whom.
 */
class StuckReport
{
  public:
    /**
     * @brief Look at the hosts and switches that this process simulates.
     * @param recorder of the flows, before it is joined with others
     */
    explicit StuckReport(const FlowRecorder& recorder);

    /// @return what was seen, for Join()
    std::string Pack() const;

    /**
     * @brief Learn what another process has seen at its nodes.
     * @param bytes what Pack() gave there
     * @throws FabricError if that is something else
     */
    void Join(const std::string& bytes);

    /**
     * @param recorder of the flows; it and what makes flows are joined with those of the processes
     * whose reports are
     * @param maxLines most lines of each kind; what is left out is counted
     * @return lines of text
     */
    std::string ToText(const FlowRecorder& recorder, std::size_t maxLines = 20) const;

  private:
    /// Kinds of lines beside those of flows.
    enum Section : uint32_t
    {
        MATCHING, //!< hosts with open messages
        PACKETS,  //!< queues that hold packets
        DOWN,     //!< ports whose link is down
        PAUSED,   //!< ports that are paused
        N_SECTIONS,
    };

    /// @return the lines of a section, in the order of nodes
    std::vector<std::string> GetLines(Section section) const;

    std::map<FlowOrder, std::string> m_flows;            //!< how they are sent
    std::map<uint64_t, std::string> m_lines[N_SECTIONS]; //!< by host, or node and port
};

/**
 * @ingroup dcfabric
 * @brief Say why nothing moves, in a simulation of one process.
 * @param recorder of the flows
 * @param maxLines as of StuckReport::ToText()
 * @return lines of text
 */
std::string DescribeStuckFabric(const FlowRecorder& recorder, std::size_t maxLines = 20);

} // namespace ns3

#endif /* STUCK_REPORT_H */
