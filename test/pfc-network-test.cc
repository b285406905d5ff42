// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-network.h"
#include "fabric-test-plan.h"
#include "fabric-test-schedule.h"
#include "fabric-test-suite.h"

#include "ns3/fabric-helper.h"
#include "ns3/priority-flow-control.h"
#include "ns3/test.h"

#include <map>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief PFC in a network: thresholds, NICs that obey, and head-of-line blocking.
 *
 * Packets have 1000 B of payload: 1062 B, 86,560 ps at 100 Gb/s and 865,600 ps at 10 Gb/s with
 * their gap. Links have 1 us of delay.
 */

namespace ns3::tests::pfc_network_test
{

/**
 * @ingroup dcfabric-tests
 * @brief Which packet pauses, which one resumes.
 */
class PauseThresholdTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param device port of the NIC
     * @param priority class
     * @param pause or resume
     */
    void OnPause(Ptr<const FabricNetDevice> device, uint8_t priority, bool pause)
    {
        NS_TEST_EXPECT_MSG_EQ(+priority, 3, "class of data");
        m_pauses.emplace_back(device->GetNowPs(), pause);
        m_sent.push_back(device->GetCounters().txBytes / 1062);
    }

    void DoRun() override
    {
        // Host 0 sends 100 packets at 100 Gb/s to host 1, whose link has 10 Gb/s. XOFF is five
        // packets, the resume offset three, no reserve.
        FabricHelper helper;
        helper.SetBuffer("ns3::SharedBuffer",
                         "XoffThreshold",
                         UintegerValue(5 * 1062),
                         "ResumeOffset",
                         UintegerValue(3 * 1062),
                         "PortReserve",
                         UintegerValue(0));
        Ptr<Fabric> fabric = helper.Install(MakeStar({100 * GBPS, 10 * GBPS}, 1000000));
        fabric->GetPort(0, 0)->TraceConnectWithoutContext(
            "Pause",
            MakeCallback(&PauseThresholdTestCase::OnPause, this));
        fabric->GetNic(0)->GetMessages().Send(1, 100000, 0);
        Simulator::Run();

        // Packet k arrives at 1,000,000 + k x 86,560, packet 1 goes on at once, packet j begins at
        // 1,086,560 + (j - 1) x 865,600. On arrival of packet k there are k - 1 - floor((k-1)/10):
        // packet 7 is the sixth, above the threshold, at 1,605,920. The PFC frame takes 6,720 and
        // the delay. Until then the NIC began packets at 0, 86,560, ..., 30 x 86,560 = 2,596,800:
        // 31 of them.
        NS_TEST_ASSERT_MSG_GT_OR_EQ(m_pauses.size(), 4, "heard");
        NS_TEST_EXPECT_MSG_EQ(m_pauses[0].first, 2612640, "pause");
        NS_TEST_EXPECT_MSG_EQ(m_pauses[0].second, true, "pause");
        NS_TEST_EXPECT_MSG_EQ(m_sent[0], 31, "packets begun");
        // Resume when 31 - j <= 2, when packet 29 begins: 1,086,560 + 28 x 865,600 = 25,323,360.
        // (The way to host 0 is free: ACKs pass 363,200 after a packet begins.)
        NS_TEST_EXPECT_MSG_EQ(m_pauses[1].first, 26330080, "resume");
        NS_TEST_EXPECT_MSG_EQ(m_pauses[1].second, false, "resume");
        NS_TEST_EXPECT_MSG_EQ(m_sent[1], 31, "nothing meanwhile");
        // Packets 32, 33, ... begin at 26,330,080 + 86,560 i (i = 0, 1, ...) and arrive 1,086,560
        // later, from 27,416,640 on. Packet j has then begun for j <= 1 + 26,330,080 / 865,600:
        // 31 begins at 27,054,560, so packet 32 finds nothing waiting and the wire busy until
        // 27,920,160. Packet 32 + i is the (i + 1)th waiting less those that begin at 27,920,160,
        // 28,785,760, ...: 37 arrives at 27,849,440 as the sixth: pause at + 1,006,720.
        NS_TEST_EXPECT_MSG_EQ(m_pauses[2].first, 28856160, "second pause");
        // begun until then: 1 + floor((28,856,160 - 26,330,080) / 86,560) = 30
        NS_TEST_EXPECT_MSG_EQ(m_sent[2], 61, "packets begun");
        NS_TEST_EXPECT_MSG_EQ(fabric->GetDrops().empty(), true, "nothing lost");
        NS_TEST_EXPECT_MSG_EQ(fabric->GetNic(1)->GetCounters().dataDelivered, 100, "all there");
        NS_TEST_EXPECT_MSG_EQ(fabric->CheckConservation().Holds(), true, "conservation");
        NS_TEST_EXPECT_MSG_EQ(fabric->GetSwitch(2)->GetBuffer()->GetUsedBytes(), 0, "empty");
        Simulator::Destroy();
    }

    std::vector<std::pair<int64_t, bool>> m_pauses; //!< time and kind
    std::vector<uint64_t> m_sent;                   //!< data packets begun until then
};

/**
 * @ingroup dcfabric-tests
 * @brief A flow suffers from another one's bottleneck.
 */
class HeadOfLineTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * Hosts 0 and 1 at switch 4, hosts 2 (10 Gb/s) and 3 at switch 5; a link between the switches.
     * @param congestor 0 sends 1 MB to 2
     * @param priority class of the victim, 1 MB from 1 to 3
     * @return what the victim takes, in us
     */
    double VictimUs(bool congestor, uint8_t priority)
    {
        const FabricGraph graph =
            PlanOfLinks(4, 2, {{0, 4}, {1, 4}, {2, 5, 10 * GBPS}, {3, 5}, {4, 5}});
        FabricHelper helper;
        helper.SetBuffer("ns3::SharedBuffer", "XoffThreshold", UintegerValue(20000));
        helper.AddClass(5);
        Ptr<Fabric> fabric = helper.Install(graph);
        double us = 0;
        fabric->GetNic(3)->GetMessages().SetDeliveredCallback(
            [&us](const FabricMessageEvent& event) { us = event.nowPs * 1e-6; });
        if (congestor)
        {
            fabric->GetNic(0)->GetMessages().Send(2, 1000000, 0);
        }
        fabric->GetNic(1)->GetMessages().Send(3, 1000000, 1, priority);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(fabric->GetDrops().empty(), true, "nothing lost");
        NS_TEST_EXPECT_MSG_EQ(fabric->CheckConservation().Holds(), true, "conservation");
        const auto& counters = fabric->GetPort(4, 2)->GetCounters();
        NS_TEST_EXPECT_MSG_EQ((counters.rxLinkFrames > 0), congestor, "pauses between switches");
        NS_TEST_EXPECT_MSG_EQ((fabric->GetPort(0, 0)->GetCounters().rxLinkFrames > 0),
                              congestor,
                              "pauses reach host 0");
        // of the same class, the victim's own port at the first switch is paused as well
        NS_TEST_EXPECT_MSG_EQ((fabric->GetPort(1, 0)->GetCounters().rxLinkFrames > 0),
                              congestor && priority == 3,
                              "pauses reach host 1");
        Simulator::Destroy();
        return us;
    }

    void DoRun() override
    {
        // alone: 1000 packets and two more hops: 1002 x 86,560 ps + 3 us
        const double alone = 1002 * 0.08656 + 3;
        NS_TEST_EXPECT_MSG_EQ_TOL(VictimUs(false, 3), alone, 1e-9, "alone");
        // Behind the 10 Gb/s flow in one queue, packet by packet in turn: the victim gets about 10
        // Gb/s as well, 1000 x 0.8656 us, less what the buffers take in the beginning.
        const double blocked = VictimUs(true, 3);
        NS_TEST_EXPECT_MSG_GT(blocked, 0.9 * 865.6, "blocked");
        NS_TEST_EXPECT_MSG_LT(blocked, 1.02 * 865.6, "at the pace of the slow port");
        // Of a higher class: not blocked; a packet of class 3 may be in the way on the link between
        // the switches each time its queue runs empty, which happens once.
        const double passed = VictimUs(true, 5);
        NS_TEST_EXPECT_MSG_LT(passed, alone + 2 * 0.08656, "passes by");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Lost PFC frames and lost packets in a network.
 */
class LostPauseTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const FabricGraph graph = WithErrors(
            MakeStar({100 * GBPS, 100 * GBPS, 100 * GBPS, 100 * GBPS, 10 * GBPS}, 1000000),
            0.05);
        FabricHelper helper;
        helper.SetBuffer("ns3::SharedBuffer", "XoffThreshold", UintegerValue(20000));
        helper.SetFlowControl("ns3::PriorityFlowControl", "Quanta", UintegerValue(2000));
        helper.SetNicAttribute("AckTimeout", TimeValue(MicroSeconds(200)));
        Ptr<Fabric> fabric = helper.Install(graph);
        uint32_t delivered = 0;
        fabric->GetNic(4)->GetMessages().SetDeliveredCallback(
            [&](const FabricMessageEvent&) { ++delivered; });
        for (uint32_t i = 0; i < 4; ++i)
        {
            fabric->GetNic(i)->GetMessages().Send(4, 200000, i);
        }
        for (int us = 10; us < 1000; us += 50)
        {
            CallIn(MicroSeconds(us), [&]() {
                NS_TEST_EXPECT_MSG_EQ(fabric->CheckConservation().Holds(), true, "under way");
            });
        }
        Simulator::Run();
        uint64_t lostFrames = 0;
        for (uint32_t i = 0; i < 4; ++i)
        {
            lostFrames += fabric->GetPort(i, 0)->GetCounters().linkFrameErrorDrops;
        }
        NS_TEST_EXPECT_MSG_EQ(delivered, 4, "all messages arrive");
        NS_TEST_EXPECT_MSG_GT(lostFrames, 0, "PFC frames were lost");
        NS_TEST_EXPECT_MSG_GT(fabric->GetDrops()[DropReason::WIRE_ERROR], 0, "packets were lost");
        NS_TEST_EXPECT_MSG_EQ(fabric->CheckConservation().Holds(), true, "in the end");
        NS_TEST_EXPECT_MSG_EQ(fabric->CheckConservation().inFlight, 0, "all is quiet");
        Simulator::Destroy();
    }
};

/// PFC in networks.
const SuiteCases g_cases("dcfabric-lossless", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.AddTestCase(new PauseThresholdTestCase(
        "the NIC hears pause and resume at the picosecond worked out by hand"));
    suite.AddTestCase(new HeadOfLineTestCase(
        "a paused link blocks flows to free ports, unless they are of another class"));
    suite.AddTestCase(new LostPauseTestCase(
        "with 5 % of all frames lost, PFC frames included, every packet is accounted "
        "for"));
});

} // namespace ns3::tests::pfc_network_test
