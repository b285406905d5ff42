// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-duration.h"
#include "fabric-test-margin.h"
#include "fabric-test-suite.h"

#include "ns3/dctcp-congestion-control.h"
#include "ns3/log.h"
#include "ns3/node-container.h"
#include "ns3/pdc-policy-helper.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <random>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief RTT+ECN recovery takes over bandwidth that others leave.
 */

namespace ns3::tests::recovery_bandwidth_test
{

NS_LOG_COMPONENT_DEFINE("DcfabricRecoveryBandwidthTest");

/**
 * @ingroup dcfabric-tests
 * @brief Four flows share a link of 100 Gb/s; three of them end, and one is left.
 *
 * Base RTT 3 x (2 us + 86.56 ns + 9.44 ns) = 6.288 us. When the last competitor's last byte has
 * arrived, the one that is left sends at about a quarter of the line. DCTCP adds a packet of the
 * 78 of a BDP in each RTT, DCQCN waits for timers of 55 us, TIMELY adds 10 Mb/s. Doubling needs two
 * or three epochs of an RTT, after one that is clean to the end.
 *
 * Means over five runs without and with recovery: DCTCP 183 and 20 us, DCQCN beyond 1000 and 35,
 * TIMELY beyond 1000 and 71, BTS 33 and 18. Swift leaves a queue of 20 us, and RoCC is told by the
 * switch: they do not need it.
 *
 * The time is that until the first bin of 5 us from which on ten in a row, 50 us, have 95 % of the
 * goodput of a full line, 100 x 1000 / 1082 = 92.4 Gb/s.
 */
class RecoveryBandwidthTestCase : public TestCase
{
  public:
    /**
     * @param cc congestion control
     * @param part of the time without modifier that the mean time with it may need
     * @param runs random runs
     */
    RecoveryBandwidthTestCase(const std::string& cc, double part, uint32_t runs)
        : TestCase(cc + ", " + std::to_string(runs) + " runs"),
          m_cc(cc),
          m_part(part),
          m_runs(runs)
    {
    }

  private:
    static constexpr uint32_t PAIRS = 4;      //!< flows
    static constexpr int64_t BIN_PS = 5 * US; //!< of goodput
    static constexpr uint32_t STAY = 10;      //!< bins in a row
    static constexpr uint32_t BINS = 200;     //!< looked at: 1 ms

    /**
     * @param recovers with the modifier
     * @param run random run
     * @return us from the end of the last competitor to the line rate; 1000 if that takes longer
     */
    double Measure(bool recovers, uint32_t run)
    {
        RandomRun random(run);
        FabricHelper helper;
        helper.SetCongestionControl("ns3::" + m_cc + "CongestionControl");
        if (m_cc == "Dctcp")
        {
            // 0.4 BDP: the queue alone does not keep the line busy when the others end
            SetMarks(helper, 30000);
        }
        else if (m_cc == "Dcqcn")
        {
            helper.SetMarkingProfile("ns3::WredMarkingProfile");
        }
        else if (m_cc == "Bts")
        {
            helper.AddSwitchFeature("ns3::WrebFeature");
        }
        if (recovers)
        {
            helper.AddModifier("ns3::RttEcnRecoveryModifier");
        }
        TestNetwork network(MakePairs(PAIRS), helper);
        std::mt19937 draw(run);
        network.MessagesOf(0).SendAt(0, PAIRS, 1000000000, 0);
        for (uint32_t i = 1; i < PAIRS; ++i)
        {
            // within 10 us, 1 to 2 MB
            const int64_t startPs = draw() % (10 * US);
            network.MessagesOf(i).SendAt(startPs, PAIRS + i, 1000000 + draw() % 1000000, i);
        }
        while (network.delivered.size() < PAIRS - 1)
        {
            Simulator::Stop(MicroSeconds(1));
            Simulator::Run();
        }
        m_acts += recovers
                      ? network.Nic(0).GetSendingPdcs().GetTotals().modifiers.begin()->second.acts
                      : 0;
        uint32_t fullSince = 0;
        for (uint32_t bin = 0; bin < BINS; ++bin)
        {
            if (SampleGoodput(network, {PAIRS}, BIN_PS, 1)[0][0] < 0.95 * 100e3 / 1082)
            {
                fullSince = bin + 1;
            }
            if (bin + 1 - fullSince == STAY)
            {
                return static_cast<double>((fullSince + 1) * BIN_PS) / US;
            }
        }
        return static_cast<double>(BINS * BIN_PS) / US;
    }

    void DoRun() override
    {
        std::vector<double> without;
        std::vector<double> with;
        for (uint32_t run = 1; run <= m_runs; ++run)
        {
            without.push_back(Measure(false, run));
            with.push_back(Measure(true, run));
        }
        NS_LOG_INFO(GetName() << ": " << Describe(without) << " us, with recovery "
                              << Describe(with));
        NS_TEST_EXPECT_MSG_LT(GetMean(with),
                              m_part * GetMean(without),
                              "us without " << Describe(without) << ", with " << Describe(with));
        NS_TEST_EXPECT_MSG_GT(m_acts, 0, "it doubles");
    }

    std::string m_cc;   //!< congestion control
    double m_part;      //!< of the time without modifier
    uint32_t m_runs;    //!< random runs
    uint64_t m_acts{0}; //!< doublings
};

/// DCTCP that notes its window when the network asks for it.
class NotingDctcp : public DctcpCongestionControl
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::tests::NotingDctcp")
                                .SetParent<DctcpCongestionControl>()
                                .SetGroupName("Dcfabric")
                                .AddConstructor<NotingDctcp>();
        return tid;
    }

    static std::vector<std::pair<int64_t, uint64_t>> raised; //!< times and windows

  protected:
    void OnModified(int64_t nowPs, ModifierEffect effect) override
    {
        DctcpCongestionControl::OnModified(nowPs, effect);
        raised.emplace_back(nowPs, GetWindow());
    }
};

std::vector<std::pair<int64_t, uint64_t>> NotingDctcp::raised;

NS_OBJECT_ENSURE_REGISTERED(NotingDctcp);

/**
 * @ingroup dcfabric-tests
 * @brief The epochs of a flow that is alone until another comes.
 *
 * A path of three links of 100 Gb/s and 1 us: data of 1062 B and ACKs of 98 B, with 20 B of gap,
 * come back after 3 x (2 us + 86.56 ns + 9.44 ns) = 6.288 us = R. Packet 1 is sent at 0, its ACK
 * ends the first epoch at R: 10,000 B become 20,000. By then 10,000 B have been sent; the next
 * packet leaves at R, and its ACK is the first one beyond, at 2 R; and so on: 40,000 at 3 R would
 * be 80,000, but BDP is 78,600 B.
 */
class RecoveryEpochsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param rival another flow starts, with marks from one packet on
     * @return what was raised
     */
    std::vector<std::pair<int64_t, uint64_t>> Run(bool rival)
    {
        NotingDctcp::raised.clear();
        FabricHelper helper;
        helper.SetCongestionControl("ns3::tests::NotingDctcp",
                                    "InitialWindow",
                                    UintegerValue(10000),
                                    "SlowStartThreshold",
                                    UintegerValue(1),
                                    "IncreasePackets",
                                    UintegerValue(0));
        SetMarks(helper, 0);
        helper.AddModifier("ns3::RttEcnRecoveryModifier");
        TestNetwork network(MakePairs(2), helper);
        network.MessagesOf(0).SendAt(0, 2, 1000000, 0);
        if (rival)
        {
            // no congestion control
            PdcPolicyHelper().Install(network.fabric,
                                      NodeContainer(network.fabric->GetNodes().Get(1)));
            network.MessagesOf(1).SendAt(6 * US, 3, 10000000, 1);
        }
        Simulator::Stop(MicroSeconds(60));
        Simulator::Run();
        return NotingDctcp::raised;
    }

    void DoRun() override
    {
        const int64_t r = 6288000;
        const std::vector<std::pair<int64_t, uint64_t>> alone{{r, 20000},
                                                              {2 * r, 40000},
                                                              {3 * r, 78600}};
        const auto raised = Run(false);
        NS_TEST_ASSERT_MSG_EQ(raised.size(), alone.size(), "doublings");
        for (std::size_t i = 0; i < alone.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(raised[i].first, alone[i].first, "when, " << i);
            NS_TEST_EXPECT_MSG_EQ(raised[i].second, alone[i].second, "to, " << i);
        }
        // A rival at line rate: its packets reach the common link at 7,086,560 + n x 86,560. The
        // first packet that leaves at R reaches it at 7,374,560, finds the fourth of these on the
        // wire until 7,432,800 and no queue: no mark, and its ACK comes 58,240 later than without.
        // All that follow find a queue.
        const std::vector<std::pair<int64_t, uint64_t>> shared{{r, 20000}, {2 * r + 58240, 40000}};
        NS_TEST_EXPECT_MSG_EQ((Run(true) == shared), true, "until the first mark");
    }
};

/// Bandwidth recovered.
const SuiteCases g_cases("dcfabric-control-network", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.AddTestCase(new RecoveryEpochsTestCase(
        "a window doubles after each RTT up to the BDP, and not after the first mark"));
    const std::pair<const char*, double> cases[] = {{"Dctcp", 0.25},
                                                    {"Dcqcn", 0.15},
                                                    {"Timely", 0.25},
                                                    {"Bts", 0.8}};
    for (const auto& [cc, part] : cases)
    {
        suite.AddTestCase(new RecoveryBandwidthTestCase(cc, part, 5));
        suite.AddTestCase(new RecoveryBandwidthTestCase(cc, part, 25),
                          DurationOf<TestCase>::TAKES_FOREVER);
    }
});

} // namespace ns3::tests::recovery_bandwidth_test
