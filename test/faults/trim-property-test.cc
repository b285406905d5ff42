// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-random.h"
#include "../fabric-test-schedule.h"
#include "../fabric-test-suite.h"
#include "../fabric-test-transport.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/fabric-faults.h"
#include "ns3/fabric-topology.h"
#include "ns3/fabric-totals.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <cstddef>
#include <iostream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Random networks that trim, with losses and faults: no packet is missing, nothing hangs.
 */

namespace ns3::tests::trim_property_test
{

/**
 * @ingroup dcfabric-tests
 * @brief Random networks that trim.
 */
class TrimPropertyTestCase : public TestCase, private RandomDraws
{
  public:
    /**
     * @param seed of the first network
     * @param count networks
     */
    TrimPropertyTestCase(uint32_t seed, uint32_t count)
        : TestCase("trims, losses and faults, seeds " + std::to_string(seed) + " to " +
                   std::to_string(seed + count - 1)),
          m_seed(seed),
          m_count(count)
    {
    }

  private:
    /// @return policies @param what receives a word on them
    FabricHelper DrawPolicies(std::ostream& what)
    {
        FabricHelper helper;
        helper.SetFlowControl("none");
        const bool goBack = Draw(3) == 0;
        const std::string reliability =
            goBack ? "ns3::GoBackN"
                   : Choose<std::string>({"ns3::SelectiveRepeat", "ns3::RackRepeat"});
        const std::string balancer = goBack ? "ns3::PerFlowLoadBalancer"
                                            : Choose<std::string>({"ns3::PerFlowLoadBalancer",
                                                                   "ns3::RandomSprayLoadBalancer",
                                                                   "ns3::RepsLoadBalancer"});
        // go-back-N at line rate gets hardly anything through
        std::string control = Choose<std::string>({"ns3::NoCongestionControl",
                                                   "ns3::DctcpCongestionControl",
                                                   "ns3::SwiftCongestionControl",
                                                   "ns3::HpccCongestionControl"});
        if (goBack && control == "ns3::NoCongestionControl")
        {
            control = "ns3::DctcpCongestionControl";
        }
        // INT is of one path
        const bool isInt = control == "ns3::HpccCongestionControl";
        helper.SetReliability(reliability);
        helper.SetLoadBalancer(isInt ? "ns3::PerFlowLoadBalancer" : balancer);
        helper.SetCongestionControl(control);
        if (isInt)
        {
            helper.AddSwitchFeature("ns3::HpccIntFeature");
        }
        // under go-back-N each packet would be trimmed for the one behind it
        const double newest = goBack ? 0 : Choose<double>({0, 0.5, 1});
        const uint32_t size = Choose<uint32_t>({64, 64, 100, 200});
        const uint32_t limit = Choose<uint32_t>({0, 0, 64, 640, 5000});
        helper.SetTrimmer("ns3::PacketTrimmer",
                          "Newest",
                          DoubleValue(newest),
                          "Size",
                          UintegerValue(size),
                          "Limit",
                          UintegerValue(limit));
        const bool atInputs = Draw(4) == 0; // packets wait there, and are trimmed there
        const std::string most =
            atInputs ? "4294967295B" : Choose<std::string>({"1p", "7p", "5000B", "20000B"});
        const std::string kind = Choose<std::string>({"ns3::RingQueue", "ns3::FifoQueueDisc"});
        // Headers that go first leave data nothing, where senders repeat at once what they are told
        // of: only Swift then goes below a window.
        const std::string scheduler = control == "ns3::SwiftCongestionControl" && Draw(2) != 0
                                          ? "ns3::StrictPriorityScheduler"
                                          : "ns3::DeficitRoundRobinScheduler";
        helper.SetQueueDisc("ns3::CongestionAwareQueueDisc",
                            "MaxSize",
                            StringValue(most),
                            "ClassQueueDisc",
                            StringValue(kind),
                            "Scheduler",
                            StringValue(scheduler));
        const uint32_t memory = Choose<uint32_t>({400000, 4000000});
        helper.SetBuffer("ns3::SharedBuffer", "Size", UintegerValue(memory));
        if (atInputs)
        {
            helper.SetBuffer("ns3::VoqBuffer", "QueueBytes", UintegerValue(memory / 100));
        }
        helper.SetNicAttribute("AckTimeout", TimeValue(MicroSeconds(100 + Draw(200))));
        helper.SetNicAttribute("PdcPerMessage", BooleanValue(Draw(2)));
        helper.SetNicAttribute("AckEvery", UintegerValue(1 + Draw(4)));
        helper.SetNicAttribute("InitialPsn", UintegerValue(Draw(2) ? 0 : 0xffffff - Draw(30)));
        helper.SetNicAttribute("PayloadBytes", UintegerValue(Choose<uint32_t>({1, 500, 1000})));
        what << " " << reliability << " " << balancer << " " << control << " newest " << newest
             << " size " << size << " limit " << limit << " max " << most << " of " << kind << " "
             << scheduler << " memory " << memory << (atInputs ? " at inputs" : "");
        return helper;
    }

    /**
     * @param graph plan
     * @return links that go down and up
     */
    FabricFaults DrawFaults(const FabricGraph& graph)
    {
        FabricFaults faults;
        for (uint32_t n = Draw(4); n > 0; --n)
        {
            const FabricLink& link = graph.GetLinks()[Draw(graph.GetNLinks())];
            const int64_t atPs = 1 + int64_t{Draw(60)} * Draw(1000000);
            if (m_faulty.insert(&link - graph.GetLinks().data()).second)
            {
                faults.Add({atPs, FabricFault::DOWN, link.a, link.b});
                faults.Add(
                    {atPs + 1 + int64_t{Draw(40)} * 1000000, FabricFault::UP, link.a, link.b});
            }
        }
        return faults;
    }

    /**
     * @brief Run a network.
     * @param seed of it
     */
    void RunNetwork(uint32_t seed)
    {
        Seed(seed);
        m_faulty.clear();
        std::ostringstream text;
        const std::string topology =
            Choose<std::string>({"leaf-spine:leaves=2,spines=2,hosts=3", "fat-tree:k=4"});
        text << "seed " << seed << ": " << topology;
        FabricHelper helper = DrawPolicies(text);
        FabricGraph graph = MakeFabricTopology(topology)->BuildGraph();
        const double loss = Choose<double>({0, 0, 0.001, 0.02});
        graph.SetDefaultErrorRate(loss);
        TestNetwork network(graph, helper);
        const FabricFaults faults = DrawFaults(graph);
        faults.Install(network.fabric);
        const std::vector<uint32_t>& hosts = network.fabric->GetHosts();
        const auto n = static_cast<uint32_t>(hosts.size());
        const uint32_t messages = 8 + Draw(20);
        const uint32_t most = network.Nic(hosts[0]).payloadBytes == 1 ? 60 : 60000;
        uint64_t bytes = 0;
        for (uint32_t tag = 0; tag < messages; ++tag)
        {
            const uint32_t src = Draw(n);
            const uint32_t dst = Draw(2) ? (src + 1 + Draw(n - 1)) % n : (src == 0 ? 1 : 0);
            const uint32_t size = 1 + Draw(most);
            bytes += size;
            network.MessagesOf(hosts[src]).SendAt(Draw(3) * Draw(20) * US, hosts[dst], size, tag);
        }
        text << " payload " << network.Nic(hosts[0]).payloadBytes << " loss " << loss
             << " messages " << messages;
        for (int i = 1; i <= 10; ++i)
        {
            CallIn(NanoSeconds(i * 3011), [&]() {
                NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().Holds(),
                                      true,
                                      text.str() << ": conservation on the way");
            });
        }
        Simulator::Stop(Seconds(100));
        Simulator::Run();
        const auto where = network.fabric->CheckConservation();
        NS_TEST_EXPECT_MSG_EQ(where.Holds(), true, text.str() << ": conservation");
        NS_TEST_EXPECT_MSG_EQ(where.inFlight, 0, text.str() << ": nothing is left over");
        NS_TEST_EXPECT_MSG_EQ(network.completed.size(), messages, text.str() << ": complete");
        NS_TEST_EXPECT_MSG_EQ(network.delivered.size(), messages, text.str() << ": once");
        NS_TEST_EXPECT_MSG_EQ(network.Sum(&FabricNic::Counters::bytesDelivered), bytes, text.str());
        for (uint32_t node = 0; node < graph.GetNNodes(); ++node)
        {
            if (!graph.IsHost(node))
            {
                NS_TEST_EXPECT_MSG_EQ(network.fabric->GetSwitch(node)->GetBuffer()->GetUsedBytes(),
                                      0,
                                      text.str() << ": memory of switch " << node);
            }
        }
        m_trims += FabricTotals::Collect(*network.fabric).Get("trimmed_packets");
        for (const auto& [reason, count] : network.fabric->GetDrops())
        {
            m_full += reason == DropReason::TRIM_QUEUE_FULL ? count : 0;
            m_lost += IsOnWire(reason) ? count : 0;
        }
    }

    void DoRun() override
    {
        std::cout << "dcfabric-trimming: seed " << m_seed << std::endl;
        for (uint32_t seed = m_seed; seed < m_seed + m_count; ++seed)
        {
            RunNetwork(seed);
        }
        NS_TEST_EXPECT_MSG_GT(m_trims, 10 * m_count, "packets were trimmed");
        NS_TEST_EXPECT_MSG_GT(m_full, m_count, "and dropped, as there was no room for headers");
        NS_TEST_EXPECT_MSG_GT(m_lost, m_count, "or lost on links");
    }

    uint32_t m_seed;                   //!< of the first network
    uint32_t m_count;                  //!< networks
    std::set<std::ptrdiff_t> m_faulty; //!< links with a fault
    uint64_t m_trims{0};               //!< in all networks
    uint64_t m_full{0};                //!< dropped for TRIM_QUEUE_FULL
    uint64_t m_lost{0};                //!< on wires
};

/// Random networks.
const SuiteCases g_cases("dcfabric-trimming", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new TrimPropertyTestCase(71000, 60));
});

} // namespace ns3::tests::trim_property_test
