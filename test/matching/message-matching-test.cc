// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-schedule.h"
#include "../fabric-test-suite.h"
#include "fabric-test-messages.h"

#include "ns3/test.h"

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Matched messages between two hosts.
 */

namespace ns3::tests::message_matching_test
{

/**
 * @ingroup dcfabric-tests
 * @brief Messages of all kinds of length, whose receives are posted before or after they arrive,
 * under each protocol.
 */
class DeliveryTestCase : public TestCase
{
  public:
    /**
     * @param protocol TypeId name
     * @param postUs when receives are posted
     */
    DeliveryTestCase(const std::string& protocol, int64_t postUs)
        : TestCase(protocol + ", receives after " + std::to_string(postUs) + " us"),
          m_protocol(protocol),
          m_postUs(postUs)
    {
    }

  private:
    void DoRun() override
    {
        MessageNetwork network(MakeStar(3), MessageNetwork::MakeHelper(m_protocol));
        const std::vector<uint64_t> lengths = {1, 999, 1000, 1001, 64000, 500000};
        std::vector<std::vector<uint8_t>> sent;
        std::vector<std::vector<uint8_t>> received;
        for (const uint64_t bytes : lengths)
        {
            sent.push_back(MakeBytes(bytes, static_cast<uint32_t>(bytes)));
            received.emplace_back(bytes, 0);
        }
        CallIn(MicroSeconds(1), [&]() {
            for (std::size_t i = 0; i < lengths.size(); ++i)
            {
                network.endpoints[0]->Send(1,
                                           sent[i].data(),
                                           lengths[i],
                                           network.Note(0),
                                           static_cast<uint32_t>(i));
            }
        });
        CallIn(MicroSeconds(m_postUs), [&]() {
            for (std::size_t i = 0; i < lengths.size(); ++i)
            {
                network.endpoints[1]->PostRecv(0, received[i].data(), lengths[i], network.Note(1));
            }
        });
        Simulator::Stop(MilliSeconds(100));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.Count(0, MessageStatus::COMPLETE), 6, "sends");
        NS_TEST_EXPECT_MSG_EQ(network.Count(1, MessageStatus::COMPLETE), 6, "receives");
        for (std::size_t i = 0; i < lengths.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ((sent[i] == received[i]), true, "bytes of message " << i);
        }
        NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().Holds(), true, "conservation");
        const auto& counters = network.Nic(1).GetCounters();
        const auto& matcher = network.MessagesOf(1).GetMatcher()->GetCounters();
        NS_TEST_EXPECT_MSG_EQ(counters.rtwSent + counters.rnrSent,
                              matcher.unmatched,
                              "an answer for each unmatched packet");
        NS_TEST_EXPECT_MSG_EQ((matcher.unmatched > 0), (m_postUs > 1), "early packets");
        NS_TEST_EXPECT_MSG_EQ(TableOf(network.MessagesOf(1)).GetNEntries(), 0, "entries");
    }

    std::string m_protocol; //!< TypeId name
    int64_t m_postUs;       //!< when receives are posted
};

/**
 * @ingroup dcfabric-tests
 * @brief A sender takes a message back: its receive ends too, whether it was posted before, while
 * packets arrive or after they were refused, and the next message goes to the next receive.
 */
class TakenBackTestCase : public TestCase
{
  public:
    /**
     * @param postUs when the receive is posted
     * @param cancelUs when the send is taken back
     */
    TakenBackTestCase(int64_t postUs, int64_t cancelUs)
        : TestCase("posted after " + std::to_string(postUs) + " us, taken back after " +
                   std::to_string(cancelUs) + " us"),
          m_postUs(postUs),
          m_cancelUs(cancelUs)
    {
    }

  private:
    void DoRun() override
    {
        MessageNetwork network(MakeStar(2), MessageNetwork::MakeHelper());
        const std::vector<uint8_t> sent = MakeBytes(3000, 1);
        std::vector<uint8_t> received(3000, 0);
        uint64_t send = 0;
        CallIn(MicroSeconds(10), [&]() {
            send = network.endpoints[0]->Send(1, nullptr, 2000000, network.Note(0)); // for 170 us
            network.endpoints[0]->Send(1, sent.data(), 3000, network.Note(0));
        });
        CallIn(MicroSeconds(m_postUs), [&]() {
            network.endpoints[1]->PostRecv(0, nullptr, 2000000, network.Note(1));
            network.endpoints[1]->PostRecv(0, received.data(), 3000, network.Note(1));
        });
        CallIn(MicroSeconds(m_cancelUs), [&]() {
            NS_TEST_EXPECT_MSG_EQ(network.endpoints[0]->Cancel(send), true, "taken back");
            NS_TEST_EXPECT_MSG_EQ(network.endpoints[0]->Cancel(send), false, "only once");
        });
        Simulator::Run();
        for (const uint32_t host : {0, 1})
        {
            NS_TEST_EXPECT_MSG_EQ(network.Count(host, MessageStatus::CANCELLED), 1, "of " << host);
            NS_TEST_EXPECT_MSG_EQ(network.Count(host, MessageStatus::COMPLETE), 1, "of " << host);
        }
        NS_TEST_EXPECT_MSG_EQ((sent == received), true, "bytes");
        NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().Holds(), true, "conservation");
        NS_TEST_EXPECT_MSG_EQ(network.Nic(1).GetReceivingPdcs().GetNActive(),
                              0,
                              "nothing arrives any more");
        NS_TEST_EXPECT_MSG_LT(Simulator::Now(), MilliSeconds(10), "nobody asks for ever");
    }

    int64_t m_postUs;   //!< when the receive is posted
    int64_t m_cancelUs; //!< when the send is taken back
};

/**
 * @ingroup dcfabric-tests
 * @brief Messages that are handed over before the simulation begins, and one that is taken back.
 */
class EarlySendTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        MessageNetwork network(MakeStar(3), MessageNetwork::MakeHelper());
        const auto sent = MakeBytes(2500, 1);
        std::vector<uint8_t> received(sent.size());
        const uint64_t unwanted =
            network.endpoints[0]->Send(1, sent.data(), 100, network.Note(0), 7);
        network.endpoints[0]->Send(1, sent.data(), sent.size(), network.Note(0), 8);
        network.endpoints[1]->PostRecv(0, received.data(), received.size(), network.Note(1));
        NS_TEST_EXPECT_MSG_EQ(network.endpoints[0]->Cancel(unwanted), true, "taken back");
        NS_TEST_EXPECT_MSG_EQ(network.endpoints[0]->Cancel(unwanted), false, "but once");
        NS_TEST_EXPECT_MSG_EQ(network.Count(0, MessageStatus::CANCELLED), 1, "told so");
        Simulator::Stop(MilliSeconds(100));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.Count(0, MessageStatus::COMPLETE), 1, "sent");
        NS_TEST_EXPECT_MSG_EQ(network.Count(1, MessageStatus::COMPLETE), 1, "received");
        NS_TEST_EXPECT_MSG_EQ((sent == received), true, "the second, as the first number");
    }
};

/// Matched messages.
const SuiteCases g_cases("dcfabric-messages-network", TestSuite::Type::SYSTEM, [](Suite& suite) {
    for (const std::string protocol :
         {"ns3::RequestToWait", "ns3::ReceiverNotReady", "ns3::Rendezvous"})
    {
        for (const int64_t postUs : {1, 10, 200})
        {
            suite.AddTestCase(new DeliveryTestCase(protocol, postUs));
        }
    }
    suite.AddTestCase(new TakenBackTestCase(1, 11));   // before the first packet arrives
    suite.AddTestCase(new TakenBackTestCase(1, 50));   // while packets arrive
    suite.AddTestCase(new TakenBackTestCase(100, 50)); // refused, then taken back
    suite.AddTestCase(new TakenBackTestCase(50, 52));  // asked for, on its way
    suite.AddTestCase(new EarlySendTestCase("messages before the simulation begins"));
});

} // namespace ns3::tests::message_matching_test
