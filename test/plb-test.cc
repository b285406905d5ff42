// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-duration.h"
#include "fabric-test-errors.h"
#include "fabric-test-random.h"
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"

#include "ns3/double.h"
#include "ns3/nstime.h"
#include "ns3/plb-load-balancer.h"
#include "ns3/random-variable-stream.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief PLB: rounds, threshold, late ACKs, idle senders, time-outs and suspension by hand;
 * elephants that collide, and an incast, in a network.
 */

namespace ns3::tests::plb_test
{

constexpr int64_t R = 1000; //!< base RTT in ps

/**
 * @param rounds,idleRounds attributes
 * @param suspensionNs likewise
 * @return a balancer of entropy 7
 */
Ptr<PlbLoadBalancer>
MakePlb(uint32_t rounds, uint32_t idleRounds = 0, int64_t suspensionNs = 100)
{
    Ptr<PlbLoadBalancer> plb =
        CreateObjectWithAttributes<PlbLoadBalancer>("Rounds",
                                                    UintegerValue(rounds),
                                                    "IdleRounds",
                                                    UintegerValue(idleRounds),
                                                    "Suspension",
                                                    TimeValue(NanoSeconds(suspensionNs)));
    plb->SetRandomVariable(CreateObject<UniformRandomVariable>());
    plb->SetBaseRtt(R);
    plb->Start(7);
    return plb;
}

/**
 * @brief ACKs of the present path, 1 ps apart.
 * @param plb to be told
 * @param nowPs of the first
 * @param marks letters: m(arked) or another
 */
void
Ack(PlbLoadBalancer& plb, int64_t nowPs, const std::string& marks)
{
    for (const char c : marks)
    {
        plb.OnAck(nowPs, plb.ChooseEntropy(nowPs, false), c == 'm');
        ++nowPs;
    }
}

/**
 * @ingroup dcfabric-tests
 * @brief Rounds, by hand.
 */
class PlbRoundsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // Two rounds. The ACK that ends the second one finds both congested.
        Ptr<PlbLoadBalancer> plb = MakePlb(2);
        NS_TEST_EXPECT_MSG_EQ(plb->GetMaxPaths(), 1, "at a time");
        NS_TEST_EXPECT_MSG_EQ(plb->MovesFlows(), true, "seldom");
        Ack(*plb, 0, "mm");
        Ack(*plb, R - 1, "m"); // of the first round
        Ack(*plb, R, "m");     // begins the second one
        Ack(*plb, 2 * R - 1, "m");
        NS_TEST_EXPECT_MSG_EQ(plb->ChooseEntropy(2 * R - 1, false), 7, "1 ps before its end");
        Ack(*plb, 2 * R, "-");
        const uint16_t second = plb->ChooseEntropy(2 * R, false);
        NS_TEST_EXPECT_MSG_NE(second, 7, "two in a row");

        // What comes of the old path counts nowhere, and begins no round: were it to count, four
        // rounds would be congested by 6 R.
        for (int64_t t = 2 * R; t <= 6 * R; t += R / 2)
        {
            plb->OnAck(t, 7, true);
        }
        NS_TEST_EXPECT_MSG_EQ(plb->ChooseEntropy(6 * R, false), second, "late");
        // nor does it make a congested round good
        Ack(*plb, 6 * R, "m");
        plb->OnAck(6 * R + 1, 7, false);
        plb->OnAck(6 * R + 2, 7, false);
        Ack(*plb, 7 * R, "m");
        NS_TEST_EXPECT_MSG_EQ(plb->ChooseEntropy(7 * R, false), second, "one round");
        Ack(*plb, 8 * R, "m");
        NS_TEST_EXPECT_MSG_NE(plb->ChooseEntropy(8 * R, false), second, "two");

        // A round without enough marks: 1 of 3 < 0.5 <= 2 of 4. Rounds at 0, R, 2 R, 3 R.
        plb = MakePlb(2);
        Ack(*plb, 0, "mm--");
        Ack(*plb, R, "m--");
        Ack(*plb, 2 * R, "mm--");
        Ack(*plb, 3 * R, "m-");
        NS_TEST_EXPECT_MSG_EQ(plb->ChooseEntropy(3 * R + 1, false), 7, "not in a row");
        Ack(*plb, 4 * R, "-");
        NS_TEST_EXPECT_MSG_NE(plb->ChooseEntropy(4 * R, false), 7, "a half is enough, twice");

        // The default is 12 rounds: from 0 to 12 R.
        plb = CreateObject<PlbLoadBalancer>();
        plb->SetRandomVariable(CreateObject<UniformRandomVariable>());
        plb->SetBaseRtt(R);
        plb->Start(7);
        for (int64_t t = 0; t < 12 * R; t += R / 4)
        {
            Ack(*plb, t, "m");
            NS_TEST_EXPECT_MSG_EQ(plb->ChooseEntropy(t, false), 7, "at " << t);
        }
        Ack(*plb, 12 * R, "-");
        NS_TEST_EXPECT_MSG_NE(plb->ChooseEntropy(12 * R, false), 7, "12");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Senders that pause, time-outs, requests of switches.
 */
class PlbEventsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // Two rounds of the idle, of 12. The pause ends the second one. At 2 R - 1 the last ACK was
        // less than R ago.
        Ptr<PlbLoadBalancer> plb = MakePlb(12, 2);
        Ack(*plb, 0, "m");
        Ack(*plb, R - 1, "m");
        Ack(*plb, R, "m");
        NS_TEST_EXPECT_MSG_EQ(plb->ChooseEntropy(2 * R - 1, false), 7, "not idle for R yet");
        NS_TEST_EXPECT_MSG_EQ(plb->ChooseEntropy(3 * R - 2, false), 7, "since a packet");
        NS_TEST_EXPECT_MSG_NE(plb->ChooseEntropy(4 * R - 2, false), 7, "idle");
        // a single round, and a pause
        plb = MakePlb(12, 2);
        Ack(*plb, 0, "mm");
        NS_TEST_EXPECT_MSG_EQ(plb->ChooseEntropy(9 * R, false), 7, "one round");
        Ack(*plb, 10 * R - 1, "m");
        NS_TEST_EXPECT_MSG_NE(plb->ChooseEntropy(11 * R - 1, false), 7, "two");
        // 0: idle or not
        plb = MakePlb(12, 0);
        for (int64_t t = 0; t < 8 * R; t += R)
        {
            Ack(*plb, t, "m");
        }
        NS_TEST_EXPECT_MSG_EQ(plb->ChooseEntropy(20 * R, false), 7, "never because it was idle");

        // A time-out moves, and forgets what was counted: of two rounds one was congested. Then
        // nothing moves for 100 R to 200 R, though each round is congested; but time-outs do.
        plb = MakePlb(2);
        Ack(*plb, 0, "m");
        Ack(*plb, R, "m");
        plb->OnTimeout(R + 1);
        const uint16_t second = plb->ChooseEntropy(R + 1, true);
        NS_TEST_EXPECT_MSG_NE(second, 7, "at once");
        int64_t movedPs = 0;
        for (int64_t t = 2 * R; t < 300 * R && movedPs == 0; t += R / 2)
        {
            Ack(*plb, t, "m");
            movedPs = plb->ChooseEntropy(t, false) == second ? 0 : t;
        }
        NS_TEST_EXPECT_MSG_GT(movedPs, 101 * R, "suspended");
        NS_TEST_EXPECT_MSG_LT(movedPs, 202 * R, "and again");
        const uint16_t third = plb->ChooseEntropy(movedPs, false);
        plb->OnTimeout(movedPs);
        const uint16_t fourth = plb->ChooseEntropy(movedPs, true);
        NS_TEST_EXPECT_MSG_NE(fourth, third, "a time-out");
        plb->OnTimeout(movedPs);
        NS_TEST_EXPECT_MSG_NE(plb->ChooseEntropy(movedPs, true), fourth, "suspended or not");

        // Without suspension two rounds after a time-out are enough, but not the one before.
        plb = MakePlb(2, 0, 0);
        Ack(*plb, 0, "m");
        Ack(*plb, R, "m");
        plb->OnTimeout(R + 1);
        const uint16_t after = plb->ChooseEntropy(R + 1, true);
        Ack(*plb, 2 * R, "m");
        Ack(*plb, 3 * R, "m");
        NS_TEST_EXPECT_MSG_EQ(plb->ChooseEntropy(3 * R, false), after, "one round");
        Ack(*plb, 4 * R, "m");
        NS_TEST_EXPECT_MSG_NE(plb->ChooseEntropy(4 * R, false), after, "two");

        // A switch asks: at once, and the count starts anew.
        plb = MakePlb(2);
        Ack(*plb, 0, "m");
        Ack(*plb, R, "m");
        NS_TEST_EXPECT_MSG_EQ(plb->OnReroute(R + 1), true, "has another");
        const uint16_t asked = plb->ChooseEntropy(R + 1, false);
        NS_TEST_EXPECT_MSG_NE(asked, 7, "and takes it");
        Ack(*plb, 2 * R, "m");
        Ack(*plb, 3 * R, "m");
        NS_TEST_EXPECT_MSG_EQ(plb->ChooseEntropy(3 * R, false), asked, "one round");
        plb->Dispose();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What is refused.
 */
class PlbRefusalsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const std::string plb = "ns3::PlbLoadBalancer";
        FabricHelper hpcc;
        hpcc.SetLoadBalancer(plb);
        hpcc.SetCongestionControl("ns3::HpccCongestionControl");
        hpcc.AddSwitchFeature("ns3::HpccIntFeature");
        NS_TEST_EXPECT_MSG_EQ(RefusalOf([&]() { hpcc.Install(MakeStar(2)); }),
                              "(accepted)",
                              "its records name their path");
        Simulator::Destroy();
        FabricHelper fncc;
        fncc.SetLoadBalancer(plb);
        fncc.SetCongestionControl("ns3::FnccCongestionControl");
        fncc.AddSwitchFeature("ns3::FnccIntFeature");
        DCFABRIC_EXPECT_REFUSAL(fncc.Install(MakeStar(2)),
                                "ns3::FnccCongestionControl reads INT records of one path, taken "
                                "where answers pass, but ns3::PlbLoadBalancer moves flows to other "
                                "paths; use ns3::HpccCongestionControl, whose records are taken "
                                "where data passes, a congestion control without INT, or "
                                "ns3::PerFlowLoadBalancer");
        Simulator::Destroy();
        FabricHelper goBackN;
        goBackN.SetLoadBalancer(plb);
        goBackN.SetReliability("ns3::GoBackN");
        DCFABRIC_EXPECT_REFUSAL(goBackN.Install(MakeStar(2)),
                                "ns3::GoBackN accepts packets only in order, but "
                                "ns3::PlbLoadBalancer moves a message to another path; use "
                                "ns3::SelectiveRepeat or ns3::PerFlowLoadBalancer");
        Simulator::Destroy();
    }
};

/// Moves of flows, and what their packets met.
struct Moves
{
    std::map<uint32_t, uint32_t> count;             //!< by sender
    std::map<uint32_t, std::set<uint16_t>> entropy; //!< likewise
    std::size_t completed{0};                       //!< messages
    int64_t lastPs{0};                              //!< end of the last one
    uint64_t retransmitted{0};                      //!< packets
};

/**
 * @brief Stay on a path.
 * @param helper to be told
 */
void
UseOnePath(FabricHelper& helper)
{
    helper.SetLoadBalancer("ns3::PerFlowLoadBalancer");
}

/**
 * @brief As Linux.
 * @param helper to be told
 */
void
UsePlb(FabricHelper& helper)
{
    helper.SetLoadBalancer("ns3::PlbLoadBalancer");
}

/**
 * @brief React to few marks.
 * @param helper to be told
 */
void
UseWaryPlb(FabricHelper& helper)
{
    helper.SetLoadBalancer("ns3::PlbLoadBalancer",
                           "Rounds",
                           UintegerValue(3),
                           "Threshold",
                           DoubleValue(0.05));
}

/**
 * @param balancer tells the helper
 * @param graph network
 * @param leaf switch of the senders
 * @param receivers of the messages of hosts 0, 1, ...
 * @param bytes of each
 * @param run random run
 * @return what happened
 */
Moves
RunFlows(void (*balancer)(FabricHelper&),
         const FabricGraph& graph,
         uint32_t leaf,
         const std::vector<uint32_t>& receivers,
         uint64_t bytes,
         uint64_t run)
{
    const RandomRun random(run);
    FabricHelper helper;
    helper.SetPathSelector("ns3::EcmpPathSelector");
    helper.SetCongestionControl("ns3::DctcpCongestionControl");
    balancer(helper);
    SetMarks(helper, 30000);
    TestNetwork network(graph, helper);
    Moves moves;
    AddTap(network, leaf)
        ->SetRule([&moves, last = std::map<uint32_t, uint16_t>()](FabricPacketItem& item) mutable {
            if (item.type == FabricPacketType::DATA && item.src < item.dst)
            {
                const auto [it, first] = last.try_emplace(item.src, item.entropy);
                moves.count[item.src] += it->second != item.entropy;
                moves.entropy[item.src].insert(item.entropy);
                it->second = item.entropy;
            }
            return true;
        });
    for (uint32_t i = 0; i < receivers.size(); ++i)
    {
        network.MessagesOf(i).SendAt(0, receivers[i], bytes, i);
    }
    Simulator::Stop(MilliSeconds(50));
    Simulator::Run();
    moves.completed = network.completed.size();
    for (const FabricMessageEvent& event : network.completed)
    {
        moves.lastPs = std::max(moves.lastPs, event.nowPs);
    }
    moves.retransmitted = network.Sum(&FabricNic::Counters::retransmitted);
    return moves;
}

/**
 * @ingroup dcfabric-tests
 * @brief Two elephants.
 *
 * 20 MB are 20,000 packets of 86.56 ns: 1.73 ms alone. With two spines both are on one with 1/2,
 * and then need twice that, 3.46 ms. A bandwidth-delay product of 105 kB and a queue of 30 kB are
 * windows of 67 packets each, of which DCTCP has a share of about sqrt(2 / 67) = 0.17 marked:
 * less than 0.5, so that the defaults do nothing. With a threshold of 0.05 and three rounds of
 * 8.4 us the flows separate early.
 */
class PlbElephantsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        uint32_t collided = 0;
        for (uint64_t run = 1; run <= 8; ++run)
        {
            const FabricGraph graph = MakeTwoLeaves(2, 2);
            const Moves stay = RunFlows(&UseOnePath, graph, 4, {2, 3}, 20000000, run);
            const Moves deaf = RunFlows(&UsePlb, graph, 4, {2, 3}, 20000000, run);
            NS_TEST_EXPECT_MSG_EQ(deaf.count.at(0) + deaf.count.at(1), 0, "defaults, run " << run);
            NS_TEST_EXPECT_MSG_EQ(deaf.lastPs, stay.lastPs, "defaults, run " << run);
            const Moves plb = RunFlows(&UseWaryPlb, graph, 4, {2, 3}, 20000000, run);
            NS_TEST_ASSERT_MSG_EQ(stay.completed + plb.completed, 4, "all, run " << run);
            const bool collides = stay.lastPs > 3000 * US;
            collided += collides;
            const uint32_t moved = plb.count.at(0) + plb.count.at(1);
            NS_TEST_EXPECT_MSG_LT(plb.lastPs, 2800 * US, "apart, run " << run);
            NS_TEST_EXPECT_MSG_EQ((moved > 0), collides, "only then, run " << run);
            NS_TEST_EXPECT_MSG_LT(moved, 20, "seldom, run " << run);
            NS_TEST_EXPECT_MSG_EQ(plb.retransmitted, 0, "none lost, run " << run);
        }
        NS_TEST_EXPECT_MSG_GT(collided, 1, "some collide");
        NS_TEST_EXPECT_MSG_LT(collided, 8, "some do not");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief An incast, which no path avoids.
 *
 * 7 x 4 MB into one host: 28,000 packets of 86.56 ns, 2.42 ms. Even with a threshold of 0.05 a flow
 * moves at most every three rounds of 8.4 us: 96 times, and some more for start and end.
 */
class PlbIncastTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        for (uint64_t run = 1; run <= 3; ++run)
        {
            const std::vector<uint32_t> receivers(7, 7);
            const Moves stay =
                RunFlows(&UseOnePath, MakeTwoLeaves(7, 7), 14, receivers, 4000000, run);
            const Moves plb =
                RunFlows(&UseWaryPlb, MakeTwoLeaves(7, 7), 14, receivers, 4000000, run);
            NS_TEST_ASSERT_MSG_EQ(stay.completed + plb.completed, 14, "all, run " << run);
            NS_TEST_EXPECT_MSG_LT(plb.lastPs, stay.lastPs + stay.lastPs / 50, "run " << run);
            NS_TEST_EXPECT_MSG_EQ(plb.retransmitted, 0, "none lost, run " << run);
            for (const auto& [sender, count] : plb.count)
            {
                NS_TEST_EXPECT_MSG_LT(count, 100, "of " << sender << ", run " << run);
                NS_TEST_EXPECT_MSG_EQ(plb.entropy.at(sender).size(), count + 1, "all new");
            }
        }
    }
};

/// PLB.
const SuiteCases g_cases("dcfabric-reps", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new PlbRoundsTestCase(
        "PLB: congested rounds in a row change the path; ACKs of the old one count nowhere"));
    suite.AddTestCase(new PlbEventsTestCase(
        "PLB: idle senders, time-outs and their suspension, requests of switches"));
    suite.AddTestCase(new PlbRefusalsTestCase("PLB: FNCC and go-back-N are refused, HPCC is not"));
});

/// PLB in networks.
const SuiteCases g_network("dcfabric-reps-network", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.AddTestCase(new PlbElephantsTestCase("PLB: two elephants that collide separate"),
                      DurationOf<TestCase>::EXTENSIVE);
    suite.AddTestCase(new PlbIncastTestCase("PLB: an incast takes no longer; moves are bounded"));
});

} // namespace ns3::tests::plb_test
