// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-random.h"
#include "../fabric-test-suite.h"
#include "../fabric-test-transport.h"

#include "ns3/ccm-feature.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief What coordinated congestion management is for ([CCM] section 5): no rate cut where other
 * paths are light, no other path for an incast. DCQCN over PFC, ten seeds each.
 */

namespace ns3::tests::ccm_network_test
{

/// What is seen of a run.
struct Outcome
{
    uint64_t cuts{0};                       //!< reductions of all flows that took hold
    uint64_t withheld{0};                   //!< reductions that did not
    std::map<std::string, uint64_t> counts; //!< of all switches
    std::set<uint32_t> cutHosts;            //!< hosts with reductions
    double us{0};                           //!< until all is delivered
};

/**
 * @ingroup dcfabric-tests
 * @brief Hosts 0 to 7 at leaf 16, 8 to 15 at leaf 17, eight spines; hosts at 100 Gb/s.
 */
class CcmNetworkTestCase : public NamedCase
{
  protected:
    using NamedCase::NamedCase;

    static constexpr uint32_t HOSTS = 8; //!< at each leaf

    /// A message.
    struct Transfer
    {
        uint32_t src;   //!< sender
        uint32_t dst;   //!< receiver
        uint64_t bytes; //!< length
    };

    /**
     * @param transfers all, which begin within 2 us
     * @param ccm with coordination
     * @param uplinkBps rate of links between switches
     * @param seed of the run
     * @param spines that both leaves have a link to
     * @return what is seen
     */
    Outcome Run(const std::vector<Transfer>& transfers,
                bool ccm,
                uint64_t uplinkBps,
                uint32_t seed,
                uint32_t spines = HOSTS)
    {
        RandomRun random(seed);
        FabricHelper helper;
        helper.SetCongestionControl("ns3::DcqcnCongestionControl");
        SetMarks(helper, 40000, 160000);
        if (ccm)
        {
            helper.AddCoordination("ns3::CoordinationGateModifier");
        }
        FabricGraph graph;
        for (uint32_t i = 0; i < 2 * HOSTS; ++i)
        {
            graph.AddHost();
        }
        graph.AddSwitch(1);
        graph.AddSwitch(1);
        for (uint32_t i = 0; i < 2 * HOSTS; ++i)
        {
            graph.AddLink(i, 2 * HOSTS + i / HOSTS, 100 * GBPS, US);
        }
        for (uint32_t i = 0; i < spines; ++i)
        {
            const uint32_t spine = graph.AddSwitch(2);
            graph.AddLink(2 * HOSTS, spine, uplinkBps, US);
            graph.AddLink(2 * HOSTS + 1, spine, uplinkBps, US);
        }
        TestNetwork network(graph, helper);
        std::mt19937 draw(seed);
        for (const Transfer& transfer : transfers)
        {
            network.MessagesOf(transfer.src)
                .SendAt(draw() % (2 * US), transfer.dst, transfer.bytes, transfer.src);
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.completed.size(), transfers.size(), "all complete");
        NS_TEST_EXPECT_MSG_EQ(network.fabric->GetDrops().empty(), true, "lossless");
        Outcome outcome;
        outcome.withheld = network.GetNWithheld();
        for (const auto& event : network.delivered)
        {
            outcome.us = std::max(outcome.us, static_cast<double>(event.nowPs) / US);
        }
        for (const uint32_t host : network.fabric->GetHosts())
        {
            const uint64_t cuts = network.Nic(host).GetSendingPdcs().GetTotals().reductions;
            outcome.cuts += cuts;
            if (cuts > 0)
            {
                outcome.cutHosts.insert(host);
            }
        }
        for (uint32_t node = 2 * HOSTS; ccm && node < graph.GetNNodes(); ++node)
        {
            for (const auto& [name, value] :
                 network.fabric->GetSwitch(node)->GetFeature<CcmFeature>()->GetCounters())
            {
                outcome.counts[name] += value;
            }
        }
        return outcome;
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Eight flows from leaf to leaf hash onto eight spines of which each would do for one: with
 * coordination each finds its own, and nobody reduces; without, DCQCN reduces for ever.
 */
class CcmPathsTestCase : public CcmNetworkTestCase
{
    using CcmNetworkTestCase::CcmNetworkTestCase;

    void DoRun() override
    {
        uint64_t cuts = 0;
        double with = 0;
        double without = 0;
        for (uint32_t seed = 1; seed <= 10; ++seed)
        {
            std::vector<Transfer> transfers;
            for (uint32_t i = 0; i < HOSTS; ++i)
            {
                transfers.push_back({i, HOSTS + (i + seed) % HOSTS, 4000000});
            }
            const Outcome ccm = Run(transfers, true, 100 * GBPS, seed);
            const Outcome plain = Run(transfers, false, 100 * GBPS, seed);
            NS_TEST_EXPECT_MSG_EQ(ccm.cuts, 0, "seed " << seed << ": light paths, no cut");
            NS_TEST_EXPECT_MSG_EQ(ccm.counts.at("ccm_type1"), 0, "seed " << seed);
            NS_TEST_EXPECT_MSG_GT(ccm.counts.at("ccm_moves"), 0, "seed " << seed);
            NS_TEST_EXPECT_MSG_LT(ccm.counts.at("ccm_moves"), 80, "seed " << seed);
            cuts += plain.cuts;
            with += ccm.us;
            without += plain.us;
            std::cout << "paths, seed " << seed << ": cuts " << plain.cuts << " to " << ccm.cuts
                      << ", withheld " << ccm.withheld << ", moves " << ccm.counts.at("ccm_moves")
                      << ", upstream " << ccm.counts.at("ccm_moves_upstream") << ", end "
                      << plain.us << " to " << ccm.us << " us" << std::endl;
        }
        NS_TEST_EXPECT_MSG_GT(cuts, 100, "there was something to reduce for");
        // alone each flow takes 4 MB x 1.082 at 100 Gb/s, 346 us
        NS_TEST_EXPECT_MSG_LT(with, 10 * 500, "near what the paths have room for");
        NS_TEST_EXPECT_MSG_LT(with, 0.7 * without, "sooner");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Eight flows to one host, links between switches with room for all: no flow moves, and
 * their sources reduce.
 */
class CcmIncastAloneTestCase : public CcmNetworkTestCase
{
    using CcmNetworkTestCase::CcmNetworkTestCase;

    void DoRun() override
    {
        for (uint32_t seed = 1; seed <= 10; ++seed)
        {
            std::vector<Transfer> transfers;
            for (uint32_t i = 0; i < HOSTS; ++i)
            {
                transfers.push_back({i, HOSTS + seed % HOSTS, 2000000});
            }
            const Outcome ccm = Run(transfers, true, 800 * GBPS, seed);
            const Outcome plain = Run(transfers, false, 800 * GBPS, seed);
            std::cout << "incast, seed " << seed << ": cuts " << plain.cuts << " to " << ccm.cuts
                      << ", withheld " << ccm.withheld << ", moves " << ccm.counts.at("ccm_moves")
                      << ", type 1 " << ccm.counts.at("ccm_type1") << ", 2 "
                      << ccm.counts.at("ccm_type2") << ", 3 " << ccm.counts.at("ccm_type3")
                      << ", end " << plain.us << " to " << ccm.us << " us" << std::endl;
            NS_TEST_EXPECT_MSG_EQ(ccm.counts.at("ccm_moves"), 0, "seed " << seed << ": no move");
            NS_TEST_EXPECT_MSG_GT(ccm.counts.at("ccm_type1"), 7, "seed " << seed);
            NS_TEST_EXPECT_MSG_EQ(ccm.cutHosts.size(), HOSTS, "seed " << seed << ": all reduce");
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Both: four senders to one host, four others each to its own: only the former reduce. Four
 * spines more than flows, so that there are light paths for all while the incast fills its own.
 */
class CcmBothTestCase : public CcmNetworkTestCase
{
    using CcmNetworkTestCase::CcmNetworkTestCase;

    static constexpr uint32_t SPINES = 12; //!< under both leaves

    void DoRun() override
    {
        for (uint32_t seed = 1; seed <= 10; ++seed)
        {
            std::vector<Transfer> transfers;
            for (uint32_t i = 0; i < HOSTS; ++i)
            {
                transfers.push_back({i, i < 4 ? HOSTS : HOSTS + i, 4000000});
            }
            const Outcome ccm = Run(transfers, true, 100 * GBPS, seed, SPINES);
            const Outcome plain = Run(transfers, false, 100 * GBPS, seed, SPINES);
            std::cout << "both, seed " << seed << ": cuts " << plain.cuts << " to " << ccm.cuts
                      << ", hosts that cut " << plain.cutHosts.size() << " to "
                      << ccm.cutHosts.size() << ", moves " << ccm.counts.at("ccm_moves") << ", end "
                      << plain.us << " to " << ccm.us << " us" << std::endl;
            for (const uint32_t host : ccm.cutHosts)
            {
                NS_TEST_EXPECT_MSG_LT(host, 4, "seed " << seed << ": only the incast reduces");
            }
            NS_TEST_EXPECT_MSG_EQ(ccm.cutHosts.size(), 4, "seed " << seed << ": all of it");
        }
    }
};

/// The aims of the draft.
const SuiteCases g_cases("dcfabric-control-network", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.AddTestCase(new CcmPathsTestCase("coordination: light paths elsewhere: nobody reduces"));
    suite.AddTestCase(new CcmIncastAloneTestCase("coordination: incast alone: nobody moves"));
    suite.AddTestCase(new CcmBothTestCase("coordination: both: only the incast reduces"));
});

} // namespace ns3::tests::ccm_network_test
