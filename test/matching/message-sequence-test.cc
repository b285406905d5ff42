// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-errors.h"
#include "../fabric-test-schedule.h"
#include "../fabric-test-suite.h"
#include "fabric-test-messages.h"

#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <functional>
#include <sstream>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Sequences of matched messages to the picosecond: figures 1D to 1F of [Patent], and every
 * packet lost, repeated or delayed on its own.
 *
 * Hosts 0 and 1 at switch 2, links of 100 Gb/s (80 ps per byte) and 1 us. On the wire a data packet
 * has its payload, 62 bytes, a match header of 24 and a gap of 20: F = 1106 x 80 = 88,480 ps with
 * 1000 bytes of payload, L = 606 x 80 = 48,480 ps with 500. The ACK of a complete message has 106 +
 * 20 bytes, C = 10,080 ps; so has an RTW, W; an RTS 78 + 20, R = 7,840 ps. The switch stores and
 * forwards, so that a lone packet of time X is there 2 X + 2 us after it was sent.
 */

namespace ns3::tests::message_sequence_test
{

constexpr int64_t F = 88480; //!< ps on a wire: data with 1000 bytes
constexpr int64_t L = 48480; //!< data with 500 bytes
constexpr int64_t C = 10080; //!< ACK of a complete message
constexpr int64_t W = 10080; //!< RTW
constexpr int64_t R = 7840;  //!< RTS

constexpr auto DATA = FabricPacketType::DATA; //!< short name
constexpr auto ACK = FabricPacketType::ACK;   //!< short name
constexpr auto RTW = FabricPacketType::RTW;   //!< short name
constexpr auto RTS = FabricPacketType::RTS;   //!< short name

/**
 * @ingroup dcfabric-tests
 * @brief Two hosts and a tap between them, with memory and states noted.
 */
class Exchange : public MessageNetwork
{
  public:
    Exchange()
        : Exchange(MakeExchangeHelper())
    {
    }

    /// @param helper policies
    explicit Exchange(const FabricHelper& helper)
        : MessageNetwork(MakeStar(2), helper),
          tap(AddTap(*this, 2))
    {
        for (uint32_t host = 0; host < 2; ++host)
        {
            Nic(host).TraceConnectWithoutContext(
                "MessageState",
                MakeCallback(host == 0 ? &Exchange::NoteSender : &Exchange::NoteReceiver, this));
        }
    }

    /**
     * @param stopTarget value of StopTarget
     * @param pdcPerMessage of PdcPerMessage
     * @param protocol TypeId name
     * @return a helper
     */
    static FabricHelper MakeExchangeHelper(bool stopTarget = false,
                                           bool pdcPerMessage = false,
                                           const std::string& protocol = "ns3::RequestToWait")
    {
        FabricHelper helper;
        helper.SetMessageProtocol(protocol,
                                  "StopTarget",
                                  BooleanValue(stopTarget),
                                  "RtsInterval",
                                  TimeValue(MicroSeconds(10)));
        helper.SetNicAttribute("PdcPerMessage", BooleanValue(pdcPerMessage));
        helper.SetNicAttribute("AckTimeout", TimeValue(MicroSeconds(50)));
        return helper;
    }

    /**
     * @brief Send from host 0 at 1 us.
     * @param bytes length
     */
    void Send(uint64_t bytes)
    {
        const auto i = static_cast<uint32_t>(sent.size());
        sent.push_back(MakeBytes(bytes, i));
        At(MicroSeconds(1), [this, i]() {
            handles.push_back(endpoints[0]->Send(1, sent[i].data(), sent[i].size(), Note(0), i));
        });
    }

    /**
     * @brief Post a receive at host 1.
     * @param time when
     * @param room its bytes
     */
    void Post(Time time, uint64_t room)
    {
        const std::size_t i = received.size();
        received.emplace_back(room, 0);
        At(time, [this, i]() {
            handles.push_back(
                endpoints[1]->PostRecv(0, received[i].data(), received[i].size(), Note(1)));
        });
    }

    /**
     * @brief Do something.
     * @param time when
     * @param what what
     */
    static void At(Time time, std::function<void()> what)
    {
        CallIn(time, what);
    }

    /// Run to the end of everything.
    void Run()
    {
        Simulator::Stop(Seconds(1));
        Simulator::Run();
    }

    /**
     * @param host who was told
     * @param nth end there, from 0
     * @return when an operation was told to have ended, in ps; -1: not, or twice
     */
    int64_t EndPs(uint32_t host, std::size_t nth) const
    {
        for (const Told& one : told)
        {
            if (one.host == host && nth-- == 0)
            {
                return one.report.nowPs;
            }
        }
        return -1;
    }

    /**
     * @param type which
     * @return what was sent of a type: message and attempt, with `!` where lost
     */
    std::string Messages(FabricPacketType type) const
    {
        std::ostringstream text;
        for (const auto& record : tap->Of(type))
        {
            const bool rts = type == RTS;
            text << (rts ? record.rts.msn : record.ack.msn) << "/"
                 << uint32_t{rts ? record.rts.epoch : record.ack.epoch}
                 << (record.passed ? " " : "! ");
        }
        return text.str();
    }

    Ptr<PacketTap> tap;                            //!< at the switch
    std::vector<std::vector<uint8_t>> sent;        //!< by message
    std::vector<std::vector<uint8_t>> received;    //!< by receive
    std::vector<uint64_t> handles;                 //!< in the order of calls
    std::vector<MessageStateEvent> senderStates;   //!< at host 0
    std::vector<MessageStateEvent> receiverStates; //!< at host 1

  private:
    /**
     * @brief Note a state.
     * @param event it
     */
    void NoteSender(const MessageStateEvent& event)
    {
        senderStates.push_back(event);
    }

    /**
     * @brief Note a state.
     * @param event it
     */
    void NoteReceiver(const MessageStateEvent& event)
    {
        receiverStates.push_back(event);
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief One sequence.
 */
class SequenceTestCase : public TestCase
{
  public:
    /// What is checked.
    using Sequence = void (SequenceTestCase::*)();

    /**
     * @param name of the case
     * @param sequence what is checked
     */
    SequenceTestCase(const std::string& name, Sequence sequence)
        : TestCase(name),
          m_sequence(sequence)
    {
    }

    void Figure1D();             //!< receiver ready
    void Figure1E();             //!< receiver not ready
    void Figure1F();             //!< two messages out of order
    void WasteOfOneStop();       //!< one BDP and a packet
    void WasteOfTwoMessages();   //!< with StopTarget and without
    void StopOfEarlier();        //!< for a while
    void LateRtw();              //!< of an attempt that is over
    void RtwLost();              //!< all of them
    void RtsLost();              //!< repeated by timer
    void RtsTwice();             //!< the second is ignored
    void CompleteLost();         //!< the sender asks
    void RefusedTwice();         //!< a refused packet is repeated
    void PostedAtArrival();      //!< at the same time
    void OneRequestAtATime();    //!< others queue up
    void RequestOutlivesWrite(); //!< of the same number
    void RequestOutlivesCopy();  //!< that completes the message
    void CancelReceive();        //!< the message goes to the next one
    void CancelRefusedReceive(); //!< likewise, after the RTS
    void CancelSend();           //!< before and after its receive is posted
    void CancelHolder();         //!< of a stopped target
    void BlockingReceives();     //!< each posted when the one before is complete
    void Timeouts();             //!< of receives and sends
    void Truncation();           //!< the rest is lost
    void Writes();               //!< inside and outside
    void BeforeTheStart();       //!< operations before the simulation runs

  private:
    void DoRun() override
    {
        (this->*m_sequence)();
    }

    /**
     * @brief Check that all messages are there and nothing is left.
     * @param run it
     */
    void ExpectDone(const Exchange& run)
    {
        NS_TEST_EXPECT_MSG_EQ(run.Count(0, MessageStatus::COMPLETE), run.sent.size(), "sends");
        NS_TEST_EXPECT_MSG_EQ(run.Count(1, MessageStatus::COMPLETE), run.sent.size(), "receives");
        for (std::size_t i = 0; i < run.sent.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ((run.sent[i] == run.received.at(i)), true, "bytes of " << i);
        }
        ExpectQuiet(run);
    }

    /**
     * @brief Check that nothing is left.
     * @param run it
     */
    void ExpectQuiet(const Exchange& run)
    {
        const MessageMatcher& matcher = *run.MessagesOf(1).GetMatcher();
        NS_TEST_EXPECT_MSG_EQ(run.Nic(0).GetSendingPdcs().GetBusy().size(), 0, "busy PDCs");
        NS_TEST_EXPECT_MSG_EQ(TableOf(run.MessagesOf(1)).GetNEntries(), 0, "entries");
        NS_TEST_EXPECT_MSG_EQ(matcher.GetNReceives(), 0, "receives");
        NS_TEST_EXPECT_MSG_EQ(run.Nic(1).GetReceivingPdcs().GetNActive(), 0, "messages arriving");
        NS_TEST_EXPECT_MSG_EQ(run.Nic(1).GetCounters().rtwSent,
                              matcher.GetCounters().unmatched,
                              "an RTW for each unmatched packet");
        NS_TEST_EXPECT_MSG_EQ(run.fabric->CheckConservation().Holds(), true, "conservation");
        // one look-up for each packet that went on and was not empty
        uint64_t packets = 0;
        for (const auto& record : run.tap->Of(DATA))
        {
            constexpr uint32_t OTHERS = FabricPacketItem::FLAG_VOID | FabricPacketItem::FLAG_WRITE;
            packets += record.passed && (record.flags & OTHERS) == 0;
        }
        NS_TEST_EXPECT_MSG_EQ(TableOf(run.MessagesOf(1)).GetNLookups(),
                              packets + m_copies,
                              "look-ups");
    }

    Sequence m_sequence;  //!< what is checked
    uint64_t m_copies{0}; //!< data packets that the tap repeated
};

void
SequenceTestCase::Figure1D()
{
    Exchange run;
    run.Post(MicroSeconds(0), 2500);
    run.Send(2500);
    run.Run();
    // Packets of F, F and L leave host 0 without gap. At the switch the last one waits for the one
    // before it: 3 F + L after the first bit and 2 us the last bit is there.
    const int64_t therePs = 3 * US + 3 * F + L;
    ExpectDone(run);
    NS_TEST_EXPECT_MSG_EQ(run.tap->Psns(DATA), "0 1 2", "packets");
    NS_TEST_EXPECT_MSG_EQ(run.EndPs(1, 0), therePs, "receive");
    NS_TEST_EXPECT_MSG_EQ(run.EndPs(0, 0), therePs + 2 * C + 2 * US, "send");
    NS_TEST_EXPECT_MSG_EQ(run.Nic(1).GetCounters().rtwSent, 0, "RTWs");
    NS_TEST_EXPECT_MSG_EQ(run.tap->Of(RTS).size(), 0, "RTSs");
    NS_TEST_ASSERT_MSG_EQ(run.senderStates.size(), 2, "sending, complete");
    NS_TEST_ASSERT_MSG_EQ(run.receiverStates.size(), 2, "posted, complete");
    NS_TEST_EXPECT_MSG_EQ(run.receiverStates[0].nowPs, 0, "posted");
    NS_TEST_EXPECT_MSG_EQ(run.receiverStates[1].nowPs, therePs, "complete");
}

void
SequenceTestCase::Figure1E()
{
    Exchange run;
    run.Send(2500);
    run.Post(MicroSeconds(20), 2500);
    run.Run();
    ExpectDone(run);
    // Packet 0 is there after 2 F + 2 us, its RTW back after 2 W + 2 us more.
    const int64_t waitPs = 5 * US + 2 * F + 2 * W;
    // The RTS leaves when the receive is posted.
    const int64_t restartPs = 22 * US + 2 * R;
    NS_TEST_EXPECT_MSG_EQ(run.tap->Psns(DATA), "0 1 2 3 4 5", "new numbers");
    NS_TEST_EXPECT_MSG_EQ(run.Messages(RTW), "0/0 0/0 0/0 ", "an RTW for each packet");
    NS_TEST_EXPECT_MSG_EQ(run.Messages(RTS), "0/1 ", "the request");
    NS_TEST_ASSERT_MSG_EQ(run.senderStates.size(), 4, "sending, waiting, sending, complete");
    const std::vector<MessageState> states{MessageState::SENDING,
                                           MessageState::WAITING,
                                           MessageState::SENDING,
                                           MessageState::COMPLETE};
    const std::vector<int64_t> timesPs{US,
                                       waitPs,
                                       restartPs,
                                       restartPs + 4 * US + 3 * F + L + 2 * C};
    for (std::size_t i = 0; i < 4; ++i)
    {
        NS_TEST_EXPECT_MSG_EQ((run.senderStates[i].to == states[i]), true, "state " << i);
        NS_TEST_EXPECT_MSG_EQ(run.senderStates[i].nowPs, timesPs[i], "time of state " << i);
    }
    NS_TEST_EXPECT_MSG_EQ(run.EndPs(1, 0), restartPs + 2 * US + 3 * F + L, "receive");
    NS_TEST_EXPECT_MSG_EQ(run.MessagesOf(1).GetMatcher()->GetCounters().wastedBytes,
                          2500,
                          "wasted");
}

void
SequenceTestCase::Figure1F()
{
    Exchange run;
    run.Post(MicroSeconds(0), 1000);
    run.Post(MicroSeconds(0), 500);
    run.Send(1000);
    run.Send(500);
    run.tap->SetRule([&run](FabricPacketItem& item) {
        if (item.type != DATA || item.psn != 0)
        {
            return true;
        }
        run.tap->Repeat(item, 10 * US);
        return false;
    });
    m_copies = 1;
    run.Run();
    ExpectDone(run);
    // The second message leaves F after the first and finds the switch idle. The first leaves the
    // switch at 10 us.
    NS_TEST_ASSERT_MSG_EQ(run.told.size(), 4, "ends");
    NS_TEST_EXPECT_MSG_EQ(run.told[0].report.tag, 1, "the second message is complete first");
    NS_TEST_EXPECT_MSG_EQ(run.EndPs(1, 0), 3 * US + F + 2 * L, "second");
    NS_TEST_EXPECT_MSG_EQ(run.EndPs(1, 1), 11 * US + F, "first");
    NS_TEST_EXPECT_MSG_EQ(run.tap->Psns(DATA), "0! 1", "nothing is sent again");
}

void
SequenceTestCase::WasteOfOneStop()
{
    Exchange run;
    run.Send(200000);
    run.Post(MicroSeconds(100), 200000);
    run.Run();
    ExpectDone(run);
    // The RTW is back 4 us + 2 F + 2 W = 4,197,120 ps after the start: packets 0 to 47 have left.
    // A BDP of this time is 52,464 bytes on the wire, 47.4 packets.
    NS_TEST_EXPECT_MSG_EQ(run.MessagesOf(1).GetMatcher()->GetCounters().wastedBytes,
                          48000,
                          "wasted");
    NS_TEST_EXPECT_MSG_EQ(run.Nic(1).GetCounters().rtwSent, 48, "RTWs");
}

void
SequenceTestCase::WasteOfTwoMessages()
{
    for (const bool stopTarget : {false, true})
    {
        Exchange run(Exchange::MakeExchangeHelper(stopTarget));
        run.Send(20000);
        run.Send(200000);
        run.Post(MicroSeconds(100), 20000);
        run.Post(MicroSeconds(100), 200000);
        run.Run();
        ExpectDone(run);
        // 20 packets of the first message and 28 of the second have left when the first RTW is
        // back; the first RTW of the second comes 20 packets later.
        NS_TEST_EXPECT_MSG_EQ(run.MessagesOf(1).GetMatcher()->GetCounters().wastedBytes,
                              (stopTarget ? 48000 : 68000),
                              "StopTarget " << stopTarget);
    }
}

void
SequenceTestCase::StopOfEarlier()
{
    // Each message has a context of its own, and they take turns. The first one has its receive;
    // the RTW of the second stops both, the first for 20 us. But for that, nothing changes: it ends
    // 20 us later, give or take the packet that was on its way when it stopped.
    std::vector<int64_t> ends;
    for (const uint32_t us : {0, 20})
    {
        FabricHelper helper = Exchange::MakeExchangeHelper(true, true);
        helper.SetMessageProtocol("ns3::RequestToWait",
                                  "StopTarget",
                                  BooleanValue(true),
                                  "StopEarlier",
                                  TimeValue(MicroSeconds(us)));
        Exchange run(helper);
        run.Post(MicroSeconds(0), 1000000);
        run.Send(1000000);
        run.Send(200000);
        run.Post(MicroSeconds(300), 200000);
        run.Run();
        ExpectDone(run);
        ends.push_back(run.EndPs(1, 0));
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(ends[1] - ends[0], 20 * US, 2 * F, "20 us later");

    FabricHelper helper;
    helper.SetMessageProtocol("ns3::RequestToWait", "StopEarlier", TimeValue(MicroSeconds(20)));
    DCFABRIC_EXPECT_REFUSAL(helper.Install(MakeStar(2)), "set ns3::MessageProtocol::StopTarget");
    Simulator::Destroy();
}

void
SequenceTestCase::LateRtw()
{
    Exchange run;
    run.Send(100000);
    run.Post(MicroSeconds(20), 100000);
    uint32_t seen = 0;
    run.tap->SetRule([&](FabricPacketItem& item) {
        // the second one comes 2 us after the RTS, while packets of the second attempt leave
        if (item.type == RTW && ++seen == 2)
        {
            run.tap->Repeat(item, 24 * US);
            return false;
        }
        return true;
    });
    run.Run();
    ExpectDone(run);
    NS_TEST_EXPECT_MSG_EQ(run.senderStates.size(), 4, "one stop");
    NS_TEST_EXPECT_MSG_EQ(run.Nic(0).GetCounters().dataSent, 148, "48 for nothing");
}

void
SequenceTestCase::RtwLost()
{
    Exchange run;
    run.Send(2500);
    run.Post(MicroSeconds(20), 2500);
    run.tap->SetRule([](FabricPacketItem& item) { return item.type != RTW; });
    run.Run();
    ExpectDone(run);
    // the RTS stops the first attempt as well, and does so at the time of figure 1E
    NS_TEST_EXPECT_MSG_EQ(run.tap->Psns(DATA), "0 1 2 3 4 5", "packets");
    NS_TEST_EXPECT_MSG_EQ(run.EndPs(1, 0), 24 * US + 2 * R + 3 * F + L, "receive");
}

void
SequenceTestCase::RtsLost()
{
    Exchange run;
    run.Send(2500);
    run.Post(MicroSeconds(20), 2500);
    uint32_t seen = 0;
    run.tap->SetRule([&seen](FabricPacketItem& item) { return item.type != RTS || ++seen > 2; });
    run.Run();
    ExpectDone(run);
    // at 20 us, 10 us later, 20 us later
    const auto requests = run.tap->Of(RTS);
    NS_TEST_ASSERT_MSG_EQ(requests.size(), 3, "requests");
    NS_TEST_EXPECT_MSG_EQ(requests[0].nowPs, 21 * US + R, "first");
    NS_TEST_EXPECT_MSG_EQ(requests[1].nowPs, 31 * US + R, "second");
    NS_TEST_EXPECT_MSG_EQ(requests[2].nowPs, 51 * US + R, "third");
    NS_TEST_EXPECT_MSG_EQ(run.EndPs(1, 0), 54 * US + 2 * R + 3 * F + L, "receive");
}

void
SequenceTestCase::RtsTwice()
{
    Exchange run;
    run.Send(2500);
    run.Post(MicroSeconds(20), 2500);
    run.tap->SetRule([&run](FabricPacketItem& item) {
        if (item.type == RTS)
        {
            run.tap->Repeat(item, 22 * US);
            run.tap->Repeat(item, 23 * US);
        }
        return true;
    });
    run.Run();
    ExpectDone(run);
    NS_TEST_EXPECT_MSG_EQ(run.tap->Psns(DATA), "0 1 2 3 4 5", "one restart");
    NS_TEST_EXPECT_MSG_EQ(run.senderStates.size(), 4, "one restart");
}

void
SequenceTestCase::CompleteLost()
{
    Exchange run;
    run.Post(MicroSeconds(0), 1000);
    run.Post(MicroSeconds(0), 1000);
    run.Send(1000);
    run.Send(1000);
    uint32_t seen = 0;
    run.tap->SetRule([&seen](FabricPacketItem& item) { return item.type != ACK || ++seen > 1; });
    run.Run();
    ExpectDone(run);
    // The ACK of packet 1, back after 4 us + 3 F + 2 A, covers packet 0 but is about the second
    // message. 50 us later the sender asks with a packet that is there after 2 us + 2 F.
    const int64_t coveredPs = 5 * US + 3 * F + 2 * C;
    NS_TEST_EXPECT_MSG_EQ(run.EndPs(0, 0), coveredPs, "second");
    NS_TEST_EXPECT_MSG_EQ(run.EndPs(0, 1), coveredPs + 54 * US + 2 * F + 2 * C, "first");
    NS_TEST_EXPECT_MSG_EQ(run.tap->Psns(DATA), "0 1 2", "packets");
}

void
SequenceTestCase::RefusedTwice()
{
    Exchange run;
    run.Send(1000);
    run.Post(MicroSeconds(20), 1000);
    run.tap->SetRule([&run](FabricPacketItem& item) {
        if (item.type == DATA && item.data.epoch == 0)
        {
            run.tap->Repeat(item, 8 * US);
        }
        return true;
    });
    m_copies = 1;
    run.Run();
    ExpectDone(run);
    NS_TEST_EXPECT_MSG_EQ(run.Messages(RTW), "0/0 0/0 ", "an RTW for the copy as well");
    NS_TEST_EXPECT_MSG_EQ(run.Messages(RTS), "0/1 ", "one request");
}

void
SequenceTestCase::PostedAtArrival()
{
    // 894 + 106 bytes take 80 ns: there at 3,160 ns
    for (const int64_t ns : {3159, 3160, 3161})
    {
        Exchange run;
        run.Send(894);
        run.Post(NanoSeconds(ns), 894);
        run.Run();
        ExpectDone(run);
        const uint64_t refused = run.Nic(1).GetCounters().rtwSent;
        NS_TEST_EXPECT_MSG_EQ(run.tap->Of(RTS).size(), refused, "as many requests, at " << ns);
        if (ns != 3160)
        {
            NS_TEST_EXPECT_MSG_EQ(refused, (ns > 3160), "at " << ns << " ns");
        }
        else
        {
            NS_TEST_EXPECT_MSG_LT(refused, 2, "either");
        }
    }
}

void
SequenceTestCase::OneRequestAtATime()
{
    Exchange run;
    for (int i = 0; i < 3; ++i)
    {
        run.Send(1000);
        run.Post(MicroSeconds(50), 1000);
    }
    uint32_t seen = 0;
    run.tap->SetRule([&seen](FabricPacketItem& item) { return item.type != RTS || ++seen > 1; });
    run.Run();
    ExpectDone(run);
    // Repeated at 60 us; each next one leaves when a packet of the one before has arrived, 4 us +
    // 2 R + 2 F after its request.
    const auto requests = run.tap->Of(RTS);
    NS_TEST_EXPECT_MSG_EQ(run.Messages(RTS), "0/1! 0/1 1/1 2/1 ", "in order");
    NS_TEST_ASSERT_MSG_EQ(requests.size(), 4, "requests");
    for (int64_t i = 1; i < 4; ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(requests[i].nowPs,
                              61 * US + R + (i - 1) * (4 * US + 2 * R + 2 * F),
                              "request " << i);
    }
}

void
SequenceTestCase::RequestOutlivesWrite()
{
    // A write has number 0 as well. It is complete while the RTS of message 0 is lost.
    Exchange run;
    run.Send(1000);
    run.Post(MicroSeconds(20), 1000);
    std::vector<uint8_t> memory(1000, 0);
    const uint64_t address = run.endpoints[1]->Expose(memory.data(), memory.size());
    Exchange::At(MicroSeconds(21),
                 [&]() { run.endpoints[0]->Write(1, run.sent[0].data(), 1000, address, nullptr); });
    uint32_t seen = 0;
    run.tap->SetRule([&seen](FabricPacketItem& item) { return item.type != RTS || ++seen > 1; });
    run.Run();
    ExpectDone(run);
    NS_TEST_EXPECT_MSG_EQ((memory == run.sent[0]), true, "written");
    NS_TEST_EXPECT_MSG_EQ(run.Messages(RTS), "0/1! 0/1 ", "repeated");
}

void
SequenceTestCase::RequestOutlivesCopy()
{
    // A copy of the refused packet comes after the receive was posted and completes it; the RTS and
    // the ACK that says so are lost. The sender must not wait for ever, nor the receiver ask.
    for (const bool pdcPerMessage : {false, true})
    {
        for (const bool ackLost : {false, true})
        {
            Exchange run(Exchange::MakeExchangeHelper(false, pdcPerMessage));
            run.Send(1000);
            run.Post(MicroSeconds(20), 1000);
            uint32_t requests = 0;
            uint32_t acks = 0;
            run.tap->SetRule([&](FabricPacketItem& item) {
                if (item.type == DATA && item.data.epoch == 0 && item.data.payloadBytes > 0)
                {
                    run.tap->Repeat(item, 21 * US);
                }
                return (item.type != RTS || ++requests > 1) &&
                       (item.type != ACK || ++acks > 1 || !ackLost);
            });
            m_copies = 1;
            run.Run();
            ExpectDone(run);
            NS_TEST_EXPECT_MSG_EQ(run.EndPs(1, 0), 22 * US + F, "completed by the copy");
            NS_TEST_EXPECT_MSG_EQ(run.Messages(RTS), "0/1! 0/1 ", "asked until answered");
            NS_TEST_EXPECT_MSG_EQ(run.EndPs(0, 0),
                                  (ackLost ? 36 * US + 2 * R + 2 * F + 2 * C : 24 * US + F + 2 * C),
                                  "known to the sender, ACK lost: " << ackLost);
        }
    }
}

void
SequenceTestCase::CancelReceive()
{
    Exchange run;
    run.Send(1000);
    run.Post(MicroSeconds(0), 999); // no room for it
    run.Post(MicroSeconds(30), 1000);
    Exchange::At(NanoSeconds(500), [&]() {
        NS_TEST_EXPECT_MSG_EQ(run.endpoints[1]->Cancel(run.handles[0]), true, "taken back");
        NS_TEST_EXPECT_MSG_EQ(run.endpoints[1]->Cancel(run.handles[0]), false, "once");
    });
    run.Run();
    NS_TEST_EXPECT_MSG_EQ(run.Count(1, MessageStatus::CANCELLED), 1, "first");
    NS_TEST_EXPECT_MSG_EQ(run.Count(1, MessageStatus::COMPLETE), 1, "second");
    NS_TEST_EXPECT_MSG_EQ((run.received[1] == run.sent[0]), true, "bytes");
    NS_TEST_EXPECT_MSG_EQ((run.received[0] == std::vector<uint8_t>(999, 0)), true, "untouched");
    ExpectQuiet(run);
}

void
SequenceTestCase::CancelRefusedReceive()
{
    // Taken back 1 us after the RTS left: the second attempt is refused as well.
    Exchange run;
    run.Send(1000);
    run.Post(MicroSeconds(20), 999);
    run.Post(MicroSeconds(40), 1000);
    Exchange::At(MicroSeconds(21), [&]() {
        NS_TEST_EXPECT_MSG_EQ(run.endpoints[1]->Cancel(run.handles[1]), true, "taken back");
    });
    run.Run();
    NS_TEST_EXPECT_MSG_EQ(run.Messages(RTW), "0/0 0/1 ", "both attempts refused");
    NS_TEST_EXPECT_MSG_EQ(run.Messages(RTS), "0/1 0/2 ", "asked for twice");
    NS_TEST_EXPECT_MSG_EQ(run.EndPs(1, 1), 44 * US + 2 * R + 2 * F, "third attempt");
    NS_TEST_EXPECT_MSG_EQ((run.received[1] == run.sent[0]), true, "bytes");
    ExpectQuiet(run);
}

void
SequenceTestCase::CancelSend()
{
    // The message is refused at 3.2 us and taken back at 8.1 us. Its receive is told so whether it
    // is posted then or later, and the next message is not affected.
    for (const std::string protocol :
         {"ns3::RequestToWait", "ns3::ReceiverNotReady", "ns3::Rendezvous"})
    {
        for (const bool pdcPerMessage : {false, true})
        {
            for (const int64_t postUs : {8, 10, 11, 30})
            {
                Exchange run(Exchange::MakeExchangeHelper(false, pdcPerMessage, protocol));
                run.Send(1000);
                run.Send(500);
                run.Post(MicroSeconds(postUs), 1000);
                run.Post(MicroSeconds(postUs), 500);
                Exchange::At(NanoSeconds(8100), [&]() {
                    NS_TEST_EXPECT_MSG_EQ(run.endpoints[0]->Cancel(run.handles[0]), true, "open");
                });
                run.Run();
                const std::string at = protocol + " posted at " + std::to_string(postUs);
                NS_TEST_EXPECT_MSG_EQ(run.Count(0, MessageStatus::CANCELLED), 1, at);
                NS_TEST_EXPECT_MSG_EQ(run.Count(1, MessageStatus::CANCELLED), 1, at);
                NS_TEST_EXPECT_MSG_EQ(run.Count(0, MessageStatus::COMPLETE), 1, at);
                NS_TEST_EXPECT_MSG_EQ(run.Count(1, MessageStatus::COMPLETE), 1, at);
                NS_TEST_EXPECT_MSG_EQ((run.received[1] == run.sent[1]), true, at);
                NS_TEST_EXPECT_MSG_EQ(run.Nic(0).GetSendingPdcs().GetBusy().size(), 0, at);
                NS_TEST_EXPECT_MSG_EQ(TableOf(run.MessagesOf(1)).GetNEntries(), 0, at);
            }
        }
    }
}

void
SequenceTestCase::CancelHolder()
{
    // A refused message stops those behind it; it is taken back, and they go on.
    Exchange run(Exchange::MakeExchangeHelper(true));
    run.Send(100000);
    run.Send(500);
    run.Post(MicroSeconds(0), 10);
    run.Post(MicroSeconds(0), 500);
    Exchange::At(NanoSeconds(500), [&]() { run.endpoints[1]->Cancel(run.handles[0]); });
    Exchange::At(MicroSeconds(30), [&]() { run.endpoints[0]->Cancel(run.handles[2]); });
    run.Run();
    NS_TEST_EXPECT_MSG_EQ(run.Count(0, MessageStatus::CANCELLED), 1, "the first");
    NS_TEST_EXPECT_MSG_EQ(run.Count(1, MessageStatus::COMPLETE), 1, "the second");
    NS_TEST_EXPECT_MSG_EQ((run.received[1] == run.sent[1]), true, "bytes");
    NS_TEST_EXPECT_MSG_EQ(run.MessagesOf(1).GetMatcher()->GetCounters().unmatched, 48, "stopped");
}

void
SequenceTestCase::BlockingReceives()
{
    // Each receive is posted when the one before it is complete. With StopTarget the RTW of the
    // second message arrives while the first is sent again, which must not stop that.
    for (const bool pdcPerMessage : {false, true})
    {
        Exchange run(Exchange::MakeExchangeHelper(true, pdcPerMessage));
        run.Send(30000);
        run.Send(30000);
        run.received = {std::vector<uint8_t>(30000, 0), std::vector<uint8_t>(30000, 0)};
        // the first packet of the first message is refused, that of the second not yet
        Exchange::At(NanoSeconds(3200), [&]() {
            run.endpoints[1]->PostRecv(
                0,
                run.received[0].data(),
                30000,
                [&](const MessageEndpoint::Completion& report) {
                    run.Note(1)(report);
                    run.endpoints[1]->PostRecv(0, run.received[1].data(), 30000, run.Note(1));
                });
        });
        run.Run();
        ExpectDone(run);
    }
}

void
SequenceTestCase::Timeouts()
{
    Exchange run;
    run.endpoints[1]->SetAttribute("ReceiveTimeout", TimeValue(MicroSeconds(10)));
    run.Post(MicroSeconds(2), 1000); // for a message that does not come
    run.Run();
    NS_TEST_EXPECT_MSG_EQ(run.Count(1, MessageStatus::TIMED_OUT), 1, "receive");
    NS_TEST_EXPECT_MSG_EQ(run.EndPs(1, 0), 12 * US, "time of the receive");
    ExpectQuiet(run);

    // a send whose receive is posted after its time: that is told as well
    for (const int64_t postUs : {0, 40})
    {
        const bool inTime = postUs == 0;
        Simulator::Destroy();
        Exchange late;
        late.endpoints[0]->SetAttribute("SendTimeout", TimeValue(MicroSeconds(30)));
        late.Send(1000);
        late.Post(MicroSeconds(postUs), 1000);
        late.Run();
        NS_TEST_EXPECT_MSG_EQ(late.Count(0, MessageStatus::COMPLETE), inTime, "in time");
        NS_TEST_EXPECT_MSG_EQ(late.Count(0, MessageStatus::TIMED_OUT), !inTime, "too late");
        NS_TEST_EXPECT_MSG_EQ(late.Count(1, MessageStatus::CANCELLED), !inTime, "receive");
        if (!inTime)
        {
            NS_TEST_EXPECT_MSG_EQ(late.EndPs(0, 0), 31 * US, "time of the send");
        }
        ExpectQuiet(late);
    }
}

void
SequenceTestCase::Truncation()
{
    for (const uint64_t room : {0, 1, 999, 1000, 1001, 2499})
    {
        Exchange run;
        run.Send(2500);
        std::vector<uint8_t> memory(2500, 0);
        Exchange::At(MicroSeconds(0),
                     [&]() { run.endpoints[1]->PostRecv(0, memory.data(), room, run.Note(1)); });
        run.Run();
        std::vector<uint8_t> expected = run.sent[0];
        std::fill(expected.begin() + static_cast<std::ptrdiff_t>(room), expected.end(), 0);
        NS_TEST_EXPECT_MSG_EQ(run.Count(1, MessageStatus::TRUNCATED), 1, "room for " << room);
        NS_TEST_EXPECT_MSG_EQ(run.Count(0, MessageStatus::COMPLETE), 1, "room for " << room);
        NS_TEST_EXPECT_MSG_EQ((memory == expected), true, "room for " << room);
        ExpectQuiet(run);
    }
}

void
SequenceTestCase::Writes()
{
    // Last byte of the region, and one behind it.
    for (const uint64_t offset : {0, 500, 501})
    {
        Exchange run;
        run.sent.push_back(MakeBytes(2500, 7));
        std::vector<uint8_t> memory(3000, 0);
        const uint64_t address = run.endpoints[1]->Expose(memory.data(), memory.size());
        Exchange::At(MicroSeconds(1), [&]() {
            run.endpoints[0]->Write(1, run.sent[0].data(), 2500, address + offset, run.Note(0));
        });
        if (offset == 501)
        {
            DCFABRIC_EXPECT_REFUSAL(run.Run(), "no memory is exposed there");
            continue;
        }
        run.Run();
        std::vector<uint8_t> expected(3000, 0);
        std::copy(run.sent[0].begin(),
                  run.sent[0].end(),
                  expected.begin() + static_cast<std::ptrdiff_t>(offset));
        NS_TEST_EXPECT_MSG_EQ((memory == expected), true, "at " << offset);
        // The match header of a write is 8 bytes longer, and the first packet has a RETH of 16: 640
        // and 1920 ps more. The others wait for the first one at the switch.
        NS_TEST_EXPECT_MSG_EQ(run.EndPs(0, 0),
                              5 * US + 3 * F + L + 2 * 1920 + 2 * 640 + 2 * C,
                              "at " << offset);
        ExpectQuiet(run);
    }
}

void
SequenceTestCase::BeforeTheStart()
{
    Exchange run;
    run.sent.push_back(MakeBytes(2500, 1));
    run.received.emplace_back(2500, 0);
    run.endpoints[0]->Send(1, run.sent[0].data(), 2500, run.Note(0));
    run.endpoints[1]->PostRecv(0, run.received[0].data(), 2500, run.Note(1));
    run.Run();
    ExpectDone(run);
    NS_TEST_EXPECT_MSG_EQ(run.EndPs(1, 0), 2 * US + 3 * F + L, "sent at once");
}

/**
 * @ingroup dcfabric-tests
 * @brief Each packet of a message of ten lost, repeated or delayed on its own, at each of its
 * sendings, and each answer.
 */
class EveryPositionTestCase : public TestCase
{
  public:
    /**
     * @param protocol TypeId name
     * @param reliability TypeId name
     */
    EveryPositionTestCase(const std::string& protocol, const std::string& reliability)
        : TestCase("every position, " + protocol + ", " + reliability),
          m_protocol(protocol),
          m_reliability(reliability)
    {
    }

  private:
    void DoRun() override
    {
        for (const FabricPacketType type : {DATA, ACK, RTW, FabricPacketType::RNR, RTS})
        {
            for (uint32_t fate = 0; fate < 4; ++fate)
            {
                for (const int64_t postUs : {0, 4, 30})
                {
                    for (uint32_t nth = 1; Run(type, fate, postUs, nth); ++nth)
                    {
                        NS_TEST_ASSERT_MSG_LT(nth, 100, "as many packets");
                    }
                }
            }
        }
    }

    /**
     * @param type of packets
     * @param fate lost, repeated at once, repeated late, delayed
     * @param postUs when the receive is posted
     * @param nth which
     * @return false if there are fewer packets
     */
    bool Run(FabricPacketType type, uint32_t fate, int64_t postUs, uint32_t nth)
    {
        FabricHelper helper = Exchange::MakeExchangeHelper(false, false, m_protocol);
        helper.SetReliability(m_reliability);
        Exchange run(helper);
        run.Send(9500);
        run.Post(MicroSeconds(postUs), 9500);
        uint32_t seen = 0;
        run.tap->SetRule([&](FabricPacketItem& item) {
            if (item.type != type || ++seen != nth)
            {
                return true;
            }
            if (fate > 0)
            {
                const int64_t nowPs = run.fabric->GetSwitch(2)->GetNowPs();
                run.tap->Repeat(item, nowPs + (fate == 1 ? 1 : fate == 2 ? 40 : 1) * US);
            }
            return fate == 1 || fate == 2;
        });
        run.Run();
        std::ostringstream where;
        where << "type " << static_cast<int>(type) << ", number " << nth << ", fate " << fate
              << ", posted at " << postUs << " us";
        NS_TEST_EXPECT_MSG_EQ(run.Count(0, MessageStatus::COMPLETE), 1, where.str());
        NS_TEST_EXPECT_MSG_EQ(run.Count(1, MessageStatus::COMPLETE), 1, where.str());
        NS_TEST_EXPECT_MSG_EQ(run.told.size(), 2, where.str());
        NS_TEST_EXPECT_MSG_EQ((run.sent[0] == run.received[0]), true, where.str());
        NS_TEST_EXPECT_MSG_EQ(run.Nic(0).GetSendingPdcs().GetBusy().size(), 0, where.str());
        NS_TEST_EXPECT_MSG_EQ(TableOf(run.MessagesOf(1)).GetNEntries(), 0, where.str());
        NS_TEST_EXPECT_MSG_EQ(run.Nic(1).GetCounters().bytesDelivered, 9500, where.str());
        NS_TEST_EXPECT_MSG_EQ(run.fabric->CheckConservation().Holds(), true, where.str());
        return seen >= nth;
    }

    std::string m_protocol;    //!< TypeId name
    std::string m_reliability; //!< TypeId name
};

/// Sequences of matched messages.
const SuiteCases g_cases("dcfabric-messages-network", TestSuite::Type::SYSTEM, [](Suite& suite) {
    using T = SequenceTestCase;
    const std::vector<std::pair<std::string, T::Sequence>> sequences{
        {"figure 1D: receiver ready", &T::Figure1D},
        {"figure 1E: receiver not ready", &T::Figure1E},
        {"figure 1F: two messages out of order", &T::Figure1F},
        {"an early message wastes a BDP and a packet", &T::WasteOfOneStop},
        {"two early messages waste as much for each stop", &T::WasteOfTwoMessages},
        {"a stop of earlier messages, for a while", &T::StopOfEarlier},
        {"a late RTW stops nothing", &T::LateRtw},
        {"RTWs lost", &T::RtwLost},
        {"RTS lost", &T::RtsLost},
        {"RTS repeated", &T::RtsTwice},
        {"ACK of a complete message lost", &T::CompleteLost},
        {"refused packet repeated", &T::RefusedTwice},
        {"posted when the packet arrives", &T::PostedAtArrival},
        {"one request at a time", &T::OneRequestAtATime},
        {"a write does not end a request", &T::RequestOutlivesWrite},
        {"a late copy does not end a request", &T::RequestOutlivesCopy},
        {"receive taken back", &T::CancelReceive},
        {"receive taken back after its request", &T::CancelRefusedReceive},
        {"send taken back", &T::CancelSend},
        {"refused send taken back that stops others", &T::CancelHolder},
        {"receives one after the other", &T::BlockingReceives},
        {"time-outs", &T::Timeouts},
        {"truncation", &T::Truncation},
        {"writes", &T::Writes},
        {"operations before the simulation runs", &T::BeforeTheStart}};
    for (const auto& [name, sequence] : sequences)
    {
        suite.AddTestCase(new SequenceTestCase(name, sequence));
    }
    for (const std::string protocol :
         {"ns3::RequestToWait", "ns3::DeferrableSend", "ns3::ReceiverNotReady", "ns3::Rendezvous"})
    {
        for (const std::string reliability : {"ns3::SelectiveRepeat", "ns3::GoBackN"})
        {
            suite.AddTestCase(new EveryPositionTestCase(protocol, reliability));
        }
    }
});

} // namespace ns3::tests::message_sequence_test
