// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-int.h"
#include "fabric-test-schedule.h"
#include "fabric-test-suite.h"

#include "ns3/boolean.h"
#include "ns3/fabric-helper.h"
#include "ns3/fncc-int-feature.h"
#include "ns3/test.h"

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief INT records of switches, worked out by hand on chains.
 *
 * Hosts 0 and 1 with switches 2, 3, 4 between them; 100 Gb/s (80 ps a byte) unless said otherwise,
 * 1 us of delay, 20 B of gap, 1000 B of payload: a data packet without INT has 1062 B.
 */

namespace ns3::tests::switch_int_test
{

/**
 * @ingroup dcfabric-tests
 * @brief Records on data packets.
 */
class HpccIntTestCase : public IntTestCase
{
    using IntTestCase::IntTestCase;

    void DoRun() override
    {
        // Unpacked records have 32 B: 1066, 1098, 1130, 1162 B on the four links of the chain;
        // with gap 86,880, 89,440, 92,000, 94,560 ps.
        FabricHelper helper;
        Choose(helper, "Hpcc");
        helper.SetIntFormat("ns3::IntFormat", "Exact", BooleanValue(true));
        Ptr<Fabric> fabric =
            helper.Install(MakeChain({100 * GBPS, 100 * GBPS, 100 * GBPS, 100 * GBPS}, 1000000));
        Watch(fabric, 4, 1);
        fabric->GetNic(0)->GetMessages().Send(1, 2000, 0);
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(m_seen.size(), 2, "two packets");
        NS_TEST_EXPECT_MSG_EQ(m_seen[0].size, 1162, "size with three records");
        NS_TEST_ASSERT_MSG_EQ(m_seen[0].samples.size(), 3, "three records");
        // Packet 1 arrives at 1,086,880, then + 1,089,440, + 1,092,000, finds everything idle and
        // leaves at once.
        Expect(m_seen[0].samples[0], 1086880, 0, 0, "first packet, switch 2");
        Expect(m_seen[0].samples[1], 2176320, 0, 0, "first packet, switch 3");
        Expect(m_seen[0].samples[2], 3268320, 0, 0, "first packet, switch 4");
        // Packet 2 arrives 86,880 later, waits for the end of packet 1 (+ 89,440), and so on.
        Expect(m_seen[1].samples[0], 1176320, 1098, 0, "second packet, switch 2");
        Expect(m_seen[1].samples[1], 2268320, 1130, 0, "second packet, switch 3");
        Expect(m_seen[1].samples[2], 3362880, 1162, 0, "second packet, switch 4");
        NS_TEST_EXPECT_MSG_EQ(m_seen[1].samples[1].rateBps, 100 * GBPS, "rate");
        Simulator::Destroy();

        // A slow link behind switch 2: 25 Gb/s, 320 ps a byte, packed records of 8 B: 1066 B come
        // in every 86,880 ps from 1,086,880 on, 1074 B take 1094 x 320 = 350,080 ps to go on.
        FabricHelper packed;
        Choose(packed, "Hpcc");
        fabric = packed.Install(MakeChain({100 * GBPS, 25 * GBPS, 100 * GBPS}, 1000000));
        Watch(fabric, 2, 1);
        fabric->GetNic(0)->GetMessages().Send(1, 7000, 0);
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(m_seen.size(), 7, "seven packets");
        NS_TEST_EXPECT_MSG_EQ(m_seen[0].size, 1074, "one record");
        // Packet 2 leaves at 1,436,960; packets 3, 4, 5 (1,434,400) have come, 6 has not: 3 x 1066
        // = 3198 B, in units of 80: 3120. 1074 B sent, in units of 128: 1024. Time in ns.
        Expect(m_seen[1].samples[0], 1436000, 1024, 3120, "second packet");
        NS_TEST_EXPECT_MSG_EQ(m_seen[1].samples[0].rateBps, 25 * GBPS, "rate");
        // Packet 3 leaves at 1,787,040: packets 4 to 7 wait (7 came at 1,608,160). 4264 -> 4240.
        // 2148 B sent -> 2048.
        Expect(m_seen[2].samples[0], 1787000, 2048, 4240, "third packet");
        // The last one leaves nothing behind: 6 x 1074 = 6444 -> 6400.
        Expect(m_seen[6].samples[0], 3187000, 6400, 0, "last packet");
        Simulator::Destroy();

        // Sizes of the public HPCC simulator: 1000 + 48 + 42 from the sender on; ACKs 60 + 28.
        for (const uint32_t node : {0, 2, 3})
        {
            FabricHelper compact;
            Choose(compact, "Hpcc");
            compact.SetWireFormat("ns3::HpccSimWireFormat");
            fabric = compact.Install(MakeChain({100 * GBPS, 100 * GBPS, 100 * GBPS}, 1000000));
            Watch(fabric, node, node == 0 ? 0 : 1);
            fabric->GetNic(0)->GetMessages().Send(1, 1000, 0);
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(m_seen.at(0).size, 1090, "data, node " << node);
            Simulator::Destroy();
        }
        FabricHelper compact;
        Choose(compact, "Hpcc");
        compact.SetWireFormat("ns3::HpccSimWireFormat");
        fabric = compact.Install(MakeChain({100 * GBPS, 100 * GBPS, 100 * GBPS}, 1000000));
        Watch(fabric, 2, 0);
        fabric->GetNic(0)->GetMessages().Send(1, 1000, 0);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(m_seen.at(0).size, 88, "ACK");
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief How old a record is when the sender uses it ([FNCC], figure 12).
 */
class IntAgeTestCase : public IntTestCase
{
    using IntTestCase::IntTestCase;

    /**
     * @param name HPCC or FNCC
     * @return when the sender has the ACK, in ps
     */
    int64_t Run(const std::string& name)
    {
        FabricHelper helper;
        Choose(helper, name);
        helper.SetIntFormat("ns3::IntFormat", "Exact", BooleanValue(true));
        Ptr<Fabric> fabric =
            helper.Install(MakeChain({100 * GBPS, 100 * GBPS, 100 * GBPS, 100 * GBPS}, 1000000));
        if (name == "Hpcc")
        {
            Watch(fabric, 4, 1);
        }
        else
        {
            Watch(fabric, 2, 0);
        }
        int64_t usedPs = 0;
        fabric->GetNic(0)->GetMessages().SetCompletedCallback(
            [&usedPs](const FabricMessageEvent& event) { usedPs = event.nowPs; });
        fabric->GetNic(0)->GetMessages().Send(1, 1000, 0);
        Simulator::Run();
        Simulator::Destroy();
        return usedPs;
    }

    void DoRun() override
    {
        // HPCC: records at 1,086,880, 2,176,320 and 3,268,320 (see above), at the receiver after
        // 94,560 + 1 us: 4,362,880. The ACK carries them back: 98 + 4 + 3 x 32 = 198 B, 17,440 ps
        // and 1 us on each of four links: at the sender at 8,432,640.
        NS_TEST_EXPECT_MSG_EQ(Run("Hpcc"), 8432640, "HPCC");
        NS_TEST_ASSERT_MSG_EQ(m_seen.at(0).samples.size(), 3, "records");
        const int64_t hpcc[] = {7345760, 6256320, 5164320};
        for (int i = 0; i < 3; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(8432640 - m_seen[0].samples[i].timePs,
                                  hpcc[i],
                                  "HPCC, switch " << i + 2);
        }

        // FNCC: data of 1062 B arrives after 4 x 1,086,560 = 4,346,240. The ACK of 98 B reaches
        // switch 4 after 9,440 + 1 us: 5,355,680, takes its record (134 B, 12,320 ps), switch 3 at
        // 6,368,000 (166 B, 14,880 ps), switch 2 at 7,382,880 (198 B, 17,440 ps), the sender at
        // 8,400,320. The last hop's record comes first. Each port has sent the one data packet.
        NS_TEST_EXPECT_MSG_EQ(Run("Fncc"), 8400320, "FNCC");
        const Seen& ack = m_seen.at(0);
        NS_TEST_ASSERT_MSG_EQ(ack.samples.size(), 3, "records");
        NS_TEST_EXPECT_MSG_EQ(ack.size, 198, "98 + 4 + 3 x 32");
        NS_TEST_EXPECT_MSG_EQ(((ack.flags & FabricPacketItem::FLAG_INT_REVERSED) != 0),
                              true,
                              "last hop first");
        const int64_t fncc[] = {3044640, 2032320, 1017440};
        for (int i = 0; i < 3; ++i)
        {
            Expect(ack.samples[i], 8400320 - fncc[i], 1062, 0, "FNCC, hop " + std::to_string(i));
            // The paper's point: fresher at each hop, most of all at the first.
            NS_TEST_EXPECT_MSG_LT(fncc[i], hpcc[2 - i], "fresher");
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Rates and classes.
 */
class IntConfigurationTestCase : public IntTestCase
{
    using IntTestCase::IntTestCase;

    void DoRun() override
    {
        for (const std::string name : {"Hpcc", "Fncc"})
        {
            FabricHelper helper;
            Choose(helper, name);
            const FabricGraph odd = MakeChain({100 * GBPS, 7 * GBPS, 100 * GBPS}, 1000000);
            DCFABRIC_EXPECT_REFUSAL(helper.Install(odd), "no code for a link of 7000000000 bit/s");
            helper.SetIntFormat("ns3::IntFormat", "Exact", BooleanValue(true));
            NS_TEST_EXPECT_MSG_EQ(RefusalOf([&]() { helper.Install(odd); }),
                                  "(accepted)",
                                  "unpacked records have no codes");
            Simulator::Destroy();
        }

        // Data in class 1: the table has to show the queue of class 1. 100 -> 25 Gb/s as above,
        // without INT on data: 1062 B come every 86,560 ps from 1,086,560 on and take 346,240 each.
        FabricHelper helper;
        Choose(helper, "Fncc");
        helper.SetClasses(1, 6);
        Ptr<Fabric> fabric =
            helper.Install(MakeChain({100 * GBPS, 25 * GBPS, 100 * GBPS}, 1000000));
        fabric->GetNic(0)->GetMessages().Send(1, 10000, 0);
        Ptr<FnccIntFeature> feature = fabric->GetSwitch(2)->GetFeature<FnccIntFeature>();
        IntSample sample;
        // At 2 us 10 packets have come (the last at 1,865,600) and 3 have begun (1,086,560,
        // 1,432,800, 1,779,040): 7 wait. The third ends at 2,125,280: of it the last 125,280 / 320
        // = 391 B have not left yet: 3186 - 391.
        CallIn(MicroSeconds(2), [&]() { sample = feature->Lookup(1); });
        Simulator::Run();
        Expect(sample, 2000000, 2795, 7434, "queue of class 1");
        Simulator::Destroy();
    }
};

/// INT at switches.
const SuiteCases g_cases("dcfabric-int", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new HpccIntTestCase(
        "HPCC: time, bytes sent, queue behind and rate at each hop; sizes grow"));
    suite.AddTestCase(new IntAgeTestCase(
        "age of each hop's record at the sender, HPCC and FNCC, three switches"));
    suite.AddTestCase(new IntConfigurationTestCase(
        "a rate without code is refused; the table follows the class of data"));
});

} // namespace ns3::tests::switch_int_test
