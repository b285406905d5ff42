// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-receiver.h"
#include "fabric-test-suite.h"

#include "ns3/double.h"
#include "ns3/fabric-credit-rate.h"
#include "ns3/host-backlog.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <string>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief What receivers grant to whom and when, against sequences worked out by hand.
 *
 * Full packets have frames of 4096 B, or 16 units of credit, unless a case says otherwise; links
 * have 100 Gb/s and the base RTT is 12 us, so that the bandwidth-delay product is 150,000 B.
 */

namespace ns3::tests::receiver_control_test
{

constexpr const char* RCCC = "ns3::RcccReceiverControl"; //!< short name
constexpr const char* NDP = "ns3::NdpReceiverControl";   //!< short name
constexpr const char* HOMA = "ns3::HomaReceiverControl"; //!< short name

/**
 * @ingroup dcfabric-tests
 * @brief Totals in 24 bits.
 */
class UnitsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(CreditUnits::RoundUp(0), 0, "nothing");
        NS_TEST_EXPECT_MSG_EQ(CreditUnits::RoundUp(1), 1, "a part is a unit");
        NS_TEST_EXPECT_MSG_EQ(CreditUnits::RoundUp(256), 1, "a unit");
        NS_TEST_EXPECT_MSG_EQ(CreditUnits::RoundUp(257), 2, "one more");
        constexpr uint64_t RANGE = uint64_t{1} << 24;
        for (const uint64_t known : {uint64_t{0}, uint64_t{5}, RANGE - 1, RANGE, 7 * RANGE + 3})
        {
            for (const int64_t excess : {-8388608, -5, -1, 0, 1, 5, 8388607})
            {
                const auto total = static_cast<uint64_t>(static_cast<int64_t>(known) + excess);
                NS_TEST_EXPECT_MSG_EQ(CreditUnits::GetExcess(CreditUnits::ToDemand(total), known),
                                      excess,
                                      "of " << known);
            }
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Turns of RCCC: size, pace, order, slow credit.
 */
class RcccTurnsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// Four packets are 16,384 B, 64 units. At 0.99 x 100 Gb/s they take 16,384 x 8 / 99 Gb/s =
    /// 1323.9596 ns, at 400 Gb/s 330.9899 ns. Parts of a picosecond are kept: the third turn
    /// begins after 2 x 1,323,959.596 = 2,647,919.19 ps.
    void CheckPace()
    {
        m_nic.Create(RCCC);
        m_nic.Arrive(0, 1000);
        m_nic.RunUntil(3 * US);
        NS_TEST_ASSERT_MSG_EQ(m_nic.sent.size(), 3, "grants");
        for (uint32_t i = 0; i < 3; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(m_nic.sent[i].total, 64 * (i + 1), "total " << i);
            NS_TEST_EXPECT_MSG_EQ(m_nic.sent[i].nowPs,
                                  static_cast<int64_t>(i * 16384 * 8e12 / 99e9),
                                  "time " << i);
            NS_TEST_EXPECT_MSG_EQ(+m_nic.sent[i].priority, 0xff, "its own class");
        }
        m_nic.Create(RCCC, 4096, 400e9);
        m_nic.Arrive(0, 1000);
        m_nic.RunUntil(340 * 1000);
        NS_TEST_ASSERT_MSG_EQ(m_nic.sent.size(), 2, "grants");
        NS_TEST_EXPECT_MSG_EQ(m_nic.sent[1].nowPs, 330989, "at 400 Gb/s");
    }

    /// What is wanted ends within a turn: 70 units are 64 and 6, which take 6 / 64 of the time.
    void CheckRest()
    {
        m_nic.Create(RCCC);
        m_nic.control->SetAttribute("SlowWindow", DoubleValue(0));
        m_nic.Arrive(0, 70);
        m_nic.RunUntil(10 * US);
        NS_TEST_ASSERT_MSG_EQ(m_nic.sent.size(), 2, "without slow credit");
        NS_TEST_EXPECT_MSG_EQ(m_nic.sent[1].total, 70, "the rest");
        m_nic.Arrive(0, 71);
        NS_TEST_ASSERT_MSG_EQ(m_nic.sent.size(), 3, "at once: the pace permits it");
        NS_TEST_EXPECT_MSG_EQ(m_nic.sent[2].total, 71, "one unit");
        m_nic.Arrive(0, 71);
        m_nic.Arrive(0, 60); // was overtaken
        m_nic.RunUntil(20 * US);
        NS_TEST_EXPECT_MSG_EQ(m_nic.sent.size(), 3, "nothing new is wanted");
    }

    /// Two senders of 1 MB: turns alternate, so that each has half of 99 Gb/s.
    void CheckOrder()
    {
        m_nic.Create(RCCC);
        m_nic.Arrive(0, 4000);
        m_nic.Arrive(1, 4000);
        m_nic.RunUntil(9 * US); // 6.8 turns later
        NS_TEST_EXPECT_MSG_EQ(m_nic.GetFlows(), "0010101", "0 is alone in its first turn");
    }

    /// Of two flows that want nothing each gets four packets in turn, up to 1.5 x 150,000 B =
    /// 225,000 B, 878 units, beyond what it wants: 13 turns reach 832, 14 reach 896.
    void CheckSlowCredit()
    {
        m_nic.Create(RCCC);
        m_nic.Arrive(0, 0);
        m_nic.Arrive(1, 0);
        m_nic.RunUntil(2 * US);
        NS_TEST_EXPECT_MSG_EQ(m_nic.GetFlows(), "00", "the first was alone");
        m_nic.Arrive(2, 64);
        m_nic.RunUntil(5 * US);
        NS_TEST_EXPECT_MSG_EQ(m_nic.GetFlows(), "0021", "who wants any goes before");
        m_nic.RunUntil(1000 * US);
        NS_TEST_EXPECT_MSG_EQ(m_nic.control->GetGranted(0), 896, "in all");
        NS_TEST_EXPECT_MSG_EQ(m_nic.control->GetGranted(1), 896, "in all");
        NS_TEST_EXPECT_MSG_EQ(m_nic.control->GetGranted(2), 960, "64 wanted, 14 turns more");
        NS_TEST_EXPECT_MSG_EQ(m_nic.sent.size(), 14 + 14 + 15, "and no more");
    }

    /// A PDC that goes gets no slow credit, until it is heard of again. One that wants credit gets
    /// that all the same: its packets are on their way.
    void CheckGone()
    {
        m_nic.Create(RCCC);
        m_nic.Arrive(0, 0);
        m_nic.Arrive(1, 100);
        m_nic.control->TellGone(0);
        m_nic.control->TellGone(1);
        m_nic.control->TellGone(7); // never heard of
        m_nic.RunUntil(4 * US);
        NS_TEST_EXPECT_MSG_EQ(m_nic.control->GetGranted(0), 64, "its first turn");
        m_nic.RunUntil(100 * US);
        NS_TEST_EXPECT_MSG_EQ(m_nic.control->GetGranted(0), 64, "no more");
        NS_TEST_EXPECT_MSG_EQ(m_nic.control->GetGranted(1), 100, "what it wants");
        m_nic.Arrive(0, 0);
        m_nic.RunUntil(200 * US);
        NS_TEST_EXPECT_MSG_EQ(m_nic.control->GetGranted(0), 896, "it is back");
    }

    /// A trimmed packet is to come again, though the demand that it carries does not tell so yet.
    void CheckTrim()
    {
        m_nic.Create(RCCC);
        m_nic.control->SetAttribute("SlowWindow", DoubleValue(0));
        m_nic.Arrive(0, 0, 64, true);
        m_nic.RunUntil(10 * US);
        NS_TEST_ASSERT_MSG_EQ(m_nic.sent.size(), 1, "a grant");
        NS_TEST_EXPECT_MSG_EQ(m_nic.sent[0].total, 16, "a full packet");
    }

    /// A sender that asks has no credit: if it was granted all that it wants, the last grant is
    /// lost, and the total is told again. One that nothing was granted wants nothing.
    void CheckAsk()
    {
        m_nic.Create(RCCC);
        m_nic.control->SetAttribute("SlowWindow", DoubleValue(0));
        m_nic.Ask(0, 0);
        NS_TEST_EXPECT_MSG_EQ(m_nic.sent.size(), 0, "nothing to tell");
        m_nic.Ask(0, 20);
        m_nic.Ask(0, 20);
        NS_TEST_ASSERT_MSG_EQ(m_nic.sent.size(), 2, "again, whatever the pace");
        NS_TEST_EXPECT_MSG_EQ(m_nic.sent[1].total, 20, "the same");
    }

    void DoRun() override
    {
        CheckPace();
        CheckRest();
        CheckOrder();
        CheckSlowCredit();
        CheckGone();
        CheckTrim();
        CheckAsk();
    }

    ManualReceiver m_nic; //!< the host
};

/**
 * @ingroup dcfabric-tests
 * @brief How RCCC slows down: for the fabric and for the host.
 */
class RcccRatesTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// Enter packets. @param n in all @param marked of these @param trimmed likewise
    void Enter(uint32_t n, uint32_t marked, uint32_t trimmed = 0)
    {
        for (uint32_t i = 0; i < n; ++i)
        {
            m_part.Enter(i < marked, i < trimmed);
        }
    }

    /// An interval ends. @param part that is expected then @param what for messages
    void Expect(double part, const std::string& what)
    {
        const double now = m_part.Update();
        NS_TEST_EXPECT_MSG_EQ_TOL(now, part, 1e-12, what);
    }

    /// Least part 0.9 / 2 = 0.45. All packets marked: the average is 0.5, 0.75; the part
    /// 1 - 0.2 / 2 = 0.9, then 0.9 x (1 - 0.45 / 2) = 0.6975. None: 0.375 is still above 0.3, which
    /// costs 0.075 / 2; then 0.1875, and the part grows by 0.01, 0.02, 0.04. One of ten: by 0.01,
    /// and what follows begins with 0.01 again. Two of ten trimmed: 0.2 less.
    void CheckFabric()
    {
        m_part = FabricCreditRate(0.45);
        Enter(10, 10);
        Expect(0.9, "average 0.5");
        Enter(10, 10);
        double part = 0.6975;
        Expect(part, "average 0.75");
        part *= 1 - 0.075 / 2;
        Enter(10, 0);
        Expect(part, "average 0.375");
        for (const double step : {0.01, 0.02, 0.04})
        {
            Enter(10, 0);
            part += step;
            Expect(part, "quiet");
        }
        Enter(10, 1);
        part += 0.01;
        Expect(part, "a mark");
        part += 0.01;
        Expect(part, "no packet: quiet");
        Enter(10, 0, 2);
        part -= 0.2;
        Expect(part, "trims");
        for (uint32_t i = 0; i < 9; ++i)
        {
            Enter(1, 1);
            m_part.Update();
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(m_part.Get(), 0.45, 1e-12, "never less");
        for (uint32_t i = 0; i < 20; ++i)
        {
            m_part.Update();
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(m_part.Get(), 1, 1e-12, "never more");
    }

    /// Below 1 MB all is granted; 3 MB leave (2 / 4)^2 = 0.25, 4.75 MB are not yet too much:
    /// (0.25 / 4)^2 = 0.0039; above it is 0.001. 50 Gb/s take 6250 B in a us.
    void CheckHost()
    {
        NS_TEST_EXPECT_MSG_EQ(HostBacklog::GetFactor(0), 1, "nothing waits");
        NS_TEST_EXPECT_MSG_EQ(HostBacklog::GetFactor(999999), 1, "below");
        NS_TEST_EXPECT_MSG_EQ(HostBacklog::GetFactor(1e6), 1, "the quotient begins with 1");
        NS_TEST_EXPECT_MSG_EQ_TOL(HostBacklog::GetFactor(3e6), 0.25, 1e-12, "in the middle");
        NS_TEST_EXPECT_MSG_EQ_TOL(HostBacklog::GetFactor(4.75e6), 1.0 / 256, 1e-12, "95 %");
        NS_TEST_EXPECT_MSG_EQ_TOL(HostBacklog::GetFactor(4.76e6), 0.001, 1e-12, "more");
        NS_TEST_EXPECT_MSG_EQ_TOL(HostBacklog::GetFactor(5e6), 0.001, 1e-12, "full");
        HostBacklog backlog;
        backlog.Add(0, 10000, 50e9);
        backlog.Add(US, 1000, 50e9);
        NS_TEST_EXPECT_MSG_EQ_TOL(backlog.Get(US, 50e9), 4750, 1e-6, "10,000 - 6250 + 1000");
        NS_TEST_EXPECT_MSG_EQ_TOL(backlog.Get(2 * US, 50e9), 0, 1e-6, "never below zero");
        backlog.Add(2 * US, 9e6, 50e9);
        NS_TEST_EXPECT_MSG_EQ_TOL(backlog.Get(2 * US, 50e9), 5e6, 1e-6, "never above its memory");
    }

    /// All packets are marked in an interval of 1.5 x 12 us x 0.75 to 1.25: then turns of 64 units
    /// take more time, by 1 / 0.9 after the first interval.
    void CheckMarks()
    {
        ManualReceiver nic;
        nic.Create("ns3::RcccFabricReceiverControl");
        ReceiverArrival arrival;
        arrival.frameBytes = 4096;
        arrival.marked = true;
        arrival.demand = 100000;
        nic.control->TellArrival(arrival);
        nic.RunUntil(23 * US);
        const std::size_t before = nic.sent.size();
        NS_TEST_EXPECT_MSG_EQ(before, 1 + 17, "23 us of 1.324 us each");
        arrival.nowPs = 23 * US;
        nic.control->TellArrival(arrival);
        nic.RunUntil(30 * US);
        const auto& sent = nic.sent;
        NS_TEST_EXPECT_MSG_EQ_TOL(
            static_cast<double>(sent[before + 2].nowPs - sent[before + 1].nowPs),
            16384 * 8e12 / (0.9 * 99e9),
            2,
            "at 0.9 of the rate");
    }

    void DoRun() override
    {
        CheckFabric();
        CheckHost();
        CheckMarks();
    }

    FabricCreditRate m_part{1}; //!< under test
};

/**
 * @ingroup dcfabric-tests
 * @brief Pulls of NDP. Full packets of 1000 B are 3.9 units: totals are rounded up.
 */
class NdpTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// Each packet pulls one, at 100 Gb/s; 4 units of 256 B take 81.92 ns, 3 units 61.44 ns. Three
    /// pulls are 3000 B, 11.7 units: 4, 8, 12. Two flows take turns.
    void CheckPulls()
    {
        m_nic.Create(NDP, 1000);
        m_nic.Arrive(0, 100, 1000);
        m_nic.Arrive(0, 100, 1000);
        m_nic.Arrive(0, 100, 64, true); // trimmed
        m_nic.Arrive(1, 100, 1000);
        m_nic.RunUntil(10 * US);
        NS_TEST_EXPECT_MSG_EQ(m_nic.GetFlows(), "0010", "a pull for each, in turn");
        NS_TEST_EXPECT_MSG_EQ(m_nic.control->GetGranted(0), 12, "three packets");
        NS_TEST_EXPECT_MSG_EQ(m_nic.control->GetGranted(1), 4, "one packet");
        NS_TEST_EXPECT_MSG_EQ(m_nic.sent[1].nowPs, 81920, "4 units of 256 B at 100 Gb/s");
        m_nic.Arrive(0, 100, 1000);
        NS_TEST_EXPECT_MSG_EQ(m_nic.control->GetGranted(0), 16, "4000 B are 15.6 units");
        m_nic.RunUntil(11 * US);
        for (uint32_t i = 0; i < 12; ++i)
        {
            m_nic.Arrive(0, 100, 1000);
            m_nic.RunUntil(m_nic.nowPs + US);
        }
        NS_TEST_EXPECT_MSG_EQ(m_nic.control->GetGranted(0), 63, "16,000 B are 62.5 units, not 64");
    }

    /// What is not wanted is not pulled: 10 units are two packets and a part.
    void CheckEnd()
    {
        m_nic.Create(NDP, 1000);
        m_nic.Arrive(0, 0, 1000);
        NS_TEST_EXPECT_MSG_EQ(m_nic.sent.size(), 0, "all was sent at once");
        for (uint32_t i = 0; i < 6; ++i)
        {
            m_nic.Arrive(0, 10, 1000);
        }
        m_nic.RunUntil(10 * US);
        NS_TEST_EXPECT_MSG_EQ(m_nic.sent.size(), 3, "no more than is wanted");
        NS_TEST_EXPECT_MSG_EQ(m_nic.control->GetGranted(0), 10, "all that is wanted");
    }

    /// One that asks is pulled a window, 1 + 150,000 / 1000 packets, but no more than it wants.
    void CheckAsk()
    {
        m_nic.Create(NDP, 1000);
        m_nic.Ask(0, 5000);
        m_nic.RunUntil(100 * US);
        NS_TEST_EXPECT_MSG_EQ(m_nic.sent.size(), 151, "a window");
        m_nic.Ask(1, 5);
        m_nic.RunUntil(200 * US);
        NS_TEST_EXPECT_MSG_EQ(m_nic.control->GetGranted(1), 5, "a message of two packets");
    }

    void DoRun() override
    {
        CheckPulls();
        CheckEnd();
        CheckAsk();
    }

    ManualReceiver m_nic; //!< the host
};

/**
 * @ingroup dcfabric-tests
 * @brief Grants of Homa. Two flows at a time where a case says so.
 */
class HomaTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// A packet makes room for one: 16 units. What was sent unscheduled is not granted.
    void CheckOneByOne()
    {
        m_nic.Create(HOMA);
        m_nic.Arrive(0, 1000);
        m_nic.Arrive(0, 1000);
        m_nic.Arrive(0, 1000, 64, true);
        NS_TEST_ASSERT_MSG_EQ(m_nic.sent.size(), 3, "one for each, at once");
        NS_TEST_EXPECT_MSG_EQ(m_nic.sent[2].total, 48, "in all");
        NS_TEST_EXPECT_MSG_EQ(+m_nic.sent[2].priority, 0, "alone: the lowest class");
        m_nic.Arrive(1, 0);
        m_nic.Arrive(1, 0);
        NS_TEST_EXPECT_MSG_EQ(m_nic.sent.size(), 3, "a short message wants none");
    }

    /// The end is granted though it is no full packet.
    void CheckEnd()
    {
        m_nic.Create(HOMA);
        m_nic.Arrive(0, 20);
        m_nic.Arrive(0, 20);
        m_nic.Arrive(0, 20);
        NS_TEST_EXPECT_MSG_EQ(m_nic.sent.size(), 2, "16 and 4");
        NS_TEST_EXPECT_MSG_EQ(m_nic.control->GetGranted(0), 20, "all");
        // what came meanwhile counts for nothing when more is wanted
        m_nic.Arrive(0, 1000);
        NS_TEST_EXPECT_MSG_EQ(m_nic.control->GetGranted(0), 36, "one packet");
    }

    /// Least left first: of three flows two are granted. When the shortest ends, the third one
    /// gets what its packets have made room for. Classes: of two flows 1 and 0.
    void CheckShortest()
    {
        m_nic.Create(HOMA);
        m_nic.control->SetAttribute("Overcommitment", UintegerValue(2));
        m_nic.Arrive(0, 3000);
        m_nic.Arrive(1, 2000);
        m_nic.Arrive(2, 32);
        m_nic.Arrive(0, 3000);
        NS_TEST_EXPECT_MSG_EQ(m_nic.GetFlows(), "012", "the longest waits");
        m_nic.Arrive(1, 2000);
        NS_TEST_EXPECT_MSG_EQ(m_nic.GetFlows(), "0121", "the second does not");
        NS_TEST_EXPECT_MSG_EQ(+m_nic.sent[2].priority, 1, "the shortest is above");
        NS_TEST_EXPECT_MSG_EQ(+m_nic.sent[3].priority, 0, "the other one");
        m_nic.Arrive(2, 32);
        NS_TEST_EXPECT_MSG_EQ(m_nic.GetFlows(), "012120", "room for the longest");
        NS_TEST_EXPECT_MSG_EQ(m_nic.control->GetGranted(2), 32, "has all");
        NS_TEST_EXPECT_MSG_EQ(m_nic.control->GetGranted(0), 32, "as its packets");
    }

    /// One that asks has nothing on its way: 150,000 B are 585 whole units.
    void CheckAsk()
    {
        m_nic.Create(HOMA);
        m_nic.Ask(0, 3000);
        NS_TEST_EXPECT_MSG_EQ(m_nic.control->GetGranted(0), 585, "a window");
        m_nic.Ask(0, 3000);
        NS_TEST_EXPECT_MSG_EQ(m_nic.control->GetGranted(0), 1170, "another: all of it was lost");
    }

    /// What was trimmed is wanted again, although its sender has told of nothing. 16 units take
    /// 4096 x 8 / 90 Gb/s = 364.09 ns, 327.68 ns without a trim for 12 us, and nothing after 2.4
    /// ms.
    void CheckTrims()
    {
        m_nic.Create(HOMA);
        for (uint32_t i = 0; i < 4; ++i)
        {
            m_nic.Arrive(0, 0, 64, true);
        }
        NS_TEST_EXPECT_MSG_EQ(m_nic.control->GetGranted(0), 16, "the pace permits the first");
        m_nic.RunUntil(364000);
        NS_TEST_EXPECT_MSG_EQ(m_nic.sent.size(), 1, "0.9 of the line");
        m_nic.RunUntil(10 * US);
        NS_TEST_EXPECT_MSG_EQ(m_nic.control->GetGranted(0), 64, "all");
        m_nic.RunUntil(20 * US);
        m_nic.Arrive(0, 1000);
        m_nic.Arrive(0, 1000);
        NS_TEST_EXPECT_MSG_EQ(m_nic.control->GetGranted(0), 64 + 16, "the first");
        m_nic.RunUntil(20 * US + 327000);
        NS_TEST_EXPECT_MSG_EQ(m_nic.control->GetGranted(0), 64 + 16, "the line");
        m_nic.RunUntil(20 * US + 328000);
        NS_TEST_EXPECT_MSG_EQ(m_nic.control->GetGranted(0), 64 + 32, "the second");
        m_nic.RunUntil(2401 * US);
        m_nic.Arrive(0, 1000);
        m_nic.Arrive(0, 1000);
        NS_TEST_EXPECT_MSG_EQ(m_nic.control->GetGranted(0), 64 + 64, "arrivals are the pace again");
    }

    /// A message that is complete wants nothing, whatever was trimmed of it.
    void CheckOver()
    {
        m_nic.Create(HOMA);
        m_nic.control->SetAttribute("Overcommitment", UintegerValue(1));
        m_nic.Arrive(0, 0);
        ReceiverArrival last;
        last.frameBytes = 64;
        last.trimmed = true;
        last.gone = true; // nothing of the next message has come
        m_nic.control->TellArrival(last);
        m_nic.control->TellArrival(last);
        NS_TEST_EXPECT_MSG_EQ(m_nic.control->GetGranted(0), 16, "the second one by the pace");
        last.frameBytes = 4096;
        last.trimmed = false;
        m_nic.control->TellArrival(last);
        m_nic.Arrive(1, 1000);
        m_nic.RunUntil(1 * US);
        NS_TEST_EXPECT_MSG_EQ(m_nic.GetFlows(), "01", "which is not needed");
    }

    /// Who was granted and is silent for 200 base RTTs, 2.4 ms, is not counted; one that waits for
    /// its turn as long is.
    void CheckSilence()
    {
        m_nic.Create(HOMA);
        m_nic.control->SetAttribute("Overcommitment", UintegerValue(1));
        m_nic.Arrive(0, 1000);
        m_nic.Arrive(1, 2000);
        m_nic.RunUntil(2400 * US);
        m_nic.Arrive(2, 3000);
        NS_TEST_EXPECT_MSG_EQ(m_nic.GetFlows(), "0", "the first one may still send");
        m_nic.RunUntil(2400 * US + 1);
        m_nic.Arrive(2, 3000);
        NS_TEST_EXPECT_MSG_EQ(m_nic.GetFlows(), "01", "the second one may");
        m_nic.Arrive(0, 1000);
        NS_TEST_EXPECT_MSG_EQ(m_nic.GetFlows(), "010", "the first is back");
    }

    /// Under flow control packets keep their class.
    void CheckLossless()
    {
        m_nic.Create(HOMA, 4096, 100e9, 12 * US, true);
        m_nic.Arrive(0, 3000);
        NS_TEST_EXPECT_MSG_EQ(+m_nic.sent.at(0).priority, 0xff, "its own");
    }

    void DoRun() override
    {
        CheckOneByOne();
        CheckEnd();
        CheckShortest();
        CheckAsk();
        CheckTrims();
        CheckOver();
        CheckSilence();
        CheckLossless();
    }

    ManualReceiver m_nic; //!< the host
};

const SuiteCases g_cases("dcfabric-receiver-control", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new UnitsTestCase("units of credit"));
    suite.AddTestCase(new RcccTurnsTestCase("RCCC: turns"));
    suite.AddTestCase(new RcccRatesTestCase("RCCC: rates"));
    suite.AddTestCase(new NdpTestCase("NDP: pulls"));
    suite.AddTestCase(new HomaTestCase("Homa: grants"));
});

} // namespace ns3::tests::receiver_control_test
