// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-suite.h"

#include "ns3/back-to-sender-notice.h"
#include "ns3/back-to-sender-notifier.h"
#include "ns3/boolean.h"
#include "ns3/bulk-send-helper.h"
#include "ns3/config.h"
#include "ns3/congestion-aware-queue-disc.h"
#include "ns3/data-rate.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-global-routing-helper.h"
#include "ns3/ipv4-queue-disc-item.h"
#include "ns3/nstime.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/packet-sink.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/tcp-dctcp.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/test.h"
#include "ns3/traffic-control-helper.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Back-to-sender notification in ns-3's traffic-control layer, under its own TCP.
 */

namespace ns3::tests::wreb_stock_test
{

/**
 * @ingroup dcfabric-tests
 * @brief What is compared of a notification.
 */
struct SeenNotice
{
    uint32_t source{0};    //!< address of the sender
    uint64_t uid{0};       //!< of the packet
    uint32_t bytes{0};     //!< of the packet
    bool dropped{false};   //!< it was dropped
    bool wasMarked{false}; //!< it had a mark before
    uint64_t rateBps{0};   //!< told
    uint32_t flows{0};     //!< told
    double queue{0};       //!< told

    /**
     * @param other notice
     * @return true if all is equal
     */
    bool operator==(const SeenNotice& other) const
    {
        return source == other.source && uid == other.uid && bytes == other.bytes &&
               dropped == other.dropped && wasMarked == other.wasMarked &&
               rateBps == other.rateBps && flows == other.flows && queue == other.queue;
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Two hosts send to a third by DCTCP, through a queue disc that notifies.
 */
class StockNoticeTestCase : public TestCase
{
  public:
    /**
     * @param measure CongestionMeasure
     * @param points of the profile
     * @param limit of the queue disc
     * @param atDeparture when it decides
     */
    StockNoticeTestCase(const std::string& measure,
                        const std::string& points,
                        const std::string& limit,
                        bool atDeparture)
        : TestCase("DCTCP under " + measure + (atDeparture ? " at departure" : " at arrival") +
                   ", limit " + limit + ": callback and trace tell the same of each mark and drop"),
          m_measure(measure),
          m_points(points),
          m_limit(limit),
          m_atDeparture(atDeparture)
    {
    }

  private:
    static constexpr uint64_t BYTES = 2000000;   //!< of each flow
    static constexpr uint32_t SENDERS = 2;       //!< hosts that send
    static constexpr uint64_t RATE = 1000000000; //!< of the narrow link, bit/s
    static constexpr uint32_t NOTICE_BYTES = 78; //!< of a BTS with the signals of the default

    /**
     * @param notice all of it
     * @return what is compared
     */
    SeenNotice Read(const BackToSenderNotice& notice)
    {
        SeenNotice seen;
        const auto item = DynamicCast<const Ipv4QueueDiscItem>(notice.item);
        NS_TEST_EXPECT_MSG_NE(item, nullptr, "an IPv4 packet");
        if (item)
        {
            seen.source = item->GetHeader().GetSource().Get();
            const Ipv4Header::EcnType ecn = item->GetHeader().GetEcn();
            NS_TEST_EXPECT_MSG_EQ((ecn == Ipv4Header::ECN_CE),
                                  (!notice.dropped || notice.wasMarked),
                                  "an early notice has marked its packet, a drop has not");
        }
        NS_TEST_EXPECT_MSG_EQ((notice.dropped || !notice.wasMarked), true, "early: no mark before");
        NS_TEST_EXPECT_MSG_EQ(unsigned{notice.priority}, 0, "best effort");
        seen.uid = notice.item->GetPacket()->GetUid();
        seen.bytes = notice.item->GetSize();
        seen.dropped = notice.dropped;
        seen.wasMarked = notice.wasMarked;
        seen.rateBps = notice.signals.rateBps;
        seen.flows = notice.signals.activeFlows;
        seen.queue = notice.signals.relativeQueue;
        return seen;
    }

    /**
     * @brief The trace source fires.
     * @param notice what it tells
     */
    void OnTrace(const BackToSenderNotice& notice)
    {
        m_traced.push_back(Read(notice));
    }

    /**
     * @brief A packet is marked, of whatever cause.
     * @param item the packet
     */
    void OnMark(Ptr<const QueueDiscItem> item, const char* /* reason */)
    {
        m_marked.push_back(item->GetPacket()->GetUid());
    }

    /**
     * @brief A packet arrives at the queue disc.
     * @param item the packet
     */
    void OnEnqueue(Ptr<const QueueDiscItem> item)
    {
        m_sources.insert(
            {StaticCast<const Ipv4QueueDiscItem>(item)->GetHeader().GetSource().Get(), 0});
    }

    void DoRun() override
    {
        Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(1448));
        Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(4000000));
        Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(4000000));

        const auto notifier = CreateObject<BackToSenderNotifier>();
        notifier->SetAttribute(
            "Profile",
            StringValue("ns3::PiecewiseMarkingProfile[Points=" + m_points + "]"));
        notifier->SetAttribute("Measure", StringValue(m_measure));
        notifier->SetAttribute("AtDeparture", BooleanValue(m_atDeparture));
        notifier->SetAttribute("ReferenceRate", StringValue("1Gbps"));
        // a packet may wait for a millisecond here, and counts as sent when it arrives
        notifier->SetAttribute("FlowWindow", TimeValue(MilliSeconds(5)));
        TrafficControlHelper discs;
        discs.SetRootQueueDisc("ns3::CongestionAwareQueueDisc",
                               "BackToSender",
                               PointerValue(notifier),
                               "MaxSize",
                               StringValue(m_limit));

        NodeContainer senders(SENDERS);
        NodeContainer others(2); // router, receiver
        PointToPointHelper links;
        links.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue("1p"));
        links.SetChannelAttribute("Delay", StringValue("20us"));
        links.SetDeviceAttribute("DataRate", StringValue("10Gbps"));
        InternetStackHelper stack;
        stack.Install(senders);
        stack.Install(others);
        Ipv4AddressHelper addresses("10.0.0.0", "255.255.255.0");
        std::map<uint32_t, int> expectedSources;
        for (uint32_t i = 0; i < SENDERS; ++i)
        {
            const auto access = links.Install(senders.Get(i), others.Get(0));
            expectedSources[addresses.Assign(access).GetAddress(0).Get()] = 0;
            addresses.NewNetwork();
        }
        links.SetDeviceAttribute("DataRate", DataRateValue(DataRate(RATE)));
        const NetDeviceContainer narrow = links.Install(others.Get(0), others.Get(1));
        const auto disc =
            DynamicCast<CongestionAwareQueueDisc>(discs.Install(narrow.Get(0)).Get(0));
        disc->AssignStreams(7);
        const Ipv4Address receiver = addresses.Assign(narrow).GetAddress(1);
        Ipv4GlobalRoutingHelper::PopulateRoutingTables();

        std::vector<SeenNotice> called;
        disc->SetBackToSenderCallback(
            [&](const BackToSenderNotice& notice) { called.push_back(Read(notice)); });
        disc->TraceConnectWithoutContext("BackToSender",
                                         MakeCallback(&StockNoticeTestCase::OnTrace, this));
        disc->TraceConnectWithoutContext("Mark", MakeCallback(&StockNoticeTestCase::OnMark, this));
        disc->TraceConnectWithoutContext("Enqueue",
                                         MakeCallback(&StockNoticeTestCase::OnEnqueue, this));

        for (uint32_t i = 0; i <= SENDERS; ++i)
        {
            const Ptr<Node> node = i < SENDERS ? senders.Get(i) : others.Get(1);
            node->GetObject<TcpL4Protocol>()->SetAttribute("SocketType",
                                                           TypeIdValue(TcpDctcp::GetTypeId()));
        }
        PacketSinkHelper sinks("ns3::TcpSocketFactory",
                               InetSocketAddress(Ipv4Address::GetAny(), 9));
        const auto sink = DynamicCast<PacketSink>(sinks.Install(others.Get(1)).Get(0));
        BulkSendHelper bulk("ns3::TcpSocketFactory", InetSocketAddress(receiver, 9));
        bulk.SetAttribute("MaxBytes", UintegerValue(BYTES));
        bulk.SetAttribute("SendSize", UintegerValue(1448));
        bulk.Install(senders);
        Simulator::Stop(Seconds(5));
        Simulator::Run();

        NS_TEST_EXPECT_MSG_EQ(sink->GetTotalRx(), SENDERS * BYTES, "all bytes arrived");
        NS_TEST_EXPECT_MSG_EQ((called == m_traced), true, "callback and trace source");
        std::vector<uint64_t> early;
        uint64_t drops = 0;
        std::map<uint32_t, int> noticesOf;
        for (const SeenNotice& notice : called)
        {
            ++noticesOf[notice.source];
            NS_TEST_EXPECT_MSG_EQ(notice.rateBps, RATE, "found at the device");
            NS_TEST_EXPECT_MSG_GT(notice.flows, 0, "at least that of the packet");
            NS_TEST_EXPECT_MSG_LT(notice.flows, SENDERS + 1, "each sender has one");
            if (notice.dropped)
            {
                ++drops;
            }
            else
            {
                early.push_back(notice.uid);
            }
        }
        NS_TEST_EXPECT_MSG_EQ((m_sources == expectedSources), true, "who sends through the disc");
        for (const auto& [source, notices] : noticesOf)
        {
            NS_TEST_EXPECT_MSG_EQ(expectedSources.count(source),
                                  1,
                                  "notices go to senders, not to " << Ipv4Address(source));
        }
        NS_TEST_EXPECT_MSG_EQ(noticesOf.size(), SENDERS, "both hear");
        NS_TEST_EXPECT_MSG_GT(early.size(), 0, "early notices");
        NS_TEST_EXPECT_MSG_EQ((early == m_marked),
                              true,
                              "each mark has its notice, and vice versa");
        const BackToSenderQueue::Counters counters = disc->GetBackToSenderCounters(0);
        NS_TEST_EXPECT_MSG_EQ(counters.early, early.size(), "counted");
        NS_TEST_EXPECT_MSG_EQ(counters.drops, drops, "counted");
        NS_TEST_EXPECT_MSG_EQ(disc->GetNMarkedPackets(), early.size(), "counted");
        const QueueDisc::Stats& stats = disc->GetStats();
        NS_TEST_EXPECT_MSG_EQ(stats.nTotalMarkedPackets, early.size(), "counted");
        // segments are ECN-capable, the few packets that only control a connection are not
        NS_TEST_EXPECT_MSG_LT(drops, stats.nTotalDroppedPackets + 1, "no more than drops");
        NS_TEST_EXPECT_MSG_EQ((drops > 0), (stats.nTotalDroppedPackets > 0), "drops are told");
        NS_TEST_EXPECT_MSG_EQ((drops > 0), (m_limit == "30p"), "only a short queue drops");

        // What the profile predicts at most: early notices are drawn with the probabilities that
        // are summed, so that they exceed the sum by five standard deviations never.
        NS_TEST_EXPECT_MSG_LT(static_cast<double>(counters.early),
                              counters.expected + 5 * std::sqrt(counters.expected),
                              "not above the profile, stream 7");
        const double overhead = static_cast<double>(NOTICE_BYTES * called.size()) /
                                static_cast<double>(stats.nTotalSentBytes);
        NS_TEST_EXPECT_MSG_LT(overhead, 0.01, "bytes that notices would take");
        Simulator::Destroy();
        Config::Reset();
    }

    std::string m_measure;             //!< attribute
    std::string m_points;              //!< attribute of the profile
    std::string m_limit;               //!< attribute of the queue disc
    bool m_atDeparture;                //!< attribute
    std::vector<SeenNotice> m_traced;  //!< by the trace source
    std::vector<uint64_t> m_marked;    //!< packets, in order
    std::map<uint32_t, int> m_sources; //!< addresses of packets that arrived
};

/// Notification in the traffic-control layer.
const SuiteCases g_cases("dcfabric-wreb-incast", TestSuite::Type::SYSTEM, [](Suite& suite) {
    const char* bytes = "20000:0,100000:0.2,200000:0.2";
    const char* latency = "160000:0,800000:0.2"; // ns: as many bytes at 1 Gb/s
    for (const bool atDeparture : {false, true})
    {
        suite.AddTestCase(
            new StockNoticeTestCase("ns3::QueueOccupancyMeasure", bytes, "1000p", atDeparture));
        suite.AddTestCase(
            new StockNoticeTestCase("ns3::QueueOccupancyMeasure", bytes, "30p", atDeparture));
        suite.AddTestCase(
            new StockNoticeTestCase("ns3::QueueingLatencyMeasure", latency, "1000p", atDeparture));
    }
});

} // namespace ns3::tests::wreb_stock_test
