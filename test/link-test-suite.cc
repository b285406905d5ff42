// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-network.h"

#include "ns3/error-model.h"
#include "ns3/fabric-helper.h"
#include "ns3/test.h"

#include <random>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Arrival times on links, exact to the picosecond, whatever the resolution.
 */

namespace ns3
{
namespace tests
{

namespace
{

/// Holds bytes x 8e12.
__extension__ typedef unsigned __int128 Wide;

/**
 * @ingroup dcfabric-tests
 * @brief Three packets back to back at every line rate.
 */
class LineRateTestCase : public TestCase
{
  public:
    LineRateTestCase()
        : TestCase("back-to-back arrivals from 10 to 800 Gbps, with and without gap")
    {
    }

  private:
    void DoRun() override
    {
        // ps a byte: 8000 / (Gb/s)
        const std::vector<std::pair<uint64_t, int64_t>> rates = {{10, 800},
                                                                 {25, 320},
                                                                 {40, 200},
                                                                 {50, 160},
                                                                 {100, 80},
                                                                 {200, 40},
                                                                 {400, 20},
                                                                 {800, 10}};
        for (const auto& [gbps, psPerByte] : rates)
        {
            for (const int64_t gap : {0, 20})
            {
                // 1 us of delay; frames of 1518, 64 and 1000 B queued at 0: the last bits leave
                // after 1518 + g, 1582 + 2g and 2582 + 3g bytes
                TestLink link(gbps * GBPS, MicroSeconds(1), static_cast<uint32_t>(gap));
                for (const uint32_t size : {1518, 64, 1000})
                {
                    link.leftPort->Enqueue(MakeData(size, size));
                }
                NS_TEST_EXPECT_MSG_EQ(link.leftPort->GetBusyUntilPs(),
                                      (1518 + gap) * psPerByte,
                                      "the first went at once");
                NS_TEST_EXPECT_MSG_EQ(link.leftPort->GetQueueBytes(), 1064, "two wait");
                Simulator::Run();
                const auto& got = link.right->arrivals;
                NS_TEST_ASSERT_MSG_EQ(got.size(), 3, "arrivals");
                const int64_t bytes[] = {1518 + gap, 1582 + 2 * gap, 2582 + 3 * gap};
                for (int i = 0; i < 3; ++i)
                {
                    const int64_t expected = bytes[i] * psPerByte + 1000000;
                    NS_TEST_EXPECT_MSG_EQ(got[i].timePs,
                                          expected,
                                          gbps << " Gb/s, gap " << gap << ", packet " << i);
                    NS_TEST_EXPECT_MSG_EQ(got[i].now,
                                          FabricTime::FromPs(expected),
                                          "handled in the first tick not before");
                }
                NS_TEST_EXPECT_MSG_EQ(link.leftPort->GetCounters().txBytes, 2582, "no gaps");
                NS_TEST_EXPECT_MSG_EQ(link.rightPort->GetCounters().rxDataPackets, 3, "hops");
                Simulator::Destroy();
            }
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Rates without whole picoseconds a byte.
 */
class OddRateTestCase : public TestCase
{
  public:
    OddRateTestCase()
        : TestCase("rates that do not divide picoseconds carry the remainder: exact in the long "
                   "run")
    {
    }

  private:
    void DoRun() override
    {
        // 1000 B at 3 Gb/s: 8000/3 x 1000 = 2,666,666 2/3 ps; three take exactly 8 us.
        {
            TestLink link(3 * GBPS, NanoSeconds(1), 0);
            for (int i = 0; i < 6; ++i)
            {
                link.leftPort->Enqueue(MakeData(1000));
            }
            Simulator::Run();
            const int64_t expected[] = {2666666, 5333333, 8000000, 10666666, 13333333, 16000000};
            for (int i = 0; i < 6; ++i)
            {
                NS_TEST_EXPECT_MSG_EQ(link.right->arrivals.at(i).timePs,
                                      expected[i] + 1000,
                                      "3 Gb/s, packet " << i);
            }
            Simulator::Destroy();
        }
        // Any sizes: packet n ends after floor(bytes so far x 8e12 / rate) ps, to the last one.
        constexpr uint32_t SEED = 7;
        std::mt19937 random(SEED);
        for (const uint64_t rate :
             {3 * GBPS, 7 * GBPS, 11 * GBPS, 103 * GBPS, 12345678901UL, 999999937UL})
        {
            TestLink link(rate, NanoSeconds(500));
            std::vector<Wide> ends;
            Wide bytes = 0;
            for (int i = 0; i < 2000; ++i)
            {
                const uint32_t size = 64 + random() % 9000;
                bytes += size + 20;
                ends.push_back(bytes * 8000000000000U / rate);
                link.leftPort->Enqueue(MakeData(size));
            }
            Simulator::Run();
            NS_TEST_ASSERT_MSG_EQ(link.right->arrivals.size(), ends.size(), "all arrive");
            for (std::size_t i = 0; i < ends.size(); ++i)
            {
                NS_TEST_ASSERT_MSG_EQ(link.right->arrivals[i].timePs,
                                      static_cast<int64_t>(ends[i]) + 500000,
                                      rate << " bit/s, packet " << i << ", seed " << SEED);
            }
            Simulator::Destroy();
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A wire that runs idle.
 */
class IdleWireTestCase : public TestCase
{
  public:
    IdleWireTestCase()
        : TestCase("a packet leaves an idle wire at once, a busy one when it is free")
    {
    }

  private:
    void DoRun() override
    {
        // 100 Gb/s, gap 20: 980 B take 80 ns. Queued at 1000 ns (idle), 1079 ns (busy, waits one
        // ns), 1160 ns (free that very moment), 2000 ns (idle again).
        TestLink link(100 * GBPS, NanoSeconds(10));
        for (const int64_t ns : {1000, 1079, 1160, 2000})
        {
            Simulator::Schedule(NanoSeconds(ns),
                                [&link]() { link.leftPort->Enqueue(MakeData(980)); });
        }
        Simulator::Run();
        const int64_t expected[] = {1090000, 1170000, 1250000, 2090000};
        for (int i = 0; i < 4; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(link.right->arrivals.at(i).timePs, expected[i], "packet " << i);
        }
        NS_TEST_EXPECT_MSG_EQ(link.leftPort->GetNPacketsOnWire(), 0, "nothing on its way back");
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Both directions at once.
 */
class FullDuplexTestCase : public TestCase
{
  public:
    FullDuplexTestCase()
        : TestCase("the directions of a link do not disturb one another")
    {
    }

  private:
    void DoRun() override
    {
        TestLink link(100 * GBPS, NanoSeconds(1));
        link.leftPort->Enqueue(MakeData(980));
        link.rightPort->Enqueue(MakeData(1980));
        NS_TEST_EXPECT_MSG_EQ(link.rightPort->GetNPacketsOnWire(), 1, "towards the right");
        NS_TEST_EXPECT_MSG_EQ(link.leftPort->GetNPacketsOnWire(), 1, "towards the left");
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(link.right->arrivals.at(0).timePs, 81000, "80 ns + delay");
        NS_TEST_EXPECT_MSG_EQ(link.left->arrivals.at(0).timePs, 161000, "160 ns + delay");
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Whole packets over several hops.
 */
class StoreAndForwardTestCase : public TestCase
{
  public:
    StoreAndForwardTestCase()
        : TestCase("store and forward over one to six hops, equal and unequal rates")
    {
    }

  private:
    /// @return arrivals of the messages in ps @param rates of the links in Gb/s @param sizes of
    /// messages
    std::vector<int64_t> Deliver(std::vector<uint64_t> rates, const std::vector<uint64_t>& sizes)
    {
        for (auto& rate : rates)
        {
            rate *= GBPS;
        }
        FabricHelper helper;
        Ptr<Fabric> fabric = helper.Install(MakeChain(rates, 1000000));
        std::vector<int64_t> times;
        fabric->GetNic(1)->SetDeliveredCallback(
            [&times](const FabricMessageEvent& event) { times.push_back(event.nowPs); });
        for (uint32_t i = 0; i < sizes.size(); ++i)
        {
            fabric->GetNic(0)->Send(1, sizes[i], i);
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(fabric->CheckConservation().Holds(), true, "conservation");
        NS_TEST_EXPECT_MSG_EQ(fabric->GetDrops().empty(), true, "drops");
        Simulator::Destroy();
        return times;
    }

    void DoRun() override
    {
        // 1000 B of payload: 1062 + 20 B on the wire, 86,560 ps at 100 Gb/s, and 1 us of delay
        for (int64_t hops = 1; hops <= 6; ++hops)
        {
            const std::vector<uint64_t> rates(static_cast<std::size_t>(hops), 100);
            const auto times = Deliver(rates, {1000});
            NS_TEST_EXPECT_MSG_EQ(times.at(0), hops * 1086560, hops << " hops");
        }
        // 100, 25, 100 Gb/s: 86,560 + 346,240 + 86,560 + 3 us
        NS_TEST_EXPECT_MSG_EQ(Deliver({100, 25, 100}, {1000}).at(0), 3519360, "slow in the middle");
        // Ten packets: 86,560 + 10 x 346,240 + 86,560 + 3 us: they queue before the slow link.
        NS_TEST_EXPECT_MSG_EQ(Deliver({100, 25, 100}, {10000}).at(0),
                              6635520,
                              "behind one another");
        // 25, 100: the slow link comes first, nothing queues: 10 x 346,240 + 86,560 + 2 us.
        NS_TEST_EXPECT_MSG_EQ(Deliver({25, 100}, {10000}).at(0), 5548960, "slow first");
        // 1 B of payload: 63 + 20 B, 6640 ps a hop.
        NS_TEST_EXPECT_MSG_EQ(Deliver({100, 100}, {1}).at(0), 2013280, "smallest");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Delays shorter than a tick.
 */
class ShortDelayTestCase : public TestCase
{
  public:
    ShortDelayTestCase()
        : TestCase("a delay below one tick is refused")
    {
    }

  private:
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
 * @brief Packets that are lost on the wire.
 */
class LossyWireTestCase : public TestCase
{
  public:
    LossyWireTestCase()
        : TestCase("the receive error model's losses are counted and traced")
    {
    }

  private:
    /// @param item a lost packet
    void Lost(Ptr<const FabricPacketItem> item)
    {
        m_lost.push_back(item->data.tag);
    }

    void DoRun() override
    {
        TestLink link(100 * GBPS, NanoSeconds(1));
        Ptr<ReceiveListErrorModel> errors = CreateObject<ReceiveListErrorModel>();
        errors->SetList({0, 2, 3});
        link.rightPort->SetAttribute("ReceiveErrorModel", PointerValue(errors));
        link.rightPort->TraceConnectWithoutContext("Drop",
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
class TieTestCase : public TestCase
{
  public:
    TieTestCase()
        : TestCase("at one instant a wire is given away before arrivals, and arrivals come by port")
    {
    }

  private:
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

/**
 * @ingroup dcfabric-tests
 * @brief Links.
 */
class LinkTestSuite : public TestSuite
{
  public:
    LinkTestSuite()
        : TestSuite("dcfabric-link", TestSuite::Type::UNIT)
    {
        AddTestCase(new LineRateTestCase);
        AddTestCase(new OddRateTestCase);
        AddTestCase(new IdleWireTestCase);
        AddTestCase(new FullDuplexTestCase);
        AddTestCase(new StoreAndForwardTestCase);
        AddTestCase(new ShortDelayTestCase);
        AddTestCase(new LossyWireTestCase);
        AddTestCase(new TieTestCase);
    }
};

LinkTestSuite g_linkTestSuite; //!< registers the suite

} // namespace

} // namespace tests
} // namespace ns3
