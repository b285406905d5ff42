// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-congestion.h"
#include "fabric-test-errors.h"
#include "fabric-test-plan.h"
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"

#include "ns3/boolean.h"
#include "ns3/bts-packet.h"
#include "ns3/congestion-signal.h"
#include "ns3/double.h"
#include "ns3/ewma-gate-modifier.h"
#include "ns3/majority-gate-modifier.h"
#include "ns3/object-factory.h"
#include "ns3/pdc-policy-helper.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief What tells gates of congestion: marks, delays, INT records, notifications of queues.
 */

namespace ns3::tests::gate_signals_test
{

constexpr double TOLERANCE = 1e-12; //!< of signals and averages

/// @return 100 Gb/s and 10 us, INT records as they are
PathInfo
MakeInfo()
{
    PathInfo path = MakePath();
    path.intFormat = ExactFormat();
    return path;
}

/**
 * @brief A queue notifies.
 * @param cc whom
 * @param entropy of the packet
 * @param repeated it is the second time
 */
void
Notify(CongestionControl& cc, uint16_t entropy = 0, bool repeated = false)
{
    const Ptr<FabricPacketItem> item = FabricPacketItem::Create(FabricPacketType::BTS);
    item->entropy = entropy;
    item->As<BtsFields>() = {};
    BtsNotice notice = MakeNotice(0, false, repeated);
    notice.item = PeekPointer(item);
    cc.TellBts(notice);
}

/**
 * @ingroup dcfabric-tests
 * @brief The signals by themselves.
 */
class DelaySignalsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const PathInfo path = MakeInfo();
        // T is 10 us, a quarter of it 2.5 us
        const auto delay = CreateObject<QueueDelaySignal>();
        for (const auto& [rttNs, signal] : std::vector<std::pair<int64_t, double>>{{9000, 0},
                                                                                   {10000, 0},
                                                                                   {11000, 0.4},
                                                                                   {12500, 1},
                                                                                   {50000, 1}})
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(delay->Get(MakeAck(0, 1, 1, rttNs * 1000), path),
                                      signal,
                                      TOLERANCE,
                                      "RTT " << rttNs);
        }
        // 12,500 B are 1 us at 100 Gb/s, 25,000 B are 0.5 us at 400 Gb/s: the longer one, whatever
        // the RTT was
        const Ptr<FabricPacketItem> item = FabricPacketItem::Create(FabricPacketType::ACK);
        item->exactInt = std::make_unique<std::array<IntSample, FabricPacketItem::MAX_HOPS>>();
        item->exactInt->at(0).rateBps = 400000000000;
        item->exactInt->at(0).queueBytes = 25000;
        item->exactInt->at(1).rateBps = 100000000000;
        item->exactInt->at(1).queueBytes = 12500;
        AckInfo ack = MakeAck(0, 1, 1, 12500000);
        ack.item = PeekPointer(item);
        for (const auto& [count, signal] :
             std::vector<std::pair<uint8_t, double>>{{0, 1}, {1, 0.2}, {2, 0.4}})
        {
            item->intCount = count;
            NS_TEST_EXPECT_MSG_EQ_TOL(delay->Get(ack, path),
                                      signal,
                                      TOLERANCE,
                                      "links: " << +count);
        }

        // two base RTTs are 20 us, where nobody has said from when on switches mark
        const auto either = CreateObject<MarkOrDelaySignal>();
        NS_TEST_EXPECT_MSG_EQ_TOL(either->Get(MakeAck(0, 2, 1, 20000000), path),
                                  0.5,
                                  TOLERANCE,
                                  "marks");
        NS_TEST_EXPECT_MSG_EQ_TOL(either->Get(MakeAck(0, 2, 1, 25000000), path),
                                  0.75,
                                  TOLERANCE,
                                  "RTT");
        NS_TEST_EXPECT_MSG_EQ_TOL(either->Get(MakeAck(0, 2, 0, 90000000), path),
                                  1,
                                  TOLERANCE,
                                  "at most");

        // Switches mark from 8 us on: a queue of 8 us is half of 1, one of 16 us and more is 1.
        PathInfo marking = path;
        marking.markPs = 8 * US;
        for (const auto& [rttNs, signal] : std::vector<std::pair<int64_t, double>>{{10000, 0},
                                                                                   {14000, 0.25},
                                                                                   {18000, 0.5},
                                                                                   {26000, 1},
                                                                                   {90000, 1}})
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(either->Get(MakeAck(0, 1, 0, rttNs * 1000), marking),
                                      signal,
                                      TOLERANCE,
                                      "marks from 8 us on, RTT " << rttNs);
        }

        // a mark at the base RTT counts only where marks tell of every packet in a long queue
        for (const bool ecn : {true, false})
        {
            for (const bool draws : {false, true})
            {
                const auto cc = CreateObject<ProposingControl>();
                cc->ecn = ecn;
                const auto gate = CreateObject<EwmaGateModifier>();
                cc->AddModifier(gate);
                PathInfo info = MakeInfo();
                info.marksTell = !draws;
                cc->Start(info, nullptr);
                cc->Acknowledge(MakeAck(0, 1, 1, 10000000));
                NS_TEST_EXPECT_MSG_EQ_TOL(gate->GetAverage(),
                                          (ecn && !draws ? 0.3 : 0),
                                          TOLERANCE,
                                          "ecn " << ecn << ", draws " << draws);
            }
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Notifications of queues.
 */
class NotifiedGatesTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param gate its modifier
     * @param paths of the load balancer
     * @return a started control
     */
    Ptr<ProposingControl> Start(Ptr<CongestionModifier> gate, uint32_t paths)
    {
        const auto cc = CreateObject<ProposingControl>();
        cc->ecn = false;
        cc->AddModifier(gate);
        PathInfo path = MakeInfo();
        path.paths = paths;
        cc->Start(path, nullptr);
        return cc;
    }

    void DoRun() override
    {
        // 1 - (7/8)^5 = 0.487, 1 - (7/8)^6 = 0.551; the second one of a packet says nothing new.
        // What was withheld takes hold as the gate opens.
        const auto gate = CreateObject<EwmaGateModifier>();
        const auto cc = Start(gate, 1);
        cc->Propose(0, CongestionControl::UNLIMITED, 50e9);
        for (int i = 0; i < 5; ++i)
        {
            Notify(*cc);
            Notify(*cc, 0, true);
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(gate->GetAverage(), 1 - 16807.0 / 32768, TOLERANCE, "five");
        NS_TEST_EXPECT_MSG_EQ(cc->GetRate(), 100e9, "closed");
        Notify(*cc);
        NS_TEST_EXPECT_MSG_EQ(cc->GetRate(), 50e9, "the sixth opens it");
        NS_TEST_EXPECT_MSG_EQ(gate->GetNWithheld(), 0, "late");
        NS_TEST_EXPECT_MSG_EQ(gate->GetNActs(), 1, "but the proposal was changed");

        for (const auto& [packets, average] :
             std::vector<std::pair<double, double>>{{0, 0},
                                                    {2, 15.0 / 64},
                                                    {6, 0.551204681396484375}})
        {
            const auto weighed =
                CreateObjectWithAttributes<EwmaGateModifier>("NoticePackets", DoubleValue(packets));
            const auto other = Start(weighed, 1);
            Notify(*other);
            NS_TEST_EXPECT_MSG_EQ_TOL(weighed->GetAverage(), average, TOLERANCE, packets);
        }

        // Eight paths, gain 1/2: one notification makes a path congested, three of them open the
        // gate, more than a third.
        const auto majority = CreateObject<MajorityGateModifier>();
        const auto spread = Start(majority, 8);
        uint32_t congested = 0;
        for (const uint16_t entropy : {7, 7, 9, 11})
        {
            congested += entropy != 7 || congested == 0;
            Notify(*spread, entropy);
            Notify(*spread, 13, true);
            NS_TEST_EXPECT_MSG_EQ(majority->GetNCongested(), congested, entropy);
            NS_TEST_EXPECT_MSG_EQ(majority->IsOpen(), (congested >= 3), entropy);
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief From when on switches mark.
 */
class MarkDelayTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param kmin attribute, 0: no profile
     * @return the delay in ps
     */
    int64_t Measure(uint64_t kmin)
    {
        FabricHelper helper;
        if (kmin > 0)
        {
            helper.SetMarkingProfile("ns3::WredMarkingProfile",
                                     "Kmin",
                                     UintegerValue(kmin),
                                     "Kmax",
                                     UintegerValue(kmin));
        }
        const TestNetwork network(MakeStar({10 * GBPS, 40 * GBPS}, US), helper);
        const int64_t delayPs = network.fabric->GetMarkPs();
        Simulator::Destroy();
        return delayPs;
    }

    void DoRun() override
    {
        // 50,000 B take 40 us at 10 Gb/s and 10 us at 40 Gb/s: the least
        NS_TEST_EXPECT_MSG_EQ(Measure(50000), 10 * US, "of the fastest port");
        NS_TEST_EXPECT_MSG_EQ(Measure(0), 0, "nobody marks");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief ACKs that name one path of several.
 */
class AckEveryGatesTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        for (const uint32_t every : {1, 2, 8})
        {
            FabricHelper helper;
            helper.SetCongestionControl("ns3::DctcpCongestionControl");
            helper.SetMarkingProfile("ns3::WredMarkingProfile");
            helper.SetPathSelector("ns3::EcmpPathSelector");
            helper.SetNicAttribute("AckEvery", UintegerValue(every));
            helper.SetLoadBalancer("ns3::RoundRobinSprayLoadBalancer",
                                   "Entropies",
                                   UintegerValue(8));
            helper.AddModifier("ns3::MajorityGateModifier");
            const std::string answer = RefusalOf(
                [&]() { const TestNetwork network(MakeTwoLeaves(1, 2, 10 * GBPS), helper); });
            Simulator::Destroy();
            NS_TEST_EXPECT_MSG_EQ((answer == "(accepted)"),
                                  (every == 1),
                                  "AckEvery " << every << ": " << answer);
            NS_TEST_EXPECT_MSG_EQ((Contains(answer, "ns3::MajorityGateModifier") &&
                                   Contains(answer, "ns3::FabricNic::AckEvery of")),
                                  (every > 1),
                                  answer);
        }
        // by bytes: a frame has 1062
        for (const uint32_t bytes : {1, 1062, 1063, 16384})
        {
            FabricHelper helper;
            helper.SetCongestionControl("ns3::DctcpCongestionControl");
            helper.SetMarkingProfile("ns3::WredMarkingProfile");
            helper.SetNicAttribute("AckBytes", UintegerValue(bytes));
            helper.SetNicAttribute("AckEvery", UintegerValue(8)); // does not count then
            helper.SetLoadBalancer("ns3::RoundRobinSprayLoadBalancer",
                                   "Entropies",
                                   UintegerValue(8));
            helper.AddModifier("ns3::MajorityGateModifier");
            const std::string answer = RefusalOf(
                [&]() { const TestNetwork network(MakeTwoLeaves(1, 2, 10 * GBPS), helper); });
            Simulator::Destroy();
            NS_TEST_EXPECT_MSG_EQ((answer == "(accepted)"), (bytes <= 1062), answer);
            NS_TEST_EXPECT_MSG_EQ(Contains(answer, "AckBytes of"), (bytes > 1062), answer);
        }
    }
};

/// What tells gates.
const SuiteCases g_cases("dcfabric-modifiers", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new DelaySignalsTestCase(
        "delays by RTT and by INT records, marks or delays, and which one is the default"));
    suite.AddTestCase(new MarkDelayTestCase("the delay from which on switches mark"));
    suite.AddTestCase(new NotifiedGatesTestCase(
        "a notification stands for packets that met congestion, on its path"));
    suite.AddTestCase(new AckEveryGatesTestCase("majorities of paths need an ACK for each packet"));
});

} // namespace ns3::tests::gate_signals_test
