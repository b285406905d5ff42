// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-suite.h"
#include "fabric-test-units.h"

#include "ns3/all-reduce-workload.h"
#include "ns3/all-to-all-workload.h"
#include "ns3/fabric-workload-factory.h"
#include "ns3/hot-spot-workload.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/test.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Who sends what to whom in all-to-all, all-reduce and hot spots.
 */

namespace ns3::tests::collective_workload_test
{

/**
 * @param n number of hosts
 * @return hosts 1 .. n at switch 0, 100 Gb/s each
 */
FabricGraph
MakeHosts(uint32_t n)
{
    FabricGraph graph;
    graph.AddSwitch();
    for (uint32_t i = 1; i <= n; i++)
    {
        graph.AddHost();
        graph.AddLink(i, 0, 100000000000, 1000000);
    }
    return graph;
}

/**
 * @ingroup dcfabric-tests
 * @brief Several workloads at once: numbers of flows, labels, triggers, load.
 */
class MixedWorkloadTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const FabricGraph graph = MakeHosts(3);
        // 6 flows, then 2 to host 2 from 5 us on, then 1 to host 1
        const auto mix =
            MakeFabricWorkload("alltoall:size=10+incast:fan-in=2,dst=2,start=5us,size=20+"
                               "incast:fan-in=1,dst=1,size=30");
        mix->AssignStreams(1);
        const std::vector<FabricFlow> flows = mix->Generate(graph);
        NS_TEST_ASSERT_MSG_EQ(flows.size(), 9, "3 x 2 + 2 + 1");
        NS_TEST_EXPECT_MSG_EQ(
            (mix->GetGroups() == std::vector<std::string>{"alltoall", "incast", "incast-2"}),
            true,
            "labels");
        for (std::size_t i = 0; i < flows.size(); ++i)
        {
            const bool isFirst = i < 6;
            const bool isLast = i == 8;
            NS_TEST_EXPECT_MSG_EQ(flows[i].group, (isFirst ? 0 : isLast ? 2 : 1), "flow " << i);
            NS_TEST_EXPECT_MSG_EQ(flows[i].sizeBytes, (isFirst ? 10 : isLast ? 30 : 20), "size");
            NS_TEST_EXPECT_MSG_EQ(flows[i].startPs, (isFirst || isLast ? 0 : 5000000), "start");
        }
        NS_TEST_EXPECT_MSG_EQ((flows[6].dst == 2 && flows[7].dst == 2 && flows[8].dst == 1),
                              true,
                              "receivers");
        NS_TEST_EXPECT_MSG_EQ(
            (mix->GetTypes() == std::vector<TypeId>{TypeId::LookupByName("ns3::AllToAllWorkload"),
                                                    TypeId::LookupByName("ns3::IncastWorkload"),
                                                    TypeId::LookupByName("ns3::IncastWorkload")}),
            true,
            "classes with attributes that act");

        // Triggers name flows of their own part: the ring all-reduce of three hosts alone, and
        // behind six other flows.
        const auto alone = MakeFabricWorkload("allreduce-ring:size=300");
        const auto behind = MakeFabricWorkload("alltoall+allreduce-ring:size=300");
        alone->Generate(graph);
        behind->Generate(graph);
        const auto before = alone->GetTriggers();
        const auto after = behind->GetTriggers();
        NS_TEST_ASSERT_MSG_EQ(before.size(), after.size(), "of the one part");
        for (std::size_t i = 0; i < before.size(); ++i)
        {
            for (const auto list :
                 {&FlowTrigger::whenSent, &FlowTrigger::whenReceived, &FlowTrigger::starts})
            {
                for (std::size_t k = 0; k < (before[i].*list).size(); ++k)
                {
                    NS_TEST_EXPECT_MSG_EQ((after[i].*list)[k], (before[i].*list)[k] + 6, "trigger");
                }
            }
        }

        // Labels of a part are kept, and load is that of the arrivals alone.
        FabricWorkloadOptions o;
        o.load = "0.5";
        o.duration = "1ms";
        const auto hot = MakeFabricWorkload("alltoall:size=1GB+hotspot:hosts=0.34,size=10kB", o);
        hot->AssignStreams(1);
        const std::vector<FabricFlow> all = hot->Generate(graph);
        NS_TEST_EXPECT_MSG_EQ(
            (hot->GetGroups() ==
             std::vector<std::string>{"alltoall", "hotspot/background", "hotspot/hot"}),
            true,
            "labels of labels");
        // 3 x 100 Gb/s x 0.5 x 1 ms are 18.75 MB, 1875 flows, sigma 43
        NS_TEST_EXPECT_MSG_EQ_TOL(hot->GetOfferedLoad(graph, all).drawn, 0.5, 0.06, "five sigma");

        // A plus sign in a path is one, unless a workload's name follows.
        DCFABRIC_EXPECT_REFUSAL(MakeFabricWorkload("flows:/no/a+b+alltoal")->Generate(graph),
                                "/no/a+b+alltoal");
        DCFABRIC_EXPECT_REFUSAL(MakeFabricWorkload("alltoall+alltoal"), "the nearest is alltoall");
        DCFABRIC_EXPECT_REFUSAL(MakeFabricWorkload("alltoall+"), "'' does not begin with a name");
        DCFABRIC_EXPECT_REFUSAL(MakeFabricWorkload("+alltoall"), "'' does not begin with a name");
        DCFABRIC_EXPECT_REFUSAL(MakeFabricWorkload("alltoall:start=5"), "'5' has no unit");
        DCFABRIC_EXPECT_REFUSAL(MakeFabricWorkload("alltoall:start=86401s"),
                                "key start: the time must be at most 86400s");
        NS_TEST_EXPECT_MSG_EQ(
            MakeFabricWorkload("alltoall:start=24h")->Generate(graph).front().startPs,
            int64_t{86400} * 1000000 * US,
            "24 h are not too long");
        DCFABRIC_EXPECT_REFUSAL(MakeFabricWorkload("alltoall+shift", o),
                                "load '0.5' has no effect on workload 'alltoall+shift'");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Each host sends to the one so many further on.
 */
class ShiftTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const auto generate = [](const std::string& spec, uint32_t hosts) {
            return MakeFabricWorkload(spec)->Generate(MakeHosts(hosts));
        };
        const std::vector<FabricFlow> two{{1, 3, 64000, 0}, {2, 1, 64000, 0}, {3, 2, 64000, 0}};
        NS_TEST_EXPECT_MSG_EQ((generate("shift:by=2,size=64kB", 3) == two),
                              true,
                              "the last ones begin again at the first");
        NS_TEST_EXPECT_MSG_EQ((generate("shift:by=5,size=64kB", 3) == two), true, "modulo hosts");
        NS_TEST_EXPECT_MSG_EQ(generate("shift", 3).front().sizeBytes, 2000000, "usual size");
        DCFABRIC_EXPECT_REFUSAL(generate("shift:by=6", 3), "use by=1 to by=2");
        DCFABRIC_EXPECT_REFUSAL(generate("shift:by=0", 3), "by");
        DCFABRIC_EXPECT_REFUSAL(generate("shift", 1), "at least 2 hosts");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief All-to-all.
 */
class AllToAllTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const auto workload = MakeFabricWorkload("alltoall:size=64kB");
        const std::vector<FabricFlow> flows = workload->Generate(MakeHosts(3));
        const std::vector<FabricFlow> expected{{1, 2, 64000, 0},
                                               {2, 3, 64000, 0},
                                               {3, 1, 64000, 0},
                                               {1, 3, 64000, 0},
                                               {2, 1, 64000, 0},
                                               {3, 2, 64000, 0}};
        NS_TEST_EXPECT_MSG_EQ((flows == expected), true, "two rounds of three hosts");
        NS_TEST_EXPECT_MSG_EQ(workload->GetTriggers().empty(), true, "all start together");
        std::set<std::pair<uint32_t, uint32_t>> pairs;
        for (const auto& flow : workload->Generate(MakeHosts(16)))
        {
            NS_TEST_EXPECT_MSG_NE(flow.src, flow.dst, "never to itself");
            pairs.insert({flow.src, flow.dst});
        }
        NS_TEST_EXPECT_MSG_EQ(pairs.size(), 16 * 15, "all pairs");
        DCFABRIC_EXPECT_REFUSAL(workload->Generate(MakeHosts(1)), "at least 2 hosts");
        DCFABRIC_EXPECT_REFUSAL(workload->Generate(MakeHosts(7200)), "make 51832800 flows");
        DCFABRIC_EXPECT_REFUSAL(MakeFabricWorkload("alltoall:size=0"), "at least 1 byte");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief In the end every host has the sum of all vectors.
 */
class AllReduceTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        for (const uint32_t hosts : {2, 3, 5, 8})
        {
            Check("allreduce-ring:size=1001", hosts, 2 * (hosts - 1));
        }
        Check("allreduce-hd:size=1001", 2, 2);
        Check("allreduce-hd:size=1001", 8, 6);
        Check("allreduce-hd:size=16", 16, 8);

        // Ring of 3 and 1001 bytes: blocks [0, 333), [333, 667), [667, 1001); host i sends block i,
        // then i - 1, i - 2 = i + 1, i.
        std::vector<FabricFlow> flows =
            MakeFabricWorkload("allreduce-ring:size=1001")->Generate(MakeHosts(3));
        std::vector<uint64_t> sizes;
        for (const auto& flow : flows)
        {
            sizes.push_back(flow.sizeBytes);
        }
        NS_TEST_EXPECT_MSG_EQ(
            (sizes ==
             std::vector<uint64_t>{333, 334, 334, 334, 333, 334, 334, 334, 333, 333, 334, 334}),
            true,
            "sizes by step and host");
        // Halving and doubling of 4: partners at distance 2, 1, 1, 2 with 1/2, 1/4, 1/4, 1/2.
        flows = MakeFabricWorkload("allreduce-hd:size=4kB")->Generate(MakeHosts(4));
        const uint32_t partners[] = {3, 4, 1, 2, 2, 1, 4, 3, 2, 1, 4, 3, 3, 4, 1, 2};
        for (uint32_t i = 0; i < 16; i++)
        {
            NS_TEST_EXPECT_MSG_EQ(flows[i].dst, partners[i], "partner of flow " << i);
            NS_TEST_EXPECT_MSG_EQ(flows[i].sizeBytes,
                                  (i / 4 == 0 || i / 4 == 3 ? 2000 : 1000),
                                  "size of flow " << i);
        }
        const auto generate = [](const std::string& spec, uint32_t hosts) {
            MakeFabricWorkload(spec)->Generate(MakeHosts(hosts));
        };
        DCFABRIC_EXPECT_REFUSAL(generate("allreduce-hd", 6), "a power of two of hosts, not 6");
        DCFABRIC_EXPECT_REFUSAL(generate("allreduce-ring:size=5", 6), "cut into 6 parts");
        DCFABRIC_EXPECT_REFUSAL(generate("allreduce-ring", 1), "at least 2 hosts");
        DCFABRIC_EXPECT_REFUSAL(generate("allreduce-ring:size=1MB", 4000), "make 31992000 flows");
    }

    /**
     * @brief Follow what every host knows of each byte through all flows.
     *
     * Each host begins with a bit of its own in every byte. A flow carries what its sender has of
     * its bytes; to find out which bytes it carries, the blocks are worked out here again.
     * @param spec workload @param hosts number of hosts @param steps number of steps
     */
    void Check(const std::string& spec, uint32_t hosts, uint32_t steps)
    {
        const auto workload = MakeFabricWorkload(spec);
        const std::vector<FabricFlow> flows = workload->Generate(MakeHosts(hosts));
        NS_TEST_ASSERT_MSG_EQ(flows.size(), steps * hosts, spec << ": messages");
        NS_TEST_EXPECT_MSG_EQ(FindFlowTriggerFault(flows, workload->GetTriggers()).what, "", spec);
        const bool ring = spec.find("ring") != std::string::npos;
        std::vector<std::vector<uint32_t>> has(hosts, std::vector<uint32_t>(hosts, 0));
        for (uint32_t i = 0; i < hosts; i++)
        {
            has[i].assign(hosts, 1U << i); // by block
        }
        std::vector<uint64_t> sent(hosts, 0);
        for (uint32_t s = 0; s < steps; s++)
        {
            const auto before = has;
            for (uint32_t i = 0; i < hosts; i++)
            {
                const FabricFlow& flow = flows[s * hosts + i];
                NS_TEST_EXPECT_MSG_EQ(flow.src, i + 1, "sender");
                sent[i] += flow.sizeBytes;
                uint32_t first = (i + 2 * hosts - s) % hosts;
                uint32_t count = 1;
                if (!ring)
                {
                    const uint32_t level = s < steps / 2 ? s : steps - 1 - s;
                    count = hosts >> (level + 1);
                    const uint32_t owner = s < steps / 2 ? flow.dst - 1 : i;
                    first = owner / count * count;
                }
                for (uint32_t b = first; b < first + count; b++)
                {
                    has[flow.dst - 1][b] |= before[i][b];
                }
            }
        }
        for (uint32_t i = 0; i < hosts; i++)
        {
            for (uint32_t b = 0; b < hosts; b++)
            {
                NS_TEST_EXPECT_MSG_EQ(has[i][b],
                                      (1U << hosts) - 1,
                                      spec << ": host " << i << " has block " << b << " of all");
            }
            // 2 (N - 1) / N of the vector, to the byte where N divides it
            const double share = 2.0 * (hosts - 1) / hosts;
            const double bytes = spec.find("16") == std::string::npos ? 1001 : 16;
            NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(sent[i]),
                                      share * bytes,
                                      static_cast<double>(steps),
                                      spec << ": bytes that host " << i << " sends");
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Hot spots.
 */
class HotSpotTestCase : public TestCase
{
  public:
    HotSpotTestCase()
        : TestCase("hot spots get their share of the flows, seed " +
                   std::to_string(RngSeedManager::GetSeed()))
    {
    }

  private:
    void DoRun() override
    {
        constexpr double FIVE_SIGMA = 5.0;
        // 20 hosts at 100 Gb/s, load 0.4, flows of 10 kB for 2 ms: 20 x 0.4 x 100e9 x 2e-3 / 8e4 =
        // 20000 flows on average. 15 % of the hosts are 3.
        FabricWorkloadOptions o;
        o.load = "0.4";
        auto workload = DynamicCast<HotSpotWorkload>(MakeFabricWorkload("hotspot:size=10kB", o));
        NS_TEST_ASSERT_MSG_EQ(static_cast<bool>(workload), true, "hot spot");
        NS_TEST_EXPECT_MSG_EQ(workload->AssignStreams(100), (1 << 21) + 1, "streams");
        const FabricGraph graph = MakeHosts(20);
        const std::vector<FabricFlow> flows = workload->Generate(graph);
        const std::vector<uint32_t> hot = workload->GetHot();
        NS_TEST_ASSERT_MSG_EQ(hot.size(), 3, "15 % of 20");
        NS_TEST_EXPECT_MSG_EQ((workload->Generate(graph) == flows), true, "the same streams again");
        const auto n = static_cast<double>(flows.size());
        NS_TEST_EXPECT_MSG_EQ_TOL(n, 20000, FIVE_SIGMA * std::sqrt(20000.0), "Poisson");
        std::map<uint32_t, double> received;
        for (const auto& flow : flows)
        {
            NS_TEST_EXPECT_MSG_NE(flow.src, flow.dst, "never to itself");
            NS_TEST_EXPECT_MSG_EQ(flow.sizeBytes, 10000, "size");
            const bool isHot = std::count(hot.begin(), hot.end(), flow.dst) != 0;
            NS_TEST_EXPECT_MSG_EQ(workload->GetGroups().at(flow.group),
                                  (isHot ? "hot" : "background"),
                                  "label");
            received[flow.dst]++;
        }
        double toHot = 0;
        for (const uint32_t host : hot)
        {
            // 0.85 / 3 of all, though a hot sender has only two hot hosts to send to
            NS_TEST_EXPECT_MSG_EQ_TOL(received[host],
                                      n * 0.85 / 3,
                                      FIVE_SIGMA * std::sqrt(n * 0.2833 * 0.7167),
                                      "evenly to hot host " << host);
            toHot += received[host];
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(toHot,
                                  n * 0.85,
                                  FIVE_SIGMA * std::sqrt(n * 0.85 * 0.15),
                                  "85 % to hot hosts");
        NS_TEST_EXPECT_MSG_EQ(received.size(), 20, "the others get something too");

        // Shares at the edges: all traffic to one host of two; its own goes to the other.
        workload = DynamicCast<HotSpotWorkload>(
            MakeFabricWorkload("hotspot:traffic=1,hosts=0.01,sizes=hadoop"));
        workload->AssignStreams(7);
        for (const auto& flow : workload->Generate(MakeHosts(2)))
        {
            NS_TEST_EXPECT_MSG_EQ(flow.src + flow.dst, 3, "between the two");
        }
        NS_TEST_EXPECT_MSG_EQ(workload->GetHot().size(), 1, "at least one");
        NS_TEST_EXPECT_MSG_EQ(workload->GetCdf(), "hadoop", "sizes");
        workload->SetHotHosts(0.99);
        workload->Generate(MakeHosts(4));
        NS_TEST_EXPECT_MSG_EQ(workload->GetHot().size(), 3, "at most all but one");
        workload->SetTraffic(0);
        for (const auto& flow : workload->Generate(MakeHosts(4)))
        {
            const std::vector<uint32_t>& three = workload->GetHot();
            const bool toHotHost = std::count(three.begin(), three.end(), flow.dst) != 0;
            const bool fromHotHost = std::count(three.begin(), three.end(), flow.src) != 0;
            NS_TEST_EXPECT_MSG_NE(toHotHost,
                                  fromHotHost,
                                  "none to hot hosts, but from the cold one");
        }
        workload->SetHotHosts(0);
        DCFABRIC_EXPECT_REFUSAL(workload->Generate(MakeHosts(4)), "hot-spot: the share of traffic");
        DCFABRIC_EXPECT_REFUSAL(MakeFabricWorkload("hotspot:traffic=2"), "traffic");
        DCFABRIC_EXPECT_REFUSAL(MakeFabricWorkload("hotspot:size=1,sizes=hadoop"), "exclude");
        DCFABRIC_EXPECT_REFUSAL(MakeFabricWorkload("hotspot:fraction=1"),
                                "known keys: traffic, hosts, sizes, cold, size");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Hot spots whose background goes to all hosts, as in figure 8 of RCM.
 */
class HotSpotBackgroundTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param spec command line form
     * @param nHosts hosts
     * @param load of each host
     */
    void Draw(const std::string& spec, uint32_t nHosts, const std::string& load)
    {
        FabricWorkloadOptions o;
        o.load = load;
        o.duration = "1ms";
        m_workload = DynamicCast<HotSpotWorkload>(MakeFabricWorkload(spec, o));
        m_workload->AssignStreams(100);
        m_flows = m_workload->Generate(MakeHosts(nHosts));
    }

    void DoRun() override
    {
        constexpr double FIVE_SIGMA = 5.0;
        constexpr uint32_t N = 432;
        // At load 0.4 a host sends 0.4 x 100e9 x 1e-3 / 8e4 = 500 flows of 10 kB on average. Of
        // these 0.85 go to any of the 431 others; all hosts together send each of them
        // 431 x 425 / 431 = 425. The other 75 go to the 54 hot hosts: 378 cold senders give each
        // of them 378 x 75 / 54 = 525, the 53 hot ones 53 x 75 / 53 = 75. So a hot host gets
        // 425 + 600 = 1025, which is 2.05 x 500, and any other 425.
        Draw("hotspot:traffic=0.15,hosts=0.125,cold=all,size=10kB", N, "0.4");
        const std::vector<uint32_t> hot = m_workload->GetHot();
        NS_TEST_ASSERT_MSG_EQ(hot.size(), 54, "12.5 % of 432");
        NS_TEST_EXPECT_MSG_EQ(m_workload->GetCold(), "all", "read back");
        std::vector<double> received(N + 1); // hosts are 1 to N
        double hotFlows = 0;
        double background = 0;
        double backgroundToHot = 0;
        for (const auto& flow : m_flows)
        {
            NS_TEST_EXPECT_MSG_NE(flow.src, flow.dst, "never to itself");
            const bool toHotHost = std::binary_search(hot.begin(), hot.end(), flow.dst);
            const bool isHot = m_workload->GetGroups().at(flow.group) == "hot";
            NS_TEST_EXPECT_MSG_EQ((isHot && !toHotHost), false, "hot flows go to hot hosts");
            hotFlows += isHot ? 1 : 0;
            background += isHot ? 0 : 1;
            backgroundToHot += !isHot && toHotHost ? 1 : 0;
            received[flow.dst]++;
        }
        double toHot = 0;
        for (uint32_t host = 1; host <= N; host++)
        {
            const bool isHot = std::binary_search(hot.begin(), hot.end(), host);
            const double expected = isHot ? 1025 : 425;
            NS_TEST_EXPECT_MSG_EQ_TOL(received[host],
                                      expected,
                                      FIVE_SIGMA * std::sqrt(expected),
                                      "host " << host << ", seed " << RngSeedManager::GetSeed());
            toHot += isHot ? received[host] : 0;
        }
        const auto near = [&](double value, double expected, const char* what) {
            NS_TEST_EXPECT_MSG_EQ_TOL(value, expected, FIVE_SIGMA * std::sqrt(expected), what);
        };
        near(toHot, 54 * 1025, "all hot hosts");
        near(hotFlows, 432 * 75, "hot flows");
        near(background, 432 * 425, "background");
        near(backgroundToHot, 54 * 425, "background that hot hosts get, too");

        // Without it the background avoids the hot hosts: 600 for each of them, and
        // 432 x 425 / 378 = 485.7 for any other.
        Draw("hotspot:traffic=0.15,hosts=0.125,size=10kB", N, "0.4");
        NS_TEST_EXPECT_MSG_EQ(m_workload->GetCold(), "others", "default");
        toHot = 0;
        for (const auto& flow : m_flows)
        {
            toHot += std::binary_search(hot.begin(), hot.end(), flow.dst) ? 1 : 0;
        }
        NS_TEST_EXPECT_MSG_EQ((m_workload->GetHot() == hot), true, "the same seed, the same hosts");
        near(toHot, 54 * 600, "hot flows alone");

        // The only hot host has nobody to send hot flows to: its flows are background.
        Draw("hotspot:traffic=1,hosts=0.01,cold=all,size=10kB", 4, "0.4");
        const uint32_t only = m_workload->GetHot().at(0);
        double own = 0;
        for (const auto& flow : m_flows)
        {
            NS_TEST_EXPECT_MSG_EQ((flow.src == only), (flow.group == 0), "background from there");
            NS_TEST_EXPECT_MSG_EQ((flow.src == only), (flow.dst != only), "all else to it");
            own += flow.src == only ? 1 : 0;
        }
        near(own, 500, "it does send");
        DCFABRIC_EXPECT_REFUSAL(MakeFabricWorkload("hotspot:cold=non"),
                                "unknown receivers of the background 'non'; known: others, all");
    }

    Ptr<HotSpotWorkload> m_workload; //!< the last one
    std::vector<FabricFlow> m_flows; //!< its flows
};

/// Suite of collective workloads.
const SuiteCases g_cases("dcfabric-workload", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(
        new MixedWorkloadTestCase("several workloads at once keep their labels and triggers"));
    suite.AddTestCase(
        new ShiftTestCase("a shift has each host send to the one so many further on"));
    suite.AddTestCase(
        new AllToAllTestCase("all-to-all has each pair once, in rounds that are permutations"));
    suite.AddTestCase(
        new AllReduceTestCase("all-reduce brings every byte of every host to all hosts"));
    suite.AddTestCase(new HotSpotTestCase);
    suite.AddTestCase(new HotSpotBackgroundTestCase(
        "the background of hot spots goes to all hosts or the others"));
});

} // namespace ns3::tests::collective_workload_test
