// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-bts-control.h"
#include "fabric-test-congestion.h"
#include "fabric-test-receiver.h"
#include "fabric-test-suite.h"

#include "ns3/bts-packet.h"
#include "ns3/dcqcn-congestion-control.h"
#include "ns3/dctcp-congestion-control.h"
#include "ns3/double.h"
#include "ns3/external-congestion-control.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/test.h"

#include <cstdint>
#include <set>
#include <string>
#include <tuple>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief What notifications back to senders do to the congestion controls that are not driven by
 * them.
 *
 * The line rate is 100 Gb/s and T 10 us, so that the BDP is 125,000 B; packets have 1000 B.
 */

namespace ns3::tests::bts_reactions_test
{

/**
 * @ingroup dcfabric-tests
 * @brief DCTCP.
 */
class BtsDctcpTestCase : public ControlTestCase<DctcpCongestionControl>
{
    using ControlTestCase::ControlTestCase;

    /// Begin with a new sender that has sent its window. @param alpha to begin with
    void Create(double alpha)
    {
        ControlTestCase::Create();
        m_cc->SetAttribute("InitialAlpha", DoubleValue(alpha));
        m_cc->SetAttribute("G", DoubleValue(0)); // alpha stays
        Start();
        m_acked = 0;
    }

    /**
     * @brief ACKs of one packet each.
     * @param count how many
     * @param marked all, or none
     * @param sent payload bytes sent by then
     */
    void Ack(uint32_t count, bool marked, uint64_t sent)
    {
        for (uint32_t i = 0; i < count; ++i)
        {
            m_acked += 1000;
            m_cc->Acknowledge(MakePacketAck(0, marked, m_acked, sent));
        }
    }

    void DoRun() override
    {
        // The notification is there before the first ACK; 125,000 B have been sent. Each takes half
        // a packet, 500 B; their echoes cut nothing. A third echo is one of which nobody has told:
        // by alpha, of what the window was.
        Create(1);
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetNeeds().Reads(TypeId::LookupByName("ns3::WrebFeature")),
                              true,
                              "reads notifications");
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetNeeds().NeedsFeature("ns3::WrebFeature"),
                              false,
                              "does not need them");
        m_cc->TellBts(MakeNotice(0, false));
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetWindow(), 124500, "half a packet");
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetThreshold(), 124500, "slow start is over");
        m_cc->TellBts(MakeNotice(1, false));
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetWindow(), 124000, "another one of the same window of data");
        Ack(2, true, 125000);
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetWindow(), 124000, "echoes of both");
        Ack(1, true, 125000);
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetWindow(), 62500, "a mark that was not told, alpha 1");
        m_cc->TellBts(MakeNotice(1, false));
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetWindow(), 62500, "no more of this window of data");
        Ack(122, true, 150000);
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetWindow(), 62500, "last echo");
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetReductions(), 3, "two by one packet, and the rest");
        Ack(1, true, 150000);
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetWindow(), 31250, "the next window of data");

        // All of a window of data: together by alpha / 2, no further. 125 x 500 B are half of it,
        // 62 x 500 B less than a quarter.
        const std::vector<std::tuple<double, uint32_t, uint64_t>> alphas{{1, 125, 62500},
                                                                         {0.5, 62, 93750}};
        for (const auto& [alpha, all, least] : alphas)
        {
            Create(alpha);
            for (uint32_t i = 0; i < all; ++i)
            {
                m_cc->TellBts(MakeNotice(i, false));
            }
            NS_TEST_EXPECT_MSG_EQ(m_cc->GetWindow(), 125000 - 500 * all, "each");
            m_cc->TellBts(MakeNotice(all, false));
            m_cc->TellBts(MakeNotice(all + 1, false));
            NS_TEST_EXPECT_MSG_EQ(m_cc->GetWindow(), least, "no further");
            Ack(125, true, 125000);
            NS_TEST_EXPECT_MSG_EQ(m_cc->GetWindow(), least, "nor by the echoes");
        }
        Create(0.5);
        m_cc->TellBts(MakeNotice(0, false));
        m_cc->TellBts(MakeNotice(1, true));
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetWindow(), 62500, "a drop of the same window of data");

        // The other way round: the echo was first.
        Create(1);
        Ack(1, true, 125000);
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetWindow(), 62500, "echo");
        m_cc->TellBts(MakeNotice(1, false));
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetWindow(), 62500, "then a notification");

        // A drop by half, whether it is the first notification or the second.
        Create(0.5);
        m_cc->TellBts(MakeNotice(0, false, true));
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetWindow(), 125000, "repeated, and no drop");
        m_cc->TellBts(MakeNotice(0, false));
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetWindow(), 124500, "half a packet");
        for (const bool repeated : {false, true})
        {
            Create(0.5);
            m_cc->TellBts(MakeNotice(0, true, repeated));
            NS_TEST_EXPECT_MSG_EQ(m_cc->GetWindow(), 62500, "a loss");
            Ack(125, true, 125000);
            NS_TEST_EXPECT_MSG_EQ(m_cc->GetWindow(), 62500, "marks of the same window of data");
        }
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetAlpha(), 0.5, "notifications are not counted");
    }

    uint64_t m_acked{0}; //!< bytes
};

/**
 * @ingroup dcfabric-tests
 * @brief DCQCN: two senders, one with CNPs and one with notifications.
 */
class BtsDcqcnTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        ManualHost hosts[2];
        Ptr<DcqcnCongestionControl> ccs[2];
        for (int i = 0; i < 2; ++i)
        {
            ccs[i] = CreateObject<DcqcnCongestionControl>();
            ccs[i]->Start(MakePath(), &hosts[i]);
        }
        NS_TEST_EXPECT_MSG_EQ(ccs[0]->GetNeeds().Reads(TypeId::LookupByName("ns3::WrebFeature")),
                              true,
                              "reads notifications");
        ccs[1]->TellBts(MakeNotice(50 * US, false, true));
        ccs[1]->TellBts(MakeNotice(50 * US, true, true));
        NS_TEST_EXPECT_MSG_EQ(ccs[1]->GetRate(), 100e9, "second notifications");
        NS_TEST_EXPECT_MSG_EQ(hosts[1].IsIdle(), true, "do nothing");

        // as the paper's timeline: cuts at 100 and 150 us, one that waits until 200 us
        for (const double us : {100.0, 150.0, 199.0, 330.0, 1000.0, 1001.0, 1400.0})
        {
            const auto ps = static_cast<int64_t>(us * US);
            for (int i = 0; i < 2; ++i)
            {
                hosts[i].RunUntil(*ccs[i], ps - 1);
            }
            ccs[0]->TellCnp(ps);
            ccs[1]->TellBts(MakeNotice(ps, us == 199.0)); // one of them of a drop
            ccs[1]->TellBts(MakeNotice(ps, true, true));  // the same packets again
            NS_TEST_EXPECT_MSG_EQ(ccs[0]->GetRate(), ccs[1]->GetRate(), "rate at " << us);
            NS_TEST_EXPECT_MSG_EQ(ccs[0]->GetTargetRate(), ccs[1]->GetTargetRate(), "at " << us);
            NS_TEST_EXPECT_MSG_EQ(ccs[0]->GetAlpha(ps), ccs[1]->GetAlpha(ps), "alpha at " << us);
            for (uint8_t timer = 0; timer < CongestionControl::N_TIMERS; ++timer)
            {
                NS_TEST_EXPECT_MSG_EQ(hosts[0].GetTimer(timer), hosts[1].GetTimer(timer), "timer");
            }
            if (us == 100.0)
            {
                NS_TEST_EXPECT_MSG_EQ(ccs[1]->GetRate(), 50e9, "alpha 1: by half");
            }
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief DCQCN: notifications and the echoes of their marks.
 */
class BtsDcqcnEchoTestCase : public ControlTestCase<DcqcnCongestionControl>
{
    using ControlTestCase::ControlTestCase;

    /**
     * @brief Begin.
     * @param cnps marks come as CNPs; false: in ACKs
     */
    void Create(bool cnps)
    {
        ControlTestCase::Create();
        if (!cnps)
        {
            m_cc->SetAttribute("CnpInterval", TimeValue(Seconds(0)));
        }
        Start();
    }

    /**
     * @brief A BTS arrives.
     * @param us when
     * @param dropped, repeated what it tells
     */
    void Bts(int64_t us, bool dropped = false, bool repeated = false)
    {
        m_cc->TellBts(MakeNotice(us * US, dropped, repeated));
    }

    /**
     * @brief A CNP arrives.
     * @param us when
     */
    void Cnp(int64_t us)
    {
        m_cc->TellCnp(us * US);
    }

    /**
     * @brief An ACK of marked packets arrives.
     * @param us when
     * @param marked how many
     */
    void Ack(int64_t us, uint32_t marked)
    {
        m_cc->Acknowledge(MakeAck(us * US, 10, marked));
    }

    /**
     * @brief Compare.
     * @param us until then, timers included
     * @param cuts that there should have been
     * @param what it shows
     */
    void Expect(int64_t us, uint64_t cuts, const std::string& what)
    {
        m_host.RunUntil(*m_cc, us * US);
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetReductions(), cuts, what);
    }

    void DoRun() override
    {
        // cuts are 50 us apart: what counts in between cuts when these are over
        Create(true);
        Bts(100);
        Expect(100, 1, "at once");
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetRate(), 50e9, "alpha 1: by half");
        Bts(101);
        Expect(149, 1, "another packet, too early");
        Expect(150, 2, "which is acted on now");
        Ack(151, 1);
        Cnp(152); // one CNP for both marks, of which one still waits in the queue
        Ack(210, 1);
        Cnp(211);
        Expect(300, 2, "their echoes, however late");
        Ack(300, 1);
        Cnp(300);
        Expect(300, 3, "a mark of which there was no BTS");
        Cnp(301);
        Expect(399, 3, "of which the last CNP was");
        Bts(400, true);
        Expect(400, 4, "a drop");
        Ack(450, 1);
        Cnp(450);
        Expect(450, 5, "of which no echo can be expected");
        Bts(500);
        Bts(505, true, true);
        Expect(549, 6, "one, and its packet is dropped: not twice");
        Ack(550, 1);
        Cnp(550);
        Expect(550, 7, "which does not hide another packet's CNP");

        // marks in ACKs are counted
        Create(false);
        Bts(100);
        Bts(101);
        Expect(150, 2, "two");
        Ack(160, 1);
        Ack(161, 1);
        Expect(299, 2, "both echoes");
        Ack(300, 1);
        Expect(300, 3, "a mark of which there was no BTS");
        Bts(400);
        Expect(400, 4, "one");
        Ack(450, 2);
        Expect(450, 5, "two marks for one BTS");
        Ack(499, 0);
        Expect(600, 5, "no mark");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief DCQCN: how far notifications that tell the share lead down.
 */
class BtsDcqcnShareTestCase : public ControlTestCase<DcqcnCongestionControl>
{
    using ControlTestCase::ControlTestCase;

    /**
     * @brief A BTS arrives that tells of flows at a link.
     * @param us when
     * @param dropped what it tells
     * @param flows how many
     * @param gbps rate of the link
     */
    void Bts(int64_t us, bool dropped = false, uint16_t flows = 4, uint32_t gbps = 100)
    {
        const Ptr<FabricPacketItem> item = FabricPacketItem::Create(FabricPacketType::BTS);
        item->As<BtsFields>() = ShareOf(flows);
        item->As<BtsFields>().rateMbps = gbps * 1000;
        BtsNotice notice = MakeNotice(us * US, dropped);
        notice.item = PeekPointer(item);
        m_cc->TellBts(notice);
    }

    /**
     * @brief Compare.
     * @param us until then, timers included
     * @param gbps rate that there should be
     * @param target of recovery, in Gb/s
     * @param what it shows
     */
    void Expect(int64_t us, double gbps, double target, const std::string& what)
    {
        m_host.RunUntil(*m_cc, us * US);
        NS_TEST_EXPECT_MSG_EQ_TOL(m_cc->GetRate(), gbps * 1e9, 1, what);
        NS_TEST_EXPECT_MSG_EQ_TOL(m_cc->GetTargetRate(), target * 1e9, 1, what << ": target");
    }

    void DoRun() override
    {
        // The share is 25 Gb/s, T 10 us, alpha 1. Above the share decreases are T apart, at it 50
        // us; they end at half of it. All of them are one decrease: the target is 100 Gb/s. What
        // comes then leaves rate and target, but has the 55 us of the increase begin anew.
        for (const bool dropped : {false, true})
        {
            Create();
            Start();
            Bts(100, dropped);
            Expect(100, 50, 100, "at once");
            Bts(101, dropped);
            Expect(109, 50, 100, "T is not over");
            Expect(110, 25, 100, "T later: the share");
            Bts(112, dropped);
            Expect(159, 25, 100, "at the share there is time");
            Expect(160, 12.5, 100, "once below");
            Bts(161, dropped);
            Expect(215, 12.5, 100, "no further");
            Expect(216, 56.25, 100, "half-way back");

            // 50 us after the first: another decrease, whose target is the rate by now. An interval
            // of 55 us has passed since 161 us, in which alpha has lost 1/256.
            const double keep = 1 - 255.0 / 512;
            Bts(220, dropped);
            Expect(220, 56.25 * keep, 56.25, "anew");
        }

        // A mark of which no BTS has told is DCQCN's own affair.
        Create();
        Start();
        for (const int64_t us : {100, 110, 160})
        {
            Bts(us);
        }
        Expect(160, 12.5, 100, "once below");
        m_cc->Acknowledge(MakeAck(211 * US, 3, 3)); // those three
        m_cc->Acknowledge(MakeAck(211 * US, 1, 1));
        m_cc->TellCnp(211 * US);
        Expect(211, 6.25, 6.25 * 2, "below what a BTS would leave");
        Bts(220);
        Expect(220, 6.25, 25, "the target is never less than the share");
        Expect(275, 15.625, 25, "half-way back");

        // The target is never above the line rate: a share of 150 Gb/s, half of which is 75.
        Create();
        Start();
        Bts(100, false, 2, 300);
        Expect(100, 75, 100, "half of the share");
        Expect(155, 87.5, 100, "half-way back");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief All others.
 */
class BtsDefaultTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// A sender with the time of its PDC.
    struct Sender
    {
        ManualAsker asker;         //!< for credit; outlives the control
        ManualHost host;           //!< timers
        Ptr<CongestionControl> cc; //!< under test
    };

    /**
     * @brief Begin, and get an ACK if it needs no telemetry.
     * @param sender whom
     * @param name TypeId
     */
    static void Start(Sender& sender, const std::string& name)
    {
        sender.cc = ObjectFactory(name).Create<CongestionControl>();
        PathInfo path = MakePath();
        path.intFormat = CreateObject<IntFormat>();
        path.switches = 3;
        if (const auto driven = DynamicCast<ReceiverDrivenControl>(sender.cc))
        {
            driven->SetAsker(&sender.asker);
        }
        sender.cc->Start(path, &sender.host);
        const CongestionControlNeeds needs = sender.cc->GetNeeds();
        if (!needs.dataInt && !needs.ackInt)
        {
            AckInfo ack = MakePacketAck(11 * US, false, 1000, 20000, 11 * US);
            const Ptr<FabricPacketItem> item = FabricPacketItem::Create(FabricPacketType::ACK);
            ack.item = PeekPointer(item);
            sender.cc->Acknowledge(ack);
        }
    }

    /**
     * @brief Expect two senders to be in one state.
     * @param a one
     * @param b the other
     * @param what case
     */
    void ExpectSame(const Sender& a, const Sender& b, const std::string& what)
    {
        NS_TEST_EXPECT_MSG_EQ(a.cc->GetWindow(), b.cc->GetWindow(), what << ": window");
        NS_TEST_EXPECT_MSG_EQ(a.cc->GetRate(), b.cc->GetRate(), what << ": rate");
        NS_TEST_EXPECT_MSG_EQ(a.cc->GetReductions(), b.cc->GetReductions(), what << ": cuts");
        for (uint8_t timer = 0; timer < CongestionControl::N_TIMERS; ++timer)
        {
            NS_TEST_EXPECT_MSG_EQ(a.host.GetTimer(timer),
                                  b.host.GetTimer(timer),
                                  what << ": timer");
        }
    }

    /**
     * @brief One algorithm.
     * @param name TypeId
     */
    void Check(const std::string& name)
    {
        Sender plain;
        Sender early;
        Sender told;
        Sender lost;
        for (Sender* sender : {&plain, &early, &told, &lost})
        {
            Start(*sender, name);
        }
        const int64_t nowPs = 30 * US;
        early.cc->TellBts(MakeNotice(nowPs, false));
        early.cc->TellBts(MakeNotice(nowPs, false, true));
        ExpectSame(early, plain, name + ", early");
        BtsNotice known = MakeNotice(nowPs, true);
        known.lostBytes = 0;
        early.cc->TellBts(known);
        ExpectSame(early, plain, name + ", a drop of what is acknowledged or known to be lost");
        told.cc->TellBts(MakeNotice(nowPs, true));
        lost.cc->TellLoss(nowPs, 1000);
        ExpectSame(told, lost, name + ", a drop");
        if (lost.cc->GetReductions() > plain.cc->GetReductions())
        {
            m_cut.insert(name);
        }
    }

    void DoRun() override
    {
        ExternalCongestionControl::SetDecider([](ExternalCongestionCall& call) {
            if (call.kind == ExternalCongestionCall::LOSS)
            {
                call.window = call.lostBytes;
            }
        });
        std::set<std::string> readers;
        std::set<std::string> others;
        for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
        {
            const TypeId tid = TypeId::GetRegistered(i);
            const std::string name = tid.GetName();
            if (!tid.IsChildOf(CongestionControl::GetTypeId()) || !tid.HasConstructor() ||
                name.rfind("ns3::tests::", 0) == 0)
            {
                continue;
            }
            const auto cc = ObjectFactory(name).Create<CongestionControl>();
            if (cc->GetNeeds().Reads(TypeId::LookupByName("ns3::WrebFeature")))
            {
                readers.insert(name);
                continue;
            }
            others.insert(name);
            Check(name);
        }
        ExternalCongestionControl::SetDecider({});
        const std::set<std::string> expected{"ns3::BtsCongestionControl",
                                             "ns3::DcqcnCongestionControl",
                                             "ns3::DcqcnPlusCongestionControl",
                                             "ns3::DctcpCongestionControl"};
        NS_TEST_EXPECT_MSG_EQ((readers == expected), true, "who reads notifications");
        for (const char* name : {"Hpcc", "Fncc", "Timely", "Swift", "Rocc", "No", "External"})
        {
            NS_TEST_EXPECT_MSG_EQ(others.count("ns3::" + std::string(name) + "CongestionControl"),
                                  1,
                                  name);
        }
        const std::set<std::string> cutting{"ns3::BoltCongestionControl",
                                            "ns3::ExternalCongestionControl",
                                            "ns3::IbCongestionControl",
                                            "ns3::MprdmaCongestionControl",
                                            "ns3::NsccCongestionControl",
                                            "ns3::NsccRcccCongestionControl",
                                            "ns3::SwiftCongestionControl",
                                            "ns3::SwiftRcccCongestionControl"};
        std::string found;
        for (const std::string& name : m_cut)
        {
            found += " " + name;
        }
        NS_TEST_EXPECT_MSG_EQ((m_cut == cutting), true, "those that a loss makes cut:" << found);
    }

    std::set<std::string> m_cut; //!< who cut
};

/// Reactions to notifications.
const SuiteCases g_cases("dcfabric-bts", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new BtsDctcpTestCase(
        "DCTCP: half a packet at once, its echo nothing, together no more than by half of alpha"));
    suite.AddTestCase(new BtsDcqcnTestCase("DCQCN: a notification is a CNP"));
    suite.AddTestCase(
        new BtsDcqcnEchoTestCase("DCQCN: what was notified does not cut again when it is echoed"));
    suite.AddTestCase(new BtsDcqcnShareTestCase(
        "DCQCN: what tells the share leads once below, quickly, and as one decrease"));
    suite.AddTestCase(
        new BtsDefaultTestCase("all others: a drop is a loss, an early notification nothing"));
});

} // namespace ns3::tests::bts_reactions_test
