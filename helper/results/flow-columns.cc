// SPDX-License-Identifier: GPL-2.0-only
#include "flow-columns.h"

#include "flow-table.h"

#include "ns3/abort.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-flow.h"
#include "ns3/result-file.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <utility>

namespace ns3
{

namespace
{

/// Append a time, nothing if it is negative.
void
WriteTimeField(std::string& text, int64_t timePs)
{
    if (timePs >= 0)
    {
        AppendNanoseconds(text, timePs);
    }
}

void
WriteIdealField(std::string& text, const FlowRow& row)
{
    WriteTimeField(text, row.idealPs < IdealTimeProvider::BEYOND_PS ? row.idealPs : -1);
}

void
WriteSlowdownField(std::string& text, const FlowRow& row)
{
    if (row.record.fctPs >= 0 && row.idealPs >= 0)
    {
        char slowdown[32];
        std::snprintf(slowdown,
                      sizeof(slowdown),
                      "%.6f",
                      static_cast<double>(row.record.fctPs) / static_cast<double>(row.idealPs));
        text += slowdown;
    }
}

/// A column that is written.
FlowColumn
Field(const char* name, ResultColumn::Type type, FlowColumn::Writer write)
{
    return {{name, type}, write};
}

/// A column that is counted.
FlowColumn
Count(const char* name, FlowEnd end, FlowColumn::Counter count)
{
    return FlowColumns::Count(name, end, count);
}

/// One of flows with labels only.
FlowColumn
OfLabels(FlowColumn column)
{
    column.ofLabels = true;
    return column;
}

/// One of datagrams only.
FlowColumn
OfDatagrams(FlowColumn column)
{
    column.ofDatagrams = true;
    return column;
}

/// @return the columns of this module, in the order of the file
std::list<FlowColumn>
MakeColumns()
{
    constexpr auto KEY = ResultColumn::Type::KEY;
    constexpr auto WHOLE = ResultColumn::Type::WHOLE;
    constexpr auto REAL = ResultColumn::Type::REAL;
    constexpr auto TEXT = ResultColumn::Type::TEXT;
    constexpr auto SENDER = FlowEnd::SENDER;
    constexpr auto RECEIVER = FlowEnd::RECEIVER;
    // t: text, r: row, e: event
    return {
        Field("flow", KEY, [](auto& t, auto& r) { t += std::to_string(r.number); }),
        Field("src", KEY, [](auto& t, auto& r) { t += std::to_string(r.flow.src); }),
        Field("dst", KEY, [](auto& t, auto& r) { t += std::to_string(r.flow.dst); }),
        Field("size_bytes", WHOLE, [](auto& t, auto& r) { t += std::to_string(r.GetBytes()); }),
        Field("start_ns",
              REAL,
              [](auto& t, auto& r) { WriteTimeField(t, r.hasBegun ? r.flow.startPs : -1); }),
        Field("fct_ns", REAL, [](auto& t, auto& r) { WriteTimeField(t, r.record.fctPs); }),
        Field("sender_fct_ns",
              REAL,
              [](auto& t, auto& r) { WriteTimeField(t, r.record.senderFctPs); }),
        Field("ideal_fct_ns", REAL, &WriteIdealField),
        Field("slowdown", REAL, &WriteSlowdownField),
        Count("packets_sent", SENDER, [](auto&, auto& e) { return e.packetsSent; }),
        Count("packets_retransmitted", SENDER, [](auto&, auto& e) { return e.retransmitted; }),
        Count("reordered", RECEIVER, [](auto&, auto& e) { return e.reordered; }),
        OfLabels(Field("group", TEXT, [](auto& t, auto& r) { t += *r.label; })),
        OfLabels(Count("cc_reductions", SENDER, [](auto&, auto& e) { return e.reductions; })),
        OfDatagrams(Count("delivered_bytes", RECEIVER, [](auto&, auto& e) { return e.committed; })),
    };
}

/// @return columns of which those are numbered that are counted
std::list<FlowColumn>&
NumberColumns(std::list<FlowColumn>& columns)
{
    std::size_t place = 0;
    for (FlowColumn& column : columns)
    {
        column.place = column.count ? place++ : 0;
    }
    return columns;
}

/// @return all columns in the order of the file, to which others are added before main()
std::list<FlowColumn>&
GetColumnTable()
{
    static std::list<FlowColumn> columns = MakeColumns();
    static std::list<FlowColumn>& numbered = NumberColumns(columns);
    return numbered;
}

} // namespace

uint64_t
FlowRow::GetBytes() const
{
    return flow.sizeBytes == FabricFlow::ENDLESS ? 0 : flow.sizeBytes;
}

FlowColumn
FlowColumns::Count(const char* name, FlowEnd end, FlowColumn::Counter count)
{
    return {{name, ResultColumn::Type::WHOLE}, nullptr, count, end};
}

const FlowColumn&
FlowColumns::Add(FlowColumn column)
{
    static const std::size_t nOwn = GetColumnTable().size();
    std::list<FlowColumn>& table = GetColumnTable();
    for (const FlowColumn& other : table)
    {
        NS_ABORT_MSG_IF(std::string(other.column.name) == column.column.name,
                        "there are two columns of the name " << column.column.name);
    }
    const auto place = std::find_if(std::next(table.begin(), static_cast<std::ptrdiff_t>(nOwn)),
                                    table.end(),
                                    [&column](const FlowColumn& other) {
                                        return std::string(column.column.name) < other.column.name;
                                    });
    const FlowColumn& added = *table.insert(place, column);
    NumberColumns(table);
    return added;
}

void
FlowColumns::Remove(const FlowColumn& column)
{
    GetColumnTable().remove_if([&column](const FlowColumn& other) { return &other == &column; });
    NumberColumns(GetColumnTable());
}

const std::list<FlowColumn>&
FlowColumns::Get()
{
    return GetColumnTable();
}

std::vector<const FlowColumn*>
FlowColumns::GetCounted()
{
    std::vector<const FlowColumn*> counted;
    for (const FlowColumn& column : GetColumnTable())
    {
        if (column.count)
        {
            counted.push_back(&column);
        }
    }
    return counted;
}

const FlowColumn&
FlowColumns::Find(const std::string& name)
{
    for (const FlowColumn& column : GetColumnTable())
    {
        if (column.column.name == name)
        {
            return column;
        }
    }
    throw FabricError("flows.csv has no column '" + name + "'");
}

} // namespace ns3
