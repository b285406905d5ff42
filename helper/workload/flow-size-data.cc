// SPDX-License-Identifier: GPL-2.0-only
#include "flow-size-data.h"

namespace ns3
{

namespace
{

using Knots = std::vector<FlowSizeDistribution::Knot>;

/// A distribution and its name.
struct NamedKnots
{
    const char* name; //!< as on the command line
    Knots knots;      //!< bytes, per cent
};

/// @return all distributions
const std::vector<NamedKnots>&
GetTable()
{
    static const std::vector<NamedKnots> table = {
        // Web search cluster of the DCTCP study (SIGCOMM 2010), in the form that the HPCC simulator
        // ships.
        {"websearch",
         {{0, 0},
          {10000, 15},
          {20000, 20},
          {30000, 30},
          {50000, 40},
          {80000, 53},
          {200000, 60},
          {1000000, 70},
          {2000000, 80},
          {5000000, 90},
          {10000000, 97},
          {30000000, 100}}},
        // Hadoop cluster of Facebook's network study (SIGCOMM 2015), in the form that the HPCC
        // simulator ships.
        {"hadoop", {{0, 0},       {100, 1},     {200, 2},        {300, 5},      {350, 15},
                    {400, 20},    {500, 30},    {600, 40},       {700, 50},     {1000, 60},
                    {2000, 67},   {7000, 70},   {30000, 72},     {50000, 82},   {80000, 87},
                    {120000, 90}, {300000, 95}, {1000000, 97.5}, {2000000, 99}, {10000000, 100}}},
    };
    return table;
}

} // namespace

std::vector<std::string>
GetFlowSizeNames()
{
    std::vector<std::string> names;
    for (const auto& entry : GetTable())
    {
        names.emplace_back(entry.name);
    }
    return names;
}

std::vector<FlowSizeDistribution::Knot>
GetFlowSizeData(const std::string& name)
{
    for (const auto& entry : GetTable())
    {
        if (name == entry.name)
        {
            return entry.knots;
        }
    }
    return {};
}

} // namespace ns3
