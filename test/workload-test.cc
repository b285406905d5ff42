// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-random.h"
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"
#include "fabric-test-wings.h"

#include "ns3/dumbbell-topology.h"
#include "ns3/fabric-topology.h"
#include "ns3/fabric-workload-factory.h"
#include "ns3/flow-file-workload.h"
#include "ns3/flow-size-distribution.h"
#include "ns3/incast-workload.h"
#include "ns3/permutation-workload.h"
#include "ns3/poisson-workload.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <set>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Flow-size distributions, Poisson arrivals, permutation, incast and flows from files.
 */

namespace ns3::tests::workload_test
{

constexpr int64_t MS = 1000 * US; //!< ps per ms
constexpr double FIVE_SIGMA =
    5.0; //!< half a failure in a million runs, had the seed not been fixed

/// @return seed and run, for messages
std::string
Seed()
{
    return "seed " + std::to_string(RngSeedManager::GetSeed()) + ", run " +
           std::to_string(RngSeedManager::GetRun());
}

/**
 * @ingroup dcfabric-tests
 * @brief Means and inversion against values worked out by hand.
 */
class FlowSizeDistributionTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // WebSearch, sum of (s0 + s1) / 2 x share, in bytes: 750 + 750 + 2500 + 4000 + 8450 + 9800
        // + 60000 + 150000
        // + 350000 + 525000 + 600000 = 1711250.
        const auto web = FlowSizeDistribution::FromName("websearch");
        NS_TEST_EXPECT_MSG_EQ_TOL(web.GetMeanBytes(), 1711250.0, 1e-6, "mean");
        // FB_Hadoop: .5 + 1.5 + 7.5 + 32.5 + 18.75 + 45 + 55 + 65 + 85 + 105 + 135 + 370 + 4000 +
        // 3250 + 3000 + 10500
        // + 16250 + 22500 + 60000 = 120420.75.
        const auto hadoop = FlowSizeDistribution::FromName("hadoop");
        NS_TEST_EXPECT_MSG_EQ_TOL(hadoop.GetMeanBytes(), 120420.75, 1e-6, "mean");

        // Every knot, and half-way between the first ones.
        for (const auto& cdf : {web, hadoop})
        {
            for (const auto& knot : cdf.GetKnots())
            {
                NS_TEST_EXPECT_MSG_EQ_TOL(cdf.GetQuantile(knot.percent / 100),
                                          knot.bytes,
                                          1e-6 * (knot.bytes + 1),
                                          "knot at " << knot.percent);
            }
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(web.GetQuantile(0.075), 5000, 1e-6, "half of the first step");
        NS_TEST_EXPECT_MSG_EQ_TOL(web.GetQuantile(0.985), 2e7, 1e-3, "half of the last step");
        NS_TEST_EXPECT_MSG_EQ(web.GetSizeBytes(0), 1, "a flow has at least one byte");
        NS_TEST_EXPECT_MSG_EQ(web.GetSizeBytes(1), 30000000, "largest");
        NS_TEST_EXPECT_MSG_EQ(web.GetSizeBytes(-1), 1, "below the range");
        NS_TEST_EXPECT_MSG_EQ(web.GetSizeBytes(2), 30000000, "above the range");
        // 0.3 % of 0-100 bytes over 1 %: 30 bytes; 0.304 %: 30.4, to the nearest byte 30; 0.306
        // %: 31.
        NS_TEST_EXPECT_MSG_EQ(hadoop.GetSizeBytes(0.00304), 30, "down");
        NS_TEST_EXPECT_MSG_EQ(hadoop.GetSizeBytes(0.00306), 31, "up");

        // No flow lies between 100 and 200 bytes; half of all have exactly 200.
        const FlowSizeDistribution steps({{50, 0}, {100, 25}, {200, 25}, {200, 75}, {300, 100}});
        NS_TEST_EXPECT_MSG_EQ(steps.GetQuantile(0), 50, "least");
        NS_TEST_EXPECT_MSG_EQ(steps.GetQuantile(0.25), 100, "least size of a flat part");
        NS_TEST_EXPECT_MSG_EQ(steps.GetQuantile(0.2500001), 200, "behind the gap");
        NS_TEST_EXPECT_MSG_EQ(steps.GetQuantile(0.5), 200, "inside the point mass");
        NS_TEST_EXPECT_MSG_EQ(steps.GetQuantile(0.875), 250, "behind it");
        // 75 x .25 + 200 x .5 + 250 x .25
        NS_TEST_EXPECT_MSG_EQ_TOL(steps.GetMeanBytes(), 181.25, 1e-9, "mean");

        DCFABRIC_EXPECT_REFUSAL(FlowSizeDistribution::FromName("webserch"),
                                "known: websearch, hadoop, enterprise, datamining, alistorage, "
                                "googlerpc, cdf:PATH");
        DCFABRIC_EXPECT_REFUSAL(FlowSizeDistribution::FromName("websearch:x"), "known");
        DCFABRIC_EXPECT_REFUSAL(FlowSizeDistribution({}), "end at 100");
        const double nan = std::nan("");
        DCFABRIC_EXPECT_REFUSAL(FlowSizeDistribution({{0, 0}, {nan, 100}}), "a size is outside");
        DCFABRIC_EXPECT_REFUSAL(FlowSizeDistribution({{0, 0}, {9, nan}}),
                                "a percentile is outside");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Base class of Poisson cases.
 */
class PoissonTestCase : public NamedCase
{
  public:
    using NamedCase::NamedCase;

  protected:
    /**
     * @param stream first stream
     * @return arrivals of 1000-byte flows at half load for 1 ms
     */
    static Ptr<PoissonWorkload> MakeWorkload(int64_t stream)
    {
        auto workload = CreateObject<PoissonWorkload>();
        workload->SetDistribution(FlowSizeDistribution({{1000, 0}, {1000, 100}}));
        workload->SetLoad(0.5);
        workload->SetDurationPs(MS);
        workload->AssignStreams(stream);
        return workload;
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Counts, sizes, gaps and destinations against their expectations.
 */
class PoissonStatisticsTestCase : public PoissonTestCase
{
    using PoissonTestCase::PoissonTestCase;

    void DoRun() override
    {
        // 8000 bit / (0.5 x 100 Gb/s) = 160 ns between arrivals of a host: 6250 per ms, 100,000 for
        // 16 hosts.
        constexpr uint32_t HOSTS = 16;
        constexpr double PER_HOST = 6250;
        const FabricGraph graph = MakeStar(HOSTS);
        const std::vector<FabricFlow> flows = MakeWorkload(100)->Generate(graph);
        const double tolerance = FIVE_SIGMA * std::sqrt(PER_HOST * HOSTS);
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(flows.size()),
                                  PER_HOST * HOSTS,
                                  tolerance,
                                  "flows, " << Seed());
        std::vector<double> sent(HOSTS);
        std::vector<double> received(HOSTS);
        std::vector<int64_t> last(HOSTS, 0);
        double early = 0;
        double longGaps = 0;
        bool good = true;
        for (size_t i = 0; i < flows.size(); i++)
        {
            const FabricFlow& flow = flows[i];
            good &= flow.src < HOSTS && flow.dst < HOSTS && flow.src != flow.dst;
            good &= flow.sizeBytes == 1000 && flow.priority == 3;
            good &= flow.startPs >= 0 && flow.startPs < MS;
            good &= i == 0 || flows[i - 1].startPs <= flow.startPs;
            sent[flow.src]++;
            received[flow.dst]++;
            early += flow.startPs < MS / 2 ? 1 : 0;
            longGaps += flow.startPs - last[flow.src] > 160000 ? 1 : 0;
            last[flow.src] = flow.startPs;
        }
        NS_TEST_EXPECT_MSG_EQ(good, true, "every flow in range, in order, " << Seed());
        for (uint32_t i = 0; i < HOSTS; i++)
        {
            const double hostTolerance = FIVE_SIGMA * std::sqrt(PER_HOST);
            NS_TEST_EXPECT_MSG_EQ_TOL(sent[i], PER_HOST, hostTolerance, "sent, " << Seed());
            NS_TEST_EXPECT_MSG_EQ_TOL(received[i], PER_HOST, hostTolerance, "received, " << Seed());
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(early, PER_HOST * HOSTS / 2, tolerance, "first half, " << Seed());
        // Exponential gaps exceed their mean with probability 1/e; constant or uniform ones would
        // not.
        const double count = static_cast<double>(flows.size());
        NS_TEST_EXPECT_MSG_EQ_TOL(longGaps, count * std::exp(-1), tolerance, "gaps, " << Seed());

        // WebSearch at 0.5 on 128 hosts for 2 ms: 128 x 2 ms x 50 Gb/s / (8 x 1711250 B) = 934.99
        // flows.
        FabricWorkloadOptions options;
        options.load = "0.5";
        options.duration = "2ms";
        const Ptr<FabricWorkload> web = MakeFabricWorkload("websearch", options);
        web->AssignStreams(5);
        const auto webFlows = web->Generate(MakeStar(128));
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(webFlows.size()),
                                  934.99,
                                  FIVE_SIGMA * std::sqrt(934.99),
                                  "WebSearch, " << Seed());
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Each host draws from its own stream, and its rate counts all its links.
 */
class PoissonStreamsTestCase : public PoissonTestCase
{
    using PoissonTestCase::PoissonTestCase;

    /**
     * @param flows flows
     * @param host host number
     * @return start times of the host's flows
     */
    static std::vector<int64_t> StartsOf(const std::vector<FabricFlow>& flows, uint32_t host)
    {
        std::vector<int64_t> starts;
        for (const auto& flow : flows)
        {
            if (flow.src == host)
            {
                starts.push_back(flow.startPs);
            }
        }
        return starts;
    }

    void DoRun() override
    {
        const std::vector<FabricFlow> few = MakeWorkload(7)->Generate(MakeStar(4));
        const Ptr<PoissonWorkload> workload = MakeWorkload(7);
        const std::vector<FabricFlow> many = workload->Generate(MakeStar(9));
        for (uint32_t host = 0; host < 4; host++)
        {
            NS_TEST_EXPECT_MSG_EQ((StartsOf(few, host) == StartsOf(many, host)),
                                  true,
                                  "more hosts change nothing for host " << host);
        }
        NS_TEST_EXPECT_MSG_EQ((StartsOf(few, 0) == StartsOf(few, 1)), false, "hosts differ");
        NS_TEST_EXPECT_MSG_EQ((workload->Generate(MakeStar(9)) == many), true, "again the same");
        NS_TEST_EXPECT_MSG_EQ((MakeWorkload(8)->Generate(MakeStar(9)) == many), false, "stream");
        {
            const RandomRun other(RngSeedManager::GetRun() + 1);
            NS_TEST_EXPECT_MSG_EQ((MakeWorkload(7)->Generate(MakeStar(9)) == many), false, "run");
        }
        NS_TEST_EXPECT_MSG_EQ(MakeWorkload(7)->AssignStreams(0), 1 << 21, "one per possible host");

        // Host 0 has two links: it offers twice as much. 12,500 and 6,250 flows expected.
        FabricGraph graph = MakeStar(2);
        graph.AddLink(0, 2, 100 * GBPS, US);
        const auto flows = MakeWorkload(3)->Generate(graph);
        const auto sent = static_cast<double>(StartsOf(flows, 0).size());
        NS_TEST_EXPECT_MSG_EQ_TOL(sent, 12500, FIVE_SIGMA * std::sqrt(12500), Seed());
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(flows.size()) - sent,
                                  6250,
                                  FIVE_SIGMA * std::sqrt(6250),
                                  Seed());

        auto late = MakeWorkload(7);
        late->SetAttribute("Start", TimeValue(Seconds(2)));
        late->SetAttribute("Priority", UintegerValue(1));
        const auto lateFlows = late->Generate(MakeStar(4));
        NS_TEST_EXPECT_MSG_EQ(lateFlows[5].startPs, few[5].startPs + 2000 * MS, "start");
        NS_TEST_EXPECT_MSG_EQ(+lateFlows[5].priority, 1, "priority");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Traffic within groups of hosts.
 */
class PoissonGroupsTestCase : public PoissonTestCase
{
    using PoissonTestCase::PoissonTestCase;

    /**
     * @param nGroups number of groups
     * @param order of groups
     * @return how often each host of 12 sends to each, by 12 x sender + receiver
     */
    static std::vector<double> CountPairs(uint32_t nGroups, const std::string& order)
    {
        auto workload = MakeWorkload(31);
        workload->SetAttribute("Groups", UintegerValue(nGroups));
        workload->SetAttribute("GroupOrder", StringValue(order));
        std::vector<double> pairs(12 * 12);
        for (const FabricFlow& flow : workload->Generate(MakeStar(12)))
        {
            pairs[12 * flow.src + flow.dst]++;
            pairs[0] += flow.group; // there are no labels
        }
        return pairs;
    }

    void DoRun() override
    {
        // 6250 flows of each host, as above. In three groups of four a host has three peers with
        // 2083.3 each: hosts 4 to 7 are one contiguous group, hosts 1, 4, 7 and 10 a strided one.
        for (const bool strided : {false, true})
        {
            const std::vector<double> pairs = CountPairs(3, strided ? "strided" : "contiguous");
            for (uint32_t a = 0; a < 12; a++)
            {
                for (uint32_t b = 0; b < 12; b++)
                {
                    const bool together = strided ? a % 3 == b % 3 : a / 4 == b / 4;
                    const double expected = together && a != b ? 6250.0 / 3 : 0;
                    NS_TEST_EXPECT_MSG_EQ_TOL(pairs[12 * a + b],
                                              expected,
                                              FIVE_SIGMA * std::sqrt(expected),
                                              a << " to " << b << (strided ? ", strided" : ""));
                }
            }
        }
        // Pairs in the smallest groups, and one group is no groups, however it is ordered.
        const std::vector<double> two = CountPairs(6, "strided");
        NS_TEST_EXPECT_MSG_EQ_TOL(two[12 * 2 + 8], 6250, FIVE_SIGMA * std::sqrt(6250.0), "2, 8");
        NS_TEST_EXPECT_MSG_EQ((CountPairs(1, "strided") == CountPairs(1, "contiguous")),
                              true,
                              "all hosts");
        const std::vector<FabricFlow> plain = MakeWorkload(31)->Generate(MakeStar(12));
        NS_TEST_EXPECT_MSG_EQ(
            CountPairs(1, "strided")[1],
            std::count_if(plain.begin(),
                          plain.end(),
                          [](const FabricFlow& flow) { return flow.src == 0 && flow.dst == 1; }),
            "the draws of earlier versions");

        for (const uint32_t groups : {5, 12, 24})
        {
            DCFABRIC_EXPECT_REFUSAL(CountPairs(groups, "contiguous"),
                                    "ns3::PoissonWorkload::Groups: 12 hosts do not make " +
                                        std::to_string(groups) + " groups of the same size");
        }
        DCFABRIC_EXPECT_REFUSAL(CountPairs(3, "mixed"),
                                "unknown order of groups 'mixed'; known: contiguous, strided");
        const auto hot = MakeFabricWorkload("hotspot:size=10kB");
        hot->SetAttribute("Groups", UintegerValue(3));
        DCFABRIC_EXPECT_REFUSAL(hot->Generate(MakeStar(12)),
                                "Groups of 3 keeps traffic within groups; leave it at 1");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Values that Poisson arrivals refuse.
 */
class PoissonErrorTestCase : public PoissonTestCase
{
    using PoissonTestCase::PoissonTestCase;

    void DoRun() override
    {
        const FabricGraph graph = MakeStar(2);
        for (double load : {0.0, -0.5, 1.5, 50.0, std::nan("")})
        {
            auto workload = MakeWorkload(1);
            workload->SetLoad(load);
            DCFABRIC_EXPECT_REFUSAL(workload->Generate(graph), "write a fraction, such as 0.5");
        }
        auto workload = MakeWorkload(1);
        workload->SetDurationPs(0);
        DCFABRIC_EXPECT_REFUSAL(workload->Generate(graph), "duration: must be above 0");
        workload->SetDurationPs(INT64_MAX);
        DCFABRIC_EXPECT_REFUSAL(workload->Generate(graph), "at most");
        workload->SetDurationPs(MS);
        DCFABRIC_EXPECT_REFUSAL(workload->Generate(MakeStar(1)), "at least 2 hosts");
        // A load so small that gaps overflow any clock just yields nothing.
        workload->SetLoad(1e-300);
        NS_TEST_EXPECT_MSG_EQ(workload->Generate(graph).size(), 0, "no arrival");
        DCFABRIC_EXPECT_REFUSAL(workload->SetAttribute("Cdf", StringValue("none")), "known");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Every pairing is a derangement, and all derangements come up equally often.
 */
class PermutationTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        for (uint32_t hosts : {2U, 3U, 4U, 16U, 1024U})
        {
            auto workload = CreateObject<PermutationWorkload>();
            workload->AssignStreams(hosts);
            const auto flows = workload->Generate(MakeStar(hosts));
            NS_TEST_ASSERT_MSG_EQ(flows.size(), hosts, "one flow per host");
            std::set<uint32_t> receivers;
            bool good = true;
            for (uint32_t i = 0; i < hosts; i++)
            {
                good &= flows[i].src == i && flows[i].dst != i && flows[i].dst < hosts;
                good &= flows[i].sizeBytes == 2000000 && flows[i].startPs == 0;
                receivers.insert(flows[i].dst);
            }
            NS_TEST_EXPECT_MSG_EQ(good, true, hosts << " hosts, " << Seed());
            NS_TEST_EXPECT_MSG_EQ(receivers.size(), hosts, "every host receives, " << Seed());
        }
        // Four hosts have 9 derangements: 9000 draws give 1000 of each, standard deviation 30.
        const FabricGraph graph = MakeStar(4);
        auto workload = CreateObject<PermutationWorkload>();
        std::map<std::vector<uint32_t>, double> seen;
        for (int64_t i = 0; i < 9000; i++)
        {
            workload->AssignStreams(i);
            std::vector<uint32_t> pairing;
            for (const auto& flow : workload->Generate(graph))
            {
                pairing.push_back(flow.dst);
            }
            seen[pairing]++;
        }
        NS_TEST_EXPECT_MSG_EQ(seen.size(), 9, "derangements of four, " << Seed());
        for (const auto& entry : seen)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(entry.second, 1000, FIVE_SIGMA * 30, Seed());
        }
        NS_TEST_EXPECT_MSG_EQ(workload->SetAttributeFailSafe("Size", UintegerValue(0)),
                              false,
                              "nothing to send");
        workload->SetSize(0);
        DCFABRIC_EXPECT_REFUSAL(workload->Generate(graph), "a flow size of 0 bytes");
        workload->SetSize(5000000000);
        NS_TEST_EXPECT_MSG_EQ(workload->Generate(graph)[0].sizeBytes, 5000000000, "beyond 4 GB");
        DCFABRIC_EXPECT_REFUSAL(workload->Generate(MakeStar(1)), "at least 2 hosts");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Incast: distinct senders, never the receiver, all equally likely; and its limits.
 */
class IncastTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        constexpr uint32_t HOSTS = 10;
        const FabricGraph graph = MakeStar(HOSTS);
        auto workload = CreateObject<IncastWorkload>();
        workload->SetAttribute("FanIn", UintegerValue(3));
        workload->SetAttribute("Dst", UintegerValue(4));
        std::vector<double> chosen(HOSTS);
        bool good = true;
        // 3 of 9 others, 3000 draws: 1000 each, standard deviation sqrt(3000 x 1/3 x 2/3) = 26.
        for (int64_t i = 0; i < 3000; i++)
        {
            workload->AssignStreams(i);
            const auto flows = workload->Generate(graph);
            NS_TEST_ASSERT_MSG_EQ(flows.size(), 3, "fan-in");
            for (size_t j = 0; j < flows.size(); j++)
            {
                good &= flows[j].dst == 4 && flows[j].src < HOSTS && flows[j].sizeBytes == 1000000;
                good &= j == 0 || flows[j - 1].src < flows[j].src;
                chosen[flows[j].src]++;
            }
        }
        NS_TEST_EXPECT_MSG_EQ(good, true, "distinct, ascending, " << Seed());
        for (uint32_t i = 0; i < HOSTS; i++)
        {
            const double expected = i == 4 ? 0 : 1000;
            const double tolerance = i == 4 ? 0 : FIVE_SIGMA * 26;
            NS_TEST_EXPECT_MSG_EQ_TOL(chosen[i],
                                      expected,
                                      tolerance,
                                      "host " << i << ", " << Seed());
        }
        workload->SetFanIn(9);
        NS_TEST_EXPECT_MSG_EQ(workload->Generate(graph).size(), 9, "all others");
        workload->SetFanIn(10);
        DCFABRIC_EXPECT_REFUSAL(workload->Generate(graph), "a fan-in of 10 is outside 1 to 9");
        workload->SetFanIn(0);
        DCFABRIC_EXPECT_REFUSAL(workload->Generate(graph), "a fan-in of 0");
        workload->SetFanIn(3);
        workload->SetDst(10);
        DCFABRIC_EXPECT_REFUSAL(workload->Generate(graph), "receiver 10 is not a host");
        workload->SetDst(99);
        DCFABRIC_EXPECT_REFUSAL(workload->Generate(graph), "host numbers are 0 to 9");
        workload->SetDst(0);
        workload->SetSize(0);
        DCFABRIC_EXPECT_REFUSAL(workload->Generate(graph), "a flow size of 0 bytes");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Flows from a file must fit the network.
 */
class FlowFileWorkloadTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const std::string path = CreateTempDirFilename("flows");
        const auto put = [&path](const std::string& text) { std::ofstream(path) << text; };
        const FabricGraph graph = MakeStar(3);
        const Ptr<FabricWorkload> workload = MakeFabricWorkload("flows:" + path);
        put("2\n0 2 3 100 10 2.5\n1 0 5 100 20 2.0\n");
        const std::vector<FabricFlow> flows{{0, 2, 10, 2500 * MS, 3}, {1, 0, 20, 2000 * MS, 5}};
        NS_TEST_EXPECT_MSG_EQ((workload->Generate(graph) == flows), true, "as in the file");
        NS_TEST_EXPECT_MSG_EQ(workload->AssignStreams(1), 0, "nothing to draw");
        put("2\n0 2 3 100 10 2\n1 3 3 100 10 2\n");
        DCFABRIC_EXPECT_REFUSAL(workload->Generate(graph), path + ":3: node 3 is a switch");
        put("2\n0 2 3 100 10 86400\n1 2 3 100 10 86400.000000001\n");
        DCFABRIC_EXPECT_REFUSAL(workload->Generate(graph), path + ":3: the start is later");
        put("1\n77 2 3 100 10 2\n");
        DCFABRIC_EXPECT_REFUSAL(workload->Generate(graph), path + ":2: node 77 does not exist");
        put("1\n0 2 3 100\n");
        DCFABRIC_EXPECT_REFUSAL(workload->Generate(graph), path + ":2: ");
        DCFABRIC_EXPECT_REFUSAL(MakeFabricWorkload("flows:" + path + ".no")->Generate(graph),
                                ".no: cannot be opened");
        DCFABRIC_EXPECT_REFUSAL(CreateObject<FlowFileWorkload>()->Generate(graph), "no path");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief The command line form of workloads.
 */
class WorkloadSpecTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const auto permutation =
            DynamicCast<PermutationWorkload>(MakeFabricWorkload("permutation:size=64KiB"));
        NS_TEST_ASSERT_MSG_EQ(static_cast<bool>(permutation), true, "permutation");
        NS_TEST_EXPECT_MSG_EQ(permutation->GetSize(), 65536, "size");
        const auto incast =
            DynamicCast<IncastWorkload>(MakeFabricWorkload("incast:fan-in=4,size=32MB,dst=7"));
        NS_TEST_ASSERT_MSG_EQ(static_cast<bool>(incast), true, "incast");
        NS_TEST_EXPECT_MSG_EQ(incast->GetFanIn(), 4, "fan-in");
        NS_TEST_EXPECT_MSG_EQ(incast->GetSize(), 32000000, "size");
        NS_TEST_EXPECT_MSG_EQ(incast->GetDst(), 7, "dst");
        FabricWorkloadOptions o;
        o.load = "0.75";
        o.duration = "1.5us";
        const auto hadoop = DynamicCast<PoissonWorkload>(MakeFabricWorkload("hadoop", o));
        NS_TEST_ASSERT_MSG_EQ(static_cast<bool>(hadoop), true, "hadoop");
        NS_TEST_EXPECT_MSG_EQ(hadoop->GetLoad(), 0.75, "load");
        NS_TEST_EXPECT_MSG_EQ(hadoop->GetDuration(), NanoSeconds(1500), "duration");
        NS_TEST_EXPECT_MSG_EQ(hadoop->GetCdf(), "hadoop", "distribution");
        const std::string path = CreateTempDirFilename("cdf");
        std::ofstream(path) << "0 0\n100 100\n";
        const auto cdf = DynamicCast<PoissonWorkload>(MakeFabricWorkload("cdf:" + path));
        NS_TEST_ASSERT_MSG_EQ(static_cast<bool>(cdf), true, "cdf");
        NS_TEST_EXPECT_MSG_EQ(cdf->GetDistribution().GetMeanBytes(), 50, "mean of the file");
        NS_TEST_EXPECT_MSG_EQ(cdf->GetLoad(), 0.5, "default load");
        NS_TEST_EXPECT_MSG_EQ(cdf->GetDuration(), MilliSeconds(2), "default duration");

        const auto make = [](const std::string& spec) { MakeFabricWorkload(spec); };
        DCFABRIC_EXPECT_REFUSAL(
            make("all-to-all:size=1MB"),
            "unknown workload 'all-to-all'; known: websearch, hadoop, "
            "enterprise, datamining, alistorage, googlerpc, cdf, permutation, " +
                std::string(
                    "incast, pairs, shift, alltoall, allreduce-ring, allreduce-hd, hotspot, ") +
                (HasClass("workload=program") ? "program, " : "") + "flows" +
                (HasClass("workload=cm") ? ", cm" : ""));
        DCFABRIC_EXPECT_REFUSAL(make("websearch:load=0.5"), "websearch takes no keys");
        DCFABRIC_EXPECT_REFUSAL(make("permutation:size=0"), "at least 1 byte");
        DCFABRIC_EXPECT_REFUSAL(make("permutation:size=-2MB"), "'-2MB' is not a size");
        DCFABRIC_EXPECT_REFUSAL(make("incast:fanin=4"), "known keys: fan-in, size, dst, start");
        DCFABRIC_EXPECT_REFUSAL(make("incast:fan-in=0"), "'0' is not a whole number from 1");
        DCFABRIC_EXPECT_REFUSAL(make("cdf"), "write cdf:PATH");
        DCFABRIC_EXPECT_REFUSAL(make("cdf:" + path + ".no"), "cannot be opened");
        DCFABRIC_EXPECT_REFUSAL(make("flows"), "write flows:PATH");
        DCFABRIC_EXPECT_REFUSAL(MakeFabricWorkload("permutation", o), "load '0.75' has no effect");
        o.load = "";
        DCFABRIC_EXPECT_REFUSAL(MakeFabricWorkload("incast", o), "duration '1.5us' has no effect");
        o.duration = "soon";
        DCFABRIC_EXPECT_REFUSAL(MakeFabricWorkload("hadoop", o), "duration: 'soon' is not a time");
        o.duration = "0s";
        DCFABRIC_EXPECT_REFUSAL(MakeFabricWorkload("hadoop", o), "duration");
        o.duration = "";
        for (const char* load : {"0", "1.01", "-1", "half", "nan", "50%"})
        {
            o.load = load;
            DCFABRIC_EXPECT_REFUSAL(MakeFabricWorkload("hadoop", o), "load:");
        }
    }
};

/// Suite of workloads.
const SuiteCases g_cases("dcfabric-workload", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new FlowSizeDistributionTestCase(
        "flow-size distributions have the mean and the quantiles worked out by hand"));
    suite.AddTestCase(new PoissonStatisticsTestCase(
        "Poisson arrivals offer the load, spread evenly over time and hosts"));
    suite.AddTestCase(
        new PoissonStreamsTestCase("a host's arrivals depend on its own stream only"));
    suite.AddTestCase(
        new PoissonGroupsTestCase("Poisson arrivals within groups, contiguous and strided"));
    suite.AddTestCase(
        new PoissonErrorTestCase("Poisson arrivals refuse impossible loads and durations"));
    suite.AddTestCase(new PermutationTestCase(
        "permutations pair every host with another one, all pairings equally likely"));
    suite.AddTestCase(new IncastTestCase("incast draws distinct senders and never the receiver"));
    suite.AddTestCase(new FlowFileWorkloadTestCase(
        "flows from a file keep order and start, and must name hosts of the network"));
    suite.AddTestCase(
        new WorkloadSpecTestCase("workloads are made from their command line form, strictly"));
});

} // namespace ns3::tests::workload_test
