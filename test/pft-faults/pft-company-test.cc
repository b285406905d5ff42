// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-errors.h"
#include "../fabric-test-suite.h"
#include "../fabric-test-transport.h"

#include "ns3/config.h"
#include "ns3/fabric-faults.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-topology.h"
#include "ns3/fabric-totals.h"
#include "ns3/flow-recorder.h"
#include "ns3/proactive-flow-throttle.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Proactive flow throttling beside congestion controls, on racks, in trees, with several
 * links to a host, with losses and faults.
 */

namespace ns3::tests::pft_company_test
{

/**
 * @param average AT and RI, else FT and FI
 * @param throttled with PFT
 * @return policies with buffers of 1024 units
 */
FabricHelper
MakeHelper(bool average, bool throttled = true)
{
    FabricHelper helper;
    helper.SetFlowControl("ns3::CreditFlowControl", "BufferBytes", UintegerValue(65536));
    if (throttled)
    {
        const TypeId detector =
            average ? AverageThresholdDetector::GetTypeId() : FixedThresholdDetector::GetTypeId();
        const TypeId spacer =
            average ? RandomIntervalSpacer::GetTypeId() : FixedIntervalSpacer::GetTypeId();
        helper.SetThrottle("ns3::ProactiveFlowThrottle",
                           "Detector",
                           TypeIdValue(detector),
                           "Spacer",
                           TypeIdValue(spacer));
    }
    return helper;
}

/**
 * @param fabric network
 * @param host number
 * @param port number
 * @param name of the counter
 * @return a counter of one port
 */
uint64_t
CountAt(const Fabric& fabric, uint32_t host, uint16_t port, const std::string& name)
{
    FabricNic& nic = *fabric.GetNic(host);
    for (const auto& [key, value] : nic.GetThrottle(port)->GetCounters(nic.GetNowPs()))
    {
        if (name == key)
        {
            return value;
        }
    }
    return UINT64_MAX;
}

/**
 * @param fabric network
 * @return entries into congestion of all ports
 */
uint64_t
EntriesOf(const Fabric& fabric)
{
    uint64_t sum = 0;
    for (const uint32_t host : fabric.GetHosts())
    {
        for (uint16_t port = 0; port < fabric.GetNic(host)->GetNPorts(); ++port)
        {
            sum += CountAt(fabric, host, port, "pft_entries");
        }
    }
    return sum;
}

/**
 * @brief Choose f and thresholds.
 * @param average for AT and RI: m = 22 and te < ts; else FI with n = 8 and te > ts
 */
void
SetDefaults(bool average)
{
    Config::SetDefault("ns3::FlitSpacer::M", UintegerValue(average ? 22 : 0));
    Config::SetDefault("ns3::FlitSpacer::N", UintegerValue(average ? 0 : 8));
    Config::SetDefault("ns3::ThrottleDetector::Leave", UintegerValue(average ? 672 : 500));
}

/**
 * @param n number of hosts
 * @return hosts with a link to each of two switches
 */
FabricGraph
MakeRails(uint32_t n)
{
    FabricGraph graph;
    for (uint32_t i = 0; i < n; ++i)
    {
        graph.AddHost();
    }
    for (int rail = 0; rail < 2; ++rail)
    {
        const uint32_t center = graph.AddSwitch();
        for (uint32_t i = 0; i < n; ++i)
        {
            graph.AddLink(i, center, 100 * GBPS, US);
        }
    }
    return graph;
}

/**
 * @ingroup dcfabric-tests
 * @brief An incast over half the hosts and messages of all to their neighbors, and back: all
 * arrive, nothing is dropped or lost sight of, ports of senders have been congested.
 */
class CompanyTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief Run.
     * @param graph plan
     * @param helper policies
     * @param losses share of frames that the link of host 1 loses
     * @param name of the case
     */
    void Check(const FabricGraph& graph,
               const FabricHelper& helper,
               double losses,
               const std::string& name)
    {
        const TestNetwork network(graph, helper);
        FabricFaults faults;
        const auto hosts = static_cast<uint32_t>(network.fabric->GetHosts().size());
        if (losses > 0)
        {
            faults.AddLoss(Seconds(0), 1, graph.GetPort(1, 0).peer, losses);
            faults.Install(network.fabric);
        }
        uint32_t tag = 0;
        for (uint32_t host = 0; host < hosts; ++host)
        {
            if (host % 2 == 1)
            {
                network.MessagesOf(host).Send(0, 300000, tag++);
            }
            network.MessagesOf(host).Send((host + 1) % hosts, 50000, tag++);
            network.MessagesOf(host).Send((host + hosts - 1) % hosts, 50000, tag++);
        }
        Simulator::Stop(MilliSeconds(200));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.delivered.size(), tag, "all have arrived, " << name);
        NS_TEST_EXPECT_MSG_EQ(network.completed.size(), tag, "and are acknowledged, " << name);
        NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().Holds(), true, name);
        const auto totals = FabricTotals::Collect(*network.fabric);
        NS_TEST_EXPECT_MSG_EQ(totals.lossInFabric, 0, "no drop, " << name);
        NS_TEST_EXPECT_MSG_EQ((totals.retransmitted > 0), (losses > 0), "sent again, " << name);
        NS_TEST_EXPECT_MSG_GT(EntriesOf(*network.fabric), hosts / 2 - 1, "congested, " << name);
        for (const uint32_t host : network.fabric->GetHosts())
        {
            // AT enters at most every 512 + 512 cycles: 1.46 us
            const uint64_t ns = CountAt(*network.fabric, host, 0, "pft_congested_ns");
            NS_TEST_EXPECT_MSG_LT(ns, 200000000, "time, " << name);
        }
    }

    void DoRun() override
    {
        for (const bool average : {false, true})
        {
            SetDefaults(average);
            for (const char* cc : {"ns3::NoCongestionControl", "ns3::DcqcnCongestionControl"})
            {
                FabricHelper helper = MakeHelper(average);
                helper.SetCongestionControl(cc);
                if (cc == std::string("ns3::DcqcnCongestionControl"))
                {
                    SetMarks(helper, 20000, 80000);
                }
                const std::string name = std::string(average ? "AT-RI, " : "FT-FI, ") + cc;
                Check(MakeStar(9), helper, 0, "rack, " + name);
                Check(MakeStar(9), helper, 0.003, "rack with losses, " + name);
                Check(MakeTwoLeaves(4, 2), helper, 0, "leaves, " + name);
                Check(MakeFabricTopology("fat-tree:k=4")->BuildGraph(), helper, 0, "tree, " + name);
                Check(MakeRails(8), helper, 0, "rails, " + name);
            }
        }
        Config::Reset();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Without congestion every flow takes the time that it takes without a throttle.
 */
class IdleTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        SetDefaults(true);
        std::vector<int64_t> times[2];
        for (const bool throttled : {false, true})
        {
            const Ptr<Fabric> fabric = MakeHelper(true, throttled).Install(MakeTwoLeaves(4, 4));
            std::vector<FabricFlow> flows;
            for (uint32_t i = 0; i < 8; ++i)
            {
                flows.push_back({i, (i + 1) % 8, 200000 + 777 * i, 1000 * i});
            }
            FlowRecorder recorder(fabric, flows);
            recorder.Start();
            Simulator::Run();
            for (const FlowRecord& record : recorder.GetRecords())
            {
                times[throttled].push_back(record.senderFctPs);
            }
            if (throttled)
            {
                NS_TEST_EXPECT_MSG_EQ(EntriesOf(*fabric), 0, "no congestion");
            }
            Simulator::Destroy();
        }
        NS_TEST_EXPECT_MSG_EQ((times[0] == times[1]), true, "to the picosecond");
        Config::Reset();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Ports are throttled each by itself, and a link that fails and comes back takes no harm.
 */
class PortsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        SetDefaults(false);
        {
            // On the first rail the receiver has a tenth of the rate.
            const TestNetwork network(MakeRails(3), MakeHelper(false));
            FabricFaults faults;
            faults.AddRate(NanoSeconds(1), 2, 3, DataRate(10 * GBPS));
            faults.Install(network.fabric);
            for (uint32_t i = 0; i < 40; ++i)
            {
                network.MessagesOf(0).Send(2, 100000, i);
            }
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(network.delivered.size(), 40, "arrived");
            NS_TEST_EXPECT_MSG_GT(CountAt(*network.fabric, 0, 0, "pft_entries"), 0, "first rail");
            NS_TEST_EXPECT_MSG_GT(CountAt(*network.fabric, 0, 0, "pft_delayed_packets"), 0, "held");
            NS_TEST_EXPECT_MSG_EQ(CountAt(*network.fabric, 0, 1, "pft_entries"), 0, "second rail");
            NS_TEST_EXPECT_MSG_EQ(CountAt(*network.fabric, 2, 0, "pft_entries"), 0, "receiver");
        }
        {
            // two senders; the link of one goes down while it is congested
            const TestNetwork network(MakeStar(3), MakeHelper(false));
            FabricFaults faults;
            for (int i = 0; i < 3; ++i)
            {
                faults.AddDown(MicroSeconds(100 + 60 * i), 0, 3);
                faults.AddUp(MicroSeconds(130 + 60 * i), 0, 3);
            }
            faults.Install(network.fabric);
            network.MessagesOf(0).Send(2, 2000000, 0);
            network.MessagesOf(1).Send(2, 2000000, 1);
            Simulator::Stop(MilliSeconds(100));
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 2, "both");
            NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().Holds(), true, "all found");
        }
        Config::Reset();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What does not go together is refused by name.
 */
class RefusalsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const auto install = [](FabricHelper helper) {
            const TestNetwork network(MakeStar(2), helper);
        };
        const std::string throttle = "ns3::ProactiveFlowThrottle";
        for (const std::string& type : {std::string("ns3::PriorityFlowControl"),
                                        std::string("ns3::VoqCreditFlowControl"),
                                        std::string("none")})
        {
            FabricHelper helper;
            helper.SetBuffer("ns3::VoqBuffer");
            helper.SetFlowControl(type);
            helper.SetThrottle(throttle);
            const std::string answer = RefusalOf([&]() { install(helper); });
            Simulator::Destroy();
            NS_TEST_EXPECT_MSG_EQ(Contains(answer, throttle), true, answer);
            NS_TEST_EXPECT_MSG_EQ(Contains(answer, type == "none" ? "no flow control" : type),
                                  true,
                                  answer);
            NS_TEST_EXPECT_MSG_EQ(Contains(answer, "use ns3::CreditFlowControl"), true, answer);
            helper.SetThrottle("none");
            install(helper);
        }
        // 542 units keep the link busy; a user's own buffer stays
        FabricHelper helper;
        helper.SetFlowControl("ns3::CreditFlowControl", "BufferBytes", UintegerValue(0));
        helper.SetThrottle(throttle);
        DCFABRIC_EXPECT_REFUSAL(install(helper), "Enter of 592 units");
        Simulator::Destroy();
        helper.SetThrottle(throttle, "Detector", TypeIdValue(FabricNic::GetTypeId()));
        DCFABRIC_EXPECT_REFUSAL(install(helper), "ns3::FabricNic is no class of");
        Simulator::Destroy();
        helper.SetThrottle(throttle, "Spacer", TypeIdValue(FlitSpacer::GetTypeId()));
        DCFABRIC_EXPECT_REFUSAL(install(helper), "ns3::FlitSpacer is no class of");
        Simulator::Destroy();
        DCFABRIC_EXPECT_REFUSAL(helper.SetThrottle("ns3::Throttle"), "injection throttle");
        // FT with the thresholds of the best setting, which is AT
        DCFABRIC_EXPECT_REFUSAL(install(MakeHelper(false)), "below Leave of 672");
        Simulator::Destroy();
    }
};

/// How it gets along.
const SuiteCases g_cases("dcfabric-credits", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new CompanyTestCase(
        "throttle: beside congestion control, on racks, in trees, on rails, with losses"));
    suite.AddTestCase(new IdleTestCase("throttle: nothing changes without congestion"));
    suite.AddTestCase(new PortsTestCase("throttle: each port by itself; a link that fails"));
    suite.AddTestCase(new RefusalsTestCase("throttle: what it cannot work with is refused"));
});

} // namespace ns3::tests::pft_company_test
