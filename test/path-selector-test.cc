// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-network.h"
#include "fabric-test-paths.h"
#include "fabric-test-plan.h"

#include "ns3/fabric-helper.h"
#include "ns3/fabric-topology.h"
#include "ns3/test.h"

#include <map>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Symmetric and per-flow ECMP: the same links both ways, and an even spread.
 */

namespace ns3::tests::path_selector_test
{

/**
 * @param k ports a switch
 * @return a fat-tree
 */
FabricGraph
FatTree(uint32_t k)
{
    return MakeFabricTopology("fat-tree:k=" + std::to_string(k))->BuildGraph();
}

/**
 * @param leaves,spines,hosts numbers
 * @param links parallel links between leaf i and spine j, by i + j modulo the size
 * @return a leaf-spine network with parallel links
 */
FabricGraph
ParallelLeafSpine(uint32_t leaves,
                  uint32_t spines,
                  uint32_t hosts,
                  const std::vector<uint32_t>& links)
{
    FabricGraph graph;
    for (uint32_t i = 0; i < leaves * hosts; ++i)
    {
        graph.AddHost(i / hosts);
    }
    for (uint32_t i = 0; i < leaves + spines; ++i)
    {
        graph.AddSwitch(i < leaves ? 1 : 2);
    }
    // spines backwards, and one turn after the other, so that port numbers follow no pattern
    for (uint32_t turn = 0; turn < 4; ++turn)
    {
        for (uint32_t i = 0; i < leaves; ++i)
        {
            for (uint32_t j = spines; j-- > 0;)
            {
                if (turn < links[(i + j) % links.size()])
                {
                    graph.AddLink(leaves * hosts + i,
                                  leaves * (hosts + 1) + j,
                                  100 * GBPS,
                                  1000000);
                }
            }
        }
    }
    for (uint32_t i = 0; i < leaves * hosts; ++i)
    {
        graph.AddLink(i, leaves * hosts + i / hosts, 100 * GBPS, 1000000);
    }
    return graph;
}

/**
 * @ingroup dcfabric-tests
 * @brief F4.
 */
class SymmetryTestCase : public PathSymmetryTestCase
{
    using PathSymmetryTestCase::PathSymmetryTestCase;

    /**
     * @param graph plan
     * @param selector path selector
     * @param entropies how many
     * @param seed of the hash
     * @return share of pairs and entropies whose ways there and back differ
     */
    double Asymmetry(const FabricGraph& graph,
                     const std::string& selector,
                     uint32_t entropies,
                     uint32_t seed = 0)
    {
        FabricHelper helper;
        helper.SetPathSelector("ns3::" + selector, "HashSeed", UintegerValue(seed));
        return PathSymmetryTestCase::Asymmetry(graph, helper, entropies, selector);
    }

    void DoRun() override
    {
        const std::string symmetric = "SymmetricEcmpPathSelector";
        NS_TEST_EXPECT_MSG_EQ(Asymmetry(FatTree(4), symmetric, 32), 0, "k = 4");
        NS_TEST_EXPECT_MSG_EQ(Asymmetry(FatTree(4), symmetric, 8, 12345), 0, "k = 4, other hash");
        NS_TEST_EXPECT_MSG_EQ(Asymmetry(FatTree(8), symmetric, 3), 0, "k = 8");
        const FabricGraph leafSpine = MakeFabricTopology("leaf-spine:hosts=4")->BuildGraph();
        NS_TEST_EXPECT_MSG_EQ(Asymmetry(leafSpine, symmetric, 8), 0, "leaf-spine");
        NS_TEST_EXPECT_MSG_EQ(Asymmetry(ParallelLeafSpine(4, 3, 3, {2}), symmetric, 16),
                              0,
                              "two links between each leaf and spine");
        NS_TEST_EXPECT_MSG_EQ(Asymmetry(ParallelLeafSpine(4, 3, 3, {1, 3, 2}), symmetric, 16),
                              0,
                              "one to three links");

        // hosts at two and three leaves; a host with three links to its switch
        for (const std::string spec : {"leaf-spine:leaves=4,spines=3,hosts=2,homes=2",
                                       "leaf-spine:leaves=6,spines=2,hosts=3,homes=3",
                                       "leaf-spine:leaves=2,spines=4,hosts=3,homes=2"})
        {
            const FabricGraph graph = MakeFabricTopology(spec)->BuildGraph();
            NS_TEST_EXPECT_MSG_EQ(Asymmetry(graph, symmetric, 32), 0, spec);
            NS_TEST_EXPECT_MSG_EQ(Asymmetry(graph, symmetric, 8, 99), 0, spec << ", other hash");
        }
        const FabricGraph links = PlanOfLinks(2, 1, {{0, 2}, {1, 2}, {0, 2}, {0, 2}});
        NS_TEST_EXPECT_MSG_EQ(Asymmetry(links, symmetric, 32), 0, "three links of a host");

        // four layers: several switches of layer 2 or 3 to choose from on the way down, too
        for (const std::string spec :
             {"clos4:racks=2,hosts=2,l1=1,l2=2,switching-racks=2,l3=2,l4=1",
              "clos4:racks=4,hosts=1,l1=2,l2=3,switching-racks=2,l3=2,l4=2",
              "clos4:racks=3,hosts=2,l1=2,l2=2,switching-racks=3,l3=1,l4=2"})
        {
            const FabricGraph graph = MakeFabricTopology(spec)->BuildGraph();
            NS_TEST_EXPECT_MSG_EQ(Asymmetry(graph, symmetric, 32), 0, spec);
            NS_TEST_EXPECT_MSG_EQ(Asymmetry(graph, symmetric, 8, 99), 0, spec << ", other hash");
        }

        // Per-flow ECMP chooses each way anew. In a k = 4 fat-tree 192 of 240 pairs have four ways
        // (3/4 differ), 32 have two (1/2), 16 have one: (192 x 3/4 + 32 x 1/2) / 240 = 2/3.
        NS_TEST_EXPECT_MSG_EQ_TOL(Asymmetry(FatTree(4), "EcmpPathSelector", 32),
                                  2.0 / 3,
                                  0.03,
                                  "per-flow ECMP");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief An even spread at all tiers.
 */
class SpreadTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param counts of each bin
     * @param bins number of bins
     * @return chi-square of counts against an even spread
     */
    static double ChiSquare(const std::map<uint32_t, uint32_t>& counts, uint32_t bins)
    {
        double total = 0;
        for (const auto& [bin, count] : counts)
        {
            total += count;
        }
        const double even = total / bins;
        double sum = even * static_cast<double>(bins - counts.size()); // empty ones
        for (const auto& [bin, count] : counts)
        {
            sum += (count - even) * (count - even) / even;
        }
        return sum;
    }

    void DoRun() override
    {
        for (const std::string selector : {"SymmetricEcmpPathSelector", "EcmpPathSelector"})
        {
            for (const uint32_t seed : {0, 1, 99})
            {
                FabricHelper helper;
                helper.SetPathSelector("ns3::" + selector, "HashSeed", UintegerValue(seed));
                // k = 8: from pod 0 to pod 7 there are 4 x 4 ways, each over one of 16 cores. If
                // the tiers chose alike, only 4 cores would be met.
                Ptr<Fabric> fabric = helper.Install(FatTree(8));
                const auto core = [&fabric](uint32_t src, uint32_t dst, uint16_t entropy) {
                    return fabric->TracePath(src, dst, entropy).at(3).node;
                };
                std::map<uint32_t, uint32_t> byEntropy;
                std::map<uint32_t, uint32_t> bySource;
                std::map<uint32_t, uint32_t> byPair;
                for (uint32_t i = 0; i < 16000; ++i)
                {
                    ++byEntropy[core(0, 127, static_cast<uint16_t>(i))];
                    ++bySource[core(i % 16, 127, static_cast<uint16_t>(i / 16))];
                }
                for (uint32_t src = 0; src < 64; ++src)
                {
                    for (uint32_t dst = 64; dst < 128; ++dst)
                    {
                        ++byPair[core(src, dst, 4791)];
                    }
                }
                // 15 degrees of freedom: 37.7 is exceeded by chance once in 1000 times, 50 once in
                // 100,000 times
                const std::string what = selector + ", seed " + std::to_string(seed);
                NS_TEST_EXPECT_MSG_LT(ChiSquare(byEntropy, 16), 50, "entropies, " << what);
                NS_TEST_EXPECT_MSG_LT(ChiSquare(bySource, 16), 50, "sources, " << what);
                NS_TEST_EXPECT_MSG_LT(ChiSquare(byPair, 16), 50, "pairs, " << what);
                Simulator::Destroy();
            }
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What a choice depends on.
 */
class ChoiceTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param fabric network
     * @param entropy of the flow
     * @return numbers of the nodes of a path
     */
    static std::vector<uint32_t> Path(Ptr<Fabric> fabric, uint16_t entropy)
    {
        std::vector<uint32_t> nodes;
        for (const auto& hop : fabric->TracePath(0, 15, entropy))
        {
            nodes.push_back(hop.node);
        }
        return nodes;
    }

    void DoRun() override
    {
        for (const std::string selector : {"SymmetricEcmpPathSelector", "EcmpPathSelector"})
        {
            FabricHelper helper;
            helper.SetPathSelector("ns3::" + selector);
            Ptr<Fabric> fabric = helper.Install(FatTree(4));
            helper.SetPathSelector("ns3::" + selector, "HashSeed", UintegerValue(1));
            Ptr<Fabric> other = helper.Install(FatTree(4));
            uint32_t sameAsBefore = 0;
            uint32_t sameWithSeed = 0;
            for (uint16_t entropy = 0; entropy < 1000; ++entropy)
            {
                const auto path = Path(fabric, entropy);
                NS_TEST_ASSERT_MSG_EQ(path.size(), 6, "five switches");
                NS_TEST_ASSERT_MSG_EQ((path == Path(fabric, entropy)), true, "kept");
                sameAsBefore += path == Path(fabric, entropy + 1);
                sameWithSeed += path == Path(other, entropy);
            }
            // one of four ways: 250 of 1000 agree by chance, standard deviation 13.7
            NS_TEST_EXPECT_MSG_EQ_TOL(sameAsBefore, 250, 60, "next entropy, " << selector);
            NS_TEST_EXPECT_MSG_EQ_TOL(sameWithSeed, 250, 60, "other seed, " << selector);
            Simulator::Destroy();
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A simulation takes the paths that the plan foretells.
 */
class SimulatedPathTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // Ten packets of 1062 B one way, ten ACKs of 98 B the other: on each link either both or
        // none.
        for (uint32_t dst = 1; dst < 16; ++dst)
        {
            FabricHelper helper;
            Ptr<Fabric> fabric = helper.Install(FatTree(4));
            fabric->GetNic(0)->GetMessages().Send(dst, 10000, 0);
            Simulator::Run();
            uint32_t links = 0;
            for (uint32_t node = 0; node < 36; ++node)
            {
                for (uint32_t port = 0; port < fabric->GetGraph().GetDegree(node); ++port)
                {
                    const FabricNetDevice* device = fabric->GetPort(node, port);
                    const uint64_t sent = device->GetCounters().txBytes;
                    const uint64_t back = device->GetLink().GetPeer()->GetCounters().txBytes;
                    links += sent > 0;
                    NS_TEST_EXPECT_MSG_EQ(((sent == 0 && back == 0) ||
                                           (sent == 10620 && back == 980) ||
                                           (sent == 980 && back == 10620)),
                                          true,
                                          "to " << dst << ", node " << node << " port " << port);
                }
            }
            const uint32_t hops = dst == 1 ? 2 : dst < 4 ? 4 : 6;
            NS_TEST_EXPECT_MSG_EQ(links, 2 * hops, "ends of links, to " << dst);
            Simulator::Destroy();
        }
    }
};

/// Path selection.
const SuiteCases g_cases("dcfabric-routing", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new SymmetryTestCase("data and ACK share every link for all pairs of hosts"));
    suite.AddTestCase(new SpreadTestCase(
        "flows spread evenly over all paths: no tier repeats another one's choice"));
    suite.AddTestCase(
        new ChoiceTestCase("a flow keeps its path; another entropy or hash seed may change it"));
    suite.AddTestCase(new SimulatedPathTestCase(
        "in a simulation the links of data carry the ACKs, and no others"));
});

} // namespace ns3::tests::path_selector_test
