// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_TEST_MARGIN_H
#define FABRIC_TEST_MARGIN_H

#include "fabric-test-random.h"
#include "fabric-test-transport.h"

#include "ns3/fabric-graph.h"
#include "ns3/nstime.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

/**
 * @file
 * @brief What the suites share that measure by how much a technique is better: plans, goodput over
 * time, numbers over several random runs.
 */

namespace ns3::tests
{

/**
 * @param pairs number of them
 * @param rateBps of all links
 * @return hosts 0 .. pairs - 1 at switch 2 x pairs, as many at the next one, and one link of 1 us
 * between the two
 */
inline FabricGraph
MakePairs(uint32_t pairs, uint64_t rateBps = 100 * GBPS)
{
    FabricGraph graph;
    for (uint32_t i = 0; i < 2 * pairs; ++i)
    {
        graph.AddHost();
    }
    const uint32_t left = graph.AddSwitch();
    const uint32_t right = graph.AddSwitch();
    for (uint32_t i = 0; i < 2 * pairs; ++i)
    {
        graph.AddLink(i, i < pairs ? left : right, rateBps, US);
    }
    graph.AddLink(left, right, rateBps, US);
    return graph;
}

/**
 * @brief Run a network and see what arrives.
 * @param network goes on from the present time
 * @param hosts receivers
 * @param binPs length of a bin
 * @param bins number of bins
 * @return goodput in Gb/s, new payload only: a row for each bin, a column for each receiver
 */
inline std::vector<std::vector<double>>
SampleGoodput(const TestNetwork& network,
              const std::vector<uint32_t>& hosts,
              int64_t binPs,
              uint32_t bins)
{
    std::vector<uint64_t> before;
    for (const uint32_t host : hosts)
    {
        before.push_back(network.Nic(host).GetCounters().bytesDelivered);
    }
    std::vector<std::vector<double>> rows;
    for (uint32_t bin = 0; bin < bins; ++bin)
    {
        Simulator::Stop(PicoSeconds(binPs));
        Simulator::Run();
        rows.emplace_back();
        for (std::size_t i = 0; i < hosts.size(); ++i)
        {
            const uint64_t now = network.Nic(hosts[i]).GetCounters().bytesDelivered;
            rows.back().push_back(static_cast<double>(now - before[i]) * 8e3 /
                                  static_cast<double>(binPs));
            before[i] = now;
        }
    }
    return rows;
}

/**
 * @param rows of numbers
 * @return sums of rows
 */
inline std::vector<double>
SumRows(const std::vector<std::vector<double>>& rows)
{
    std::vector<double> sums;
    for (const auto& row : rows)
    {
        sums.push_back(std::accumulate(row.begin(), row.end(), 0.0));
    }
    return sums;
}

/**
 * @param rates not all 0
 * @return Jain's index: 1 if all are equal, 1/n if all but one of n are 0
 */
inline double
GetJainIndex(const std::vector<double>& rates)
{
    const double sum = std::accumulate(rates.begin(), rates.end(), 0.0);
    const double squares = std::inner_product(rates.begin(), rates.end(), rates.begin(), 0.0);
    return sum * sum / (static_cast<double>(rates.size()) * squares);
}

/**
 * @return a helper that sprays packets: switches hash entropies, and the transport waits for
 * packets that others overtake
 * @param cc `Dctcp`, which gets its step of marks at 60 kB (0.6 BDP of the plans above), `Dcqcn`
 * with the profile of its class, or any other, without marks
 */
inline FabricHelper
MakeSprayHelper(const std::string& cc)
{
    FabricHelper helper;
    helper.SetCongestionControl("ns3::" + cc + "CongestionControl");
    helper.SetPathSelector("ns3::EcmpPathSelector");
    if (cc == "Dctcp")
    {
        SetMarks(helper, 60000);
    }
    else if (cc == "Dcqcn")
    {
        helper.SetMarkingProfile("ns3::WredMarkingProfile");
    }
    return helper;
}

/**
 * @param values at least one
 * @return the mean
 */
inline double
GetMean(const std::vector<double>& values)
{
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/**
 * @param values at least one
 * @return the least
 */
inline double
GetLeast(const std::vector<double>& values)
{
    return *std::min_element(values.begin(), values.end());
}

/**
 * @param values at least one
 * @return the greatest
 */
inline double
GetMost(const std::vector<double>& values)
{
    return *std::max_element(values.begin(), values.end());
}

/**
 * @param values at least one
 * @return least, mean and greatest, for messages
 */
inline std::string
Describe(const std::vector<double>& values)
{
    return std::to_string(GetLeast(values)) + " / " + std::to_string(GetMean(values)) + " / " +
           std::to_string(GetMost(values));
}

} // namespace ns3::tests

#endif /* FABRIC_TEST_MARGIN_H */
