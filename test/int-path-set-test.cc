// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-congestion.h"
#include "fabric-test-errors.h"
#include "fabric-test-plan.h"
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"

#include "ns3/boolean.h"
#include "ns3/fncc-congestion-control.h"
#include "ns3/hpcc-congestion-control.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief HPCC and FNCC over a small set of paths: L of each path, U over all, worked out by hand.
 *
 * Line rate 100 Gb/s (80 ps a byte), T = 10 us: the largest window is 125,000 B, W_AI = 50 B, eta =
 * 0.95.
 */

namespace ns3::tests::int_path_set_test
{

constexpr int64_t T = 10 * US; //!< base RTT
constexpr uint16_t PATH_A = 7; //!< entropy of a path
constexpr uint16_t PATH_B = 8; //!< entropy of another

/**
 * @param us time
 * @param txBytes sent by then
 * @param queueBytes queue
 * @return record of a port at 100 Gb/s
 */
IntSample
Sample(double us, uint64_t txBytes, uint64_t queueBytes)
{
    return {static_cast<int64_t>(us * US), txBytes, queueBytes, 100 * GBPS};
}

/**
 * @ingroup dcfabric-tests
 * @brief A sender over two paths that gets ACKs with records.
 * @tparam T_CC congestion control
 */
template <typename T_CC>
class PathSetSender
{
  public:
    /**
     * @param paths how many
     * @param reversed last hop first
     */
    explicit PathSetSender(uint32_t paths = 2, bool reversed = false)
        : cc(CreateObject<T_CC>()),
          m_format(CreateObject<IntFormat>()),
          m_acks(cc, m_format, reversed)
    {
        m_format->SetAttribute("Exact", BooleanValue(true));
        m_path = MakePath(100 * GBPS, T, m_format);
        m_path.paths = paths;
    }

    /// Begin.
    void Start()
    {
        cc->Start(m_path, nullptr);
    }

    /**
     * @brief An ACK comes, of a packet within the first 100,000 B unless said otherwise.
     * @param us when
     * @param entropy path
     * @param samples records
     * @param cumulative bytes acknowledged
     */
    void Ack(double us,
             uint16_t entropy,
             const std::vector<IntSample>& samples,
             uint64_t cumulative = 1000)
    {
        m_acks.entropy = entropy;
        m_acks.activeFlows = 2;
        m_acks.Feed(static_cast<int64_t>(us * US), cumulative, 100000 + cumulative, samples);
    }

    Ptr<T_CC> cc; //!< the sender's

  private:
    Ptr<IntFormat> m_format; //!< exact
    IntAckSource m_acks;     //!< to it
    PathInfo m_path;         //!< of it
};

/**
 * @ingroup dcfabric-tests
 * @brief Two paths, each ACK worked out.
 */
class HpccPathSetTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        PathSetSender<HpccCongestionControl> sender;
        sender.Start();
        Ptr<HpccCongestionControl> cc = sender.cc;
        NS_TEST_EXPECT_MSG_EQ(cc->GetNPaths(), 0, "nothing known");

        // The first ACK of each path only records: against A, B would have sent 8 Tb/s.
        sender.Ack(20, PATH_A, {Sample(0, 0, 0)});
        sender.Ack(21, PATH_B, {Sample(1, 1000000, 125000)});
        Expect(cc, 125000, 0, 2, "recorded");

        // A: 62500 B in 10 us: u = 0.5, tau = T, which counts by half: U = 0.25. Additive, but
        // 125,000 B are the most.
        sender.Ack(30, PATH_A, {Sample(10, 62500, 0)});
        Expect(cc, 125000, 0.25, 2, "A is half loaded");
        // B: 125000 B in 10 us and min(q) = 125000: u = 2, U = 0.25 + (2 - 0.25) / 2 = 1.125.
        // W = 125000 x 0.95/1.125 + 50 = 105555.56 + 50.
        sender.Ack(31, PATH_B, {Sample(11, 1125000, 125000)});
        Expect(cc, 105606, 1.125, 2, "B is hot");
        // A: u = 0.5 again, tau = T/2: U = 1.125 - 0.625/4. W = 125000 x 0.95/0.96875 + 50.
        sender.Ack(35, PATH_A, {Sample(15, 93750, 0)});
        Expect(cc, 122631, 0.96875, 2, "A is not");
        // B: min(q) = 0, 62500 B in 5 us: u = 1, U = 0.96875 + 0.03125/4. W = 121600 + 50.
        sender.Ack(36, PATH_B, {Sample(16, 1187500, 0)});
        Expect(cc, 121650, 0.9765625, 2, "B has no queue any more");
        // B: 6250 B in 5 us: u = 0.1, U = 0.9765625 - 0.8765625/4, below eta.
        sender.Ack(41, PATH_B, {Sample(21, 1193750, 0)});
        Expect(cc, 125000, 0.757421875, 2, "little load");

        // A third entropy takes the place of A, which was read at 35 us, B at 41 us.
        sender.Ack(47, 9, {Sample(27, 5000000, 0)});
        Expect(cc, 125000, 0.757421875, 2, "recorded in place of A");
        // 125000 B in 10 us: u = 1, U = (0.757421875 + 1) / 2.
        sender.Ack(57, 9, {Sample(37, 5125000, 0)});
        Expect(cc, 125000, 0.8787109375, 2, "the third path counts");
        // and A is as new: nothing is measured. It took the place of B.
        sender.Ack(58, PATH_A, {Sample(38, 93750, 0)});
        Expect(cc, 125000, 0.8787109375, 2, "A is forgotten");
    }

    /**
     * @brief Compare.
     * @param cc whose
     * @param window W
     * @param utilization U
     * @param paths known
     * @param what for messages
     */
    void Expect(Ptr<HpccCongestionControl> cc,
                uint64_t window,
                double utilization,
                std::size_t paths,
                const std::string& what)
    {
        NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), window, what << ": W");
        NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetUtilization(), utilization, 1e-12, what << ": U");
        NS_TEST_EXPECT_MSG_EQ(cc->GetNPaths(), paths, what << ": paths");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Once per RTT: the window waits, the measurements of paths do not.
 */
class SlowReactionTestCase : public TestCase
{
  public:
    SlowReactionTestCase()
        : TestCase(
              "without FastReaction all paths are measured, and the window follows once per RTT")
    {
    }

  private:
    void DoRun() override
    {
        PathSetSender<HpccCongestionControl> sender;
        sender.cc->SetAttribute("FastReaction", BooleanValue(false));
        sender.Start();
        sender.Ack(20, PATH_A, {Sample(0, 0, 0)}); // a full RTT ends beyond 101,000 B
        sender.Ack(21, PATH_B, {Sample(1, 0, 250000)});
        // B: min(q) = 250000 and 125000 B in 10 us: u = 3, by half
        sender.Ack(31, PATH_B, {Sample(11, 125000, 250000)});
        NS_TEST_EXPECT_MSG_EQ(sender.cc->GetWindow(), 125000, "not yet");
        NS_TEST_EXPECT_MSG_EQ_TOL(sender.cc->GetUtilization(), 1.5, 1e-12, "but measured");
        // A with u = 0.5 ends the RTT: U = 1. W = 125000 x 0.95 + 50.
        sender.Ack(32, PATH_A, {Sample(12, 75000, 0)}, 101001);
        NS_TEST_EXPECT_MSG_EQ(sender.cc->GetWindow(), 118800, "at the end of the RTT");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief FNCC's speed-up looks at the path of the ACK.
 */
class FnccPathSetTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        PathSetSender<FnccCongestionControl> sender(2, true);
        sender.Start();
        // last hop first
        sender.Ack(20, PATH_A, {Sample(1, 0, 125000), Sample(0, 0, 0)});
        sender.Ack(21, PATH_B, {Sample(2, 0, 0), Sample(1, 0, 125000)});
        // B: its first hop has u = 2, its last one 0.5: no speed-up. U = (1 + 2) / 2.
        sender.Ack(31, PATH_B, {Sample(12, 62500, 0), Sample(11, 125000, 125000)});
        NS_TEST_EXPECT_MSG_EQ(sender.cc->GetLhcsCount(), 0, "the first hop is congested");
        NS_TEST_EXPECT_MSG_EQ_TOL(sender.cc->GetReferenceWindow(), 125000, 1e-9, "Wc stays");
        // A: its last hop has u = 2, U = (1.5 + 2) / 2: Wc = 125000 x 0.9 / 2 = 56250,
        // W = 56250 x 0.95 / 1.75 + 50.
        sender.Ack(32, PATH_A, {Sample(13, 150000, 125000), Sample(12, 1000, 0)});
        NS_TEST_EXPECT_MSG_EQ(sender.cc->GetLhcsCount(), 1, "the last hop is congested");
        NS_TEST_EXPECT_MSG_EQ_TOL(sender.cc->GetReferenceWindow(), 56250, 1e-9, "fair share");
        NS_TEST_EXPECT_MSG_EQ(sender.cc->GetWindow(), 30586, "30535.7 + 50");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A window of fewer packets than there are paths: U is an average over a round trip.
 */
class SmallWindowTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        PathSetSender<HpccCongestionControl> sender(8);
        sender.Start();
        sender.Ack(20, PATH_A, {Sample(0, 0, 24875000)}); // a full RTT ends beyond 101,000 B
        // 125000 B in 10 us and min(q) = 199 BDPs: u = 200. 117 packets: the weight is 1/8, U = 25,
        // W = 125000 x 0.95/25 + 50 = 4800, which is the reference from now on.
        sender.Ack(30, PATH_A, {Sample(10, 125000, 24875000)}, 101001);
        Expect(sender.cc, 4800, 25, "1/8");
        // 4800 B are 4.52 packets of 1062: u = 1 counts by 0.22125, U = 25 - 24 x 0.22125. W = 4800
        // x 0.95/19.69 + 50.
        sender.Ack(40, PATH_A, {Sample(20, 250000, 0)}, 102000);
        Expect(sender.cc, 282, 19.69, "1/4.52");
        // The same: U = 19.69 - 18.69 x 0.22125, W = 343.16, the reference.
        sender.Ack(50, PATH_A, {Sample(30, 375000, 0)}, 202000);
        Expect(sender.cc, 343, 15.5548375, "1/4.52 again");
        // Less than a packet: one ACK is a round trip. W = 343.16 x 0.95 + 50.
        sender.Ack(60, PATH_A, {Sample(40, 500000, 0)}, 203000);
        Expect(sender.cc, 376, 1, "1");
    }

    /**
     * @brief Compare.
     * @param cc whose
     * @param window W
     * @param utilization U
     * @param what for messages
     */
    void Expect(Ptr<HpccCongestionControl> cc,
                uint64_t window,
                double utilization,
                const std::string& what)
    {
        NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), window, what << ": W");
        NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetUtilization(), utilization, 1e-12, what << ": U");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief How many paths there may be.
 */
class PathSetLimitTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        PathSetSender<HpccCongestionControl> most(256);
        most.Start();
        for (uint32_t round = 0; round < 2; ++round)
        {
            for (uint16_t path = 0; path < 256; ++path)
            {
                // u of path p is p / 256 of 100 Gb/s
                const uint64_t sent = round * 125000 * path / 256;
                most.Ack(20 + 20 * round + 0.01 * path,
                         path,
                         {Sample(10 * round + 0.01 * path, sent, 0)});
            }
        }
        NS_TEST_EXPECT_MSG_EQ(most.cc->GetNPaths(), 256, "paths");
        // A round trip has 125000 / 1062 = 117.7 packets, so that each counts by 1/117.7, with a =
        // 256 / 117.7 = 2.175 about the integral of a x exp(a (x - 1)) from 0 to 1: 1 - (1 -
        // exp(-a)) / a.
        NS_TEST_EXPECT_MSG_EQ_TOL(most.cc->GetUtilization(), 0.5925, 0.002, "average");
        PathSetSender<HpccCongestionControl> tooMany(257);
        DCFABRIC_EXPECT_REFUSAL(tooMany.Start(),
                                "ns3::HpccCongestionControl keeps what it knows of each path and "
                                "takes at most 256 paths");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief In a network: a spine at a tenth of the rate of the others.
 */
class PathSetNetworkTestCase : public TestCase
{
  public:
    /// @param name of the algorithm
    explicit PathSetNetworkTestCase(const std::string& name)
        : TestCase(name + " over 64 entropies and four spines, one of them slow, without a drop"),
          m_name(name)
    {
    }

  private:
    void DoRun() override
    {
        // Four paths, of which one has 10 Gb/s. 64 entropies put about a quarter of all packets on
        // it, so that 1 MB takes about 8 Mb / (4 x 10 Gb/s) = 200 us if no queue grows, and 80 us
        // if they might.
        FabricHelper helper;
        helper.SetCongestionControl("ns3::" + m_name + "CongestionControl");
        helper.AddSwitchFeature("ns3::" + m_name + "IntFeature");
        helper.SetLoadBalancer("ns3::RoundRobinSprayLoadBalancer", "Entropies", UintegerValue(64));
        Ptr<Fabric> fabric = helper.Install(MakeWays(4, {0, 0, 10 * GBPS}));
        fabric->GetNic(0)->GetMessages().Send(1, 1000000, 0);
        Simulator::Stop(FabricTime::FromPs(120 * US));
        Simulator::Run();
        const auto pdcs = fabric->GetNic(0)->GetSendingPdcs().GetBusy();
        NS_TEST_ASSERT_MSG_EQ(pdcs.size(), 1, "still sending after 120 us");
        const auto cc = DynamicCast<IntWindowCongestionControl>(pdcs[0]->GetCongestionControl());
        NS_TEST_EXPECT_MSG_EQ(cc->GetNPaths(), 64, "paths with a state");
        NS_TEST_EXPECT_MSG_GT(cc->GetUtilization(), 0.8, "the slow link is near its target");
        NS_TEST_EXPECT_MSG_LT(cc->GetWindow(), cc->GetPath().bdpBytes, "and holds all back");
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(fabric->GetNic(1)->GetCounters().bytesDelivered, 1000000, "all came");
        NS_TEST_EXPECT_MSG_EQ(fabric->GetDrops().empty(), true, "no drop");
        NS_TEST_EXPECT_MSG_EQ(fabric->GetNic(0)->GetCounters().retransmitted, 0, "nothing again");
        Simulator::Destroy();
    }

    std::string m_name; //!< of the algorithm
};

/// INT over small path sets.
const SuiteCases g_cases("dcfabric-int", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new HpccPathSetTestCase(
        "records are compared with those of their own path, and all enter one average"));
    suite.AddTestCase(new SlowReactionTestCase);
    suite.AddTestCase(
        new FnccPathSetTestCase("LHCS takes the last hop of the path that the ACK came by"));
    suite.AddTestCase(
        new SmallWindowTestCase("U is an average over no more packets than a window has"));
    suite.AddTestCase(new PathSetLimitTestCase("256 paths have a state each; more are refused"));
    suite.AddTestCase(new PathSetNetworkTestCase("Hpcc"));
    suite.AddTestCase(new PathSetNetworkTestCase("Fncc"));
});

} // namespace ns3::tests::int_path_set_test
