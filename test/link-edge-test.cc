// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-network.h"
#include "fabric-test-suite.h"

#include "ns3/error-model.h"
#include "ns3/fabric-helper.h"
#include "ns3/test.h"

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Links at their edges: shortest delays, losses, several things at one instant.
 */

namespace ns3::tests::link_edge_test
{

/**
 * @ingroup dcfabric-tests
 * @brief Delays shorter than a tick.
 */
class ShortDelayTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        DCFABRIC_EXPECT_REFUSAL(TestLink(GBPS, Seconds(0)), "ns3::FabricChannel::Delay");
        DCFABRIC_EXPECT_REFUSAL(TestLink(GBPS, NanoSeconds(-1)), "at least one tick");
        DCFABRIC_EXPECT_REFUSAL(
            CreateObject<FabricNetDevice>()->SetAttribute("DataRate", DataRateValue(DataRate(0))),
            "DataRate");
        const int64_t tick = FabricTime::ToPs(TimeStep(1));
        if (tick > 1)
        {
            FabricHelper helper;
            DCFABRIC_EXPECT_REFUSAL(helper.Install(MakeChain({GBPS, GBPS}, tick - 1)),
                                    "nodes 0 and 2 has a delay of " + std::to_string(tick - 1) +
                                        " ps, less than one tick");
        }
        TestLink link(100 * GBPS, TimeStep(1), 0);
        link.leftPort->Enqueue(MakeData(100));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(link.right->arrivals.at(0).timePs, 8000 + tick, "one tick will do");
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief How long bytes take on a wire, be they a frame or a long queue.
 *
 * At 120 Gb/s a byte takes 200/3 ps. Times 8e12 ps, of a byte at 1 bit/s, 2,305,843 bytes are the
 * most that fit 64 bits.
 */
class TransmissionTimeTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const TestLink link(120 * GBPS, MicroSeconds(1));
        const PortLink& wire = link.leftPort->GetLink();
        NS_TEST_EXPECT_MSG_EQ(wire.TransmissionPs(0), 0, "nothing");
        NS_TEST_EXPECT_MSG_EQ(wire.TransmissionPs(1500), 100000, "a frame");
        NS_TEST_EXPECT_MSG_EQ(wire.TransmissionPs(2305843), 153722866, "2305843 x 200 / 3");
        NS_TEST_EXPECT_MSG_EQ(wire.TransmissionPs(2305844), 153722933, "one more");
        NS_TEST_EXPECT_MSG_EQ(wire.TransmissionPs(30000000), 2000000000, "a queue of 30 MB: 2 ms");
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Packets that are lost on the wire.
 */
class LossyWireTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param item a lost packet
     * @param reason why
     * @param port where it would have arrived
     */
    void Lost(Ptr<const FabricPacketItem> item, DropReason reason, const FabricNetDevice* port)
    {
        m_lost.push_back(item->data.tag);
    }

    void DoRun() override
    {
        TestLink link(100 * GBPS, NanoSeconds(1));
        Ptr<ReceiveListErrorModel> errors = CreateObject<ReceiveListErrorModel>();
        errors->SetList({0, 2, 3});
        link.rightPort->SetAttribute("ReceiveErrorModel", PointerValue(errors));
        link.right->TraceConnectWithoutContext("Drop",
                                               MakeCallback(&LossyWireTestCase::Lost, this));
        for (uint32_t tag = 0; tag < 5; ++tag)
        {
            link.leftPort->Enqueue(MakeData(980, tag));
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(link.rightPort->GetCounters().errorDrops, 3, "0, 2 and 3");
        NS_TEST_EXPECT_MSG_EQ((m_lost == std::vector<uint32_t>{0, 2, 3}), true, "traced");
        NS_TEST_ASSERT_MSG_EQ(link.right->arrivals.size(), 2, "1 and 4");
        NS_TEST_EXPECT_MSG_EQ(link.right->arrivals[0].packet->data.tag, 1, "1");
        NS_TEST_EXPECT_MSG_EQ(link.right->arrivals[1].packet->data.tag, 4, "4");
        NS_TEST_EXPECT_MSG_EQ(link.right->arrivals[1].timePs, 401000, "a loss takes its wire time");
        NS_TEST_EXPECT_MSG_EQ(link.rightPort->GetCounters().rxDataPackets, 2, "no hop when lost");
        Simulator::Destroy();
    }

    std::vector<uint32_t> m_lost; //!< tags
};

/**
 * @ingroup dcfabric-tests
 * @brief What comes first of two things at the same time.
 */
class TieTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * The node in the middle has two inputs and an output, all of 100 Gb/s with 20 B of gap. At 0
     * its output begins tag 1 (980 B: until 80,000 ps), behind which tag 2 of class 1 waits. Tag 3
     * of class 7 comes in through port 1 and tag 4 of class 7 through port 0.
     * @param size3 size of tag 3: it arrives after 40 ns + (size3 + 20) x 80 ps
     * @param reversed make the senders in the opposite order
     * @return tags in the order in which they leave
     */
    std::vector<uint32_t> Order(uint32_t size3, bool reversed)
    {
        Ptr<RecordingActor> middle = MakeActor(0);
        Ptr<RecordingActor> sink = MakeActor(1);
        std::vector<Ptr<FabricNetDevice>> ports;
        for (int i = 0; i < 3; ++i)
        {
            ports.push_back(AddPort(middle, 100 * GBPS));
        }
        Join(ports[2], AddPort(sink, 100 * GBPS), NanoSeconds(1));
        std::vector<Ptr<FabricNetDevice>> senders(2);
        for (int i = 0; i < 2; ++i)
        {
            const int input = reversed ? 1 - i : i;
            senders[input] = AddPort(MakeActor(2 + i), 100 * GBPS);
            Join(senders[input], ports[input], NanoSeconds(40));
        }
        middle->onReceive = [&ports](FabricNetDevice&, Ptr<FabricPacketItem> item) {
            ports[2]->Enqueue(item);
        };
        ports[2]->Enqueue(MakeData(980, 1));
        ports[2]->Enqueue(MakeData(980, 2, 1));
        senders[1]->Enqueue(MakeData(size3, 3, 7));
        senders[0]->Enqueue(MakeData(480, 4, 7));
        Simulator::Run();
        std::vector<uint32_t> tags;
        for (const auto& arrival : sink->arrivals)
        {
            tags.push_back(arrival.packet->data.tag);
        }
        Simulator::Destroy();
        return tags;
    }

    void DoRun() override
    {
        for (const bool reversed : {false, true})
        {
            // tags 3 and 4 arrive at 40,000 + 500 x 80 = 80,000 ps, just when the wire becomes
            // free: tag 2 has it; then port 0 comes before port 1
            const std::vector<uint32_t> tie = {1, 2, 4, 3};
            NS_TEST_EXPECT_MSG_EQ((Order(480, reversed) == tie), true, "at the same time");
            // a byte less: tag 3 is there 80 ps before, and its class is served first
            const std::vector<uint32_t> before = {1, 3, 4, 2};
            NS_TEST_EXPECT_MSG_EQ((Order(479, reversed) == before), true, "just before");
            // a byte more: tag 3 is 80 ps late, after tag 4
            NS_TEST_EXPECT_MSG_EQ((Order(481, reversed) == tie), true, "just after");
        }
    }
};

/// Edges of links.
const SuiteCases g_cases("dcfabric-link", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new ShortDelayTestCase("a delay below one tick is refused"));
    suite.AddTestCase(
        new LossyWireTestCase("the receive error model's losses are counted and traced"));
    suite.AddTestCase(new TransmissionTimeTestCase("how long bytes take on a wire"));
    suite.AddTestCase(new TieTestCase(
        "at one instant a wire is given away before arrivals, and arrivals come by port"));
});

} // namespace ns3::tests::link_edge_test
