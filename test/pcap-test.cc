// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-foreign.h"
#include "fabric-test-suite.h"

#include "ns3/fabric-net-device.h"
#include "ns3/fabric-packet-item.h"
#include "ns3/fabric-pcap-file.h"
#include "ns3/node-container.h"
#include "ns3/pcap-file.h"
#include "ns3/simple-net-device.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/wire-format.h"

#include <cstdint>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Captures as users of ns-3 make them, with EnablePcap().
 */

namespace ns3::tests::pcap_test
{

/// A frame of a capture.
struct Frame
{
    int64_t timeNs;             //!< when
    std::vector<uint8_t> bytes; //!< what
};

/**
 * @param path of the file
 * @return all frames of a file; empty if it cannot be read or is not as it should be
 */
std::vector<Frame>
ReadCapture(const std::string& path)
{
    std::vector<Frame> frames;
    PcapFile file;
    file.Open(path, std::ios::in);
    if (file.Fail() || !file.IsNanoSecMode() || file.GetDataLinkType() != 1)
    {
        return frames;
    }
    uint8_t data[10000];
    uint32_t seconds;
    uint32_t nanoseconds;
    uint32_t included;
    uint32_t original;
    uint32_t read;
    for (;;)
    {
        file.Read(data, sizeof(data), seconds, nanoseconds, included, original, read);
        if (file.Fail() || file.Eof() || included != original || read != original)
        {
            return frames;
        }
        frames.push_back({seconds * int64_t{1000000000} + nanoseconds, {data, data + read}});
    }
}

/**
 * @ingroup dcfabric-tests
 * @brief Which ports and packets are in which file.
 */
class PcapHelperTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const std::string prefix = CreateTempDirFilename("capture");
        const std::string all = CreateTempDirFilename("all.pcap");
        FabricHelper helper;
        const Ptr<Fabric> fabric = helper.Install(MakeStar({100 * GBPS, 100 * GBPS}, 1000000));
        const NodeContainer& nodes = fabric->GetNodes();
        nodes.Get(0)->AddDevice(CreateObject<SimpleNetDevice>());
        helper.EnablePcap(prefix, NodeContainer(nodes.Get(0)));
        helper.EnablePcap(prefix, nodes.Get(2)->GetDevice(0), false);
        helper.EnablePcap(all, nodes.Get(2)->GetDevice(0), true, true);
        fabric->GetNic(0)->GetMessages().Send(1, 1500, 1);
        Simulator::Run();
        Simulator::Destroy();
        const auto name = [&](uint32_t node) {
            return prefix + "-" + std::to_string(nodes.Get(node)->GetId()) + "-0.pcap";
        };
        // Two packets and two ACKs. Without FCS: 1000 + 58, 500 + 58 and 94 bytes.
        const auto host = ReadCapture(name(0));
        NS_TEST_ASSERT_MSG_EQ(host.size(), 4, "all that the host sends and receives");
        NS_TEST_EXPECT_MSG_EQ(host[0].timeNs, 0, "the first bit");
        NS_TEST_EXPECT_MSG_EQ(host[0].bytes.size(), 1058, "length");
        // 1082 x 80 ps = 86,560 ps
        NS_TEST_EXPECT_MSG_EQ(host[1].timeNs, 86, "then the second, in whole ns");
        NS_TEST_EXPECT_MSG_EQ(host[1].bytes.size(), 558, "length");
        NS_TEST_EXPECT_MSG_EQ(host[2].bytes.size(), 94, "an ACK");
        const auto some = ReadCapture(name(2));
        NS_TEST_EXPECT_MSG_EQ(some.size(), 2, "a switch: what it sends, no packet is for itself");
        const auto every = ReadCapture(all);
        NS_TEST_ASSERT_MSG_EQ(every.size(), 4, "promiscuous: what arrives as well");
        NS_TEST_EXPECT_MSG_EQ(every[0].timeNs, 1086, "86,560 ps and the delay");
        NS_TEST_EXPECT_MSG_EQ((every[0].bytes == host[0].bytes), true, "the same packet");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A packet of another protocol in a capture.
 */
class PcapForeignTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const std::string path = CreateTempDirFilename("foreign.pcap");
        FabricHelper helper;
        helper.AddStackClass();
        const Ptr<Fabric> fabric = helper.Install(MakeStar({100 * GBPS, 100 * GBPS}, 1000000));
        helper.EnablePcap(path, fabric->GetPort(1, 0), false, true);
        const Ipv4Form form;
        SendIpv4(fabric, form);
        Simulator::Run();
        Simulator::Destroy();
        const auto frames = ReadCapture(path);
        NS_TEST_ASSERT_MSG_EQ(frames.size(), 1, "it arrived");
        NS_TEST_EXPECT_MSG_EQ(frames[0].timeNs, 2166, "2 x (83,040 + 1,000,000) ps");
        // to host 1, from host 0, IPv4
        std::vector<uint8_t> expected = {2, 0xdc, 0, 0, 0, 1, 2, 0xdc, 0, 0, 0, 0, 8, 0};
        const auto packet = MakeIpv4Bytes(form);
        expected.insert(expected.end(), packet.begin(), packet.end());
        NS_TEST_EXPECT_MSG_EQ((frames[0].bytes == expected), true, "its own bytes");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief The packets of message matching in a capture.
 */
class PcapMatchTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const std::string path = CreateTempDirFilename("match.pcap");
        FabricHelper helper;
        const Ptr<Fabric> fabric = helper.Install(MakeStar({100 * GBPS, 100 * GBPS}, 1000000));
        const RoceV2WireFormat wire;
        const auto data = FabricPacketItem::Create(FabricPacketType::DATA);
        data->flags = FabricPacketItem::FLAG_MATCH;
        data->data.payloadBytes = 1000;
        data->size = wire.GetDataBytes(1000, false) + wire.GetMatchBytes(false);
        const auto empty = FabricPacketItem::Create(FabricPacketType::DATA);
        empty->flags = FabricPacketItem::FLAG_MATCH | FabricPacketItem::FLAG_VOID;
        empty->size = wire.GetDataBytes(0, false) + wire.GetMatchBytes(false);
        const auto wait = FabricPacketItem::Create(FabricPacketType::RTW);
        wait->size = wire.GetRefusalBytes();
        const auto notReady = FabricPacketItem::Create(FabricPacketType::RNR);
        notReady->flags = FabricPacketItem::FLAG_INT;
        notReady->intCount = 2;
        notReady->size = wire.GetRefusalBytes() + wire.GetAckIntBytes(2, false);
        const auto request = FabricPacketItem::Create(FabricPacketType::RTS);
        request->size = wire.GetRtsBytes();
        {
            FabricPcapFile file(fabric->GetPort(0, 0), path, true);
            for (const auto& item : {data, empty, wait, notReady, request})
            {
                file.OnTransmit(item);
            }
            // whoever forgets the header of a type
            data->size -= 24;
            DCFABRIC_EXPECT_REFUSAL(file.OnTransmit(data), "1086 bytes that takes 1062");
            wait->type = FabricPacketType::ACK;
            DCFABRIC_EXPECT_REFUSAL(file.OnTransmit(wait), "98 bytes that takes 106");
            file.Close();
        }
        Simulator::Destroy();
        const auto frames = ReadCapture(path);
        NS_TEST_ASSERT_MSG_EQ(frames.size(), 5, "all but what was refused");
        // without FCS: 1000 + 62 + 24 - 4, 62 + 24 - 4, 106 - 4, 106 + 4 + 16 - 4, 78 - 4
        const std::size_t lengths[] = {1082, 82, 102, 122, 74};
        const int opcodes[] = {0x01, 0x01, 0xc1, 0xc3, 0xc2};
        for (std::size_t i = 0; i < frames.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(frames[i].bytes.size(), lengths[i], "length of " << i);
            NS_TEST_EXPECT_MSG_EQ(+frames[i].bytes[42], opcodes[i], "opcode of " << i);
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What cannot be captured.
 */
class PcapRefusalTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        FabricHelper helper;
        const auto star = MakeStar({100 * GBPS, 100 * GBPS}, 1000000);
        const Ptr<Fabric> fabric = helper.Install(star);
        DCFABRIC_EXPECT_REFUSAL(
            helper.EnablePcap("/nonexistent/a.pcap", fabric->GetPort(0, 0), true, true),
            "cannot create the capture file");
        helper.SetWireFormat("ns3::HpccSimWireFormat");
        const Ptr<Fabric> other = helper.Install(star);
        const std::string path = CreateTempDirFilename("refused.pcap");
        DCFABRIC_EXPECT_REFUSAL(helper.EnablePcap(path, other->GetPort(0, 0), true, true),
                                "ns3::RoceV2WireFormat");
        // a switch does not know the sizes: the first packet tells
        helper.EnablePcap(path, other->GetPort(2, 0), true, true);
        other->GetNic(0)->GetMessages().Send(1, 100, 1);
        DCFABRIC_EXPECT_REFUSAL(Simulator::Run(), "ns3::RoceV2WireFormat");
        Simulator::Destroy();
    }
};

/// Suite of captures.
const SuiteCases g_cases("dcfabric-wire", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new PcapHelperTestCase(
        "EnablePcap: names, times, promiscuous or not, other devices left alone"));
    suite.AddTestCase(new PcapForeignTestCase("a packet of another protocol appears as itself"));
    suite.AddTestCase(new PcapMatchTestCase(
        "packets of message matching: their lengths and opcodes, wrong sizes refused"));
    suite.AddTestCase(new PcapRefusalTestCase(
        "sizes that are not those of real frames, and bad paths, are refused"));
});

} // namespace ns3::tests::pcap_test
