// SPDX-License-Identifier: GPL-2.0-only
#include "flow-file.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-text-file.h"
#include "ns3/fabric-time.h"
#include "ns3/parse-units.h"
#include "ns3/promised-count.h"

#include <cstdio>

namespace ns3
{

namespace
{

constexpr size_t HPCC_FIELDS = 6;     //!< fields of an HPCC line
constexpr size_t CONWEAVE_FIELDS = 5; //!< fields of a ConWeave line
constexpr uint8_t MAX_PRIORITY = 7;   //!< IEEE 802.1Qbb

const char* const HPCC_LINE = "src dst pg dport size_bytes start_s";
const char* const CONWEAVE_LINE = "src dst pg size_bytes start_s";

/**
 * @param reader reader at a flow's line
 * @param hpcc which format
 * @param file where to append the flow
 */
void
ReadFlow(const FabricTextReader& reader, bool hpcc, FlowFile& file)
{
    reader.ExpectFields(hpcc ? HPCC_FIELDS : CONWEAVE_FIELDS, hpcc ? HPCC_LINE : CONWEAVE_LINE);
    FabricFlow flow;
    flow.src = static_cast<uint32_t>(reader.GetUint(0, "source node", 0, UINT32_MAX));
    flow.dst = static_cast<uint32_t>(reader.GetUint(1, "destination node", 0, UINT32_MAX));
    flow.priority = static_cast<uint8_t>(reader.GetUint(2, "priority (pg)", 0, MAX_PRIORITY));
    size_t field = 3;
    if (hpcc)
    {
        flow.port =
            static_cast<uint16_t>(reader.GetUint(field++, "destination port", 0, UINT16_MAX));
    }
    flow.sizeBytes = reader.GetUint(field++, "size in bytes", 1, INT64_MAX);
    flow.startPs = reader.GetSecondsPs(field, "start");
    if (flow.src == flow.dst)
    {
        reader.Refuse("the flow goes from node " + std::to_string(flow.src) +
                      " to itself; it needs two different nodes");
    }
    file.flows.push_back(flow);
    file.lines.push_back(reader.GetLine());
}

} // namespace

FlowFile
ReadFlowFile(const std::string& path)
{
    FabricTextReader reader(path);
    if (!reader.Next())
    {
        throw FabricError(ShowFabricPath(path) +
                          ":1: the file is empty; expected the number of flows");
    }
    reader.ExpectFields(1, "number of flows");
    const uint64_t count = reader.GetUint(0, "number of flows", 0, UINT32_MAX);
    FlowFile file;
    file.path = path;
    uint64_t follow = 0;
    while (reader.Next() && !reader.IsLegend())
    {
        if (++follow > count)
        {
            continue;
        }
        if (file.flows.empty())
        {
            const size_t fields = reader.GetFields().size();
            if (fields != HPCC_FIELDS && fields != CONWEAVE_FIELDS)
            {
                reader.Refuse("expected '" + std::string(HPCC_LINE) + "' or '" + CONWEAVE_LINE +
                              "', found " + FormatFabricCount(fields, "field"));
            }
            file.format = fields == HPCC_FIELDS ? FlowFile::HPCC : FlowFile::CONWEAVE;
        }
        ReadFlow(reader, file.format == FlowFile::HPCC, file);
    }
    WarnOfMoreThanPromised(path, "flow", count, follow);
    if (file.flows.size() < count)
    {
        reader.Refuse("the file ends after " + std::to_string(file.flows.size()) + " of " +
                      FormatFabricCount(count, "flow"));
    }
    return file;
}

namespace
{

/// @return seconds with nine decimals, or twelve where it takes them
std::string
FormatSeconds(int64_t startPs)
{
    char text[48];
    const auto seconds = static_cast<long long>(startPs / FabricTime::PS_PER_SECOND);
    const auto rest = static_cast<long long>(startPs % FabricTime::PS_PER_SECOND);
    if (rest % FabricTime::PS_PER_NS == 0)
    {
        std::snprintf(text, sizeof(text), "%lld.%09lld", seconds, rest / FabricTime::PS_PER_NS);
    }
    else
    {
        std::snprintf(text, sizeof(text), "%lld.%012lld", seconds, rest);
    }
    return text;
}

} // namespace

void
WriteFlowFile(const FlowFile& file, const std::string& path)
{
    std::string text = std::to_string(file.flows.size()) + "\n";
    for (const FabricFlow& flow : file.flows)
    {
        if (flow.sizeBytes == FabricFlow::ENDLESS)
        {
            throw FabricError(ShowFabricPath(path) +
                              ": flow files cannot represent a flow without end");
        }
        text += std::to_string(flow.src) + " " + std::to_string(flow.dst) + " " +
                std::to_string(flow.priority) + " ";
        if (file.format == FlowFile::HPCC)
        {
            text += std::to_string(flow.port) + " ";
        }
        text += std::to_string(flow.sizeBytes) + " " + FormatSeconds(flow.startPs) + "\n";
    }
    WriteFabricTextFile(path, text);
}

} // namespace ns3
