// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-credits.h"
#include "../fabric-test-errors.h"
#include "../fabric-test-files.h"
#include "../fabric-test-plan.h"
#include "../fabric-test-schedule.h"
#include "../fabric-test-suite.h"
#include "../fabric-test-transport.h"

#include "ns3/fabric-faults.h"
#include "ns3/priority-flow-control.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/test.h"
#include "ns3/wire-errors.h"

#include <cmath>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Faults beyond links that go down: losses, damage, switches that fail, storms of pauses.
 */

namespace ns3::tests::fault_verbs_test
{

using namespace by_hand;

/**
 * @ingroup dcfabric-tests
 * @brief What files say, and what is refused.
 */
class VerbsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief Expect a refusal.
     * @param text of a file
     * @param part of the message
     */
    void Refuse(const std::string& text, const std::string& part)
    {
        const std::string path = CreateTempDirFilename("verbs");
        WriteText(path, text);
        DCFABRIC_EXPECT_REFUSAL(ReadFabricFaults(path), path + ":1: ");
        DCFABRIC_EXPECT_REFUSAL(ReadFabricFaults(path), part);
    }

    /**
     * @brief Expect a refusal by a chain 0 - 2 - 3 - 1.
     * @param text of a file
     * @param part of the message
     * @param flowControl TypeId or none
     */
    void RefuseToInstall(const std::string& text,
                         const std::string& part,
                         const std::string& flowControl = "ns3::PriorityFlowControl")
    {
        const std::string path = CreateTempDirFilename("verbs");
        WriteText(path, text);
        FabricHelper helper;
        helper.SetFlowControl(flowControl);
        TestNetwork network(MakeChain({100 * GBPS, 100 * GBPS, 100 * GBPS}, US), helper);
        FabricFaults faults;
        faults.Read(path);
        DCFABRIC_EXPECT_REFUSAL(faults.Install(network.fabric), path + ":");
        DCFABRIC_EXPECT_REFUSAL(faults.Install(network.fabric), part);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.fabric->GetSwitch(3)->IsOn(), true, "none or all: " << text);
        NS_TEST_EXPECT_MSG_EQ(network.fabric->GetPort(3, 0)->IsLinkUp(), true, text);
    }

    void DoRun() override
    {
        const std::string path = CreateTempDirFilename("verbs");
        WriteText(path,
                  "1us loss 0 2:1 0.001\n2us corrupt 2 3 1\n3us switch-down 4\n4us switch-up 4\n"
                  "5us storm 0\n6us calm 0\n7us loss 0 2 0.1234567890123456\n8us loss 0 2 0\n");
        const std::vector<FabricFault> faults = ReadFabricFaults(path);
        const std::vector<FabricFault> expected = {
            {1000000, FabricFault::LOSS, 0, {2, 1}, 0, 0.001},
            {2000000, FabricFault::CORRUPT, 2, 3, 0, 1},
            {3000000, FabricFault::SWITCH_DOWN, 4, {}},
            {4000000, FabricFault::SWITCH_UP, 4, {}},
            {5000000, FabricFault::STORM, 0, {}},
            {6000000, FabricFault::CALM, 0, {}},
            {7000000, FabricFault::LOSS, 0, 2, 0, 0.1234567890123456},
            {8000000, FabricFault::LOSS, 0, 2, 0, 0},
        };
        NS_TEST_EXPECT_MSG_EQ((faults == expected), true, "values");
        NS_TEST_EXPECT_MSG_EQ(faults[0].ToText(), "1us loss 0 2:1 0.001", "text");
        NS_TEST_EXPECT_MSG_EQ(faults[2].ToText(), "3us switch-down 4", "text");
        WriteFabricFaults(faults, path + ".again");
        NS_TEST_EXPECT_MSG_EQ((ReadFabricFaults(path + ".again") == expected), true, "round trip");

        Refuse("1us loss 1 2\n", "expected 'TIME loss A B PROBABILITY' (5 fields), found 4");
        Refuse("1us loss 1 2 1.5\n", "probability");
        Refuse("1us corrupt 1 2 -0.1\n", "probability");
        Refuse("1us corrupt 1 1 0.1\n", "a link joins two nodes");
        Refuse("1us switch-down 1 2\n", "expected 'TIME switch-down NODE' (3 fields), found 4");
        Refuse("1us switch-up 1:0\n", "switch-up is of a whole node; leave the port away");
        Refuse("1us storm\n", "expected 'TIME storm NODE'");

        RefuseToInstall("1us switch-down 9\n", "there is no node 9; nodes are 0 to 3");
        RefuseToInstall("1us switch-down 0\n", "node 0 is a host, not a switch");
        RefuseToInstall("1us switch-down 3\n2us switch-down 3\n", "the switch is down already");
        RefuseToInstall("1us switch-up 3\n", "the switch is up already");
        RefuseToInstall("1us switch-down 3\n1us switch-up 3\n",
                        "both change the same node at the same time");
        RefuseToInstall("1us storm 3\n", "node 3 is a switch, not a host");
        RefuseToInstall("1us calm 0\n", "the host is calm already");
        RefuseToInstall("1us storm 0\n2us storm 0\n", "the host storms already");
        for (const char* flowControl : {"none", "ns3::CreditFlowControl"})
        {
            RefuseToInstall("1us storm 0\n", "use ns3::PriorityFlowControl", flowControl);
        }
        RefuseToInstall("1us loss 2 3 0.1\n1us loss 3 2 0.2\n", "the same link at the same time");

        FabricFaults flapping;
        flapping.AddFlapping(MicroSeconds(5), 2, 3, MicroSeconds(1), MicroSeconds(2), 2);
        const std::vector<FabricFault> flaps = {{5000000, FabricFault::DOWN, 2, 3},
                                                {6000000, FabricFault::UP, 2, 3},
                                                {8000000, FabricFault::DOWN, 2, 3},
                                                {9000000, FabricFault::UP, 2, 3}};
        NS_TEST_EXPECT_MSG_EQ((flapping.Get() == flaps), true, "twice down, twice up");
        DCFABRIC_EXPECT_REFUSAL(
            flapping.AddFlapping(MicroSeconds(5), 2, 3, MicroSeconds(0), MicroSeconds(2), 2),
            "needs times down and up above zero");
        DCFABRIC_EXPECT_REFUSAL(flapping.SetConvergenceTime(MicroSeconds(-1)), "0 to 24 h");
        DCFABRIC_EXPECT_REFUSAL(flapping.SetConvergenceTime(Hours(24) + MicroSeconds(1)),
                                "0 to 24 h");

        FabricFaults loses;
        loses.AddStorm(MicroSeconds(1), 0);
        loses.AddCalm(MicroSeconds(2), 0);
        NS_TEST_EXPECT_MSG_EQ(loses.LosePackets(), false, "a storm alone loses nothing");
        loses.AddCorruption(MicroSeconds(2), 0, 2, 0.5);
        NS_TEST_EXPECT_MSG_EQ(loses.LosePackets(), true, "but damage does");
        NS_TEST_EXPECT_MSG_EQ(loses.TakesLinksDown(), false, "without a link down");
        loses.AddSwitchDown(MicroSeconds(2), 2);
        NS_TEST_EXPECT_MSG_EQ(loses.TakesLinksDown(), true, "its links go down");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Losses and damage on the link 2 - 3 of a chain 0 - 2 - 3 - 1.
 *
 * A packet from 0 arrives at 2 after 1,086,560 ps and at 3 after 2,173,120 ps; its ACK (98 + 20 B,
 * 9,440 ps, 1,009,440 ps a link) leaves 1 at 3,259,680 and arrives at 2 at 5,278,560.
 */
class WireErrorsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief One packet.
     * @param kind LOSS or CORRUPT
     * @param onPs when all are lost
     * @param offPs when none is, later
     * @param data,acks lost
     */
    void CheckOne(FabricFault::Kind kind, int64_t onPs, int64_t offPs, uint64_t data, uint64_t acks)
    {
        FabricHelper helper;
        helper.SetNicAttribute("AckTimeout", TimeValue(MicroSeconds(100)));
        TestNetwork network(MakeChain({100 * GBPS, 100 * GBPS, 100 * GBPS}, US), helper);
        FabricFaults faults;
        faults.Add({offPs, kind, 3, 2, 0, 0});
        faults.Add({onPs, kind, 2, 3, 0, 1});
        faults.Install(network.fabric);
        network.MessagesOf(0).SendAt(0, 1, 1000, 7);
        Simulator::Run();
        const std::string what = "from " + std::to_string(onPs) + " to " + std::to_string(offPs);
        const auto& far = network.fabric->GetPort(3, 0)->GetCounters();
        const auto& near = network.fabric->GetPort(2, 1)->GetCounters();
        const bool lost = kind == FabricFault::LOSS;
        NS_TEST_EXPECT_MSG_EQ((lost ? far.errorDrops : far.corruptDrops), data, what);
        NS_TEST_EXPECT_MSG_EQ((lost ? near.errorDrops : near.corruptDrops), acks, what);
        NS_TEST_EXPECT_MSG_EQ((lost ? far.corruptDrops : far.errorDrops), 0, "not the other");
        auto drops = network.fabric->GetDrops();
        NS_TEST_EXPECT_MSG_EQ(drops[lost ? DropReason::WIRE_ERROR : DropReason::CORRUPTED],
                              data + acks,
                              what);
        NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 1, what << ": sent again");
        NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().Holds(), true, what);
    }

    /**
     * @brief Many packets, some of which are lost.
     * @param loss,corrupt probabilities
     * @param seed of the draws
     */
    void CheckShare(double loss, double corrupt, uint32_t seed)
    {
        RngSeedManager::SetRun(seed);
        FabricHelper helper;
        helper.SetNicAttribute("AckTimeout", TimeValue(MicroSeconds(100)));
        TestNetwork network(MakeChain({100 * GBPS, 100 * GBPS, 100 * GBPS}, US), helper);
        FabricFaults faults;
        faults.AddLoss(Seconds(0), 2, 3, loss);
        faults.AddCorruption(Seconds(0), 2, 3, corrupt);
        faults.Install(network.fabric);
        network.MessagesOf(0).SendAt(0, 1, 4000000, 7);
        Simulator::Run();
        const auto& far = network.fabric->GetPort(3, 0)->GetCounters();
        const auto n =
            static_cast<double>(far.errorDrops + far.corruptDrops + far.rxDataPackets +
                                far.rxControlPackets + far.rxLinkFrames + far.linkFrameErrorDrops);
        const std::string what = "loss " + std::to_string(loss) + ", corruption " +
                                 std::to_string(corrupt) + ", run " + std::to_string(seed);
        // of all that is lost, damage is what would have arrived
        const double damaged = (1 - loss) * corrupt;
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(far.errorDrops),
                                  n * loss,
                                  5 * std::sqrt(n * loss * (1 - loss)) + 1e-9,
                                  what << ": five standard deviations");
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(far.corruptDrops),
                                  n * damaged,
                                  5 * std::sqrt(n * damaged * (1 - damaged)) + 1e-9,
                                  what << ": five standard deviations");
        NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 1, what);
        NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().Holds(), true, what);
        RngSeedManager::SetRun(1);
    }

    void DoRun() override
    {
        for (const auto kind : {FabricFault::LOSS, FabricFault::CORRUPT})
        {
            CheckOne(kind, 0, 2173120, 0, 0); // over when it arrives
            CheckOne(kind, 0, 2173121, 1, 0);
            CheckOne(kind, 2173120, 2173121, 1, 0); // from this arrival on
            CheckOne(kind, 2173121, 5278560, 0, 0);
            CheckOne(kind, 2173121, 5278561, 0, 1); // the ACK
            CheckOne(kind, 0, 50 * US, 1, 0);
            CheckOne(kind, 0, 150 * US, 2, 0); // sent again at 100 us, then at 200 us
        }
        for (uint32_t seed = 1; seed <= 3; ++seed)
        {
            CheckShare(0.05, 0, seed);
            CheckShare(0, 0.05, seed);
            CheckShare(0.2, 0.1, seed);
        }
        // an error model that a port had goes on: of four packets it loses the second one
        TestLink link(100 * GBPS, MicroSeconds(1));
        Ptr<ReceiveListErrorModel> list = CreateObject<ReceiveListErrorModel>();
        list->SetList({1});
        link.rightPort->SetAttribute("ReceiveErrorModel", PointerValue(list));
        const Ptr<WireErrors> errors = link.rightPort->GetWireErrors();
        NS_TEST_EXPECT_MSG_EQ((errors == link.rightPort->GetWireErrors()), true, "made once");
        NS_TEST_EXPECT_MSG_EQ((errors->GetFormer() == list), true, "kept");
        for (uint32_t tag = 0; tag < 4; ++tag)
        {
            link.leftPort->Enqueue(MakeData(980, tag));
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(link.right->arrivals.size(), 3, "one is lost");
        NS_TEST_EXPECT_MSG_EQ(link.rightPort->GetCounters().errorDrops, 1, "by the former model");
        NS_TEST_EXPECT_MSG_EQ(link.rightPort->GetCounters().corruptDrops, 0, "not damaged");
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Switch 3 of a chain 0 - 2 - 3 - 1 fails. The link 3 - 1 has 10 Gb/s, so that packets pile
 * up in switch 3: one leaves it every 865,600 ps.
 */
class SwitchFailureTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// What switches are like.
    struct Organization
    {
        const char* flowControl; //!< TypeId or none
        const char* buffer;      //!< TypeId
    };

    /// @param organization what to run
    void Check(const Organization& organization)
    {
        const std::string what = std::string(organization.flowControl) + ", " + organization.buffer;
        FabricHelper helper;
        helper.SetFlowControl(organization.flowControl);
        helper.SetBuffer(organization.buffer);
        helper.SetNicAttribute("AckTimeout", TimeValue(MicroSeconds(100)));
        TestNetwork network(MakeChain({100 * GBPS, 100 * GBPS, 10 * GBPS}, US), helper);
        FabricFaults faults;
        faults.AddSwitchDown(MicroSeconds(20), 3);
        faults.AddSwitchUp(MicroSeconds(60), 3);
        // the link 2 - 3 stays down for longer by a fault of its own, that to 1 for shorter
        faults.AddDown(MicroSeconds(50), 2, 3);
        faults.AddUp(MicroSeconds(80), 2, 3);
        faults.AddDown(MicroSeconds(10), 1, 3);
        faults.AddUp(MicroSeconds(30), 1, 3);
        faults.Install(network.fabric);
        network.MessagesOf(0).SendAt(0, 1, 200000, 7);
        const Ptr<FabricSwitch> sw = network.fabric->GetSwitch(3);
        const auto waiting = [&]() {
            return sw->GetPort(0)->GetQueue().GetDisc()->GetNPackets() +
                   sw->GetPort(1)->GetQueue().GetDisc()->GetNPackets() + sw->GetNHeldPackets();
        };
        CallIn(NanoSeconds(19999), [&]() {
            // 200 packets come at ten times the rate; credits let fewer in
            NS_TEST_EXPECT_MSG_GT(waiting(), 20, what << ": they wait");
            NS_TEST_EXPECT_MSG_EQ(sw->GetPort(1)->IsLinkUp(), false, what << ": of its own");
            m_before = waiting();
        });
        CallIn(NanoSeconds(20001), [&]() {
            NS_TEST_EXPECT_MSG_EQ(sw->IsOn(), false, what);
            NS_TEST_EXPECT_MSG_EQ(waiting(), 0, what << ": nothing is left in it");
            // or was on its way through the switch at 19,999 ns
            NS_TEST_EXPECT_MSG_EQ_TOL(
                static_cast<double>(network.fabric->GetDrops()[DropReason::SWITCH_DOWN]),
                static_cast<double>(m_before),
                1.0,
                what << ": what was in it");
            NS_TEST_EXPECT_MSG_EQ(sw->GetPort(0)->IsLinkUp(), false, what);
            NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().Holds(), true, what);
        });
        CallIn(MicroSeconds(31), [&]() {
            NS_TEST_EXPECT_MSG_EQ(sw->GetPort(1)->IsLinkUp(), false, what << ": of the switch");
        });
        CallIn(MicroSeconds(61), [&]() {
            NS_TEST_EXPECT_MSG_EQ(sw->IsOn(), true, what);
            NS_TEST_EXPECT_MSG_EQ(waiting(), 0, what << ": it comes back empty");
            NS_TEST_EXPECT_MSG_EQ(sw->GetPort(0)->IsLinkUp(), false, what << ": of its own");
            NS_TEST_EXPECT_MSG_EQ(sw->GetPort(1)->IsLinkUp(), true, what << ": back");
        });
        CallIn(MicroSeconds(81), [&]() {
            NS_TEST_EXPECT_MSG_EQ(sw->GetPort(0)->IsLinkUp(), true, what << ": back");
        });
        Simulator::Stop(Seconds(10));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 1, what << ": it goes on");
        const auto where = network.fabric->CheckConservation();
        NS_TEST_EXPECT_MSG_EQ(where.Holds(), true, what << ": conservation");
        NS_TEST_EXPECT_MSG_EQ(where.inFlight, 0, what << ": nothing is left over");
    }

    void DoRun() override
    {
        Check({"none", "ns3::SharedBuffer"});
        Check({"ns3::PriorityFlowControl", "ns3::SharedBuffer"});
        Check({"ns3::PriorityFlowControl", "ns3::VoqBuffer"});
        Check({"ns3::CreditFlowControl", "ns3::SharedBuffer"});
        Check({"ns3::VoqCreditFlowControl", "ns3::VoqBuffer"});
        // what a switch that is down originates is lost
        TestNetwork network(MakeStar(2));
        const Ptr<FabricSwitch> sw = network.fabric->GetSwitch(2);
        Simulator::Stop(MicroSeconds(1));
        Simulator::Run();
        sw->SetPower(false);
        NS_TEST_EXPECT_MSG_EQ(sw->Originate(MakeData(100, 0, 3, 2, 0)), false, "dropped");
        NS_TEST_EXPECT_MSG_EQ(sw->Originate(MakeData(100, 0, 3, 2, 0), 0), false, "dropped");
        NS_TEST_EXPECT_MSG_EQ(network.fabric->GetDrops()[DropReason::SWITCH_DOWN], 2, "counted");
        NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().Holds(), true, "conservation");
        sw->SetPower(true);
        NS_TEST_EXPECT_MSG_EQ(sw->Originate(MakeData(100, 0, 3, 2, 0)), true, "again");
    }

    uint64_t m_before{0}; //!< packets in the switch
};

/**
 * @ingroup dcfabric-tests
 * @brief Host 1 of a star of three storms; switch 3. A pause takes 64 + 20 B, 6,720 ps, and a link
 * of 1 us; a quantum is 5,120 ps, and the longest pause 335,539,200 ps.
 */
class StormTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // nothing is sent when the storm begins
        TestNetwork network(MakeStar(3));
        FabricFaults faults;
        faults.AddStorm(MicroSeconds(10), 1);
        faults.AddCalm(MicroSeconds(2000), 1);
        faults.Install(network.fabric);
        const FabricNetDevice* port = network.fabric->GetPort(3, 1);
        const auto at = [&](int64_t ns, uint8_t classes) {
            CallIn(NanoSeconds(ns), [this, port, classes, ns]() {
                NS_TEST_EXPECT_MSG_EQ(+port->GetPausedClasses(), +classes, "at " << ns << " ns");
            });
        };
        at(11006, 0);     // 10,000 + 6.72 + 1,000
        at(11008, 0xff);  // in the tick after
        at(400000, 0xff); // renewed: it would have run out at 346,546
        at(2001006, 0xff);
        at(2001008, 0); // calm: a resume of all classes
        network.MessagesOf(0).SendAt(20 * US, 1, 1000, 7);
        network.MessagesOf(0).SendAt(20 * US, 2, 1000, 8);
        Simulator::Stop(MilliSeconds(50));
        Simulator::Run();
        // the packet waits in the switch until 2,001,006,720
        NS_TEST_EXPECT_MSG_EQ(TestNetwork::Find(network.delivered, 7).nowPs,
                              2000 * US + 6720 + US + F + US,
                              "when the resume has arrived");
        NS_TEST_EXPECT_MSG_LT(TestNetwork::Find(network.delivered, 8).nowPs, 30 * US, "others");
        NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().Holds(), true, "conservation");
        // 335,539,200 / 2 apart from 10 us until 2000 us: 1 + floor(1990 / 167.7696) = 12
        NS_TEST_EXPECT_MSG_EQ(network.fabric->GetPort(1, 0)->GetFlowControl()->GetNPauseFrames(),
                              12,
                              "pauses");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A storm and a buffer that fills and empties, at one end of a link.
 */
class StormBufferTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        TestLink link(100 * GBPS, MicroSeconds(1));
        for (const auto& port : {link.leftPort, link.rightPort})
        {
            port->SetFlowControl(CreateObject<PriorityFlowControl>());
        }
        auto* pfc = static_cast<PriorityFlowControl*>(link.rightPort->GetFlowControl());
        pfc->SetCongested(3, true);
        pfc->SetStorm(1U << 3 | 1U << 4);
        NS_TEST_EXPECT_MSG_EQ(pfc->IsPausingPeer(3), true, "both");
        NS_TEST_EXPECT_MSG_EQ(pfc->IsPausingPeer(4), true, "the storm");
        pfc->SetCongested(3, false);
        pfc->SetCongested(4, true);
        NS_TEST_EXPECT_MSG_EQ(pfc->IsPausingPeer(3), true, "the storm goes on");
        pfc->SetStorm(0);
        NS_TEST_EXPECT_MSG_EQ(pfc->IsPausingPeer(3), false, "over");
        NS_TEST_EXPECT_MSG_EQ(pfc->IsPausingPeer(4), true, "the buffer is full");
        Simulator::Stop(MicroSeconds(10));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(+link.leftPort->GetPausedClasses(), 1U << 4, "as told");
        Simulator::Destroy();
    }
};

/// Faults beyond links that go down.
const SuiteCases g_cases("dcfabric-faults", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new VerbsTestCase("verbs: values, round trip, refusals, flapping"));
    suite.AddTestCase(new WireErrorsTestCase("losses and damage: from when to when, and how many"));
    suite.AddTestCase(new SwitchFailureTestCase("a switch fails, and comes back empty"));
    suite.AddTestCase(new StormTestCase("a host storms, by hand"));
    suite.AddTestCase(new StormBufferTestCase("a storm and a full buffer"));
});

} // namespace ns3::tests::fault_verbs_test
