// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-errors.h"
#include "../fabric-test-schedule.h"
#include "../fabric-test-suite.h"
#include "fabric-test-messages.h"

#include "ns3/fabric-headers.h"
#include "ns3/simulator.h"
#include "ns3/tagged-receives.h"
#include "ns3/test.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Tagged messages: match bits, what is ignored of them, any source, and the order that MPI
 * wants.
 */

namespace ns3::tests::tagged_test
{

using namespace by_hand;

constexpr uint32_t ANY = MessageEndpoint::ANY_SOURCE; //!< short name

/**
 * @ingroup dcfabric-tests
 * @brief The decisions, against a model that looks through everything.
 */
class TaggedModelTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// A message, or a receive.
    struct One
    {
        uint32_t src;    //!< of it
        uint64_t number; //!< index, or handle
        uint64_t bits;   //!< match bits
        uint64_t ignore; //!< of a receive
    };

    /// @return true if a receive takes a message, bit by bit
    static bool Takes(const One& receive, const One& message)
    {
        bool takes = receive.src == ANY || receive.src == message.src;
        for (uint32_t bit = 0; bit < 64; ++bit)
        {
            const uint64_t mask = uint64_t{1} << bit;
            takes = takes && ((receive.ignore & mask) != 0 ||
                              (receive.bits & mask) == (message.bits & mask));
        }
        return takes;
    }

    /// What the model has decided.
    void Decide()
    {
        for (auto message = m_messages.begin(); message != m_messages.end();)
        {
            const auto receive = std::find_if(m_receives.begin(),
                                              m_receives.end(),
                                              [&](const One& one) { return Takes(one, *message); });
            if (receive == m_receives.end())
            {
                ++message;
                continue;
            }
            m_expected[receive->number] = {message->src, message->number};
            m_receives.erase(receive);
            message = m_messages.erase(message);
        }
    }

    /// Enter what is decided.
    void Take(const TaggedReceives::Match& match)
    {
        m_decided[match.receive.handle] = {match.message.src, match.message.index};
    }

    void DoRun() override
    {
        std::mt19937_64 random(7);
        const auto draw = [&random](uint64_t n) { return random() % n; };
        for (uint32_t round = 0; round < 300; ++round)
        {
            TaggedReceives tagged;
            m_messages.clear();
            m_receives.clear();
            m_expected.clear();
            m_decided.clear();
            // By source, the messages of the next few numbers come in any order: their turn comes
            // in order. Some are taken back.
            std::map<uint32_t, std::vector<One>> batch;
            std::map<uint32_t, uint64_t> sent;
            uint64_t handle = 0;
            for (uint32_t step = 0; step < 60; ++step)
            {
                const auto src = static_cast<uint32_t>(draw(3));
                if (draw(2) == 0)
                {
                    const One receive{draw(4) == 0 ? ANY : src,
                                      ++handle,
                                      draw(3) << 62 | draw(3),
                                      draw(3) == 0 ? uint64_t{3} << 62 | draw(4) : 0};
                    m_receives.push_back(receive);
                    const auto match =
                        tagged.Post({receive.src, handle, nullptr, 1, FabricTime::NEVER},
                                    {receive.bits, receive.ignore});
                    if (match)
                    {
                        Take(*match);
                    }
                    Decide();
                    continue;
                }
                std::vector<One>& messages = batch[src];
                messages.push_back({src, sent[src]++, draw(3) << 62 | draw(3), 0});
                if (draw(3) != 0)
                {
                    continue;
                }
                std::vector<One> shuffled = messages;
                std::shuffle(shuffled.begin(), shuffled.end(), random);
                const uint64_t last = messages.back().number;
                const bool isSkipped = draw(4) == 0;
                for (const One& message : shuffled)
                {
                    if (isSkipped && message.number == last)
                    {
                        NS_TEST_EXPECT_MSG_EQ(tagged.Skip(src, last), true, "had none");
                        continue;
                    }
                    tagged.Note(src, message.number, message.bits);
                    tagged.Note(src, message.number, message.bits); // another packet
                }
                while (const auto match = tagged.TakeNext())
                {
                    Take(*match);
                }
                for (const One& message : messages)
                {
                    if (!isSkipped || message.number != last)
                    {
                        m_messages.push_back(message);
                    }
                }
                messages.clear();
                Decide();
            }
            NS_TEST_EXPECT_MSG_EQ((m_decided == m_expected), true, "round " << round);
            NS_TEST_EXPECT_MSG_EQ(tagged.GetNReceives(), m_receives.size(), "round " << round);
            NS_TEST_EXPECT_MSG_EQ(tagged.GetNUnexpected(), m_messages.size(), "round " << round);
        }
    }

    using Decisions = std::map<uint64_t, std::pair<uint32_t, uint64_t>>; //!< by handle: message

    std::vector<One> m_messages; //!< without receive, in turn
    std::vector<One> m_receives; //!< without message, in the order of posting
    Decisions m_expected;        //!< by the model
    Decisions m_decided;         //!< by what is tested
};

/**
 * @ingroup dcfabric-tests
 * @brief Tagged messages in a network.
 */
class TaggedNetworkTestCase : public NamedCase
{
  public:
    /// @param protocol class
    explicit TaggedNetworkTestCase(const std::string& protocol)
        : NamedCase("tagged messages under " + protocol),
          m_protocol(protocol)
    {
    }

  private:
    /// A network whose completions are noted by what they are.
    class Run : public MessageNetwork
    {
      public:
        using MessageNetwork::MessageNetwork;

        /// Send a message of its number + 1 kB, of known bytes.
        uint64_t Send(uint32_t src, uint32_t dst, uint64_t bits, uint32_t number)
        {
            sent[number] = MakeBytes(1000 * (number + 1), number);
            return endpoints[src]->SendTagged(dst,
                                              sent[number].data(),
                                              sent[number].size(),
                                              bits,
                                              Note(src),
                                              number);
        }

        /// Post a receive, named by a letter.
        uint64_t Post(uint32_t host, uint32_t src, uint64_t wanted, uint64_t ignore, char name)
        {
            std::vector<uint8_t>& buffer = buffers[name];
            buffer.resize(100000);
            return endpoints[host]->PostTagged(
                src,
                wanted,
                ignore,
                buffer.data(),
                buffer.size(),
                [this, name](const MessageEndpoint::Completion& report) {
                    const bool isRight = report.status != MessageStatus::COMPLETE ||
                                         std::equal(sent.at(report.tag).begin(),
                                                    sent.at(report.tag).end(),
                                                    buffers.at(name).begin());
                    got[name] = report.status == MessageStatus::COMPLETE
                                    ? std::to_string(report.tag) + (isRight ? "" : "!")
                                : report.status == MessageStatus::CANCELLED ? "-"
                                                                            : "late";
                    from[name] = report.peer;
                    bits[name] = report.matchBits;
                });
        }

        /// @return what receives have got: letter and number of each
        std::string Got() const
        {
            std::string text;
            for (const auto& [name, what] : got)
            {
                text += (text.empty() ? "" : " ") + std::string(1, name) + what;
            }
            return text;
        }

        std::map<uint32_t, std::vector<uint8_t>> sent; //!< by number
        std::map<char, std::vector<uint8_t>> buffers;  //!< by receive
        std::map<char, std::string> got;               //!< by receive
        std::map<char, uint32_t> from;                 //!< by receive
        std::map<char, uint64_t> bits;                 //!< by receive
    };

    void DoRun() override
    {
        ExpectOrder();
        ExpectOvertaken();
        ExpectTakenBack();
        ExpectSmallTable();
        ExpectRefusals();
    }

    /// @return policies
    FabricHelper MakeHelper() const
    {
        return MessageNetwork::MakeHelper(m_protocol);
    }

    /// Which message goes where, with receives posted before, between and after.
    void ExpectOrder()
    {
        for (const int64_t postUs : {0, 3, 50})
        {
            Run run(MakeStar(4), MakeHelper());
            constexpr uint64_t HIGH = uint64_t{1} << 63;
            // Host 3 gets four messages of host 0 and, later, two of host 1. Of two that match, the
            // one sent first goes to the receive posted first.
            run.Send(0, 3, HIGH | 1, 0);
            run.Send(0, 3, 2, 1);
            run.Send(0, 3, HIGH | 1, 2);
            run.Send(0, 3, 0, 3);
            CallIn(MicroSeconds(30), [&run] {
                run.Send(1, 3, 2, 4);
                run.Send(1, 3, HIGH | 1, 5);
            });
            CallIn(MicroSeconds(postUs), [&run] {
                run.Post(3, 0, 2, 0, 'a');            // the only one of host 0
                run.Post(3, 0, HIGH | 1, 0, 'b');     // the first of two
                run.Post(3, ANY, HIGH | 1, 0, 'c');   // the second
                run.Post(3, ANY, 7, UINT64_MAX, 'd'); // what is left first: of host 0
                run.Post(3, 1, HIGH, 1, 'e');         // the last bit is ignored
                run.Post(3, 1, 0, ~uint64_t{2}, 'f'); // one bit only: none has it clear
                run.Post(3, ANY, 2, 0, 'g');          // of host 1
            });
            Simulator::Stop(Seconds(1));
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(run.Got(), "a1 b0 c2 d3 e5 g4", "posted at " << postUs);
            NS_TEST_EXPECT_MSG_EQ(run.from['c'], 0, "which of any");
            NS_TEST_EXPECT_MSG_EQ(run.from['g'], 1, "which of any");
            NS_TEST_EXPECT_MSG_EQ(run.bits['e'], (HIGH | 1), "all bits");
            NS_TEST_EXPECT_MSG_EQ(run.Count(0, MessageStatus::COMPLETE), 4, "sent");
            NS_TEST_EXPECT_MSG_EQ(run.Count(1, MessageStatus::COMPLETE), 2, "sent");
            NS_TEST_EXPECT_MSG_EQ(run.MessagesOf(3).GetMatcher()->GetNReceives(), 1, "f is left");
        }
    }

    /// The packet of the first message is lost: the second, which came before, takes not its
    /// receive.
    void ExpectOvertaken()
    {
        Run run(MakeStar(2), MakeHelper());
        const Ptr<PacketTap> tap = AddTap(run, 2);
        tap->SetRule([&tap](const FabricPacketItem& item) {
            return item.type != DATA || tap->Of(DATA).size() >= 1;
        });
        run.Post(1, 0, 5, 0, 'a');
        run.Post(1, ANY, 5, 0, 'b');
        run.Send(0, 1, 5, 0);
        run.Send(0, 1, 5, 1);
        run.Send(0, 1, 5, 2);
        CallIn(MilliSeconds(20), [&run] { run.Post(1, 0, 5, 0, 'c'); });
        Simulator::Stop(Seconds(1));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(run.Got(), "a0 b1 c2", "in the order of sending");
    }

    /// Sends and receives are taken back, and receives run out of time.
    void ExpectTakenBack()
    {
        Run run(MakeStar(2), MakeHelper());
        run.endpoints[1]->SetAttribute("ReceiveTimeout", TimeValue(MilliSeconds(500)));
        const uint64_t unsent = run.Send(0, 1, 1, 0); // refused, and taken back
        run.Send(0, 1, 1, 1);
        const uint64_t early = run.Post(1, 0, 9, 0, 'z'); // nothing like that comes
        CallIn(MicroSeconds(20), [&run, unsent, early] {
            run.endpoints[0]->Cancel(unsent);
            run.endpoints[1]->Cancel(early);
        });
        CallIn(MicroSeconds(200), [&run] {
            run.Post(1, ANY, 1, 0, 'a');
            run.Post(1, 0, 1, 0, 'b'); // runs out of time
        });
        Simulator::Stop(Seconds(1));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(run.Got(), "a1 blate z-", "each of them");
        NS_TEST_EXPECT_MSG_EQ(run.Count(0, MessageStatus::CANCELLED), 1, "taken back");
        NS_TEST_EXPECT_MSG_EQ(run.MessagesOf(1).GetMatcher()->GetNReceives(), 0, "none is left");
    }

    /// More messages and receives than the table has entries.
    void ExpectSmallTable()
    {
        FabricHelper helper = MakeHelper();
        helper.SetMatchTable("ns3::HashMatchTable", "Capacity", UintegerValue(2));
        Run run(MakeStar(3), helper);
        for (uint32_t number = 0; number < 8; ++number)
        {
            run.Send(number % 2, 2, number / 2, number);
        }
        CallIn(MicroSeconds(40), [&run] {
            for (uint32_t number = 0; number < 8; ++number)
            {
                run.Post(2, number % 2, 3 - number / 2, 0, static_cast<char>('a' + number));
            }
        });
        Simulator::Stop(Seconds(1));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(run.Got(), "a6 b7 c4 d5 e2 f3 g0 h1", "all of them");
    }

    /// What is not to be mixed, and the bytes of a packet.
    void ExpectRefusals()
    {
        Run run(MakeStar(3), MakeHelper());
        run.Send(0, 1, 1, 0);
        DCFABRIC_EXPECT_REFUSAL(run.endpoints[0]->Send(1, nullptr, 1, nullptr),
                                "sends messages with match bits to host 1 and others without");
        run.endpoints[2]->PostRecv(0, nullptr, 1, nullptr);
        DCFABRIC_EXPECT_REFUSAL(run.endpoints[2]->PostTagged(0, 1, 0, nullptr, 1, nullptr),
                                "posts receives with match bits for host 0 and others without");
        Simulator::Stop(MicroSeconds(20));
        Simulator::Run();
        DCFABRIC_EXPECT_REFUSAL(run.endpoints[1]->PostRecv(0, nullptr, 1, nullptr),
                                "without match bits for messages of host 0");

        const Ptr<FabricPacketItem> item = FabricPacketItem::Create(DATA);
        item->flags = FabricPacketItem::FLAG_MATCH | FabricPacketItem::FLAG_TAGGED;
        item->data.matchBits = 0xfedcba9876543210;
        const RoceV2WireFormat wire;
        item->size = wire.GetDataBytes(0, false) + wire.GetMatchBytes(true);
        const auto back = FabricHeaders::Parse(FabricHeaders::Serialize(*item));
        NS_TEST_EXPECT_MSG_EQ(back->data.matchBits, item->data.matchBits, "bits");
        NS_TEST_EXPECT_MSG_EQ(back->flags, item->flags, "flags");
    }

    std::string m_protocol; //!< class
};

/// Tagged messages.
const SuiteCases g_cases("dcfabric-messages", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new TaggedModelTestCase("tagged messages against a model"));
    for (const char* protocol :
         {"ns3::RequestToWait", "ns3::DeferrableSend", "ns3::ReceiverNotReady", "ns3::Rendezvous"})
    {
        suite.AddTestCase(new TaggedNetworkTestCase(protocol));
    }
});

} // namespace ns3::tests::tagged_test
