// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-duration.h"
#include "../fabric-test-network.h"
#include "../fabric-test-plan.h"
#include "../fabric-test-schedule.h"
#include "../fabric-test-suite.h"
#include "../fabric-test-transport.h"
#include "../fabric-test-units.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/fabric-helper.h"
#include "ns3/rcm-feature.h"
#include "ns3/test.h"

#include <array>
#include <iostream>
#include <tuple>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Regional congestion mitigation in a network: figures 6 and 7 of [RCM], notifications that
 * are lost.
 *
 * All links have 100 Gb/s and 1 us unless something else is said; flow control is PFC. A phase is a
 * set of random streams, from which the distances of samples are drawn.
 */

namespace ns3::tests::rcm_network_test
{

/**
 * @ingroup dcfabric-tests
 * @brief Writes down what data a port sends.
 */
class Meter
{
  public:
    /// @param port to watch
    explicit Meter(Ptr<FabricNetDevice> port)
        : m_port(PeekPointer(port))
    {
        port->TraceConnectWithoutContext("Transmit", MakeCallback(&Meter::Note, this));
    }

    /**
     * @param src source
     * @param fromUs begin
     * @param untilUs end
     * @return rate of a source on the wire, with gaps, Gb/s
     */
    double Get(uint32_t src, int64_t fromUs, int64_t untilUs) const
    {
        double bytes = 0;
        for (const auto& [timePs, source, size] : m_packets)
        {
            const bool counts = source == src && timePs >= fromUs * US && timePs < untilUs * US;
            bytes += counts ? size : 0;
        }
        return bytes * 8e-3 / static_cast<double>(untilUs - fromUs);
    }

  private:
    /// @param item a packet that the port begins to send
    void Note(Ptr<const FabricPacketItem> item)
    {
        if (item->type == FabricPacketType::DATA)
        {
            m_packets.emplace_back(m_port->GetNowPs(), item->src, item->size + 20);
        }
    }

    FabricNetDevice* m_port;                                        //!< watched
    std::vector<std::tuple<int64_t, uint32_t, uint32_t>> m_packets; //!< time, source, bytes
};

/**
 * @param rcm regional congestion mitigation without detours
 * @return policies: VOQ, PFC
 */
FabricHelper
MakeHelper(bool rcm)
{
    FabricHelper helper;
    helper.SetBuffer("ns3::VoqBuffer");
    if (rcm)
    {
        helper.AddSwitchFeature("ns3::RcmFeature", "Detour", BooleanValue(false));
    }
    return helper;
}

/**
 * @param rcm as for MakeHelper()
 * @return policies with DCQCN and its marks
 */
FabricHelper
MakeDcqcn(bool rcm)
{
    FabricHelper helper = MakeHelper(rcm);
    helper.SetCongestionControl("ns3::DcqcnCongestionControl");
    helper.SetMarkingProfile("ns3::WredMarkingProfile");
    return helper;
}

/**
 * @param network of it
 * @param node the switch
 * @return the feature of a switch
 */
Ptr<RcmFeature>
GetRcm(const TestNetwork& network, uint32_t node)
{
    return network.fabric->GetSwitch(node)->GetFeature<RcmFeature>();
}

/**
 * @brief Let the network run, take it for whole.
 * @param test for failures
 * @param network which
 * @param untilUs when it stops
 */
#define RCM_RUN(network, untilUs)                                                                  \
    Simulator::Stop(MicroSeconds(untilUs) + NanoSeconds(1));                                       \
    Simulator::Run();                                                                              \
    NS_TEST_EXPECT_MSG_EQ((network).fabric->GetDrops().empty(), true, "no drop");                  \
    NS_TEST_EXPECT_MSG_EQ((network).fabric->CheckConservation().Holds(), true, "conservation")

/**
 * @ingroup dcfabric-tests
 * @brief Figure 6: a burst meets an incast at the last switch.
 *
 *     0 1 2 3   4
 *      \\ //    |
 *        6      7
 *         \    /
 *           8
 *           |
 *           5
 *
 * The hosts 0 to 3 have links of 25 Gb/s: the paper does not say what limits the four flows before
 * the burst, and with 100 Gb/s switch 6 would be a root of its own. Host 4 sends 250 KB, 20 us at
 * the rate of its link, from 150 us on, which reaches switch 8 about 2.2 us later. By hand: inputs
 * take turns, so without control the burst has 50 Gb/s and each of the four 12.5; cut by a half it
 * has 25, and the four (100 - 25) / 4 = 18.75. Of its 250 kB it has sent 25 in the first 4 us and
 * takes 72 us for the rest, to 228 us. Then the four have their 25 again: what waits goes on
 * waiting, but their lines fill no more than the output, and nobody is to be marked.
 */
class RcmFigure6TestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// What is measured, Gb/s.
    struct Rates
    {
        double burst{0};                //!< from 5 us after it came to its end
        std::array<double, 4> incast{}; //!< of each, likewise
        double after{0};                //!< mean of the four in the 100 us after it
        double before{0};               //!< mean of the four in the 20 us before it
        double later{0};                //!< mean of the four in the 100 us after it under RCM
    };

    /**
     * @param helper policies
     * @param phase of random streams
     * @param cuts of switch 8 in the 5 us after the burst came are added
     * @return what the output sends
     */
    Rates Measure(FabricHelper helper, int64_t phase, uint64_t& cuts)
    {
        PlanLinks links{{4, 7}, {6, 8}, {7, 8}, {5, 8}};
        for (uint32_t host = 0; host < 4; ++host)
        {
            links.push_back({host, 6, 25 * GBPS});
        }
        TestNetwork network(PlanOfLinks(6, 3, links), helper);
        helper.AssignStreams(network.fabric, 100000 * phase);
        const Meter meter(network.fabric->GetPort(8, 2));
        for (uint32_t host = 0; host < 4; ++host)
        {
            network.MessagesOf(host).Send(5, 100000000, host);
        }
        network.MessagesOf(4).SendAt(150 * US, 5, 231000, 4);
        if (const auto rcm = GetRcm(network, 8))
        {
            CallIn(MicroSeconds(157), [rcm, &cuts]() { cuts += rcm->GetWindow(2).GetNCuts(); });
            CallIn(MicroSeconds(152), [rcm, &cuts]() { cuts -= rcm->GetWindow(2).GetNCuts(); });
        }
        RCM_RUN(network, 345);
        Rates rates;
        rates.burst = meter.Get(4, 157, 172);
        for (uint32_t host = 0; host < 4; ++host)
        {
            rates.incast[host] = meter.Get(host, 157, 172);
            rates.before += meter.Get(host, 130, 150) / 4;
            rates.after += meter.Get(host, 172, 272) / 4;
            rates.later += meter.Get(host, 240, 340) / 4;
        }
        return rates;
    }

    void DoRun() override
    {
        uint64_t cuts = 0;
        const Rates plain = Measure(MakeHelper(false), 0, cuts);
        NS_TEST_EXPECT_MSG_EQ_TOL(plain.before, 25, 0.5, "the four alone");
        NS_TEST_EXPECT_MSG_EQ_TOL(plain.burst, 50, 1, "without control");
        const Rates dcqcn = Measure(MakeDcqcn(false), 0, cuts);
        NS_TEST_EXPECT_MSG_EQ_TOL(dcqcn.burst, 50, 1, "DCQCN is too late");
        for (const auto& [name, helper] :
             {std::pair{"RCM alone", MakeHelper(true)}, std::pair{"RCM, DCQCN", MakeDcqcn(true)}})
        {
            MeasurePhases(name, helper, dcqcn);
        }
    }

    /**
     * @brief Ten phases with RCM.
     * @param name of it
     * @param helper policies
     * @param dcqcn without it
     */
    void MeasurePhases(const std::string& name, const FabricHelper& helper, const Rates& dcqcn)
    {
        uint64_t cuts = 0;
        double after = 0;
        for (int64_t phase = 1; phase <= 10; ++phase)
        {
            const Rates rcm = Measure(helper, phase, cuts);
            std::cout << "figure 6, " << name << ", phase " << phase << ": burst " << rcm.burst
                      << ", four " << rcm.incast[0] << " " << rcm.incast[1] << " " << rcm.incast[2]
                      << " " << rcm.incast[3] << ", after " << rcm.after << " (DCQCN "
                      << dcqcn.after << "), later " << rcm.later << std::endl;
            NS_TEST_EXPECT_MSG_EQ_TOL(rcm.before, 25, 0.5, "phase " << phase);
            NS_TEST_EXPECT_MSG_EQ_TOL(rcm.burst, 25, 2.5, "burst, phase " << phase);
            for (const double flow : rcm.incast)
            {
                NS_TEST_EXPECT_MSG_EQ_TOL(flow, 18.75, 1.5, "four, phase " << phase);
            }
            NS_TEST_EXPECT_MSG_GT(rcm.after, dcqcn.after, name << ", phase " << phase);
            NS_TEST_EXPECT_MSG_EQ_TOL(rcm.later, 25, 0.5, name << ", phase " << phase);
            after += rcm.after / 10;
        }
        // 56 us of 18.75 and 44 us of 25. With DCQCN, too: hardly a packet of the four was marked,
        // as some are before it is known who does harm.
        NS_TEST_EXPECT_MSG_EQ_TOL(after, 21.5, 0.5, name << ", mean");
        NS_TEST_EXPECT_MSG_EQ(cuts, 10, "one in each phase, within 5 us");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Figure 7: the victim of an incast, in the network of head-of-line-test.cc.
 *
 *     0 1 2   3 4
 *      \|/     |/
 *       7      8
 *       |      |
 *       9     10
 *       | \   /
 *      12  11
 *       |   |
 *       6   5
 *
 * The sources 0, 1, 3 and 4 send to 5, the victim 2 to 6. By hand: each of the four gets 25 Gb/s; 9
 * holds back the link from 7 as a whole, so that the victim has no more than 25, though 50 are
 * free.
 */
class RcmFigure7TestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param rcm with it
     * @param phase of random streams
     * @return Gb/s of the sources 0 to 4 from 1 to 4 ms
     */
    std::array<double, 5> Measure(bool rcm, int64_t phase)
    {
        FabricHelper helper = MakeHelper(rcm);
        TestNetwork network(PlanOfVictim(), helper);
        helper.AssignStreams(network.fabric, 100000 * phase);
        const Meter incast(network.fabric->GetPort(11, 2));
        const Meter victim(network.fabric->GetPort(12, 1));
        for (const uint32_t source : {0, 1, 3, 4})
        {
            network.MessagesOf(source).Send(5, 100000000, source);
        }
        network.MessagesOf(2).Send(6, 100000000, 2);
        // whenever 7 has been told, its flows are those of the incast
        int told = 0;
        int victims = 0;
        for (int64_t us = 100; rcm && us < 4000; us += 10)
        {
            CallIn(MicroSeconds(us), [&, us]() {
                const RcmRegion& region = GetRcm(network, 7)->GetRegion(3);
                told += region.GetRemoteDegree() > 0 ? 1 : 0;
                victims += region.GetRemoteDegree() > 0 && region.IsHarmful({2, 6, 0}) ? 1 : 0;
            });
        }
        RCM_RUN(network, 4000);
        if (rcm)
        {
            NS_TEST_EXPECT_MSG_GT(told, 50, "7 is the edge of a region, phase " << phase);
            NS_TEST_EXPECT_MSG_EQ(victims, 0, "and takes the victim for none of it");
        }
        std::array<double, 5> gbps{};
        for (uint32_t source = 0; source < 5; ++source)
        {
            gbps[source] = (source == 2 ? victim : incast).Get(source, 1000, 4000);
        }
        return gbps;
    }

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(Measure(false, 0)[2], 25, 1, "victim without control");
        for (int64_t phase = 1; phase <= 10; ++phase)
        {
            const auto gbps = Measure(true, phase);
            std::cout << "figure 7, phase " << phase << ": incast " << gbps[0] << " " << gbps[1]
                      << " " << gbps[3] << " " << gbps[4] << ", victim " << gbps[2] << std::endl;
            NS_TEST_EXPECT_MSG_GT(gbps[2], 45, "victim, phase " << phase);
            for (const uint32_t source : {0, 1, 3, 4})
            {
                NS_TEST_EXPECT_MSG_EQ_TOL(gbps[source], 25, 2.5, "phase " << phase);
            }
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Figure 7 with any number of sources: half of them beside the victim.
 *
 * By hand: n sources have 100 / n Gb/s each, those beside the victim n / 2 of it, 50 together; the
 * other half of the way up is the victim's, however many they are. Without control it has 100 / n,
 * as each of them.
 */
class RcmManySourcesTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param n sources
     * @param rcm with it
     * @return Gb/s of the victim from 0.5 to 1.5 ms
     */
    double Measure(uint32_t n, bool rcm)
    {
        // hosts: sources 0 to n - 1, victim n, their destinations n + 1 and n + 2
        const uint32_t leaf = n + 3; // then the other leaf, two above them, two at the destinations
        PlanLinks links{{leaf, leaf + 2},
                        {leaf + 1, leaf + 3},
                        {leaf + 2, leaf + 4},
                        {leaf + 3, leaf + 4},
                        {n + 1, leaf + 4},
                        {leaf + 2, leaf + 5},
                        {n + 2, leaf + 5},
                        {n, leaf}};
        for (uint32_t source = 0; source < n; ++source)
        {
            links.push_back({source, leaf + source % 2});
        }
        TestNetwork network(PlanOfLinks(n + 3, 6, links), MakeHelper(rcm));
        const Meter victim(network.fabric->GetPort(leaf + 5, 1));
        for (uint32_t source = 0; source < n; ++source)
        {
            network.MessagesOf(source).Send(n + 1, 100000000, source);
        }
        network.MessagesOf(n).Send(n + 2, 100000000, n);
        RCM_RUN(network, 1500);
        return victim.Get(n, 500, 1500);
    }

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(Measure(16, false), 100.0 / 16, 1, "without control");
        for (const uint32_t n : {2, 4, 8, 16, 32, 64})
        {
            const double gbps = Measure(n, true);
            std::cout << "figure 7, " << n << " sources: victim " << gbps << std::endl;
            NS_TEST_EXPECT_MSG_EQ_TOL(gbps, 50, 5, n << " sources");
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief The network of figure 6, where a mouse congests the output 50 us before a burst: the flow
 * that is recognized first has ended when the burst comes.
 */
class RcmMouseTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        for (int64_t phase = 1; phase <= 8; ++phase)
        {
            PlanLinks links{{4, 7}, {6, 8}, {7, 8}, {5, 8}};
            for (uint32_t host = 0; host < 4; ++host)
            {
                links.push_back({host, 6, 25 * GBPS});
            }
            FabricHelper helper = MakeHelper(true);
            TestNetwork network(PlanOfLinks(6, 3, links), helper);
            helper.AssignStreams(network.fabric, 100000 * phase);
            const Meter meter(network.fabric->GetPort(8, 2));
            for (uint32_t host = 0; host < 4; ++host)
            {
                network.MessagesOf(host).Send(5, 100000000, host);
            }
            network.MessagesOf(4).SendAt(100 * US, 5, 16000, 4);
            network.MessagesOf(4).SendAt(150 * US, 5, 1000000, 5);
            RCM_RUN(network, 230);
            // as in figure 6: half of the 50 that an input has
            const double burst = meter.Get(4, 157, 177);
            std::cout << "figure 6 after a mouse, phase " << phase << ": burst " << burst
                      << std::endl;
            NS_TEST_EXPECT_MSG_LT(burst, 30, "the burst is held, phase " << phase);
            NS_TEST_EXPECT_MSG_GT(burst, 20, "the burst goes on, phase " << phase);
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Eight flows of 1 MB from leaf to leaf over eight spines.
 *
 * By hand: 1000 packets of 86.56 ns take 87 us if a flow has a spine of its own, and as many times
 * that as there are flows on its spine: with hashes 1 + 7 / 8 on the mean, 163 us, and 8 us for the
 * way there and back. Detours are to spread them, and each flow is to stay where it was led, so
 * that few packets overtake.
 */
class RcmSpreadTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// What is measured, sums of ten phases.
    struct Result
    {
        double us{0};          //!< mean time of the flows
        uint64_t reordered{0}; //!< packets that came behind a later one of their flow
    };

    /**
     * @param detour with detours
     * @return ten phases
     */
    Result Measure(bool detour)
    {
        Result result;
        for (uint32_t phase = 0; phase < 10; ++phase)
        {
            FabricHelper helper;
            helper.SetBuffer("ns3::VoqBuffer");
            helper.SetPathSelector("ns3::EcmpPathSelector");
            helper.AddSwitchFeature("ns3::RcmFeature", "Detour", BooleanValue(detour));
            TestNetwork network(MakeTwoLeaves(8, 8), helper);
            helper.AssignStreams(network.fabric, 100000 * phase);
            for (uint32_t host = 0; host < 8; ++host)
            {
                // other ports, other ways
                network.MessagesOf(host).Send(8 + (host + phase) % 8, 1000000, 8 * phase + host);
            }
            RCM_RUN(network, 2000);
            NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 8, "all arrive");
            for (const FabricMessageEvent& done : network.completed)
            {
                result.us += static_cast<double>(done.nowPs) / US / 8;
            }
            result.reordered += network.Sum(&FabricNic::Counters::reordered);
        }
        return result;
    }

    void DoRun() override
    {
        const Result routed = Measure(false);
        const Result led = Measure(true);
        std::cout << "eight flows over eight spines: " << routed.us / 10 << " us without detours, "
                  << led.us / 10 << " us with, " << led.reordered << " of 80000 packets reordered"
                  << std::endl;
        NS_TEST_EXPECT_MSG_EQ_TOL(routed.us / 10, 163 + 8, 17, "flows share spines");
        NS_TEST_EXPECT_MSG_LT(led.us, 0.67 * routed.us, "detours spread them");
        NS_TEST_EXPECT_MSG_EQ(routed.reordered, 0, "one way each");
        NS_TEST_EXPECT_MSG_LT(led.reordered, 80000 * 0.05, "each stays where it was led");
    }
};

/// Regional congestion mitigation in a network.
const SuiteCases g_cases("dcfabric-rcm-network", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.AddTestCase(new RcmFigure6TestCase("figure 6: a burst meets an incast, ten phases"));
    // without them, figure 7 is that with 2 to 64 sources, and the experiment of its name
    suite.AddTestCase(new RcmFigure7TestCase("figure 7: the victim of an incast, ten phases"),
                      DurationOf<TestCase>::EXTENSIVE);
    suite.AddTestCase(new RcmManySourcesTestCase("figure 7 with 2 to 64 sources"));
    suite.AddTestCase(new RcmMouseTestCase("figure 6 after a mouse that was recognized"));
    suite.AddTestCase(new RcmSpreadTestCase("eight flows over eight spines"));
});

} // namespace ns3::tests::rcm_network_test
