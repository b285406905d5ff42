// SPDX-License-Identifier: GPL-2.0-only
#include "curved-timing-profiles.h"

#include "ns3/attribute-range.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-time.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <sstream>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(PiecewiseTimingProfile);
NS_OBJECT_ENSURE_REGISTERED(ExponentialTimingProfile);

namespace
{

/**
 * @brief Read a time with a unit; without Time's own parser, which ends the program if it fails.
 * @param text such as `5us`
 * @return it in ps, or a negative number if it is none of 0 to 24 h
 */
int64_t
ReadSpacingPs(const std::string& text)
{
    const struct
    {
        const char* name;
        double ps;
    } units[] = {{"ps", 1}, {"ns", 1e3}, {"us", 1e6}, {"ms", 1e9}, {"s", 1e12}};

    std::istringstream words(text);
    double value = 0;
    std::string unit;
    std::string rest;
    if (!(words >> value >> unit) || words >> rest || !(value >= 0))
    {
        return -1;
    }
    for (const auto& [name, ps] : units)
    {
        if (unit == name)
        {
            const double most = static_cast<double>(FabricTime::ToPs(AttributeRange::GetMaxTime()));
            return value * ps <= most ? std::llround(value * ps) : -1;
        }
    }
    return -1;
}

} // namespace

TypeId
PiecewiseTimingProfile::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::PiecewiseTimingProfile")
            .SetParent<TimingProfile>()
            .SetGroupName("Dcfabric")
            .AddConstructor<PiecewiseTimingProfile>()
            .AddAttribute("Points",
                          "Corners as level:spacing pairs separated by commas, levels rising.",
                          StringValue("25000:50us,100000:5us"),
                          MakeStringAccessor(&PiecewiseTimingProfile::SetPoints,
                                             &PiecewiseTimingProfile::GetPoints),
                          MakeStringChecker());
    return tid;
}

void
PiecewiseTimingProfile::SetPoints(std::string points)
{
    const std::string where = "ns3::PiecewiseTimingProfile::Points: ";
    std::vector<Point> read;
    std::istringstream in(points);
    std::string pair;
    while (std::getline(in, pair, ','))
    {
        std::istringstream words(pair);
        Point point{};
        char colon = 0;
        std::string spacing;
        const bool isPair = (words >> point.level >> colon) && colon == ':' &&
                            pair.substr(0, pair.find(':')).find('-') == std::string::npos &&
                            std::getline(words, spacing);
        point.spacingPs = isPair ? ReadSpacingPs(spacing) : -1;
        if (point.spacingPs < 0)
        {
            throw FabricError(where + "\"" + pair +
                              "\" must be level:spacing, a whole number and 0 to 24 h with a unit, "
                              "as 25000:50us");
        }
        if (!read.empty() && point.level < read.back().level)
        {
            throw FabricError(where + "\"" + pair + "\" must not lie below the point before it");
        }
        read.push_back(point);
    }
    if (read.empty())
    {
        throw FabricError(where + "at least one point is needed, as 25000:50us,100000:5us");
    }
    m_points = read;
    m_text = points;
}

std::string
PiecewiseTimingProfile::GetPoints() const
{
    return m_text;
}

int64_t
PiecewiseTimingProfile::GetSpacingPs(uint64_t level) const
{
    const auto right =
        std::lower_bound(m_points.begin(),
                         m_points.end(),
                         level,
                         [](const Point& point, uint64_t wanted) { return point.level < wanted; });
    if (right == m_points.end())
    {
        return m_points.back().spacingPs;
    }
    if (right == m_points.begin() || right->level == level)
    {
        return right->spacingPs;
    }
    const Point& left = *std::prev(right);
    const double x =
        static_cast<double>(level - left.level) / static_cast<double>(right->level - left.level);
    return left.spacingPs +
           std::llround(x * static_cast<double>(right->spacingPs - left.spacingPs));
}

TypeId
ExponentialTimingProfile::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ExponentialTimingProfile")
            .SetParent<TimingProfile>()
            .SetGroupName("Dcfabric")
            .AddConstructor<ExponentialTimingProfile>()
            .AddAttribute("Low",
                          "Level up to which the spacing is MaxSpacing.",
                          UintegerValue(25000),
                          MakeUintegerAccessor(&ExponentialTimingProfile::m_low),
                          MakeUintegerChecker<uint64_t>(0, AttributeRange::MAX_BYTES))
            .AddAttribute("High",
                          "Level from which on the spacing is MinSpacing, above Low.",
                          UintegerValue(100000),
                          MakeUintegerAccessor(&ExponentialTimingProfile::m_high),
                          MakeUintegerChecker<uint64_t>(0, AttributeRange::MAX_BYTES))
            .AddAttribute("MaxSpacing",
                          "Least time between two notifications at little congestion.",
                          TimeValue(MicroSeconds(50)),
                          MakeTimeAccessor(&ExponentialTimingProfile::m_maxSpacing),
                          MakeTimeChecker(NanoSeconds(1), AttributeRange::GetMaxTime()))
            .AddAttribute("MinSpacing",
                          "Least time between two notifications at heavy congestion, at most "
                          "MaxSpacing.",
                          TimeValue(MicroSeconds(5)),
                          MakeTimeAccessor(&ExponentialTimingProfile::m_minSpacing),
                          MakeTimeChecker(NanoSeconds(1), AttributeRange::GetMaxTime()));
    return tid;
}

void
ExponentialTimingProfile::NotifyConstructionCompleted()
{
    if (m_low >= m_high || m_minSpacing > m_maxSpacing)
    {
        RefuseConstruction(*this,
                           "ns3::ExponentialTimingProfile: Low " + std::to_string(m_low) +
                               " must be below High " + std::to_string(m_high) +
                               ", and MinSpacing at most MaxSpacing");
    }
    TimingProfile::NotifyConstructionCompleted();
}

int64_t
ExponentialTimingProfile::GetSpacingPs(uint64_t level) const
{
    const int64_t most = FabricTime::ToPs(m_maxSpacing);
    const int64_t least = FabricTime::ToPs(m_minSpacing);
    if (level <= m_low)
    {
        return most;
    }
    if (level >= m_high)
    {
        return least;
    }
    const double x = static_cast<double>(level - m_low) / static_cast<double>(m_high - m_low);
    return std::llround(static_cast<double>(most) *
                        std::pow(static_cast<double>(least) / static_cast<double>(most), x));
}

} // namespace ns3
