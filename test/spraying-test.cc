// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-plan.h"
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"

#include "ns3/packet-spraying.h"
#include "ns3/random-variable-stream.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <set>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Packet spraying at the host: entropies, spread, echo, reordering, and what it is refused
 * with.
 */

namespace ns3::tests::spraying_test
{

/**
 * @param balancer of hosts
 * @param selector of switches
 * @return a helper whose transport waits for packets that others overtake
 */
FabricHelper
MakeSprayer(const std::string& balancer, const std::string& selector = "ns3::EcmpPathSelector")
{
    FabricHelper helper;
    helper.SetLoadBalancer(balancer);
    helper.SetPathSelector(selector);
    return helper;
}

/**
 * @ingroup dcfabric-tests
 * @brief Notes the entropy of each data packet and compares that of its ACK.
 */
class EchoFeature : public SwitchFeature
{
  public:
    uint32_t GetHooks() const override
    {
        return RECEIVE;
    }

    bool OnReceive(FabricNetDevice& /* ingress */, FabricPacketItem& item) override
    {
        if (item.type == FabricPacketType::DATA)
        {
            entropies.push_back(item.entropy);
        }
        else
        {
            ++acks;
            differ += item.entropy != entropies.at(item.ack.triggerPsn);
        }
        return false;
    }

    std::vector<uint16_t> entropies; //!< by sequence number
    uint32_t acks{0};                //!< seen
    uint32_t differ{0};              //!< of these, with another entropy than their packet
};

/**
 * @ingroup dcfabric-tests
 * @brief Entropies without a network.
 */
class EntropyTestCase : public TestCase
{
  public:
    EntropyTestCase()
        : TestCase(
              "round robin counts from its start and wraps; random draws from the NIC's stream")
    {
    }

  private:
    void DoRun() override
    {
        Ptr<RoundRobinSprayLoadBalancer> turns = CreateObject<RoundRobinSprayLoadBalancer>();
        NS_TEST_EXPECT_MSG_EQ(turns->GetMaxPaths(), UINT32_MAX, "no bound");
        turns->Start(65534);
        std::set<uint16_t> seen;
        for (uint32_t i = 0; i < 65536; ++i)
        {
            const uint16_t entropy = turns->ChooseEntropy(0, i % 2);
            NS_TEST_ASSERT_MSG_EQ(entropy, static_cast<uint16_t>(65534 + i), "turn " << i);
            seen.insert(entropy);
        }
        NS_TEST_EXPECT_MSG_EQ(seen.size(), 65536, "each once");
        NS_TEST_EXPECT_MSG_EQ(turns->ChooseEntropy(0, false), 65534, "and again");

        turns->SetAttribute("Entropies", UintegerValue(3));
        NS_TEST_EXPECT_MSG_EQ(turns->GetMaxPaths(), 3, "bounded");
        turns->Start(65535);
        for (const uint16_t expected : {65535, 0, 1, 65535, 0, 1, 65535})
        {
            NS_TEST_EXPECT_MSG_EQ(turns->ChooseEntropy(0, false), expected, "three entropies");
        }
        turns->SetAttribute("Entropies", UintegerValue(1));
        turns->Start(9);
        NS_TEST_EXPECT_MSG_EQ(turns->ChooseEntropy(0, false), 9, "one entropy");
        NS_TEST_EXPECT_MSG_EQ(turns->ChooseEntropy(0, false), 9, "as per-flow");

        // Two PDCs of a NIC draw from one variable, in turns.
        Ptr<UniformRandomVariable> ofNic = CreateObject<UniformRandomVariable>();
        ofNic->SetStream(17);
        Ptr<UniformRandomVariable> expected = CreateObject<UniformRandomVariable>();
        expected->SetStream(17);
        Ptr<LoadBalancer> pdcs[2];
        for (auto& pdc : pdcs)
        {
            pdc = CreateObject<RandomSprayLoadBalancer>();
            NS_TEST_EXPECT_MSG_EQ(pdc->NeedsRandomVariable(), true, "draws");
            NS_TEST_EXPECT_MSG_EQ(pdc->GetMaxPaths(), UINT32_MAX, "no bound");
            pdc->SetRandomVariable(ofNic);
            pdc->Start(5);
        }
        for (uint32_t i = 0; i < 100; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(pdcs[i % 2]->ChooseEntropy(0, false),
                                  expected->GetInteger(0, 65535),
                                  "draw " << i);
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Spread and echo in a network.
 */
class SprayTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param balancer of hosts
     * @param selector of switches
     * @return entropies of 4000 packets
     */
    std::vector<uint16_t> Run(const std::string& balancer, const std::string& selector)
    {
        TestNetwork network(MakeWays(4), MakeSprayer(balancer, selector));
        Ptr<EchoFeature> echo = CreateObject<EchoFeature>();
        network.fabric->GetSwitch(2)->AddFeature(echo);
        network.MessagesOf(0).Send(1, 4000000, 0);
        Simulator::Run();
        const std::string what = balancer + " " + selector;
        NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 1, what);
        NS_TEST_EXPECT_MSG_EQ(network.Nic(0).GetCounters().retransmitted, 0, what);
        NS_TEST_EXPECT_MSG_EQ(echo->entropies.size(), 4000, what);
        NS_TEST_EXPECT_MSG_EQ(echo->acks, 4000, what);
        NS_TEST_EXPECT_MSG_EQ(echo->differ, 0, "echoed, " << what);
        for (uint16_t p = 1; p <= 4; ++p)
        {
            // 1000 of 4000 on each way, standard deviation sqrt(4000 x 1/4 x 3/4) = 27.4
            const FabricNetDevice* up = network.fabric->GetPort(2, p);
            const double data = static_cast<double>(up->GetCounters().txBytes) / 1062;
            NS_TEST_EXPECT_MSG_EQ_TOL(data, 1000, 137, "way " << p << ", " << what);
            const auto acks = up->GetCounters().rxControlPackets;
            if (selector == "ns3::SymmetricEcmpPathSelector")
            {
                NS_TEST_EXPECT_MSG_EQ(acks, data, "each ACK on the way of its packet");
            }
            else
            {
                NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(acks), 1000, 137, "ACKs, " << what);
            }
        }
        return echo->entropies;
    }

    void DoRun() override
    {
        const std::string random = "ns3::RandomSprayLoadBalancer";
        const std::string turns = "ns3::RoundRobinSprayLoadBalancer";
        const auto drawn = Run(random, "ns3::EcmpPathSelector");
        Run(random, "ns3::SymmetricEcmpPathSelector");
        const auto counted = Run(turns, "ns3::EcmpPathSelector");
        Run(turns, "ns3::SymmetricEcmpPathSelector");
        NS_TEST_EXPECT_MSG_EQ((drawn == Run(random, "ns3::EcmpPathSelector")),
                              true,
                              "the same stream, the same entropies");
        for (uint32_t i = 1; i < counted.size(); ++i)
        {
            NS_TEST_ASSERT_MSG_EQ(counted[i], static_cast<uint16_t>(counted[0] + i), "counted");
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Reordering to the packet.
 */
class ReorderingTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // Two ways in turn, the second switch 1 us farther on each side: 2 us are 23 packets
        // of 86.56 ns. Of 100 packets those on the slow way are overtaken by at least the next one,
        // unless there is none: the slow ones are 1, 3, ..., 99, of which 99 is the last, or 0, 2,
        // ..., 98. With entropies e and e + 1 on the same way nothing is reordered: then another
        // message.
        for (const uint32_t threshold : {1000, 3})
        {
            FabricHelper helper = MakeSprayer("ns3::RoundRobinSprayLoadBalancer");
            helper.SetLoadBalancer("ns3::RoundRobinSprayLoadBalancer",
                                   "Entropies",
                                   UintegerValue(2));
            helper.SetReliability("ns3::SelectiveRepeat",
                                  "ReorderThreshold",
                                  UintegerValue(threshold));
            TestNetwork network(MakeWays(2, {0, 0, 100 * GBPS, 2 * US}), helper);
            Ptr<EchoFeature> echo = CreateObject<EchoFeature>();
            network.fabric->GetSwitch(2)->AddFeature(echo);
            uint32_t tested = 0;
            for (uint32_t tag = 0; tag < 12; ++tag)
            {
                echo->entropies.clear();
                network.MessagesOf(0).Send(1, 100000, tag);
                Simulator::Run();
                const auto spine = [&](uint32_t packet) {
                    return network.fabric->TracePath(0, 1, echo->entropies.at(packet)).at(2).node;
                };
                const bool evenSlow = spine(0) == 5;
                const bool oddSlow = spine(1) == 5;
                const uint32_t expected = evenSlow == oddSlow ? 0 : evenSlow ? 50 : 49;
                const auto event = TestNetwork::Find(network.delivered, tag);
                const auto sent = TestNetwork::Find(network.completed, tag);
                tested += expected > 0;
                if (threshold == 1000)
                {
                    NS_TEST_EXPECT_MSG_EQ(event.reordered, expected, "message " << tag);
                    NS_TEST_EXPECT_MSG_EQ(sent.packetsSent, 100, "nothing is taken for lost");
                }
                else if (expected > 0)
                {
                    NS_TEST_EXPECT_MSG_GT(sent.retransmitted, 0, "why the threshold has to be set");
                }
            }
            NS_TEST_EXPECT_MSG_GT(tested, 0, "some message takes both ways");
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What does not go with spraying.
 */
class SprayRefusalTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        for (const std::string balancer :
             {"ns3::RandomSprayLoadBalancer", "ns3::RoundRobinSprayLoadBalancer"})
        {
            for (const std::string cc : {"Hpcc", "Fncc"})
            {
                FabricHelper helper = MakeSprayer(balancer, "ns3::SymmetricEcmpPathSelector");
                helper.SetCongestionControl("ns3::" + cc + "CongestionControl");
                helper.AddSwitchFeature("ns3::" + cc + "IntFeature");
                DCFABRIC_EXPECT_REFUSAL(helper.Install(MakeWays(2)),
                                        "ns3::" + cc +
                                            "CongestionControl compares INT records of one path, "
                                            "but " +
                                            balancer +
                                            " sprays packets over all; use "
                                            "ns3::PerFlowLoadBalancer, a congestion control "
                                            "without INT, or ns3::RoundRobinSprayLoadBalancer with "
                                            "Entropies of at most 256");
                Simulator::Destroy();
            }
            FabricHelper helper = MakeSprayer(balancer);
            helper.SetReliability("ns3::GoBackN");
            DCFABRIC_EXPECT_REFUSAL(
                helper.Install(MakeWays(2)),
                "ns3::GoBackN accepts packets only in order, but " + balancer +
                    " spreads a message over several paths; use ns3::SelectiveRepeat");
            Simulator::Destroy();
        }
        // up to 256 paths have a state each
        for (const uint32_t entropies : {257, 256, 1})
        {
            FabricHelper helper;
            helper.SetLoadBalancer("ns3::RoundRobinSprayLoadBalancer",
                                   "Entropies",
                                   UintegerValue(entropies));
            helper.SetCongestionControl("ns3::HpccCongestionControl");
            helper.AddSwitchFeature("ns3::HpccIntFeature");
            const std::string refusal = RefusalOf([&]() { helper.Install(MakeWays(2)); });
            NS_TEST_EXPECT_MSG_EQ(
                Contains(refusal, entropies == 257 ? "sprays packets over 257; use" : "(accepted)"),
                true,
                refusal);
            Simulator::Destroy();
        }
    }
};

/// Packet spraying.
const SuiteCases g_cases("dcfabric-routing", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new EntropyTestCase);
    suite.AddTestCase(
        new SprayTestCase("packets spread over all paths, and ACKs echo their entropy"));
    suite.AddTestCase(new ReorderingTestCase(
        "of two ways with unequal delay all packets of the slower one are reordered"));
    suite.AddTestCase(new SprayRefusalTestCase(
        "INT of one path and go-back-N are refused; both sides and a remedy are named"));
});

} // namespace ns3::tests::spraying_test
