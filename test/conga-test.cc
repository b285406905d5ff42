// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-network.h"
#include "fabric-test-plan.h"
#include "fabric-test-schedule.h"
#include "fabric-test-suite.h"

#include "ns3/conga-feature.h"
#include "ns3/discounting-rate.h"
#include "ns3/fabric-helper.h"
#include "ns3/test.h"

#include <map>
#include <string>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief CONGA: estimates of loads, feedback between edge switches, ways of flowlets.
 */

namespace ns3::tests::conga_test
{

/**
 * @ingroup dcfabric-tests
 * @brief The estimate of a port's load.
 */
class DiscountingRateTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // 100 Gb/s are 12.5 GB/s; in 50 us 625,000 B, over the share of 0.2 that is lost 3,125,000
        constexpr double FULL = 3125000;
        constexpr double DECAY = 0.2;
        const auto quantize = [](double bytes) {
            return DiscountingRate::Quantize(bytes, FULL, 3);
        };
        DiscountingRate load;
        NS_TEST_EXPECT_MSG_EQ(quantize(load.GetBytes(5, DECAY)), 0, "nothing was sent");
        load.Add(1000000, 5, DECAY);
        NS_TEST_EXPECT_MSG_EQ_TOL(load.GetBytes(5, DECAY), 1e6, 1e-6, "the bytes themselves");
        NS_TEST_EXPECT_MSG_EQ(quantize(load.GetBytes(5, DECAY)), 2, "8 x 0.32 = 2.56");
        NS_TEST_EXPECT_MSG_EQ_TOL(load.GetBytes(6, DECAY), 8e5, 1e-6, "after a period");
        NS_TEST_EXPECT_MSG_EQ(quantize(load.GetBytes(6, DECAY)), 2, "8 x 0.256 = 2.048");
        NS_TEST_EXPECT_MSG_EQ_TOL(load.GetBytes(7, DECAY), 6.4e5, 1e-6, "after two");
        NS_TEST_EXPECT_MSG_EQ(quantize(load.GetBytes(7, DECAY)), 1, "8 x 0.2048 = 1.6384");
        // asking changes nothing, and 10^6 x 0.8^62 = 0.98 is below a byte
        NS_TEST_EXPECT_MSG_EQ_TOL(load.GetBytes(5, DECAY), 1e6, 1e-6, "as before");
        NS_TEST_EXPECT_MSG_EQ(load.GetBytes(5 + 62, DECAY), 0.0, "nothing is left");
        NS_TEST_EXPECT_MSG_EQ(load.GetBytes(int64_t{1} << 60, DECAY), 0.0, "nor much later");
        // at line rate just before a period ends: 625,000 (1 + 0.8 + 0.8^2 + ...)
        DiscountingRate line;
        for (int64_t period = 0; period < 200; ++period)
        {
            line.Add(625000, period, DECAY);
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(line.GetBytes(199, DECAY), FULL, 1, "tends to the full scale");
        NS_TEST_EXPECT_MSG_EQ(quantize(FULL), 7, "8 does not fit into three bits");
        NS_TEST_EXPECT_MSG_EQ(quantize(FULL * 3), 7, "nor more");
        NS_TEST_EXPECT_MSG_EQ(DiscountingRate::Quantize(FULL * 0.6, FULL, 1), 1, "one bit");
        NS_TEST_EXPECT_MSG_EQ(DiscountingRate::Quantize(FULL * 0.4, FULL, 1), 0, "one bit");
        // all is lost in a period
        DiscountingRate gone;
        gone.Add(1000, 0, 1);
        NS_TEST_EXPECT_MSG_EQ(gone.GetBytes(1, 1), 0.0, "a share of 1");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What a switch knows of ways where others send.
 */
class CongaFeedbackTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief A packet leaves a switch.
     * @param test this
     * @param port where
     * @param item which
     */
    static void Note(CongaFeedbackTestCase* test, uint16_t port, Ptr<const FabricPacketItem> item)
    {
        if (item->type == FabricPacketType::DATA)
        {
            test->m_portOfBurst[item->data.msn] = port;
            test->m_sizes[port] = item->size;
        }
    }

    void DoRun() override
    {
        // Hosts 0, 1, 2 and 3 at switches 4, 5, 6 and 6; spines 7 and 8. Host 1 sends to host 2 at
        // line rate all the time, by one of the spines: the link from there to switch 6 is full.
        // Switch 4 sees nothing of it. Host 0 sends a packet to host 3 each 40 us.
        const FabricGraph graph = PlanOfLinks(
            4,
            5,
            {{0, 4}, {1, 5}, {2, 6}, {3, 6}, {4, 7}, {4, 8}, {5, 7}, {5, 8}, {6, 7}, {6, 8}});
        FabricHelper helper;
        helper.SetPathSelector("ns3::CongaPathSelector");
        helper.SetNicAttribute("PdcPerMessage", BooleanValue(false));
        Ptr<Fabric> fabric = helper.Install(graph);
        for (uint16_t port = 1; port <= 2; ++port)
        {
            fabric->GetPort(4, port)->TraceConnectWithoutContext(
                "Transmit",
                MakeBoundCallback(&CongaFeedbackTestCase::Note, this, port));
        }
        fabric->GetPort(6, 1)->TraceConnectWithoutContext(
            "Transmit",
            MakeBoundCallback(&CongaFeedbackTestCase::Note, this, 9));
        fabric->GetNic(1)->GetMessages().Send(2, 100000000, 0);
        constexpr uint32_t BURSTS = 100;
        for (uint32_t burst = 0; burst < BURSTS; ++burst)
        {
            fabric->GetNic(0)->GetMessages().SendAt(200 * US + burst * 40 * US, 3, 1000, 0);
        }
        uint16_t full = 0; // port of switch 5 and of switch 4 alike that leads to the full spine
        CallIn(MilliSeconds(4), [&]() {
            const auto other = fabric->GetSwitch(5)->GetFeature<CongaFeature>();
            NS_TEST_EXPECT_MSG_EQ(other->GetLoad(1) + other->GetLoad(2), 7, "one of its ports");
            full = other->GetLoad(1) == 7 ? 1 : 2;
            const uint32_t path = EdgePath::WithPort(0, 0, full);
            // after the end of a period it is 8 x 0.8 = 6.4
            NS_TEST_EXPECT_MSG_GT(+other->GetTold(6, path), 5, "as switch 6 has told");
            NS_TEST_EXPECT_MSG_EQ(+other->GetTold(4, path), 0, "nothing of another switch");
        });
        Simulator::Stop(MilliSeconds(5));
        Simulator::Run();
        // The first burst takes the full way with probability 1/2, and leaves it when its answer
        // has told. The other way is never worse later, so that the flow stays there; by chance 50
        // of 100 bursts would take the full one, with a standard deviation of 5.
        uint32_t onFull = 0;
        for (const auto& [burst, port] : m_portOfBurst)
        {
            onFull += port == full ? 1 : 0;
        }
        NS_TEST_EXPECT_MSG_EQ(m_portOfBurst.size(), BURSTS, "all were sent");
        NS_TEST_EXPECT_MSG_LT(onFull, 5, "the full way is avoided");
        NS_TEST_EXPECT_MSG_EQ(m_sizes.at(full == 1 ? 2 : 1),
                              m_sizes.at(9) + EdgeTag::BYTES,
                              "the tag is there between switches only");
        NS_TEST_EXPECT_MSG_EQ(fabric->GetDrops().empty(), true, "no drop");
        Simulator::Destroy();
    }

    std::map<uint32_t, uint16_t> m_portOfBurst; //!< of switch 4, by message
    std::map<uint16_t, uint32_t> m_sizes;       //!< of the last frame, by port; 9: at the receiver
};

/**
 * @ingroup dcfabric-tests
 * @brief Losses, a link that goes down, conservation.
 */
class CongaCompanyTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        for (const std::string selector :
             {"ns3::CongaPathSelector", "ns3::ConweavePathSelector", "ns3::HermesPathSelector"})
        {
            for (const bool isLossless : {true, false})
            {
                FabricHelper helper;
                helper.SetPathSelector(selector);
                helper.SetCongestionControl("ns3::DctcpCongestionControl");
                helper.SetFlowControl(isLossless ? "ns3::PriorityFlowControl" : "none");
                // a link of way 2 of 4 fails at 30 us and comes back at 300 us
                Ptr<Fabric> fabric = helper.Install(WithErrors(MakeWays(4), 0.002));
                fabric->GetChannel(4)->ScheduleChange({30 * US, LinkChange::DOWN, 0});
                fabric->GetChannel(4)->ScheduleChange({300 * US, LinkChange::UP, 0});
                for (uint32_t i = 0; i < 20; ++i)
                {
                    fabric->GetNic(0)->GetMessages().SendAt(i * 20 * US, 1, 100000, i);
                }
                Simulator::Stop(MilliSeconds(50));
                Simulator::Run();
                const std::string name = selector + (isLossless ? " with PFC" : "");
                NS_TEST_EXPECT_MSG_EQ(fabric->GetNic(0)->GetSendingPdcs().GetBusy().empty(),
                                      true,
                                      "all messages, " << name);
                NS_TEST_EXPECT_MSG_EQ(fabric->CheckConservation().Holds(),
                                      true,
                                      "conservation, " << name);
                Simulator::Destroy();
            }
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Where it does not work.
 */
class CongaRefusalTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        for (const std::string name : {"Conga", "Conweave", "Hermes"})
        {
            const std::string selector = "ns3::" + name + "PathSelector";
            const std::string feature = "ns3::" + name + "Feature";
            FabricHelper hpcc;
            hpcc.SetPathSelector(selector);
            hpcc.SetCongestionControl("ns3::HpccCongestionControl");
            hpcc.AddSwitchFeature("ns3::HpccIntFeature");
            DCFABRIC_EXPECT_REFUSAL(hpcc.Install(MakeWays(4)),
                                    "ns3::HpccCongestionControl compares INT records of one path, "
                                    "but " +
                                        selector + " moves flows from path to path");
            Simulator::Destroy();
            // ways round a ring of switches are of one tier; hosts 0 to 3 at switches 4 to 7
            FabricHelper ring;
            ring.SetPathSelector(selector);
            DCFABRIC_EXPECT_REFUSAL(ring.Install(MakeRing(4)),
                                    feature + " leads packets up through tiers of switches and "
                                              "down again, but ways from switch 4 to host 2 are "
                                              "others");
            Simulator::Destroy();
            // host 0 at switches 2 and 3
            FabricHelper homes;
            homes.SetPathSelector(selector);
            DCFABRIC_EXPECT_REFUSAL(
                homes.Install(PlanOfLinks(2, 3, {{0, 2}, {0, 3}, {1, 4}, {2, 4}, {3, 4}})),
                selector + " keeps what it knows of ways by the switches of hosts, but host 0 has "
                           "links to several");
            Simulator::Destroy();
            // one way only is as good as any
            FabricHelper one;
            one.SetPathSelector(selector);
            Ptr<Fabric> fabric = one.Install(MakeWays(1));
            fabric->GetNic(0)->GetMessages().Send(1, 100000, 0);
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(fabric->CheckConservation().Holds(), true, "one way");
            Simulator::Destroy();
        }
        FabricHelper both;
        both.SetPathSelector("ns3::CongaPathSelector");
        both.AddSwitchFeature("ns3::ConweaveFeature");
        DCFABRIC_EXPECT_REFUSAL(both.Install(MakeWays(4)),
                                "ns3::CongaFeature gives packets their way, and so does "
                                "ns3::ConweaveFeature");
        Simulator::Destroy();
    }
};

/// CONGA.
const SuiteCases g_cases("dcfabric-conga", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(
        new DiscountingRateTestCase("the estimate of a port's load decays by periods"));
    suite.AddTestCase(
        new CongaFeedbackTestCase("flowlets avoid a way that is full behind the next switch"));
    suite.AddTestCase(new CongaCompanyTestCase("losses and a link that goes down, all tagged"));
    suite.AddTestCase(new CongaRefusalTestCase("what cannot work is refused by name"));
});

} // namespace ns3::tests::conga_test
