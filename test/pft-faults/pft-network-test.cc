// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-errors.h"
#include "../fabric-test-schedule.h"
#include "../fabric-test-suite.h"
#include "../fabric-test-transport.h"

#include "ns3/config.h"
#include "ns3/credit-flow-control.h"
#include "ns3/cycle-clock.h"
#include "ns3/double.h"
#include "ns3/fabric-faults.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-totals.h"
#include "ns3/integer.h"
#include "ns3/proactive-flow-throttle.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Proactive flow throttling in networks.
 *
 * Star of 100 Gb/s and 1 us: a full packet has 1062 bytes, 17 units of 64, 59 flits of 18.
 */

namespace ns3::tests::pft_network_test
{

const CycleClock CLOCK(700000000); //!< of the NICs

/**
 * @param fixed FT, else AT
 * @return a name for attributes
 */
TypeId
DetectorType(bool fixed)
{
    return fixed ? FixedThresholdDetector::GetTypeId() : AverageThresholdDetector::GetTypeId();
}

/**
 * @ingroup dcfabric-tests
 * @brief Sets defaults of attributes for as long as it lives.
 */
class Defaults
{
  public:
    /**
     * @param te,ts thresholds
     * @param m,n,k of f(c)
     */
    Defaults(uint32_t te, uint32_t ts, uint32_t m, uint32_t n, int64_t k)
    {
        Config::SetDefault("ns3::ThrottleDetector::Enter", UintegerValue(te));
        Config::SetDefault("ns3::ThrottleDetector::Leave", UintegerValue(ts));
        Config::SetDefault("ns3::FlitSpacer::M", UintegerValue(m));
        Config::SetDefault("ns3::FlitSpacer::N", UintegerValue(n));
        Config::SetDefault("ns3::FlitSpacer::K", IntegerValue(k));
    }

    ~Defaults()
    {
        Config::Reset();
    }

    Defaults(const Defaults&) = delete;
    Defaults& operator=(const Defaults&) = delete;
};

/**
 * @param fixed FT, else AT
 * @param even FI, else RI
 * @param bufferBytes of a class at each end of a link
 * @param returnBytes that are worth a credit frame; 0: computed
 * @return policies
 */
FabricHelper
MakeHelper(bool fixed, bool even, uint64_t bufferBytes, uint64_t returnBytes = 0)
{
    FabricHelper helper;
    helper.SetFlowControl("ns3::CreditFlowControl",
                          "BufferBytes",
                          UintegerValue(bufferBytes),
                          "ReturnBytes",
                          UintegerValue(returnBytes));
    helper.SetThrottle(
        "ns3::ProactiveFlowThrottle",
        "Detector",
        TypeIdValue(DetectorType(fixed)),
        "Spacer",
        TypeIdValue(even ? FixedIntervalSpacer::GetTypeId() : RandomIntervalSpacer::GetTypeId()));
    return helper;
}

/**
 * @param fabric network
 * @param name of the counter
 * @return a counter of all throttles
 */
uint64_t
CountOf(const Fabric& fabric, const std::string& name)
{
    for (const auto& [key, value] : FabricTotals::Collect(fabric).features)
    {
        if (name == key)
        {
            return value;
        }
    }
    return UINT64_MAX;
}

/**
 * @ingroup dcfabric-tests
 * @brief Writes down what a host's port sends, and the credits of class 3 that it uses.
 */
class PortLog
{
  public:
    /**
     * @param fabric network
     * @param host number
     * @param port number
     */
    PortLog(const Fabric& fabric, uint32_t host, uint32_t port = 0)
        : m_port(fabric.GetPort(host, port))
    {
        m_port->TraceConnectWithoutContext("Transmit", MakeCallback(&PortLog::OnTransmit, this));
        m_port->GetFlowControl()->TraceConnectWithoutContext("UsedCredits",
                                                             MakeCallback(&PortLog::OnUsed, this));
    }

    /// A packet that was sent.
    struct Sent
    {
        int64_t timePs;        //!< when its first bit went
        FabricPacketType type; //!< what
        uint8_t priority;      //!< class
        uint32_t dst;          //!< where to
        uint32_t size;         //!< bytes
        uint32_t used;         //!< credits just before
    };

    /**
     * @param priority which
     * @return those of a class
     */
    std::vector<Sent> OfClass(uint8_t priority) const
    {
        std::vector<Sent> some;
        std::copy_if(sent.begin(), sent.end(), std::back_inserter(some), [=](const Sent& one) {
            return one.priority == priority;
        });
        return some;
    }

    std::vector<Sent> sent;                         //!< by time
    std::vector<std::pair<int64_t, uint32_t>> used; //!< when, and how many from then on

  private:
    /// @param item a packet
    void OnTransmit(Ptr<const FabricPacketItem> item)
    {
        const uint32_t before = used.size() < 2 ? 0 : used[used.size() - 2].second;
        sent.push_back(
            {m_port->GetNowPs(), item->type, item->GetPriority(), item->dst, item->size, before});
    }

    /**
     * @param priority class
     * @param units used
     */
    void OnUsed(Ptr<const FabricNetDevice> /* port */, uint8_t priority, uint32_t units)
    {
        if (priority == 3)
        {
            used.emplace_back(m_port->GetNowPs(), units);
        }
    }

    FabricNetDevice* m_port; //!< which
};

/**
 * @ingroup dcfabric-tests
 * @brief With f = 4 for any c and congestion from the first credit on, each packet begins four
 * cycles for each flit of the one before it after that: 25.2 Gb/s.
 */
class IntervalTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const Defaults defaults(1, 1, 0, 63, 4);
        const TestNetwork network(MakeStar(5), MakeHelper(true, true, 100000, 64));
        const PortLog log(*network.fabric, 0);
        // Three messages of four packets take turns; one of another class goes between.
        for (const uint32_t dst : {1, 2, 3})
        {
            network.MessagesOf(0).Send(dst, 4000, dst);
        }
        Simulator::Run();
        const auto sent = log.OfClass(3);
        NS_TEST_ASSERT_MSG_EQ(sent.size(), 12, "packets");
        uint64_t cycle = 0;
        for (std::size_t i = 0; i < sent.size(); ++i)
        {
            // 59 x 4 = 236 cycles are 337142.857 ps, without any drift; headers vary
            NS_TEST_EXPECT_MSG_EQ(sent[i].timePs, CLOCK.ToPs(cycle), "packet " << i);
            // the first packet went before the other messages were there
            if (i > 0 && i < 10)
            {
                NS_TEST_EXPECT_MSG_EQ(sent[i].dst, 1 + (i - 1) % 3, "whose turn, packet " << i);
            }
            cycle += (sent[i].size + 17) / 18 * 4;
        }
        NS_TEST_EXPECT_MSG_EQ(sent[5].size, 1062, "59 flits");
        NS_TEST_EXPECT_MSG_EQ(CountOf(*network.fabric, "pft_delayed_packets"), 11, "but the first");
        NS_TEST_EXPECT_MSG_EQ(CountOf(*network.fabric, "pft_entries"), 1, "once");
        // Congested from the first cycle after the first packet began to the one that follows the
        // last credit; cycles are counted whole.
        const int64_t lastPs = log.used.back().first;
        NS_TEST_EXPECT_MSG_EQ(log.used.back().second, 0, "all credits are back");
        NS_TEST_EXPECT_MSG_EQ(CountOf(*network.fabric, "pft_congested_ns"),
                              static_cast<uint64_t>(CLOCK.ToPs(CLOCK.ToCycle(lastPs)) / 1000),
                              "time");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A share of zero: f(c) = c << 31 is 2^32 for two used credits. Each packet waits until all
 * credits are back and the next cycle begins; ACKs and other classes do not.
 */
class BlockTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const Defaults defaults(1, 1, 31, 0, 0);
        {
            FabricHelper helper = MakeHelper(true, false, 100000, 64);
            helper.AddClass(5);
            const TestNetwork network(MakeStar(3), helper);
            const PortLog log(*network.fabric, 0);
            network.MessagesOf(0).Send(1, 10000, 0);
            network.MessagesOf(0).Send(1, 10000, 1);
            network.MessagesOf(0).Send(2, 50000, 2, 5);
            network.MessagesOf(2).Send(0, 10000, 3, 5);
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(network.delivered.size(), 4, "nothing is stuck");
            const auto data = log.OfClass(3);
            NS_TEST_ASSERT_MSG_EQ(data.size(), 20, "packets");
            std::size_t next = 0;
            for (const auto& [timePs, units] : log.used)
            {
                if (units == 0 && next + 1 < data.size() && timePs > data[next].timePs)
                {
                    ++next;
                    const int64_t opensPs = CLOCK.ToPs(CLOCK.ToCycle(timePs) + 1);
                    // a packet of another class is on the wire, another one's turn is next, and an
                    // ACK goes ahead
                    NS_TEST_EXPECT_MSG_GT_OR_EQ(data[next].timePs, opensPs, "packet " << next);
                    NS_TEST_EXPECT_MSG_LT(data[next].timePs,
                                          opensPs + 3 * 90000,
                                          "packet " << next);
                }
            }
            NS_TEST_EXPECT_MSG_EQ(next, 19, "each after a credit");
            // 50 packets of class 5 at line rate, 86,560 ps each, with three of class 3 and ten
            // ACKs between
            const auto other = log.OfClass(5);
            NS_TEST_ASSERT_MSG_EQ(other.size(), 50, "packets");
            NS_TEST_EXPECT_MSG_LT(other.back().timePs, 54 * 90000, "not held back");
            const auto control = log.OfClass(6);
            NS_TEST_ASSERT_MSG_EQ(control.size(), 10, "ACKs");
            // ten packets and their ACK arrive 2.2 us after the first began, in a row
            NS_TEST_EXPECT_MSG_LT(control.back().timePs, 2300000 + 10 * 90000, "not held back");
        }
        {
            // By default the peer returns some 110 units at a time: it keeps the 17 of a packet.
            // The port asks 100 us after it was blocked, and after that the next packet goes.
            const TestNetwork network(MakeStar(3), MakeHelper(true, false, 100000));
            const PortLog log(*network.fabric, 0);
            network.MessagesOf(0).Send(1, 4000, 0);
            Simulator::Run();
            const auto data = log.OfClass(3);
            NS_TEST_ASSERT_MSG_EQ(data.size(), 4, "packets");
            for (int i = 1; i < 4; ++i)
            {
                // blocked when the packet before has gone, 86,560 ps; question and answer take 1.01
                // us each
                const int64_t ps = data[i].timePs - data[i - 1].timePs;
                NS_TEST_EXPECT_MSG_GT(ps, 102 * US, "packet " << i);
                NS_TEST_EXPECT_MSG_LT(ps, 102 * US + 110000, "packet " << i);
            }
        }
        {
            // So it does for units that were lost: a tenth of all frames.
            const TestNetwork network(MakeStar(3), MakeHelper(true, false, 100000));
            FabricFaults faults;
            faults.AddLoss(Seconds(0), 0, 3, 0.1);
            faults.Install(network.fabric);
            network.MessagesOf(0).Send(1, 50000, 0);
            Simulator::Stop(Seconds(10));
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 1, "not stuck");
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Two senders and a receiver: used credits settle where f makes the senders' rates that of
 * the receiver's link.
 */
class FixedPointTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// What a run shows.
    struct Outcome
    {
        double meanUsed{0};   //!< credits of host 0 from 300 us on, mean in time
        uint32_t least{0};    //!< likewise
        uint32_t most{0};     //!< likewise
        double gbps[2]{0, 0}; //!< frame bits of each sender in that time
    };

    /**
     * @param helper policies
     * @return it
     */
    Outcome Run(const FabricHelper& helper) const
    {
        constexpr int64_t BEGIN_PS = 300 * US;
        constexpr int64_t END_PS = 700 * US;
        const TestNetwork network(MakeStar(3), helper);
        PortLog log0(*network.fabric, 0);
        PortLog log1(*network.fabric, 1);
        network.MessagesOf(0).Send(2, 5000000, 0);
        network.MessagesOf(1).Send(2, 5000000, 1);
        Simulator::Stop(FabricTime::FromPs(END_PS));
        Simulator::Run();
        Outcome outcome;
        outcome.least = UINT32_MAX;
        double area = 0;
        for (std::size_t i = 0; i + 1 < log0.used.size(); ++i)
        {
            const auto [fromPs, units] = log0.used[i];
            const int64_t ps = log0.used[i + 1].first - std::max(fromPs, BEGIN_PS);
            if (ps > 0)
            {
                area += static_cast<double>(ps) * units;
                outcome.least = std::min(outcome.least, units);
                outcome.most = std::max(outcome.most, units);
            }
        }
        outcome.meanUsed = area / (log0.used.back().first - BEGIN_PS);
        for (int i = 0; i < 2; ++i)
        {
            for (const auto& one : (i == 0 ? log0 : log1).OfClass(3))
            {
                outcome.gbps[i] +=
                    one.timePs >= BEGIN_PS ? one.size * 8e3 / (END_PS - BEGIN_PS) : 0;
            }
        }
        return outcome;
    }

    /**
     * @brief Check.
     * @param o outcome
     * @param low,high bounds of the mean
     * @param what a name
     */
    void Expect(const Outcome& o, double low, double high, const std::string& what)
    {
        NS_TEST_EXPECT_MSG_GT(o.meanUsed, low, what);
        NS_TEST_EXPECT_MSG_LT(o.meanUsed, high, what);
        for (const double rate : o.gbps)
        {
            // half the link each: 50 Gb/s x 1062 / 1082, of which credit frames for ACKs take 1 %
            NS_TEST_EXPECT_MSG_EQ_TOL(rate, 49.08, 0.6, what);
        }
    }

    void DoRun() override
    {
        // Credits come 17 at a time or, by ReturnBytes, about 135; a change takes 1 us to be told,
        // in which 50 Gb/s use 98 more.
        const Defaults defaults(592, 500, 0, 8, 0);
        const uint64_t buffer = 1024 * 64;
        // intervals 2 and 3 (50.4 and 33.6 Gb/s of frames): at 3 x 256 = 768
        const Outcome small = Run(MakeHelper(true, true, buffer, 17 * 64));
        Expect(small, 768 - 17, 768 + 17, "one packet returned at a time");
        NS_TEST_EXPECT_MSG_GT(small.least, 768 - 2 * 98 - 34, "swing");
        NS_TEST_EXPECT_MSG_LT(small.most, 768 + 2 * 98 + 34, "swing");
        Expect(Run(MakeHelper(true, true, buffer)), 768 - 135, 768 + 135, "returned as computed");
        // Without: the buffer, but for what is on its way and too little for another packet.
        FabricHelper without;
        without.SetFlowControl("ns3::CreditFlowControl", "BufferBytes", UintegerValue(buffer));
        const Outcome full = Run(without);
        Expect(full, 1024 - 135, 1025, "no throttle");
        NS_TEST_EXPECT_MSG_GT(full.most, 1024 - 17, "full");
        // RI, m = 22: free cycles carry 100.8 Gb/s, of which 49.08 need a share of .487, which 1024
        // units times .513 leave
        {
            const Defaults random(400, 300, 22, 0, 0);
            const Outcome drawn = Run(MakeHelper(true, false, buffer, 17 * 64));
            Expect(drawn, 525 - 17, 525 + 17, "random intervals");
        }
        const Defaults again(592, 500, 0, 8, 0);
        // flits of 64 bytes: 3 cycles each at line rate; intervals 7 and 8 (51.2 and 44.8 Gb/s)
        FabricHelper large = MakeHelper(true, true, 4096 * 64, 17 * 64);
        large.SetThrottle("ns3::ProactiveFlowThrottle",
                          "Detector",
                          TypeIdValue(FixedThresholdDetector::GetTypeId()),
                          "Spacer",
                          TypeIdValue(FixedIntervalSpacer::GetTypeId()),
                          "FlitBytes",
                          UintegerValue(64));
        Expect(Run(large), 8 * 256 - 17, 8 * 256 + 17, "flits of 64 bytes");
    }
};

/// How the throttle fits into networks.
const SuiteCases g_cases("dcfabric-credits", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new IntervalTestCase("throttle: packets begin at the intervals of flits"));
    suite.AddTestCase(
        new BlockTestCase("throttle: a share of 0 blocks data alone, and a credit frees it"));
    suite.AddTestCase(
        new FixedPointTestCase("throttle: two senders find the fixed point of f and their rates"));
});

} // namespace ns3::tests::pft_network_test
