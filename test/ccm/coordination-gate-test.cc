// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-congestion.h"
#include "../fabric-test-schedule.h"
#include "../fabric-test-suite.h"
#include "../fabric-test-transport.h"

#include "ns3/boolean.h"
#include "ns3/ccm-packet.h"
#include "ns3/coordination-gate-modifier.h"
#include "ns3/nstime.h"
#include "ns3/pdc-policy-helper.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"
#include "ns3/wire-format.h"

#include <set>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief The source host of coordinated congestion management: claims, tags, moves ([CCM] section
 * 6.4).
 */

namespace ns3::tests::coordination_gate_test
{

constexpr uint64_t NONE = CongestionControl::UNLIMITED; //!< no window
constexpr uint32_t LAST_HOP = 9;                        //!< address of a switch
constexpr uint32_t SPINE = 8;                           //!< address of another

/**
 * @param kind CcmKind
 * @param from who sends it
 * @param to the source
 * @param flowDst where the flow goes
 * @param pdc its number
 * @return a notification
 */
Ptr<FabricPacketItem>
MakeCcm(uint8_t kind, uint32_t from, uint32_t to = 0, uint32_t flowDst = 1, uint32_t pdc = 0)
{
    const Ptr<FabricPacketItem> item = FabricPacketItem::Create(FabricPacketType::CCM);
    item->src = from;
    item->dst = to;
    item->pdc = pdc;
    item->As<CcmFields>() = {kind, to, flowDst, 0};
    item->ds = FabricPacketItem::MakeDs(6, 0);
    item->size = CreateObject<RoceV2WireFormat>()->GetNoticeBytes(CcmFields::BYTES);
    item->UpdateFlowHash();
    return item;
}

/**
 * @param modifier whose
 * @param name of the count
 * @return a modifier's count
 */
uint64_t
CountOf(const CongestionModifier& modifier, const std::string& name)
{
    for (const auto& [other, count] : modifier.GetCounters())
    {
        if (other == name)
        {
            return count;
        }
    }
    return UINT64_MAX;
}

/**
 * @ingroup dcfabric-tests
 * @brief A control at 100 Gb/s and 10 us with the gate.
 */
class GatedControl
{
  public:
    /// @param attributes of the gate
    template <typename... Args>
    explicit GatedControl(Args&&... attributes)
        : gate(CreateObjectWithAttributes<CoordinationGateModifier>(attributes...)),
          cc(CreateObject<ProposingControl>())
    {
        cc->AddModifier(gate);
        cc->Start(MakePath(), nullptr);
    }

    /**
     * @brief A notification comes.
     * @param us when
     * @param kind CcmKind
     * @param from who sends it
     * @return true if the load balancer is asked
     */
    bool Tell(int64_t us, uint8_t kind, uint32_t from)
    {
        return cc->TellNotice(*MakeCcm(kind, from), us * US);
    }

    /**
     * @brief An ACK without mark.
     * @param us when
     */
    void Ack(int64_t us)
    {
        cc->Acknowledge(MakePacketAck(us * US, false, 0, 0, 10 * US));
    }

    Ptr<CoordinationGateModifier> gate; //!< under test
    Ptr<ProposingControl> cc;           //!< asks for cuts
};

/**
 * @ingroup dcfabric-tests
 * @brief Claims of several switches.
 */
class ClaimsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        GatedControl sender;
        const auto rate = [&sender]() { return sender.cc->GetRate() / 1e9; };
        sender.cc->Propose(0, NONE, 60e9);
        NS_TEST_EXPECT_MSG_EQ_TOL(rate(), 100, 1e-6, "no claim: withheld");
        NS_TEST_EXPECT_MSG_EQ(sender.gate->GetNWithheld(), 1, "and counted");
        // within a round trip it is due, and takes hold as it is: 60 Gb/s
        sender.Tell(5, CcmKind::REQUIRED, LAST_HOP);
        NS_TEST_EXPECT_MSG_EQ_TOL(rate(), 60, 1e-6, "the first claim lets it take hold");
        sender.cc->Propose(6 * US, NONE, 50e9);
        NS_TEST_EXPECT_MSG_EQ_TOL(rate(), 50, 1e-6, "as do those that follow");

        sender.Tell(7, CcmKind::REQUIRED, SPINE);
        sender.Tell(8, CcmKind::RELEASED, LAST_HOP);
        sender.cc->Propose(8 * US, NONE, 40e9);
        NS_TEST_EXPECT_MSG_EQ_TOL(rate(), 40, 1e-6, "one of two switches still claims");
        sender.Tell(9, CcmKind::RELEASED, LAST_HOP);
        NS_TEST_EXPECT_MSG_EQ(CountOf(*sender.gate, "ccm_ignored"), 1, "released twice");
        NS_TEST_EXPECT_MSG_EQ(sender.gate->IsOpen(), true, "by which nothing changes");
        sender.Tell(10, CcmKind::RELEASED, SPINE);
        sender.cc->Propose(10 * US, NONE, 30e9);
        NS_TEST_EXPECT_MSG_EQ_TOL(rate(), 40, 1e-6, "none claims");
        sender.cc->Propose(10 * US, NONE, 70e9, CongestionCause::RECOVERY);
        NS_TEST_EXPECT_MSG_EQ_TOL(rate(), 70, 1e-6, "recovery is free");

        // the withheld cut of 30 / 40 is of 10 us: at 45 us a claim makes it 70 x 3/4; at 75 us not
        sender.Tell(45, CcmKind::REQUIRED, LAST_HOP);
        NS_TEST_EXPECT_MSG_EQ_TOL(rate(), 52.5, 1e-6, "held for 50 us");
        NS_TEST_EXPECT_MSG_EQ(sender.cc->lowered, 1, "and the algorithm is told");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A lost release, and more claimants than there is room for.
 */
class LostReleaseTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        GatedControl sender("ClaimTimeout",
                            TimeValue(MicroSeconds(100)),
                            "MaxClaims",
                            UintegerValue(2));
        sender.Tell(0, CcmKind::REQUIRED, LAST_HOP);
        sender.Tell(90, CcmKind::REQUIRED, LAST_HOP);
        sender.Ack(189);
        NS_TEST_EXPECT_MSG_EQ(sender.gate->IsOpen(), true, "renewed at 90 us");
        // no ACK comes: what the algorithm proposes by its own timer finds out
        sender.cc->Propose(190 * US, NONE, 60e9);
        NS_TEST_EXPECT_MSG_EQ(sender.cc->GetRate(), 100e9, "100 us after that");
        NS_TEST_EXPECT_MSG_EQ(CountOf(*sender.gate, "ccm_claims_expired"), 1, "counted");

        sender.Tell(200, CcmKind::REQUIRED, 1);
        sender.Tell(210, CcmKind::REQUIRED, 2);
        sender.Tell(220, CcmKind::REQUIRED, 1);
        sender.Tell(230, CcmKind::REQUIRED, 3); // in place of 2
        NS_TEST_EXPECT_MSG_EQ(sender.gate->GetNClaims(), 2, "bounded");
        sender.Tell(240, CcmKind::RELEASED, 1);
        sender.Tell(240, CcmKind::RELEASED, 2);
        NS_TEST_EXPECT_MSG_EQ(sender.gate->GetNClaims(), 1, "3 is there, 2 was not");
        sender.Ack(330);
        NS_TEST_EXPECT_MSG_EQ(sender.gate->GetNClaims(), 0, "until it is too old");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What is never withheld, and what is no notification.
 */
class LossTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        GatedControl sender;
        sender.cc->Propose(0, NONE, 80e9, CongestionCause::LOSS);
        NS_TEST_EXPECT_MSG_EQ_TOL(sender.cc->GetRate(), 80e9, 1, "a loss");
        sender.cc->Propose(US, NONE, 60e9, CongestionCause::TIMEOUT);
        NS_TEST_EXPECT_MSG_EQ_TOL(sender.cc->GetRate(), 60e9, 1, "a time-out");
        // a queue tells of a drop: what was withheld takes hold
        sender.cc->Propose(2 * US, NONE, 50e9);
        NS_TEST_EXPECT_MSG_EQ_TOL(sender.cc->GetRate(), 60e9, 1, "a mark is withheld");
        const Ptr<FabricPacketItem> bts = FabricPacketItem::Create(FabricPacketType::BTS);
        BtsNotice drop = MakeNotice(3 * US, true);
        drop.item = PeekPointer(bts);
        sender.cc->TellBts(drop);
        NS_TEST_EXPECT_MSG_EQ_TOL(sender.cc->GetRate(), 50e9, 1, "a drop is not");
        sender.cc->Propose(4 * US, NONE, 40e9);
        sender.cc->TellLoss(5 * US, 1000);
        NS_TEST_EXPECT_MSG_EQ_TOL(sender.cc->GetRate(), 40e9, 1, "what is due at a gap");
        sender.cc->Propose(6 * US, NONE, 30e9);
        sender.cc->TellTimeout(7 * US);
        NS_TEST_EXPECT_MSG_EQ_TOL(sender.cc->GetRate(), 30e9, 1, "and at a time-out");

        for (const uint8_t kind : {0, 4, 255})
        {
            NS_TEST_EXPECT_MSG_EQ(sender.Tell(8, kind, SPINE), false, "no such type");
        }
        NS_TEST_EXPECT_MSG_EQ(CountOf(*sender.gate, "ccm_ignored"), 3, "malformed");
        const Ptr<FabricPacketItem> fair = FabricPacketItem::Create(FabricPacketType::RATE);
        sender.cc->TellNotice(*fair, 8 * US);
        NS_TEST_EXPECT_MSG_EQ(CountOf(*sender.gate, "ccm_ignored"), 3, "for somebody else");
        NS_TEST_EXPECT_MSG_EQ(sender.gate->IsOpen(), false, "none opens it");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Type 3 asks for another path, no more often than it may.
 */
class RerouteTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        GatedControl deaf;
        NS_TEST_EXPECT_MSG_EQ(deaf.Tell(1, CcmKind::REROUTE, SPINE), false, "by default");
        NS_TEST_EXPECT_MSG_EQ(CountOf(*deaf.gate, "ccm_ignored"), 1, "counted");

        GatedControl sender("SourceCanReroute", BooleanValue(true));
        NS_TEST_EXPECT_MSG_EQ(sender.Tell(0, CcmKind::REROUTE, SPINE), true, "asks");
        NS_TEST_EXPECT_MSG_EQ(CountOf(*sender.gate, "ccm_moves"), 0, "not moved yet");
        NS_TEST_EXPECT_MSG_EQ(sender.Tell(1, CcmKind::REROUTE, SPINE), true, "so it asks again");
        sender.cc->TellReroute(US);
        NS_TEST_EXPECT_MSG_EQ(sender.Tell(100, CcmKind::REROUTE, SPINE), false, "99 us after that");
        NS_TEST_EXPECT_MSG_EQ(sender.Tell(101, CcmKind::REROUTE, SPINE), true, "100 us");
        sender.cc->TellReroute(101 * US);
        sender.Tell(210, CcmKind::REQUIRED, LAST_HOP);
        NS_TEST_EXPECT_MSG_EQ(sender.Tell(211, CcmKind::REROUTE, SPINE),
                              false,
                              "incast flows stay");
        sender.Tell(220, CcmKind::RELEASED, LAST_HOP);
        NS_TEST_EXPECT_MSG_EQ(sender.Tell(221, CcmKind::REROUTE, SPINE), true, "until released");
        NS_TEST_EXPECT_MSG_EQ(CountOf(*sender.gate, "ccm_moves"), 2, "moves");
        NS_TEST_EXPECT_MSG_EQ(CountOf(*sender.gate, "ccm_moves_upstream"), 2, "all by type 3");
        NS_TEST_EXPECT_MSG_EQ(sender.cc->GetReductions(), 0, "and no cut");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Sends what a test says, and looks at data.
 */
class CcmTeller : public SwitchFeature
{
  public:
    uint32_t GetHooks() const override
    {
        return RECEIVE;
    }

    bool OnReceive(FabricNetDevice& ingress, FabricPacketItem& item) override
    {
        if (item.type == FabricPacketType::DATA)
        {
            seen.push_back({ingress.GetNowPs(),
                            item.flags,
                            item.arPoint,
                            item.size,
                            item.entropy,
                            item.data.sourcePdc});
        }
        return false;
    }

    /**
     * @brief Send a notification.
     * @param item to whom
     * @param late it is about another path than that of the last packet
     */
    void Send(Ptr<FabricPacketItem> item, bool late)
    {
        item->src = m_switch->GetAddress();
        item->entropy = seen.back().entropy ^ (late ? 1 : 0);
        item->As<CcmFields>().entropy = item->entropy;
        m_switch->Originate(item);
    }

    /// A data packet.
    struct Seen
    {
        int64_t nowPs;    //!< when
        uint32_t flags;   //!< of it
        uint32_t arPoint; //!< AR indicator
        uint32_t size;    //!< frame
        uint16_t entropy; //!< of it
        uint32_t pdc;     //!< at its source
    };

    std::vector<Seen> seen; //!< in the order of arrival
};

/**
 * @ingroup dcfabric-tests
 * @brief Three hosts at switch 3; host 0 sends 500 packets to host 1: notifications reach the PDC,
 * and tags the switch.
 */
class HostTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief Install the gate at host 0 alone: the test takes the place of the switches' half.
     * @param network the network
     * @param balancer of the host
     * @param reroutes it is an AR point
     */
    static void SetPolicy(const TestNetwork& network, const std::string& balancer, bool reroutes)
    {
        PdcPolicyHelper policy;
        policy.SetLoadBalancer(balancer);
        policy.AddModifier("ns3::CoordinationGateModifier",
                           "SourceCanReroute",
                           BooleanValue(reroutes));
        network.Nic(0).GetSendingPdcs().GetPolicies().Set(policy.Get());
    }

    /**
     * @param network the network
     * @return a feature at switch 3
     */
    static Ptr<CcmTeller> AddTeller(const TestNetwork& network)
    {
        const Ptr<CcmTeller> teller = CreateObject<CcmTeller>();
        network.fabric->GetSwitch(3)->AddFeature(teller);
        return teller;
    }

    /**
     * @brief Have a notification sent.
     * @param teller by whom
     * @param us when
     * @param item which
     * @param late see CcmTeller::Send()
     */
    static void TellAt(Ptr<CcmTeller> teller,
                       int64_t us,
                       Ptr<FabricPacketItem> item,
                       bool late = false)
    {
        CallIn(MicroSeconds(us), [teller, item, late]() { teller->Send(item, late); });
    }

    void Tags()
    {
        const TestNetwork network(MakeStar(3));
        SetPolicy(network, "ns3::PerFlowLoadBalancer", false);
        const Ptr<CcmTeller> teller = AddTeller(network);
        TellAt(teller, 10, MakeCcm(CcmKind::REQUIRED, 0));
        TellAt(teller, 20, MakeCcm(CcmKind::RELEASED, 0));
        TellAt(teller, 12, MakeCcm(CcmKind::RELEASED, 0, 0, 2));    // host 2 is not its receiver
        TellAt(teller, 13, MakeCcm(CcmKind::RELEASED, 0, 0, 1, 7)); // there is no PDC 7
        network.MessagesOf(0).Send(1, 500000, 0);
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(teller->seen.size(), 500, "packets");
        int64_t firstPs = 0;
        int64_t lastPs = 0;
        for (const auto& packet : teller->seen)
        {
            NS_TEST_EXPECT_MSG_EQ(((packet.flags & FabricPacketItem::FLAG_TAG) != 0),
                                  true,
                                  "tagged");
            NS_TEST_EXPECT_MSG_EQ(packet.arPoint, FabricPacketItem::NO_AR_POINT, "no AR point");
            NS_TEST_EXPECT_MSG_EQ(packet.size, 1070, "1062 and the tag");
            if ((packet.flags & FabricPacketItem::FLAG_CC) != 0)
            {
                firstPs = firstPs == 0 ? packet.nowPs : firstPs;
                lastPs = packet.nowPs;
            }
        }
        // A CCM of 74 + 20 B takes 7520 ps and 1 us, then the next packet begins (1090 B: 87,200
        // ps), which is in the switch 1 us and 87,200 ps later: 12.09472 us or up to 87.2 ns more.
        NS_TEST_EXPECT_MSG_GT(firstPs, 12094720 - 1, "CC indicator set");
        NS_TEST_EXPECT_MSG_LT(firstPs, 12094720 + 87200 + 1, "by the next packet");
        NS_TEST_EXPECT_MSG_GT(lastPs, 22094720 - 87200 - 1, "the others release nothing");
        NS_TEST_EXPECT_MSG_LT(lastPs, 22094720 + 1, "and cleared");
        NS_TEST_EXPECT_MSG_EQ(network.Nic(0).GetCounters().noticesArrived, 4, "all came");
        NS_TEST_EXPECT_MSG_EQ(network.Nic(0).GetCounters().noticesStale, 2, "two for nobody");
    }

    /**
     * @param balancer of hosts
     * @param reroutes they are AR points
     * @return entropies
     */
    std::vector<uint16_t> Move(const std::string& balancer, bool reroutes)
    {
        const TestNetwork network(MakeStar(3));
        SetPolicy(network, balancer, reroutes);
        const Ptr<CcmTeller> teller = AddTeller(network);
        TellAt(teller, 5, MakeCcm(CcmKind::REROUTE, 0), true); // of a path that it has left
        TellAt(teller, 10, MakeCcm(CcmKind::REROUTE, 0));
        TellAt(teller, 12, MakeCcm(CcmKind::REROUTE, 0));  // too soon
        TellAt(teller, 120, MakeCcm(CcmKind::REROUTE, 0)); // the PDC is gone
        network.MessagesOf(0).Send(1, 500000, 0);
        Simulator::Run();
        std::vector<uint16_t> entropies;
        for (const auto& packet : teller->seen)
        {
            const uint32_t point = reroutes ? 0 : FabricPacketItem::NO_AR_POINT;
            NS_TEST_EXPECT_MSG_EQ(packet.arPoint, point, "AR point: host 0");
            if (entropies.empty() || entropies.back() != packet.entropy)
            {
                entropies.push_back(packet.entropy);
                m_movedPs = packet.nowPs;
            }
        }
        NS_TEST_EXPECT_MSG_EQ(network.Nic(0).GetCounters().noticesStale, 1, "the last one");
        const auto totals = network.Nic(0).GetSendingPdcs().GetTotals();
        for (const auto& [name, count] : totals.counters)
        {
            if (name == std::string("ccm_moves"))
            {
                m_moves = count;
            }
        }
        return entropies;
    }

    void DoRun() override
    {
        Tags();
        NS_TEST_EXPECT_MSG_EQ(Move("ns3::PerFlowLoadBalancer", false).size(), 1, "it may not");
        NS_TEST_EXPECT_MSG_EQ(m_moves, 0, "no move");
        NS_TEST_EXPECT_MSG_EQ(Move("ns3::PerFlowLoadBalancer", true).size(), 2, "one move");
        NS_TEST_EXPECT_MSG_GT(m_movedPs, 10 * US, "by what is about the present path");
        NS_TEST_EXPECT_MSG_EQ(m_moves, 1, "counted, of a PDC that is gone");
        NS_TEST_EXPECT_MSG_GT(Move("ns3::RandomSprayLoadBalancer", true).size(), 400, "sprays on");
        NS_TEST_EXPECT_MSG_EQ(m_moves, 0, "which is no move");
    }

    uint64_t m_moves{0};  //!< of host 0
    int64_t m_movedPs{0}; //!< when the switch saw the last change of its entropy
};

/// Coordination at hosts.
const SuiteCases g_cases("dcfabric-modifiers", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(
        new ClaimsTestCase("coordination: open while one of several switches claims"));
    suite.AddTestCase(
        new LostReleaseTestCase("coordination: claims expire, and there are no more than so many"));
    suite.AddTestCase(new LossTestCase(
        "coordination: losses, time-outs and drops always count; malformed types"));
    suite.AddTestCase(new RerouteTestCase("coordination: moves by type 3, with a hold"));
    suite.AddTestCase(new HostTestCase("coordination: tags of data, and moves of hosts"));
});

} // namespace ns3::tests::coordination_gate_test
