// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-network.h"
#include "fabric-test-schedule.h"
#include "fabric-test-suite.h"
#include "fabric-test-wings.h"

#include "ns3/double.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-time.h"
#include "ns3/output-filter.h"
#include "ns3/test.h"
#include "ns3/voq-buffer.h"

#include <algorithm>
#include <map>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Virtual output queues: who is served, what is admitted, how long a transfer takes.
 */

namespace ns3::tests::voq_buffer_test
{

/**
 * @ingroup dcfabric-tests
 * @brief Order of the arbiters.
 */
class VoqArbiterTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const std::vector<VoqCandidate> some = {{0, 10}, {2, 30}, {5, 30}};
        const auto turn = CreateObject<RoundRobinVoqArbiter>();
        // none was served: the lowest, 0; then 2, then 5, then 0 was longest ago
        for (const std::size_t expected : {0, 1, 2, 0, 1})
        {
            NS_TEST_EXPECT_MSG_EQ(turn->Select(7, some), expected, "in turn");
            NS_TEST_EXPECT_MSG_EQ(turn->Select(7, some), expected, "as long as it is not served");
            turn->OnServed(7, some[expected].input);
        }
        NS_TEST_EXPECT_MSG_EQ(turn->Select(3, some), 0, "another output begins at the first");
        // output 7 served 5, then 0, then 2; never 1 and 4
        NS_TEST_EXPECT_MSG_EQ(turn->Select(7, {{0, 1}, {1, 1}, {4, 1}, {5, 1}}), 1, "never served");
        turn->OnServed(7, 1);
        turn->OnServed(7, 4);
        NS_TEST_EXPECT_MSG_EQ(turn->Select(7, {{0, 1}, {1, 1}, {4, 1}, {5, 1}}), 3, "longest ago");
        NS_TEST_EXPECT_MSG_EQ(turn->Select(7, {{0, 1}, {1, 1}, {4, 1}}), 0, "then this one");
        NS_TEST_EXPECT_MSG_EQ(turn->Select(7, {{1, 1}}), 0, "the only one");

        const auto longest = CreateObject<LongestQueueVoqArbiter>();
        NS_TEST_EXPECT_MSG_EQ(longest->Select(7, some), 1, "30 B, the lower input");
        NS_TEST_EXPECT_MSG_EQ(longest->Select(7, {{3, 5}, {4, 6}}), 1, "6 B");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Admission, headroom and resumption.
 */
class VoqAdmissionTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param buffer the buffer
     * @param in ingress
     * @param out egress
     * @param priority class
     * @return what happens to a packet of 1000 B
     */
    static SwitchBuffer::Verdict Admit(Ptr<VoqBuffer> buffer,
                                       uint16_t in,
                                       uint16_t out,
                                       uint8_t priority = 3)
    {
        return buffer->AdmitArrival({in, out, priority, 1000, 0});
    }

    void DoRun() override
    {
        const auto buffer = CreateObject<VoqBuffer>();
        buffer->SetAttribute("QueueBytes", UintegerValue(3000));
        buffer->SetAttribute("ResumeOffset", UintegerValue(1000));
        // three ports with 2000 B of headroom; class 3 is lossless, class 1 is not
        buffer->Configure({2000, 2000, 2000}, 1U << 3, (1U << 3) | (1U << 1));
        for (int i = 0; i < 3; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(Admit(buffer, 0, 1), SwitchBuffer::ADMITTED, "to 3000 B");
        }
        NS_TEST_EXPECT_MSG_EQ(Admit(buffer, 0, 1),
                              SwitchBuffer::ADMITTED_TO_HEADROOM,
                              "1000 B too much");
        for (int i = 0; i < 3; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(Admit(buffer, 0, 2), SwitchBuffer::ADMITTED, "another queue");
        }
        NS_TEST_EXPECT_MSG_EQ(Admit(buffer, 0, 1),
                              SwitchBuffer::ADMITTED_TO_HEADROOM,
                              "2000 B too much");
        NS_TEST_EXPECT_MSG_EQ(buffer->GetHeadroomUsed(0, 3), 2000, "5000 - 3000");
        NS_TEST_EXPECT_MSG_EQ(Admit(buffer, 0, 1).refused, DropReason::HEADROOM_EXHAUSTED, "full");
        NS_TEST_EXPECT_MSG_EQ(Admit(buffer, 0, 2).refused,
                              DropReason::HEADROOM_EXHAUSTED,
                              "the same one");
        NS_TEST_EXPECT_MSG_EQ(Admit(buffer, 2, 1), SwitchBuffer::ADMITTED, "another input");
        NS_TEST_EXPECT_MSG_EQ(buffer->GetUsedBytes(), 9000, "5 + 3 + 1 packets");

        // queue 0-1 goes 5000, 4000, 3000: headroom empty, but 3000 and 3000 are above 3000 - 1000
        NS_TEST_EXPECT_MSG_EQ(buffer->ReleaseRoom(0, 1, 3, 1000), false, "1000 B in headroom");
        NS_TEST_EXPECT_MSG_EQ(buffer->ReleaseRoom(0, 1, 3, 1000), false, "two long queues");
        NS_TEST_EXPECT_MSG_EQ(buffer->ReleaseRoom(0, 1, 3, 1000), false, "one long queue");
        NS_TEST_EXPECT_MSG_EQ(buffer->ReleaseRoom(0, 2, 3, 1000), true, "2000 B each");
        NS_TEST_EXPECT_MSG_EQ(buffer->ReleaseRoom(0, 2, 3, 1000), false, "told already");

        for (int i = 0; i < 3; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(Admit(buffer, 0, 1, 1), SwitchBuffer::ADMITTED, "lossy");
        }
        NS_TEST_EXPECT_MSG_EQ(Admit(buffer, 0, 1, 1).refused,
                              DropReason::ABOVE_THRESHOLD,
                              "lossy, full");
        // attributes that change while packets are there have no effect
        const auto fixed = CreateObject<VoqBuffer>();
        fixed->SetAttribute("QueueBytes", UintegerValue(3000));
        fixed->SetAttribute("ResumeOffset", UintegerValue(1000));
        fixed->Configure({2000, 2000, 2000}, 1U << 3, 1U << 3);
        for (int i = 0; i < 4; ++i)
        {
            Admit(fixed, 0, 1);
        }
        fixed->SetAttribute("QueueBytes", UintegerValue(2000));
        fixed->SetAttribute("ResumeOffset", UintegerValue(2000));
        NS_TEST_EXPECT_MSG_EQ(fixed->GetHeadroomUsed(0, 3), 1000, "4000 - 3000");
        NS_TEST_EXPECT_MSG_EQ(fixed->ReleaseRoom(0, 1, 3, 1000), false, "3000 B, above 2000");
        NS_TEST_EXPECT_MSG_EQ(fixed->GetHeadroomUsed(0, 3), 0, "3000 - 3000");
        NS_TEST_EXPECT_MSG_EQ(fixed->ReleaseRoom(0, 1, 3, 1000), true, "2000 B");

        DCFABRIC_EXPECT_REFUSAL(Admit(buffer, 0, 1, 5), "class 5");
        DCFABRIC_EXPECT_REFUSAL(buffer->AdmitArrival({0, 1, 3, 100001, 0}), "OutputBytes");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A switch with three ports of 100 Gb/s whose packets arrive as the test says.
 */
class VoqSwitchTestCase : public NamedCase
{
  public:
    using NamedCase::NamedCase;

  protected:
    /**
     * @brief Build the switch.
     * @param speedUp attribute
     * @param outputBytes attribute
     */
    void Create(double speedUp, uint64_t outputBytes)
    {
        FabricHelper helper;
        helper.SetFlowControl("none");
        helper.SetBuffer("ns3::VoqBuffer",
                         "SpeedUp",
                         DoubleValue(speedUp),
                         "OutputBytes",
                         UintegerValue(outputBytes));
        m_begun.clear();
        m_fabric = helper.Install(MakeStar({100 * GBPS, 100 * GBPS, 100 * GBPS}, 1000000));
        m_switch = m_fabric->GetSwitch(3);
        m_buffer = DynamicCast<VoqBuffer>(m_switch->GetBuffer());
        for (uint16_t port = 0; port < 3; ++port)
        {
            m_switch->GetPort(port)->TraceConnectWithoutContext(
                "Transmit",
                MakeCallback(&VoqSwitchTestCase::Note, this));
        }
    }

    /// @param item a packet that a port of the switch begins to send
    void Note(Ptr<const FabricPacketItem> item)
    {
        m_begun[item->dst].push_back(m_switch->GetNowPs());
        m_order.push_back(item->data.tag);
    }

    /**
     * @brief Let packets of 1000 B arrive at once.
     * @param in ingress
     * @param dst host
     * @param count number
     * @param tag of the packets
     * @param priority class
     */
    void Arrive(uint16_t in, uint32_t dst, int count, uint32_t tag = 0, uint8_t priority = 3)
    {
        for (int i = 0; i < count; ++i)
        {
            m_switch->Receive(*m_switch->GetPort(in), MakeData(1000, tag, priority, in, dst));
        }
    }

    /// Forget the switch.
    void Clear()
    {
        m_buffer = nullptr;
        m_switch = nullptr;
        m_fabric = nullptr;
        m_order.clear();
        Simulator::Destroy();
    }

    /**
     * @brief Compare times.
     * @param dst host
     * @param firstPs expected first time
     * @param stepPs expected distance
     */
    void ExpectTimes(uint32_t dst, int64_t firstPs, int64_t stepPs)
    {
        NS_TEST_EXPECT_MSG_EQ(m_begun[dst].size(), 5, "packets to " << dst);
        for (std::size_t i = 0; i < m_begun[dst].size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(m_begun[dst][i],
                                  firstPs + static_cast<int64_t>(i) * stepPs,
                                  "packet " << i << " to " << dst);
        }
    }

    Ptr<Fabric> m_fabric;                             //!< hosts 0 to 2 at switch 3
    Ptr<FabricSwitch> m_switch;                       //!< the switch
    Ptr<VoqBuffer> m_buffer;                          //!< its buffer
    std::map<uint32_t, std::vector<int64_t>> m_begun; //!< begin of transmissions by destination
    std::vector<uint32_t> m_order;                    //!< tags in the order of transmission
};

/**
 * @ingroup dcfabric-tests
 * @brief Who is served and when.
 */
class VoqTransferTestCase : public VoqSwitchTestCase
{
    using VoqSwitchTestCase::VoqSwitchTestCase;

    void DoRun() override
    {
        // A packet crosses in 80,000 ps at 100 Gb/s and takes 81,600 ps on a wire, with its gap.
        // Without speed-up the input serves outputs 1 and 2 in turn, each every 160,000 ps.
        Create(1, 100000);
        CallIn(Seconds(0), [this]() {
            Arrive(0, 1, 5);
            Arrive(0, 2, 5);
        });
        Simulator::Run();
        ExpectTimes(1, 0, 160000);
        ExpectTimes(2, 80000, 160000);
        Clear();

        // Twice as fast: 40,000 ps each, every 80,000 ps for an output: the wires are the limit.
        Create(2, 100000);
        CallIn(Seconds(0), [this]() {
            Arrive(0, 1, 5);
            Arrive(0, 2, 5);
        });
        Simulator::Run();
        ExpectTimes(1, 0, 81600);
        ExpectTimes(2, 40000, 81600);
        Clear();

        // Ten packets to output 1, whose queue holds two. Transfers begin at 0 (sent at once), 40,
        // 80 (full), and after the departure at 81.6 at 120 (full), after that at 163.2 at once.
        Create(2, 2000);
        CallIn(Seconds(0), [this]() { Arrive(0, 1, 10); });
        CallIn(NanoSeconds(79), [this]() {
            NS_TEST_EXPECT_MSG_EQ(m_buffer->GetOutputBytes(1, 3), 1000, "second");
            NS_TEST_EXPECT_MSG_EQ(m_buffer->GetInputBytes(0, 1, 3), 8000, "8 wait");
            NS_TEST_EXPECT_MSG_EQ(m_buffer->GetInputBytes(0, 2, 3), 0, "none for output 2");
            NS_TEST_EXPECT_MSG_EQ(m_buffer->GetInputBytes(0, 1, 7), 0, "class not in use");
        });
        CallIn(NanoSeconds(162), [this]() {
            NS_TEST_EXPECT_MSG_EQ(m_buffer->GetOutputBytes(1, 3), 2000, "third and fourth");
            NS_TEST_EXPECT_MSG_EQ(m_buffer->GetInputBytes(0, 1, 3), 6000, "6 wait");
            NS_TEST_EXPECT_MSG_EQ(m_buffer->GetNHeldPackets(), 6, "6 wait");
            NS_TEST_EXPECT_MSG_EQ(m_buffer->GetUsedBytes(), 8000, "6 + 2");
        });
        CallIn(NanoSeconds(165), [this]() {
            NS_TEST_EXPECT_MSG_EQ(m_buffer->GetOutputBytes(1, 3), 2000, "fourth and fifth");
            NS_TEST_EXPECT_MSG_EQ(m_buffer->GetInputBytes(0, 1, 3), 5000, "5 wait");
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(m_begun[1].size(), 10, "all");
        NS_TEST_EXPECT_MSG_EQ(m_begun[1].back(), 9 * 81600, "back to back");
        NS_TEST_EXPECT_MSG_EQ(m_buffer->GetUsedBytes(), 0, "empty");
        NS_TEST_EXPECT_MSG_EQ(m_buffer->GetNHeldPackets(), 0, "empty");
        Clear();

        // Six packets from input 0, three from input 1: in turn, as long as both have some.
        Create(2, 2000);
        CallIn(Seconds(0), [this]() {
            Arrive(0, 2, 6, 0);
            Arrive(1, 2, 3, 1);
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ((m_order == std::vector<uint32_t>{0, 1, 0, 1, 0, 1, 0, 0, 0}),
                              true,
                              "in turn");
        Clear();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A filter that holds some packets up to a time.
 */
class SomeFilter : public OutputFilter
{
  public:
    uint32_t tag{0};                    //!< of the packets that are held
    int64_t untilPs{0};                 //!< they may pass from then on
    int64_t stepPs{FabricTime::NEVER};  //!< it asks to be asked again after that time at the latest
    const FabricSwitch* owner{nullptr}; //!< has the time
    uint32_t asked{0};                  //!< how often

    bool MayPass(uint16_t output, const FabricPacketItem& head) override
    {
        ++asked;
        return output != 2 || head.data.tag != tag || owner->GetNowPs() >= untilPs;
    }

    int64_t GetRetryPs(uint16_t /* output */) const override
    {
        return untilPs == FabricTime::NEVER  ? untilPs
               : stepPs == FabricTime::NEVER ? untilPs
                                             : std::min(untilPs, owner->GetNowPs() + stepPs);
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What a filter holds back waits exactly as long as it says; all else passes.
 *
 * A packet crosses in 40,000 ps and takes 81,600 ps on a wire, with its gap.
 */
class VoqFilterTestCase : public VoqSwitchTestCase
{
    using VoqSwitchTestCase::VoqSwitchTestCase;

    /**
     * @brief Build a switch with the filter.
     * @param filter has its settings
     */
    void CreateWith(SomeFilter& filter)
    {
        Create(2, 2000);
        filter.owner = PeekPointer(m_switch);
        m_buffer->SetFilter(&filter);
    }

    /**
     * @brief Compare what was sent to host 2.
     * @param order tags
     * @param times begins in ps
     */
    void Expect(const std::vector<uint32_t>& order, const std::vector<int64_t>& times)
    {
        NS_TEST_EXPECT_MSG_EQ((m_order == order), true, "order");
        NS_TEST_EXPECT_MSG_EQ((m_begun[2] == times), true, "times");
        NS_TEST_EXPECT_MSG_EQ(m_buffer->GetNHeldPackets(), 0, "empty");
        NS_TEST_EXPECT_MSG_EQ(m_buffer->GetUsedBytes(), 0, "empty");
        Clear();
    }

    void DoRun() override
    {
        // input 0 is held up to 1 us, input 1 goes at once; at 1 us nothing else happens
        for (const int64_t stepPs : {FabricTime::NEVER, int64_t{300000}, int64_t{100000}})
        {
            SomeFilter filter;
            filter.untilPs = 1000000;
            filter.stepPs = stepPs;
            CreateWith(filter);
            CallIn(Seconds(0), [this]() {
                Arrive(0, 2, 2, 0);
                Arrive(1, 2, 3, 1);
            });
            Simulator::Run();
            // looks at arrivals, ends of transfers, departures, and every step
            NS_TEST_EXPECT_MSG_LT(filter.asked, 50, "not asked without end");
            Expect({1, 1, 1, 0, 0}, {0, 81600, 163200, 1000000, 1081600});
        }

        // held in the middle of a stream: the output is busy when it may go, and it goes next
        SomeFilter busy;
        busy.untilPs = 130000;
        CreateWith(busy);
        CallIn(Seconds(0), [this]() {
            Arrive(1, 2, 5, 1);
            Arrive(0, 2, 1, 0);
        });
        Simulator::Run();
        // transfers of input 1 begin at 0, 40,000, 80,000 and 120,000, when the queue is full
        // again; at 163,200 there is room, and it is the turn of input 0, which may since 130,000
        Expect({1, 1, 1, 1, 0, 1}, {0, 81600, 163200, 244800, 326400, 408000});

        // a class whose heads are all held lets the class below go
        SomeFilter above;
        above.untilPs = 1000000;
        CreateWith(above);
        CallIn(Seconds(0), [this]() {
            Arrive(0, 2, 1, 0, 6);
            Arrive(0, 2, 2, 1, 3);
        });
        Simulator::Run();
        Expect({1, 1, 0}, {0, 81600, 1000000});

        // other outputs of the same input are served
        SomeFilter other;
        other.untilPs = 1000000;
        CreateWith(other);
        CallIn(Seconds(0), [this]() {
            Arrive(0, 2, 1, 0);
            Arrive(0, 1, 1, 0);
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ((m_begun[1] == std::vector<int64_t>{0}), true, "at once");
        Expect({0, 0}, {1000000});

        // a filter that tells by itself
        SomeFilter silent;
        silent.untilPs = FabricTime::NEVER;
        CreateWith(silent);
        CallIn(Seconds(0), [this]() { Arrive(0, 2, 1, 0); });
        CallIn(MicroSeconds(3), [this, &silent]() {
            silent.untilPs = 0;
            m_buffer->OnGateOpen(2);
        });
        Simulator::Run();
        Expect({0}, {3000000});

        // a switch without such queues
        const auto shared = CreateObject<SharedBuffer>();
        DCFABRIC_EXPECT_REFUSAL(shared->SetFilter(&silent),
                                "ns3::SharedBuffer has no queues at its inputs");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief An empty VOQ switch adds no delay.
 */
class VoqLoneFlowTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        if (!HasClass("ideal-times"))
        {
            return;
        }
        for (const std::size_t links : {2, 3, 4})
        {
            for (const uint64_t bytes : {1, 1000, 1001, 1000000})
            {
                FabricHelper helper;
                helper.SetBuffer("ns3::VoqBuffer", "SpeedUp", DoubleValue(1));
                std::vector<uint64_t> rates(links, 100 * GBPS);
                rates.back() = 400 * GBPS;
                Ptr<Fabric> fabric = helper.Install(MakeChain(rates, 1000000));
                int64_t takes = 0;
                fabric->GetNic(1)->GetMessages().SetDeliveredCallback(
                    [&takes](const FabricMessageEvent& event) { takes = event.nowPs; });
                fabric->GetNic(0)->GetMessages().Send(1, bytes, 0);
                Simulator::Run();
                NS_TEST_EXPECT_MSG_EQ(takes,
                                      fabric->GetIdealFctPs(0, 1, bytes),
                                      bytes << " B over " << links << " links");
                NS_TEST_EXPECT_MSG_EQ(fabric->CheckConservation().Holds(), true, "conservation");
                Simulator::Destroy();
            }
        }
    }
};

/// The switch with virtual output queues.
const SuiteCases g_cases("dcfabric-buffer", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new VoqArbiterTestCase(
        "VOQ arbiters: inputs in turn, each output by itself; or the longest queue"));
    suite.AddTestCase(new VoqAdmissionTestCase(
        "VOQ admission: queues of fixed size, excess to the headroom of the input"));
    suite.AddTestCase(new VoqTransferTestCase(
        "VOQ transfers: speed-up, fairness of inputs and outputs, full output queues"));
    suite.AddTestCase(new VoqFilterTestCase(
        "VOQ filter: what it holds waits exactly as long as it says, all else passes"));
    suite.AddTestCase(new VoqLoneFlowTestCase(
        "VOQ switches: a lone flow takes its ideal time over one to three switches"));
});

} // namespace ns3::tests::voq_buffer_test
