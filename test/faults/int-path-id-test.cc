// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-congestion.h"
#include "../fabric-test-errors.h"
#include "../fabric-test-schedule.h"
#include "../fabric-test-suite.h"
#include "../fabric-test-transport.h"

#include "ns3/boolean.h"
#include "ns3/fabric-faults.h"
#include "ns3/forwarding-table.h"
#include "ns3/hpcc-congestion-control.h"
#include "ns3/int-stamper.h"
#include "ns3/simulator.h"
#include "ns3/switch-feature.h"
#include "ns3/test.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief HPCC of a flow that switches move: the path id tells whose the records are.
 *
 * By hand: line rate 100 Gb/s (80 ps a byte), T = 10 us: the largest window is 125,000 B, W_AI = 50
 * B, eta = 0.95. No ACK ends an RTT unless said otherwise, so that Wc stays.
 */

namespace ns3::tests::int_path_id_test
{

constexpr int64_t T = 10 * US;  //!< base RTT
constexpr uint16_t PATH_A = 5;  //!< id of a path
constexpr uint16_t PATH_B = 6;  //!< id of another
constexpr int64_t MOVE = 8 * T; //!< when MovingFeature moves all

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
 * @brief A sender that gets ACKs with records of two paths, under one entropy.
 */
class MovedSender
{
  public:
    /// @param perLink HpccCongestionControl::PerLink
    explicit MovedSender(bool perLink = false)
        : cc(CreateObjectWithAttributes<HpccCongestionControl>("PerLink", BooleanValue(perLink))),
          m_acks(cc, ExactFormat())
    {
        cc->Start(MakePath(100 * GBPS, T, ExactFormat()), nullptr);
    }

    /**
     * @brief An ACK comes.
     * @param us when
     * @param id path
     * @param samples records
     * @param cumulative bytes acknowledged: beyond 100,000 an RTT is over
     */
    void Ack(double us,
             uint16_t id,
             const std::vector<IntSample>& samples,
             uint64_t cumulative = 1000)
    {
        m_acks.pathId = id;
        m_acks.Feed(static_cast<int64_t>(us * US), cumulative, 100000, samples);
    }

    Ptr<HpccCongestionControl> cc; //!< the sender's

  private:
    IntAckSource m_acks; //!< to it
};

/**
 * @ingroup dcfabric-tests
 * @brief A move, and records of both paths in turns, each ACK worked out.
 */
class MovedFlowTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        MovedSender sender;
        sender.Ack(20, PATH_A, {Sample(0, 0, 0)});
        // 62500 B in 10 us: u = 0.5, tau = T: U = 0.5.
        sender.Ack(30, PATH_A, {Sample(10, 62500, 0)});
        Expect(sender, 125000, 0.5, "half loaded");
        // The other link has sent 10 MB in its life: against A these are 80 Tb/s, u = 795 and a
        // window of 1535 B. Its records begin anew.
        sender.Ack(31, PATH_B, {Sample(11, 10000000, 125000)});
        Expect(sender, 125000, 0.5, "moved: nothing is measured");
        // min(q) = 125000 and 125000 B in 10 us: u = 2 = U. W = 125000 x 0.95/2 + 50.
        sender.Ack(41, PATH_B, {Sample(21, 10125000, 125000)});
        Expect(sender, 59425, 2, "the new path is measured");

        // Late packets of the old path come between those of the new one: none can be compared.
        sender.Ack(42, PATH_A, {Sample(22, 137500, 0)});
        sender.Ack(43, PATH_B, {Sample(23, 10150000, 0)});
        sender.Ack(44, PATH_A, {Sample(24, 162500, 0)});
        sender.Ack(45, PATH_B, {Sample(25, 10175000, 0)});
        Expect(sender, 59425, 2, "in turns");
        // 12500 B in 1 us: u = 1, tau = T/10: U = 2 - 1/10. W = 125000 x 0.95/1.9 + 50.
        sender.Ack(46, PATH_B, {Sample(26, 10187500, 0)});
        Expect(sender, 62550, 1.9, "and two in a row again");
    }

    /**
     * @brief Compare.
     * @param sender with HPCC
     * @param window W
     * @param utilization U
     * @param what for messages
     */
    void Expect(const MovedSender& sender,
                uint64_t window,
                double utilization,
                const std::string& what)
    {
        NS_TEST_EXPECT_MSG_EQ(sender.cc->GetWindow(), window, what << ": W");
        NS_TEST_EXPECT_MSG_EQ_TOL(sender.cc->GetUtilization(), utilization, 1e-12, what << ": U");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What is kept of each link is of the links of one path.
 */
class MovedLinksTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        MovedSender sender(true);
        sender.Ack(20, PATH_A, {Sample(0, 0, 125000), Sample(0, 0, 0)});
        // Link 0: u = 2, 125000 x 0.95/2 + 50 = 59425. Link 1: u = 0.5, no less than 125000.
        sender.Ack(30, PATH_A, {Sample(10, 125000, 125000), Sample(10, 62500, 0)}, 100001);
        NS_TEST_EXPECT_MSG_EQ(sender.cc->GetWindow(), 59425, "link 0");
        NS_TEST_EXPECT_MSG_EQ_TOL(sender.cc->GetLinkReference(1), 125000, 1e-9, "link 1 is idle");
        // Other links: each begins with Wc = 59425 and U = 0. Link 0: u = 0.5, 59425 + 50. Link 1:
        // u = 1, 59425 x 0.95 + 50 = 56503.75; with what link 1 of A had it were 118800.
        sender.Ack(31, PATH_B, {Sample(11, 0, 0), Sample(11, 0, 0)});
        sender.Ack(41, PATH_B, {Sample(21, 62500, 0), Sample(21, 125000, 0)});
        NS_TEST_EXPECT_MSG_EQ(sender.cc->GetWindow(), 56504, "links of the new path");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Moves all packets from the first port of a group to the second at MOVE.
 */
class MovingFeature : public SwitchFeature
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::tests::MovingFeature")
                                .SetParent<SwitchFeature>()
                                .SetGroupName("Dcfabric")
                                .AddConstructor<MovingFeature>();
        return tid;
    }

    uint32_t GetHooks() const override
    {
        return CHOOSE_PATH;
    }

    Effects GetEffects() const override
    {
        Effects effects;
        effects.moves = true;
        return effects;
    }

    void OnChoosePath(const PortGroup& group, FabricPacketItem& /* item */, uint16_t& port) override
    {
        if (group.nPorts > 1)
        {
            port = group.ports[Simulator::Now() < PicoSeconds(MOVE) ? 0 : 1];
        }
    }
};

NS_OBJECT_ENSURE_REGISTERED(MovingFeature);

/**
 * @ingroup dcfabric-tests
 * @brief Switches write the id, receivers bring it back, and HPCC is allowed and does not stumble.
 */
class MovedInNetworkTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param name of the congestion control
     * @return policies
     */
    static FabricHelper MakeHelper(const std::string& name)
    {
        FabricHelper helper;
        helper.SetCongestionControl("ns3::" + name + "CongestionControl");
        helper.AddSwitchFeature("ns3::" + name + "IntFeature");
        helper.AddSwitchFeature("ns3::tests::MovingFeature");
        return helper;
    }

    /// @param item leaves the receiver
    void See(Ptr<const FabricPacketItem> item)
    {
        if (item->type == FabricPacketType::ACK && (m_ids.empty() || m_ids.back() != item->pathId))
        {
            m_ids.push_back(item->pathId);
        }
    }

    void DoRun() override
    {
        // hosts 0 and 1, leaves 2 and 3, spines 4 and 5
        const FabricGraph plan = MakeTwoLeaves(1, 2);
        const TestNetwork network(plan, MakeHelper("Hpcc"));
        network.fabric->GetPort(1, 0)->TraceConnectWithoutContext(
            "Transmit",
            MakeCallback(&MovedInNetworkTestCase::See, this));
        NS_TEST_EXPECT_MSG_EQ(network.Nic(0).switchesMove, true, "a gap may be of a move");
        network.MessagesOf(0).Send(1, 4000000, 0);
        double most = 0;
        std::array<uint64_t, 2> least{UINT64_MAX, UINT64_MAX}; // before the move, and after
        for (int64_t us = 10; us < 300; ++us)
        {
            CallIn(MicroSeconds(us), [&network, &most, &least]() {
                const auto cc = DynamicCast<IntWindowCongestionControl>(
                    network.Nic(0).GetSendingPdcs().Get(0)->GetCongestionControl());
                most = std::max(most, cc->GetUtilization());
                uint64_t& part = least.at(Simulator::Now() < PicoSeconds(MOVE) ? 0 : 1);
                part = std::min(part, cc->GetWindow());
            });
        }
        Simulator::Stop(MicroSeconds(300));
        Simulator::Run();
        // Ports of a leaf: host, spines in order; of a spine: leaves in order.
        const auto bits = &IntStamper::GetPathBits;
        const std::vector<uint16_t> expected{
            static_cast<uint16_t>(bits(2, 1) ^ bits(4, 1) ^ bits(3, 0)),
            static_cast<uint16_t>(bits(2, 2) ^ bits(5, 1) ^ bits(3, 0))};
        NS_TEST_EXPECT_MSG_EQ((m_ids == expected), true, "the ids of two paths come back");
        // A lone flow fills its path at most. Against the records of the first spine those of the
        // second, which has sent nothing, read as a counter that wrapped: 134 MB.
        NS_TEST_EXPECT_MSG_LT(most, 1.05, "U never tells nonsense");
        NS_TEST_EXPECT_MSG_GT(least[1], least[0], "nor is the window cut");

        FabricHelper fncc = MakeHelper("Fncc");
        const std::string refusal = RefusalOf([&]() { fncc.Install(plan); });
        for (const char* part : {"ns3::FnccCongestionControl",
                                 "ns3::tests::MovingFeature moves flows",
                                 "use ns3::HpccCongestionControl"})
        {
            NS_TEST_EXPECT_MSG_EQ(Contains(refusal, part), true, part << " in: " << refusal);
        }
    }

    std::vector<uint16_t> m_ids; //!< of ACKs, each time that it changes
};

/**
 * @ingroup dcfabric-tests
 * @brief FNCC of a flow whose uplink goes down, and which the tables lead by the other spine from
 * then on: its records are of other ports, which have sent nothing. As counters that wrapped they
 * read as 134 MB: U was 49 and the window 2 kB for 350 us.
 */
class ReroutedFnccTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// @param item arrives at the sender
    void See(Ptr<const FabricPacketItem> item)
    {
        if (item->type == FabricPacketType::ACK && (m_ids.empty() || m_ids.back() != item->pathId))
        {
            m_ids.push_back(item->pathId);
        }
    }

    /**
     * @param spine to which the link of leaf 2 goes down
     * @return whether the flow used it
     */
    bool Check(uint32_t spine)
    {
        m_ids.clear();
        FabricHelper helper;
        helper.SetCongestionControl("ns3::FnccCongestionControl");
        helper.AddSwitchFeature("ns3::FnccIntFeature");
        TestNetwork network(MakeTwoLeaves(1, 2), helper);
        network.fabric->GetPort(0, 0)->TraceConnectWithoutContext(
            "Receive",
            MakeCallback(&ReroutedFnccTestCase::See, this));
        FabricFaults faults;
        faults.SetConvergenceTime(MicroSeconds(10));
        faults.AddDown(PicoSeconds(MOVE), 2, spine);
        faults.Install(network.fabric);
        network.MessagesOf(0).Send(1, 4000000, 0);
        double most = 0;
        uint64_t least = UINT64_MAX;
        for (int64_t us = 10; us < 900; ++us)
        {
            CallIn(MicroSeconds(us), [&]() {
                if (!network.completed.empty())
                {
                    return;
                }
                const auto cc = DynamicCast<IntWindowCongestionControl>(
                    network.Nic(0).GetSendingPdcs().Get(0)->GetCongestionControl());
                most = std::max(most, cc->GetUtilization());
                least = std::min(least, cc->GetWindow());
            });
        }
        Simulator::Stop(MicroSeconds(900));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 1, "all arrives");
        NS_TEST_EXPECT_MSG_LT(most, 1.05, "U never tells nonsense, link to " << spine);
        NS_TEST_EXPECT_MSG_GT(least, 30000, "half a window at least, link to " << spine);
        // An ACK comes in at a port by which its data left: host of leaf 3, leaf 3 of a spine, and
        // that spine of leaf 2.
        const auto id = [](uint32_t by) {
            return static_cast<uint16_t>(IntStamper::GetPathBits(3, 0) ^
                                         IntStamper::GetPathBits(by, 1) ^
                                         IntStamper::GetPathBits(2, by - 3));
        };
        const bool used = m_ids.size() == 2;
        const std::vector<uint16_t> expected = used
                                                   ? std::vector<uint16_t>{id(spine), id(9 - spine)}
                                                   : std::vector<uint16_t>{id(9 - spine)};
        NS_TEST_EXPECT_MSG_EQ((m_ids == expected), true, "ids of paths, link to " << spine);
        return used;
    }

    void DoRun() override
    {
        const bool first = Check(4);
        const bool second = Check(5);
        NS_TEST_EXPECT_MSG_EQ((first != second), true, "the flow used one of them");
    }

    std::vector<uint16_t> m_ids; //!< of ACKs, each time that it changes
};

/// Path ids.
const SuiteCases g_cases("dcfabric-int", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(
        new MovedFlowTestCase("a flow is moved: records of two paths are never compared"));
    suite.AddTestCase(new MovedLinksTestCase("with PerLink each link of the new path begins anew"));
    suite.AddTestCase(new MovedInNetworkTestCase(
        "a feature moves a flow: ids come back, HPCC goes on, FNCC is refused"));
    suite.AddTestCase(new ReroutedFnccTestCase("tables change: FNCC goes on with other records"));
});

} // namespace ns3::tests::int_path_id_test
