// SPDX-License-Identifier: GPL-2.0-only
#include "profile-points.h"

#include "ns3/fabric-error.h"
#include "ns3/parse-units.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace ns3
{

namespace
{

/// @return a text without the blanks around it
std::string
Trim(const std::string& text)
{
    const std::size_t first = text.find_first_not_of(' ');
    return first == std::string::npos ? ""
                                      : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

} // namespace

void
ProfilePoints::Read(const std::string& text, const std::string& example, Reader reader)
{
    std::vector<Point> points;
    for (const std::string& pair : SplitFabricList(text))
    {
        const size_t colon = pair.find(':');
        if (colon == std::string::npos)
        {
            throw FabricError(QuoteFabricText(pair) +
                              " is no pair with a colon; write points like " + example);
        }
        const std::string place = QuoteFabricText(pair);
        const Point point{ParseFabricUint(Trim(pair.substr(0, colon)), place),
                          reader(Trim(pair.substr(colon + 1)), place)};
        if (!points.empty() && point.at < points.back().at)
        {
            throw FabricError(place + " must not lie below the point before it");
        }
        points.push_back(point);
    }
    if (points.empty())
    {
        throw FabricError("at least one point is needed, as " + example);
    }
    m_points = points;
    m_text = text;
}

const std::string&
ProfilePoints::GetText() const
{
    return m_text;
}

const std::vector<ProfilePoints::Point>&
ProfilePoints::Get() const
{
    return m_points;
}

double
ProfilePoints::GetValue(uint64_t at) const
{
    const auto right =
        std::lower_bound(m_points.begin(),
                         m_points.end(),
                         at,
                         [](const Point& point, uint64_t wanted) { return point.at < wanted; });
    if (right == m_points.end())
    {
        return m_points.back().value;
    }
    if (right == m_points.begin() || right->at == at)
    {
        return right->value;
    }
    const Point& left = *std::prev(right);
    return left.value + (right->value - left.value) * static_cast<double>(at - left.at) /
                            static_cast<double>(right->at - left.at);
}

} // namespace ns3
