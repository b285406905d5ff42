// SPDX-License-Identifier: GPL-2.0-only
#include "rank-roofline.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-time.h"
#include "ns3/parse-units.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace ns3
{

namespace
{

/**
 * @param text number, prefix, unit
 * @param units that it may have
 * @param where place for messages
 * @return rate
 */
double
ReadRooflineRate(const std::string& text,
                 const std::vector<std::string>& units,
                 const FabricText& where)
{
    constexpr double MAX_RATE = 1e24;
    std::string number = text.substr(std::min(text.find_first_not_of(' '), text.size()));
    for (const std::string& unit : units)
    {
        if (number.size() > unit.size() &&
            number.compare(number.size() - unit.size(), unit.size(), unit) == 0)
        {
            number.resize(number.size() - unit.size());
            break;
        }
    }
    const std::string prefixes = "kMGTPE";
    const std::size_t prefix = number.size() > 1 ? prefixes.find(number.back()) : std::string::npos;
    double factor = 1;
    if (prefix != std::string::npos)
    {
        number.pop_back();
        factor = std::pow(1e3, static_cast<double>(prefix + 1));
    }
    const FabricText place = where + " " + QuoteFabricText(text);
    const double rate = ParseFabricDouble(number, place, 0, MAX_RATE) * factor;
    if (!(rate > 0 && rate <= MAX_RATE))
    {
        throw FabricError(place + ": a rate must be above 0, and no more than 1e24");
    }
    return rate;
}

} // namespace

RankRoofline::RankRoofline(const std::string& text, const FabricText& where)
{
    const std::vector<std::string> parts = SplitFabricList(text);
    if (parts.size() != 2)
    {
        throw FabricError(where + " " + QuoteFabricText(text) +
                          ": expected FLOPS,BYTES/s, such as 312TFLOPS,2TB/s");
    }
    m_flops = ReadRooflineRate(parts[0], {"FLOPS", "FLOP/s"}, where);
    m_bandwidth = ReadRooflineRate(parts[1], {"B/s"}, where);
}

int64_t
RankRoofline::GetTimePs(int64_t operations, int64_t bytes) const
{
    constexpr double PS = 1e12; // of a second
    constexpr double MAX_PS = 9e18;
    const double ps = PS * std::max(static_cast<double>(operations) / m_flops,
                                    static_cast<double>(bytes) / m_bandwidth);
    if (ps >= MAX_PS)
    {
        throw FabricError(std::to_string(operations) + " operations on " + std::to_string(bytes) +
                          " bytes would end after the end of time");
    }
    const auto whole = static_cast<int64_t>(std::nearbyint(ps));
    return operations + bytes == 0 ? 0 : std::max<int64_t>(whole, 1);
}

} // namespace ns3
