// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"

#include "ns3/config.h"
#include "ns3/host-link.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief NICs whose hosts take data at a rate.
 */

namespace ns3::tests::host_link_test
{

using namespace by_hand;

constexpr int64_t S = 169920;    //!< ps of a frame of 1062 B at 50 Gb/s
constexpr uint32_t FRAME = 1062; //!< bytes

/**
 * @ingroup dcfabric-tests
 * @brief One path, by hand: packets leave one after the other, in F each, and the host takes one in
 * S.
 */
class HostLinkTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// What a run leaves behind.
    struct Run
    {
        int64_t endPs;     //!< when all is acknowledged
        uint64_t drops;    //!< at the receiver
        uint64_t maxBytes; //!< most in its memory
    };

    /**
     * @brief Send 100 packets.
     * @param flowControl class
     * @param buffer BufferBytes
     * @param latency Latency
     * @return what comes of it
     */
    Run Send(const std::string& flowControl, uint64_t buffer, const char* latency = "0ns")
    {
        Config::SetDefault("ns3::HostLink::Rate", StringValue("50Gbps"));
        Config::SetDefault("ns3::HostLink::Latency", StringValue(latency));
        Config::SetDefault("ns3::HostLink::BufferBytes", UintegerValue(buffer));
        FabricHelper helper;
        helper.SetFlowControl(flowControl);
        helper.SetCongestionControl("ns3::NoCongestionControl");
        TestNetwork network(MakeStar(2), helper);
        Config::Reset();
        network.MessagesOf(0).SendAt(0, 1, 100000, 1);
        Simulator::Run();
        uint64_t drops = 0;
        for (const auto& [reason, count] : network.Nic(1).GetDrops())
        {
            drops += count;
        }
        NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().Holds(), true, flowControl);
        const HostLink* link = network.Nic(1).GetHostLink();
        NS_TEST_EXPECT_MSG_EQ(link->GetBytes(), 0, "all is at the host");
        return {TestNetwork::Find(network.completed, 1).nowPs, drops, link->GetMaxBytes()};
    }

    void DoRun() override
    {
        // The first is there 2 F + 2 us after the start, and then one every S; the last ACK takes
        // 2 A + 2 us.
        const Run free = Send("none", 0);
        NS_TEST_EXPECT_MSG_EQ(free.endPs, RTT + 100 * S, "the host is the bottleneck");
        NS_TEST_EXPECT_MSG_EQ(free.drops, 0, "no limit");
        // when the 100th comes, 99 F after the first, 50 have passed
        NS_TEST_EXPECT_MSG_EQ(free.maxBytes, 50 * FRAME, "half of them wait");
        NS_TEST_EXPECT_MSG_EQ(Send("none", 0, "1us").endPs, RTT + 100 * S + US, "and a latency");
        NS_TEST_EXPECT_MSG_EQ(Send("none", 50 * FRAME).drops, 0, "just room for them");
        const Run small = Send("none", 10 * FRAME);
        NS_TEST_EXPECT_MSG_GT(small.drops, 0, "no room");
        NS_TEST_EXPECT_MSG_EQ(small.maxBytes, 10 * FRAME, "full");

        // PFC keeps it from dropping, and the host from waiting
        const Run paused = Send("ns3::PriorityFlowControl", 45 * FRAME);
        NS_TEST_EXPECT_MSG_EQ(paused.drops, 0, "paused");
        NS_TEST_EXPECT_MSG_EQ(paused.endPs, RTT + 100 * S, "as fast");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(paused.maxBytes, 45 * FRAME, "within");
        DCFABRIC_EXPECT_REFUSAL(Send("ns3::PriorityFlowControl", 10000), "BufferBytes");
        // credits come back when the host has taken a packet
        const Run credits = Send("ns3::CreditFlowControl", 0);
        NS_TEST_EXPECT_MSG_EQ(credits.drops, 0, "credits");
        NS_TEST_EXPECT_MSG_LT(credits.maxBytes, free.maxBytes + 1, "credits bound it");
        Config::Reset();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Whom a slow host slows down.
 */
class HostSignalTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief Four hosts send 1 MB each to one that takes 50 of 100 Gb/s, with 1 MB of memory.
     * @param control class of the congestion control
     * @return packets that have no room
     */
    uint64_t CountDrops(const std::string& control)
    {
        Config::SetDefault("ns3::HostLink::Rate", StringValue("50Gbps"));
        Config::SetDefault("ns3::HostLink::BufferBytes", UintegerValue(1000000));
        FabricHelper helper;
        helper.SetFlowControl("none");
        helper.SetCongestionControl(control);
        TestNetwork network(MakeStar(5), helper);
        Config::Reset();
        for (uint32_t host = 1; host < 5; ++host)
        {
            network.MessagesOf(host).SendAt(0, 0, 1000000, host);
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 4, control);
        uint64_t drops = 0;
        for (const auto& [reason, count] : network.Nic(0).GetDrops())
        {
            drops += count;
        }
        return drops;
    }

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_GT(CountDrops("ns3::NoCongestionControl"), 0, "nobody is told");
        NS_TEST_EXPECT_MSG_EQ(CountDrops("ns3::RcccCongestionControl"), 0, "credit is scarce");
        NS_TEST_EXPECT_MSG_EQ(CountDrops("ns3::SwiftCongestionControl"),
                              0,
                              "the endpoint's window");
    }
};

/// Hosts that take data at a rate.
const SuiteCases g_cases("dcfabric-host-link", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new HostLinkTestCase("a host that takes data at half of the rate"));
    suite.AddTestCase(new HostSignalTestCase("RCCC and Swift leave room in the NIC"));
});

} // namespace ns3::tests::host_link_test
