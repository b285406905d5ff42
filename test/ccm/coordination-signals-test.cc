// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-schedule.h"
#include "../fabric-test-suite.h"
#include "../fabric-test-transport.h"

#include "ns3/ccm-packet.h"
#include "ns3/coordination-gate-modifier.h"
#include "ns3/pdc-policy-helper.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"
#include "ns3/wire-format.h"

#include <cstdint>
#include <iostream>
#include <map>
#include <random>
#include <string>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Signals of every congestion control at the source host of coordinated congestion
 * management: without claim they change nothing, but losses do; claims at random against a plain
 * model.
 */

namespace ns3::tests::coordination_signals_test
{

constexpr uint32_t SENDERS = 8; //!< hosts 1 to 8 send to host 0 at switch 9

/// A congestion control.
struct Control
{
    const char* name;    //!< class
    const char* feature; //!< that it needs of switches; null: none
    bool marks;          //!< by a profile
    bool answersLoss;    //!< it reduces when packets are lost
};

/// All that go with coordination and have something to reduce.
constexpr Control CONTROLS[] = {
    {"ns3::DcqcnCongestionControl", nullptr, true, false},
    {"ns3::DctcpCongestionControl", nullptr, true, true},
    {"ns3::TimelyCongestionControl", nullptr, false, false},
    {"ns3::SwiftCongestionControl", nullptr, false, true},
    {"ns3::HpccCongestionControl", "ns3::HpccIntFeature", false, false},
    {"ns3::RoccCongestionControl", "ns3::RoccFeature", false, false},
    {"ns3::BtsCongestionControl", "ns3::WrebFeature", false, true},
};

/**
 * @param kind CcmKind
 * @param host the sender
 * @return a notification to a sender
 */
Ptr<FabricPacketItem>
MakeCcm(uint8_t kind, uint32_t host)
{
    const Ptr<FabricPacketItem> item = FabricPacketItem::Create(FabricPacketType::CCM);
    item->src = SENDERS + 1;
    item->dst = host;
    item->As<CcmFields>() = {kind, host, 0, 0};
    item->ds = FabricPacketItem::MakeDs(6, 0);
    item->size = CreateObject<RoceV2WireFormat>()->GetNoticeBytes(CcmFields::BYTES);
    item->UpdateFlowHash();
    return item;
}

/**
 * @ingroup dcfabric-tests
 * @brief An incast under each congestion control, with claims and without, with losses and without.
 */
class SignalsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// What came of a run.
    struct Outcome
    {
        uint64_t reductions{0};    //!< that took hold
        uint64_t withheld{0};      //!< that did not
        uint64_t retransmitted{0}; //!< packets
    };

    /**
     * @param control congestion control
     * @param claims a switch claims all flows from 1 us on
     * @param lossy a small memory without flow control
     * @return an incast of 8 x 300 kB
     */
    Outcome Run(const Control& control, bool claims, bool lossy)
    {
        FabricHelper helper;
        helper.SetCongestionControl(control.name);
        if (control.feature)
        {
            helper.AddSwitchFeature(control.feature);
        }
        if (control.marks)
        {
            SetMarks(helper, 20000, 100000);
        }
        if (lossy)
        {
            helper.SetFlowControl("none");
            helper.SetBuffer("ns3::SharedBuffer", "Size", UintegerValue(300000));
        }
        const TestNetwork network(MakeStar(SENDERS + 1), helper);
        PdcPolicyHelper policy;
        policy.SetCongestionControl(control.name);
        policy.AddModifier("ns3::CoordinationGateModifier");
        for (uint32_t host = 1; host <= SENDERS; ++host)
        {
            // the test takes the place of the switches' half
            network.Nic(host).GetSendingPdcs().GetPolicies().Set(policy.Get());
            network.MessagesOf(host).Send(0, 300000, host);
        }
        const Ptr<PacketTap> tap = AddTap(network, SENDERS + 1);
        for (uint32_t host = 1; claims && host <= SENDERS; ++host)
        {
            for (int64_t us = 1; us < 1000; us += 100)
            {
                tap->Repeat(*MakeCcm(CcmKind::REQUIRED, host), us * US);
            }
        }
        Simulator::Stop(MilliSeconds(100));
        Simulator::Run();
        const std::string what =
            std::string(control.name) + (claims ? ", claimed" : "") + (lossy ? ", lossy" : "");
        NS_TEST_EXPECT_MSG_EQ(network.completed.size(), SENDERS, what << ": completed");
        Outcome outcome;
        for (uint32_t host = 1; host <= SENDERS; ++host)
        {
            outcome.reductions += network.Nic(host).GetSendingPdcs().GetTotals().reductions;
        }
        outcome.withheld = network.GetNWithheld();
        outcome.retransmitted = network.Sum(&FabricNic::Counters::retransmitted);
        return outcome;
    }

    void DoRun() override
    {
        for (const Control& control : CONTROLS)
        {
            const Outcome free = Run(control, false, false);
            NS_TEST_EXPECT_MSG_EQ(free.reductions, 0, control.name << ": no claim, no cut");
            NS_TEST_EXPECT_MSG_GT(free.withheld, 0, control.name << ": although it asks for some");
            const Outcome claimed = Run(control, true, false);
            NS_TEST_EXPECT_MSG_GT(claimed.reductions, 0, control.name << ": claimed, it cuts");

            const Outcome lossy = Run(control, false, true);
            NS_TEST_EXPECT_MSG_GT(lossy.retransmitted, 0, control.name << ": packets are lost");
            NS_TEST_EXPECT_MSG_EQ((lossy.reductions > 0 || !control.answersLoss),
                                  true,
                                  control.name << ": losses count without claim");
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Notifications at random against a map of switches and times.
 */
class RandomClaimsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        constexpr uint32_t SEED = 20261123;
        constexpr int64_t TIMEOUT = 300 * US;
        std::cout << "coordination claims: seed " << SEED << "\n";
        std::mt19937 random(SEED);
        const auto gate = CreateObject<CoordinationGateModifier>();
        gate->Start(PathInfo());
        std::map<uint32_t, int64_t> model; // claims by switch, fewer than MaxClaims
        int64_t nowPs = 0;
        uint64_t opened = 0;
        for (int i = 0; i < 100000; ++i)
        {
            nowPs += static_cast<int64_t>(random() % (40 * US));
            const uint32_t from = random() % 12;
            const auto kind = static_cast<uint8_t>(random() % 8);
            const auto item = MakeCcm(kind, 1);
            item->src = from;
            for (auto claim = model.begin(); claim != model.end();)
            {
                claim = nowPs - claim->second >= TIMEOUT ? model.erase(claim) : std::next(claim);
            }
            const bool before = !model.empty();
            if (kind == CcmKind::REQUIRED)
            {
                model[from] = nowPs;
            }
            else if (kind == CcmKind::RELEASED)
            {
                model.erase(from);
            }
            const NoticeEffect effect = gate->OnNotice(*item, nowPs);
            NS_TEST_ASSERT_MSG_EQ(gate->GetNClaims(), model.size(), "claims, step " << i);
            NS_TEST_ASSERT_MSG_EQ(effect.gates, (before == model.empty()), "gate, step " << i);
            NS_TEST_ASSERT_MSG_EQ(effect.reroutes, false, "not an AR point, step " << i);
            opened += !before && !model.empty();
        }
        NS_TEST_EXPECT_MSG_GT(opened, 1000, "it opened and closed often");
    }
};

/// Signals and claims.
const SuiteCases g_cases("dcfabric-modifiers", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new SignalsTestCase(
        "coordination: signals of each congestion control without and with a claim, losses"));
    suite.AddTestCase(new RandomClaimsTestCase("coordination: claims at random"));
});

} // namespace ns3::tests::coordination_signals_test
