// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-network.h"
#include "fabric-test-plan.h"
#include "fabric-test-schedule.h"
#include "fabric-test-suite.h"

#include "ns3/fabric-helper.h"
#include "ns3/priority-flow-control.h"
#include "ns3/shared-buffer.h"
#include "ns3/test.h"

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief The attribute DataRate of a port whose link is laid, and rates that rise.
 */

namespace ns3::tests::port_rate_test
{

/**
 * @brief Set the attribute.
 * @param port of which
 * @param rateBps in bit/s
 */
void
SetRate(const Ptr<FabricNetDevice>& port, uint64_t rateBps)
{
    port->SetAttribute("DataRate", DataRateValue(DataRate(rateBps)));
}

/**
 * @ingroup dcfabric-tests
 * @brief A pause over a change of the attribute: quanta mean another time then.
 *
 * 10 Gb/s: 800 ps a byte, a quantum 51,200 ps, 200 of them 10,240,000 ps; a frame 67,200 ps. The
 * pause of 0 is heard at 1,067,200 and would be renewed at 5,120,000. At 1,060,000 the rate is 100
 * Gb/s: as heard, it lasts 1,024,000 ps, until 2,091,200. The right end tells again at 1,060,000
 * (heard at 2,066,720) and renews each 512,000 ps from then on.
 */
class PausedTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        TestLink link(100 * GBPS, MicroSeconds(1));
        for (const auto& port : {link.leftPort, link.rightPort})
        {
            Ptr<PriorityFlowControl> pfc = CreateObject<PriorityFlowControl>();
            pfc->SetAttribute("Quanta", UintegerValue(200));
            port->SetFlowControl(pfc);
            SetRate(port, 10 * GBPS);
        }
        link.rightPort->GetFlowControl()->SetCongested(3, true);
        CallIn(NanoSeconds(1060), [&link]() {
            SetRate(link.leftPort, 100 * GBPS);
            SetRate(link.rightPort, 100 * GBPS);
        });
        CallIn(NanoSeconds(1100), [&link]() { link.leftPort->Enqueue(MakeData(980)); });
        CallIn(MicroSeconds(9),
               [&link]() { link.rightPort->GetFlowControl()->SetCongested(3, false); });
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(link.right->arrivals.size(), 1, "arrived");
        // the resume takes 6,720 ps and the delay, the packet 80,000 ps and the delay
        NS_TEST_EXPECT_MSG_EQ(link.right->arrivals[0].timePs,
                              9000000 + 1006720 + 1080000,
                              "not before the resume");
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A change while a packet is on the wire, which ends as it began: at 100 Gb/s 1000 bytes
 * take 80,000 ps, at 25 Gb/s 320,000 ps.
 */
class BusyTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        TestLink link(100 * GBPS, MicroSeconds(1));
        for (int i = 0; i < 2; ++i)
        {
            link.leftPort->Enqueue(MakeData(980, i));
            link.rightPort->Enqueue(MakeData(980, i));
        }
        CallIn(NanoSeconds(40), [&link]() { SetRate(link.leftPort, 25 * GBPS); });
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(link.right->arrivals.size(), 2, "both");
        NS_TEST_EXPECT_MSG_EQ(link.right->arrivals[0].timePs, 1080000, "as it began");
        NS_TEST_EXPECT_MSG_EQ(link.right->arrivals[1].timePs, 1400000, "slower");
        NS_TEST_ASSERT_MSG_EQ(link.left->arrivals.size(), 2, "both");
        NS_TEST_EXPECT_MSG_EQ(link.left->arrivals[1].timePs, 1160000, "the other end sends on");
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Rates that others are not made for, and what is told of those that they are made for.
 *
 * Hosts 0 and 1 at switch 2.
 */
class RefusalTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        FabricHelper helper;
        helper.SetCongestionControl("ns3::HpccCongestionControl");
        helper.AddSwitchFeature("ns3::HpccIntFeature");
        Ptr<Fabric> fabric = helper.Install(MakeStar({100 * GBPS, 100 * GBPS}, 1000000));
        const Ptr<FabricNetDevice> host = fabric->GetPort(0, 0);
        const Ptr<FabricNetDevice> output = fabric->GetPort(2, 1);
        const std::string headroom = "the headroom of ns3::PriorityFlowControl at node 2 port 0 is "
                                     "that of 100000000000 bit/s";
        DCFABRIC_EXPECT_REFUSAL(SetRate(host, 100 * GBPS + 1), headroom);
        DCFABRIC_EXPECT_REFUSAL(host->GetLink().ScheduleChange({0, LinkChange::RATE, 200 * GBPS}),
                                headroom);
        DCFABRIC_EXPECT_REFUSAL(SetRate(host, 0), "must be greater than 0");
        // INT has no code for it
        DCFABRIC_EXPECT_REFUSAL(SetRate(output, 33 * GBPS), "33000000000");
        NS_TEST_EXPECT_MSG_EQ(host->GetRateBps(), 100 * GBPS, "as before");
        NS_TEST_EXPECT_MSG_EQ(output->GetRateBps(), 100 * GBPS, "as before");
        SetRate(host, 25 * GBPS);
        SetRate(host, 100 * GBPS);
        SetRate(output, 10 * GBPS);
        uint32_t delivered = 0;
        fabric->GetNic(1)->GetMessages().SetDeliveredCallback(
            [&delivered](const FabricMessageEvent&) { ++delivered; });
        fabric->GetNic(0)->GetMessages().Send(1, 1000000, 0);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(delivered, 1, "arrived");
        NS_TEST_EXPECT_MSG_EQ(fabric->GetDrops().empty(), true, "nothing lost");
        NS_TEST_EXPECT_MSG_GT(Simulator::Now(), MicroSeconds(800), "1 MB at 10 Gb/s");
        Simulator::Destroy();

        // credits lose nothing at any rate
        FabricHelper credits;
        credits.SetFlowControl("ns3::CreditFlowControl");
        fabric = credits.Install(MakeStar({100 * GBPS, 100 * GBPS}, 1000000));
        SetRate(fabric->GetPort(0, 0), 400 * GBPS);
        fabric->GetNic(0)->GetMessages().Send(1, 1000000, 0);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(fabric->GetDrops().empty(), true, "nothing lost");
        NS_TEST_EXPECT_MSG_EQ(fabric->GetNic(1)->GetCounters().dataDelivered, 1000, "all there");
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A rate rises while the end that is to say stop still sends a frame that it began at a low
 * rate. The headroom is that of 100 Gb/s, frames have 980 B and 20 B of gap.
 */
class RiseTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// A link and what is sent.
    struct Rise
    {
        uint64_t lowBps;   //!< rate before
        int64_t delayNs;   //!< of the link
        double lead;       //!< frames of the low rate that the left end sends before the rise
        double part;       //!< of the right end's frame that it sends before the rise
        uint32_t crossing; //!< frame that goes to the headroom, from 1
    };

    /// What came of it.
    struct Outcome
    {
        uint32_t dropped{0};     //!< frames
        int64_t firstPs{-1};     //!< arrival of the first one, counted from the rise
        bool isCongested{false}; //!< the headroom was needed
    };

    /**
     * @param rise the link
     * @return what came of it
     */
    static Outcome Run(const Rise& rise)
    {
        constexpr int64_t AT_NS = 10000000;
        constexpr uint32_t FRAME = 980;
        TestLink link(100 * GBPS, NanoSeconds(rise.delayNs));
        for (const auto& port : {link.leftPort, link.rightPort})
        {
            port->SetFlowControl(CreateObject<PriorityFlowControl>());
            port->GetFlowControl()->SetMaxFrameBytes(FRAME);
        }
        const uint64_t headroom = link.rightPort->GetFlowControl()->GetHeadroomBytes(FRAME);
        const auto channel = DynamicCast<FabricChannel>(link.leftPort->GetChannel());
        channel->ScheduleChange({0, LinkChange::RATE, rise.lowBps});
        channel->ScheduleChange({AT_NS * 1000, LinkChange::RATE, 100 * GBPS});
        Ptr<SharedBuffer> buffer = CreateObject<SharedBuffer>();
        buffer->SetAttribute("XoffThreshold", UintegerValue(rise.crossing * FRAME - 1));
        buffer->SetAttribute("PortReserve", UintegerValue(0));
        buffer->Configure({headroom}, 0xff, 1U << 3);
        Outcome outcome;
        link.right->onReceive = [&](FabricNetDevice& port, Ptr<FabricPacketItem> item) {
            outcome.firstPs =
                outcome.firstPs < 0 ? port.GetNowPs() - AT_NS * 1000 : outcome.firstPs;
            const auto verdict = buffer->Admit(0, 3, item->size, 0);
            outcome.dropped += verdict.refused != DropReason::NONE;
            if (verdict == SharedBuffer::ADMITTED_TO_HEADROOM && !outcome.isCongested)
            {
                outcome.isCongested = true;
                port.GetFlowControl()->SetCongested(3, true);
            }
        };
        const double frameNs = 8e9 * (FRAME + 20) / static_cast<double>(rise.lowBps);
        CallIn(NanoSeconds(AT_NS - static_cast<int64_t>(rise.lead * frameNs)), [&link, headroom]() {
            for (uint64_t bytes = 0; bytes < 3 * headroom; bytes += FRAME)
            {
                link.leftPort->Enqueue(MakeData(FRAME));
            }
        });
        CallIn(NanoSeconds(AT_NS - 1 - static_cast<int64_t>(rise.part * frameNs)),
               [&link]() { link.rightPort->Enqueue(MakeData(FRAME, 0, 7)); });
        Simulator::Stop(NanoSeconds(AT_NS + static_cast<int64_t>(2 * frameNs) + 60000));
        Simulator::Run();
        Simulator::Destroy();
        return outcome;
    }

    void DoRun() override
    {
        // 1 Gb/s: the right end's frame may end 8 us after the rise, and headroom is left for 1 us
        // less a hundredth of it, and 80 ns: 6,930 ns. The first frame takes 80 ns and the delay.
        NS_TEST_EXPECT_MSG_EQ(Run({GBPS, 1000, 0, 0, 1}).firstPs, 8010000, "later");
        // 10 Gb/s: 800 ns are less than 900 and 80
        NS_TEST_EXPECT_MSG_EQ(Run({10 * GBPS, 1000, 0, 0, 1}).firstPs, 1080000, "at once");
        uint32_t congested = 0;
        uint32_t runs = 0;
        for (const uint64_t lowBps : {GBPS / 10, GBPS, 5 * GBPS, 10 * GBPS, 40 * GBPS, 99 * GBPS})
        {
            for (const int64_t delayNs : {100, 1000, 10000})
            {
                for (const double lead : {0.0, 1.5, 4.0})
                {
                    for (const double part : {0.0, 0.5, 0.99})
                    {
                        for (const uint32_t crossing : {1, 2, 3})
                        {
                            const Outcome outcome = Run({lowBps, delayNs, lead, part, crossing});
                            NS_TEST_EXPECT_MSG_EQ(outcome.dropped,
                                                  0,
                                                  lowBps << " bit/s, " << delayNs << " ns, lead "
                                                         << lead << ", part " << part
                                                         << ", crossing " << crossing);
                            congested += outcome.isCongested ? 1 : 0;
                            ++runs;
                        }
                    }
                }
            }
        }
        NS_TEST_EXPECT_MSG_EQ(congested, runs, "the headroom was needed everywhere");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A clock that is slow by 100 ppm: at 100 Gb/s 10^7 bytes take 800 us, and 8 x 10^7 bits at
 * 99.99 Gb/s 800.0800080008 us, whatever rate others are told.
 */
class ClockTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        TestLink link(100 * GBPS, MicroSeconds(1));
        PortLink& port = link.leftPort->GetLink();
        NS_TEST_EXPECT_MSG_EQ(port.TransmissionPs(10000000), 800000000, "exact");
        port.SetClockLag(100000);
        NS_TEST_EXPECT_MSG_EQ(port.TransmissionPs(10000000), 800080008, "100 ppm more");
        NS_TEST_EXPECT_MSG_EQ(port.GetRate().GetBitRate(), 100 * GBPS, "what others are told");
        SetRate(link.leftPort, 10 * GBPS);
        NS_TEST_EXPECT_MSG_EQ(port.TransmissionPs(1000000), 800080008, "at another rate");
        // 1000 bytes take 80,008.00080008 ps: what is left of a ps makes one of 1250 frames
        SetRate(link.leftPort, 100 * GBPS);
        int64_t endPs = 0;
        for (int i = 0; i < 1250; ++i)
        {
            endPs = port.Begin(1000, endPs);
        }
        NS_TEST_EXPECT_MSG_EQ(endPs, 1250 * int64_t{80008} + 1, "no drift of its own");
        port.SetClockLag(0);
        NS_TEST_EXPECT_MSG_EQ(port.TransmissionPs(10000000), 800000000, "exact again");
        Simulator::Destroy();
    }
};

/// Rates of ports.
const SuiteCases g_cases("dcfabric-faults", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new PausedTestCase("the attribute DataRate changes under a pause"));
    suite.AddTestCase(new BusyTestCase("the attribute DataRate changes under a packet"));
    suite.AddTestCase(new RiseTestCase("the headroom holds when the rate rises"));
    suite.AddTestCase(new ClockTestCase("a slow clock stretches what is sent"));
    suite.AddTestCase(new RefusalTestCase("rates that headroom and INT are not made for"));
});

} // namespace ns3::tests::port_rate_test
