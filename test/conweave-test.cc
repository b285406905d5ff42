// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-network.h"
#include "fabric-test-plan.h"
#include "fabric-test-schedule.h"
#include "fabric-test-suite.h"
#include "fabric-test-wire.h"

#include "ns3/conweave-feature.h"
#include "ns3/fabric-helper.h"
#include "ns3/test.h"

#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief ConWeave: both ends of a flow, and its example step by step.
 */

namespace ns3::tests::conweave_test
{

constexpr uint32_t A = 1; //!< a way
constexpr uint32_t B = 2; //!< another
constexpr uint32_t NO_WAY = EdgePath::NONE;

using Sender = ConweaveSender;
using Receiver = ConweaveReceiver;
using Tag = ConweaveTag;

/// What edge switches tell one another.
Ptr<Item>
MakeConweave(std::mt19937_64& random)
{
    auto item = Item::Create(ConweaveFields::TYPE);
    FillCommon(*item, random);
    const auto draw = [&random](uint32_t mask) { return static_cast<uint32_t>(random()) & mask; };
    item->As<ConweaveFields>() = {ConweaveFields::NOTIFY,
                                  static_cast<uint8_t>(draw(0xff)),
                                  static_cast<uint16_t>(draw(0xffff)),
                                  draw(MASK_24),
                                  draw(MASK_24),
                                  draw(0xffffffff)};
    item->size = CreateObject<RoceV2WireFormat>()->GetNoticeBytes(ConweaveFields::BYTES);
    return item;
}

/// @return true if the fields of two of them are the same
bool
IsSameConweave(const Item& a, const Item& b)
{
    const auto& x = a.As<ConweaveFields>();
    const auto& y = b.As<ConweaveFields>();
    return x.kind == y.kind && x.epoch == y.epoch && x.entropy == y.entropy &&
           x.flowSrc == y.flowSrc && x.flowDst == y.flowDst && x.path == y.path;
}

/// Takes part in what is checked of all types.
const bool g_entered =
    GetWingPackets()
        .emplace(ConweaveFields::TYPE, WingPacket{&MakeConweave, &IsSameConweave})
        .second;

/**
 * @ingroup dcfabric-tests
 * @brief The first switch of a flow.
 */
class ConweaveSenderTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief Send a packet and check what it is.
     * @param sender the flow
     * @param nowPs when
     * @param good a way that is not bad
     * @param flag that is expected
     * @param phase that is expected
     * @param path that is expected
     */
    void Step(Sender& sender,
              int64_t nowPs,
              uint32_t good,
              Tag::Flag flag,
              bool phase,
              uint32_t path)
    {
        uint32_t taken = NO_WAY;
        const Tag tag = sender.OnData(nowPs, {12 * US, 300 * US}, good, true, taken);
        NS_TEST_EXPECT_MSG_EQ(static_cast<int>(tag.flag), static_cast<int>(flag), "at " << nowPs);
        NS_TEST_EXPECT_MSG_EQ(tag.phase, phase, "phase at " << nowPs);
        NS_TEST_EXPECT_MSG_EQ(taken, path, "path at " << nowPs);
        NS_TEST_EXPECT_MSG_EQ(tag.sentNs, static_cast<uint32_t>(nowPs / 1000), "at " << nowPs);
        m_tailNs = tag.tailNs;
    }

    void DoRun() override
    {
        // base RTT 8 us and 4 us more: a reply to the packet of 0 us has to come until 12 us
        Sender sender;
        Step(sender, 0, A, Tag::INIT, false, A);
        NS_TEST_EXPECT_MSG_EQ(+sender.GetEpoch(), 1, "the first epoch");
        Step(sender, 12 * US, B, Tag::DATA, false, A); // not later than the timer
        Step(sender, 13 * US, B, Tag::TAIL, false, A); // the old way for the last time
        Step(sender, 13100000, A, Tag::DATA, true, B);
        NS_TEST_EXPECT_MSG_EQ(m_tailNs, 13000, "when the tail passed");
        NS_TEST_EXPECT_MSG_EQ(sender.OnReply(false, 1, 13150000), false, "too late: phase 1");
        NS_TEST_EXPECT_MSG_EQ(sender.OnReply(true, 9, 26 * US), false, "of another epoch");
        NS_TEST_EXPECT_MSG_EQ(sender.OnReply(true, 1, 26 * US), true, "the tail has come");
        NS_TEST_EXPECT_MSG_EQ(sender.OnReply(true, 1, 26 * US), false, "twice");
        Step(sender, 30 * US, A, Tag::INIT, false, B); // epoch 2, same way
        NS_TEST_EXPECT_MSG_EQ(+sender.GetEpoch(), 2, "the next epoch");
        // a reply in time: the next packet begins an epoch, whatever is drawn
        NS_TEST_EXPECT_MSG_EQ(sender.OnReply(false, 2, 42 * US), true, "just in time");
        Step(sender, 42 * US, A, Tag::INIT, false, B);
        NS_TEST_EXPECT_MSG_EQ(sender.OnReply(true, 3, 43 * US), false, "no tail was sent");
        NS_TEST_EXPECT_MSG_EQ(sender.OnReply(false, 3, 54 * US + 1), false, "late by 1 ps");
        // no way is good: the old one stays, and still there is a tail
        Step(sender, 55 * US, NO_WAY, Tag::TAIL, false, B);
        Step(sender, 56 * US, A, Tag::DATA, true, B);
        Step(sender, 900 * US, A, Tag::INIT, false, A);  // 844 us of pause
        Step(sender, 1200 * US, B, Tag::TAIL, false, A); // 300 us are none
        // the way fails: an epoch begins on another one at once
        uint32_t taken = NO_WAY;
        Sender failed = sender;
        const Tag tag = failed.OnData(1201 * US, {12 * US, 300 * US}, A, false, taken);
        NS_TEST_EXPECT_MSG_EQ(static_cast<int>(tag.flag), static_cast<int>(Tag::INIT), "failed");
        NS_TEST_EXPECT_MSG_EQ(taken, A, "the good one");
        // 8 bits of an epoch
        const int before = sender.GetEpoch();
        for (int i = 1; i <= 300; ++i)
        {
            sender.OnData((2000 + i * 400) * US, {12 * US, 300 * US}, A, true, taken);
        }
        const int after = sender.GetEpoch();
        NS_TEST_EXPECT_MSG_EQ(after, (before + 300) % 256, "wraps");
    }

    uint32_t m_tailNs{0}; //!< of the last packet
};

/**
 * @ingroup dcfabric-tests
 * @brief The last switch of a flow.
 */
class ConweaveReceiverTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    static constexpr Receiver::Times TIMES{16 * US, 200 * US, 300 * US}; //!< of the example

    /// @return true if a packet is held, which this does then
    static bool Take(Receiver& receiver, const Tag& tag, int64_t nowPs)
    {
        const bool isHeld = receiver.OnData(tag, nowPs, TIMES);
        if (isHeld)
        {
            receiver.Hold(MakeData(1000, receiver.GetNHeld()));
        }
        return isHeld;
    }

    void DoRun() override
    {
        const auto release = [](const Receiver& receiver) { return receiver.GetReleasePs(); };
        const Tag first{1, false, Tag::INIT, 0, 0};
        const Tag second{1, false, Tag::DATA, 12000, 0};
        const Tag tail{1, false, Tag::TAIL, 13000, 0};
        const Tag fourth{1, true, Tag::DATA, 13100, 13000};
        Receiver receiver;
        NS_TEST_EXPECT_MSG_EQ(Take(receiver, first, 11 * US), false, "in order");
        NS_TEST_EXPECT_MSG_EQ(Take(receiver, fourth, 15100000), true, "early");
        NS_TEST_EXPECT_MSG_EQ(release(receiver), 40 * US, "11 + 13 + 16");
        NS_TEST_EXPECT_MSG_EQ(Take(receiver, second, 23 * US), false, "of the old way");
        NS_TEST_EXPECT_MSG_EQ(release(receiver), 40 * US, "23 + 1 + 16");
        NS_TEST_EXPECT_MSG_EQ(Take(receiver, fourth, 23500000), true, "a follower");
        NS_TEST_EXPECT_MSG_EQ(release(receiver), 40 * US, "does not move it");
        NS_TEST_EXPECT_MSG_EQ(Take(receiver, tail, 24 * US), false, "passes");
        NS_TEST_EXPECT_MSG_EQ(release(receiver), 24001000, "just behind it");
        const auto held = receiver.Release();
        NS_TEST_ASSERT_MSG_EQ(held.size(), 2, "both");
        NS_TEST_EXPECT_MSG_EQ(held[0]->data.tag, 0, "in order");
        NS_TEST_EXPECT_MSG_EQ(release(receiver), Receiver::NEVER, "nothing is left");
        NS_TEST_EXPECT_MSG_EQ(Take(receiver, fourth, 25 * US), false, "phase 1 now");
        NS_TEST_EXPECT_MSG_EQ(Take(receiver, second, 26 * US), false, "a late one passes");

        // the next epoch, of which nothing but phase 1 has come: 200 + 16 us
        const Tag early{2, true, Tag::DATA, 50000, 49000};
        NS_TEST_EXPECT_MSG_EQ(Take(receiver, early, 52 * US), true, "nothing of phase 0");
        NS_TEST_EXPECT_MSG_EQ(release(receiver), 268 * US, "52 + 200 + 16");
        NS_TEST_EXPECT_MSG_EQ(Take(receiver, fourth, 53 * US), false, "of the epoch before");
        NS_TEST_EXPECT_MSG_EQ(Take(receiver, {2, false, Tag::DATA, 40000, 0}, 60 * US), false, "0");
        NS_TEST_EXPECT_MSG_EQ(release(receiver), 85 * US, "60 + 9 + 16");
        // the epoch after that begins before it: what is held goes first
        const Tag next{3, false, Tag::INIT, 61000, 0};
        NS_TEST_EXPECT_MSG_EQ(receiver.Begins(next, 63 * US, TIMES), true, "later");
        NS_TEST_EXPECT_MSG_EQ(receiver.Release().size(), 1, "one");
        NS_TEST_EXPECT_MSG_EQ(Take(receiver, next, 63 * US), false, "passes");
        // a tail with nothing held: phase 1 needs no waiting
        NS_TEST_EXPECT_MSG_EQ(Take(receiver, {3, false, Tag::TAIL, 70000, 0}, 72 * US), false, "0");
        NS_TEST_EXPECT_MSG_EQ(Take(receiver, {3, true, Tag::DATA, 71000, 70000}, 73 * US),
                              false,
                              "in order");
        // a release that would lie in the past is at once: 80 + 1 + 16 us is before 200 us
        Receiver late;
        Take(late, {7, false, Tag::INIT, 79000, 0}, 80 * US);
        NS_TEST_EXPECT_MSG_EQ(Take(late, {7, true, Tag::DATA, 90000, 80000}, 200 * US), true, "1");
        NS_TEST_EXPECT_MSG_EQ(release(late), 200 * US + 1000, "a nanosecond");
        // numbers and times wrap: epoch 255 to 0, 2^32 ns between the two packets
        Receiver wraps;
        Take(wraps, {255, false, Tag::INIT, 1, 0}, US);
        Take(wraps, {0, false, Tag::INIT, 0xffffff00, 0}, 2 * US);
        NS_TEST_EXPECT_MSG_EQ(Take(wraps, {255, true, Tag::DATA, 9, 8}, 3 * US), false, "before");
        NS_TEST_EXPECT_MSG_EQ(Take(wraps, {0, true, Tag::DATA, 800, 768}, 3 * US), true, "early");
        NS_TEST_EXPECT_MSG_EQ(release(wraps), 2 * US + 1024000 + 16 * US, "768 + 256 ns later");
        // after a pause any epoch is new
        Receiver paused;
        Take(paused, {200, false, Tag::INIT, 0, 0}, US);
        NS_TEST_EXPECT_MSG_EQ(paused.Begins({100, false, Tag::DATA, 0, 0}, 301 * US, TIMES),
                              false,
                              "300 us are no pause");
        NS_TEST_EXPECT_MSG_EQ(paused.Begins({100, false, Tag::DATA, 0, 0}, 301 * US + 1, TIMES),
                              true,
                              "1 ps more is");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief The example in a network.
 */
class ConweaveExampleTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief A packet arrives at the last switch, or leaves it for the host.
     * @param list where to note it
     * @param item which
     */
    static void Note(std::vector<std::pair<uint32_t, int64_t>>* list,
                     Ptr<const FabricPacketItem> item)
    {
        if (item->type == FabricPacketType::DATA)
        {
            list->emplace_back(item->data.msn, FabricActor::SimulatorNowPs());
        }
    }

    /**
     * @brief Run the example.
     * @param stream of draws
     * @return true if the first packet took A and the last one B
     */
    bool Try(int64_t stream)
    {
        // Way A takes 11 us, way B 2 us. At 100 Tb/s a packet takes 0.1 ns, so that times are those
        // of delays to the nanosecond.
        constexpr uint64_t FAST = 100000 * GBPS;
        const FabricGraph graph = PlanOfLinks(2,
                                              4,
                                              {{0, 2, FAST, 1000},
                                               {1, 3, FAST, 1000},
                                               {2, 4, FAST, 5500000},
                                               {2, 5, FAST, US},
                                               {3, 4, FAST, 5500000},
                                               {3, 5, FAST, US}});
        FabricHelper helper;
        helper.SetPathSelector("ns3::ConweavePathSelector");
        helper.AddSwitchFeature("ns3::ConweaveFeature",
                                "BaseRtt",
                                TimeValue(MicroSeconds(8)),
                                "ReplyExtra",
                                TimeValue(MicroSeconds(4)),
                                "FlushExtra",
                                TimeValue(MicroSeconds(16)),
                                "DefaultWait",
                                TimeValue(MicroSeconds(200)),
                                "Expiry",
                                TimeValue(MicroSeconds(300)));
        helper.SetNicAttribute("PdcPerMessage", BooleanValue(false));
        helper.SetFlowControl("none");
        Ptr<Fabric> fabric = helper.Install(graph);
        helper.AssignStreams(fabric, stream);
        std::vector<std::pair<uint32_t, int64_t>> arrived;
        std::vector<std::pair<uint32_t, int64_t>> left;
        std::vector<std::pair<uint32_t, int64_t>> onA;
        for (const uint16_t port : {1, 2})
        {
            fabric->GetPort(3, port)->TraceConnectWithoutContext(
                "Receive",
                MakeBoundCallback(&ConweaveExampleTestCase::Note, &arrived));
        }
        fabric->GetPort(3, 0)->TraceConnectWithoutContext(
            "Transmit",
            MakeBoundCallback(&ConweaveExampleTestCase::Note, &left));
        fabric->GetPort(2, 1)->TraceConnectWithoutContext(
            "Transmit",
            MakeBoundCallback(&ConweaveExampleTestCase::Note, &onA));
        // 11.9 us, not 12: a picosecond more would be later than the timer
        for (const int64_t timePs :
             {int64_t{0}, int64_t{11900000}, 13 * US, int64_t{13100000}, 60 * US})
        {
            fabric->GetNic(0)->GetMessages().SendAt(timePs, 1, 1000, 0);
        }
        Simulator::Run();
        const bool isCase = onA.size() == 3 && onA.front().first == 0 && onA.back().first == 2;
        if (isCase)
        {
            Check(arrived, left, *fabric);
        }
        Simulator::Destroy();
        return isCase;
    }

    /**
     * @brief Check the times.
     * @param arrived packets at the last switch
     * @param left packets on their way to the host
     * @param fabric after the run
     */
    void Check(const std::vector<std::pair<uint32_t, int64_t>>& arrived,
               const std::vector<std::pair<uint32_t, int64_t>>& left,
               const Fabric& fabric)
    {
        // of messages 0 to 4; the way of the host to its switch is a nanosecond
        const std::pair<uint32_t, double> here[] = {{0, 11},
                                                    {3, 15.1},
                                                    {1, 22.9},
                                                    {2, 24},
                                                    {4, 62}};
        const std::pair<uint32_t, double> host[] = {{0, 11},
                                                    {1, 22.9},
                                                    {2, 24},
                                                    {3, 24.001},
                                                    {4, 62}};
        NS_TEST_ASSERT_MSG_EQ(arrived.size(), 5, "all have come");
        NS_TEST_ASSERT_MSG_EQ(left.size(), 5, "all go on");
        for (std::size_t i = 0; i < 5; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(arrived[i].first, here[i].first, "order at the switch, " << i);
            NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(arrived[i].second) / US,
                                      here[i].second,
                                      0.003,
                                      "at the switch, " << i);
            NS_TEST_EXPECT_MSG_EQ(left[i].first, host[i].first, "order at the host, " << i);
            NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(left[i].second) / US,
                                      host[i].second,
                                      0.004,
                                      "to the host, " << i);
        }
        // the tail's reply made the flow stable: message 4 began epoch 2 on B, and its reply again
        const auto feature = fabric.GetSwitch(2)->GetFeature<ConweaveFeature>();
        uint64_t epochs = 0;
        uint64_t moves = 0;
        for (const auto& [name, count] : feature->GetCounters())
        {
            epochs += std::string(name) == "conweave_epochs" ? count : 0;
            moves += std::string(name) == "conweave_moves" ? count : 0;
        }
        NS_TEST_EXPECT_MSG_EQ(epochs, 2, "two epochs");
        NS_TEST_EXPECT_MSG_EQ(moves, 1, "one move");
        NS_TEST_EXPECT_MSG_EQ(fabric.GetDrops().empty(), true, "no drop");
        NS_TEST_EXPECT_MSG_EQ(fabric.CheckConservation().Holds(), true, "conservation");
    }

    void DoRun() override
    {
        // The first packet takes A with probability 1/2, and the tail is followed by B likewise:
        // 64 tries find no such case with probability (3/4)^64 = 10^-8.
        bool found = false;
        for (int64_t stream = 0; stream < 64 && !found; ++stream)
        {
            found = Try(stream * 1000000);
        }
        NS_TEST_EXPECT_MSG_EQ(found, true, "A first, then B");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Ways that are marked, and what is refused.
 */
class ConweaveNotifyTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // 0 -> 2 and 1 -> 3 by four ways of 25 Gb/s: all of them are marked
        PlanLinks links{{0, 4}, {1, 4}, {2, 5}, {3, 5}};
        for (uint32_t way = 6; way < 10; ++way)
        {
            links.push_back({4, way, 25 * GBPS});
            links.push_back({5, way, 25 * GBPS});
        }
        const FabricGraph graph = PlanOfLinks(4, 6, links);
        FabricHelper helper;
        helper.SetPathSelector("ns3::ConweavePathSelector");
        helper.SetCongestionControl("ns3::DctcpCongestionControl");
        Ptr<Fabric> fabric = helper.Install(graph);
        fabric->GetNic(0)->GetMessages().Send(2, 4000000, 0);
        fabric->GetNic(1)->GetMessages().Send(3, 4000000, 1);
        bool wasBad = false;
        const auto feature = fabric->GetSwitch(4)->GetFeature<ConweaveFeature>();
        for (int64_t at = 1; at < 400; ++at)
        {
            CallIn(MicroSeconds(at), [&feature, &wasBad]() {
                for (uint16_t port = 2; port < 6; ++port)
                {
                    wasBad = wasBad || feature->IsBad(5, EdgePath::WithPort(0, 0, port));
                }
            });
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(wasBad, true, "marks are told");
        for (uint16_t port = 2; port < 6; ++port)
        {
            NS_TEST_EXPECT_MSG_EQ(feature->IsBad(4, EdgePath::WithPort(0, 0, port)), false, "own");
        }
        NS_TEST_EXPECT_MSG_EQ(fabric->CheckConservation().Holds(), true, "conservation");
        Simulator::Destroy();

        FabricHelper timely;
        timely.SetPathSelector("ns3::ConweavePathSelector");
        timely.SetCongestionControl("ns3::TimelyCongestionControl");
        DCFABRIC_EXPECT_REFUSAL(timely.Install(graph),
                                "ns3::TimelyCongestionControl compares delays of packets of one "
                                "path, but ns3::ConweavePathSelector moves flows from path to path "
                                "and holds packets back");
        Simulator::Destroy();
        FabricHelper voq;
        voq.SetPathSelector("ns3::ConweavePathSelector");
        voq.SetBuffer("ns3::VoqBuffer");
        DCFABRIC_EXPECT_REFUSAL(voq.Install(graph),
                                "ns3::ConweaveFeature releases packets into the queues of outputs, "
                                "but those before them may wait at inputs under ns3::VoqBuffer");
        Simulator::Destroy();
    }
};

/// ConWeave.
const SuiteCases g_cases("dcfabric-conweave", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new ConweaveSenderTestCase("epochs, replies and tails at the first switch"));
    suite.AddTestCase(
        new ConweaveReceiverTestCase("what overtakes the tail is held at the last switch"));
    suite.AddTestCase(new ConweaveExampleTestCase("ways of 11 and 2 us, step by step"));
    suite.AddTestCase(new ConweaveNotifyTestCase("marked ways are told and avoided; refusals"));
});

} // namespace ns3::tests::conweave_test
