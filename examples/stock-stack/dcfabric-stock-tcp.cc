// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief The queue disc in the traffic-control layer of ns-3, under ns-3's own TCP with ECN.
 *
 * Two hosts and a router, 10 Gb/s to the router and 1 Gb/s from it. Nothing else of this module is
 * in use. Ends with status 1 if the transfer does not complete or nothing was marked.
 */
#include "ns3/bulk-send-helper.h"
#include "ns3/command-line.h"
#include "ns3/config.h"
#include "ns3/congestion-aware-queue-disc.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-global-routing-helper.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/traffic-control-helper.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <iomanip>
#include <iostream>

using namespace ns3;

namespace
{

constexpr uint64_t BYTES = 20000000; //!< to be sent

uint64_t g_received = 0;   //!< bytes
uint32_t g_longest = 0;    //!< bytes in the queue disc
double g_completionMs = 0; //!< when the last byte arrived

/// Count what arrives.
void
OnReceive(Ptr<const Packet> packet, const Address& /* from */)
{
    g_received += packet->GetSize();
    g_completionMs = Simulator::Now().GetSeconds() * 1000;
}

/// Remember the longest queue, in bytes.
void
OnQueue(uint32_t /* before */, uint32_t now)
{
    g_longest = std::max(g_longest, now);
}

/// What a run showed.
struct Outcome
{
    bool complete;   //!< all bytes arrived
    uint64_t marked; //!< packets
};

/**
 * @brief Send one flow and print a line.
 * @return what happened
 */
Outcome
Run(const std::string& title, TrafficControlHelper& discs)
{
    g_received = 0;
    g_longest = 0;
    NodeContainer nodes(3);
    PointToPointHelper links;
    // a device queue of one packet leaves the queueing to the queue disc
    links.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue("1p"));
    links.SetChannelAttribute("Delay", StringValue("20us"));
    links.SetDeviceAttribute("DataRate", StringValue("10Gbps"));
    const NetDeviceContainer access = links.Install(nodes.Get(0), nodes.Get(1));
    links.SetDeviceAttribute("DataRate", StringValue("1Gbps"));
    const NetDeviceContainer narrow = links.Install(nodes.Get(1), nodes.Get(2));
    InternetStackHelper().Install(nodes);
    const Ptr<QueueDisc> disc = discs.Install(narrow.Get(0)).Get(0);
    disc->TraceConnectWithoutContext("BytesInQueue", MakeCallback(&OnQueue));
    Ipv4AddressHelper addresses("10.0.0.0", "255.255.255.0");
    addresses.Assign(access);
    addresses.NewNetwork();
    const Ipv4Address receiver = addresses.Assign(narrow).GetAddress(1);
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();

    PacketSinkHelper sinks("ns3::TcpSocketFactory", InetSocketAddress(Ipv4Address::GetAny(), 9));
    sinks.Install(nodes.Get(2)).Get(0)->TraceConnectWithoutContext("Rx", MakeCallback(&OnReceive));
    BulkSendHelper senders("ns3::TcpSocketFactory", InetSocketAddress(receiver, 9));
    senders.SetAttribute("MaxBytes", UintegerValue(BYTES));
    senders.SetAttribute("SendSize", UintegerValue(1448));
    senders.Install(nodes.Get(0));
    Simulator::Stop(Seconds(10));
    Simulator::Run();

    const QueueDisc::Stats& stats = disc->GetStats();
    const Outcome outcome{g_received == BYTES, stats.nTotalMarkedPackets};
    std::cout << std::left << std::setw(30) << title << std::right << std::fixed
              << std::setprecision(1) << std::setw(9) << g_completionMs << std::setw(8)
              << outcome.marked << std::setw(8) << stats.nTotalDroppedPackets << std::setw(12)
              << g_longest / 1000.0 << (outcome.complete ? "" : "  INCOMPLETE") << "\n";
    Simulator::Destroy();
    return outcome;
}

} // namespace

int
main(int argc, char** argv)
{
    Config::SetDefault("ns3::TcpSocketBase::UseEcn", StringValue("On"));
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(1448));
    Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(4000000));
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(4000000));
    Config::SetDefault("ns3::WredMarkingProfile::Kmin", UintegerValue(15000));
    Config::SetDefault("ns3::WredMarkingProfile::Kmax", UintegerValue(60000));
    CommandLine cmd(__FILE__);
    cmd.Parse(argc, argv);

    std::cout << "one TCP flow of 20 MB from 10 Gb/s to 1 Gb/s, ECN on\n"
              << "queue disc                     time ms   marks   drops    queue kB\n";
    TrafficControlHelper marking;
    marking.SetRootQueueDisc("ns3::CongestionAwareQueueDisc",
                             "MarkingProfile",
                             PointerValue(CreateObject<WredMarkingProfile>()),
                             "MaxSize",
                             StringValue("300p"));
    TrafficControlHelper fifo;
    fifo.SetRootQueueDisc("ns3::FifoQueueDisc", "MaxSize", StringValue("300p"));
    const Outcome marked = Run("ns3::CongestionAwareQueueDisc", marking);
    const Outcome plain = Run("ns3::FifoQueueDisc", fifo);
    return marked.complete && marked.marked > 0 && plain.complete ? 0 : 1;
}
