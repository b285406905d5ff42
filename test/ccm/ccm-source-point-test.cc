// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-plan.h"
#include "../fabric-test-suite.h"
#include "../fabric-test-transport.h"

#include "ns3/boolean.h"
#include "ns3/fabric-totals.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <string>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief The source host as AR point ([CCM] section 6.1): two planes that only hosts can choose
 * between.
 */

namespace ns3::tests::ccm_source_point_test
{

constexpr uint64_t BYTES = 4000000; //!< of each of two flows

/**
 * @ingroup dcfabric-tests
 * @brief Hosts 0 and 1 send to 2 and 3. Each host has a link to each of two planes, of two switches
 * and one link each: 4 and 5, 6 and 7, all of 100 Gb/s.
 *
 * A switch has one way only, so that it never names itself. If both flows are in one plane, its
 * link gets 200 Gb/s: the switch before it has no light path, and the tags name the hosts.
 */
class SourcePointTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// What came of a run.
    struct Outcome
    {
        bool together{false};   //!< both flows began in one plane
        double slowestUs{0};    //!< of both, from start to last byte
        uint64_t reductions{0}; //!< of both hosts
        uint64_t moves{0};      //!< ccm_moves
        uint64_t type1{0};      //!< ccm_type1
        uint64_t type3{0};      //!< ccm_type3
    };

    /**
     * @param network the network
     * @return bytes that hosts 0 and 1 have sent by either port
     */
    static std::array<uint64_t, 4> CountBytes(const TestNetwork& network)
    {
        std::array<uint64_t, 4> bytes{};
        for (uint32_t i = 0; i < bytes.size(); ++i)
        {
            bytes.at(i) = network.fabric->GetPort(i / 2, i % 2)->GetCounters().txBytes;
        }
        return bytes;
    }

    /**
     * @param stream of random draws
     * @param coordinated both halves
     * @param reroutes hosts are AR points
     * @return what came of it
     */
    Outcome Run(int64_t stream, bool coordinated, bool reroutes)
    {
        PlanLinks links;
        for (const uint32_t plane : {0, 2})
        {
            links.push_back({0, 4 + plane});
            links.push_back({1, 4 + plane});
            links.push_back({2, 5 + plane});
            links.push_back({3, 5 + plane});
            links.push_back({4 + plane, 5 + plane});
        }
        FabricHelper helper;
        helper.SetCongestionControl("ns3::DcqcnCongestionControl");
        SetMarks(helper, 20000, 100000);
        if (coordinated)
        {
            helper.AddCoordination("ns3::CoordinationGateModifier",
                                   "SourceCanReroute",
                                   BooleanValue(reroutes));
        }
        const TestNetwork network(PlanOfLinks(4, 4, links), helper);
        helper.AssignStreams(network.fabric, stream);
        network.MessagesOf(0).Send(2, BYTES, 0);
        network.MessagesOf(1).Send(3, BYTES, 1);
        Outcome outcome;
        Simulator::Stop(MicroSeconds(1));
        Simulator::Run();
        const std::array<uint64_t, 4> bytes = CountBytes(network);
        outcome.together = (bytes[0] > 0) == (bytes[2] > 0);
        Simulator::Stop(MilliSeconds(20));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.delivered.size(), 2, "delivered");
        for (const FabricMessageEvent& event : network.delivered)
        {
            outcome.slowestUs = std::max(outcome.slowestUs, static_cast<double>(event.nowPs) / US);
        }
        const FabricTotals totals = FabricTotals::Collect(*network.fabric);
        outcome.reductions = totals.Get("cc_reductions");
        for (const auto& [name, count] : totals.features)
        {
            outcome.moves += name == std::string("ccm_moves") ? count : 0;
            outcome.type1 += name == std::string("ccm_type1") ? count : 0;
            outcome.type3 += name == std::string("ccm_type3") ? count : 0;
        }
        return outcome;
    }

    void DoRun() override
    {
        // Alone a flow of 4 MB takes 4000 x 1090 B (with tag and gap) at 100 Gb/s: 349 us and some
        // us of delay. Two in one plane take twice that.
        uint32_t met = 0;
        for (int64_t stream = 0; stream < 16; ++stream)
        {
            const Outcome plain = Run(stream, false, false);
            if (!plain.together)
            {
                continue;
            }
            ++met;
            const std::string what = "stream " + std::to_string(stream);
            NS_TEST_EXPECT_MSG_GT(plain.slowestUs, 690, what << ": both in one plane");
            NS_TEST_EXPECT_MSG_GT(plain.reductions, 0, what << ": with cuts that do not help");

            const Outcome moved = Run(stream, true, true);
            NS_TEST_EXPECT_MSG_EQ(moved.together, true, what << ": the same draws");
            NS_TEST_EXPECT_MSG_LT(moved.slowestUs, 600, what << ": and sooner done");
            NS_TEST_EXPECT_MSG_GT(moved.type3, 0, what << ": hosts are asked");
            NS_TEST_EXPECT_MSG_GT(moved.moves, 0, what << ": and move");
            // once in 100 us at most, by two hosts
            NS_TEST_EXPECT_MSG_LT(moved.moves, 2 * 6, what << ": not often");
            NS_TEST_EXPECT_MSG_EQ(moved.type1, 0, what << ": nobody has to slow down");
            NS_TEST_EXPECT_MSG_EQ(moved.reductions, 0, what << ": nor does");

            // by default hosts are no AR points: there is no path, so that the flows are claimed
            const Outcome stays = Run(stream, true, false);
            NS_TEST_EXPECT_MSG_EQ(stays.type3, 0, what << ": nobody to ask");
            NS_TEST_EXPECT_MSG_GT(stays.type1, 0, what << ": congestion control instead");
            NS_TEST_EXPECT_MSG_GT(stays.reductions, 0, what << ": which acts");
            NS_TEST_EXPECT_MSG_EQ(stays.moves, 0, what << ": no move");
        }
        NS_TEST_EXPECT_MSG_GT(met, 2, "draws of one plane");
    }
};

/// Source hosts as AR points.
const SuiteCases g_cases("dcfabric-policies", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.AddTestCase(new SourcePointTestCase("coordination: source hosts choose between planes"));
});

} // namespace ns3::tests::ccm_source_point_test
