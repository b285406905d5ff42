// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-congestion.h"
#include "fabric-test-errors.h"
#include "fabric-test-suite.h"

#include "ns3/boolean.h"
#include "ns3/congestion-signal.h"
#include "ns3/cut-ratio.h"
#include "ns3/double.h"
#include "ns3/ewma-gate-modifier.h"
#include "ns3/majority-gate-modifier.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/pointer.h"
#include "ns3/ratio-cut-modifier.h"
#include "ns3/rtt-ecn-recovery-modifier.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief The modifiers of congestion control by themselves, against numbers worked out by hand.
 */

namespace ns3::tests::modifiers_test
{

constexpr double TOLERANCE = 1e-9; //!< of averages

/**
 * @param paths of the load balancer
 * @param switches on the way
 * @return 100 Gb/s, 10 us: a BDP of 125,000 B; packets of 1062 B
 */
PathInfo
MakeInfo(uint32_t paths = 1, uint32_t switches = 0)
{
    PathInfo path = MakePath();
    path.paths = paths;
    path.switches = switches;
    return path;
}

/// An ACK to be fed to a modifier.
struct Ack
{
    int64_t us;             //!< when
    uint32_t covered;       //!< packets
    uint32_t marked;        //!< of these
    int64_t rttNs{10000};   //!< RTT
    uint64_t cumulative{0}; //!< payload bytes acknowledged
    uint64_t sent{0};       //!< payload bytes sent
    uint16_t entropy{0};    //!< of the packet that triggered it
    uint64_t inFlight{0};   //!< payload bytes under way, 1000 of each packet
};

/**
 * @brief Feed an ACK.
 * @param cc to which
 * @param ack what it tells
 */
void
Feed(CongestionControl& cc, const Ack& ack)
{
    const Ptr<FabricPacketItem> item = FabricPacketItem::Create(FabricPacketType::ACK);
    item->entropy = ack.entropy;
    AckInfo info = MakeAck(ack.us * US, ack.covered, ack.marked, ack.rttNs * 1000);
    info.cumulativeBytes = ack.cumulative;
    info.sentBytes = ack.sent;
    info.inFlightBytes = ack.inFlight;
    info.item = PeekPointer(item);
    cc.Acknowledge(info);
}

/**
 * @param modifier the modifier
 * @param path connection
 * @return a started control with a modifier
 */
Ptr<ProposingControl>
MakeControl(Ptr<CongestionModifier> modifier, const PathInfo& path)
{
    const auto cc = CreateObject<ProposingControl>();
    cc->AddModifier(modifier);
    cc->Start(path, nullptr);
    return cc;
}

/**
 * @ingroup dcfabric-tests
 * @brief Averages and the gate.
 */
class EwmaGateTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // ACKs come more than a round trip after what was withheld, which is forgiven by then.
        // Gain 1/2: marked, marked, not, two of which one is marked (mean 1/2, twice):
        // 0.5, 0.75, 0.375, 0.4375 and 0.46875, which is one step of 3/4 to 1/2.
        const auto gate = CreateObjectWithAttributes<EwmaGateModifier>("Gain",
                                                                       DoubleValue(0.5),
                                                                       "Hold",
                                                                       TimeValue(Seconds(0)));
        const auto cc = MakeControl(gate, MakeInfo());
        cc->Propose(0, CongestionControl::UNLIMITED, 50e9);
        NS_TEST_EXPECT_MSG_EQ(cc->GetRate(), 100e9, "closed at the start");
        NS_TEST_EXPECT_MSG_EQ(gate->GetNWithheld(), 1, "counted");
        Feed(*cc, {20, 1, 1});
        NS_TEST_EXPECT_MSG_EQ_TOL(gate->GetAverage(), 0.5, TOLERANCE, "marked");
        cc->Propose(20 * US, CongestionControl::UNLIMITED, 80e9);
        NS_TEST_EXPECT_MSG_EQ(cc->GetRate(), 80e9, "open at the threshold itself");
        Feed(*cc, {40, 1, 1});
        NS_TEST_EXPECT_MSG_EQ_TOL(gate->GetAverage(), 0.75, TOLERANCE, "marked");
        Feed(*cc, {60, 1, 0});
        NS_TEST_EXPECT_MSG_EQ_TOL(gate->GetAverage(), 0.375, TOLERANCE, "not marked");
        Feed(*cc, {61, 0, 0});
        NS_TEST_EXPECT_MSG_EQ_TOL(gate->GetAverage(), 0.375, TOLERANCE, "no packet");
        Feed(*cc, {62, 2, 1});
        NS_TEST_EXPECT_MSG_EQ_TOL(gate->GetAverage(), 0.46875, TOLERANCE, "two packets");
        cc->Propose(62 * US, CongestionControl::UNLIMITED, 40e9);
        NS_TEST_EXPECT_MSG_EQ(cc->GetRate(), 80e9, "closed");
        cc->Propose(62 * US, CongestionControl::UNLIMITED, 90e9, CongestionCause::RECOVERY);
        NS_TEST_EXPECT_MSG_EQ(cc->GetRate(), 90e9, "increases pass");
        cc->Propose(62 * US, 20000, 95e9);
        NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(),
                              CongestionControl::UNLIMITED,
                              "of both parts, the "
                              "one that is less");
        NS_TEST_EXPECT_MSG_EQ(cc->GetRate(), 95e9, "is withheld");
        cc->Propose(62 * US, CongestionControl::UNLIMITED, 60e9, CongestionCause::LOSS);
        NS_TEST_EXPECT_MSG_EQ(cc->GetRate(), 60e9, "a loss");
        cc->Propose(62 * US, CongestionControl::UNLIMITED, 30e9, CongestionCause::TIMEOUT);
        NS_TEST_EXPECT_MSG_EQ(cc->GetRate(), 30e9, "a time-out");
        NS_TEST_EXPECT_MSG_EQ(gate->GetNWithheld(), 3, "50, 40 and the window");
        NS_TEST_EXPECT_MSG_EQ(cc->GetReductions(), 3, "80, 60 and 30");

        // RTT: base 10 us, 15 us is half of an excess of one base RTT, 30 us and more are 1.
        const auto byRtt = CreateObjectWithAttributes<EwmaGateModifier>(
            "Gain",
            DoubleValue(0.5),
            "Signal",
            PointerValue(CreateObject<RttExcessSignal>()));
        const auto other = MakeControl(byRtt, MakeInfo());
        for (const auto& [rttNs, average] :
             std::vector<std::pair<int64_t, double>>{{9000, 0}, {15000, 0.25}, {30000, 0.625}})
        {
            Feed(*other, {1, 1, 1, rttNs});
            NS_TEST_EXPECT_MSG_EQ_TOL(byRtt->GetAverage(), average, TOLERANCE, "RTT " << rttNs);
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Weights by time.
 */
class GateHalfLifeTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // All packets are marked. The first ACK comes after longer than can be said: 0.3. A base
        // RTT of 10 us, of which a quarter halves what was before. Every 0.1 us 25 packets would,
        // less than 1/32 each, which holds: 1 - 0.7 x (31 / 32)^n is half from n = 10.6 on, so
        // after 11 more. Every 0.2 us: 1 - 0.7 x 2^(-0.08 n), from n = 6.07 on, 7 more. Every 1.25
        // us 1 - 2^-0.5 each: 0.505 after one more. Every 20 us, fewer than one in a round trip,
        // 0.3: 0.51.
        for (const auto& [gapNs, others] :
             std::vector<std::pair<int64_t, uint32_t>>{{100, 11}, {200, 7}, {1250, 1}, {20000, 1}})
        {
            const auto gate = CreateObject<EwmaGateModifier>();
            const auto cc = MakeControl(gate, MakeInfo());
            for (uint32_t n = 0; n <= others; ++n)
            {
                NS_TEST_EXPECT_MSG_EQ(gate->IsOpen(), false, gapNs << " ns, " << n);
                cc->Acknowledge(MakeAck(n * gapNs * 1000, 1, 1, 10 * US));
            }
            NS_TEST_EXPECT_MSG_EQ(gate->IsOpen(), true, gapNs << " ns");
        }

        // An ACK of ten packets after 2 us weighs as ten of them every 0.2 us: 0.7 x 2^-0.8.
        const auto gate = CreateObject<EwmaGateModifier>();
        const auto cc = MakeControl(gate, MakeInfo());
        cc->Acknowledge(MakeAck(0, 1, 1, 10 * US));
        cc->Acknowledge(MakeAck(2 * US, 10, 10, 10 * US));
        NS_TEST_EXPECT_MSG_EQ_TOL(gate->GetAverage(), 1 - 0.7 * std::exp2(-0.8), TOLERANCE, "ten");

        // What a path told that the connection has left is left out, or counts.
        for (const bool leaveOut : {true, false})
        {
            const auto moved = CreateObjectWithAttributes<EwmaGateModifier>("LeaveOutRerouted",
                                                                            BooleanValue(leaveOut),
                                                                            "Gain",
                                                                            DoubleValue(0.5));
            const auto other = MakeControl(moved, MakeInfo());
            AckInfo ack = MakeAck(0, 1, 1, 10 * US);
            ack.rerouted = true;
            other->Acknowledge(ack);
            NS_TEST_EXPECT_MSG_EQ_TOL(moved->GetAverage(), (leaveOut ? 0 : 0.5), TOLERANCE, "ACK");
            BtsNotice notice = MakeNotice(0, false);
            notice.rerouted = true;
            other->TellBts(notice);
            NS_TEST_EXPECT_MSG_EQ_TOL(moved->GetAverage(), (leaveOut ? 0 : 0.75), TOLERANCE, "BTS");
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Counts of congested paths.
 */
class MajorityGateTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // Four paths, gain 1/2: one mark makes a path congested (0.5), a packet without mark from
        // there (0.25) does not leave it so. Three are to be congested. Ten packets are
        // under way, on all paths; what a path has told counts for a round trip of 10 us: 11 us
        // after the first mark of path 7, at 13 us, it counts no longer.
        const auto gate = CreateObjectWithAttributes<MajorityGateModifier>("Gain",
                                                                           DoubleValue(0.5),
                                                                           "Majority",
                                                                           UintegerValue(3),
                                                                           "Hold",
                                                                           TimeValue(Seconds(0)));
        const auto cc = MakeControl(gate, MakeInfo(4));
        for (const auto& [paths, majority] :
             {std::pair{2U, 2U}, {3U, 2U}, {4U, 2U}, {5U, 2U}, {6U, 3U}, {8U, 3U}, {64U, 22U}})
        {
            const auto byDefault = CreateObject<MajorityGateModifier>();
            const auto any = MakeControl(byDefault, MakeInfo(paths));
            NS_TEST_EXPECT_MSG_EQ(byDefault->GetMajority(), majority, "above a third of " << paths);
        }

        const struct
        {
            uint16_t entropy;
            uint32_t marked;
            uint32_t congested;
        } steps[] = {{7, 1, 1}, {7, 1, 1}, {9, 0, 1}, {9, 1, 2}, {11, 1, 3}, {9, 0, 2}, {13, 1, 3}};

        int64_t us = 0;
        for (const auto& step : steps)
        {
            us += 1;
            Feed(*cc, {us, 1, step.marked, 10000, 0, 0, step.entropy, 10000});
            NS_TEST_EXPECT_MSG_EQ(gate->GetNCongested(), step.congested, step.entropy);
            cc->Propose(us * US, CongestionControl::UNLIMITED, cc->GetRate() - 1e9);
            NS_TEST_EXPECT_MSG_EQ(gate->IsOpen(), (step.congested >= 3), "from three on");
        }
        NS_TEST_EXPECT_MSG_EQ(cc->GetReductions(), 4, "what was due at 5 and 7 us, and new ones");
        Feed(*cc, {13, 1, 1, 10000, 0, 0, 9, 10000});
        NS_TEST_EXPECT_MSG_EQ(gate->GetNCongested(), 3, "9, 11 and 13, without 7");
        Feed(*cc, {16, 1, 0, 10000, 0, 0, 15, 10000});
        NS_TEST_EXPECT_MSG_EQ(gate->GetNCongested(), 2, "without 11");
        cc->Propose(0, CongestionControl::UNLIMITED, 1e9, CongestionCause::TIMEOUT);
        NS_TEST_EXPECT_MSG_EQ(cc->GetRate(), 1e9, "a time-out");

        // Few packets under way are on few paths: one of one that was acknowledged and two that
        // were not is no majority, two are; of one packet at a time it is that one. Two paths that
        // told within a round trip are two, however few packets are under way now.
        const auto fewGate = CreateObject<MajorityGateModifier>();
        const auto few = MakeControl(fewGate, MakeInfo(8));

        const struct
        {
            int64_t us;
            uint16_t entropy;
            uint32_t marked;
            uint64_t inFlight;
            bool open;
        } sparse[] = {{1, 1, 1, 2000, false},
                      {2, 2, 1, 2000, true},
                      {3, 3, 0, 2000, true},
                      {4, 4, 0, 2000, false},
                      {30, 5, 1, 0, true},
                      {35, 6, 0, 0, false}};

        for (const auto& step : sparse)
        {
            Feed(*few, {step.us, 1, step.marked, 10000, 0, 0, step.entropy, step.inFlight});
            NS_TEST_EXPECT_MSG_EQ(fewGate->IsOpen(), step.open, step.us << " us");
        }

        const auto one = CreateObjectWithAttributes<MajorityGateModifier>("Majority",
                                                                          UintegerValue(1),
                                                                          "Gain",
                                                                          DoubleValue(1));
        const auto single = MakeControl(one, MakeInfo(8));
        Feed(*single, {1, 1, 1});
        single->Propose(0, CongestionControl::UNLIMITED, 5e9);
        NS_TEST_EXPECT_MSG_EQ(single->GetRate(), 5e9, "one is enough");

        // a threshold of zero: each path counts from its first packet on, marked or not
        const auto all =
            CreateObjectWithAttributes<MajorityGateModifier>("PathThreshold", DoubleValue(0));
        const auto always = MakeControl(all, MakeInfo(4));
        for (uint16_t entropy = 1; entropy <= 3; ++entropy)
        {
            Feed(*always, {entropy, 1, 0, 10000, 0, 0, entropy, 9000});
            Feed(*always, {entropy, 1, entropy % 2U, 10000, 0, 0, entropy, 9000});
            NS_TEST_EXPECT_MSG_EQ(all->GetNCongested(), entropy, "all that were heard of");
        }
        NS_TEST_EXPECT_MSG_EQ(all->IsOpen(), true, "three of four");

        for (const uint32_t paths : {1U, 257U, UINT32_MAX})
        {
            DCFABRIC_EXPECT_REFUSAL(
                MakeControl(CreateObject<MajorityGateModifier>(), MakeInfo(paths)),
                "2 to 256");
        }
        DCFABRIC_EXPECT_REFUSAL(
            MakeControl(
                CreateObjectWithAttributes<MajorityGateModifier>("Majority", UintegerValue(5)),
                MakeInfo(4)),
            "can never be reached");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Scaled cuts.
 */
class RatioCutTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// Half, whatever the state.
    class HalfRatio : public CutRatio
    {
      public:
        double Get(const CongestionProposal& /* proposal */,
                   const PathInfo& /* path */,
                   uint64_t /* maxWindow */) const override
        {
            return 0.5;
        }
    };

    void DoRun() override
    {
        // Without window, by rate: at the line rate a cut is whole, 100 to 60; at 60 it is 0.6 of
        // itself: 60 - 0.6 x 30 = 42.
        const auto rateCut = CreateObject<RatioCutModifier>();
        const auto byRate = MakeControl(rateCut, MakeInfo());
        byRate->Propose(0, CongestionControl::UNLIMITED, 60e9);
        NS_TEST_EXPECT_MSG_EQ_TOL(byRate->GetRate(), 60e9, 1, "at the line rate");
        NS_TEST_EXPECT_MSG_EQ(rateCut->GetNActs(), 0, "nothing was changed");
        byRate->Propose(0, CongestionControl::UNLIMITED, 30e9);
        NS_TEST_EXPECT_MSG_EQ_TOL(byRate->GetRate(), 42e9, 1, "60 - 0.6 x 30");
        byRate->Propose(0, CongestionControl::UNLIMITED, 80e9, CongestionCause::RECOVERY);
        NS_TEST_EXPECT_MSG_EQ_TOL(byRate->GetRate(), 80e9, 1, "increases in full");
        byRate->Propose(0, CongestionControl::UNLIMITED, 20e9, CongestionCause::LOSS);
        NS_TEST_EXPECT_MSG_EQ_TOL(byRate->GetRate(), 20e9, 1, "losses in full");
        NS_TEST_EXPECT_MSG_EQ(rateCut->GetNActs(), 1, "the cut to 42");

        // With a window, by window over the BDP of 125,000 B, for both: 62,500 is half.
        const auto byWindow = MakeControl(CreateObject<RatioCutModifier>(), MakeInfo());
        byWindow->Propose(0, 62500, 100e9, CongestionCause::RECOVERY);
        byWindow->Propose(0, 62500, 100e9, CongestionCause::LOSS);
        NS_TEST_ASSERT_MSG_EQ(byWindow->GetWindow(), 62500, "to begin with");
        byWindow->Propose(0, 22500, 36e9);
        NS_TEST_EXPECT_MSG_EQ(byWindow->GetWindow(), 42500, "62500 - 0.5 x 40000");
        NS_TEST_EXPECT_MSG_EQ_TOL(byWindow->GetRate(), 68e9, 1, "100 - 0.5 x 64");

        // Both: 42,500 of 85,000 given and 68 of 100: 0.34. 42500 - 0.34 x 10000 = 39100.
        const auto both = MakeControl(CreateObjectWithAttributes<RatioCutModifier>(
                                          "Ratio",
                                          PointerValue(CreateObject<ProductCutRatio>()),
                                          "MaxWindow",
                                          UintegerValue(85000)),
                                      MakeInfo());
        both->Propose(0, 42500, 68e9, CongestionCause::LOSS);
        both->Propose(0, 32500, 68e9);
        NS_TEST_EXPECT_MSG_EQ(both->GetWindow(), 39100, "0.34 of the cut");
        const auto wide = MakeControl(CreateObjectWithAttributes<RatioCutModifier>(
                                          "Ratio",
                                          PointerValue(CreateObject<WindowCutRatio>())),
                                      MakeInfo());
        wide->Propose(0, 250000, 100e9, CongestionCause::LOSS);
        wide->Propose(0, 150000, 100e9);
        NS_TEST_EXPECT_MSG_EQ(wide->GetWindow(), 150000, "beyond Wmax as at Wmax");

        const auto own = MakeControl(
            CreateObjectWithAttributes<RatioCutModifier>("Ratio",
                                                         PointerValue(CreateObject<HalfRatio>())),
            MakeInfo());
        own->Propose(0, CongestionControl::UNLIMITED, 20e9);
        NS_TEST_EXPECT_MSG_EQ_TOL(own->GetRate(), 60e9, 1, "half of the cut");

        // No less than the delay in queues over 4 x 10 us: at 20 Gb/s 0.2 of a cut without any,
        // half with 20 us, all of it with 40, and by the ratio again when the queue has gone.
        const auto least = CreateObjectWithAttributes<RatioCutModifier>(
            "Least",
            PointerValue(
                CreateObjectWithAttributes<QueueDelaySignal>("FullDelay", DoubleValue(4))));
        const auto bounded = MakeControl(least, MakeInfo());
        bounded->Propose(0, CongestionControl::UNLIMITED, 20e9, CongestionCause::LOSS);
        const std::vector<std::array<double, 3>> cuts{{10, 10e9, 18e9}, // RTT in us, to, result
                                                      {30, 8e9, 13e9},
                                                      {50, 3e9, 3e9},
                                                      {10, 2e9, 2.97e9}};
        for (const auto& [rttUs, to, expected] : cuts)
        {
            Feed(*bounded, {1, 1, 0, static_cast<int64_t>(rttUs * 1000), 1000, 5000});
            bounded->Propose(0, CongestionControl::UNLIMITED, to);
            NS_TEST_EXPECT_MSG_EQ_TOL(bounded->GetRate(), expected, 1, "after an RTT of " << rttUs);
        }
        // Half as much again, up to the BDP of 125,000 B. Three packets: 3000 B of payload, and
        // three frames of 1062 B in 10 us, 2.5488 Gb/s.
        const auto grown = CreateObjectWithAttributes<RttEcnRecoveryModifier>(
            "Growth",
            PointerValue(CreateObjectWithAttributes<FactorGrowth>("Factor", DoubleValue(1.5))));
        const auto half = MakeControl(grown, MakeInfo());
        half->Propose(0, 60000, 80e9, CongestionCause::LOSS);
        Feed(*half, {1, 1, 0, 10000, 1000, 5000});
        NS_TEST_EXPECT_MSG_EQ(half->GetWindow(), 90000, "half as much again");
        NS_TEST_EXPECT_MSG_EQ_TOL(half->GetRate(), 100e9, 1, "not above the line rate");
        Feed(*half, {2, 1, 0, 10000, 5001, 9000});
        NS_TEST_EXPECT_MSG_EQ(half->GetWindow(), 125000, "not above the BDP");
        const auto added = CreateObjectWithAttributes<RttEcnRecoveryModifier>(
            "Growth",
            PointerValue(CreateObjectWithAttributes<PacketGrowth>("Packets", DoubleValue(3))));
        const auto three = MakeControl(added, MakeInfo());
        three->Propose(0, 10000, 8e9, CongestionCause::LOSS);
        Feed(*three, {1, 1, 0, 10000, 1000, 5000});
        NS_TEST_EXPECT_MSG_EQ(three->GetWindow(), 13000, "three packets more");
        NS_TEST_EXPECT_MSG_EQ_TOL(three->GetRate(), 10.5488e9, 1, "in each base RTT");
        PathInfo empty;
        DCFABRIC_EXPECT_REFUSAL(MakeControl(CreateObject<RatioCutModifier>(), empty), "no BDP");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Epochs and doubling.
 */
class RttEcnRecoveryTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // Threshold: 10 us and 1062 B at 100 Gb/s, 84.96 ns, for five switches and the sender.
        const auto modifier = CreateObject<RttEcnRecoveryModifier>();
        const auto cc = MakeControl(modifier, MakeInfo(1, 5));
        NS_TEST_EXPECT_MSG_EQ(modifier->GetThresholdPs(), 10000000 + 6 * 84960, "by the path");
        cc->Propose(0, 10000, 8e9, CongestionCause::LOSS);

        // The first epoch begins with nothing sent: the first ACK ends it. 5000 B had been sent by
        // then: the ACK of 5000 does not end the next one, that of 5001 does.
        Feed(*cc, {1, 1, 0, 10000, 1000, 5000});
        NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), 20000, "doubled");
        NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetRate(), 16e9, 1, "as the rate");
        Feed(*cc, {2, 1, 0, 10509, 5000, 30000});
        NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), 20000, "not beyond 5000");
        Feed(*cc, {3, 1, 0, 10000, 5001, 30000});
        NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), 40000, "beyond");
        // a mark, or one RTT above the threshold of 10,509.76 ns: from there a whole epoch
        Feed(*cc, {4, 1, 1, 10000, 30001, 60000});
        NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), 40000, "the mark");
        Feed(*cc, {5, 1, 0, 10000, 60000, 90000});
        NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), 40000, "its epoch");
        Feed(*cc, {6, 1, 0, 10510, 60001, 90000});
        NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), 40000, "the RTT");
        Feed(*cc, {7, 1, 0, 10000, 90001, 120000});
        NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), 80000, "a clean one");
        Feed(*cc, {8, 1, 0, 10000, 120001, 150000});
        NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), 125000, "the BDP");
        Feed(*cc, {9, 1, 0, 10000, 150001, 180000});
        NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), 125000, "no more than that");
        NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetRate(), 100e9, 1, "nor than the line rate");
        NS_TEST_EXPECT_MSG_EQ(modifier->GetNActs(), 4, "doublings");

        // A threshold that is reached is one that is exceeded. 30,000 B have been sent when a queue
        // notifies, more than the last ACK told: a whole epoch begins there, also with the second
        // notification of a packet.
        const auto fixed = CreateObject<RttEcnRecoveryModifier>();
        fixed->SetAttribute("Threshold", TimeValue(NanoSeconds(10500)));
        const auto told = MakeControl(fixed, MakeInfo());
        told->Propose(0, 10000, 100e9, CongestionCause::LOSS);
        Feed(*told, {1, 1, 0, 10500, 1000, 5000});
        NS_TEST_EXPECT_MSG_EQ(told->GetWindow(), 10000, "reached");
        Feed(*told, {2, 1, 0, 10499, 5001, 20000});
        NS_TEST_EXPECT_MSG_EQ(told->GetWindow(), 20000, "below");
        for (const bool repeated : {false, true})
        {
            BtsNotice notice = MakeNotice(3 * US, repeated, repeated);
            notice.sentBytes = repeated ? 60000 : 30000;
            notice.lostBytes = 0;
            const uint64_t before = told->GetWindow();
            told->TellBts(notice);
            Feed(*told, {4, 1, 0, 10000, notice.sentBytes, notice.sentBytes});
            NS_TEST_EXPECT_MSG_EQ(told->GetWindow(), before, "a queue has notified");
            Feed(*told, {5, 1, 0, 10000, notice.sentBytes + 1, notice.sentBytes + 1000});
            NS_TEST_EXPECT_MSG_EQ(told->GetWindow(), 2 * before, "a whole epoch later");
        }

        // Without a window: periods of 10 us. An ACK that covers no packet does not count.
        const auto timed = CreateObject<RttEcnRecoveryModifier>();
        const auto paced = MakeControl(timed, MakeInfo());
        paced->Propose(0, CongestionControl::UNLIMITED, 10e9, CongestionCause::LOSS);
        Feed(*paced, {9, 1, 0});
        NS_TEST_EXPECT_MSG_EQ_TOL(paced->GetRate(), 10e9, 1, "9 us");
        Feed(*paced, {10, 1, 0});
        NS_TEST_EXPECT_MSG_EQ_TOL(paced->GetRate(), 20e9, 1, "10 us");
        Feed(*paced, {19, 1, 1});
        Feed(*paced, {20, 1, 0});
        NS_TEST_EXPECT_MSG_EQ_TOL(paced->GetRate(), 20e9, 1, "a mark at 19 us");
        Feed(*paced, {29, 0, 0});
        NS_TEST_EXPECT_MSG_EQ_TOL(paced->GetRate(), 40e9, 1, "ten us after the mark");
        Feed(*paced, {40, 0, 0});
        NS_TEST_EXPECT_MSG_EQ_TOL(paced->GetRate(), 40e9, 1, "no packet in this period");
        Feed(*paced, {41, 1, 0});
        Feed(*paced, {60, 1, 0});
        NS_TEST_EXPECT_MSG_EQ_TOL(paced->GetRate(), 100e9, 1, "the line rate");
        NS_TEST_EXPECT_MSG_EQ(paced->GetWindow(), CongestionControl::UNLIMITED, "still no window");
        PathInfo empty;
        DCFABRIC_EXPECT_REFUSAL(MakeControl(CreateObject<RttEcnRecoveryModifier>(), empty),
                                "no line rate");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Several modifiers over one algorithm.
 */
class CombinationTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // A closed gate leaves nothing to be scaled. Open, at 60 of 100 Gb/s, a cut to 30 becomes
        // 42. Recovery doubles to 84 after a clean period, which is no reduction.
        for (const bool gateFirst : {true, false})
        {
            const auto gate = CreateObjectWithAttributes<EwmaGateModifier>("Gain",
                                                                           DoubleValue(1),
                                                                           "Hold",
                                                                           TimeValue(Seconds(0)));
            const auto cut = CreateObject<RatioCutModifier>();
            const auto recovery = CreateObject<RttEcnRecoveryModifier>();
            const auto cc = CreateObject<ProposingControl>();
            cc->AddModifier(recovery);
            std::vector<Ptr<CongestionModifier>> both{gate, cut};
            cc->AddModifier(both[gateFirst ? 0 : 1]);
            cc->AddModifier(both[gateFirst ? 1 : 0]);
            cc->Start(MakeInfo(), nullptr);
            cc->Propose(0, CongestionControl::UNLIMITED, 60e9, CongestionCause::LOSS);
            cc->Propose(0, CongestionControl::UNLIMITED, 30e9);
            NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetRate(), 60e9, 1, "closed");
            Feed(*cc, {20, 1, 1});
            cc->Propose(0, CongestionControl::UNLIMITED, 30e9);
            NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetRate(), 42e9, 1, "open, scaled");
            Feed(*cc, {30, 1, 0});
            NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetRate(), 84e9, 1, "doubled");
            NS_TEST_EXPECT_MSG_EQ(gate->GetNWithheld(), 1, "by the gate");
        }
    }
};

/// Modifiers of congestion control.
const SuiteCases g_cases("dcfabric-modifiers", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(
        new EwmaGateTestCase("EWMA gate: averages, threshold, losses pass, window and rate apart"));
    suite.AddTestCase(new GateHalfLifeTestCase("EWMA gate: as fast with few packets under way, and "
                                               "without those of a path that was left"));
    suite.AddTestCase(new MajorityGateTestCase(
        "majority gate: counts of congested paths, default and given majority, refusals"));
    suite.AddTestCase(new RatioCutTestCase(
        "ratio cut: by rate, window, both, a function of one's own; losses in full"));
    suite.AddTestCase(new RttEcnRecoveryTestCase(
        "RTT+ECN recovery: threshold, window epochs, periods, first sign, limits"));
    suite.AddTestCase(new CombinationTestCase("gate, cut and recovery together, in any order"));
});

} // namespace ns3::tests::modifiers_test
