// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-network.h"
#include "fabric-test-plan.h"
#include "fabric-test-schedule.h"
#include "fabric-test-suite.h"

#include "ns3/fabric-address.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-stack-helper.h"
#include "ns3/fabric-topology.h"
#include "ns3/inet-socket-address.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/string.h"
#include "ns3/tcp-dctcp.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/tcp-socket-base.h"
#include "ns3/tcp-socket-factory.h"
#include "ns3/test.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief ns-3's own IPv4, UDP and TCP across the fabric, beside the transport of the NICs.
 */

namespace ns3::tests::stack_tcp_test
{

/**
 * @param i number
 * @return byte number i of what is sent
 */
uint8_t
PatternAt(uint64_t i)
{
    return static_cast<uint8_t>((i * 31) ^ (i >> 8));
}

/**
 * @ingroup dcfabric-tests
 * @brief A TCP connection that carries a pattern and checks it.
 */
class PatternTransfer
{
  public:
    /**
     * @param fabric the network
     * @param src,dst hosts
     * @param bytes how many
     * @param tcp congestion control
     * @param useEcn negotiate ECN
     */
    PatternTransfer(Ptr<Fabric> fabric,
                    uint32_t src,
                    uint32_t dst,
                    uint64_t bytes,
                    TypeId tcp,
                    bool useEcn)
        : m_bytes(bytes)
    {
        m_listener = MakeSocket(fabric, dst, tcp, useEcn);
        m_listener->Bind(InetSocketAddress(Ipv4Address::GetAny(), 5000 + src));
        m_listener->Listen();
        m_listener->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                      MakeCallback(&PatternTransfer::OnAccept, this));
        m_sender = MakeSocket(fabric, src, tcp, useEcn);
        m_sender->TraceConnectWithoutContext("CongState",
                                             MakeCallback(&PatternTransfer::OnState, this));
        m_sender->SetSendCallback(MakeCallback(&PatternTransfer::OnRoom, this));
        m_sender->Connect(InetSocketAddress(FabricAddress::ToIpv4(dst), 5000 + src));
    }

    uint64_t received{0};    //!< bytes
    bool intact{true};       //!< all bytes were those of the pattern
    uint32_t nReductions{0}; //!< entries into CWR: ECN
    uint32_t nLosses{0};     //!< entries into recovery or loss
    Time completion;         //!< of the last byte

  private:
    /**
     * @param fabric the network
     * @param host where
     * @param tcp congestion control
     * @param useEcn negotiate ECN
     * @return a socket
     */
    static Ptr<Socket> MakeSocket(Ptr<Fabric> fabric, uint32_t host, TypeId tcp, bool useEcn)
    {
        const Ptr<Node> node = fabric->GetNodes().Get(host);
        const Ptr<Socket> socket = node->GetObject<TcpL4Protocol>()->CreateSocket(tcp);
        socket->SetAttribute("SegmentSize", UintegerValue(1448));
        socket->SetAttribute("SndBufSize", UintegerValue(2000000));
        socket->SetAttribute("RcvBufSize", UintegerValue(2000000));
        socket->SetAttribute("MinRto", TimeValue(MilliSeconds(5)));
        socket->SetAttribute("UseEcn", StringValue(useEcn ? "On" : "Off"));
        return socket;
    }

    /**
     * @brief There is room to send.
     * @param socket the sender
     */
    void OnRoom(Ptr<Socket> socket, uint32_t /* room */)
    {
        while (m_sent < m_bytes && socket->GetTxAvailable() > 0)
        {
            std::vector<uint8_t> chunk(
                std::min<uint64_t>({m_bytes - m_sent, socket->GetTxAvailable(), 10000}));
            for (std::size_t i = 0; i < chunk.size(); ++i)
            {
                chunk[i] = PatternAt(m_sent + i);
            }
            const int taken = socket->Send(chunk.data(), static_cast<uint32_t>(chunk.size()), 0);
            if (taken <= 0)
            {
                return;
            }
            m_sent += static_cast<uint64_t>(taken);
        }
    }

    /**
     * @brief A connection has come in.
     * @param socket of it
     */
    void OnAccept(Ptr<Socket> socket, const Address& /* from */)
    {
        socket->SetRecvCallback(MakeCallback(&PatternTransfer::OnData, this));
    }

    /**
     * @brief Bytes have come in.
     * @param socket of the receiver
     */
    void OnData(Ptr<Socket> socket)
    {
        while (Ptr<Packet> packet = socket->Recv())
        {
            std::vector<uint8_t> bytes(packet->GetSize());
            packet->CopyData(bytes.data(), packet->GetSize());
            for (const uint8_t byte : bytes)
            {
                intact = intact && byte == PatternAt(received);
                ++received;
            }
        }
        completion = Simulator::Now();
    }

    /**
     * @brief The sender's state has changed.
     * @param now new state
     */
    void OnState(TcpSocketState::TcpCongState_t /* before */, TcpSocketState::TcpCongState_t now)
    {
        nReductions += now == TcpSocketState::CA_CWR;
        nLosses += now == TcpSocketState::CA_RECOVERY || now == TcpSocketState::CA_LOSS;
    }

    uint64_t m_bytes;       //!< to send
    uint64_t m_sent{0};     //!< handed to the socket
    Ptr<Socket> m_sender;   //!< one end
    Ptr<Socket> m_listener; //!< other end
};

/**
 * @ingroup dcfabric-tests
 * @brief TCP across a fat-tree while every host sends by the transport as well.
 */
class StackTcpTestCase : public TestCase
{
  public:
    /// @param flowControl,buffer TypeIds
    StackTcpTestCase(const std::string& flowControl, const std::string& buffer)
        : TestCase("TCP across a fat-tree beside a permutation, " + flowControl + ", " + buffer +
                   ": every byte arrives, in order"),
          m_flowControl(flowControl),
          m_buffer(buffer)
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.AddStackClass();
        helper.SetFlowControl(m_flowControl);
        helper.SetBuffer(m_buffer);
        const Ptr<Fabric> fabric = helper.Install(MakeFabricTopology("fat-tree:k=4")->BuildGraph());
        // hosts 0 and 9 are in different pods; the other hosts have no stack
        const auto interfaces = FabricStackHelper().Install(fabric, {0, 9});
        NS_TEST_EXPECT_MSG_EQ(interfaces.GetAddress(1), Ipv4Address("10.0.0.9"), "by number");
        const TypeId tcp = TypeId::LookupByName("ns3::TcpNewReno");
        PatternTransfer transfer(fabric, 0, 9, 1000000, tcp, false);
        Run(fabric, transfer);
        Simulator::Destroy();
    }

    /**
     * @brief Run beside a permutation and check.
     * @param fabric the network
     * @param transfer TCP
     */
    void Run(Ptr<Fabric> fabric, PatternTransfer& transfer)
    {
        constexpr uint64_t RDMA_BYTES = 500000;
        uint64_t messages = 0;
        for (uint32_t host = 0; host < 16; ++host)
        {
            const auto target = (host + 7) % 16;
            fabric->GetNic(target)->GetMessages().SetDeliveredCallback(
                [&messages](const FabricMessageEvent&) { ++messages; });
            fabric->GetNic(host)->GetMessages().Send(target, RDMA_BYTES, host);
        }
        Simulator::Stop(Seconds(5));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(transfer.received, 1000000, "complete");
        NS_TEST_EXPECT_MSG_EQ(transfer.intact, true, "in order, byte by byte");
        NS_TEST_EXPECT_MSG_EQ(messages, 16, "so are the messages of the transport");
        const auto where = fabric->CheckConservation();
        NS_TEST_EXPECT_MSG_EQ(where.Holds(), true, "nothing is missing");
        NS_TEST_EXPECT_MSG_EQ(where.inFlight, 0, "nothing is left");
        const auto& there = fabric->GetNic(0)->GetCounters();
        const auto& back = fabric->GetNic(9)->GetCounters();
        NS_TEST_EXPECT_MSG_GT(there.stackSent, 1000000 / 1448, "all segments");
        uint64_t dropped = 0;
        for (const auto& [reason, count] : fabric->GetDrops())
        {
            dropped += count;
        }
        NS_TEST_EXPECT_MSG_EQ(there.stackSent + back.stackSent,
                              there.stackDelivered + back.stackDelivered + dropped,
                              "packets of the stack arrive or are counted as dropped");
    }

    std::string m_flowControl; //!< TypeId
    std::string m_buffer;      //!< TypeId
};

/**
 * @ingroup dcfabric-tests
 * @brief DCTCP slows down at marks of the fabric.
 */
class StackEcnTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// What happened.
    struct Outcome
    {
        uint64_t marks;    //!< that arrived
        uint64_t maxQueue; //!< bytes of class 0 at the port to the receiver
        uint32_t cuts;     //!< of the senders, by ECN
        uint64_t dropped;  //!< packets
        bool complete;     //!< all bytes arrived
    };

    /**
     * @param useEcn with ECN and marks
     * @return what two flows to one host do
     */
    static Outcome Run(bool useEcn)
    {
        constexpr uint64_t BYTES = 3000000;
        FabricHelper helper;
        helper.AddStackClass();
        if (useEcn)
        {
            helper.SetMarkingProfile("ns3::WredMarkingProfile",
                                     "Kmin",
                                     UintegerValue(30000),
                                     "Kmax",
                                     UintegerValue(30000));
        }
        const Ptr<Fabric> fabric =
            helper.Install(MakeStar({10 * GBPS, 10 * GBPS, 10 * GBPS}, 1000000));
        FabricStackHelper().Install(fabric);
        const TypeId tcp = useEcn ? TcpDctcp::GetTypeId() : TypeId::LookupByName("ns3::TcpNewReno");
        PatternTransfer one(fabric, 0, 2, BYTES, tcp, useEcn);
        PatternTransfer two(fabric, 1, 2, BYTES, tcp, useEcn);
        Simulator::Stop(Seconds(5));
        Simulator::Run();
        const auto disc =
            DynamicCast<CongestionAwareQueueDisc>(fabric->GetPort(3, 2)->GetQueue().GetDisc());
        Outcome outcome{};
        for (const uint32_t host : {0, 1, 2})
        {
            outcome.marks += fabric->GetNic(host)->GetCounters().stackMarked;
        }
        outcome.maxQueue = disc->GetClassCounters(0).maxBytes;
        outcome.cuts = one.nReductions + two.nReductions;
        for (const auto& [reason, count] : fabric->GetDrops())
        {
            outcome.dropped += count;
        }
        outcome.complete = one.received == BYTES && two.received == BYTES && one.intact &&
                           two.intact && fabric->CheckConservation().Holds() &&
                           disc->GetNMarkedPackets() == outcome.marks;
        Simulator::Destroy();
        return outcome;
    }

    void DoRun() override
    {
        const Outcome marked = Run(true);
        NS_TEST_EXPECT_MSG_EQ(marked.complete, true, "complete, marks set = marks seen");
        NS_TEST_EXPECT_MSG_GT(marked.marks, 0, "marks reached the receiver's stack");
        NS_TEST_EXPECT_MSG_GT(marked.cuts, 0, "and the senders'");
        NS_TEST_EXPECT_MSG_EQ(marked.dropped, 0, "nothing was lost");
        const Outcome plain = Run(false);
        NS_TEST_EXPECT_MSG_EQ(plain.complete, true, "complete");
        NS_TEST_EXPECT_MSG_EQ(plain.marks, 0, "no ECN");
        NS_TEST_EXPECT_MSG_GT(plain.maxQueue, 2 * marked.maxQueue, "the queue is longer");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief UDP there and back.
 */
class StackUdpTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param fabric the network
     * @param host where
     * @return a socket
     */
    static Ptr<Socket> MakeSocket(Ptr<Fabric> fabric, uint32_t host)
    {
        const Ptr<Socket> socket =
            Socket::CreateSocket(fabric->GetNodes().Get(host), UdpSocketFactory::GetTypeId());
        socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), 7));
        socket->SetIpRecvTtl(true);
        socket->SetAllowBroadcast(true);
        return socket;
    }

    /**
     * @brief Send back what has come.
     * @param socket of the receiver
     */
    void OnRequest(Ptr<Socket> socket)
    {
        Address from;
        const Ptr<Packet> packet = socket->RecvFrom(from);
        SocketIpTtlTag ttl;
        NS_TEST_EXPECT_MSG_EQ(packet->RemovePacketTag(ttl), true, "TTL is known");
        NS_TEST_EXPECT_MSG_EQ(+ttl.GetTtl(), 64, "no router on the way");
        NS_TEST_EXPECT_MSG_EQ(InetSocketAddress::ConvertFrom(from).GetIpv4(),
                              Ipv4Address("10.0.0.0"),
                              "host 0");
        socket->SendTo(packet, 0, from);
    }

    /**
     * @brief The echo is back.
     * @param socket of the first sender
     */
    void OnEcho(Ptr<Socket> socket)
    {
        Address from;
        NS_TEST_EXPECT_MSG_EQ(socket->RecvFrom(from)->GetSize(), 100, "all of it");
        m_echoes.push_back(Simulator::Now().GetNanoSeconds());
    }

    void DoRun() override
    {
        FabricHelper helper;
        helper.AddStackClass();
        const Ptr<Fabric> fabric =
            helper.Install(MakeStar({100 * GBPS, 100 * GBPS, 100 * GBPS}, 1000000));
        FabricStackHelper().Install(fabric, {0, 1});
        const Ptr<Socket> client = MakeSocket(fabric, 0);
        const Ptr<Socket> server = MakeSocket(fabric, 1);
        client->SetRecvCallback(MakeCallback(&StackUdpTestCase::OnEcho, this));
        server->SetRecvCallback(MakeCallback(&StackUdpTestCase::OnRequest, this));
        // host 2 is there but has no stack; 10.0.0.3 is the switch, 10.0.0.77 nobody
        for (const char* address :
             {"10.0.0.1", "255.255.255.255", "10.255.255.255", "10.0.0.2", "10.0.0.3", "10.0.0.77"})
        {
            CallIn(MicroSeconds(10), [client, address] {
                client->SendTo(Create<Packet>(100), 0, InetSocketAddress(address, 7));
            });
        }
        Simulator::Run();
        // 100 + 8 + 20 + 18 bytes and a gap of 20: 166 x 80 ps = 13,280 ps; four times that and
        // four delays are 4,053,120 ps, in whole ticks 4054 ns
        NS_TEST_ASSERT_MSG_EQ(m_echoes.size(), 1, "one echo");
        NS_TEST_EXPECT_MSG_EQ(m_echoes[0], 10000 + 4054, "round trip");
        auto drops = fabric->GetDrops();
        NS_TEST_EXPECT_MSG_EQ(drops[DropReason::STACK_NO_HOST],
                              4,
                              "two broadcasts, the switch, nobody");
        NS_TEST_EXPECT_MSG_EQ(drops[DropReason::STACK_NO_HANDLER], 1, "a host without a stack");
        NS_TEST_EXPECT_MSG_EQ(fabric->CheckConservation().Holds(), true, "nothing is missing");
        Simulator::Destroy();
    }

    std::vector<int64_t> m_echoes; //!< times in ns
};

/**
 * @ingroup dcfabric-tests
 * @brief What the helper refuses.
 */
class StackRefusalTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        FabricHelper helper;
        const auto star = MakeStar({100 * GBPS, 100 * GBPS}, 1000000);
        DCFABRIC_EXPECT_REFUSAL(FabricStackHelper().Install(helper.Install(star)),
                                "call FabricHelper::AddStackClass()");
        helper.AddStackClass();
        const Ptr<Fabric> fabric = helper.Install(star);
        DCFABRIC_EXPECT_REFUSAL(FabricStackHelper().Install(fabric, {2}), "not a host");
        FabricStackHelper().Install(fabric, {1});
        DCFABRIC_EXPECT_REFUSAL(FabricStackHelper().Install(fabric, {1}), "already");

        const FabricGraph twoPorts = PlanOfLinks(2, 1, {{0, 2}, {0, 2}, {1, 2}});
        DCFABRIC_EXPECT_REFUSAL(FabricStackHelper().Install(helper.Install(twoPorts)), "2 ports");
        Simulator::Destroy();
    }
};

/// Suite of ns-3's own stack on hosts of a fabric.
const SuiteCases g_cases("dcfabric-stack", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.AddTestCase(new StackTcpTestCase("ns3::PriorityFlowControl", "ns3::SharedBuffer"));
    suite.AddTestCase(new StackTcpTestCase("ns3::CreditFlowControl", "ns3::SharedBuffer"));
    suite.AddTestCase(new StackTcpTestCase("ns3::CreditFlowControl", "ns3::VoqBuffer"));
    suite.AddTestCase(new StackTcpTestCase("ns3::VoqCreditFlowControl", "ns3::VoqBuffer"));
    suite.AddTestCase(new StackTcpTestCase("none", "ns3::SharedBuffer"));
    suite.AddTestCase(
        new StackEcnTestCase("DCTCP sees the marks of the fabric and keeps the queue short"));
    suite.AddTestCase(
        new StackUdpTestCase("UDP echo: times, TTL, broadcast refused, a switch has no stack"));
    suite.AddTestCase(new StackRefusalTestCase("helper: no class, no host, twice, several ports"));
});

} // namespace ns3::tests::stack_tcp_test
