// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-int.h"
#include "fabric-test-plan.h"
#include "fabric-test-schedule.h"
#include "fabric-test-suite.h"

#include "ns3/boolean.h"
#include "ns3/fncc-int-feature.h"
#include "ns3/port-state.h"

#include <array>
#include <random>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief FNCC's All_INT_Table with a refresh interval.
 *
 * Hosts 0 and 1 with switches 2, 3, 4 between them; 100 Gb/s (80 ps a byte), 1 us of delay, 20 B of
 * gap, 1000 B of payload: a data packet has 1062 B.
 */

namespace ns3::tests::switch_int_refresh_test
{

/**
 * @ingroup dcfabric-tests
 * @brief A table that is refreshed by a timer, for comparison.
 */
class PeriodicTable : public SwitchFeature
{
  public:
    /**
     * @param intervalPs time between two updates
     * @param mismatches counts differences
     */
    PeriodicTable(int64_t intervalPs, uint32_t* compared, uint32_t* mismatches)
        : m_intervalPs(intervalPs),
          m_compared(compared),
          m_mismatches(mismatches)
    {
    }

    uint32_t GetHooks() const override
    {
        return RECEIVE;
    }

    void Attach(FabricSwitch* sw, uint32_t number) override
    {
        SwitchFeature::Attach(sw, number);
        m_table.resize(sw->GetNPorts());
        CallIn(Seconds(0), [sw, number, this]() { sw->ArmTimer(number, m_intervalPs); });
    }

    void OnTimer(int64_t nowPs) override
    {
        for (uint16_t port = 0; port < m_table.size(); ++port)
        {
            m_table[port] = PortState::Read(*m_switch->GetPort(port), 3);
        }
        if (nowPs < 300000000)
        {
            m_switch->ArmTimer(m_number, nowPs + m_intervalPs);
        }
    }

    bool OnReceive(FabricNetDevice& ingress, FabricPacketItem& item) override
    {
        const int64_t nowPs = ingress.GetNowPs();
        if (item.type == FabricPacketType::ACK && nowPs > m_intervalPs && nowPs < 300000000)
        {
            const uint16_t port = ingress.GetPort();
            const IntSample lazy = m_switch->GetFeature<FnccIntFeature>()->Lookup(port);
            const IntSample& timed = m_table[port];
            ++*m_compared;
            *m_mismatches += lazy.timePs != timed.timePs || lazy.txBytes != timed.txBytes ||
                             lazy.queueBytes != timed.queueBytes || lazy.rateBps != timed.rateBps;
        }
        return false;
    }

  private:
    int64_t m_intervalPs;           //!< time between two updates
    uint32_t* m_compared;           //!< look-ups
    uint32_t* m_mismatches;         //!< of them different
    std::vector<IntSample> m_table; //!< by port
};

/**
 * @ingroup dcfabric-tests
 * @brief All_INT_Table with a refresh interval.
 */
class RefreshIntervalTestCase : public IntTestCase
{
    using IntTestCase::IntTestCase;

    void DoRun() override
    {
        // An ACK sees the state at the latest multiple of the interval. In the chain (see above)
        // the ACK passes switches 4, 3, 2 at 5,355,680, 6,368,000 and 7,382,880; the data packet
        // began to leave them at 3,259,680, 2,173,120 and 1,086,560 and was counted then.
        for (const auto& [intervalNs, bytes] :
             std::vector<std::pair<int64_t, std::array<uint64_t, 3>>>{
                 {1000, {1062, 1062, 1062}},
                 {3000, {0, 1062, 1062}}, // 3,000 is before 3,259.68; 6,000; 6,000
                 {7000, {0, 0, 1062}},    // 0; 0; 7,000
                 {8000, {0, 0, 0}}})
        {
            FabricHelper helper;
            helper.SetCongestionControl("ns3::FnccCongestionControl");
            helper.AddSwitchFeature("ns3::FnccIntFeature",
                                    "RefreshInterval",
                                    TimeValue(NanoSeconds(intervalNs)));
            helper.SetIntFormat("ns3::IntFormat", "Exact", BooleanValue(true));
            Ptr<Fabric> fabric = helper.Install(
                MakeChain({100 * GBPS, 100 * GBPS, 100 * GBPS, 100 * GBPS}, 1000000));
            Watch(fabric, 2, 0);
            fabric->GetNic(0)->GetMessages().Send(1, 1000, 0);
            Simulator::Run();
            const int64_t interval = intervalNs * 1000;
            const int64_t passed[] = {5355680, 6368000, 7382880};
            for (int i = 0; i < 3; ++i)
            {
                Expect(m_seen.at(0).samples.at(i),
                       passed[i] / interval * interval,
                       bytes[i],
                       0,
                       std::to_string(intervalNs) + " ns, hop " + std::to_string(i));
            }
            Simulator::Destroy();
        }

        // Random traffic in both directions. All starts are 13 ps off the grid of 40 ps on which
        // everything else lies, so that nothing happens at a multiple of the interval.
        constexpr uint32_t SEED = 5;
        std::mt19937 random(SEED);
        for (const int64_t intervalNs : {100, 777, 5000, 40000})
        {
            uint32_t compared = 0;
            uint32_t mismatches = 0;
            FabricHelper helper;
            helper.SetCongestionControl("ns3::FnccCongestionControl");
            helper.AddSwitchFeature("ns3::FnccIntFeature",
                                    "RefreshInterval",
                                    TimeValue(NanoSeconds(intervalNs)));
            const FabricGraph graph = PlanOfLinks(4, 2, {{0, 4}, {1, 4}, {2, 5}, {3, 5}, {4, 5}});
            Ptr<Fabric> fabric = helper.Install(graph);
            for (const uint32_t node : {4, 5})
            {
                fabric->GetSwitch(node)->AddFeature(
                    Ptr<SwitchFeature>(new PeriodicTable(intervalNs * 1000, &compared, &mismatches),
                                       false));
            }
            for (uint32_t i = 0; i < 60; ++i)
            {
                const uint32_t src = random() % 4;
                fabric->GetNic(src)->GetMessages().SendAt(random() % 200000 * 1000 + 13,
                                                          (src + 1 + random() % 3) % 4,
                                                          1 + random() % 50000,
                                                          i);
            }
            Simulator::Run();
            NS_TEST_EXPECT_MSG_GT(compared, 1000, "ACKs");
            NS_TEST_EXPECT_MSG_EQ(mismatches, 0, intervalNs << " ns, seed " << SEED);
            Simulator::Destroy();
        }
    }
};

/// Refresh of All_INT_Table.
const SuiteCases g_cases("dcfabric-int", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(
        new RefreshIntervalTestCase("FNCC's table on demand equals one that a timer refreshes"));
});

} // namespace ns3::tests::switch_int_refresh_test
