// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-congestion.h"
#include "fabric-test-suite.h"

#include "ns3/dctcp-congestion-control.h"
#include "ns3/double.h"
#include "ns3/ewma-gate-modifier.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/ratio-cut-modifier.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Reductions that a gate has withheld take hold when it opens soon.
 */

namespace ns3::tests::gate_hold_test
{

/// @return a gate that one marked packet opens and one without mark closes
Ptr<EwmaGateModifier>
MakeGate()
{
    return CreateObjectWithAttributes<EwmaGateModifier>("Gain", DoubleValue(1));
}

/**
 * @brief Feed an ACK of a packet.
 * @param cc to which
 * @param us when
 * @param marked the packet
 * @param sent payload bytes sent by then
 * @param cumulative payload bytes acknowledged
 */
void
FeedAck(CongestionControl& cc, double us, bool marked, uint64_t sent = 0, uint64_t cumulative = 0)
{
    const auto nowPs = static_cast<int64_t>(us * US);
    cc.Acknowledge(MakePacketAck(nowPs, marked, cumulative, sent, 10 * US));
}

/**
 * @ingroup dcfabric-tests
 * @brief What is held, for how long, and what becomes of it.
 */
class GateHoldTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const auto gate = MakeGate();
        const auto cc = CreateObject<ProposingControl>();
        cc->AddModifier(gate);
        cc->Start(MakePath(), nullptr); // BDP 125,000 B
        const uint64_t none = CongestionControl::UNLIMITED;

        // 100 to 80 and then to 60 withheld: the last one leaves 0.6.
        cc->Propose(0, none, 80e9);
        cc->Propose(US, none, 60e9);
        NS_TEST_EXPECT_MSG_EQ(gate->GetNWithheld(), 2, "both");
        FeedAck(*cc, 20, false);
        NS_TEST_EXPECT_MSG_EQ(cc->GetRate(), 100e9, "closed");
        FeedAck(*cc, 51, true);
        NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetRate(), 60e9, 1, "50 us after the last one");
        NS_TEST_EXPECT_MSG_EQ(gate->GetNWithheld(), 1, "the other");
        NS_TEST_EXPECT_MSG_EQ(cc->GetReductions(), 1, "reductions");
        NS_TEST_EXPECT_MSG_EQ(cc->lowered, 1, "told");
        FeedAck(*cc, 52, true);
        NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetRate(), 60e9, 1, "once");

        // Of what is in force then, window and rate apart: 0.5 of 50,000 B; the rate only rose.
        FeedAck(*cc, 60, false);
        cc->Propose(60 * US, 50000, 60e9, CongestionCause::LOSS);
        cc->Propose(60 * US, 25000, 60e9);
        cc->Propose(61 * US, 60000, 90e9, CongestionCause::RECOVERY);
        FeedAck(*cc, 62, true);
        NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), 30000, "half of 60,000");
        NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetRate(), 90e9, 1, "not lowered");

        // Later than 50 us, or when a loss has lowered more: forgotten.
        FeedAck(*cc, 70, false);
        cc->Propose(70 * US, 15000, 90e9);
        FeedAck(*cc, 121, true);
        NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), 30000, "51 us");
        FeedAck(*cc, 130, false);
        cc->Propose(130 * US, 15000, 90e9);
        cc->Propose(131 * US, 20000, 90e9, CongestionCause::LOSS);
        FeedAck(*cc, 132, true);
        NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), 20000, "of the loss");
        NS_TEST_EXPECT_MSG_EQ(cc->lowered, 2, "in all");
        NS_TEST_EXPECT_MSG_EQ(gate->GetNWithheld(), 3, "80 Gb/s and two of 15,000 B");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief With others behind the gate, and over an algorithm.
 */
class GateHoldDctcpTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // Scaled as any reduction: 60 of 100 Gb/s, held, comes to 60 - 0.6 x 30 = 42.
        for (const bool gateFirst : {true, false})
        {
            const std::vector<Ptr<CongestionModifier>> both{MakeGate(),
                                                            CreateObject<RatioCutModifier>()};
            const auto cc = CreateObject<ProposingControl>();
            cc->AddModifier(both[gateFirst ? 0 : 1]);
            cc->AddModifier(both[gateFirst ? 1 : 0]);
            cc->Start(MakePath(), nullptr);
            cc->Propose(0, CongestionControl::UNLIMITED, 60e9, CongestionCause::LOSS);
            cc->Propose(0, CongestionControl::UNLIMITED, 30e9);
            NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetRate(), 60e9, 1, "closed");
            FeedAck(*cc, 1, true);
            NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetRate(), 42e9, 1, "scaled once");
        }

        // Two gates, of which the second opens later: what the first lets go the second holds.
        const auto two = CreateObject<ProposingControl>();
        two->AddModifier(MakeGate());
        two->AddModifier(CreateObjectWithAttributes<EwmaGateModifier>("Gain", DoubleValue(0.4)));
        two->Start(MakePath(), nullptr);
        two->Propose(0, CongestionControl::UNLIMITED, 50e9);
        FeedAck(*two, 1, true);
        NS_TEST_EXPECT_MSG_EQ_TOL(two->GetRate(), 100e9, 1, "the first is open");
        NS_TEST_EXPECT_MSG_EQ(two->lowered, 0, "nothing has taken hold");
        FeedAck(*two, 2, true);
        NS_TEST_EXPECT_MSG_EQ_TOL(two->GetRate(), 50e9, 1, "both are");
        NS_TEST_EXPECT_MSG_EQ(two->lowered, 0, "within a round trip it was due, as known");

        // DCTCP with 100,000 B and an alpha of 1 halves at the first mark. The gate needs two
        // marked packets (gain 0.4: 0.4, 0.64). An ACK without mark then adds nothing: the window
        // is beyond slow start, and one packet comes with a whole window.
        const auto dctcp = CreateObjectWithAttributes<DctcpCongestionControl>("InitialWindow",
                                                                              UintegerValue(100000),
                                                                              "G",
                                                                              DoubleValue(0));
        dctcp->AddModifier(CreateObjectWithAttributes<EwmaGateModifier>("Gain", DoubleValue(0.4)));
        dctcp->Start(MakePath(), nullptr);
        FeedAck(*dctcp, 10, true, 100000, 1000);
        NS_TEST_EXPECT_MSG_EQ(dctcp->GetWindow(), 100000, "withheld");
        FeedAck(*dctcp, 11, true, 101000, 2000);
        NS_TEST_EXPECT_MSG_EQ(dctcp->GetWindow(), 50000, "late");
        FeedAck(*dctcp, 12, false, 101000, 3000);
        NS_TEST_EXPECT_MSG_EQ(dctcp->GetWindow(), 50000, "no slow start");
    }
};

/// Gates that open soon after a reduction.
const SuiteCases g_cases("dcfabric-modifiers", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new GateHoldTestCase(
        "the last withheld reduction takes hold if the gate opens within 50 us"));
    suite.AddTestCase(new GateHoldDctcpTestCase(
        "what takes hold late is scaled, and DCTCP does not start slowly after it"));
});

} // namespace ns3::tests::gate_hold_test
