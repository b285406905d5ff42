// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-duration.h"
#include "../fabric-test-schedule.h"
#include "../fabric-test-suite.h"
#include "fabric-test-random-network.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/fabric-topology.h"
#include "ns3/fabric-totals.h"
#include "ns3/integer.h"
#include "ns3/nstime.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Random networks of Ultra Ethernet: each congestion control, load balancer and repair with
 * trims, losses and faults together. No packet is missing, nothing hangs, and the scheduler makes
 * no difference.
 */

namespace ns3::tests::uet_property_test
{

/// What switches do where there is no room, or how they see to it that there is some.
enum class Room
{
    TRIM, //!< trim
    DROP, //!< drop
    CBFC, //!< credits as those of Ultra Ethernet
    PFC   //!< pauses
};

/**
 * @ingroup dcfabric-tests
 * @brief Random networks of Ultra Ethernet.
 */
class UetPropertyTestCase : public RandomNetworkTestCase
{
  public:
    /**
     * @param seed of the first network
     * @param count networks
     */
    UetPropertyTestCase(uint32_t seed, uint32_t count)
        : RandomNetworkTestCase("random networks of Ultra Ethernet, seeds " + std::to_string(seed) +
                                " to " + std::to_string(seed + count - 1)),
          m_seed(seed),
          m_count(count)
    {
    }

  private:
    /**
     * @brief Draw what chooses paths.
     * @param helper takes it
     * @param isOrdered one path for each flow
     */
    void DrawBalancer(FabricHelper& helper, bool isOrdered)
    {
        const std::string balancer =
            isOrdered ? "PerFlow"
                      : Choose<std::string>(
                            {"ObliviousSpray", "BitmapSpray", "Mixed", "RingReps", "Mrc"});
        const std::string type =
            "ns3::" + (balancer == "Mixed" ? "Reps" : balancer) + "LoadBalancer";
        helper.SetLoadBalancer(type);
        m_what << " " << balancer;
        const uint32_t bits = Choose<uint32_t>({0, 2, 6});
        if (balancer == "Mixed")
        {
            helper.SetLoadBalancer(type, "Fresh", StringValue("ns3::BitmapSprayLoadBalancer"));
        }
        else if (balancer == "RingReps")
        {
            helper.SetLoadBalancer(type,
                                   "Freezing",
                                   TimeValue(MicroSeconds(Draw(3) * Draw(1000))),
                                   "FreezeOnLoss",
                                   BooleanValue(Draw(2)),
                                   "EntropyBits",
                                   UintegerValue(bits));
        }
        else if (balancer == "Mrc")
        {
            helper.SetLoadBalancer(type,
                                   "ProbeInterval",
                                   TimeValue(MicroSeconds(1 + Draw(1000))),
                                   "EntropyBits",
                                   UintegerValue(bits));
        }
        else if (!isOrdered)
        {
            helper.SetLoadBalancer(type, "EntropyBits", UintegerValue(bits));
        }
        if (!isOrdered)
        {
            helper.SetPathSelector("ns3::EcmpPathSelector");
        }
    }

    /**
     * @brief Draw what becomes of packets for which there is no room.
     * @param helper takes it
     * @param isOrdered go-back-N: each packet would be trimmed for the one behind it
     */
    void DrawRoom(FabricHelper& helper, bool isOrdered)
    {
        const Room room = Choose<Room>({Room::TRIM,
                                        Room::TRIM,
                                        Room::TRIM,
                                        Room::TRIM,
                                        Room::DROP,
                                        Room::DROP,
                                        Room::CBFC,
                                        Room::PFC});
        const std::string most = Choose<std::string>({"2p", "7p", "10000B", "40000B"});
        const double newest = isOrdered ? 0 : Choose<double>({0, 0.5, 1});
        const uint32_t size = Choose<uint32_t>({64, 64, 100, 200});
        const uint32_t limit = Choose<uint32_t>({0, 0, 64, 640, 5000});
        const std::string kind = Choose<std::string>({"ns3::RingQueue", "ns3::FifoQueueDisc"});
        const std::string scheduler = Choose<std::string>(
            {"ns3::StrictPriorityScheduler", "ns3::DeficitRoundRobinScheduler"});
        const uint32_t memory = Choose<uint32_t>({100000, 1000000});
        switch (room)
        {
        case Room::TRIM:
            helper.SetFlowControl("none");
            helper.SetTrimmer("ns3::PacketTrimmer",
                              "Newest",
                              DoubleValue(newest),
                              "Size",
                              UintegerValue(size),
                              "Limit",
                              UintegerValue(limit));
            helper.SetQueueDisc("ns3::CongestionAwareQueueDisc",
                                "MaxSize",
                                StringValue(most),
                                "ClassQueueDisc",
                                StringValue(kind),
                                "Scheduler",
                                StringValue(scheduler));
            helper.SetBuffer("ns3::SharedBuffer", "Size", UintegerValue(4 * memory));
            m_what << " trims newest " << newest << " size " << size << " limit " << limit
                   << " max " << most << " of " << kind << " " << scheduler << " memory "
                   << 4 * memory;
            break;
        case Room::DROP:
            helper.SetFlowControl("none");
            helper.SetBuffer("ns3::SharedBuffer",
                             "Size",
                             UintegerValue(memory),
                             "PortReserve",
                             UintegerValue(0));
            m_what << " drops memory " << memory;
            break;
        case Room::CBFC:
            helper.SetFlowControl("ns3::CreditFlowControl",
                                  "UnitOverhead",
                                  IntegerValue(20),
                                  "OrderedSets",
                                  BooleanValue(true));
            m_what << " CBFC";
            break;
        case Room::PFC:
            helper.SetFlowControl("ns3::PriorityFlowControl");
            m_what << " PFC";
            break;
        }
    }

    /// Draw what hosts do beside the policies. @param helper takes it
    void DrawHosts(FabricHelper& helper)
    {
        helper.SetNicAttribute("AckTimeout", TimeValue(MicroSeconds(100 + Draw(200))));
        helper.SetNicAttribute("PdcPerMessage", BooleanValue(Draw(2)));
        helper.SetNicAttribute("MaxSendingPdcs", UintegerValue(Draw(3) == 0 ? 1 + Draw(3) : 0));
        helper.SetNicAttribute("InitialPsn", UintegerValue(Draw(2) ? 0 : 0xffffff - Draw(30)));
        m_payload = Choose<uint32_t>({1, 500, 1000, 4096});
        helper.SetNicAttribute("PayloadBytes", UintegerValue(m_payload));
        if (Draw(2))
        {
            helper.SetNicAttribute("AckBytes", UintegerValue(Choose<uint32_t>({0, 1, 5000})));
        }
        if (Draw(3) == 0)
        {
            helper.SetNicAttribute("PdcClose", BooleanValue(true));
            helper.SetNicAttribute("PdcTimeout", TimeValue(MicroSeconds(20 + Draw(500))));
            m_what << " close";
        }
        if (Draw(2))
        {
            helper.SetWireFormat("ns3::UetWireFormat");
            m_what << " UET frames";
        }
        m_what << " payload " << m_payload;
    }

    /// @return policies of a network
    FabricHelper DrawPolicies()
    {
        FabricHelper helper;
        const std::string control =
            Choose<std::string>({"Nscc", "Nscc", "Rccc", "NsccRccc", "SwiftRccc", "Ndp", "Homa"});
        std::vector<std::string> repairs{"SelectiveRepeat", "RackRepeat", "SleekRepeat"};
        if (control == "Nscc") // a receiver without PDCs grants nothing
        {
            repairs.emplace_back("IdempotentRepeat");
        }
        if (control != "Homa") // whose packets overtake one another
        {
            repairs.emplace_back("GoBackN");
        }
        const std::string repair = Choose(repairs);
        m_what << " " << control << " " << repair;
        helper.SetCongestionControl("ns3::" + control + "CongestionControl");
        helper.SetReliability("ns3::" + repair);
        const bool isOrdered = repair == "GoBackN";
        if (control == "Rccc" && Draw(2))
        {
            helper.SetCongestionControl("ns3::RcccCongestionControl",
                                        "FabricCongestion",
                                        BooleanValue(true));
            m_what << " by marks";
        }
        DrawBalancer(helper, isOrdered || Draw(6) == 0);
        DrawRoom(helper, isOrdered);
        DrawHosts(helper);
        m_hasRetry = Draw(3) == 0;
        if (m_hasRetry)
        {
            const uint32_t most = Draw(2) ? 255 : Draw(4);
            helper.SetLinkRetry("ns3::LinkRetry",
                                "ReplayCountMax",
                                UintegerValue(most),
                                "MaxFrames",
                                UintegerValue(Draw(3) == 0 ? 1 + Draw(20) : 0),
                                "BestEffort",
                                BooleanValue(Draw(2)));
            m_what << " LLR " << most;
        }
        return helper;
    }

    /**
     * @brief Run a network.
     * @param seed of it
     * @param scheduler of the simulator
     * @return what happened, in words
     */
    std::string RunNetwork(uint32_t seed, const std::string& scheduler)
    {
        Seed(seed);
        const RandomRun run(seed);
        m_what.str("");
        const std::string topology =
            Choose<std::string>({"leaf-spine:leaves=2,spines=2,hosts=3",
                                 "leaf-spine:leaves=4,spines=2,hosts=2,homes=2",
                                 "fat-tree:k=4"});
        m_what << "seed " << seed << ": " << topology;
        FabricHelper helper = DrawPolicies();
        FabricGraph graph = MakeFabricTopology(topology)->BuildGraph();
        const double loss = Choose<double>({0, 0, 0.001, 0.02});
        graph.SetDefaultErrorRate(loss);
        Simulator::SetScheduler(ObjectFactory(scheduler));
        TestNetwork network(graph, helper);
        DrawFaults(graph).Install(network.fabric);
        const std::vector<uint32_t>& hosts = network.fabric->GetHosts();
        const auto n = static_cast<uint32_t>(hosts.size());
        const uint32_t messages = 8 + Draw(20);
        const uint32_t most = m_payload == 1 ? 60 : 60000;
        const bool isIncast = Draw(2);
        uint64_t bytes = 0;
        for (uint32_t tag = 0; tag < messages; ++tag)
        {
            const uint32_t src = Draw(n);
            const uint32_t dst = !isIncast ? (src + 1 + Draw(n - 1)) % n : (src == 0 ? 1 : 0);
            const uint32_t size = 1 + Draw(most);
            bytes += size;
            network.MessagesOf(hosts[src]).SendAt(Draw(3) * Draw(20) * US, hosts[dst], size, tag);
        }
        m_what << " loss " << loss << " messages " << messages;
        for (int i = 1; i <= 10; ++i)
        {
            CallIn(NanoSeconds(i * 3011), [&]() {
                NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().Holds(),
                                      true,
                                      m_what.str() << ": conservation on the way");
            });
        }
        Simulator::Stop(Seconds(100));
        Simulator::Run();
        CheckEnd(network, messages, bytes);

        std::ostringstream seen;
        for (const auto& event : network.completed)
        {
            seen << event.tag << " " << event.nowPs << " " << event.packetsSent << "\n";
            m_lastPs = std::max(m_lastPs, event.nowPs);
        }
        const uint64_t trims = FabricTotals::Collect(*network.fabric).Get("trimmed_packets");
        seen << "trims " << trims << "\n";
        m_trims += trims;
        for (const auto& [reason, count] : network.fabric->GetDrops())
        {
            seen << reason << " " << count << "\n";
            m_lost += IsOnWire(reason) ? count : 0;
        }
        return seen.str();
    }

    void DoRun() override
    {
        std::cout << "dcfabric-uet: seed " << m_seed << std::endl;
        const std::vector<std::string> schedulers{"ns3::HeapScheduler",
                                                  "ns3::CalendarScheduler",
                                                  "ns3::ListScheduler",
                                                  "ns3::PriorityQueueScheduler"};
        for (uint32_t seed = m_seed; seed < m_seed + m_count; ++seed)
        {
            const std::string seen = RunNetwork(seed, "ns3::MapScheduler");
            if (seed % 4 == 0)
            {
                const std::string again =
                    RunNetwork(seed, schedulers[seed / 4 % schedulers.size()]);
                NS_TEST_EXPECT_MSG_EQ((again == seen), true, m_what.str() << ": the same again");
            }
        }
        NS_TEST_EXPECT_MSG_GT(m_trims, 10 * m_count, "packets were trimmed");
        NS_TEST_EXPECT_MSG_GT(m_lost, m_count, "or lost on links");
        NS_TEST_EXPECT_MSG_GT(m_replays, m_count, "or sent again by links");
        // What takes long are time-outs that double, of 300 us at first.
        NS_TEST_EXPECT_MSG_LT(m_lastPs, 1000000 * US, "none waits for long");
    }

    uint32_t m_seed;       //!< of the first network
    uint32_t m_count;      //!< networks
    uint32_t m_payload{0}; //!< of its full packets
    uint64_t m_trims{0};   //!< in all networks
    uint64_t m_lost{0};    //!< on wires
    int64_t m_lastPs{0};   //!< when the last message of any network was complete
};

/// Random networks: a few, and a thousand when asked for.
const SuiteCases g_cases("dcfabric-uet", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.AddTestCase(new UetPropertyTestCase(72000, 20));
    suite.AddTestCase(new UetPropertyTestCase(73000, 1000), DurationOf<TestCase>::TAKES_FOREVER);
});

} // namespace ns3::tests::uet_property_test
