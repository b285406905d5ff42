// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-credits.h"
#include "fabric-test-errors.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-headers.h"
#include "ns3/fabric-helper.h"
#include "ns3/link-packets.h"
#include "ns3/test.h"
#include "ns3/voq-credit-flow-control.h"

#include <utility>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Credits for each virtual queue: rate, independence of queues, loss, wrap, refusals.
 *
 * A credit frame takes (104 + 20) x 80 = 9,920 ps and arrives 1,009,920 ps after it begins.
 */

namespace ns3::tests::voq_credit_flow_control_test
{

constexpr int64_t FRAME_PS = 1009920; //!< from the begin of a credit frame to its arrival

/**
 * @ingroup dcfabric-tests
 * @brief The left end sends or parks.
 */
class VoqCreditTestCase : public CreditLinkTestCase<VoqCreditFlowControl>
{
  public:
    using CreditLinkTestCase::CreditLinkTestCase;

  protected:
    void Send(uint32_t count) override
    {
        Offer(count);
    }

    /**
     * @brief Send packets from the left as soon as they may.
     * @param count how many
     * @param output at the right
     * @param size bytes
     */
    void Offer(uint32_t count, uint32_t output = 1, uint32_t size = 980)
    {
        for (uint32_t i = 0; i < count; ++i)
        {
            auto item = MakeData(size, i, 3, 0, output);
            if (m_leftPort->GetGate()->PassOrPark(item, 0))
            {
                m_leftPort->Enqueue(item);
            }
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Line rate if and only if the credits of a queue cover the round trip.
 */
class VoqCreditRateTestCase : public VoqCreditTestCase
{
    using VoqCreditTestCase::VoqCreditTestCase;

    void DoRun() override
    {
        // 2,089,920 ps to and fro; the left end's own frame takes 9,920 ps of the wire
        CheckRate(FRAME_PS, [this](uint32_t buffer) {
            NS_TEST_EXPECT_MSG_EQ(m_credits[0]->GetQueueUnits(1, 3), buffer, "all back");
            NS_TEST_EXPECT_MSG_EQ(m_leftPort->GetGate()->GetNParkedPackets(), 0, "none waits");
        });
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief One queue is full, another is not.
 */
class VoqCreditIndependenceTestCase : public VoqCreditTestCase
{
    using VoqCreditTestCase::VoqCreditTestCase;

    /// @param units used by class 3
    void Note(Ptr<const FabricNetDevice> /* device */, uint8_t priority, uint32_t units)
    {
        if (priority == 3)
        {
            m_used.push_back(units);
        }
    }

    void DoRun() override
    {
        // Output 10 never releases; two packets fill its queue, the third stays. The first frame
        // opens the queues in the order of their numbers; packets for output 1 get their credits
        // back 2,089,920 ps after they began.
        Create(2);
        NoteUsed();
        Offer(3, 10);
        Offer(5, 1);
        Simulator::Stop(MicroSeconds(90)); // before the left end asks for queue 10
        Simulator::Run();
        constexpr int64_t LOOP_PS = 2089920;
        const std::vector<int64_t> full{FRAME_PS + 160000, FRAME_PS + 240000};
        NS_TEST_EXPECT_MSG_EQ((GetBegun(10) == full), true, "two for output 10");
        const std::vector<int64_t> empty{FRAME_PS,
                                         FRAME_PS + 80000,
                                         FRAME_PS + LOOP_PS,
                                         FRAME_PS + 80000 + LOOP_PS,
                                         FRAME_PS + 2 * LOOP_PS};
        NS_TEST_EXPECT_MSG_EQ((GetBegun(1) == empty), true, "all for output 1");
        NS_TEST_EXPECT_MSG_EQ(m_leftPort->GetGate()->GetNParkedPackets(),
                              1,
                              "the third for output 10");
        NS_TEST_EXPECT_MSG_EQ(m_left->GetNHeldPackets(), 1, "which the node counts");
        NS_TEST_EXPECT_MSG_EQ(m_credits[0]->GetQueueUnits(10, 3), 0, "output 10");
        NS_TEST_EXPECT_MSG_EQ(m_credits[0]->GetQueueUnits(1, 3), 2, "output 1");
        NS_TEST_EXPECT_MSG_EQ(m_credits[0]->GetQueueUnits(5, 3), 2, "an output without packets");
        NS_TEST_EXPECT_MSG_EQ(m_credits[0]->GetAvailableUnits(3), 0, "the least");
        NS_TEST_EXPECT_MSG_EQ(m_credits[0]->GetUsedUnits(3), 2, "those of output 10");
        // two for each output; those for output 1 come back one by one, three more follow
        NS_TEST_EXPECT_MSG_EQ((m_used == std::vector<uint32_t>{1, 2, 3, 4, 3, 4, 3, 4, 3, 4, 3, 2}),
                              true,
                              "used credits of the class");
        Clear();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Lost frames and lost packets.
 */
class VoqCreditLossTestCase : public VoqCreditTestCase
{
    using VoqCreditTestCase::VoqCreditTestCase;

    void DoRun() override
    {
        // The first frame is lost: the packet has waited since 0, the left end asks at 100 us; the
        // question and the answer take a frame's time each.
        Create(1);
        Offer(1);
        Lose(m_leftPort, {0});
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(GetBegun().size(), 1, "arrived");
        NS_TEST_EXPECT_MSG_EQ(GetBegun()[0], 100000000 + 2 * FRAME_PS, "after question and answer");
        Clear();

        // The frame that gives back the first packet's credit is lost. The second packet has waited
        // since the first one began.
        Create(1);
        Offer(2);
        Lose(m_leftPort, {1});
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(GetBegun().size(), 2, "both arrived");
        NS_TEST_EXPECT_MSG_EQ(GetBegun()[1], 100000000 + 3 * FRAME_PS, "after question and answer");
        NS_TEST_EXPECT_MSG_EQ(m_credits[0]->GetNRequests(), 1, "asked once");
        Clear();

        // So is the first question (the second frame from the left); the second one, 100 us later,
        // arrives.
        Create(1);
        Offer(2);
        Lose(m_leftPort, {1});
        Lose(m_rightPort, {2}); // frame, packet, question
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(GetBegun().size(), 2, "both arrived");
        NS_TEST_EXPECT_MSG_EQ(GetBegun()[1], 200000000 + 3 * FRAME_PS, "second question");
        NS_TEST_EXPECT_MSG_EQ(m_credits[0]->GetNRequests(), 2, "asked twice");
        Clear();

        // Two of four packets are lost (arrivals 1 and 2 at the right, behind the first frame). The
        // left end tells its total when it has sent two buffers full: eight packets.
        Create(4);
        Offer(20);
        Lose(m_rightPort, {1, 2});
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(GetBegun().size(), 18, "the others arrived");
        NS_TEST_EXPECT_MSG_EQ(m_credits[1]->GetNLostUnits(), 2, "two are known to be lost");
        NS_TEST_EXPECT_MSG_EQ(m_credits[0]->GetQueueUnits(1, 3), 4, "all credits are back");
        Clear();

        // All four are lost: it has to ask; the fifth has waited since the first four passed.
        Create(4);
        Offer(5);
        Lose(m_rightPort, {1, 2, 3, 4});
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(GetBegun().size(), 1, "the fifth arrived");
        NS_TEST_EXPECT_MSG_EQ(GetBegun()[0], FRAME_PS + 100000000 + 2 * FRAME_PS, "asked");
        Clear();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Promised credits, many queues, packets that the port drops, bytes of the frame.
 */
class VoqCreditDetailTestCase : public VoqCreditTestCase
{
    using VoqCreditTestCase::VoqCreditTestCase;

    void DoRun() override
    {
        // Units of a byte, buffer of two full packets; packets of 100 B (9,600 ps with the gap).
        // Each holds 980 until it is on the wire: with 1,960 - 100 - 980 = 880 left the third waits
        // for the second to begin, then 1,760 are left; none leaves a gap on the wire. 18 x 100
        // would leave 160; the last that fits finds 980: 10 packets have begun by then.
        Create(2, 0, false, 1);
        Offer(9, 1, 100);
        Simulator::Run();
        const std::vector<int64_t> begun = GetBegun(1, 9600);
        NS_TEST_ASSERT_MSG_EQ(begun.size(), 9, "all");
        for (uint32_t i = 0; i < 9; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(begun[i], FRAME_PS + i * 9600, "packet " << i);
        }
        Clear();

        // One packet for each of ten outputs, released together: the first goes into a frame at
        // once, the next eight into one and the last into a third.
        Create(1);
        m_right->onReceive = [this](FabricNetDevice& port, Ptr<FabricPacketItem> item) {
            for (uint16_t output = 0; item->dst == 9 && output < 10; ++output)
            {
                const auto released = MakeData(980, 0, 3, 0, output);
                released->bufferClass = 3;
                port.GetFlowControl()->OnBufferReleased(*released, 980);
            }
        };
        for (uint32_t output = 0; output < 10; ++output)
        {
            Offer(1, output);
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(m_right->arrivals.size(), 10, "all");
        NS_TEST_EXPECT_MSG_EQ(m_rightPort->GetCounters().txLinkFrames, 1 + 3, "frames");
        NS_TEST_EXPECT_MSG_EQ(m_credits[0]->GetUsedUnits(3), 0, "all credits are back");
        Clear();

        // The port holds one packet beside that on its wire: what it throws away has not been sent
        // and needs no credits, so the fourth gets those of the third.
        Create(3);
        m_leftPort->GetQueue().GetDisc()->SetAttribute("MaxSize", QueueSizeValue(QueueSize("1p")));
        CallIn(MicroSeconds(2), [this]() { Offer(4); });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(GetBegun().size(), 2, "one on the wire, one in the queue");
        NS_TEST_EXPECT_MSG_EQ(m_credits[0]->GetQueueUnits(1, 3), 3, "all credits are there");
        NS_TEST_EXPECT_MSG_EQ(m_leftPort->GetGate()->GetNParkedPackets(), 0, "none waits");
        Clear();

        // Room for 1100 B: one packet on the wire, one in the queue. The third has passed, with
        // the last credit, when a fourth of 100 B has to wait; the third is refused, which gives
        // the fourth its credit, and that one fits: 980 + 100.
        Create(3);
        m_leftPort->GetQueue().GetDisc()->SetAttribute("MaxSize",
                                                       QueueSizeValue(QueueSize("1100B")));
        CallIn(MicroSeconds(2), [this]() {
            Offer(2);
            auto third = MakeData(980, 2, 3, 0, 1);
            auto fourth = MakeData(100, 3, 3, 0, 1);
            EgressGate& gate = *m_leftPort->GetGate();
            NS_TEST_EXPECT_MSG_EQ(gate.PassOrPark(third, 0), true, "the last credit");
            NS_TEST_EXPECT_MSG_EQ(gate.PassOrPark(fourth, 0), false, "none is left");
            NS_TEST_EXPECT_MSG_EQ(m_leftPort->Enqueue(third), false, "no room");
            NS_TEST_EXPECT_MSG_EQ(m_leftPort->GetCounters().queueDrops, 1, "the third alone");
            NS_TEST_EXPECT_MSG_EQ(m_leftPort->GetQueue().GetBytes(), 1080, "and the fourth");
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(m_right->arrivals.size(), 3, "1, 2 and 4");
        NS_TEST_EXPECT_MSG_EQ(m_credits[0]->GetQueueUnits(1, 3), 3, "all credits are there");
        NS_TEST_EXPECT_MSG_EQ(m_leftPort->GetGate()->GetNParkedPackets(), 0, "none waits");
        Clear();

        const auto credit = FabricPacketItem::Create(FabricPacketType::CREDIT);
        credit->size = VoqCreditFlowControl::QUEUES_FRAME_BYTES;
        credit->src = 77;
        credit->As<CreditFields>() = {1, 1234, true, {}};
        for (uint16_t i = 0; i < 8; ++i)
        {
            credit->As<CreditFields>().queues[i] = static_cast<uint16_t>(i < 7 ? 1000 + i : 0xffff);
            credit->credits[i] = {i, 0xffffff00U + i};
        }
        const auto bytes = FabricHeaders::Serialize(*credit);
        NS_TEST_EXPECT_MSG_EQ(bytes->GetSize(), credit->size, "14 + 86 + 4 = 104");
        const auto again = FabricHeaders::Parse(bytes);
        NS_TEST_ASSERT_MSG_NE(again, nullptr, "parsed");
        NS_TEST_EXPECT_MSG_EQ(+again->As<CreditFields>().request, 1, "question");
        NS_TEST_EXPECT_MSG_EQ(again->As<CreditFields>().perQueue, true, "of queues");
        NS_TEST_EXPECT_MSG_EQ(again->As<CreditFields>().bufferUnits, 1234, "buffer");
        NS_TEST_EXPECT_MSG_EQ(again->As<CreditFields>().queues[6], 1006, "queue");
        NS_TEST_EXPECT_MSG_EQ(again->As<CreditFields>().queues[7],
                              FabricPacketItem::NO_QUEUE,
                              "none");
        NS_TEST_EXPECT_MSG_EQ(again->credits[6].limit, 0xffffff06U, "limit");
        NS_TEST_EXPECT_MSG_EQ(again->credits[6].sent, 6, "sent");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A NIC sends what it has credits for.
 */
class VoqCreditNicTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param flowControl TypeId
     * @return Gb/s of the wire that host 0 gets towards hosts 1 and 3
     */
    std::pair<double, double> Measure(const std::string& flowControl)
    {
        FabricHelper helper;
        helper.SetFlowControl(flowControl);
        helper.SetBuffer("ns3::VoqBuffer");
        Ptr<Fabric> fabric =
            helper.Install(MakeStar(std::vector<uint64_t>(5, 100 * GBPS), 1000000));
        for (const uint32_t source : {0, 2, 4})
        {
            fabric->GetNic(source)->GetMessages().Send(1, 100000000, 1);
        }
        fabric->GetNic(0)->GetMessages().Send(3, 100000000, 3);
        uint64_t before[2] = {};
        double gbps[2] = {};
        const auto acked = [&fabric](uint32_t pdc) {
            return fabric->GetNic(0)->GetSendingPdcs().GetBusy().at(pdc)->GetAckedBytes();
        };
        CallIn(MilliSeconds(1), [&]() {
            before[0] = acked(0);
            before[1] = acked(1);
        });
        CallIn(MilliSeconds(2), [&]() {
            for (uint32_t pdc = 0; pdc < 2; ++pdc)
            {
                gbps[pdc] = static_cast<double>(acked(pdc) - before[pdc]) * 8 / 1e6 * 1.082;
            }
        });
        Simulator::Stop(MilliSeconds(2) + NanoSeconds(1));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(fabric->GetDrops().empty(), true, "no drop");
        NS_TEST_EXPECT_MSG_EQ(fabric->CheckConservation().Holds(), true, "conservation");
        Simulator::Destroy();
        return {gbps[0], gbps[1]};
    }

    void DoRun() override
    {
        // Hosts 0, 2 and 4 share the link to 1: 33.3 Gb/s each. With credits of a class host 0
        // takes turns, so that 3 gets no more than 1; with those of queues it gets the rest of 100.
        const auto [toBusy, toIdle] = Measure("ns3::CreditFlowControl");
        NS_TEST_EXPECT_MSG_EQ_TOL(toBusy, 33.3, 1.5, "a third");
        NS_TEST_EXPECT_MSG_EQ_TOL(toIdle, 33.3, 1.5, "held back");
        const auto [toBusy2, toIdle2] = Measure("ns3::VoqCreditFlowControl");
        NS_TEST_EXPECT_MSG_EQ_TOL(toBusy2, 33.3, 1.5, "a third");
        NS_TEST_EXPECT_MSG_EQ_TOL(toIdle2, 66.7, 1.5, "the rest");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A lone flow is as fast as without flow control; combinations that cannot work.
 */
class VoqCreditNetworkTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param credits with credits
     * @param rate of the links
     * @return when 2 MB that were sent at 20 us have arrived, in us
     */
    double Deliver(bool credits, uint64_t rate)
    {
        FabricHelper helper;
        helper.SetBuffer("ns3::VoqBuffer");
        helper.SetFlowControl(credits ? "ns3::VoqCreditFlowControl" : "none");
        Ptr<Fabric> fabric = helper.Install(MakeChain({rate, rate, rate}, 1000000));
        double us = 0;
        fabric->GetNic(1)->GetMessages().SetDeliveredCallback(
            [&](const FabricMessageEvent&) { us = Simulator::Now().GetDouble(); });
        fabric->GetNic(0)->GetMessages().SendAt(20000000, 1, 2000000, 0);
        Simulator::Run();
        us = us / 1e3; // of a tick
        Simulator::Destroy();
        return us;
    }

    void DoRun() override
    {
        // What data loses are credit frames of 124 B in its own direction: one for each two buffers
        // full of it, and one for each ReturnBytes of ACKs that came back. A link of 10 Gb/s has 2
        // x 1 us x 1.25 B/ns + 2 frames of 1,082 + 104 + 3 gaps of 20 = 4,828 B away, x 1082 / 1102
        // + 1,082 + a quarter = 7.3 kB, so one frame for 13 packets; and 1.5 kB are 11 ACKs of 122
        // B in units of 64: 124 / 1102 x (1/13 + 1/11) = 1.9 %. At 100 Gb/s 26.8 kB are away, the
        // buffer is 34.6 kB: 124 / 1102 x (1/64 + 1/52) = 0.39 %.
        for (const auto& [rate, most] : {std::pair{10 * GBPS, 0.019},
                                         std::pair{100 * GBPS, 0.0039},
                                         std::pair{400 * GBPS, 0.0039}})
        {
            const double alone = Deliver(false, rate) - 20;
            const double withCredits = Deliver(true, rate) - 20;
            NS_TEST_EXPECT_MSG_GT(alone, 40, "2 MB");
            NS_TEST_EXPECT_MSG_EQ_TOL(withCredits / alone, 1, most, rate << " bit/s");
        }

        FabricHelper shared;
        shared.SetFlowControl("ns3::VoqCreditFlowControl");
        DCFABRIC_EXPECT_REFUSAL(shared.Install(MakeChain({GBPS, GBPS}, 1000)), "SharedBuffer");
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Where a packet will go is asked once, whatever it waits for, and anew of where it goes
 * next.
 */
class VoqCreditPredictionTestCase : public VoqCreditTestCase
{
    using VoqCreditTestCase::VoqCreditTestCase;

    void DoRun() override
    {
        // two of five find credits at once, the others wait; all are released on arrival
        Create(2, 0, true);
        Offer(5);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(m_right->arrivals.size(), 5, "all arrive");
        NS_TEST_EXPECT_MSG_EQ(m_right->nPredictions, 5, "one question for each");
        for (const auto& arrival : m_right->arrivals)
        {
            NS_TEST_EXPECT_MSG_EQ(arrival.packet->output, 1, "the output at the right");
            NS_TEST_EXPECT_MSG_EQ(arrival.packet->nextOutput,
                                  FabricPacketItem::UNKNOWN_PORT,
                                  "nobody has asked about the next node");
        }
        // one that leaves the gate without being sent may go elsewhere
        auto item = MakeData(980, 5, 3, 0, 1);
        NS_TEST_EXPECT_MSG_EQ(m_leftPort->GetGate()->PassOrPark(item, 0), true, "passes");
        m_leftPort->GetGate()->ReturnRoom(*item);
        NS_TEST_EXPECT_MSG_EQ(item->nextOutput, FabricPacketItem::UNKNOWN_PORT, "forgotten");
        Simulator::Destroy();
    }
};

/// Credits for each virtual queue.
const SuiteCases g_cases("dcfabric-credits", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new VoqCreditRateTestCase(
        "queue credits: line rate from 27 packets on, also across the wrap"));
    suite.AddTestCase(new VoqCreditIndependenceTestCase(
        "queue credits: a full queue holds back only its own packets"));
    suite.AddTestCase(new VoqCreditLossTestCase(
        "queue credits: lost frames and packets are noticed and made good"));
    suite.AddTestCase(new VoqCreditDetailTestCase(
        "queue credits: promises, frames for many queues, drops, bytes"));
    suite.AddTestCase(new VoqCreditNicTestCase(
        "queue credits: a NIC sends to an idle host while others lack credits"));
    suite.AddTestCase(new VoqCreditPredictionTestCase(
        "queue credits: the output of a packet is found once for each hop"));
    suite.AddTestCase(new VoqCreditNetworkTestCase(
        "queue credits: the computed buffer keeps a line busy; refusals"));
});

} // namespace ns3::tests::voq_credit_flow_control_test
