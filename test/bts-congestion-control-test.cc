// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-bts-control.h"
#include "fabric-test-suite.h"

#include "ns3/boolean.h"
#include "ns3/bts-packet.h"
#include "ns3/double.h"
#include "ns3/test.h"

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief What notifications, echoes and losses cut, against sequences worked out by hand.
 *
 * See fabric-test-bts-control.h for rates and windows.
 */

namespace ns3::tests::bts_congestion_control_test
{

/**
 * @ingroup dcfabric-tests
 * @brief How far a notification cuts, and how often.
 */
class BtsCutTestCase : public BtsControlTestCase
{
    using BtsControlTestCase::BtsControlTestCase;

    void DoRun() override
    {
        Create();
        Start();
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetNeeds().NeedsFeature("ns3::WrebFeature"),
                              true,
                              "needs notifications");
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetNeeds().Reads(TypeId::LookupByName("ns3::WrebFeature")),
                              true,
                              "and reads them");
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetNeeds().ecn, false, "no marks of their own");
        Expect(100, "line rate");

        Bts(0, ShareOf(4));
        Expect(25, "the first one cuts at once, to 100 / 4");
        BtsAt(10 * US - 1, ShareOf(10));
        Expect(25, "1 ps before T is over");
        BtsAt(10 * US, ShareOf(10));
        Expect(10, "T after the first cut: 100 / 10");
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetReductions(), 2, "two cuts");

        // below the share of 25: 12.5 % times the queue
        Bts(20, ShareOf(4, 512));
        Expect(9.375, "half a queue");
        Bts(30, ShareOf(4, 2048));
        Expect(8.203125, "two queues count as one");
        Bts(40, ShareOf(4, 0));
        Expect(8.203125, "an empty queue");
        Bts(41, ShareOf(4, 1024));
        Expect(7.177734375, "which was no cut");
        Bts(51, ShareOf(4, 1024, -1));
        Expect(7.177734375, "a queue that shrinks");
        Bts(52, ShareOf(4, 1024, 0));
        Expect(6.280517578125, "one that does not");
        Bts(62, ShareOf(50, 1024, -1000));
        Expect(2, "one that shrinks, above the share");
        Bts(72, ShareOf(50));
        Expect(1.75, "exactly at the share: by the queue");

        // what is not told
        Create();
        Start();
        Bts(0, Bare());
        Expect(50, "nothing told: by half");
        Bts(10, QueueOf(512));
        Expect(37.5, "by half times the queue");
        BtsFields flows = ShareOf(100);
        flows.signals = Signals::FLOWS;
        Bts(20, flows);
        Expect(18.75, "flows without rate: no share");
        BtsFields rate = ShareOf(0);
        rate.signals = Signals::RATE | Signals::FLOWS;
        Bts(30, rate);
        Expect(9.375, "no flow: no share");
        BtsFields shrinking = Bare();
        shrinking.signals = Signals::GRADIENT;
        shrinking.gradientMbps = -1;
        Bts(40, shrinking);
        Expect(9.375, "a queue that shrinks is told alone");

        Create();
        m_cc->SetAttribute("MaxDecrease", DoubleValue(0.2));
        m_cc->SetAttribute("SmallDecrease", DoubleValue(0.1));
        Start();
        Bts(0, QueueOf(1024));
        Expect(80, "MaxDecrease");
        Bts(10, ShareOf(1));
        Expect(72, "SmallDecrease, below a share of 100");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief First and second notifications, drops.
 */
class BtsDropTestCase : public BtsControlTestCase
{
    using BtsControlTestCase::BtsControlTestCase;

    void DoRun() override
    {
        Create();
        Start();
        Drop(0, QueueOf(1));
        Expect(50, "a drop: by half, whatever the queue");
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetBalance(), 0, "no echo will come");
        Drop(20, ShareOf(4, 1, -1000), true);
        Expect(50, "the second notification of its packet");
        Drop(20, ShareOf(4, 1, -1000));
        Expect(25, "the first one of another: to the share");
        Drop(30, ShareOf(4, 1, -1000));
        Expect(21.875, "at the share: by 12.5 %, whatever queue and gradient");
        Drop(35, ShareOf(50));
        Expect(21.875, "less than T later");

        // early, then dropped: one cut, and no echo to wait for
        Create();
        Start();
        Bts(0, Bare());
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetBalance(), 1, "an echo is to come");
        Drop(15, Bare(), true);
        Expect(50, "not twice for a packet");
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetBalance(), 0, "it will not");
        Drop(15, Bare(), true);
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetBalance(), 0, "marked by something else");
        BtsFields odd = Bare();
        odd.marked = true;
        Bts(15, odd);
        Expect(50, "marked before, and not dropped: nothing either");

        // found by ACKs, as by notifications: once in T
        Create();
        Start();
        m_cc->TellLoss(0, 1000);
        Expect(50, "a loss");
        m_cc->TellLoss(10 * US - 1, 1000);
        Expect(50, "less than T later");
        m_cc->TellLoss(10 * US, 1000);
        Expect(25, "T later");

        // a time-out goes to the least rate at once; recovery leads half the way back
        m_cc->TellTimeout(11 * US);
        Expect(0.1, "MinRate");
        m_cc->TellTimeout(12 * US);
        Expect(0.1, "again");
        Ack(22, 16);
        Expect(0.14, "which is where the second one came from");
        Create();
        Start();
        m_cc->TellTimeout(0);
        Ack(10, 16);
        Expect(50.05, "(0.1 + 100) / 2");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Echoes of marks against notifications.
 */
class BtsEchoTestCase : public BtsControlTestCase
{
    using BtsControlTestCase::BtsControlTestCase;

    void DoRun() override
    {
        Create();
        Start();
        Bts(0, ShareOf(2));
        Expect(50, "notified");
        Ack(12, 1, 1);
        Expect(50, "its echo");
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetBalance(), 0, "even");
        Ack(13, 1, 1);
        Expect(37.5, "an echo of which there was no notification: by half of a half");
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetBalance(), 0, "not less");
        Ack(14, 1, 1);
        Expect(37.5, "less than T later");
        Ack(23, 1, 1);
        Expect(28.125, "T later");
        // several in one ACK: two are known, the third is not
        Bts(24, Bare());
        Bts(25, Bare());
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetBalance(), 2, "two, although neither cut");
        Ack(34, 4, 2);
        Expect(28.125, "both echoes");
        Bts(35, QueueOf(0));
        Bts(36, QueueOf(0));
        Ack(40, 4, 3);
        Expect(21.09375, "three for two");

        Create();
        m_cc->SetAttribute("EchoedMarks", BooleanValue(false));
        Start();
        Ack(0, 10, 10);
        Expect(100, "not read");
        Bts(1, ShareOf(2));
        Ack(12, 10, 10);
        Expect(50, "not read");
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetBalance(), 1, "not counted");
    }
};

/// Cuts of the control that notifications drive.
const SuiteCases g_cases("dcfabric-bts", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new BtsCutTestCase("cuts: to the share, by the queue, at most one in T"));
    suite.AddTestCase(new BtsDropTestCase("drops, second notifications, losses, time-outs"));
    suite.AddTestCase(new BtsEchoTestCase("echoed marks cut only where a notification was lost"));
});

} // namespace ns3::tests::bts_congestion_control_test
