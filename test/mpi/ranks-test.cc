// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-errors.h"
#include "../fabric-test-files.h"
#include "../fabric-test-network.h"
#include "../fabric-test-schedule.h"
#include "../fabric-test-suite.h"
#include "../fabric-test-wire.h"

#include "ns3/fabric-channel.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-partition.h"
#include "ns3/fabric-time.h"
#include "ns3/fabric-topology.h"
#include "ns3/flow-recorder.h"
#include "ns3/item-codec.h"
#include "ns3/link-retry.h"
#include "ns3/plain-bytes.h"
#include "ns3/wire-crossing.h"
#include "ns3/wire-errors.h"

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief What ranks of one simulation say to one another; with MPI they are tested by
 * test/python/test_ranks.py.
 */

namespace ns3::tests::ranks_test
{

/// @return all that a packet is, as bytes
std::string
Pack(const FabricPacketItem& item)
{
    std::string bytes;
    ItemCodec::Write(bytes, item);
    return bytes;
}

/**
 * @ingroup dcfabric-tests
 * @brief Packets of each kind, one after the other as in a message, and cut short anywhere.
 */
class ItemCodecTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        constexpr uint32_t SEED = 23;
        std::cout << "seed " << SEED << "\n";
        std::mt19937_64 random(SEED);
        std::vector<Ptr<FabricPacketItem>> items = MakeSamples(random);
        items.push_back(MakeForeign(1500, 0x0800, random));
        items.push_back(MakeNotice(40, random));
        std::string bytes;
        for (const auto& item : items)
        {
            item->sendTimePs = static_cast<int64_t>(random());
            item->finalDst = static_cast<uint32_t>(random());
            item->flowHash = static_cast<uint32_t>(random());
            ItemCodec::Write(bytes, *item);
        }
        std::size_t at = 0;
        for (const auto& item : items)
        {
            const Ptr<FabricPacketItem> got = ItemCodec::Read(bytes, at);
            // ns-3 writes a packet that it has read with other bytes of its own beside the payload
            const bool isBare = item->GetPacket()->GetSize() == 0;
            NS_TEST_EXPECT_MSG_EQ(!isBare || Pack(*got) == Pack(*item), true, "all of " << *item);
            NS_TEST_EXPECT_MSG_EQ((FrameOf(*got) == FrameOf(*item)), true, "frame of " << *item);
            NS_TEST_EXPECT_MSG_EQ(got->flowHash, item->flowHash, "not on the wire");
            NS_TEST_EXPECT_MSG_EQ(got->sendTimePs, item->sendTimePs, "not on the wire");
        }
        NS_TEST_EXPECT_MSG_EQ(at, bytes.size(), "nothing is left");
        std::string unknown = bytes;
        unknown[offsetof(PacketFields, type)] = 17; // after GRANT, which is 16
        at = 0;
        DCFABRIC_EXPECT_REFUSAL(ItemCodec::Read(unknown, at), "there is no packet type 17");
        // 1,456 B of payload are a number: fields, with no INT, fill less than two cache lines
        NS_TEST_EXPECT_MSG_LT(Pack(*MakeData(1456, 1456)).size(), 128, "timing-only");
        for (const auto& item : items)
        {
            const std::string whole = Pack(*item);
            for (std::size_t length = 0; length < whole.size(); length += 7)
            {
                std::size_t begin = 0;
                bool refused = false;
                try
                {
                    ItemCodec::Read(whole.substr(0, length), begin);
                }
                catch (const FabricError&)
                {
                    refused = true;
                }
                NS_TEST_EXPECT_MSG_EQ(refused, true, length << " bytes of " << *item);
            }
        }
    }
};

/// Takes packets from one process to the other.
struct Ferry : WireCrossing
{
    /// @param device the same end there
    explicit Ferry(Ptr<FabricNetDevice> device)
        : there(device)
    {
    }

    void Carry(const FabricNetDevice& to,
               FabricPacketItem* item,
               int64_t beganPs,
               int64_t arrivalPs) override
    {
        const Ptr<FabricPacketItem> owned(item, false);
        const int64_t dueAtPs = beganPs + to.GetLink().GetDelayPs();
        CallIn(FabricTime::FromPs(dueAtPs) - Simulator::Now(),
               [this, bytes = Pack(*item), beganPs, arrivalPs] {
                   std::size_t at = 0;
                   there->AcceptLate(ItemCodec::Read(bytes, at), beganPs, arrivalPs);
               });
    }

    Ptr<FabricNetDevice> there; //!< the same end there
};

/**
 * @ingroup dcfabric-tests
 * @brief A link whose ends two processes simulate, both in this one: packets arrive as on one that
 * is whole, and are lost with it.
 */
class CrossingTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        TestLink whole(100 * GBPS, MicroSeconds(1));
        TestLink here(100 * GBPS, MicroSeconds(1));
        TestLink there(100 * GBPS, MicroSeconds(1));
        Ferry ferry(there.rightPort);
        here.right->SetElsewhere();
        here.rightPort->GetLink().SetCrossing(&ferry);
        there.left->SetElsewhere();
        for (TestLink* link : {&whole, &here, &there})
        {
            // frames of 1,250 B with the gap take 100 ns and arrive 1.1 us after they began: that
            // of 0 arrives as the link goes down and that of 0.9 us is on it, both are lost; while
            // it is down those of 1.15 and 1.2 us wait, until 1.4 us. That of 1.85 us arrives
            // at 2.95 us; the next three, which begin at 1.95, 2.05 and 2.5 us, are lost when the
            // link goes down and up at 3 us, before the other process hears of them; the last two
            // arrive.
            const auto channel = DynamicCast<FabricChannel>(link->leftPort->GetChannel());
            for (const auto& [at, kind] :
                 {std::pair<int64_t, LinkChange::Kind>{1100, LinkChange::DOWN},
                  {1400, LinkChange::UP},
                  {3000, LinkChange::DOWN},
                  {3000, LinkChange::UP}})
            {
                channel->ScheduleChange({at * 1000, kind, 0});
            }
            for (const int64_t at : {0, 900, 1150, 1200, 1850, 1890, 1950, 2500, 3050, 3100})
            {
                if (link == &there)
                {
                    break; // sends nothing of its own
                }
                CallIn(NanoSeconds(at), [link, at = at] {
                    link->leftPort->Enqueue(MakeData(1230, static_cast<uint32_t>(at)));
                });
            }
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(here.right->arrivals.size(), 0, "it is elsewhere");
        NS_TEST_EXPECT_MSG_EQ(there.left->arrivals.size(), 0, "it is elsewhere");
        const auto& arrivals = there.right->arrivals;
        NS_TEST_ASSERT_MSG_EQ(arrivals.size(), whole.right->arrivals.size(), "as many");
        NS_TEST_ASSERT_MSG_EQ(arrivals.size(), 5, "of ten");
        for (std::size_t i = 0; i < std::min(arrivals.size(), whole.right->arrivals.size()); ++i)
        {
            const auto& expected = whole.right->arrivals[i];
            NS_TEST_EXPECT_MSG_EQ(arrivals[i].timePs, expected.timePs, "packet " << i);
            NS_TEST_EXPECT_MSG_EQ((FrameOf(*arrivals[i].packet) == FrameOf(*expected.packet)),
                                  true,
                                  "same");
        }
        const uint64_t drops = there.rightPort->GetCounters().linkDownDrops;
        NS_TEST_EXPECT_MSG_EQ(drops, whole.rightPort->GetCounters().linkDownDrops, "lost");
        NS_TEST_EXPECT_MSG_EQ(drops, 10 - arrivals.size(), "nothing else is missing");
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Such a link with link-level retry, of which packets of both directions cross.
 */
class RetryCrossingTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        TestLink whole(100 * GBPS, MicroSeconds(1));
        TestLink here(100 * GBPS, MicroSeconds(1));
        TestLink there(100 * GBPS, MicroSeconds(1));
        Ferry toRight(there.rightPort);
        Ferry toLeft(here.leftPort);
        for (TestLink* link : {&whole, &here, &there})
        {
            for (const auto& port : {link->leftPort, link->rightPort})
            {
                port->SetRetry(CreateObject<LinkRetry>());
            }
            link->leftPort->GetRetry()->SetMaxFrameBytes(1230);
            link->rightPort->GetRetry()->SetMaxFrameBytes(1230);
        }
        here.right->SetElsewhere();
        here.rightPort->GetLink().SetCrossing(&toRight);
        there.left->SetElsewhere();
        there.leftPort->GetLink().SetCrossing(&toLeft);
        for (TestLink* link : {&whole, &here, &there})
        {
            // 50 frames of 100 ns; some are damaged, some answers are lost, and the link goes down
            // while frames are on it, are kept and are to be sent again
            const auto right = link->rightPort->GetWireErrors();
            const auto left = link->leftPort->GetWireErrors();
            CallIn(NanoSeconds(1550), [right] { right->SetCorruption(1); });
            CallIn(NanoSeconds(1650), [right] { right->SetCorruption(0); });
            CallIn(NanoSeconds(6050), [left] { left->SetLoss(1); });
            CallIn(NanoSeconds(6450), [left] { left->SetLoss(0); });
            const auto channel = DynamicCast<FabricChannel>(link->leftPort->GetChannel());
            channel->ScheduleChange({4333000, LinkChange::DOWN, 0});
            channel->ScheduleChange({4700000, LinkChange::UP, 0});
            for (uint32_t tag = 0; tag < 50 && link != &there; ++tag)
            {
                link->leftPort->Enqueue(MakeData(1230, tag));
            }
        }
        Simulator::Run();
        const auto& arrivals = there.right->arrivals;
        NS_TEST_ASSERT_MSG_EQ(arrivals.size(), whole.right->arrivals.size(), "as many");
        NS_TEST_EXPECT_MSG_LT(arrivals.size(), 50, "the link lost some");
        NS_TEST_EXPECT_MSG_GT(arrivals.size(), 20, "but not all");
        for (std::size_t i = 0; i < arrivals.size(); ++i)
        {
            const auto& expected = whole.right->arrivals[i];
            NS_TEST_EXPECT_MSG_EQ(arrivals[i].timePs, expected.timePs, "packet " << i);
            NS_TEST_EXPECT_MSG_EQ(arrivals[i].packet->data.tag, expected.packet->data.tag, i);
        }
        const uint64_t drops = there.rightPort->GetCounters().linkDownDrops;
        NS_TEST_EXPECT_MSG_EQ(drops, whole.rightPort->GetCounters().linkDownDrops, "lost");
        NS_TEST_EXPECT_MSG_EQ(drops, 50 - arrivals.size(), "nothing else is missing");
        const auto& sent = here.leftPort->GetRetry()->GetCounters();
        const auto& expected = whole.leftPort->GetRetry()->GetCounters();
        NS_TEST_EXPECT_MSG_GT(sent.replays, 0, "sent again");
        NS_TEST_EXPECT_MSG_EQ(sent.replays, expected.replays, "as often");
        NS_TEST_EXPECT_MSG_EQ(sent.ok, expected.ok, "acknowledged");
        NS_TEST_EXPECT_MSG_EQ(there.leftPort->GetRetry()->GetCounters().inits, 0, "elsewhere");
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Which rank has which nodes, by topology and by file.
 */
class PartitionTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// @return ranks of all nodes, a digit each
    std::string Divide(const std::string& topology, uint32_t ranks)
    {
        return Divide(MakeFabricTopology(topology)->BuildGraph(), ranks);
    }

    /// @return the same of a plan
    static std::string Divide(const FabricGraph& graph, uint32_t ranks)
    {
        const FabricPartition partition(graph, ranks);
        std::string text;
        for (uint32_t node = 0; node < graph.GetNNodes(); ++node)
        {
            text += std::to_string(partition.GetRank(node));
        }
        return text;
    }

    /// Hosts without switches, and a switch without hosts.
    void CheckOddGraphs()
    {
        FabricGraph triangle;
        for (int host = 0; host < 3; ++host)
        {
            triangle.AddHost();
        }
        triangle.AddLink(0, 1, GBPS, US);
        triangle.AddLink(1, 2, GBPS, US);
        triangle.AddLink(2, 0, GBPS, US);
        NS_TEST_EXPECT_MSG_EQ(Divide(triangle, 3), "012", "each host is a part");
        // the middle of the second part, 1.5 of 3 hosts, is where the second half begins
        NS_TEST_EXPECT_MSG_EQ(Divide(triangle, 2), "011", "three parts");

        // Hosts 0 and 1 are joined directly, and each to a switch of its own, 2 and 3; these too.
        FabricGraph pair;
        pair.AddHost();
        pair.AddHost();
        pair.AddSwitch();
        pair.AddSwitch();
        pair.AddLink(0, 1, GBPS, US);
        pair.AddLink(0, 2, GBPS, US);
        pair.AddLink(1, 3, GBPS, US);
        pair.AddLink(2, 3, GBPS, US);
        NS_TEST_EXPECT_MSG_EQ(Divide(pair, 2), "0101", "a host goes with its switch");

        // Two pods as ever, although a switch that no host reaches has the highest tier of all.
        FabricGraph graph = MakeFabricTopology("fat-tree:k=4")->BuildGraph();
        graph.AddSwitch(0xff);
        NS_TEST_EXPECT_MSG_EQ(Divide(graph, 2),
                              "000000001111111100001111"
                              "00001111"
                              "01010",
                              "pods");
    }

    /// @return what is said of a file
    std::string Refuse(const std::string& lines, uint32_t ranks)
    {
        const FabricGraph graph =
            MakeFabricTopology("leaf-spine:leaves=2,spines=1,hosts=2")->BuildGraph();
        const std::string path = CreateTempDirFilename("ranks");
        WriteText(path, lines);
        try
        {
            FabricPartition(graph, ranks, path);
        }
        catch (const FabricError& error)
        {
            return error.what();
        }
        return "";
    }

    void DoRun() override
    {
        // 4 leaves with 2 hosts, then 4 leaves, then 3 spines that are dealt
        const std::string leafSpine = "leaf-spine:leaves=4,spines=3,hosts=2";
        NS_TEST_EXPECT_MSG_EQ(Divide(leafSpine, 1), "000000000000000", "one");
        NS_TEST_EXPECT_MSG_EQ(Divide(leafSpine, 2), "000011110011010", "two");
        NS_TEST_EXPECT_MSG_EQ(Divide(leafSpine, 4), "001122330123012", "four");
        // of k=4 a pod has 4 hosts, 2 edge and 2 aggregation switches; 4 core switches
        NS_TEST_EXPECT_MSG_EQ(Divide("fat-tree:k=4", 2),
                              "000000001111111100001111"
                              "00001111"
                              "0101",
                              "pods");
        // more ranks than pods: the hosts of an edge switch stay together, the other 12 are dealt
        NS_TEST_EXPECT_MSG_EQ(Divide("fat-tree:k=4", 8),
                              "0011223344556677"
                              "01234567"
                              "01234567"
                              "0123",
                              "edge switches");
        CheckOddGraphs();
        bool refused = false;
        try
        {
            Divide("dumbbell:switches=2,senders=2", 3);
        }
        catch (const FabricError&)
        {
            refused = true;
        }
        NS_TEST_EXPECT_MSG_EQ(refused, true, "two switches with hosts for three");
        NS_TEST_EXPECT_MSG_EQ(Refuse("1 0-1 4 # a leaf\n0 2 3 5 6\n", 2), "", "all are named");
        const auto says = [this](const std::string& lines, const std::string& word) {
            const std::string text = Refuse(lines, 2);
            NS_TEST_EXPECT_MSG_EQ((text.find(word) != std::string::npos),
                                  true,
                                  lines << " says: " << text);
        };
        says("0 0-3\n1 4 5\n", "node 6 has no rank");
        says("0 0-6\n", "rank 1 has no nodes");
        says("0 0-6\n1 3\n", "node 3 has a rank already");
        says("0 0-7\n", "'7' is no node");
        says("2 0-6\n", "'2' is no rank");
        says("0 4-2\n", "ends before it begins");
        says("0 -2\n", "is no node");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Ports of nodes that other processes simulate have no queues of their own, and the others
 * work as in a whole network.
 */
class ElsewhereTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param there nodes of another process
     * @param nQueues becomes the number of queue discs
     * @return what a flow from host 0 to host 1 takes, in ps
     */
    int64_t Run(const std::set<uint32_t>& there, std::size_t& nQueues)
    {
        int64_t fctPs = 0;
        {
            const FabricGraph graph =
                MakeFabricTopology("leaf-spine:leaves=2,spines=1,hosts=2")->BuildGraph();
            NodeContainer nodes;
            for (uint32_t node = 0; node < graph.GetNNodes(); ++node)
            {
                nodes.Create(1, static_cast<uint32_t>(there.count(node)));
            }
            FabricHelper helper;
            const Ptr<Fabric> fabric = helper.Install(graph, nodes);
            std::set<const QueueDisc*> discs;
            for (uint32_t node = 0; node < graph.GetNNodes(); ++node)
            {
                for (uint16_t port = 0; port < fabric->GetActor(node)->GetNPorts(); ++port)
                {
                    discs.insert(fabric->GetPort(node, port)->GetQueue().PeekDisc());
                }
            }
            nQueues = discs.size();
            FabricFlow flow;
            flow.src = 0;
            flow.dst = 1;
            flow.sizeBytes = 10000;
            FlowRecorder recorder(fabric, {flow});
            recorder.SetStopWhenComplete(true);
            recorder.Start();
            Simulator::Run();
            fctPs = recorder.GetRecords().front().fctPs;
        }
        Simulator::Destroy();
        return fctPs;
    }

    void DoRun() override
    {
        // hosts 0 to 3, leaves 4 and 5, spine 6: six links
        std::size_t nQueues = 0;
        const int64_t wholePs = Run({}, nQueues);
        NS_TEST_EXPECT_MSG_EQ(nQueues, 12, "two of each link");
        NS_TEST_EXPECT_MSG_GT(wholePs, 0, "the flow arrives");
        // here are the ports of hosts 0 and 1, three of leaf 4 and two of spine 6; there is one
        // queue disc for hosts, and one for leaf 5
        const int64_t partPs = Run({2, 3, 5}, nQueues);
        NS_TEST_EXPECT_MSG_EQ(nQueues, 7 + 2, "of ports here, and two more");
        NS_TEST_EXPECT_MSG_EQ(partPs, wholePs, "at the same time");
    }
};

/// Cases of the suite of links.
const SuiteCases g_cases("dcfabric-link", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new ItemCodecTestCase("packets as bytes between ranks"));
    suite.AddTestCase(new CrossingTestCase("a link between ranks, and when it goes down"));
    suite.AddTestCase(new RetryCrossingTestCase("such a link with link-level retry"));
    suite.AddTestCase(new PartitionTestCase("nodes by rank"));
    suite.AddTestCase(new ElsewhereTestCase("nodes of other ranks have no queues"));
});

} // namespace ns3::tests::ranks_test
