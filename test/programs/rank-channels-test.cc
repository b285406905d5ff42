// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-errors.h"
#include "fabric-test-ranks.h"

#include "ns3/plain-bytes.h"
#include "ns3/rank-messages.h"
#include "ns3/uinteger.h"

#include <cstdlib>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Messages of ranks that are cut into parts, one for each link of a host.
 */

namespace ns3::tests::rank_channels_test
{

constexpr int64_t PACKET_PS = 86560;   //!< 1000 bytes of payload of 1082 at 100 Gb/s
constexpr int64_t WAY_PS = 2 * 100000; //!< two links of 100 ns

/**
 * @param packets of which the last one is looked at
 * @return when it is there, behind two links, as ranks see it
 */
int64_t
Arrival(int64_t packets)
{
    return FabricTime::ToPs(FabricTime::FromPs((packets + 1) * PACKET_PS + WAY_PS));
}

/**
 * @param n number of hosts
 * @param planes number of switches
 * @param errorRate of each link
 * @return hosts with a link of 100 Gb/s and 100 ns to each switch
 */
FabricGraph
MakePlanes(uint32_t n, uint32_t planes, double errorRate = 0)
{
    FabricGraph graph;
    for (uint32_t i = 0; i < n; ++i)
    {
        graph.AddHost();
    }
    for (uint32_t plane = 0; plane < planes; ++plane)
    {
        const uint32_t center = graph.AddSwitch();
        for (uint32_t i = 0; i < n; ++i)
        {
            graph.AddLink(i, center, 100 * GBPS, US / 10, errorRate);
        }
    }
    return graph;
}

/// @return sizes of flows
std::vector<uint64_t>
Sizes(const RankRun& run)
{
    std::vector<uint64_t> sizes;
    for (const FabricFlow& flow : run.flows)
    {
        sizes.push_back(flow.sizeBytes);
    }
    return sizes;
}

/**
 * @ingroup dcfabric-tests
 * @brief What is sent, written and asked for by four links takes a quarter of the time.
 */
class CutMessagesTestCase : public RankTestCase
{
    using RankTestCase::RankTestCase;

    /**
     * @param first what rank 0 does
     * @param second what rank 1 does
     * @param channels attribute
     * @param protocol as for RunJob()
     * @return what becomes of two ranks with four links each
     */
    RankRun Run(const std::string& first,
                const std::string& second,
                uint32_t channels = 1,
                const std::string& protocol = "")
    {
        RankRun run =
            RunText(MakePlanes(2, 4),
                    "ranks 2\nprogram 0 {\n" + first + "}\nprogram 1 {\n" + second + "}\n",
                    protocol,
                    [channels](RankRunner& runner) {
                        runner.SetAttribute("Channels", UintegerValue(channels));
                    });
        NS_TEST_EXPECT_MSG_EQ(run.complete, true, run.stuck);
        return run;
    }

    void DoRun() override
    {
        TestTimes();
        TestEdges();
        TestOrder();
        TestProtocols();
        TestLosses();
        TestRefusals();
    }

    /// By hand, with one link and with four.
    void TestTimes()
    {
        // 400 packets by one link; 100 by each of four
        const std::string receive = "recv 0\nmark got\n";
        RankRun run = Run("send 1 400kB\n", receive);
        NS_TEST_EXPECT_MSG_EQ(run.End("got", 1), Arrival(400), "one link");
        NS_TEST_EXPECT_MSG_EQ(run.flows.size(), 1, "one flow");
        for (const auto& [line, channels] : std::vector<std::pair<std::string, uint32_t>>{
                 {"send 1 400kB channels=4\n", 1},
                 {"send 1 400kB\n", 4},
                 {"send 1 400kB channels=4\n", 2},
                 {"isend 1 400kB channels=4 as=x\nwait x\n", 64}})
        {
            run = Run(line, receive, channels);
            NS_TEST_EXPECT_MSG_EQ(run.End("got", 1), Arrival(100), line << channels);
            NS_TEST_EXPECT_MSG_EQ((Sizes(run) == std::vector<uint64_t>(4, 100000)), true, line);
        }
        // two parts on each link: 50 packets of one, then of the other
        run = Run("send 1 400kB channels=8\n", receive);
        NS_TEST_EXPECT_MSG_EQ(run.End("got", 1), Arrival(100), "eight parts");
        NS_TEST_EXPECT_MSG_EQ(run.flows.size(), 8, "eight flows");
        run = Run("send 1 400kB channels=1\n", receive, 4);
        NS_TEST_EXPECT_MSG_EQ(run.End("got", 1), Arrival(400), "one channel is none");

        // A write is complete when the last ACK is back: an ACK of 118 bytes takes 9.44 ns on each
        // link. What is asked for comes after a request of 16 bytes, which is one packet of 98
        // bytes, of 7.84 ns on each link, and behind its ACK on one of them.
        run = Run("put 1 400kB channels=4\nmark put\nget 1 400kB channels=4\nmark get\n", "");
        const int64_t putPs = 101 * PACKET_PS + 2 * WAY_PS + 2 * 9440;
        NS_TEST_EXPECT_MSG_EQ(run.End("put", 0),
                              FabricTime::ToPs(FabricTime::FromPs(putPs)),
                              "a write");
        const int64_t getPs =
            run.End("put", 0) + 2 * 7840 + WAY_PS + 9440 + 101 * PACKET_PS + WAY_PS;
        NS_TEST_EXPECT_MSG_LT(std::abs(run.End("get", 0) - getPs), 3000, "a read");
        NS_TEST_EXPECT_MSG_EQ(run.flows.size(), 4 + 1 + 4, "and its request");
    }

    /// Few bytes, none, and one host.
    void TestEdges()
    {
        const auto sizes = [this](const std::string& line) {
            return Sizes(Run(line + "\n", "recv 0\n"));
        };
        NS_TEST_EXPECT_MSG_EQ((sizes("send 1 3 channels=8") == std::vector<uint64_t>{1, 1, 1}),
                              true,
                              "more channels than bytes");
        NS_TEST_EXPECT_MSG_EQ((sizes("send 1 1 channels=8") == std::vector<uint64_t>{1}),
                              true,
                              "a byte");
        NS_TEST_EXPECT_MSG_EQ((sizes("send 1 0 channels=8") == std::vector<uint64_t>{1}),
                              true,
                              "none is one");
        NS_TEST_EXPECT_MSG_EQ((sizes("send 1 10 channels=4") == std::vector<uint64_t>{2, 3, 2, 3}),
                              true,
                              "what is left");
        const RankRun run = RunText(MakePlanes(2, 4),
                                    "ranks 2 per-host 2\nprogram 0 {\nsend 1 400kB channels=4\n}\n"
                                    "program 1 {\nrecv 0\nmark got\n}\n");
        NS_TEST_EXPECT_MSG_EQ(run.complete, true, run.stuck);
        NS_TEST_EXPECT_MSG_EQ(run.End("got", 1), 0, "in the memory of the host");
        NS_TEST_EXPECT_MSG_EQ(run.flows.size(), 0, "no flow");
    }

    /// Messages match in the order of sending, whole.
    void TestOrder()
    {
        // The second message is there before the first one, of which a part waits behind it on no
        // link: 1 packet and 100. Receives take them in the order of sending.
        RankRun run = Run("isend 1 400kB channels=4\nisend 1 1kB tag=1\nisend 1 1kB\n",
                          "recv 0 tag=1\nmark small\nrecv 0\nmark first\nrecv 0\nmark second\n");
        NS_TEST_EXPECT_MSG_LT(run.End("small", 1), Arrival(10), "another tag");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(run.End("first", 1), Arrival(100), "all of the first");
        NS_TEST_EXPECT_MSG_EQ(run.End("second", 1), run.End("first", 1), "is there already");
        // from any rank, and with any tag
        run = Run("isend 1 400kB channels=4\n", "recv any\nmark got\n");
        NS_TEST_EXPECT_MSG_EQ(run.End("got", 1), Arrival(100), "any rank");
        run = Run("isend 1 400kB channels=4 tag=7\nisend 1 1kB\n",
                  "recv any tag=any\nmark got\nrecv any tag=any\nmark then\n");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(run.End("got", 1), Arrival(100), "any tag, in order");
        NS_TEST_EXPECT_MSG_EQ(run.End("then", 1), run.End("got", 1), "behind it");
        // messages of a channel follow one another: 200 packets on each link
        run = Run("isend 1 400kB channels=4\nisend 1 400kB channels=4\n",
                  "recv 0\nmark a\nrecv 0\nmark b\n");
        NS_TEST_EXPECT_MSG_EQ(run.End("a", 1), Arrival(100), "the first");
        NS_TEST_EXPECT_MSG_EQ(run.End("b", 1), Arrival(200), "behind it");
        NS_TEST_EXPECT_MSG_EQ(run.unreceived, 0, "all are received");
        run = Run("isend 1 400kB channels=4\n", "compute 1ms\n");
        NS_TEST_EXPECT_MSG_EQ(run.unreceived, 1, "one message, not four");
    }

    /// Receives at the NIC: one for each part.
    void TestProtocols()
    {
        for (const char* protocol :
             {"ns3::RequestToWait", "ns3::ReceiverNotReady", "ns3::Rendezvous"})
        {
            for (const char* late : {"", "compute 40us\n"})
            {
                const RankRun run =
                    Run("isend 1 40kB tag=1 channels=4\nisend 1 400kB tag=2 channels=4\n"
                        "put 1 40kB channels=2\nget 1 10 channels=3\nwait\nmark sent\n",
                        std::string(late) + "irecv 0 tag=2 as=b\nirecv 0 tag=1 as=a\nwait a\n"
                                            "mark a\nwait b\nmark b\n",
                        1,
                        protocol);
                NS_TEST_EXPECT_MSG_EQ(run.flows.size(), 4 + 4 + 2 + 1 + 3, protocol << late);
                NS_TEST_EXPECT_MSG_GT_OR_EQ(run.End("b", 1), Arrival(100), protocol << late);
                NS_TEST_EXPECT_MSG_EQ(run.unreceived, 0, protocol << late);
            }
        }
    }

    /// Links that lose one of a hundred packets.
    void TestLosses()
    {
        const RankRun run = RunText(MakePlanes(2, 4, 0.01),
                                    "ranks 2\nprogram 0 {\nsend 1 4MB channels=4\nmark sent\n}\n"
                                    "program 1 {\nrecv 0\nmark got\n}\n");
        NS_TEST_EXPECT_MSG_EQ(run.complete, true, run.stuck);
        NS_TEST_EXPECT_MSG_GT(run.End("got", 1), Arrival(1000), "all of it");
        NS_TEST_EXPECT_MSG_GT(run.End("sent", 0), run.End("got", 1), "then the last ACK");
    }

    /// What cannot be.
    void TestRefusals()
    {
        const std::string head = "ranks 2\nprogram 0 {\n";
        for (const auto& [line, part] : std::vector<std::pair<std::string, std::string>>{
                 {"send 1 1kB channels=65", ":3: channels"},
                 {"send 1 1kB channels=0", ":3: channels"},
                 {"put 1 1kB channels=two", ":3: channels"},
                 {"recv 1 channels=2", "recv has no channels=; expected"},
                 {"iget 1 1kB channels=2 channels=2", "channels= is given twice"}})
        {
            DCFABRIC_EXPECT_REFUSAL(RunText(MakeStar(2), head + line + "\n}\n"), part);
        }
        // a part that is not acknowledged is one message that is not
        const RankRun stuck = RunText(MakePlanes(2, 4),
                                      head + "send 1 1kB channels=4\n}\nprogram 1 {\n}\n",
                                      "ns3::RequestToWait");
        NS_TEST_EXPECT_MSG_EQ(
            Contains(stuck.stuck, ":3: send: not acknowledged by rank 1, tag 0\n"),
            true,
            stuck.stuck);
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Parts of messages that another process has begun: one message, whole when all are there.
 */
class CutElsewhereTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// @return what the other process tells of each part. @param number of the message
    static std::string Note(uint64_t number, uint64_t tag, uint16_t parts)
    {
        RankMessage message;
        message.dst = 1;
        message.bytes = 3000;
        message.tag = tag;
        message.channels = parts;
        message.toArrive = parts;
        message.toAcknowledge = parts;
        message.order.number = number;
        std::string note;
        WritePlain(note, message);
        return note;
    }

    void DoRun() override
    {
        FabricHelper helper;
        Ptr<Fabric> fabric = helper.Install(MakeStar(2));
        FlowRecorder recorder(fabric, {});
        RankMessages messages(recorder, {0, 1}, 3, 16);
        std::vector<uint32_t> complete;
        messages.SetCallback([&complete](uint32_t rank, uint32_t request) {
            complete.push_back(100 * rank + request);
        });
        messages.Receive(1, 0, 7, 1);
        messages.Receive(1, 0, 7, 2);
        // two messages of three and two parts, and one that is whole, their parts in turn
        messages.OnBegunElsewhere(10, Note(4, 7, 3));
        messages.OnBegunElsewhere(20, Note(8, 7, 2));
        messages.OnBegunElsewhere(11, Note(4, 7, 3));
        messages.OnBegunElsewhere(30, Note(9, 5, 1));
        messages.OnBegunElsewhere(21, Note(8, 7, 2));
        messages.OnBegunElsewhere(12, Note(4, 7, 3));
        for (const uint32_t flow : {12, 20, 21, 10})
        {
            messages.OnArrived(flow);
            NS_TEST_EXPECT_MSG_EQ(complete.size(), 0, "the first message comes first");
        }
        messages.OnArrived(11);
        NS_TEST_EXPECT_MSG_EQ((complete == std::vector<uint32_t>{101, 102}),
                              true,
                              "both, in order");
        NS_TEST_EXPECT_MSG_EQ(messages.GetNUnreceived(), 0, "30 is not there");
        messages.OnArrived(30);
        NS_TEST_EXPECT_MSG_EQ(messages.GetNUnreceived(), 1, "and nobody receives it");
        // again, under the numbers that are free now
        messages.Receive(1, 0, 7, 3);
        messages.OnBegunElsewhere(40, Note(11, 7, 2));
        messages.OnBegunElsewhere(41, Note(11, 7, 2));
        messages.OnArrived(10); // which is over
        messages.OnArrived(40);
        NS_TEST_EXPECT_MSG_EQ(complete.size(), 2, "a half");
        messages.OnArrived(41);
        NS_TEST_EXPECT_MSG_EQ(complete.back(), 103, "the other half");
        Simulator::Destroy();
    }
};

/// Adds the cases to their suite.
const SuiteCases g_cases("dcfabric-workload", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new CutMessagesTestCase("messages of ranks that use all links of a host"));
    suite.AddTestCase(new CutElsewhereTestCase("parts of messages that another process began"));
});

} // namespace ns3::tests::rank_channels_test
