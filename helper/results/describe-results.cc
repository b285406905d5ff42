// SPDX-License-Identifier: GPL-2.0-only
#include "describe-results.h"

#include "flow-columns.h"
#include "trace-series.h"

namespace ns3
{

namespace
{

/// @return how programs call it
const char*
GetOrderName(TraceFigure::Order order)
{
    switch (order)
    {
    case TraceFigure::Order::PEAK:
        return "peak";
    case TraceFigure::Order::MEAN:
        return "mean";
    case TraceFigure::Order::SUM:
        return "sum";
    case TraceFigure::Order::ROWS:
        break;
    }
    return "rows";
}

/// @return how programs call it
const char*
GetRowsName(TraceSeries::Rows rows)
{
    switch (rows)
    {
    case TraceSeries::Rows::CHANGES:
        return "changes";
    case TraceSeries::Rows::THINNED:
        return "thinned";
    case TraceSeries::Rows::ALL:
        break;
    }
    return "all";
}

/// @return how programs call it
const char*
GetStyleName(TraceFigure::Style style)
{
    switch (style)
    {
    case TraceFigure::Style::LIMIT:
        return "limit";
    case TraceFigure::Style::MEAN:
        return "mean";
    case TraceFigure::Style::STEPS:
        return "steps";
    case TraceFigure::Style::LINE:
        break;
    }
    return "line";
}

/// Write the members of a column.
void
DescribeColumn(JsonWriter& json, const ResultColumn& column)
{
    json.StringMember("name", column.name);
    json.StringMember("type", GetResultColumnType(column.type));
    json.BoolMember("later", column.later);
}

void
DescribeFlows(JsonWriter& json)
{
    json.BeginArray();
    for (const FlowColumn& column : FlowColumns::Get())
    {
        json.BeginObject();
        DescribeColumn(json, column.column);
        json.BoolMember("of_labels", column.ofLabels);
        json.BoolMember("of_datagrams", column.ofDatagrams);
        json.EndObject();
    }
    json.EndArray();
}

void
DescribePanel(JsonWriter& json, const TraceFigure::Panel& panel)
{
    json.BeginObject();
    json.StringMember("quantity", panel.quantity);
    json.StringMember("unit", panel.unit);
    json.DoubleMember("factor", panel.factor);
    json.DoubleMember("most", panel.most);
    json.BoolMember("instead", panel.instead);
    json.BoolMember("aside", panel.aside);
    json.Key("curves");
    json.BeginArray();
    for (const TraceFigure::Curve& curve : panel.curves)
    {
        json.BeginObject();
        json.StringMember("column", curve.column);
        json.StringMember("name", curve.name);
        json.StringMember("style", GetStyleName(curve.style));
        json.StringMember("older", curve.older);
        json.EndObject();
    }
    json.EndArray();
    json.EndObject();
}

void
DescribeFigure(JsonWriter& json, const TraceFigure& figure)
{
    json.BeginObject();
    json.StringMember("title", figure.title);
    json.StringMember("nothing", figure.nothing);
    json.Key("of");
    json.BeginArray();
    for (const char* column : figure.of)
    {
        json.String(column);
    }
    json.EndArray();
    json.StringMember("order", GetOrderName(figure.order));
    json.StringMember("by", figure.by);
    json.UintMember("most", figure.most);
    json.BoolMember("together", figure.together);
    if (*figure.spans.column)
    {
        json.Key("spans");
        json.BeginObject();
        json.StringMember("column", figure.spans.column);
        json.StringMember("begin", figure.spans.begin);
        json.StringMember("end", figure.spans.end);
        json.StringMember("name", figure.spans.name);
        json.EndObject();
    }
    json.Key("panels");
    json.BeginArray();
    for (const TraceFigure::Panel& panel : figure.panels)
    {
        DescribePanel(json, panel);
    }
    json.EndArray();
    json.EndObject();
}

void
DescribeSeries(JsonWriter& json, const TraceSeries& series)
{
    json.BeginObject();
    json.StringMember("name", series.name);
    json.StringMember("rows", GetRowsName(series.rows));
    json.Key("columns");
    json.BeginArray();
    for (const ResultColumn& column : series.columns)
    {
        json.BeginObject();
        DescribeColumn(json, column);
        json.EndObject();
    }
    json.EndArray();
    if (*series.figure.title)
    {
        json.Key("figure");
        DescribeFigure(json, series.figure);
    }
    json.EndObject();
}

} // namespace

void
DescribeResults(JsonWriter& json)
{
    json.BeginObject();
    json.Key("flows");
    DescribeFlows(json);
    json.Key("series");
    json.BeginArray();
    for (const auto& [name, series] : TraceSeriesTable::Get())
    {
        if (!series.columns.empty())
        {
            DescribeSeries(json, series);
        }
    }
    json.EndArray();
    json.EndObject();
}

} // namespace ns3
