// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-duration.h"
#include "../fabric-test-errors.h"
#include "../fabric-test-matrix-run.h"
#include "../fabric-test-schedule.h"
#include "../fabric-test-suite.h"
#include "../fabric-test-wings.h"
#include "fabric-test-random-network.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/fabric-energy.h"
#include "ns3/fabric-topology.h"
#include "ns3/object-factory.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Random networks of all schemes: any legal combination of congestion control, load
 * balancing, flow control, memory of switches, reliability, modifiers and routing, with losses,
 * faults, slow hosts and links that sleep. No packet is missing, nothing hangs, and the scheduler
 * makes no difference.
 */

namespace ns3::tests::matrix::scheme_property_test
{

/**
 * @ingroup dcfabric-tests
 * @brief Random networks of all schemes.
 */
class SchemePropertyTestCase : public RandomNetworkTestCase
{
  public:
    /**
     * @param seed of the first network
     * @param count networks
     */
    SchemePropertyTestCase(uint32_t seed, uint32_t count)
        : RandomNetworkTestCase("random networks of all schemes, seeds " + std::to_string(seed) +
                                " to " + std::to_string(seed + count - 1)),
          m_seed(seed),
          m_count(count)
    {
    }

  private:
    /**
     * @param turn of the network: each control and each balancer has its own
     * @return a legal combination
     */
    Combination DrawCombination(uint32_t turn)
    {
        Combination c;
        const Lb* lb = &LBS[turn % std::size(LBS)];
        do
        {
            c = {};
            c.cc = &CCS[turn % std::size(CCS)];
            c.lb = lb;
            c.flow = &FLOWS[Draw(std::size(FLOWS))];
            c.buffer = &BUFFERS[Draw(std::size(BUFFERS))];
            c.goBackN = Draw(4) == 0;
            if (Draw(4) == 0 && HasTopology(GROUPS))
            {
                c.routing = &ROUTINGS[Draw(std::size(ROUTINGS))];
            }
            for (uint32_t n = Draw(3); n > 0 && !c.cc->Is(CREDIT); --n)
            {
                const Modifier* modifier = &MODIFIERS[Draw(std::size(MODIFIERS))];
                if (std::count(c.modifiers.begin(), c.modifiers.end(), modifier) == 0)
                {
                    c.modifiers.push_back(modifier);
                }
            }
            c.Complete();
            lb = &LBS[Draw(std::size(LBS))];
        } while (!FindClashes(c).empty());
        return c;
    }

    /**
     * @brief Draw what hosts and links do beside.
     * @param helper takes it
     * @param c what is drawn already
     */
    void DrawCompany(FabricHelper& helper, const Combination& c)
    {
        if (!c.goBackN && Draw(2))
        {
            const auto repeat = Choose<std::string>({"RackRepeat", "SleekRepeat", "IrnRepeat"});
            helper.SetReliability("ns3::" + repeat);
            m_what << " x " << repeat;
        }
        if (!c.flow->lossless && !c.goBackN && Draw(3) == 0)
        {
            helper.SetTrimmer("ns3::PacketTrimmer");
            m_what << " x trimming";
        }
        if (!c.lb->edges && std::string(c.lb->name) != "spanning-trees" && !c.flow->perOutput &&
            Draw(3) == 0)
        {
            helper.AddSwitchFeature("ns3::ShieldFeature");
            m_what << " x SHIELD";
        }
        // which takes more headroom than the memory of these has
        m_hasRetry = Draw(4) == 0 && !(c.buffer->threshold && c.flow->lossless);
        if (m_hasRetry)
        {
            helper.SetLinkRetry("ns3::LinkRetry");
            m_what << " x LLR";
        }
        helper.SetNicAttribute("AckTimeout", TimeValue(MicroSeconds(200 + Draw(300))));
        helper.SetNicAttribute("PdcPerMessage", BooleanValue(Draw(2)));
        if (Draw(3) == 0)
        {
            const std::string rate = Choose<std::string>({"4Gbps", "9Gbps", "40Gbps"});
            const uint32_t bytes = c.flow->lossless ? 100000 : 4000 + Draw(30000);
            Config::SetDefault("ns3::HostLink::Rate", StringValue(rate));
            Config::SetDefault("ns3::HostLink::Latency", StringValue(Draw(2) ? "0us" : "800ns"));
            Config::SetDefault("ns3::HostLink::BufferBytes", UintegerValue(bytes));
            m_what << " x host of " << rate << ", " << bytes << " B";
        }
    }

    /// @return energies of links, some of which sleep
    Ptr<FabricEnergy> DrawEnergy()
    {
        const auto energy = CreateObject<FabricEnergy>();
        energy->SetAttribute("PortWatts", StringValue("4"));
        energy->SetAttribute("JoulePerBit", StringValue("1e-11"));
        if (Draw(3) == 0)
        {
            const std::string after = Choose<std::string>({"100ns", "1us", "20us"});
            energy->SetAttribute("SleepAfter", StringValue(after));
            energy->SetAttribute("WakeTime", StringValue("700ns"));
            m_what << " x sleep after " << after;
        }
        return energy;
    }

    /// @return a network in which a combination may be @param c it
    std::string DrawTopology(const Combination& c)
    {
        if (c.routing)
        {
            return GROUPS;
        }
        std::vector<std::string> plans{"leaf-spine:leaves=2,spines=4,hosts=3", "fat-tree:k=4"};
        if (!c.lb->edges && std::string(c.lb->name) != "spanning-trees")
        {
            plans.emplace_back("leaf-spine:leaves=4,spines=2,hosts=2,homes=2");
        }
        return Choose(plans);
    }

    /// When all is done, stop switches that would go on for long to tell nobody of rates.
    static void Await(const TestNetwork& network, uint32_t messages)
    {
        CallIn(MilliSeconds(1), [&network, messages]() {
            if (network.completed.size() == messages &&
                network.fabric->CheckConservation().inFlight == 0)
            {
                Simulator::Stop();
                return;
            }
            Await(network, messages);
        });
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
        const SimpleDecider decider; // of external congestion controls
        const Combination c = DrawCombination(seed - m_seed);
        m_what.str("");
        m_what << "seed " << seed << ": " << c.GetName();
        FabricHelper helper = MakeHelper(c);
        DrawCompany(helper, c);
        const std::string topology = DrawTopology(c);
        const double loss = Choose<double>({0, 0, 0.001, 0.02});
        m_what << " x " << topology << " x loss " << loss;
        FabricTopologyOptions links;
        links.rate = "10Gbps";
        FabricGraph graph = MakeFabricTopology(topology, links)->BuildGraph();
        graph.SetDefaultErrorRate(loss);
        Simulator::SetScheduler(ObjectFactory(scheduler));
        TestNetwork network(graph, helper);
        Config::Reset();
        const Ptr<FabricEnergy> energy = DrawEnergy();
        energy->Install(*network.fabric);
        DrawFaults(graph).Install(network.fabric);
        const std::vector<uint32_t>& hosts = network.fabric->GetHosts();
        const auto n = static_cast<uint32_t>(hosts.size());
        const uint32_t messages = 8 + Draw(20);
        const bool isIncast = Draw(2);
        uint64_t bytes = 0;
        for (uint32_t tag = 0; tag < messages; ++tag)
        {
            const uint32_t src = Draw(n);
            const uint32_t dst = !isIncast ? (src + 1 + Draw(n - 1)) % n : (src == 0 ? 1 : 0);
            const uint32_t size = 1 + Draw(40000);
            bytes += size;
            network.MessagesOf(hosts[src]).SendAt(Draw(3) * Draw(20) * US, hosts[dst], size, tag);
        }
        for (int i = 1; i <= 10; ++i)
        {
            CallIn(NanoSeconds(i * 20011), [&]() {
                NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().Holds(),
                                      true,
                                      m_what.str() << ": conservation on the way");
            });
        }
        Await(network, messages);
        Simulator::Stop(Seconds(100));
        Simulator::Run();
        CheckEnd(network, messages, bytes);

        std::ostringstream seen;
        for (const auto& event : network.completed)
        {
            seen << event.tag << " " << event.nowPs << " " << event.packetsSent << "\n";
            m_lastPs = std::max(m_lastPs, event.nowPs);
        }
        for (const auto& [reason, count] : network.fabric->GetDrops())
        {
            seen << reason << " " << count << "\n";
            m_lost += IsOnWire(reason) ? count : 0;
        }
        const auto joules = energy->Collect(*network.fabric, 1000000 * US);
        seen << joules.GetSum() << " J, " << joules.wakes << " wakes\n";
        m_wakes += joules.wakes;
        return seen.str();
    }

    /**
     * @brief Run a network, which nothing should refuse.
     * @param seed of it
     * @param scheduler of the simulator
     * @return what happened, in words
     */
    std::string Run(uint32_t seed, const std::string& scheduler)
    {
        std::string seen;
        const std::string refusal = RefusalOf([&]() { seen = RunNetwork(seed, scheduler); });
        Config::Reset();
        Simulator::Destroy();
        NS_TEST_EXPECT_MSG_EQ(refusal, "(accepted)", m_what.str());
        return seen;
    }

    void DoRun() override
    {
        std::cout << "dcfabric-faults: all schemes from seed " << m_seed << std::endl;
        const std::vector<std::string> schedulers{"ns3::HeapScheduler",
                                                  "ns3::CalendarScheduler",
                                                  "ns3::ListScheduler",
                                                  "ns3::PriorityQueueScheduler",
                                                  "ns3::LookAheadScheduler"};
        for (uint32_t seed = m_seed; seed < m_seed + m_count; ++seed)
        {
            const std::string seen = Run(seed, "ns3::MapScheduler");
            const std::string& scheduler = schedulers[seed % schedulers.size()];
            if (HasClass(scheduler))
            {
                NS_TEST_EXPECT_MSG_EQ((Run(seed, scheduler) == seen),
                                      true,
                                      m_what.str() << ": the same under " << scheduler);
            }
        }
        Simulator::SetScheduler(ObjectFactory("ns3::MapScheduler"));
        NS_TEST_EXPECT_MSG_GT(m_lost, m_count, "packets were lost on links");
        NS_TEST_EXPECT_MSG_GT(m_replays, m_count, "or sent again by them");
        NS_TEST_EXPECT_MSG_GT(m_wakes, m_count, "or they slept");
        // What takes long are time-outs that double, of 500 us at first.
        NS_TEST_EXPECT_MSG_LT(m_lastPs, 1000000 * US, "none waits for long");
    }

    /// Groups of switches with several ways between them.
    static constexpr const char* GROUPS =
        "dragonfly-plus:leaves=2,spines=2,hosts=2,globals=1,groups=3";

    uint32_t m_seed;     //!< of the first network
    uint32_t m_count;    //!< networks
    uint64_t m_lost{0};  //!< on wires, in all networks
    uint64_t m_wakes{0}; //!< of ports
    int64_t m_lastPs{0}; //!< when the last message of any network was complete
};

/// Random networks: each control and balancer once, and a thousand when asked for.
const SuiteCases g_cases("dcfabric-faults", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new SchemePropertyTestCase(74000, std::size(CCS)));
    suite.AddTestCase(new SchemePropertyTestCase(75000, 1000), DurationOf<TestCase>::TAKES_FOREVER);
});

} // namespace ns3::tests::matrix::scheme_property_test
