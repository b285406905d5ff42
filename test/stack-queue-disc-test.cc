// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-schedule.h"
#include "fabric-test-suite.h"

#include "ns3/bulk-send-helper.h"
#include "ns3/config.h"
#include "ns3/congestion-aware-queue-disc.h"
#include "ns3/double.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-global-routing-helper.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/packet-sink.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/tcp-dctcp.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/tcp-socket-base.h"
#include "ns3/test.h"
#include "ns3/traffic-control-helper.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <tuple>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief The queue disc in ns-3's traffic-control layer, on point-to-point devices.
 */

namespace ns3::tests::stack_queue_disc_test
{

/**
 * @ingroup dcfabric-tests
 * @brief Two hosts and a router, with a queue disc where the way becomes narrow.
 */
class NarrowPath
{
  public:
    /**
     * @param discs makes the queue disc
     * @param narrow rate behind the router
     */
    NarrowPath(TrafficControlHelper& discs, const std::string& narrow)
        : nodes(3)
    {
        PointToPointHelper links;
        // a device queue of one packet leaves the queueing to the queue disc
        links.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue("1p"));
        links.SetChannelAttribute("Delay", StringValue("20us"));
        links.SetDeviceAttribute("DataRate", StringValue("10Gbps"));
        const NetDeviceContainer access = links.Install(nodes.Get(0), nodes.Get(1));
        links.SetDeviceAttribute("DataRate", StringValue(narrow));
        const NetDeviceContainer behind = links.Install(nodes.Get(1), nodes.Get(2));
        InternetStackHelper().Install(nodes);
        device = behind.Get(0);
        disc = DynamicCast<CongestionAwareQueueDisc>(discs.Install(device).Get(0));
        Ipv4AddressHelper addresses("10.0.0.0", "255.255.255.0");
        addresses.Assign(access);
        addresses.NewNetwork();
        receiver = addresses.Assign(behind).GetAddress(1);
        Ipv4GlobalRoutingHelper::PopulateRoutingTables();
        disc->TraceConnectWithoutContext("BytesInQueue", MakeCallback(&NarrowPath::OnQueue, this));
    }

    NodeContainer nodes;                //!< sender, router, receiver
    Ptr<NetDevice> device;              //!< of the router, towards the receiver
    Ptr<CongestionAwareQueueDisc> disc; //!< on it
    Ipv4Address receiver;               //!< address
    uint32_t longestBytes{0};           //!< longest queue so far, in IP bytes
    Time settled;                       //!< longest queues count from here on

  private:
    /**
     * @brief The queue has changed.
     * @param now bytes
     */
    void OnQueue(uint32_t /* before */, uint32_t now)
    {
        longestBytes = Simulator::Now() >= settled ? std::max(longestBytes, now) : longestBytes;
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief DCTCP through the queue disc, with and without marks.
 */
class StackDiscDctcpTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    static constexpr uint64_t BYTES = 5000000;   //!< of the flow
    static constexpr uint32_t THRESHOLD = 60000; //!< K of DCTCP
    static constexpr uint32_t LIMIT = 300;       //!< packets

    /**
     * @brief Send a flow and check what holds in any case.
     * @param path its way
     */
    void Run(NarrowPath& path)
    {
        path.settled = MilliSeconds(10);
        for (uint32_t node : {0, 2})
        {
            const auto tcp = path.nodes.Get(node)->GetObject<TcpL4Protocol>();
            tcp->SetAttribute("SocketType", TypeIdValue(TcpDctcp::GetTypeId()));
        }
        PacketSinkHelper sinks("ns3::TcpSocketFactory",
                               InetSocketAddress(Ipv4Address::GetAny(), 9));
        const auto sink = DynamicCast<PacketSink>(sinks.Install(path.nodes.Get(2)).Get(0));
        BulkSendHelper senders("ns3::TcpSocketFactory", InetSocketAddress(path.receiver, 9));
        senders.SetAttribute("MaxBytes", UintegerValue(BYTES));
        senders.SetAttribute("SendSize", UintegerValue(1448));
        senders.Install(path.nodes.Get(0));
        Simulator::Stop(Seconds(5));
        Simulator::Run();

        const auto layer = path.nodes.Get(1)->GetObject<TrafficControlLayer>();
        NS_TEST_EXPECT_MSG_EQ((layer->GetRootQueueDiscOnDevice(path.device) == path.disc),
                              true,
                              "installed as any other");
        NS_TEST_EXPECT_MSG_EQ(sink->GetTotalRx(), BYTES, "all bytes arrived");
        const QueueDisc::Stats& stats = path.disc->GetStats();
        NS_TEST_EXPECT_MSG_EQ(stats.nTotalMarkedPackets,
                              path.disc->GetNMarkedPackets(),
                              "both counts");
        NS_TEST_EXPECT_MSG_EQ(stats.GetNMarkedPackets(CongestionAwareQueueDisc::CONGESTION_MARK),
                              path.disc->GetNMarkedPackets(),
                              "by their reason");
        NS_TEST_EXPECT_MSG_EQ(stats.nTotalEnqueuedPackets,
                              path.disc->GetClassCounters(0).enqueuedPackets,
                              "best effort is class 0");
        NS_TEST_EXPECT_MSG_EQ(stats.nTotalReceivedPackets,
                              stats.nTotalSentPackets + stats.nTotalDroppedPackets,
                              "nothing is missing");
    }

    void DoRun() override
    {
        Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(1448));
        Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(4000000));
        Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(4000000));
        TrafficControlHelper marking;
        const auto profile = CreateObject<WredMarkingProfile>();
        profile->SetAttribute("Kmin", UintegerValue(THRESHOLD));
        profile->SetAttribute("Kmax", UintegerValue(THRESHOLD));
        marking.SetRootQueueDisc("ns3::CongestionAwareQueueDisc",
                                 "MarkingProfile",
                                 PointerValue(profile),
                                 "MaxSize",
                                 StringValue(std::to_string(LIMIT) + "p"));
        NarrowPath marked(marking, "1Gbps");
        Run(marked);
        NS_TEST_EXPECT_MSG_GT(marked.disc->GetNMarkedPackets(), 0, "marks");
        // The pipe holds 80 us x 1 Gb/s = 10 kB. Marks take a round trip to act, in which the
        // window grows by a segment: the queue stays near K.
        NS_TEST_EXPECT_MSG_LT(marked.longestBytes, 2 * THRESHOLD, "a short queue");
        NS_TEST_EXPECT_MSG_GT(marked.longestBytes, THRESHOLD / 2, "and a busy link");
        Simulator::Destroy();

        TrafficControlHelper plain;
        plain.SetRootQueueDisc("ns3::CongestionAwareQueueDisc",
                               "MaxSize",
                               StringValue(std::to_string(LIMIT) + "p"));
        NarrowPath full(plain, "1Gbps");
        Run(full);
        NS_TEST_EXPECT_MSG_EQ(full.disc->GetNMarkedPackets(), 0, "no profile, no marks");
        NS_TEST_EXPECT_MSG_GT(full.longestBytes, 4 * THRESHOLD, "the queue grows to its limit");
        NS_TEST_EXPECT_MSG_GT(full.disc->GetStats().nTotalDroppedPackets, 0, "and drops");
        Simulator::Destroy();
        Config::Reset();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Classes by DSCP under ns-3's own UDP.
 */
class StackDiscClassTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief A packet has come.
     * @param socket of the receiver
     */
    void OnPacket(Ptr<Socket> socket)
    {
        m_order += static_cast<char>('0' + socket->Recv()->GetSize() / 1000 * 3);
    }

    void DoRun() override
    {
        TrafficControlHelper helper;
        helper.SetRootQueueDisc("ns3::CongestionAwareQueueDisc");
        NarrowPath path(helper, "100Mbps");
        const auto sink = Socket::CreateSocket(path.nodes.Get(2), UdpSocketFactory::GetTypeId());
        sink->Bind(InetSocketAddress(Ipv4Address::GetAny(), 9));
        sink->SetRecvCallback(MakeCallback(&StackDiscClassTestCase::OnPacket, this));
        // five packets of 500 bytes, best effort, then three of 1000 bytes with DS field 0x60:
        // class selector 3. All are at the router within 7 us (10 Gb/s), while the first takes
        // 42 us at 100 Mb/s. Two are beyond the queue disc when the others come: one on the wire
        // and one in the device's queue of one packet.
        for (const auto& [count, size, tos] :
             {std::tuple<int, int, int>{5, 500, 0}, {3, 1000, 0x60}})
        {
            const auto source =
                Socket::CreateSocket(path.nodes.Get(0), UdpSocketFactory::GetTypeId());
            source->Connect(InetSocketAddress(path.receiver, 9));
            source->SetIpTos(static_cast<uint8_t>(tos)); // connecting sets it, too
            for (int i = 0; i < count; ++i)
            {
                CallIn(MicroSeconds(100) + NanoSeconds(i + (tos > 0 ? 10 : 0)),
                       [source, bytes = size] { source->Send(Create<Packet>(bytes), 0); });
            }
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(m_order, "00333000", "classes, strict priority");
        NS_TEST_EXPECT_MSG_EQ(path.disc->GetClassCounters(0).enqueuedPackets, 5, "class 0");
        NS_TEST_EXPECT_MSG_EQ(path.disc->GetClassCounters(3).enqueuedPackets, 3, "class 3");
        Simulator::Destroy();
    }

    std::string m_order; //!< classes of packets as they arrived
};

/// Suite of the queue disc in the traffic-control layer.
const SuiteCases g_cases("dcfabric-stack", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.AddTestCase(new StackDiscDctcpTestCase(
        "DCTCP: marks are in QueueDisc::Stats and keep the queue short"));
    suite.AddTestCase(
        new StackDiscClassTestCase("UDP of a higher class overtakes; its DSCP chooses it"));
});

} // namespace ns3::tests::stack_queue_disc_test
