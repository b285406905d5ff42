// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-network.h"
#include "fabric-test-plan.h"
#include "fabric-test-suite.h"

#include "ns3/fabric-helper.h"
#include "ns3/falcon-load-balancer.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <set>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Delays as feedback to load balancers: the paths of Falcon.
 */

namespace ns3::tests::falcon_paths_test
{

constexpr int64_t R = 1000; //!< base RTT in ps

/**
 * @param paths,rounds attributes
 * @return a balancer whose target is 1 + 9 ns, so that ACKs of more than 10.1 ns are late
 */
Ptr<FalconLoadBalancer>
Make(uint8_t paths, uint32_t rounds)
{
    auto balancer = CreateObjectWithAttributes<FalconLoadBalancer>("Paths",
                                                                   UintegerValue(paths),
                                                                   "Rounds",
                                                                   UintegerValue(rounds),
                                                                   "TargetDelay",
                                                                   TimeValue(NanoSeconds(9)));
    balancer->SetRandomVariable(CreateObject<UniformRandomVariable>());
    balancer->SetBaseRtt(R);
    balancer->Start(7);
    return balancer;
}

/**
 * @ingroup dcfabric-tests
 * @brief Rounds, by hand.
 */
class FalconRoundsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const auto falcon = Make(1, 2);
        NS_TEST_EXPECT_MSG_EQ(falcon->ChooseEntropy(0, false), 7, "as it was drawn");
        // Rounds of 1000 ps begin at 0 and 1000. In each one of two ACKs is late: a share of 0.5.
        // What the receiver took does not count.
        falcon->OnDelay(0, 7, 10101, 0);
        falcon->OnDelay(999, 7, 10100, 0);
        falcon->OnDelay(1000, 7, 20000, 9000); // ends the first round
        falcon->OnDelay(1500, 7, 19000, 9000);
        NS_TEST_EXPECT_MSG_EQ(falcon->ChooseEntropy(1999, false), 7, "one congested round");
        falcon->OnDelay(2000, 7, 1, 0);
        const uint16_t second = falcon->ChooseEntropy(2000, false);
        NS_TEST_EXPECT_MSG_NE(second, 7, "two of them");
        NS_TEST_EXPECT_MSG_EQ(falcon->HasLeft(7), true, "the first path");
        NS_TEST_EXPECT_MSG_EQ(falcon->GetNMoves(), 1, "once");
        // late ACKs of the path that was left count nowhere, and 1 of 3 is less than a half
        for (int64_t nowPs = 2001; nowPs < 10000; nowPs += 500)
        {
            falcon->OnDelay(nowPs, 7, 99999, 0);
            falcon->OnDelay(nowPs, second, 99999, 0);
            falcon->OnDelay(nowPs, second, 1, 0);
            falcon->OnDelay(nowPs, second, 1, 0);
        }
        NS_TEST_EXPECT_MSG_EQ(falcon->ChooseEntropy(10000, false), second, "stays");
        NS_TEST_EXPECT_MSG_EQ(falcon->OnReroute(10000), true, "a switch asks");
        NS_TEST_EXPECT_MSG_NE(falcon->ChooseEntropy(10000, false), second, "another one");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Several paths, by hand.
 */
class FalconTurnsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const auto falcon = Make(4, 1);
        std::vector<uint16_t> paths;
        for (int i = 0; i < 4; ++i)
        {
            paths.push_back(falcon->ChooseEntropy(0, false));
        }
        const std::set<uint16_t> different(paths.begin(), paths.end());
        NS_TEST_EXPECT_MSG_EQ(different.size(), 4, "four paths");
        NS_TEST_EXPECT_MSG_EQ(falcon->ChooseEntropy(0, true), paths[0], "in turn");
        // path 2 is late for a round, path 3 is not
        falcon->OnDelay(0, paths[2], 99999, 0);
        falcon->OnDelay(0, paths[3], 1, 0);
        falcon->OnDelay(R, paths[2], 99999, 0);
        falcon->OnDelay(R, paths[3], 1, 0);
        NS_TEST_EXPECT_MSG_EQ(falcon->ChooseEntropy(R, false), paths[1], "is still there");
        NS_TEST_EXPECT_MSG_NE(falcon->ChooseEntropy(R, false), paths[2], "was left");
        NS_TEST_EXPECT_MSG_EQ(falcon->ChooseEntropy(R, false), paths[3], "is still there");
        NS_TEST_EXPECT_MSG_EQ(falcon->HasLeft(paths[2]), false, "others remain");
        NS_TEST_EXPECT_MSG_EQ(falcon->OnReroute(R), false, "one of four may be good");
        // a time-out, then another one before which only path 3 has answered
        falcon->OnTimeout(2 * R);
        NS_TEST_EXPECT_MSG_EQ(falcon->GetNMoves(), 1, "all may have answered before");
        falcon->OnDelay(3 * R, paths[3], 1, 0);
        falcon->OnTimeout(4 * R);
        NS_TEST_EXPECT_MSG_EQ(falcon->GetNMoves(), 4, "three are dead");
        falcon->ChooseEntropy(4 * R, false);
        falcon->ChooseEntropy(4 * R, false);
        falcon->ChooseEntropy(4 * R, false);
        NS_TEST_EXPECT_MSG_EQ(falcon->ChooseEntropy(4 * R, false), paths[3], "answers");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A network with a way that is slow.
 */
class FalconSlowWayTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief A packet takes the slow way.
     * @param test this
     * @param item which
     */
    static void Note(FalconSlowWayTestCase* test, Ptr<const FabricPacketItem> item)
    {
        test->m_slow += item->type == FabricPacketType::DATA ? 1 : 0;
    }

    /**
     * @param rounds attribute
     * @return packets of four messages of 1 MB that take the slow way
     */
    uint32_t Run(uint32_t rounds)
    {
        // two ways, one of 100 Gb/s and one of 5 Gb/s, by port 2 of switch 2
        m_slow = 0;
        FabricHelper helper;
        helper.SetPathSelector("ns3::EcmpPathSelector");
        helper.SetCongestionControl("ns3::DctcpCongestionControl");
        helper.SetLoadBalancer("ns3::FalconLoadBalancer",
                               "Paths",
                               UintegerValue(1),
                               "TargetDelay",
                               TimeValue(MicroSeconds(4)),
                               "Rounds",
                               UintegerValue(rounds));
        Ptr<Fabric> fabric = helper.Install(MakeWays(2, {0, 0, 5 * GBPS}));
        fabric->GetPort(2, 2)->TraceConnectWithoutContext(
            "Transmit",
            MakeBoundCallback(&FalconSlowWayTestCase::Note, this));
        for (uint32_t i = 0; i < 4; ++i)
        {
            fabric->GetNic(0)->GetMessages().Send(1, 1000000, i);
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(fabric->CheckConservation().Holds(), true, "conservation");
        Simulator::Destroy();
        return m_slow;
    }

    void DoRun() override
    {
        // One of the four begins on the slow way, with 1000 packets. It sends the window with which
        // it begins, and then what five rounds take.
        const uint32_t stay = Run(1000000);
        NS_TEST_EXPECT_MSG_EQ(stay, 1000, "all of a message");
        NS_TEST_EXPECT_MSG_LT(2 * Run(5), stay, "paths that are slow are left");
    }

    uint32_t m_slow{0}; //!< data packets on the slow way
};

/// Paths of Falcon.
const SuiteCases g_cases("dcfabric-falcon-paths", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new FalconRoundsTestCase("a path that is slow for some rounds is left"));
    suite.AddTestCase(new FalconTurnsTestCase("packets take four paths in turn"));
    suite.AddTestCase(new FalconSlowWayTestCase("flows leave a slow way"));
});

} // namespace ns3::tests::falcon_paths_test
