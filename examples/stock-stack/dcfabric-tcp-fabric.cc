// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief ns-3's own TCP across a fat-tree, beside the transport of the NICs.
 *
 * Each host sends a message to the host half the network away (HPCC, lossless class 3), while four
 * of them send by TCP (DCTCP, lossy class 0) to four others on the same links. Prints the goodput
 * of both, with and without the other. Ends with status 1 if anything does not complete or no TCP
 * packet was marked.
 */
#include "ns3/boolean.h"
#include "ns3/bulk-send-helper.h"
#include "ns3/command-line.h"
#include "ns3/config.h"
#include "ns3/fabric-address.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-stack-helper.h"
#include "ns3/fabric-topology.h"
#include "ns3/inet-socket-address.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <iomanip>
#include <iostream>

using namespace ns3;

namespace
{

constexpr uint64_t TCP_BYTES = 5000000;
constexpr uint64_t MESSAGE_BYTES = 20000000;

uint64_t g_tcpBytes = 0; //!< received
double g_tcpEnd = 0;     //!< s

/// Count what arrives by TCP.
void
OnTcp(Ptr<const Packet> packet, const Address& /* from */)
{
    g_tcpBytes += packet->GetSize();
    g_tcpEnd = Simulator::Now().GetSeconds();
}

/**
 * @brief Send with TCP, messages or both, and print a line.
 * @return true if all is as it should be
 */
bool
Run(const std::string& title, bool useTcp, bool useRdma)
{
    g_tcpBytes = 0;
    FabricHelper helper;
    helper.AddStackClass(); // TCP: class 0, lossy
    helper.SetCongestionControl("ns3::HpccCongestionControl");
    helper.AddSwitchFeature("ns3::HpccIntFeature");
    helper.SetMarkingProfile("ns3::WredMarkingProfile"); // for TCP: HPCC does not look at marks
    const Ptr<Fabric> fabric = helper.Install(MakeFabricTopology("fat-tree:k=4")->BuildGraph());
    const uint32_t nHosts = static_cast<uint32_t>(fabric->GetHosts().size());

    uint32_t nTcp = 0;
    if (useTcp)
    {
        // hosts 0 to 3 are one pod, 12 to 15 another
        FabricStackHelper().Install(fabric, {0, 1, 2, 3, 12, 13, 14, 15});
        for (; nTcp < 4; ++nTcp)
        {
            const uint32_t target = nTcp + 12;
            PacketSinkHelper sinks("ns3::TcpSocketFactory",
                                   InetSocketAddress(Ipv4Address::GetAny(), 9));
            sinks.Install(fabric->GetNodes().Get(target))
                .Get(0)
                ->TraceConnectWithoutContext("Rx", MakeCallback(&OnTcp));
            BulkSendHelper senders("ns3::TcpSocketFactory",
                                   InetSocketAddress(FabricAddress::ToIpv4(target), 9));
            senders.SetAttribute("MaxBytes", UintegerValue(TCP_BYTES));
            senders.SetAttribute("SendSize", UintegerValue(14480));
            senders.Install(fabric->GetNodes().Get(nTcp));
        }
    }
    uint32_t nMessages = 0;
    double rdmaEnd = 0;
    for (uint32_t host = 0; useRdma && host < nHosts; ++host)
    {
        const uint32_t target = (host + nHosts / 2) % nHosts;
        fabric->GetNic(target)->GetMessages().SetDeliveredCallback(
            [&](const FabricMessageEvent& event) {
                ++nMessages;
                rdmaEnd = std::max(rdmaEnd, static_cast<double>(event.nowPs) / 1e12);
            });
        fabric->GetNic(host)->GetMessages().Send(target, MESSAGE_BYTES, host);
    }
    Simulator::Stop(Seconds(5));
    Simulator::Run();

    uint64_t marked = 0;
    uint64_t dropped = 0;
    for (const uint32_t host : fabric->GetHosts())
    {
        marked += fabric->GetNic(host)->GetCounters().stackMarked;
    }
    for (const auto& [reason, count] : fabric->GetDrops())
    {
        dropped += count;
    }
    const auto gbps = [](uint64_t bytes, double seconds) {
        return seconds > 0 ? static_cast<double>(bytes) * 8e-9 / seconds : 0;
    };
    std::cout << std::left << std::setw(14) << title << std::right << std::fixed
              << std::setprecision(2) << std::setw(10) << gbps(nTcp > 0 ? g_tcpBytes : 0, g_tcpEnd)
              << std::setw(10) << gbps(nMessages * MESSAGE_BYTES, rdmaEnd) << std::setw(8) << marked
              << std::setw(8) << dropped << "\n";
    const bool good = g_tcpBytes == nTcp * TCP_BYTES && nMessages == (useRdma ? nHosts : 0) &&
                      fabric->CheckConservation().Holds() && (!useTcp || marked > 0 || !useRdma);
    Simulator::Destroy();
    return good;
}

} // namespace

int
main(int argc, char** argv)
{
    Time::SetResolution(Time::PS); // picoseconds, before anything else
    Config::SetDefault("ns3::TcpL4Protocol::SocketType", StringValue("ns3::TcpDctcp"));
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(1448));
    Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(2000000));
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(2000000));
    Config::SetDefault("ns3::TcpSocketBase::MinRto", StringValue("5ms"));
    Config::SetDefault("ns3::WredMarkingProfile::Kmin", UintegerValue(100000));
    Config::SetDefault("ns3::WredMarkingProfile::Kmax", UintegerValue(100000));
    CommandLine cmd(__FILE__);
    cmd.Parse(argc, argv);

    std::cout << "goodput in Gb/s, fat-tree k=4, 100 Gb/s\n"
              << "                     TCP      RDMA   marks   drops\n";
    const bool tcp = Run("TCP alone", true, false);
    const bool rdma = Run("RDMA alone", false, true);
    const bool both = Run("both", true, true);
    return tcp && rdma && both ? 0 : 1;
}
