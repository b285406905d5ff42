// SPDX-License-Identifier: GPL-2.0-only
#include "flow-size-distribution.h"

#include "flow-size-data.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-spec.h"
#include "ns3/fabric-text-file.h"
#include "ns3/fabric-warning.h"
#include "ns3/parse-units.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace ns3
{

namespace
{

constexpr double FULL = 100.0;         //!< per cent
constexpr double MAX_BYTES = 0x1.0p53; //!< largest size that a double holds to the byte

/// @return what is wrong with the step between two knots, of which the first may be null, or
/// nothing
std::string
FindFault(const FlowSizeDistribution::Knot* previous, const FlowSizeDistribution::Knot& knot)
{
    if (!(knot.bytes >= 0 && knot.bytes <= MAX_BYTES))
    {
        return "a size is outside 0 to 2^53 bytes";
    }
    if (!(knot.percent >= 0 && knot.percent <= FULL))
    {
        return "a percentile is outside 0 to 100";
    }
    if (!previous)
    {
        return knot.percent == 0 ? "" : "the first percentile must be 0";
    }
    if (knot.bytes < previous->bytes)
    {
        return "sizes must not decrease";
    }
    if (knot.percent < previous->percent)
    {
        return "percentiles must not decrease";
    }
    return "";
}

/// @return the shortest text among a few that reads back as the same number, at least 0
std::string
FormatShortest(double value)
{
    char text[64];
    for (int digits = 6; digits <= 17; digits++)
    {
        std::snprintf(text, sizeof(text), "%.*g", digits, value);
        if (ParseFabricDouble(text, "number", 0, MAX_BYTES) == value)
        {
            break;
        }
    }
    return text;
}

/// @return per cent, without the error that binary fractions bring in
double
ToPercent(double fraction)
{
    char text[64];
    std::snprintf(text, sizeof(text), "%.15g", fraction * FULL);
    return ParseFabricDouble(text, "percentile", 0, FULL);
}

} // namespace

FlowSizeDistribution::FlowSizeDistribution(const std::vector<Knot>& knots, const FabricText& where)
    : m_knots(knots),
      m_mean(0)
{
    const Knot* previous = nullptr;
    for (const auto& knot : m_knots)
    {
        const std::string fault = FindFault(previous, knot);
        if (!fault.empty())
        {
            throw FabricError(where + ": " + fault);
        }
        if (previous)
        {
            m_mean +=
                (previous->bytes + knot.bytes) / 2 * (knot.percent - previous->percent) / FULL;
        }
        previous = &knot;
    }
    if (m_knots.size() < 2 || m_knots.back().percent != FULL)
    {
        throw FabricError(where + ": the percentiles must end at 100");
    }
    if (!(m_mean > 0))
    {
        throw FabricError(where + ": every flow would have no bytes");
    }
}

FlowSizeDistribution
FlowSizeDistribution::FromName(const std::string& name)
{
    const FabricSpec spec(name, "flow-size distribution");
    if (spec.GetName() == "cdf")
    {
        return FromFile(spec.GetArgument("PATH"));
    }
    std::vector<std::string> known = GetNames();
    if (std::find(known.begin(), known.end(), name) == known.end())
    {
        known.emplace_back("cdf:PATH");
        RefuseFabricName(spec.GetName(), known, "flow-size distribution");
    }
    return FlowSizeDistribution(GetFlowSizeData(name), name);
}

std::vector<std::string>
FlowSizeDistribution::GetNames()
{
    return GetFlowSizeNames();
}

FlowSizeDistribution
FlowSizeDistribution::FromFile(const std::string& path)
{
    FabricTextReader reader(path, '#');
    std::vector<Knot> knots;
    while (reader.Next())
    {
        reader.ExpectFields(2, "size_bytes percentile");
        const Knot knot{reader.GetDouble(0, "size in bytes", 0, MAX_BYTES),
                        reader.GetDouble(1, "percentile", 0, FULL)};
        const std::string fault = FindFault(knots.empty() ? nullptr : &knots.back(), knot);
        if (!fault.empty())
        {
            reader.Refuse(fault);
        }
        knots.push_back(knot);
    }
    if (knots.size() > 1 && knots.back().percent == 1)
    {
        WarnFabric(ShowFabricPath(path) +
                   ": the percentiles end at 1: they are taken as fractions, not per cent");
        for (Knot& knot : knots)
        {
            knot.percent = ToPercent(knot.percent);
        }
    }
    else if (!knots.empty() && knots.back().percent != FULL)
    {
        reader.Refuse("the percentiles must end at 100 (or at 1, if they are fractions); the last "
                      "one is " +
                      FormatShortest(knots.back().percent));
    }
    return FlowSizeDistribution(knots, reader.GetPlace());
}

void
FlowSizeDistribution::WriteFile(const std::string& path) const
{
    std::string text;
    for (const auto& knot : m_knots)
    {
        text += FormatShortest(knot.bytes) + " " + FormatShortest(knot.percent) + "\n";
    }
    WriteFabricTextFile(path, text);
}

double
FlowSizeDistribution::GetQuantile(double p) const
{
    const double percent = p * FULL;
    const auto above =
        std::lower_bound(m_knots.begin(), m_knots.end(), percent, [](const Knot& k, double value) {
            return k.percent < value;
        });
    if (above == m_knots.end())
    {
        return m_knots.back().bytes;
    }
    if (above == m_knots.begin() || above->percent == percent)
    {
        return above->bytes;
    }
    const auto below = above - 1;
    return below->bytes + (above->bytes - below->bytes) * (percent - below->percent) /
                              (above->percent - below->percent);
}

uint64_t
FlowSizeDistribution::GetSizeBytes(double p) const
{
    return static_cast<uint64_t>(std::max(1.0, std::round(GetQuantile(p))));
}

} // namespace ns3
