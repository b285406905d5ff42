// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-errors.h"
#include "../fabric-test-schedule.h"
#include "../fabric-test-suite.h"
#include "../fabric-test-transport.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-time.h"
#include "ns3/flow-recorder.h"
#include "ns3/late-receives.h"
#include "ns3/post-delay.h"
#include "ns3/receive-poster.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/stuck-report.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief When receives of a workload are posted.
 *
 * On MakeStar(3) a matched packet of 1000 bytes has 1000 + 62 + 24 + 20 =
 * 1106 bytes on the wire, or 88.48 ns, and takes 2 x 88.48 ns + 2 x 1 us = 2176.96 ns; an RTS has
 * 62 + 16 + 20 = 98 bytes, or 7.84 ns, and takes 2015.68 ns.
 */

namespace ns3::tests::receive_poster_test
{

constexpr int64_t PACKET_PS = 2176960;  //!< from start to arrival of a lone packet
constexpr int64_t REQUEST_PS = 2015680; //!< from posting to the arrival of an RTS

constexpr int64_t ACK_PS =
    10080; //!< that the ACK of a complete message, 106 + 20 bytes, takes a wire

/**
 * @param ps the time
 * @return a time at the resolution of the simulator
 */
int64_t
Tick(int64_t ps)
{
    return FabricTime::ToPs(TimeStep(static_cast<uint64_t>(FabricTime::ToTicks(ps))));
}

/**
 * @param protocol TypeId name
 * @return a network whose messages are matched
 */
Ptr<Fabric>
MakeFabric(const std::string& protocol = "ns3::RequestToWait")
{
    FabricHelper helper;
    helper.SetMessageProtocol(protocol);
    helper.SetNicAttribute("PdcPerMessage", BooleanValue(false));
    return helper.Install(MakeStar(3));
}

/**
 * @ingroup dcfabric-tests
 * @brief What is written for --post-delay.
 */
class PostDelayTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(bool(MakePostDelay("none")), false, "none draws nothing");
        NS_TEST_EXPECT_MSG_EQ_TOL(MakePostDelay("fixed:2.5us")->GetValue(), 2.5e-6, 1e-15, "fixed");
        const auto uniform = MakePostDelay("uniform:1us,3us");
        const auto exponential = MakePostDelay("exponential:mean=20us");
        uniform->SetStream(1);
        exponential->SetStream(2);
        double sum = 0;
        constexpr int DRAWS = 10000;
        for (int i = 0; i < DRAWS; ++i)
        {
            const double value = uniform->GetValue();
            NS_TEST_EXPECT_MSG_EQ((value >= 1e-6 && value <= 3e-6), true, "within the bounds");
            sum += exponential->GetValue();
        }
        // the mean of 10^4 draws has a standard deviation of 1 % of the mean
        NS_TEST_EXPECT_MSG_EQ_TOL(sum / DRAWS, 20e-6, 1e-6, "mean");
        DCFABRIC_EXPECT_REFUSAL(MakePostDelay("sometime"), "none, fixed, uniform, exponential");
        DCFABRIC_EXPECT_REFUSAL(MakePostDelay("none:1us"), "takes no keys");
        DCFABRIC_EXPECT_REFUSAL(MakePostDelay("fixed"), "fixed:T");
        DCFABRIC_EXPECT_REFUSAL(MakePostDelay("fixed:20"), "no time with a unit");
        DCFABRIC_EXPECT_REFUSAL(MakePostDelay("uniform:1us"), "uniform:A,B");
        DCFABRIC_EXPECT_REFUSAL(MakePostDelay("uniform:3us,1us"), "shorter time first");
        DCFABRIC_EXPECT_REFUSAL(MakePostDelay("exponential:median=3us"), "median");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A flow that waits for another starts when the receive of that is complete.
 */
class ChainTestCase : public TestCase
{
  public:
    /**
     * @param protocol TypeId name
     * @param delay text
     * @param fctPs what each of the flows takes
     * @param shifted the start of the second matters, not only its receive
     */
    ChainTestCase(const std::string& protocol,
                  const std::string& delay,
                  int64_t fctPs,
                  bool shifted = true)
        : TestCase("chain of flows, " + protocol + ", " + delay),
          m_protocol(protocol),
          m_delay(delay),
          m_fctPs(fctPs),
          m_shifted(shifted)
    {
    }

  private:
    void DoRun() override
    {
        Ptr<Fabric> fabric = MakeFabric(m_protocol);
        const std::vector<FabricFlow> flows{{0, 1, 1000, 0}, {1, 2, 1000, FabricFlow::ON_TRIGGER}};
        FlowTrigger trigger;
        trigger.whenReceived = {0};
        trigger.starts = {1};
        Ptr<ReceivePoster> poster = CreateObject<ReceivePoster>();
        poster->SetDelay(MakePostDelay(m_delay));
        poster->Install(fabric, flows.size());
        FlowRecorder recorder(fabric, flows, {trigger});
        recorder.Start();
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(recorder.GetRecords()[0].fctPs, m_fctPs, "first");
        const int64_t startPs = Tick(m_fctPs);
        NS_TEST_EXPECT_MSG_EQ(recorder.GetFlows()[1].startPs, startPs, "start of the second");
        // its packet leaves behind the last ACK of the first
        const int64_t shiftPs = m_shifted ? ACK_PS - (startPs - m_fctPs) : 0;
        NS_TEST_EXPECT_MSG_EQ(recorder.GetRecords()[1].fctPs, m_fctPs + shiftPs, "second");
        NS_TEST_EXPECT_MSG_EQ(recorder.IsComplete(), true, "both ends");
        Simulator::Destroy();
    }

    std::string m_protocol; //!< TypeId name
    std::string m_delay;    //!< as --post-delay
    int64_t m_fctPs;        //!< expected
    bool m_shifted;         //!< expected of the second
};

/**
 * @ingroup dcfabric-tests
 * @brief Receives of a pair are posted in the order of messages, which is not that of flow numbers.
 *
 * Flow 1 starts at 0 and has a delay of 30 us, flow 0 starts at 5 us and has one of 10 us: it waits
 * from 15 us to 30 us for that before it. Were the receives exchanged, the one of 1000 bytes would
 * truncate the message of 2000.
 */
class OrderTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        Ptr<Fabric> fabric = MakeFabric();
        const std::vector<FabricFlow> flows{{0, 1, 2000, 5 * US}, {0, 1, 1000, 0}};
        Ptr<SequentialRandomVariable> delay = CreateObject<SequentialRandomVariable>();
        delay->SetAttribute("Min", DoubleValue(10e-6));
        delay->SetAttribute("Max", DoubleValue(50e-6));
        delay->SetAttribute("Increment",
                            StringValue("ns3::ConstantRandomVariable[Constant=20e-6]"));
        Ptr<ReceivePoster> poster = CreateObject<ReceivePoster>();
        poster->SetDelay(delay);
        poster->Install(fabric, flows.size());
        NS_TEST_EXPECT_MSG_EQ(poster->GetDelayPs(0), 10 * US, "drawn by number");
        NS_TEST_EXPECT_MSG_EQ(poster->GetDelayPs(1), 30 * US, "drawn by number");
        std::vector<FabricMessageEvent> received;
        fabric->GetNic(1)->GetMessages().SetReceiveCallback(
            [&received](const FabricMessageEvent& event) { received.push_back(event); });
        FlowRecorder recorder(fabric, flows);
        recorder.Start();
        const MessageMatcher& matcher = *fabric->GetNic(1)->GetMessages().GetMatcher();
        std::size_t before = 0;
        std::size_t after = 0;
        CallIn(NanoSeconds(29999), [&]() { before = matcher.GetNReceives(); });
        CallIn(NanoSeconds(30001), [&]() { after = matcher.GetNReceives(); });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(before, 0, "the second waits for the first");
        NS_TEST_EXPECT_MSG_EQ(after, 2, "both at once");
        NS_TEST_EXPECT_MSG_EQ(matcher.GetNToPost(), 0, "nothing is left to post");
        NS_TEST_ASSERT_MSG_EQ(received.size(), 2, "receives");
        for (const auto& event : received)
        {
            NS_TEST_EXPECT_MSG_EQ(event.bytes, (event.tag == 0 ? 2000 : 1000), "length");
            NS_TEST_EXPECT_MSG_EQ((event.status == MessageStatus::COMPLETE), true, "not truncated");
        }
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A delay belongs to a flow, whatever else there is.
 */
class DelayTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        std::vector<int64_t> delays[2];
        for (const std::size_t flows : {4, 9})
        {
            Ptr<Fabric> fabric = MakeFabric();
            Ptr<ReceivePoster> poster = CreateObject<ReceivePoster>();
            poster->SetDelay(MakePostDelay("exponential:mean=20us"));
            NS_TEST_EXPECT_MSG_EQ(poster->AssignStreams(77), 1, "one stream");
            poster->Install(fabric, flows);
            for (uint32_t flow = 0; flow < 4; ++flow)
            {
                delays[flows == 9].push_back(poster->GetDelayPs(flow));
            }
            Simulator::Destroy();
        }
        NS_TEST_EXPECT_MSG_EQ((delays[0] == delays[1]), true, "more flows change nothing");
        NS_TEST_EXPECT_MSG_NE(delays[0][0], delays[0][1], "they differ");
        NS_TEST_EXPECT_MSG_EQ(CreateObject<ReceivePoster>()->AssignStreams(5), 0, "nothing drawn");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What is refused.
 */
class RefusalTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        Ptr<ReceivePoster> poster = CreateObject<ReceivePoster>();
        DCFABRIC_EXPECT_REFUSAL(poster->Install(FabricHelper().Install(MakeStar(3)), 1),
                                "are not matched");
        Ptr<ConstantRandomVariable> delay = CreateObject<ConstantRandomVariable>();
        delay->SetAttribute("Constant", DoubleValue(-1e-6));
        poster->SetDelay(delay);
        DCFABRIC_EXPECT_REFUSAL(poster->Install(MakeFabric(), 1), "it must be 0 to 10^6 s");
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Without anybody who posts receives a message waits for ever, and the report says so.
 */
class StuckTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        Ptr<Fabric> fabric = MakeFabric();
        FlowRecorder recorder(fabric, {{0, 1, 1000, 0}});
        recorder.Start();
        fabric->GetNic(1)->GetMessages().GetMatcher()->Post(
            {2, 1, nullptr, 1000, FabricTime::NEVER});
        Simulator::Run();
        const std::string text = DescribeStuckFabric(recorder);
        for (const std::string part :
             {"message 0 to that host is waiting after 1 refusal",
              "host 0: 1 message sent from it, 0 receives posted, 0 to be posted",
              "host 1: 0 messages sent from it, 1 receive posted, 0 to be posted"})
        {
            NS_TEST_EXPECT_MSG_EQ((text.find(part) != std::string::npos), true, text);
        }
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Receives that are posted later than one process would have: there is to be room for all
 * that would have been there.
 *
 * Five entries; receives are posted at 0, 10 and 11 ns, for messages that began before 0, at 0 and
 * at 5 ns. The first two are late one at a time, for the second began when the first was posted;
 * between 5 and 10 ns one process may have had the second and the third beside the first, so that
 * with the three at 11 ns five count, and nothing would be free.
 */
class LateTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        FabricHelper helper;
        helper.SetMessageProtocol("ns3::RequestToWait");
        helper.SetMatchTable("ns3::TcamMatchTable", "Capacity", UintegerValue(5));
        Ptr<Fabric> fabric = helper.Install(MakeStar(3));
        MessageMatcher& matcher = *fabric->GetNic(2)->GetMessages().GetMatcher();
        uint64_t handle = 0;
        const auto post = [&] { matcher.Post({0, ++handle, nullptr, 1, FabricTime::NEVER}); };
        LateReceives late(fabric);
        const auto check = [&](int64_t startPs) {
            post();
            late.OnPosted(2, startPs); // or it throws
        };
        late.OnPostedInTime(2);
        CallIn(NanoSeconds(0), [&] { check(-1); });
        CallIn(NanoSeconds(10), [&] { check(0); });
        CallIn(NanoSeconds(11), [&] {
            late.OnPostedInTime(2); // two of five
            post();
            DCFABRIC_EXPECT_REFUSAL(late.OnPosted(2, 5000), "host 2 (5 entries) is all but full");
            late.OnPosted(1, 5000); // another host has another table
            late.OnPostedInTime(2);
            post();
            late.OnPostedInTime(2);
            post();
            DCFABRIC_EXPECT_REFUSAL(late.OnPostedInTime(2), "host 2 (5 entries) is full");
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(handle, 5, "all were posted");
        Simulator::Destroy();
    }
};

/// Receives of workloads.
const SuiteCases g_cases("dcfabric-messages-network", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.AddTestCase(new PostDelayTestCase("delays as text"));
    for (const std::string protocol :
         {"ns3::RequestToWait", "ns3::ReceiverNotReady", "ns3::Rendezvous"})
    {
        suite.AddTestCase(new ChainTestCase(protocol, "none", PACKET_PS));
        // posted at this very time, or before the packet is there
        suite.AddTestCase(new ChainTestCase(protocol, "fixed:0us", PACKET_PS));
        suite.AddTestCase(new ChainTestCase(protocol, "fixed:2us", PACKET_PS));
    }
    // posted, asked for, sent again
    const int64_t late = 10 * US + REQUEST_PS + PACKET_PS;
    suite.AddTestCase(new ChainTestCase("ns3::RequestToWait", "fixed:10us", late, false));
    suite.AddTestCase(new ChainTestCase("ns3::Rendezvous", "fixed:10us", late, false));
    // refused on arrival; an RNR has 62 + 4 + 40 + 20 = 126 bytes, or 10.08 ns, and takes
    // 2020.16 ns; then 10 us
    const int64_t retry = PACKET_PS + 2020160 + 10 * US + PACKET_PS;
    suite.AddTestCase(new ChainTestCase("ns3::ReceiverNotReady", "fixed:10us", retry));
    suite.AddTestCase(new OrderTestCase("receives in the order of messages"));
    suite.AddTestCase(new DelayTestCase("delays are those of the flow"));
    suite.AddTestCase(new RefusalTestCase("refusals"));
    suite.AddTestCase(new LateTestCase("receives that several ranks post late"));
    suite.AddTestCase(new StuckTestCase("the report of a message without receive"));
});

} // namespace ns3::tests::receive_poster_test
