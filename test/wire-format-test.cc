// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-suite.h"
#include "fabric-test-wire.h"

#include "ns3/object-factory.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <iostream>
#include <random>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Frame sizes, and every type of packet to bytes and back.
 */

namespace ns3::tests::wire_format_test
{

/**
 * @ingroup dcfabric-tests
 * @brief The sizes of all formats, worked out by hand.
 */
class WireSizeTest : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        ObjectFactory factory("ns3::RoceV2WireFormat");
        auto roce = factory.Create<WireFormat>();
        // 14 Ethernet + 20 IPv4 + 8 UDP + 12 BTH + 4 ICRC + 4 FCS = 62
        NS_TEST_ASSERT_MSG_EQ(roce->GetDataBytes(0, false), 62, "no payload");
        NS_TEST_ASSERT_MSG_EQ(roce->GetDataBytes(1456, false), 1518, "full frame of fncc24");
        NS_TEST_ASSERT_MSG_EQ(roce->GetDataBytes(1000, true), 1078, "RETH adds 16");
        NS_TEST_ASSERT_MSG_EQ(roce->GetAckBytes(), 98, "62 + AETH 4 + extension 32");
        NS_TEST_ASSERT_MSG_EQ(roce->GetNackBytes(), 98, "as the ACK");
        NS_TEST_ASSERT_MSG_EQ(roce->GetMatchBytes(false), 24, "flags 1, PDC 3, MSN 4, rest 8 + 8");
        NS_TEST_ASSERT_MSG_EQ(roce->GetMatchBytes(true), 32, "8 more");
        NS_TEST_ASSERT_MSG_EQ(roce->GetRefusalBytes(), 106, "ACK 98 + epoch 4 + MSN 4");
        NS_TEST_ASSERT_MSG_EQ(roce->GetRtsBytes(), 78, "62 + epoch 4 + MSN 4 + offset 8");
        NS_TEST_ASSERT_MSG_EQ(roce->GetCnpBytes(), 78, "62 + 16");
        NS_TEST_ASSERT_MSG_EQ(roce->GetNoticeBytes(72), 134, "62 + 72");
        NS_TEST_ASSERT_MSG_EQ(roce->GetRateNoticeBytes(), 62, "14 + IPv4 20 + ICMP 24 + 4");
        NS_TEST_ASSERT_MSG_EQ(roce->GetPauseBytes(), 64, "smallest frame");
        NS_TEST_ASSERT_MSG_EQ(roce->GetForeignBytes(1500), 1518, "14 + 4");
        NS_TEST_ASSERT_MSG_EQ(roce->GetGapBytes(), 20, "preamble 8 + gap 12");
        NS_TEST_ASSERT_MSG_EQ(roce->GetDataIntBytes(0, false), 4, "header only");
        NS_TEST_ASSERT_MSG_EQ(roce->GetDataIntBytes(5, false), 44, "4 + 5 * 8");
        NS_TEST_ASSERT_MSG_EQ(roce->GetAckIntBytes(8, false), 68, "4 + 8 * 8");
        NS_TEST_ASSERT_MSG_EQ(roce->GetAckIntBytes(5, true), 164, "4 + 5 * 32");

        factory.Set("GapBytes", UintegerValue(24));
        NS_TEST_ASSERT_MSG_EQ(factory.Create<WireFormat>()->GetGapBytes(), 24, "attribute");

        auto hpcc = ObjectFactory("ns3::HpccSimWireFormat").Create<WireFormat>();
        NS_TEST_ASSERT_MSG_EQ(hpcc->GetDataBytes(1000, false), 1048, "14 + 20 + 8 + 6");
        NS_TEST_ASSERT_MSG_EQ(hpcc->GetDataBytes(1000, true), 1048, "no RETH");
        NS_TEST_ASSERT_MSG_EQ(hpcc->GetAckBytes(), 60, "ACK");
        NS_TEST_ASSERT_MSG_EQ(hpcc->GetMatchBytes(false), 24, "as RoCEv2");
        NS_TEST_ASSERT_MSG_EQ(hpcc->GetRefusalBytes(), 68, "ACK 60 + 8");
        NS_TEST_ASSERT_MSG_EQ(hpcc->GetRtsBytes(), 60, "as other control packets");
        NS_TEST_ASSERT_MSG_EQ(hpcc->GetRateNoticeBytes(), 60, "as other control packets");
        NS_TEST_ASSERT_MSG_EQ(hpcc->GetAckBytes() + hpcc->GetAckIntBytes(0, false), 88, "HPCC");
        NS_TEST_ASSERT_MSG_EQ(hpcc->GetGapBytes(), 0, "no gap");
        NS_TEST_ASSERT_MSG_EQ(hpcc->GetPauseBytes(), 64, "smallest frame");
        for (uint8_t hops = 0; hops <= Item::MAX_HOPS; ++hops)
        {
            NS_TEST_ASSERT_MSG_EQ(hpcc->GetDataIntBytes(hops, false), 42, "constant");
            NS_TEST_ASSERT_MSG_EQ(hpcc->GetAckIntBytes(hops, true), 28, "constant");
        }

        auto uet = ObjectFactory("ns3::UetWireFormat").Create<WireFormat>();
        // 14 Ethernet + 20 IPv4 + 8 UDP + 12 delivery + 44 message + 4 CRC + 4 FCS = 106
        NS_TEST_ASSERT_MSG_EQ(uet->GetDataBytes(4096, false), 4202, "payload + 106");
        NS_TEST_ASSERT_MSG_EQ(uet->GetDataBytes(4096, true), 4202, "an address is part of it");
        NS_TEST_ASSERT_MSG_EQ(uet->GetAckBytes(), 94, "50 + ACK_CC 32 + response 12");
        NS_TEST_ASSERT_MSG_EQ(uet->GetNackBytes(), 66, "50 + 16");
        NS_TEST_ASSERT_MSG_EQ(uet->GetCnpBytes(), 66, "a control packet");
        NS_TEST_ASSERT_MSG_EQ(uet->GetAckIntBytes(5, false), 44, "as RoCEv2");
        NS_TEST_ASSERT_MSG_EQ(uet->GetGapBytes(), 20, "preamble 8 + gap 12");

        auto htsim = ObjectFactory("ns3::UetHtsimWireFormat").Create<WireFormat>();
        NS_TEST_ASSERT_MSG_EQ(htsim->GetDataBytes(4086, false), 4150, "its MTU");
        NS_TEST_ASSERT_MSG_EQ(htsim->GetAckBytes(), 64, "ACK");
        NS_TEST_ASSERT_MSG_EQ(htsim->GetNackBytes(), 64, "NACK");
        NS_TEST_ASSERT_MSG_EQ(htsim->GetRtsBytes(), 64, "control");
        NS_TEST_ASSERT_MSG_EQ(htsim->GetGapBytes(), 0, "no gap");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Every type, payload and number of hops: as many bytes as the size says, and back.
 */
class WireRoundTripTest : public RoundTripCase
{
    using RoundTripCase::RoundTripCase;

    void DoRun() override
    {
        const uint64_t seed = 20240731;
        std::cout << "dcfabric-wire-format round trip: seed " << seed << std::endl;
        std::mt19937_64 random(seed);
        for (const bool exact : {false, true})
        {
            // without telemetry, then with 0 to 8 records; a header without records is "packed"
            for (int hops = exact ? 1 : -1; hops <= Item::MAX_HOPS; ++hops)
            {
                for (const uint16_t payload : {0, 1, 1000, 1456, 4096})
                {
                    for (int kind = 0; kind < 8; ++kind)
                    {
                        const uint32_t flags = (kind & 1 ? Item::FLAG_FIRST : 0) |
                                               (kind & 2 ? Item::FLAG_LAST : 0) |
                                               (kind & 4 ? Item::FLAG_WRITE : 0);
                        Check(MakeData(payload, flags, hops, exact, random));
                        Check(MakeMatched(payload, flags, hops, exact, random));
                        if (payload == 0)
                        {
                            const uint32_t given = flags | Item::FLAG_VOID;
                            Check(MakeMatched(0, given, hops, exact, random));
                        }
                    }
                }
                for (const auto type : {FabricPacketType::ACK,
                                        FabricPacketType::NACK,
                                        FabricPacketType::RTW,
                                        FabricPacketType::RNR})
                {
                    Check(MakeAck(type, hops, exact, random, false));
                    Check(MakeAck(type, hops, exact, random, true));
                }
            }
        }
        Check(MakeRts(random));
        Check(MakeCnp(random));
        Check(MakeRateNotice(random));
        Check(MakePause(random));
        for (const uint32_t bytes : {0, 1, 46, 1500, 9000})
        {
            Check(MakeForeign(bytes, 0x0806, random));
            Check(MakeNotice(bytes, random));
        }
        // (10 packed or absent + 8 exact) * (5 payloads * 8 kinds * 2 + 8 void + 4 answers * 2)
        // = 18 * 96 = 1728; RTS, 3 others, 5 foreign, 5 notices
        NS_TEST_ASSERT_MSG_EQ(m_checked, 1742, "all combinations ran");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief ICRC: what may change on the way does not change it, everything else does.
 */
class WireIcrcTest : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // the standard check of the polynomial and of the order of bits
        NS_TEST_ASSERT_MSG_EQ(CRC32Calculate(reinterpret_cast<const uint8_t*>("123456789"), 9),
                              0xcbf43926,
                              "CRC-32 check value");
        // value of an independent implementation (scapy's RoCE layer) for the same CNP
        auto cnp = Item::Create(FabricPacketType::CNP);
        cnp->src = 1;
        cnp->dst = 0x10203;
        cnp->entropy = 0xc001;
        cnp->ds = 0x02;
        cnp->pdc = 0x1234;
        NS_TEST_ASSERT_MSG_EQ(ToHex(FrameOf(*cnp), 70, 4), "4b91afd8", "ICRC of a CNP");
        std::mt19937_64 random(3);
        const Bytes bytes = ToBytes(FabricHeaders::Serialize(
            *MakeData(16, Item::FLAG_FIRST | Item::FLAG_WRITE, 2, false, random)));
        const uint32_t length = static_cast<uint32_t>(bytes.size()) - 14 - 8;
        const uint32_t icrc = RoceFrame::ComputeIcrc(bytes.data() + 14, length);
        // offsets within the IP packet: DS 1, TTL 8, checksum 10-11, UDP checksum 26-27, BTH 28 + 4
        for (uint32_t offset = 0; offset < length; ++offset)
        {
            Bytes changed = bytes;
            changed[14 + offset] ^= 0x10;
            const bool variant = offset == 1 || offset == 8 || offset == 10 || offset == 11 ||
                                 offset == 26 || offset == 27 || offset == 32;
            NS_TEST_ASSERT_MSG_EQ((RoceFrame::ComputeIcrc(changed.data() + 14, length) == icrc),
                                  variant,
                                  "offset " << offset);
        }
    }
};

/// Sizes, round trips and ICRC.
const SuiteCases g_cases("dcfabric-wire", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new WireSizeTest("sizes of both formats"));
    suite.AddTestCase(new WireRoundTripTest("size equals bytes, parsing restores every field"));
    suite.AddTestCase(new WireIcrcTest("ICRC covers what is invariant"));
});

} // namespace ns3::tests::wire_format_test
