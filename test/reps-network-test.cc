// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-random.h"
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"

#include "ns3/boolean.h"
#include "ns3/object-factory.h"
#include "ns3/packet-spraying.h"
#include "ns3/private-entropy-store.h"
#include "ns3/reps-load-balancer.h"
#include "ns3/shared-entropy-store.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Recycled entropies in networks: what messages take over, the size of the shared store,
 * goodput over unequal paths, and a path that dies.
 */

namespace ns3::tests::reps_network_test
{

/// @return a helper with EcmpPathSelector
FabricHelper
MakeHelper()
{
    FabricHelper helper;
    helper.SetPathSelector("ns3::EcmpPathSelector");
    return helper;
}

/**
 * @brief Set RepsLoadBalancer.
 * @param helper to be told
 * @param store its class
 * @param fresh likewise
 * @param recurrent attribute
 */
void
UseReps(FabricHelper& helper,
        const TypeId& store = PrivateEntropyStore::GetTypeId(),
        const TypeId& fresh = RandomSprayLoadBalancer::GetTypeId(),
        bool recurrent = false)
{
    helper.SetLoadBalancer("ns3::RepsLoadBalancer",
                           "Store",
                           TypeIdValue(store),
                           "Fresh",
                           TypeIdValue(fresh),
                           "Recurrent",
                           BooleanValue(recurrent));
}

/**
 * @ingroup dcfabric-tests
 * @brief Two messages, one after the other.
 */
class TakeOverTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief 20 packets at 0, then 25.
     * @param store class of the store
     * @param pdcPerMessage, recurrent attributes
     * @param gapPs start of the second message
     * @param taken its first 20 entropies are those of the first
     */
    void Run(const TypeId& store, bool pdcPerMessage, bool recurrent, int64_t gapPs, bool taken)
    {
        // All paths are equally long, and one sender at the rate of each link meets no queue: ACKs
        // come in the order of sending. The first comes after 8 us, when 25 packets of 86.56 ns
        // have long been sent.
        FabricHelper helper = MakeHelper();
        UseReps(helper, store, RandomSprayLoadBalancer::GetTypeId(), recurrent);
        helper.SetNicAttribute("PdcPerMessage", BooleanValue(pdcPerMessage));
        TestNetwork network(MakeTwoLeaves(4, 4), helper);
        std::vector<uint16_t> entropies;
        AddTap(network, 8)->SetRule([&entropies](FabricPacketItem& item) {
            if (item.type == FabricPacketType::DATA)
            {
                entropies.push_back(item.entropy);
            }
            return true;
        });
        network.MessagesOf(0).SendAt(0, 4, 20000, 0);
        network.MessagesOf(0).SendAt(gapPs, 4, 25000, 1);
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(entropies.size(), 45, "20 + 25 packets");
        const auto first = entropies.begin();
        NS_TEST_EXPECT_MSG_EQ(std::equal(first, first + 20, first + 20),
                              taken,
                              store.GetName() << ", a PDC per message: " << pdcPerMessage
                                              << ", recurrent: " << recurrent << ", after "
                                              << gapPs / US << " us");
    }

    void DoRun() override
    {
        for (const TypeId& store :
             {PrivateEntropyStore::GetTypeId(), SharedEntropyStore::GetTypeId()})
        {
            Run(store, true, true, 1000 * US, true);
            Run(store, true, false, 50 * US, false); // its PDC is gone
            Run(store, false, true, 1000 * US, true);
            Run(store, false, false, 50 * US, true);
            // valid for less than 100 us after ACKs of 8 us to 10 us
            Run(store, false, false, 1000 * US, false);
            // a message that starts before the first ACK finds nothing
            Run(store, false, true, 3 * US, false);
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief The size of the shared store.
 */
class StoreSizeTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // Links of 100, 100 and 25 Gb/s and 1 us. A full packet has 1082 bytes with preamble and
        // gap: 86.56 and 346.24 ns; an ACK 118: 9.44 and 37.76 ns. RTT 6 us + 2 x 96 + 384 ns =
        // 6.576 us. At 100 Gb/s that is 82200 bytes or 696.6 ACKs, at 25 Gb/s 174.2; with a T of
        // 12 us 1271.2 and 317.8.
        for (const bool longer : {false, true})
        {
            FabricHelper helper = MakeHelper();
            UseReps(helper, SharedEntropyStore::GetTypeId());
            if (longer)
            {
                helper.SetBaseRtt(MicroSeconds(12));
            }
            TestNetwork network(MakeChain({100 * GBPS, 100 * GBPS, 25 * GBPS}, {US, US, US}),
                                helper);
            NS_TEST_EXPECT_MSG_EQ(!network.Nic(0).GetSendingPdcs().GetPolicies().Find().shared,
                                  true,
                                  "no PDC, no store");
            const uint32_t expected[] = {longer ? 1272U : 697U, longer ? 318U : 175U};
            for (uint32_t host = 0; host < 2; ++host)
            {
                network.MessagesOf(host).Send(1 - host, 5000, host);
                network.MessagesOf(host).Send(1 - host, 5000, 2 + host);
            }
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 4, "all complete");
            for (uint32_t host = 0; host < 2; ++host)
            {
                NS_TEST_EXPECT_MSG_EQ(network.Nic(host).acksPerRtt, expected[host], "ACKs");
                const auto store = DynamicCast<SharedEntropyStore>(
                    network.Nic(host).GetSendingPdcs().GetPolicies().Find().shared);
                NS_TEST_ASSERT_MSG_EQ(!store, false, "one for both PDCs");
                NS_TEST_EXPECT_MSG_EQ(store->GetCapacity(), expected[host], "places");
                NS_TEST_EXPECT_MSG_EQ(store->GetTotal(), 0, "the PDCs took theirs with them");
            }
            PdcPolicy other;
            other.congestionControl.SetTypeId("ns3::NoCongestionControl");
            other.loadBalancer.SetTypeId("ns3::RandomSprayLoadBalancer");
            network.Nic(0).GetSendingPdcs().GetPolicies().Set(other);
            network.MessagesOf(0).Send(1, 5000, 4);
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 5, "with another balancer");
            NS_TEST_EXPECT_MSG_EQ(!network.Nic(0).GetSendingPdcs().GetPolicies().Find().shared,
                                  true,
                                  "shares nothing");
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A permutation over unequal paths.
 *
 * Each leaf sends 4 x 100 Gb/s to the other over 3 x 100 + 50 Gb/s. Both directions also carry the
 * ACKs of the other one: 118 bytes for a packet of 1082, both with preamble and gap. With the ideal
 * split all links are full of them, and the goodput of both directions is
 * 2 x 350 x 1000 / (1082 + 118) = 583.3 Gb/s. Spraying at random gives the slow link a quarter, and
 * all others no more than that: 2 x 4 x 50 x 1000 / 1200 = 333.3 Gb/s.
 */
class UnequalPathsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param balancer tells the helper which
     * @param run random run
     * @return goodput in Gb/s over 200 us
     */
    double Run(void (*balancer)(FabricHelper&), uint64_t run)
    {
        const RandomRun random(run);
        FabricHelper helper = MakeHelper();
        balancer(helper);
        helper.SetCongestionControl("ns3::DctcpCongestionControl");
        // as dcfabric-sim has it
        SetMarks(helper, 300000);
        TestNetwork network(MakeTwoLeaves(4, 4, 100 * GBPS, 50 * GBPS), helper);
        for (uint32_t i = 0; i < 8; ++i)
        {
            network.MessagesOf(i).SendAt(0, (i + 4) % 8, 1000000000, i);
        }
        Simulator::Stop(MicroSeconds(WARM_US));
        Simulator::Run();
        const uint64_t before = network.Sum(&FabricNic::Counters::bytesDelivered);
        Simulator::Stop(MicroSeconds(200));
        Simulator::Run();
        const uint64_t bytes = network.Sum(&FabricNic::Counters::bytesDelivered) - before;
        return static_cast<double>(bytes) * 8 / 200e3;
    }

    void DoRun() override
    {
        for (uint64_t run = 1; run <= 4; ++run)
        {
            const double reps = Run([](FabricHelper& h) { UseReps(h); }, run);
            const double other = Run(
                [](FabricHelper& h) {
                    UseReps(h,
                            SharedEntropyStore::GetTypeId(),
                            RoundRobinSprayLoadBalancer::GetTypeId());
                },
                run);
            const double random =
                Run([](FabricHelper& h) { h.SetLoadBalancer("ns3::RandomSprayLoadBalancer"); },
                    run);
            // Ten runs: 581.9 to 583.4 and 582.9 to 583.4, random 342 to 362, of which what is
            // beyond 333 comes out of queues.
            NS_TEST_EXPECT_MSG_EQ_TOL(reps, IDEAL, 0.01 * IDEAL, "run " << run);
            NS_TEST_EXPECT_MSG_EQ_TOL(other, IDEAL, 0.01 * IDEAL, "shared, counter, run " << run);
            NS_TEST_EXPECT_MSG_LT(random, 400, "random spraying, run " << run);
            NS_TEST_EXPECT_MSG_GT(random, 300, "random spraying, run " << run);
        }
    }

    static constexpr int64_t WARM_US = 50;               //!< six base RTTs
    static constexpr double IDEAL = 700.0 * 1000 / 1200; //!< Gb/s
};

/**
 * @ingroup dcfabric-tests
 * @brief A switch that loses all data from a time on, and counts it.
 */
class DyingFeature : public SwitchFeature
{
  public:
    static constexpr int64_t DEATH_PS = 50 * US; //!< that time

    uint32_t GetHooks() const override
    {
        return RECEIVE;
    }

    bool OnReceive(FabricNetDevice& ingress, FabricPacketItem& item) override
    {
        const int64_t nowPs = ingress.GetNowPs();
        const bool dies = item.type == FabricPacketType::DATA && nowPs >= DEATH_PS;
        lost += dies;
        lostLate += dies && nowPs >= DEATH_PS + 30 * US;
        return dies;
    }

    uint32_t lost{0};     //!< packets
    uint32_t lostLate{0}; //!< of these, after 30 us
};

/**
 * @ingroup dcfabric-tests
 * @brief One of four paths dies.
 *
 * A base RTT is 4 x (2 us + 86.56 ns + 9.44 ns) = 8.384 us or 97 packets at line rate. In the RTT
 * after the death a quarter of the entropies in use is lost, in the next one a quarter of the fresh
 * ones that replace these, and so on: 24.2 + 6.1 + 1.5 + ... = 32.3 packets. Random spraying loses
 * a quarter of the 462 packets of 40 us: 115.5. Nothing is sent again by then: that begins when
 * 1000 packets more have arrived, 86 us later. Standard deviations: for recycling that of the first
 * quarter, sqrt(97 x 3/16) = 4.3, and 2.5 and less for what follows, together below 6; for spraying
 * sqrt(462 x 3/16) = 9.3.
 */
class DyingPathTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param reps true: entropies are recycled
     * @param run random run
     * @return what one of the spines lost
     */
    Ptr<DyingFeature> Run(bool reps, uint64_t run)
    {
        const RandomRun random(run);
        FabricHelper helper = MakeHelper();
        helper.SetReliability("ns3::SelectiveRepeat"); // by time losses would be found too early
        helper.SetLoadBalancer("ns3::RandomSprayLoadBalancer");
        if (reps)
        {
            UseReps(helper);
        }
        TestNetwork network(MakeTwoLeaves(4, 4), helper);
        Ptr<DyingFeature> spine = CreateObject<DyingFeature>();
        network.fabric->GetSwitch(12)->AddFeature(spine);
        network.MessagesOf(0).SendAt(0, 4, 100000000, 0);
        Simulator::Stop(PicoSeconds(DyingFeature::DEATH_PS + 40 * US));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.Sum(&FabricNic::Counters::retransmitted), 0, "not yet");
        return spine;
    }

    void DoRun() override
    {
        for (uint64_t run = 1; run <= 10; ++run)
        {
            const Ptr<DyingFeature> recycled = Run(true, run);
            NS_TEST_EXPECT_MSG_EQ_TOL(recycled->lost, 32.3, 24.0, "recycled, run " << run);
            // after 3.6 RTTs: 24.2 / 4^3 and what follows, less than one
            NS_TEST_EXPECT_MSG_LT(recycled->lostLate, 5, "drained, run " << run);
            const Ptr<DyingFeature> sprayed = Run(false, run);
            NS_TEST_EXPECT_MSG_EQ_TOL(sprayed->lost, 115.5, 37.2, "sprayed, run " << run);
            NS_TEST_EXPECT_MSG_GT(sprayed->lostLate, 10, "a quarter of 115, run " << run);
        }
    }
};

/// Recycled entropies in networks.
const SuiteCases g_cases("dcfabric-reps-network", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.AddTestCase(new TakeOverTestCase(
        "the second message uses the entropies of the first while they are valid"));
    suite.AddTestCase(new StoreSizeTestCase(
        "the shared store holds what can arrive within the largest base RTT"));
    suite.AddTestCase(new UnequalPathsTestCase(
        "with a link at half rate recycled entropies reach the goodput of the ideal "
        "split, random spraying that of the slow link"));
    suite.AddTestCase(
        new DyingPathTestCase("a path that dies drains by a factor of four in each RTT"));
});

} // namespace ns3::tests::reps_network_test
