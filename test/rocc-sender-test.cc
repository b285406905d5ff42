// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-congestion.h"
#include "fabric-test-suite.h"

#include "ns3/nstime.h"
#include "ns3/rocc-congestion-control.h"
#include "ns3/test.h"

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief RoCC's rules of the sender by themselves, against numbers worked out by hand.
 */

namespace ns3::tests::rocc_sender_test
{

/**
 * @ingroup dcfabric-tests
 * @brief Algorithm 2, at a line rate of 100 Gb/s.
 */
class RoccSenderTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// Begin with a new sender. @param delayUs ReactionDelay
    void Create(int64_t delayUs = 0)
    {
        m_cc = CreateObject<RoccCongestionControl>();
        m_cc->SetAttribute("ReactionDelay", TimeValue(MicroSeconds(delayUs)));
        m_host = ManualHost();
        m_cc->Start(MakePath(100000000000, 10 * US), &m_host);
    }

    /**
     * @brief A message arrives.
     * @param us when
     * @param gbps fair rate
     * @param point its congestion point
     */
    void Tell(int64_t us, double gbps, uint64_t point)
    {
        m_host.RunUntil(*m_cc, us * US - 1);
        RateNotice notice;
        notice.nowPs = us * US;
        notice.rateBps = gbps * 1e9;
        notice.congestionPoint = point;
        m_cc->OnRateNotice(notice);
    }

    /**
     * @brief Compare.
     * @param gbps rate
     * @param recoveryUs when the rate doubles, -1: never
     * @param what is tested
     */
    void Expect(double gbps, int64_t recoveryUs, const std::string& what)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(m_cc->GetRate(), gbps * 1e9, 1, what);
        const int64_t at = m_host.GetTimer(RoccCongestionControl::RECOVERY);
        NS_TEST_EXPECT_MSG_EQ((at == ManualHost::NEVER ? -1 : at / US), recoveryUs, what);
        NS_TEST_EXPECT_MSG_EQ(m_cc->IsLimited(), (recoveryUs >= 0), what);
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetWindow(), CongestionControl::UNLIMITED, "no window");
    }

    /**
     * @brief Let timers expire.
     * @param us up to this time
     */
    void RunUntil(int64_t us)
    {
        m_host.RunUntil(*m_cc, us * US);
    }

    void DoRun() override
    {
        Create();
        const auto needs = m_cc->GetNeeds();
        NS_TEST_EXPECT_MSG_EQ(needs.NeedsFeature("ns3::RoccFeature"), true, "needs messages");
        NS_TEST_EXPECT_MSG_EQ((needs.ecn || needs.dataInt || needs.ackInt), false, "nothing else");
        Expect(100, -1, "line rate at the start, no limit");
        m_cc->TellLoss(1, 1000);
        m_cc->TellTimeout(2);
        m_cc->TellCnp(3);
        Expect(100, -1, "no reaction to loss, time-out, CNP");

        Tell(100, 40, 1);
        Expect(40, 200, "lower than the present rate: accepted");
        Tell(110, 50, 2);
        Expect(40, 200, "higher, from another point: ignored, the timer goes on");
        Tell(120, 60, 1);
        Expect(60, 220, "higher, from the same point: accepted, the timer begins anew");
        Tell(130, 60, 2);
        Expect(60, 230, "equal, from another point: accepted");
        Tell(140, 70, 1);
        Expect(60, 230, "the point before has no say any more");
        Tell(150, 30, 1);
        Expect(30, 250, "lower, from another point: accepted");
        Tell(160, 20, 1);
        Tell(160, 20, 1);
        Expect(20, 260, "the same message twice");
        Tell(170, 25, 1);
        Tell(171, 20, 1);
        Expect(20, 271, "a message that a later one overtook counts until the next one");

        // Messages are lost: doubled after each 100 us, 40, 80; then the limit goes.
        RunUntil(270);
        Expect(20, 271, "not yet");
        RunUntil(271);
        Expect(40, 371, "doubled");
        Tell(371, 90, 2);
        Expect(40,
               371,
               "of a message and an expiry at the same time, here the message comes first "
               "and is too high");
        RunUntil(371);
        Expect(80, 471, "doubled again");
        Tell(400, 90, 1);
        Expect(90, 500, "during recovery the point that set the rate still counts");
        RunUntil(500);
        Expect(100, -1, "180 is beyond the line: no limit any more");
        NS_TEST_EXPECT_MSG_EQ(m_host.IsIdle(), true, "no timer");
        Tell(600, 120, 1);
        Expect(100, -1, "above the line rate: nothing to limit");
        Tell(610, 100, 1);
        Expect(100, -1, "the line rate limits nothing");
        Tell(620, 0.1, 7);
        Expect(0.1, 720, "Fmin");
        Tell(630, 100, 7);
        Expect(100, -1, "the same point says line rate: no limit any more");
        // 100 Mb/s x 2^10 > 100 Gb/s: recovered after ten doublings
        Tell(1000, 0.1, 7);
        RunUntil(1999);
        Expect(51.2, 2000, "nine doublings");
        RunUntil(2000);
        Expect(100, -1, "ten doublings");
        Tell(2100, 0, 7);
        Expect(0.001, 2200, "a rate of zero does not stop the flow for good");

        // 15 us until a message is effective, as the NICs of section 6 have. They do not overtake
        // one another; what counts is the state then.
        Create(15);
        Tell(100, 40, 1);
        Tell(105, 50, 1);
        Tell(107, 45, 2);
        Expect(100, -1, "none is effective");
        RunUntil(114);
        Expect(100, -1, "not yet");
        RunUntil(115);
        Expect(40, 215, "the first");
        RunUntil(120);
        Expect(50, 220, "the second, from the same point");
        RunUntil(122);
        Expect(45, 222, "the third is lower");
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetNAccepted(), 3, "accepted");
        RunUntil(400);
        NS_TEST_EXPECT_MSG_EQ(m_host.IsIdle(), true, "nothing waits");

        // A modifier that withholds the reduction: the sender goes on from what is due.
        m_cc = CreateObject<RoccCongestionControl>();
        m_cc->AddModifier(CreateObject<WithholdingModifier>());
        m_host = ManualHost();
        m_cc->Start(MakePath(100000000000, 10 * US), &m_host);
        Tell(100, 40, 1);
        Expect(100, 200, "withheld, but due for an RTT");
        RunUntil(200);
        Expect(100, -1, "forgiven: nothing to recover from");

        m_cc = CreateObject<RoccCongestionControl>();
        NS_TEST_EXPECT_MSG_EQ(m_cc->SetAttributeFailSafe("RecoveryInterval", TimeValue(Seconds(0))),
                              false,
                              "a rate that doubles all the time");
    }

    Ptr<RoccCongestionControl> m_cc; //!< under test
    ManualHost m_host;               //!< its timers
};

/// Sender of RoCC.
const SuiteCases g_cases("dcfabric-rocc", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new RoccSenderTestCase(
        "sender: which messages count, recovery, late, twice and lost messages"));
});

} // namespace ns3::tests::rocc_sender_test
