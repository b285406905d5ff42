// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOW_FILE_H
#define FLOW_FILE_H

#include "fabric-flow.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Flow files of the HPCC and ConWeave simulators.
 *
 * Line 1 holds the number of flows; then per line, HPCC: `src dst pg dport size_bytes start_s`,
 * ConWeave: `src dst pg size_bytes start_s`, told apart by the number of fields. Flows may be in
 * any order. Start times are read exactly, to the nearest picosecond. A line that begins with
 * `First line:` ends the data, as in the files that ship with those simulators.
 */
struct FlowFile
{
    /// Which simulator's format.
    enum Format
    {
        HPCC,    //!< six fields
        CONWEAVE //!< five fields, without destination port
    };

    Format format{HPCC};           //!< format read, or to write
    std::string path;              //!< file read, for messages
    std::vector<FabricFlow> flows; //!< in the order of the file; pg is the priority
    std::vector<uint32_t> lines;   //!< line of each flow, for messages
};

/**
 * @ingroup dcfabric
 * @param path file to read
 * @return its flows; that nodes exist is not known here. Of more flows than line 1 promises the
 * first ones, as the public simulators do, with a warning (see WarnFabric())
 * @throws FabricError with file and line for everything that is not exactly the format: fewer flows
 * than promised, fields missing or left over, anything negative or not a number, a flow of no
 * bytes, from a node to itself, or of a priority above 7
 */
FlowFile ReadFlowFile(const std::string& path);

/**
 * @ingroup dcfabric
 * @brief Write flows so that ReadFlowFile() and, when sorted by start, the public simulators read
 * them back.
 *
 * The file appears whole or not at all.
 *
 * @param file flows and format
 * @param path file to write
 * @throws FabricError if the file cannot be written, or a flow has no end
 */
void WriteFlowFile(const FlowFile& file, const std::string& path);

} // namespace ns3

#endif /* FLOW_FILE_H */
