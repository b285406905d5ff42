// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief When receivers notify, by hand: late CNPs, their spacing, the meter.
 *
 * Hosts at one switch, 100 Gb/s and 1 us. Packet i of a lone sender is at the receiver at
 * (i + 2) F + 2 us. A CNP takes (78 + 20) x 80 ps = 7.84 ns on the wire, and 1 us to the switch,
 * where it is seen.
 */

namespace ns3::tests::cnp_sender_test
{

using namespace by_hand;

constexpr int64_t CNP = 7840; //!< ps on the wire

/// @return when packet i has arrived
constexpr int64_t
GetArrival(int64_t i)
{
    return (i + 2) * F + 2 * US;
}

/**
 * @ingroup dcfabric-tests
 * @brief What host 1 notifies host 0 of.
 */
class CnpTestCase : public NamedCase
{
  protected:
    using NamedCase::NamedCase;

    /**
     * @param helper settings of NICs; the control is DCQCN here
     * @param marked packets that the switch marks
     * @param intervalNs CnpInterval
     * @return times at which CNPs have left the receiver
     */
    std::vector<int64_t> Run(FabricHelper helper,
                             const std::set<uint32_t>& marked,
                             int64_t intervalNs = 50000)
    {
        helper.SetCongestionControl("ns3::DcqcnCongestionControl",
                                    "CnpInterval",
                                    TimeValue(NanoSeconds(intervalNs)));
        TestNetwork network(MakeStar(2), helper);
        const auto tap = AddTap(network, 2);
        tap->SetRule([&marked](FabricPacketItem& item) {
            if (item.type == FabricPacketType::DATA && marked.count(item.psn) > 0)
            {
                item.Mark();
            }
            return true;
        });
        network.MessagesOf(0).SendAt(0, 1, 3000000, 1);
        Simulator::Run();
        std::vector<int64_t> times;
        for (const auto& cnp : tap->Of(FabricPacketType::CNP))
        {
            times.push_back(cnp.nowPs - CNP - US);
        }
        NS_TEST_EXPECT_MSG_EQ(network.Nic(1).GetCounters().cnpsSent, times.size(), "counted");
        NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 1, "complete");
        return times;
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A CNP leaves late; the interval counts from the decision.
 */
class CnpDelayTestCase : public CnpTestCase
{
    using CnpTestCase::CnpTestCase;

    void DoRun() override
    {
        // Marked: packet 10 at t; 126, which is 116 F = 10.04 us later; 587, 577 F = 49.95 us
        // later; and 588, 50.03 us later. Only the first and the last are answered. By 55 us after
        // t no late CNP has reached the sender, and packets still come each F. 55 us are 635.4 F:
        // the wire of the receiver is free then, as an ACK takes 0.11 F.
        const std::set<uint32_t> marked = {10, 126, 587, 588};
        for (const int64_t us : {0, 55})
        {
            FabricHelper helper;
            helper.SetNicAttribute("CnpDelay", TimeValue(MicroSeconds(us)));
            const auto times = Run(helper, marked);
            NS_TEST_ASSERT_MSG_EQ(times.size(), 2, "CNPs");
            NS_TEST_EXPECT_MSG_EQ(times[0], GetArrival(10) + us * US, "of packet 10");
            if (us > 0)
            {
                NS_TEST_EXPECT_MSG_EQ(times[1], GetArrival(588) + us * US, "of packet 588");
            }
        }
        // several on their way at once, in order: a CNP for each marked packet
        FabricHelper helper;
        helper.SetNicAttribute("CnpDelay", TimeValue(MicroSeconds(55)));
        const auto times = Run(helper, {10, 11, 20}, 1);
        NS_TEST_ASSERT_MSG_EQ(times.size(), 3, "CNPs");
        NS_TEST_EXPECT_MSG_EQ(times[0], GetArrival(10) + 55 * US, "of packet 10");
        NS_TEST_EXPECT_MSG_EQ(times[1], GetArrival(11) + 55 * US, "of packet 11");
        NS_TEST_EXPECT_MSG_EQ(times[2], GetArrival(20) + 55 * US, "of packet 20");
        // one that leaves when its connection is over has no effect: the last packet is marked
        NS_TEST_EXPECT_MSG_EQ(Run(helper, {2999}).size(), 1, "late");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief The NIC notifies of what comes too fast, whatever switches mark.
 */
class CnpMeterTestCase : public CnpTestCase
{
    using CnpTestCase::CnpTestCase;

    void DoRun() override
    {
        // The bucket holds 3000 B and drains 541 B in F = 86.56 ns at 50 Gb/s. With each frame of
        // 1062 B: 1062, 1583, 2104, 2625; packet 4 finds 2084, no room, and stays out; 5 finds
        // 1543: 2605; 6 finds 2064, no room; 7: 1523 + 1062 = 2585; 8 finds 2044, no room. The
        // first CNP reaches the sender a base RTT after that.
        FabricHelper helper;
        helper.SetNicAttribute("CnpMeterRate", DataRateValue(DataRate("50Gbps")));
        helper.SetNicAttribute("CnpMeterBytes", UintegerValue(3000));
        const auto times = Run(helper, {}, 1);
        NS_TEST_ASSERT_MSG_GT(times.size(), 2, "CNPs");
        NS_TEST_EXPECT_MSG_EQ(times[0], GetArrival(4), "of packet 4");
        NS_TEST_EXPECT_MSG_EQ(times[1], GetArrival(6), "of packet 6");
        NS_TEST_EXPECT_MSG_EQ(times[2], GetArrival(8), "of packet 8");
        // one for each connection in an interval
        const auto spaced = Run(helper, {});
        NS_TEST_EXPECT_MSG_EQ(spaced[0], GetArrival(4), "of packet 4");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(spaced[1] - spaced[0], 50 * US, "the next one");
        // late, too
        helper.SetNicAttribute("CnpDelay", TimeValue(MicroSeconds(55)));
        NS_TEST_EXPECT_MSG_EQ(Run(helper, {})[0], GetArrival(4) + 55 * US, "late");
        // what the line brings is nothing to a meter of its rate: a full packet at a time
        helper.SetNicAttribute("CnpMeterRate", DataRateValue(DataRate("100Gbps")));
        NS_TEST_EXPECT_MSG_EQ(Run(helper, {}).size(), 0, "not faster than the meter");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief CNPs of many connections, and settings that mean nothing.
 */
class CnpSpacingTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param spacingUs CnpSpacing
     * @return CNPs in 2 ms of 20 senders, all of whose packets are marked
     */
    uint64_t Count(int64_t spacingUs)
    {
        FabricHelper helper;
        helper.SetCongestionControl("ns3::DcqcnCongestionControl",
                                    "MinRate",
                                    DataRateValue(DataRate("6Gbps")));
        helper.SetNicAttribute("CnpSpacing", TimeValue(MicroSeconds(spacingUs)));
        SetMarks(helper, 1000);
        TestNetwork network(MakeStar(21), helper);
        for (uint32_t i = 0; i < 20; ++i)
        {
            network.MessagesOf(i).SendAt(0, 20, uint64_t{1} << 40, i);
        }
        Simulator::Stop(MilliSeconds(2));
        Simulator::Run();
        return network.Nic(20).GetCounters().cnpsSent;
    }

    void DoRun() override
    {
        // A connection has one in 50 us, and up to two of its packets later (20 x 86.56 ns): 40 in
        // 2 ms; with 5 us for each of 20 connections one in 100 us, which is 20.
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(Count(0)), 20 * 39.0, 30, "50 us");
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(Count(2)), 20 * 39.0, 30, "2 us each: 40");
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(Count(5)), 20 * 20.0, 20, "5 us each: 100");

        for (const std::string name : {"CnpDelay", "CnpSpacing"})
        {
            FabricHelper helper;
            helper.SetCongestionControl("ns3::SwiftCongestionControl");
            helper.SetNicAttribute(name, TimeValue(MicroSeconds(1)));
            DCFABRIC_EXPECT_REFUSAL(helper.Install(MakeStar(2)), name);
        }
        FabricHelper helper;
        helper.SetCongestionControl("ns3::SwiftCongestionControl");
        helper.SetNicAttribute("CnpMeterRate", DataRateValue(DataRate("50Gbps")));
        DCFABRIC_EXPECT_REFUSAL(helper.Install(MakeStar(2)),
                                "for which ns3::SwiftCongestionControl does not ask");
    }
};

/// CNPs of receivers.
const SuiteCases g_cases("dcfabric-cnp", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new CnpDelayTestCase("late, counted from the decision"));
    suite.AddTestCase(new CnpMeterTestCase("the meter of a port"));
    suite.AddTestCase(new CnpSpacingTestCase("one for many connections, and refusals"));
});

} // namespace ns3::tests::cnp_sender_test
