// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-distances.h"
#include "../fabric-test-errors.h"
#include "../fabric-test-suite.h"

#include "ns3/fabric-graph.h"
#include "ns3/fabric-topology.h"
#include "ns3/global-links.h"
#include "ns3/test.h"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Plans of dragonflies and dragonflies+.
 */

namespace ns3::tests::dragonfly_topology_test
{

/// @return the plan of a topology as on a command line
FabricGraph
Plan(const std::string& spec)
{
    return MakeFabricTopology(spec)->BuildGraph();
}

/// @return number of global links between each pair of groups that has some, lower group first
std::map<std::pair<uint32_t, uint32_t>, uint32_t>
CountGlobals(const FabricGraph& graph)
{
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> counts;
    for (uint32_t i = 0; i < graph.GetNLinks(); i++)
    {
        if (graph.IsGlobal(i))
        {
            const FabricLink& link = graph.GetLinks()[i];
            const uint32_t a = graph.GetNode(link.a).pod;
            const uint32_t b = graph.GetNode(link.b).pod;
            counts[std::minmax(a, b)]++;
        }
    }
    return counts;
}

/**
 * @ingroup dcfabric-tests
 * @brief Counts, degrees and distances of the largest dragonflies of three sizes.
 *
 * p hosts, a routers, h global ports, g = a h + 1 groups: a p g hosts; links of hosts a p g, local
 * g a (a - 1) / 2, global g a h / 2, one for each of the g (g - 1) / 2 pairs of groups; ports of a
 * router p + a - 1 + h. Any two routers are at most local, global, local apart.
 */
class DragonflyCountsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// Pairs of routers of different groups, in tenths of a percent.
    struct Share
    {
        uint32_t onlyMany; //!< to which only ways over several global links are shortest
        uint32_t tie;      //!< to which ways over one and over several are
    };

    /// A size, and what breadth-first search does wrong.
    struct Size
    {
        uint32_t p;     //!< hosts of a router
        uint32_t a;     //!< routers of a group
        uint32_t h;     //!< global ports of a router
        Share absolute; //!< under the usual arrangement
        Share relative; //!< and under this
    };

    void DoRun() override
    {
        // The shares were computed apart from this code. They are why minimal routes cannot be
        // found by breadth-first search.
        for (const Size& size : {Size{2, 4, 2, {21, 250}, {31, 328}},
                                 Size{3, 6, 3, {15, 225}, {25, 306}},
                                 Size{4, 8, 4, {10, 196}, {18, 278}}})
        {
            for (const std::string& arrangement : GetGlobalArrangements())
            {
                Check(size, arrangement);
            }
        }
    }

    /**
     * @param size to be checked
     * @param arrangement of its global links
     */
    void Check(const Size& size, const std::string& arrangement)
    {
        const auto [p, a, h, absolute, relative] = size;
        const uint32_t g = a * h + 1;
        const std::string spec = "dragonfly:hosts=" + std::to_string(p) +
                                 ",routers=" + std::to_string(a) + ",globals=" + std::to_string(h) +
                                 ",groups=0,arrangement=" + arrangement;
        const FabricGraph graph = Plan(spec);
        NS_TEST_ASSERT_MSG_EQ(graph.GetNHosts(), a * p * g, spec << ": hosts");
        NS_TEST_ASSERT_MSG_EQ(graph.GetNSwitches(), a * g, spec << ": routers");
        NS_TEST_ASSERT_MSG_EQ(graph.GetNLinks(),
                              a * p * g + g * a * (a - 1) / 2 + g * a * h / 2,
                              spec << ": links");
        NS_TEST_EXPECT_MSG_EQ(graph.GetNGroups(), g, spec << ": groups");
        const auto counts = CountGlobals(graph);
        NS_TEST_EXPECT_MSG_EQ(counts.size(), g * (g - 1) / 2, spec << ": pairs of groups");
        for (const auto& [pair, count] : counts)
        {
            NS_TEST_EXPECT_MSG_EQ(count, 1, spec << ": " << pair.first << " to " << pair.second);
        }
        uint64_t pairs = 0;
        uint64_t onlyMany = 0;
        uint64_t tie = 0;
        for (uint32_t router = graph.GetNHosts(); router < graph.GetNNodes(); router++)
        {
            CheckRouter(graph, router, p, a, spec);
            NS_TEST_EXPECT_MSG_EQ(graph.GetDegree(router), p + a - 1 + h, spec << ": ports");
            const auto by = GetDistancesByGlobals(graph, router);
            for (uint32_t other = graph.GetNHosts(); other < graph.GetNNodes(); other++)
            {
                if (graph.GetNode(other).pod == graph.GetNode(router).pod)
                {
                    NS_TEST_EXPECT_MSG_LT_OR_EQ(by[0][other], 1, spec << ": full mesh");
                    continue;
                }
                NS_TEST_EXPECT_MSG_EQ((by[1][other] >= 1 && by[1][other] <= 3),
                                      true,
                                      spec << ": local, global, local");
                pairs++;
                onlyMany += by[2][other] < by[1][other];
                tie += by[2][other] == by[1][other];
            }
        }
        if (arrangement == "absolute" || arrangement == "relative")
        {
            const Share& share = arrangement == "absolute" ? absolute : relative;
            const auto permille = [pairs](uint64_t n) { return (n * 2000 / pairs + 1) / 2; };
            NS_TEST_EXPECT_MSG_EQ(permille(onlyMany), share.onlyMany, spec << ": only by several");
            NS_TEST_EXPECT_MSG_EQ(permille(tie), share.tie, spec << ": also by several");
        }
    }

    /**
     * @brief Hosts first, then the others of the group in order.
     * @param graph plan
     * @param router its number
     * @param p hosts
     * @param a routers of a group
     * @param spec for messages
     */
    void CheckRouter(const FabricGraph& graph,
                     uint32_t router,
                     uint32_t p,
                     uint32_t a,
                     const std::string& spec)
    {
        const uint32_t first = graph.GetNHosts();
        const uint32_t place = router - first;
        const uint32_t group = place / a;
        NS_TEST_EXPECT_MSG_EQ(graph.GetNode(router).pod, group, spec << ": group");
        NS_TEST_EXPECT_MSG_EQ(graph.GetName(router),
                              "router-" + std::to_string(group) + "-" + std::to_string(place % a),
                              "name");
        for (uint32_t port = 0; port < p; port++)
        {
            const uint32_t host = graph.GetPort(router, port).peer;
            NS_TEST_EXPECT_MSG_EQ(host, place * p + port, spec << ": host");
            NS_TEST_EXPECT_MSG_EQ(graph.GetNode(host).pod, group, spec << ": group of a host");
        }
        for (uint32_t i = 0; i + 1 < a; i++)
        {
            const uint32_t other = group * a + i + (i >= place % a);
            const auto& port = graph.GetPort(router, p + i);
            NS_TEST_EXPECT_MSG_EQ(port.peer, first + other, spec << ": local port");
            NS_TEST_EXPECT_MSG_EQ(graph.IsGlobal(port.link), false, spec << ": local link");
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief The rules of arrangements by hand, and fewer groups than fit.
 */
class GlobalLinksTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// @return groups to which the ports of a group lead; unused ports are left out
    std::vector<uint32_t> Ends(const std::string& arrangement, uint32_t g, uint32_t group)
    {
        std::map<uint32_t, uint32_t> byPort;
        for (const GlobalLink& link : ArrangeGlobalLinks(arrangement, g, 8))
        {
            NS_TEST_EXPECT_MSG_LT(link.groupA, link.groupB, "lower group first");
            if (link.groupA == group)
            {
                byPort[link.portA] = link.groupB;
            }
            if (link.groupB == group)
            {
                byPort[link.portB] = link.groupA;
            }
        }
        std::vector<uint32_t> ends;
        ends.reserve(byPort.size());
        for (const auto& [port, end] : byPort)
        {
            NS_TEST_EXPECT_MSG_EQ(port, ends.size(), "ports from 0");
            ends.push_back(end);
        }
        return ends;
    }

    void DoRun() override
    {
        using Groups = std::vector<uint32_t>;
        const auto expect =
            [this](const std::string& arrangement, uint32_t g, uint32_t group, const Groups& ends) {
                NS_TEST_EXPECT_MSG_EQ((Ends(arrangement, g, group) == ends),
                                      true,
                                      arrangement << ", group " << group << " of " << g);
            };
        // 8 ports, 9 groups: one round
        expect("absolute", 9, 3, {0, 1, 2, 4, 5, 6, 7, 8});
        expect("relative", 9, 3, {4, 5, 6, 7, 8, 0, 1, 2});
        expect("palm-tree", 9, 3, {2, 1, 0, 8, 7, 6, 5, 4});
        expect("circulant", 9, 3, {4, 2, 5, 1, 6, 0, 7, 8});
        // 8 groups: a round of 7, one port unused; the group across is 4 away either way
        expect("absolute", 8, 3, {0, 1, 2, 4, 5, 6, 7});
        expect("circulant", 8, 3, {4, 2, 5, 1, 6, 0, 7});
        // 5 groups: two rounds of 4; 4 groups: two rounds of 3, two ports unused
        expect("relative", 5, 3, {4, 0, 1, 2, 4, 0, 1, 2});
        expect("absolute", 4, 0, {1, 2, 3, 1, 2, 3});
        expect("absolute", 2, 1, {0, 0, 0, 0, 0, 0, 0, 0});
        expect("absolute", 1, 0, {});
        for (const std::string& arrangement : GetGlobalArrangements())
        {
            for (uint32_t g = 2; g <= 9; g++)
            {
                CheckRounds(arrangement, g);
            }
        }
        DCFABRIC_EXPECT_REFUSAL(ArrangeGlobalLinks("absolute", 10, 8),
                                "groups=10 cannot all reach one another: a group has 8 global "
                                "links, enough for 1 to 9 groups");
        DCFABRIC_EXPECT_REFUSAL(ArrangeGlobalLinks("absolute", 0, 8), "groups=0");
        DCFABRIC_EXPECT_REFUSAL(ArrangeGlobalLinks("palmtree", 9, 8), "the nearest is palm-tree");
    }

    /**
     * @param arrangement of links
     * @param g groups with 8 ports each
     */
    void CheckRounds(const std::string& arrangement, uint32_t g)
    {
        const auto links = ArrangeGlobalLinks(arrangement, g, 8);
        // 8 / (g - 1), rounded down, links for each pair; each port at most once
        NS_TEST_EXPECT_MSG_EQ(links.size(), 8 / (g - 1) * (g * (g - 1) / 2), arrangement << g);
        std::map<std::pair<uint32_t, uint32_t>, uint32_t> counts;
        std::set<std::pair<uint32_t, uint32_t>> ports;
        for (const GlobalLink& link : links)
        {
            counts[{link.groupA, link.groupB}]++;
            ports.insert({link.groupA, link.portA});
            ports.insert({link.groupB, link.portB});
        }
        NS_TEST_EXPECT_MSG_EQ(ports.size(), 2 * links.size(), arrangement << g << ": ports");
        NS_TEST_EXPECT_MSG_EQ(counts.size(), g * (g - 1) / 2, arrangement << g << ": pairs");
        for (const auto& [pair, count] : counts)
        {
            NS_TEST_EXPECT_MSG_EQ(count, 8 / (g - 1), arrangement << g << ": alike");
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Edges of dragonflies: few groups, lone routers, link tiers, refusals, rails.
 */
class DragonflyEdgesTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // 5 of 9 groups: 5 x (8 + 6) links of hosts and local ones, two global for each of 10 pairs
        const FabricGraph five = Plan("dragonfly:groups=5");
        NS_TEST_EXPECT_MSG_EQ(five.GetNLinks(), 90, "two links for each pair");
        // Round 1 begins at port 4, that is router 2: no two links of a pair start at one router.
        NS_TEST_EXPECT_MSG_EQ(five.GetName(five.GetLinks()[70].a), "router-0-0", "first global");
        NS_TEST_EXPECT_MSG_EQ(five.GetName(five.GetLinks()[74].a), "router-0-2", "its parallel");
        NS_TEST_EXPECT_MSG_EQ(five.GetName(five.GetLinks()[74].b), "router-1-2", "far end");
        // one group: a full mesh of 4 routers with 8 hosts
        const FabricGraph one = Plan("dragonfly:groups=1");
        NS_TEST_EXPECT_MSG_EQ(one.GetNLinks(), 8 + 6, "one group");
        NS_TEST_EXPECT_MSG_EQ(CountGlobals(one).size(), 0, "no global link");
        // groups of one router: a full mesh of h + 1 = 4 routers, all links global
        const FabricGraph mesh = Plan("dragonfly:hosts=1,routers=1,globals=3,groups=0");
        NS_TEST_EXPECT_MSG_EQ(mesh.GetNLinks(), 4 + 6, "full mesh");
        NS_TEST_EXPECT_MSG_EQ(CountGlobals(mesh).size(), 6, "all global");
        NS_TEST_EXPECT_MSG_EQ(Plan("dragonfly").GetNHosts(), 72, "usual size");
        NS_TEST_EXPECT_MSG_EQ(Plan("dragonfly").GetUsualRouting(),
                              "ns3::DragonflyMinimalRouting",
                              "usual routing");
        NS_TEST_EXPECT_MSG_EQ(Plan("fat-tree:k=4").GetUsualRouting(),
                              "ns3::ShortestPathRouting",
                              "usual routing of others");
        NS_TEST_EXPECT_MSG_EQ(CountGlobals(Plan("fat-tree:k=4")).size(), 0, "pods are no groups");
        CheckTiers();
        CheckRails();
        CheckRefusals();
    }

    /// Rates and delays of hosts, local and global links.
    void CheckTiers()
    {
        for (const char* spec : {"dragonfly", "dragonfly-plus"})
        {
            FabricTopologyOptions options;
            options.tierRates = "100Gbps,200Gbps,400Gbps";
            options.tierDelays = "1us,2us,3us";
            const FabricGraph graph = MakeFabricTopology(spec, options)->BuildGraph();
            for (uint32_t i = 0; i < graph.GetNLinks(); i++)
            {
                const FabricLink& link = graph.GetLinks()[i];
                const int tier = graph.IsHost(link.a) ? 0 : graph.IsGlobal(i) ? 2 : 1;
                NS_TEST_EXPECT_MSG_EQ(link.rateBps, 100000000000U << tier, spec << ": rate");
                NS_TEST_EXPECT_MSG_EQ(link.delayPs, (tier + 1) * 1000000, spec << ": delay");
            }
        }
        // A leaf has 4 hosts and 2 spines: ratio 1 doubles the rate. A spine has 8 leaves and 4
        // global links: ratio 2 keeps it.
        FabricTopologyOptions options;
        options.oversubscription = "1,2";
        const FabricGraph plus =
            MakeFabricTopology("dragonfly-plus:leaves=8,spines=2", options)->BuildGraph();
        NS_TEST_EXPECT_MSG_EQ(plus.GetLinks()[8 * 4 * 9].rateBps, 200000000000, "leaf to spine");
        NS_TEST_EXPECT_MSG_EQ(plus.GetLinks().back().rateBps, 200000000000, "global");
    }

    /// Two copies.
    void CheckRails()
    {
        const FabricGraph graph = Plan("dragonfly:rails=2");
        NS_TEST_EXPECT_MSG_EQ(graph.GetNHosts(), 72, "as many hosts");
        NS_TEST_EXPECT_MSG_EQ(graph.GetNSwitches(), 2 * 36, "twice the routers");
        NS_TEST_EXPECT_MSG_EQ(graph.GetNLinks(), 2 * (72 + 54 + 36), "twice the links");
        NS_TEST_EXPECT_MSG_EQ(graph.GetPort(5, 0).peer, 72 + 2, "first port of host 5");
        NS_TEST_EXPECT_MSG_EQ(graph.GetPort(5, 1).peer, 72 + 36 + 2, "second port");
        NS_TEST_EXPECT_MSG_EQ(graph.GetName(72 + 36 + 2), "rail-1-router-0-2", "name");
        for (const auto& [pair, count] : CountGlobals(graph))
        {
            NS_TEST_EXPECT_MSG_EQ(count, 2, "one link in each rail");
        }
        NS_TEST_EXPECT_MSG_EQ(GetDistances(graph, 72)[72 + 36], NO_WAY, "rails are apart");
        NS_TEST_EXPECT_MSG_LT(GetDistances(graph, 72)[72 + 35], NO_WAY, "each is one network");
    }

    void CheckRefusals()
    {
        DCFABRIC_EXPECT_REFUSAL(Plan("dragonfly:groups=10"), "groups=10 cannot all reach");
        DCFABRIC_EXPECT_REFUSAL(Plan("dragonfly-plus:groups=18"), "groups=18 cannot all reach");
        DCFABRIC_EXPECT_REFUSAL(Plan("dragonfly:arrangement=relativ"), "the nearest is relative");
        DCFABRIC_EXPECT_REFUSAL(Plan("dragonfly:routers=0"), "'0' is not a whole number from 1");
        DCFABRIC_EXPECT_REFUSAL(Plan("dragonfly:rails=0"), "'0' is not a whole number from 1");
        DCFABRIC_EXPECT_REFUSAL(Plan("dragonfly:routers=4096,globals=4096,groups=0"),
                                "nodes; a topology has at most");
        // 5 x (4096 + 4096 x 4095 / 2 + 4096 / 2)
        DCFABRIC_EXPECT_REFUSAL(Plan("dragonfly:hosts=1,routers=4096,globals=1,groups=5"),
                                "dragonfly: 41963520 links; a topology has at most 33554432");
        FabricTopologyOptions options;
        options.oversubscription = "2";
        DCFABRIC_EXPECT_REFUSAL(MakeFabricTopology("dragonfly", options)->BuildGraph(),
                                "oversubscription '2' has no effect on a dragonfly");
        FabricTopologyOptions tiers;
        tiers.tierRates = "1Gbps,2Gbps";
        DCFABRIC_EXPECT_REFUSAL(MakeFabricTopology("dragonfly", tiers)->BuildGraph(),
                                "2 values, this topology has 3 tiers of links");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Counts, degrees and distances of dragonflies+ of three sizes.
 *
 * L leaves with p hosts, S spines with h global ports, g groups with n links a pair: g L p hosts;
 * links g L p, g L S and n g (g - 1) / 2. Leaves are two apart within a group, and three between
 * groups, as every leaf reaches every spine of its group: breadth-first search is right here.
 */
class DragonflyPlusTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        Check(4, 4, 4, 4, 9, 2);
        Check(2, 2, 2, 2, 5, 1);
        Check(3, 2, 1, 3, 7, 1);
    }

    /// The letters above.
    void Check(uint32_t l, uint32_t s, uint32_t p, uint32_t h, uint32_t g, uint32_t n)
    {
        const std::string spec = "dragonfly-plus:leaves=" + std::to_string(l) +
                                 ",spines=" + std::to_string(s) + ",hosts=" + std::to_string(p) +
                                 ",globals=" + std::to_string(h) + ",groups=" + std::to_string(g);
        const FabricGraph graph = Plan(spec);
        const uint32_t hosts = g * l * p;
        const uint32_t spines = hosts + g * l;
        NS_TEST_ASSERT_MSG_EQ(graph.GetNHosts(), hosts, spec << ": hosts");
        NS_TEST_ASSERT_MSG_EQ(graph.GetNSwitches(), g * (l + s), spec << ": switches");
        NS_TEST_ASSERT_MSG_EQ(graph.GetNLinks(),
                              hosts + g * l * s + n * g * (g - 1) / 2,
                              spec << ": links");
        for (const auto& [pair, count] : CountGlobals(graph))
        {
            NS_TEST_EXPECT_MSG_EQ(count, n, spec << ": links of a pair");
        }
        NS_TEST_EXPECT_MSG_EQ(graph.GetName(hosts + l), "leaf-1-0", "name");
        NS_TEST_EXPECT_MSG_EQ(graph.GetName(spines + s + 1), "spine-1-1", "name");
        for (uint32_t node = hosts; node < graph.GetNNodes(); node++)
        {
            const bool leaf = node < spines;
            NS_TEST_EXPECT_MSG_EQ(+graph.GetNode(node).tier, (leaf ? 1 : 2), spec << ": tier");
            NS_TEST_EXPECT_MSG_EQ(graph.GetNode(node).pod,
                                  (leaf ? (node - hosts) / l : (node - spines) / s),
                                  spec << ": group");
            NS_TEST_EXPECT_MSG_EQ(graph.GetDegree(node), (leaf ? p + s : l + h), spec << ": ports");
            if (!leaf)
            {
                continue;
            }
            const auto by = GetDistancesByGlobals(graph, node);
            for (uint32_t other = hosts; other < spines; other++)
            {
                const bool same = graph.GetNode(other).pod == graph.GetNode(node).pod;
                const uint32_t least = std::min({by[0][other], by[1][other], by[2][other]});
                NS_TEST_EXPECT_MSG_EQ(least,
                                      (other == node ? 0
                                       : same        ? 2
                                                     : 3),
                                      spec << ": distance");
                NS_TEST_EXPECT_MSG_GT(by[2][other], 3, spec << ": two global links are longer");
            }
        }
    }
};

/// Suite of graphs and topologies.
const SuiteCases g_cases("dcfabric-topology", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new DragonflyCountsTestCase(
        "dragonflies have the counts, degrees and distances of the formulas; shortest ways cross "
        "two global links for known shares of pairs"));
    suite.AddTestCase(new GlobalLinksTestCase("global links lead to the groups of each rule"));
    suite.AddTestCase(new DragonflyEdgesTestCase(
        "few groups, lone routers, tiers, rails and refusals of dragonflies"));
    suite.AddTestCase(
        new DragonflyPlusTestCase("dragonflies+ have the counts, degrees and distances"));
});

} // namespace ns3::tests::dragonfly_topology_test
