// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-plan.h"
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"

#include "ns3/boolean.h"
#include "ns3/credit-flow-control.h"
#include "ns3/fabric-channel.h"
#include "ns3/fabric-topology.h"
#include "ns3/link-retry.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/test.h"

#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Link-level retry in networks: transports see no loss, flow control works as before, and no
 * packet is lost or found twice.
 */

namespace ns3::tests::link_retry_network_test
{

/**
 * @param fabric a network with retry
 * @param count a counter of a port
 * @return its sum over all ports
 */
uint64_t
SumRetries(const Fabric& fabric, const std::function<uint64_t(const LinkRetry&)>& count)
{
    uint64_t sum = 0;
    for (uint32_t node = 0; node < fabric.GetGraph().GetNNodes(); ++node)
    {
        const FabricActor* actor = fabric.GetActor(node);
        for (uint16_t port = 0; port < actor->GetNPorts(); ++port)
        {
            sum += count(*actor->GetPort(port)->GetRetry());
        }
    }
    return sum;
}

/// @return frames of a network that were sent again
uint64_t
CountReplays(const Fabric& fabric)
{
    return SumRetries(fabric, [](const LinkRetry& link) { return link.GetCounters().replays; });
}

/**
 * @ingroup dcfabric-tests
 * @brief One in 10,000 frames is lost on each link of a fat-tree: no host sends anything again.
 */
class FatTreeTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        FabricGraph graph = MakeFabricTopology("fat-tree:k=4")->BuildGraph();
        graph.SetDefaultErrorRate(1e-4);
        for (const char* reliability : {"ns3::SelectiveRepeat", "ns3::GoBackN"})
        {
            for (const char* flowControl : {"none", "ns3::PriorityFlowControl"})
            {
                FabricHelper helper;
                helper.SetLinkRetry("ns3::LinkRetry");
                helper.SetReliability(reliability);
                helper.SetFlowControl(flowControl);
                TestNetwork network(graph, helper);
                for (uint32_t host = 0; host < 16; ++host)
                {
                    network.MessagesOf(host).SendAt(0, (host + 5) % 16, 1000000, host);
                }
                Simulator::Run();
                const std::string what = std::string(reliability) + ", " + flowControl;
                NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 16, what);
                NS_TEST_EXPECT_MSG_EQ(network.Sum(&FabricNic::Counters::timeouts), 0, what);
                NS_TEST_EXPECT_MSG_EQ(network.Sum(&FabricNic::Counters::retransmitted), 0, what);
                NS_TEST_EXPECT_MSG_EQ(network.fabric->GetDrops().empty(), true, what);
                NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().Holds(), true, what);
                NS_TEST_EXPECT_MSG_GT(CountReplays(*network.fabric), 0, what << ": links did");
            }
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Lossless flow control stays lossless on wires that lose one of 1,000 frames, and credits
 * are never lost.
 */
class FlowControlTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        FabricGraph graph =
            MakeFabricTopology("leaf-spine:leaves=2,spines=2,hosts=4")->BuildGraph();
        graph.SetDefaultErrorRate(1e-3);

        const struct
        {
            const char* flowControl;
            const char* buffer;
        } kinds[] = {{"ns3::PriorityFlowControl", "ns3::SharedBuffer"},
                     {"ns3::CreditFlowControl", "ns3::SharedBuffer"},
                     {"ns3::PriorityFlowControl", "ns3::VoqBuffer"},
                     {"ns3::CreditFlowControl", "ns3::VoqBuffer"},
                     {"ns3::VoqCreditFlowControl", "ns3::VoqBuffer"}};

        for (const auto& kind : kinds)
        {
            FabricHelper helper;
            helper.SetLinkRetry("ns3::LinkRetry");
            helper.SetFlowControl(kind.flowControl);
            if (std::string(kind.buffer) == "ns3::SharedBuffer")
            {
                helper.SetBuffer(kind.buffer, "XoffThreshold", UintegerValue(50000));
            }
            else
            {
                helper.SetBuffer(kind.buffer);
            }
            helper.SetCongestionControl("ns3::NoCongestionControl");
            TestNetwork network(graph, helper);
            for (uint32_t host = 1; host < 8; ++host)
            {
                network.MessagesOf(host).SendAt(0, 0, 1000000, host);
            }
            network.MessagesOf(0).SendAt(0, 5, 1000000, 0);
            Simulator::Run();
            const std::string what = std::string(kind.flowControl) + ", " + kind.buffer;
            NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 8, what);
            NS_TEST_EXPECT_MSG_EQ(network.fabric->GetDrops().empty(), true, what);
            NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().Holds(), true, what);
            uint64_t lostUnits = 0;
            uint64_t stops = 0;
            for (uint32_t node = 0; node < graph.GetNNodes(); ++node)
            {
                const FabricActor* actor = network.fabric->GetActor(node);
                for (uint16_t port = 0; port < actor->GetNPorts(); ++port)
                {
                    const LinkFlowControl* control = actor->GetPort(port)->GetFlowControl();
                    const auto* credits = dynamic_cast<const CreditFlowControl*>(control);
                    lostUnits += credits ? credits->GetNLostUnits() : 0;
                    stops += credits ? credits->GetNStalls() : control->GetNPauseFrames();
                }
            }
            NS_TEST_EXPECT_MSG_EQ(lostUnits, 0, what << ": credits");
            NS_TEST_EXPECT_MSG_GT(stops, 0, what << ": it had to stop senders");
            NS_TEST_EXPECT_MSG_GT(CountReplays(*network.fabric), 10, what << ": wires lose frames");
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Random messages over random losses, limits and links that go down and come up: all arrives
 * once, and the books are balanced.
 */
class RandomRetryTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// @return a random number below n
    uint32_t Draw(uint32_t n)
    {
        return static_cast<uint32_t>(m_random() % n);
    }

    /**
     * @brief One network.
     * @param seed of it
     */
    void RunOne(uint32_t seed)
    {
        m_random.seed(seed);
        RngSeedManager::SetRun(seed);
        FabricGraph graph = MakeTwoLeaves(3, 2, 100 * GBPS);
        const double losses[]{0, 1e-4, 1e-3, 1e-2, 0.1};
        graph.SetDefaultErrorRate(losses[Draw(5)]);
        const bool credits = Draw(2) == 0;
        FabricHelper helper;
        helper.SetLinkRetry("ns3::LinkRetry",
                            "MaxFrames",
                            UintegerValue(Draw(3) == 0 ? 1 + Draw(20) : 0),
                            "ReplayCountMax",
                            UintegerValue(Draw(2) == 0 ? Draw(4) : 255),
                            "FirstNumber",
                            UintegerValue(Draw(2) == 0 ? 0xfffff - Draw(50) : 0),
                            "BestEffort",
                            BooleanValue(Draw(2) == 0));
        helper.SetFlowControl(Draw(2) == 0 ? "none"
                              : credits    ? "ns3::CreditFlowControl"
                                           : "ns3::PriorityFlowControl");
        helper.SetNicAttribute("AckTimeout", TimeValue(MicroSeconds(100)));
        TestNetwork network(graph, helper);
        if (Draw(2) == 0)
        {
            const Ptr<FabricChannel> channel = network.fabric->GetChannel(Draw(10));
            int64_t atPs = 0;
            for (uint32_t i = 0; i < 3; ++i)
            {
                atPs += 1 + Draw(20000000);
                channel->ScheduleChange({atPs, LinkChange::DOWN});
                atPs += 1 + Draw(20000000);
                channel->ScheduleChange({atPs, LinkChange::UP});
            }
        }
        uint64_t total = 0;
        for (uint32_t tag = 0; tag < 12; ++tag)
        {
            const uint32_t src = Draw(6);
            const uint32_t bytes = 1 + Draw(60000);
            network.MessagesOf(src).SendAt(Draw(50) * US, (src + 1 + Draw(5)) % 6, bytes, tag);
            total += bytes;
        }
        Simulator::Stop(Seconds(100)); // one that does not end by itself fails
        Simulator::Run();
        const std::string what = "seed " + std::to_string(seed);
        NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 12, what);
        NS_TEST_EXPECT_MSG_EQ(network.Sum(&FabricNic::Counters::bytesDelivered), total, what);
        const auto where = network.fabric->CheckConservation();
        NS_TEST_EXPECT_MSG_EQ(where.Holds(), true, what << ": conservation");
        NS_TEST_EXPECT_MSG_EQ(where.inFlight, 0, what << ": nothing is left");
        const DropCounts drops = network.fabric->GetDrops();
        const uint64_t inits = SumRetries(*network.fabric, [](const LinkRetry& link) {
            return link.GetCounters().inits;
        });
        const bool lost = inits == 0 && drops.count(DropReason::WIRE_ERROR) != 0;
        NS_TEST_EXPECT_MSG_EQ(lost, false, what << ": lost while retry was there");
    }

    void DoRun() override
    {
        for (uint32_t seed = 1; seed <= 100; ++seed)
        {
            RunOne(seed);
        }
        RngSeedManager::SetRun(1);
    }

    std::mt19937_64 m_random; //!< makes the scenarios
};

/// Link-level retry in networks.
const SuiteCases g_cases("dcfabric-link-retry", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new FatTreeTestCase("retry: a fat-tree in which no host sends again"));
    suite.AddTestCase(new FlowControlTestCase("retry: lossless flow control stays lossless"));
    suite.AddTestCase(new RandomRetryTestCase("retry: random networks lose and find nothing"));
});

} // namespace ns3::tests::link_retry_network_test
