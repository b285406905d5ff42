// SPDX-License-Identifier: GPL-2.0-only
#include "trace-series.h"

#include "ns3/abort.h"

#include <utility>

namespace ns3
{

namespace
{

/// @return the series, which others enter before main()
std::map<std::string, TraceSeries>&
GetSeriesTable()
{
    static std::map<std::string, TraceSeries> table;
    return table;
}

} // namespace

std::unique_ptr<FabricSampler>
TraceSeries::Open(const FlowRecorder& recorder, const std::string& folder) const
{
    std::string header = "time_ns";
    for (const ResultColumn& column : columns)
    {
        header += ',';
        header += column.name;
    }
    return make({recorder, folder + "/" + name + (columns.empty() ? "" : ".csv"), header});
}

const TraceSeries&
TraceSeriesTable::Add(TraceSeries series)
{
    const std::string name = series.name;
    const auto [entry, isNew] = GetSeriesTable().emplace(name, std::move(series));
    NS_ABORT_MSG_UNLESS(isNew, "there are two time series of the name " << name);
    return entry->second;
}

const std::map<std::string, TraceSeries>&
TraceSeriesTable::Get()
{
    return GetSeriesTable();
}

const TraceSeries*
TraceSeriesTable::Find(const std::string& name)
{
    const auto found = GetSeriesTable().find(name);
    return found == GetSeriesTable().end() ? nullptr : &found->second;
}

} // namespace ns3
