// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-control.h"
#include "fabric-test-credits.h"
#include "fabric-test-errors.h"
#include "fabric-test-wings.h"

#include "ns3/credit-flow-control.h"
#include "ns3/fabric-headers.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-topology.h"
#include "ns3/flow-recorder.h"
#include "ns3/link-packets.h"
#include "ns3/test.h"

#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Credits on one link: exchange, rate, loss, wrap.
 *
 * A credit frame takes (88 + 20) x 80 = 8,640 ps and arrives 1,008,640 ps after it begins.
 */

namespace ns3::tests::credit_flow_control_test
{

constexpr int64_t FRAME_PS = 1008640; //!< from the begin of a credit frame to its arrival

/**
 * @ingroup dcfabric-tests
 * @brief Line rate if and only if the credits cover the round trip.
 */
class CreditRateTestCase : public CreditTestCase
{
    using CreditTestCase::CreditTestCase;

    void DoRun() override
    {
        // 2,088,640 ps to and fro; the left end's own frame takes 8,640 ps of the wire
        CheckRate(FRAME_PS, [this](uint32_t buffer) {
            NS_TEST_EXPECT_MSG_EQ(m_credits[0]->GetAvailableUnits(3), buffer, "all back");
            // each packet from the last one of the first buffer on takes the only credit left;
            // of 28 one is always left
            NS_TEST_EXPECT_MSG_EQ(m_credits[0]->GetNStalls(),
                                  (buffer >= 28 ? 0 : 91 - buffer),
                                  "none left, buffer " << buffer);
            NS_TEST_EXPECT_MSG_EQ(m_credits[1]->GetNLostUnits(), 0, "nothing lost");
        });
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Lost frames and lost packets.
 */
class CreditLossTestCase : public CreditTestCase
{
    using CreditTestCase::CreditTestCase;

    void DoRun() override
    {
        // The first frame is lost: the left end has had no credits since 0 and asks at 100 us; the
        // question and the answer take a frame's time each.
        Create(1);
        Send(1);
        Lose(m_leftPort, {0});
        Simulator::Run();
        std::vector<int64_t> begun = GetBegun();
        NS_TEST_ASSERT_MSG_EQ(begun.size(), 1, "arrived");
        NS_TEST_EXPECT_MSG_EQ(begun[0], 100000000 + 2 * FRAME_PS, "after question and answer");
        Clear();

        // The frame that gives back the first packet's credit is lost. The packet began at
        // 1,008,640; since then there is none.
        Create(1);
        Send(2);
        Lose(m_leftPort, {1});
        Simulator::Run();
        begun = GetBegun();
        NS_TEST_ASSERT_MSG_EQ(begun.size(), 2, "both arrived");
        NS_TEST_EXPECT_MSG_EQ(begun[1], 100000000 + 3 * FRAME_PS, "after question and answer");
        NS_TEST_EXPECT_MSG_EQ(m_credits[0]->GetNRequests(), 1, "asked once");
        Clear();

        // Both first frames and both first questions are lost. The second questions, at 200 us,
        // cross; each brings credits, and its answer goes ahead of the packet (8,640 ps).
        Create(1);
        Send(1);
        Lose(m_leftPort, {0, 1});
        Lose(m_rightPort, {0, 1});
        Simulator::Run();
        begun = GetBegun();
        NS_TEST_ASSERT_MSG_EQ(begun.size(), 1, "arrived");
        NS_TEST_EXPECT_MSG_EQ(begun[0], 200000000 + FRAME_PS + 8640, "second question");
        NS_TEST_EXPECT_MSG_EQ(m_credits[0]->GetNRequests(), 2, "asked twice");
        Clear();

        // Two of four packets are lost (arrivals 1 and 2 at the right, behind the first frame). The
        // left end tells its total when it has sent two buffers full: eight packets.
        Create(4);
        Send(20);
        Lose(m_rightPort, {1, 2});
        Simulator::Run();
        begun = GetBegun();
        NS_TEST_EXPECT_MSG_EQ(begun.size(), 18, "the others arrived");
        NS_TEST_EXPECT_MSG_EQ(m_credits[1]->GetNLostUnits(), 2, "two are known to be lost");
        NS_TEST_EXPECT_MSG_EQ(m_credits[0]->GetAvailableUnits(3), 4, "all credits are back");
        Clear();

        // All four are lost: it has to ask.
        Create(4);
        Send(5);
        Lose(m_rightPort, {1, 2, 3, 4});
        Simulator::Run();
        begun = GetBegun();
        NS_TEST_ASSERT_MSG_EQ(begun.size(), 1, "the fifth arrived");
        // blocked when the fourth packet began
        NS_TEST_EXPECT_MSG_EQ(begun[0], FRAME_PS + 3 * 80000 + 100000000 + 2 * FRAME_PS, "asked");
        Clear();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A lone flow at time 0 takes its ideal time over links with credits (a long one gives way
 * to the frame that its sender owes after two buffers full); without InitialCredits it waits for
 * the first frames, which all links send at once.
 */
class LoneFlowTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        if (!HasClass("ideal-times"))
        {
            return;
        }
        // a frame of 88 or 104 bytes and its gap of 20 at 80 ps a byte, and the link
        for (const auto& [type, framePs] :
             std::vector<std::pair<std::string, int64_t>>{{"ns3::CreditFlowControl", FRAME_PS},
                                                          {"ns3::VoqCreditFlowControl", 1009920}})
        {
            for (const bool initial : {true, false})
            {
                for (const uint64_t bytes : {1, 1000, 10000})
                {
                    FabricHelper helper;
                    helper.SetFlowControl(type, "InitialCredits", BooleanValue(initial));
                    if (framePs != FRAME_PS)
                    {
                        helper.SetBuffer("ns3::VoqBuffer");
                    }
                    Ptr<Fabric> fabric =
                        helper.Install(MakeFabricTopology("fat-tree:k=4")->BuildGraph());
                    FlowRecorder recorder(fabric, {{0, 15, bytes, 0}});
                    recorder.Start();
                    Simulator::Run();
                    NS_TEST_EXPECT_MSG_EQ(recorder.GetRecords()[0].fctPs -
                                              recorder.GetTable().GetIdealFctPs(0),
                                          (initial ? 0 : framePs),
                                          type << ", " << bytes << " bytes, initial " << initial);
                    Simulator::Destroy();
                }
            }
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What is seen from outside.
 */
class CreditTraceTestCase : public CreditTestCase
{
    using CreditTestCase::CreditTestCase;

    void DoRun() override
    {
        Create(2);
        NoteUsed();
        Send(3);
        Simulator::Run();
        // first frame: 0; two packets: 1, 2; first comes back: 1; third packet: 2; back: 1, 0
        NS_TEST_EXPECT_MSG_EQ((m_used == std::vector<uint32_t>{0, 1, 2, 1, 2, 1, 0}),
                              true,
                              "used credits");
        // an empty queue at both ends: a frame each way and one for each packet
        NS_TEST_EXPECT_MSG_EQ(m_rightPort->GetCounters().txLinkFrames, 4, "1 + 3");
        NS_TEST_EXPECT_MSG_EQ(m_leftPort->GetCounters().txLinkFrames, 1, "only the first");
        Clear();

        // ends that know each other need no first frame
        Create(2, 0, true);
        NoteUsed();
        Send(3);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ((m_used == std::vector<uint32_t>{1, 2, 1, 2, 1, 0}), true, "used");
        NS_TEST_EXPECT_MSG_EQ(m_rightPort->GetCounters().txLinkFrames, 3, "for each packet");
        NS_TEST_EXPECT_MSG_EQ(m_leftPort->GetCounters().txLinkFrames, 0, "nothing to tell");
        Clear();

        const auto credit = FabricPacketItem::Create(FabricPacketType::CREDIT);
        credit->size = CreditFlowControl::FRAME_BYTES;
        credit->src = 77;
        credit->As<CreditFields>().request = 1;
        credit->As<CreditFields>().bufferUnits = 1234;
        for (uint32_t c = 0; c < 8; ++c)
        {
            credit->credits[c] = {c, 0xffffff00U + c};
        }
        credit->UpdateFlowHash();
        const auto bytes = FabricHeaders::Serialize(*credit);
        NS_TEST_EXPECT_MSG_EQ(bytes->GetSize(), CreditFlowControl::FRAME_BYTES, "14 + 70 + 4");
        const auto again = FabricHeaders::Parse(bytes);
        NS_TEST_ASSERT_MSG_NE(again, nullptr, "parsed");
        NS_TEST_EXPECT_MSG_EQ(again->src, 77, "sender");
        NS_TEST_EXPECT_MSG_EQ(+again->As<CreditFields>().request, 1, "question");
        NS_TEST_EXPECT_MSG_EQ(again->As<CreditFields>().bufferUnits, 1234, "buffer");
        NS_TEST_EXPECT_MSG_EQ(again->credits[7].limit, 0xffffff07U, "limit");
        NS_TEST_EXPECT_MSG_EQ(again->credits[7].sent, 7, "sent");

        Create(1);
        m_credits[0]->SetAttribute("BufferBytes", UintegerValue(979));
        DCFABRIC_EXPECT_REFUSAL(m_credits[0]->SetMaxFrameBytes(980), "BufferBytes");
        // kept back: two packets of two; at most one may be, for the peer needs one to go on
        m_credits[0]->SetAttribute("BufferBytes", UintegerValue(2 * 980));
        m_credits[0]->SetAttribute("ReturnBytes", UintegerValue(3 * 980));
        DCFABRIC_EXPECT_REFUSAL(m_credits[0]->SetMaxFrameBytes(980), "ReturnBytes");
        Clear();

        // an attribute that changes in the middle has no effect
        Create(4, 0, true);
        Send(8);
        CallIn(MicroSeconds(1), [this]() {
            for (const auto& credits : m_credits)
            {
                credits->SetAttribute("UnitBytes", UintegerValue(245));
            }
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(GetBegun().size(), 8, "all arrived");
        NS_TEST_EXPECT_MSG_EQ(m_credits[0]->GetAvailableUnits(3), 4, "all back");
        NS_TEST_EXPECT_MSG_EQ(m_credits[0]->GetBufferBytes(), 3920, "four units of 980");
        Clear();

        // 0.4 s to and fro at 100 Gb/s are 5e9 bytes; totals of units have 32 bits
        const auto near = MakeActor(0);
        const auto far = MakeActor(1);
        const auto port = AddPort(near, 100 * GBPS);
        Join(port, AddPort(far, 100 * GBPS), MilliSeconds(200));
        const auto fine = CreateObject<CreditFlowControl>();
        fine->SetAttribute("UnitBytes", UintegerValue(1));
        port->SetFlowControl(fine);
        DCFABRIC_EXPECT_REFUSAL(fine->SetMaxFrameBytes(980), "UnitBytes");
        fine->SetAttribute("UnitBytes", UintegerValue(64));
        fine->SetMaxFrameBytes(980);
        NS_TEST_EXPECT_MSG_GT(fine->GetBufferBytes(), 4900000000, "98 of 100 bytes are packets");
        Clear();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief The computed buffer keeps a link busy in both directions.
 */
class CreditBufferTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param device a port
     * @param priority class
     */
    void Note(Ptr<const FabricNetDevice> device, uint8_t priority, uint32_t /* units */)
    {
        if (priority == 3)
        {
            m_waits += (device->GetPausedClasses() >> 3) & 1;
            ++m_changes;
        }
    }

    void DoRun() override
    {
        for (const uint64_t rate : {10 * GBPS, 100 * GBPS, 400 * GBPS})
        {
            for (const int64_t delayPs : {1000, 1000000, 5000000})
            {
                FabricHelper helper;
                helper.SetFlowControl("ns3::CreditFlowControl");
                // Data at 0.8 of the line, ACKs at 0.8 x 122 / 1082 = 0.09: with the credit frames
                // of each hop the wires are nearly full, but no queue grows without end.
                helper.SetCongestionControl(FixedCongestionControl::Name(),
                                            "Rate",
                                            DoubleValue(0.8 * static_cast<double>(rate)));
                Ptr<Fabric> fabric = helper.Install(MakeChain({rate, rate, rate}, delayPs));
                m_waits = 0;
                m_changes = 0;
                // from 20 us on, when credits have been exchanged
                CallIn(MicroSeconds(20), [&]() {
                    fabric->GetNic(0)->GetMessages().Send(1, 2000000, 0);
                    fabric->GetNic(1)->GetMessages().Send(0, 2000000, 1);
                    for (const uint32_t node : {0, 1, 2, 3})
                    {
                        for (uint16_t p = 0; p < (node < 2 ? 1 : 2); ++p)
                        {
                            fabric->GetPort(node, p)->GetFlowControl()->TraceConnectWithoutContext(
                                "UsedCredits",
                                MakeCallback(&CreditBufferTestCase::Note, this));
                        }
                    }
                });
                Simulator::Run();
                NS_TEST_EXPECT_MSG_GT(m_changes, 4000, "used");
                NS_TEST_EXPECT_MSG_EQ(m_waits, 0, rate << " bit/s, " << delayPs << " ps");
                NS_TEST_EXPECT_MSG_EQ(fabric->GetDrops().empty(), true, "no drop");
                Simulator::Destroy();
            }
        }
    }

    uint32_t m_waits{0};   //!< changes at which the class was without credits
    uint32_t m_changes{0}; //!< changes of used credits
};

/// Credit-based flow control.
const SuiteCases g_cases("dcfabric-credits", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(
        new CreditRateTestCase("credits: begin at once or with the first frame; line rate from 27 "
                               "packets on"));
    suite.AddTestCase(
        new CreditLossTestCase("credits: lost frames and packets are noticed and made good"));
    suite.AddTestCase(new LoneFlowTestCase("credits: a lone flow at time 0"));
    suite.AddTestCase(new CreditTraceTestCase(
        "credits: used ones are traced; sizes are checked; frames have bytes"));
    suite.AddTestCase(new CreditBufferTestCase(
        "credits: with the computed buffer a busy link never waits for them"));
});

} // namespace ns3::tests::credit_flow_control_test
