// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-foreign.h"
#include "fabric-test-schedule.h"
#include "fabric-test-suite.h"

#include "ns3/double.h"
#include "ns3/foreign-frame.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Packets of other protocols across the fabric, from NetDevice::Send() to the receive
 * callback.
 */

namespace ns3::tests::foreign_packet_test
{

constexpr uint64_t RATE = 100 * GBPS;
constexpr int64_t DELAY_PS = 1000000;

/**
 * @param nHosts how many
 * @param lossless the stack's class
 * @return hosts at one switch, with room for stacks
 */
Ptr<Fabric>
MakeStackStar(std::size_t nHosts, bool lossless = false)
{
    FabricHelper helper;
    helper.AddStackClass(0, lossless);
    return helper.Install(MakeStar(std::vector<uint64_t>(nHosts, RATE), DELAY_PS));
}

/**
 * @param fabric the network
 * @return drops by reason, all nodes
 */
DropCounts
DropsOf(Ptr<Fabric> fabric)
{
    return fabric->GetDrops();
}

/**
 * @ingroup dcfabric-tests
 * @brief One packet, to the picosecond and to the byte.
 */
class ForeignDeliveryTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const Ptr<Fabric> fabric = MakeStackStar(2);
        StackStub stub(fabric, 1);
        Ipv4Form form;
        form.ds = 0x02;
        NS_TEST_EXPECT_MSG_EQ(SendIpv4(fabric, form), true, "accepted before the run");
        Simulator::Run();
        // 1000 + 14 + 4 bytes and a gap of 20, 80 ps each: 83,040 ps; twice that and two delays
        NS_TEST_ASSERT_MSG_EQ(stub.arrivals.size(), 1, "arrived");
        NS_TEST_EXPECT_MSG_EQ(stub.arrivals[0].timePs, 2 * 83040 + 2 * DELAY_PS, "store, forward");
        NS_TEST_EXPECT_MSG_EQ((stub.arrivals[0].bytes == MakeIpv4Bytes(form)),
                              true,
                              "TTL, checksum, payload: nothing changed");
        NS_TEST_EXPECT_MSG_EQ(Mac48Address::ConvertFrom(stub.arrivals[0].from),
                              Mac48Address("02:dc:00:00:00:00"),
                              "from host 0");
        NS_TEST_EXPECT_MSG_EQ(fabric->GetPort(2, 0)->GetCounters().rxDataPackets,
                              1,
                              "a hop of data at the switch");
        NS_TEST_EXPECT_MSG_EQ(fabric->GetPort(1, 0)->GetCounters().rxDataPackets, 1, "and here");
        const auto where = fabric->CheckConservation();
        NS_TEST_EXPECT_MSG_EQ(where.Holds(), true, "nothing is missing");
        NS_TEST_EXPECT_MSG_EQ(where.created, 1, "one packet");
        NS_TEST_EXPECT_MSG_EQ(where.consumed, 1, "taken by the stack");
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Packets of the largest size that the MTU allows.
 */
class ForeignJumboTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        FabricHelper helper;
        helper.AddStackClass(0, true); // headroom has to count frames of the MTU
        helper.SetDeviceAttribute("Mtu", UintegerValue(9000));
        const Ptr<Fabric> fabric = helper.Install(MakeStar({RATE, RATE}, DELAY_PS));
        StackStub stub(fabric, 1);
        Ipv4Form form;
        form.bytes = 9001;
        NS_TEST_EXPECT_MSG_EQ(SendIpv4(fabric, form), false, "one byte too many");
        form.bytes = 9000;
        NS_TEST_EXPECT_MSG_EQ(SendIpv4(fabric, form), true, "just right");
        Simulator::Run();
        // 9000 + 18 + 20 bytes, 80 ps each: 723,040 ps
        NS_TEST_ASSERT_MSG_EQ(stub.arrivals.size(), 1, "arrived");
        NS_TEST_EXPECT_MSG_EQ(stub.arrivals[0].timePs, 2 * 723040 + 2 * DELAY_PS, "time");
        NS_TEST_EXPECT_MSG_EQ((stub.arrivals[0].bytes == MakeIpv4Bytes(form)), true, "bytes");
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Marks of switches reach the receiver's IP header and not the sender's packet.
 */
class ForeignMarkTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        FabricHelper helper;
        helper.AddStackClass();
        helper.SetMarkingProfile("ns3::WredMarkingProfile",
                                 "Kmin",
                                 UintegerValue(500),
                                 "Kmax",
                                 UintegerValue(500));
        const auto fabric = helper.Install(MakeStar({RATE, RATE, RATE}, DELAY_PS));
        StackStub stub(fabric, 2);
        // Hosts 0 and 1 send three packets each, side by side. Of each pair the first goes on the
        // wire and the second finds nothing; of the second pair, host 0's finds nothing, as the
        // one before has just left, and host 1's finds 1018 bytes: marked. In the third pair host
        // 0's finds 1018 bytes (host 1's of the second; host 0's has just left), host 1's 2036.
        Ipv4Form form;
        form.dst = 2;
        form.ds = 0x02;
        std::vector<Ptr<Packet>> sent;
        for (int i = 0; i < 3; ++i)
        {
            for (const uint32_t host : {0, 1})
            {
                form.src = host;
                form.sourcePort = static_cast<uint16_t>(i);
                form.hasChecksum = host == 1; // ns-3 leaves it 0
                sent.push_back(MakePacket(MakeIpv4Bytes(form)));
                fabric->GetPort(host, 0)->Send(sent.back(),
                                               Mac48Address::GetBroadcast(),
                                               IPV4_TYPE);
            }
        }
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(stub.arrivals.size(), 6, "all arrived");
        uint32_t marked = 0;
        for (const auto& arrival : stub.arrivals)
        {
            const uint32_t source = arrival.bytes[15];
            const int number = arrival.bytes[21];
            const bool expected = number == 2 || (number == 1 && source == 1);
            form.src = source;
            form.sourcePort = static_cast<uint16_t>(number);
            form.hasChecksum = source == 1;
            form.ds = expected ? 0x03 : 0x02;
            marked += expected;
            NS_TEST_EXPECT_MSG_EQ((arrival.bytes == MakeIpv4Bytes(form)),
                                  true,
                                  "host " << source << " packet " << number
                                          << ": mark, checksum, nothing else");
        }
        NS_TEST_EXPECT_MSG_EQ(fabric->GetNic(2)->GetCounters().stackMarked, marked, "counted");
        for (const auto& packet : sent)
        {
            NS_TEST_EXPECT_MSG_EQ(+BytesOf(packet)[1], 0x02, "the sender's own is as it was");
        }
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Tags outlive a mark.
 */
class ForeignTagTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        Ipv4Form form;
        form.ds = 0x02;
        Ptr<Packet> packet = MakePacket(MakeIpv4Bytes(form));
        SocketPriorityTag tag;
        tag.SetPriority(5);
        packet->AddPacketTag(tag);
        Ptr<FabricPacketItem> item(new FabricPacketItem(packet), false);
        item->type = FabricPacketType::FOREIGN;
        item->foreignProtocol = IPV4_TYPE;
        ForeignFrame::ReadFields(*item);
        NS_TEST_EXPECT_MSG_EQ(+item->ds, 0x02, "read");
        NS_TEST_EXPECT_MSG_EQ((ForeignFrame::GetMarkedPacket(*item) == packet), true, "the same");
        NS_TEST_EXPECT_MSG_EQ(item->Mark(), true, "capable");
        const Ptr<const Packet> marked = ForeignFrame::GetMarkedPacket(*item);
        NS_TEST_EXPECT_MSG_EQ(+BytesOf(marked)[1], 0x03, "marked");
        NS_TEST_EXPECT_MSG_EQ(+BytesOf(packet)[1], 0x02, "a copy");
        SocketPriorityTag found;
        NS_TEST_EXPECT_MSG_EQ(marked->PeekPacketTag(found), true, "tag");
        NS_TEST_EXPECT_MSG_EQ(+found.GetPriority(), 5, "tag's value");

        form.ds = 0x60;
        Ptr<FabricPacketItem> other(new FabricPacketItem(MakePacket(MakeIpv4Bytes(form))), false);
        other->foreignProtocol = IPV4_TYPE;
        ForeignFrame::ReadFields(*other);
        NS_TEST_EXPECT_MSG_EQ(other->Mark(), false, "not ECN-capable");
        NS_TEST_EXPECT_MSG_EQ(+other->GetPriority(), 3, "class selector");

        std::vector<uint8_t> six(60);
        six[0] = 0x60;
        six[1] = 0x25; // traffic class 0x02, flow label 0x5....
        Ptr<FabricPacketItem> ipv6(new FabricPacketItem(MakePacket(six)), false);
        ipv6->foreignProtocol = 0x86dd;
        ForeignFrame::ReadFields(*ipv6);
        NS_TEST_EXPECT_MSG_EQ(ipv6->Mark(), true, "capable");
        NS_TEST_EXPECT_MSG_EQ(+BytesOf(ForeignFrame::GetMarkedPacket(*ipv6))[1], 0x35, "marked");

        // a header cut short, and another protocol: no field, no mark, no harm
        for (const uint16_t protocol : {IPV4_TYPE, uint16_t{0x0806}})
        {
            Ptr<FabricPacketItem> cut(new FabricPacketItem(MakePacket({0x45, 0x02, 0})), false);
            cut->foreignProtocol = protocol;
            ForeignFrame::ReadFields(*cut);
            NS_TEST_EXPECT_MSG_EQ(cut->Mark(), false, "nothing to mark");
            NS_TEST_EXPECT_MSG_EQ(ForeignFrame::GetMarkedPacket(*cut)->GetSize(), 3, "as it was");
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What path selectors see of a packet.
 */
class ForeignHashTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param form the packet
     * @return hash of a packet
     */
    static uint32_t Hash(const Ipv4Form& form)
    {
        Ptr<FabricPacketItem> item(new FabricPacketItem(MakePacket(MakeIpv4Bytes(form))), false);
        item->foreignProtocol = IPV4_TYPE;
        item->src = form.src;
        item->dst = form.dst;
        ForeignFrame::ReadFields(*item);
        item->UpdateFlowHash();
        return item->flowHash;
    }

    void DoRun() override
    {
        Ipv4Form there;
        Ipv4Form back;
        std::swap(back.src, back.dst);
        std::swap(back.sourcePort, back.targetPort);
        NS_TEST_EXPECT_MSG_EQ(Hash(there), Hash(back), "both directions");
        Ipv4Form other = there;
        other.sourcePort = 8;
        NS_TEST_EXPECT_MSG_NE(Hash(there), Hash(other), "another port, another path");
        // more fragments, and a later one: neither may look at ports
        there.fragment = 0x2000;
        other.fragment = 0x0040;
        NS_TEST_EXPECT_MSG_EQ(Hash(there), Hash(other), "fragments keep together");
        there.fragment = 0x4000;
        NS_TEST_EXPECT_MSG_EQ(Hash(there), Hash(back), "don't fragment is no fragment");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What does not arrive has a reason.
 */
class ForeignRefusalTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        FabricHelper helper;
        helper.AddStackClass();
        helper.SetNicAttribute("StackQueuePackets", UintegerValue(4));
        const Ptr<Fabric> fabric = helper.Install(MakeStar({RATE, RATE}, DELAY_PS));
        FabricNetDevice* port = fabric->GetPort(0, 0);
        Ipv4Form form;
        for (const uint32_t dst : {0U, 2U, 3U, 0xffffffU}) // itself, the switch, nobody, broadcast
        {
            form.dst = dst;
            NS_TEST_EXPECT_MSG_EQ(SendIpv4(fabric, form), false, "host " << dst);
        }
        form.dst = 1;
        const auto bytes = MakeIpv4Bytes(form);
        auto multicast = bytes;
        multicast[16] = 224;
        NS_TEST_EXPECT_MSG_EQ(
            port->Send(MakePacket(multicast), Mac48Address::GetBroadcast(), IPV4_TYPE),
            false,
            "IPv4 multicast");
        NS_TEST_EXPECT_MSG_EQ(
            port->Send(MakePacket(bytes), Mac48Address("00:00:00:00:00:01"), IPV4_TYPE),
            false,
            "a device of another network");
        NS_TEST_EXPECT_MSG_EQ(port->Send(MakePacket(bytes), Mac48Address::GetBroadcast(), 0x86dd),
                              false,
                              "IPv6 needs the address of a host");
        auto drops = DropsOf(fabric);
        NS_TEST_EXPECT_MSG_EQ(drops[DropReason::STACK_NO_HOST], 7, "all of these");

        form.bytes = 1501;
        NS_TEST_EXPECT_MSG_EQ(SendIpv4(fabric, form), false, "one byte more than the MTU");
        NS_TEST_EXPECT_MSG_EQ(DropsOf(fabric)[DropReason::STACK_TOO_LONG], 1, "counted");
        form.bytes = 1500;
        for (int i = 0; i < 6; ++i)
        {
            // nothing leaves before the run: four wait, two find the queue full
            NS_TEST_EXPECT_MSG_EQ(SendIpv4(fabric, form), (i < 4), "packet " << i);
        }
        NS_TEST_EXPECT_MSG_EQ(DropsOf(fabric)[DropReason::STACK_QUEUE_FULL], 2, "counted");
        NS_TEST_EXPECT_MSG_EQ(fabric->CheckConservation().inFlight, 4, "waiting");
        NS_TEST_EXPECT_MSG_EQ(fabric->CheckConservation().Holds(), true, "all accounted for");

        // an IPv6 packet to a host's MAC address goes, and finds nobody there
        std::vector<uint8_t> six(60);
        six[0] = 0x60;
        NS_TEST_EXPECT_MSG_EQ(
            fabric->GetPort(1, 0)->Send(MakePacket(six), FabricAddress::ToMac(0), 0x86dd),
            true,
            "by MAC address");
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(DropsOf(fabric)[DropReason::STACK_NO_HANDLER],
                              5,
                              "no stack anywhere");
        NS_TEST_EXPECT_MSG_EQ(fabric->CheckConservation().Holds(), true, "all accounted for");

        DCFABRIC_EXPECT_REFUSAL(
            fabric->GetPort(2, 0)->Send(MakePacket(bytes), FabricAddress::ToMac(0), IPV4_TYPE),
            "is no host");
        DCFABRIC_EXPECT_REFUSAL(port->Send(MakePacket(bytes), FabricAddress::ToMac(1), 1535),
                                "no EtherType");
        DCFABRIC_EXPECT_REFUSAL(port->SendFrom(MakePacket(bytes),
                                               FabricAddress::ToMac(1),
                                               FabricAddress::ToMac(0),
                                               IPV4_TYPE),
                                "in the name of another");
        NS_TEST_EXPECT_MSG_EQ(port->SupportsSendFrom(), false, "and it says so");
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief The stack and the transport at one port.
 */
class ForeignTurnTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief A packet goes on the wire.
     * @param item the packet
     */
    void OnTransmit(Ptr<const FabricPacketItem> item)
    {
        m_order += item->type == FabricPacketType::DATA ? 'D' : 'F';
    }

    /**
     * @param pauseStack pause class 0 for the first 10 us
     * @return what a port sent, in order
     */
    std::string Send(bool pauseStack)
    {
        m_order.clear();
        const Ptr<Fabric> fabric = MakeStackStar(2);
        StackStub stub(fabric, 1);
        FabricNetDevice* port = fabric->GetPort(0, 0);
        port->TraceConnectWithoutContext("Transmit",
                                         MakeCallback(&ForeignTurnTestCase::OnTransmit, this));
        fabric->GetNic(0)->GetMessages().Send(1, 6000, 1);
        for (int i = 0; i < 4; ++i)
        {
            SendIpv4(fabric, Ipv4Form());
        }
        if (pauseStack)
        {
            port->SetPausedClasses(1 << 0);
            CallIn(MicroSeconds(10), [port] { port->SetPausedClasses(0); });
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(stub.arrivals.size(), 4, "all arrived");
        NS_TEST_EXPECT_MSG_EQ(fabric->CheckConservation().Holds(), true, "nothing is missing");
        Simulator::Destroy();
        return m_order;
    }

    void DoRun() override
    {
        // the stack's packets wait when the port starts, the message starts just after that
        NS_TEST_EXPECT_MSG_EQ(Send(false), "FDFDFDFDDD", "one each");
        NS_TEST_EXPECT_MSG_EQ(Send(true), "DDDDDDFFFF", "the transport has the wire to itself");
    }

    std::string m_order; //!< types of packets
};

/**
 * @ingroup dcfabric-tests
 * @brief A lossy class for stacks beside a lossless one for the transport.
 */
class ForeignClassTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// What happened.
    struct Outcome
    {
        uint64_t arrived;   //!< packets
        uint64_t dropped;   //!< for want of buffer
        uint64_t pauses;    //!< frames
        uint64_t delivered; //!< bytes of the transport
    };

    /**
     * @param lossless the stack's class
     * @return what happens when two hosts send 100 packets each to a third
     */
    static Outcome Run(bool lossless)
    {
        FabricHelper helper;
        helper.AddStackClass(0, lossless);
        helper.SetBuffer("ns3::SharedBuffer",
                         "Size",
                         UintegerValue(400000),
                         "Alpha",
                         DoubleValue(0.1),
                         "EgressAlpha",
                         DoubleValue(0.1));
        const Ptr<Fabric> fabric = helper.Install(MakeStar({RATE, RATE, RATE}, DELAY_PS));
        StackStub stub(fabric, 2);
        Ipv4Form form;
        form.dst = 2;
        for (const uint32_t host : {0, 1})
        {
            form.src = host;
            fabric->GetNic(host)->GetMessages().Send(2, 100000, 1);
            for (int i = 0; i < 100; ++i)
            {
                SendIpv4(fabric, form);
            }
        }
        Simulator::Run();
        Outcome outcome{stub.arrivals.size(),
                        fabric->GetSwitch(3)->GetDrops().count(DropReason::ABOVE_THRESHOLD)
                            ? fabric->GetSwitch(3)->GetDrops().at(DropReason::ABOVE_THRESHOLD)
                            : 0,
                        fabric->GetPort(3, 0)->GetFlowControl()->GetNPauseFrames() +
                            fabric->GetPort(3, 1)->GetFlowControl()->GetNPauseFrames(),
                        fabric->GetNic(2)->GetCounters().bytesDelivered};
        Simulator::Destroy();
        return outcome;
    }

    void DoRun() override
    {
        const Outcome lossy = Run(false);
        NS_TEST_EXPECT_MSG_GT(lossy.dropped, 0, "dropped at its share of the buffer");
        NS_TEST_EXPECT_MSG_EQ(lossy.arrived + lossy.dropped, 200, "no other loss");
        NS_TEST_EXPECT_MSG_EQ(lossy.delivered, 200000, "the transport is complete");
        const Outcome lossless = Run(true);
        NS_TEST_EXPECT_MSG_EQ(lossless.arrived, 200, "nothing lost");
        NS_TEST_EXPECT_MSG_GT(lossless.pauses, 0, "but held back");
        NS_TEST_EXPECT_MSG_EQ(lossless.delivered, 200000, "the transport is complete");

        FabricHelper helper;
        DCFABRIC_EXPECT_REFUSAL(helper.AddStackClass(8), "0 to 7");
        helper.AddStackClass(3);
        DCFABRIC_EXPECT_REFUSAL(helper.AddStackClass(3, true), "both lossless and lossy");
        DCFABRIC_EXPECT_REFUSAL(helper.Install(MakeStar({RATE, RATE}, DELAY_PS)),
                                "the transport uses it too");
        Simulator::Destroy();
    }
};

/// Suite of foreign packets.
const SuiteCases g_cases("dcfabric-wire", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(
        new ForeignDeliveryTestCase("a packet arrives as it was sent, in the time of its frame"));
    suite.AddTestCase(new ForeignJumboTestCase(
        "jumbo packets go where the MTU allows them, lossless class included"));
    suite.AddTestCase(new ForeignMarkTestCase(
        "a mark is written into the IP header where the packet leaves the fabric"));
    suite.AddTestCase(
        new ForeignTagTestCase("tags outlive a mark; what cannot be marked stays; IPv6"));
    suite.AddTestCase(
        new ForeignHashTestCase("the five-tuple is hashed, the same in both directions"));
    suite.AddTestCase(new ForeignRefusalTestCase(
        "unknown, broadcast, multicast, too long, too many: refused and counted"));
    suite.AddTestCase(
        new ForeignTurnTestCase("stack and transport take turns; a paused class waits"));
    suite.AddTestCase(new ForeignClassTestCase(
        "a lossy stack class drops and never pauses, a lossless one the other way round"));
});

} // namespace ns3::tests::foreign_packet_test
