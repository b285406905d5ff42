// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-suite.h"

#include "ns3/fabric-time.h"
#include "ns3/reduction-lane.h"
#include "ns3/reduction-slots.h"

#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief What a switch keeps of packets, and what a host sends again, each by itself.
 */

namespace ns3::tests::reduction_slots_test
{

using Verdict = ReductionSlots::Verdict;
using State = ReductionSlots::State;

/**
 * @ingroup dcfabric-tests
 * @brief Contributions count once; slots serve two versions of a window.
 */
class SlotsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // 70 children: their bits are in two words
        ReductionSlots slots(2, 70);
        NS_TEST_EXPECT_MSG_EQ(slots.GetN(), 4, "2 W");
        for (uint32_t child = 0; child < 69; ++child)
        {
            NS_TEST_EXPECT_MSG_EQ((slots.Contribute(1, child) == Verdict::NEW), true, child);
            NS_TEST_EXPECT_MSG_EQ((slots.Contribute(1, child) == Verdict::REPEAT), true, child);
        }
        NS_TEST_EXPECT_MSG_EQ(slots.At(1).missing, 1, "one is missing");
        NS_TEST_EXPECT_MSG_EQ((slots.ListMissing(1) == std::vector<uint32_t>{69}), true, "which");
        NS_TEST_EXPECT_MSG_EQ(slots.ListMissing(0).size(), 70, "nobody has come to 0");
        NS_TEST_EXPECT_MSG_EQ((slots.Contribute(1, 69) == Verdict::LAST), true, "all are there");
        NS_TEST_EXPECT_MSG_EQ((slots.Contribute(1, 3) == Verdict::REPEAT), true, "again");
        slots.At(1).state = State::RESULT;
        NS_TEST_EXPECT_MSG_EQ((slots.Contribute(1, 3) == Verdict::REPEAT), true, "has a result");
        // 5 takes the slot of 1, of which nobody asks any more
        NS_TEST_EXPECT_MSG_EQ((slots.Contribute(5, 3) == Verdict::NEW), true, "next version");
        NS_TEST_EXPECT_MSG_EQ((slots.Contribute(1, 3) == Verdict::LATE), true, "old copy");
        NS_TEST_EXPECT_MSG_EQ(slots.At(5).missing, 69, "it has added nothing");

        // W = 1 and one child
        ReductionSlots least(1, 1);
        for (uint64_t number = 0; number < 5; ++number)
        {
            NS_TEST_EXPECT_MSG_EQ((least.Contribute(number, 0) == Verdict::LAST), true, number);
        }
        NS_TEST_EXPECT_MSG_EQ((least.Contribute(3, 0) == Verdict::REPEAT), true, "is kept");
        NS_TEST_EXPECT_MSG_EQ((least.Contribute(2, 0) == Verdict::LATE), true, "is not");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What many children ask for is done once, until one asks again.
 */
class AskingTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        ReductionSlots slots(1, 3);
        for (uint32_t child = 0; child < 3; ++child)
        {
            slots.Contribute(0, child);
        }
        slots.At(0).state = State::SUMMED;
        NS_TEST_EXPECT_MSG_EQ(slots.Asks(0, 1), true, "the first");
        NS_TEST_EXPECT_MSG_EQ(slots.Asks(0, 0), false, "has been done");
        NS_TEST_EXPECT_MSG_EQ(slots.Asks(0, 2), false, "likewise");
        NS_TEST_EXPECT_MSG_EQ(slots.Asks(0, 0), true, "it was lost again");
        NS_TEST_EXPECT_MSG_EQ(slots.Asks(0, 1), false, "done for this one, too");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What a host sends when: window, losses, time-outs.
 */
class LaneTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// A result.
    static ReductionFields Result(uint64_t number)
    {
        ReductionFields fields{};
        fields.way = ReductionFields::DOWN;
        fields.ranks = 2;
        fields.number = number;
        return fields;
    }

    /// @return a lane of 5 packets, the last of 1 byte
    static ReductionLane MakeLane(uint32_t window)
    {
        ReductionLane::Settings settings;
        settings.window = window;
        settings.totalRanks = 2;
        settings.payloadBytes = 1000;
        settings.rttPs = 100;
        return ReductionLane(settings, 1000);
    }

    void DoRun() override
    {
        ReductionLane lane = MakeLane(4);
        std::vector<uint64_t> done;
        uint32_t asked = 0;
        lane.SetCallbacks([&done](uint64_t number) { done.push_back(number); },
                          [&asked](uint32_t tries) {
                              asked = tries;
                              return tries > 5;
                          });
        NS_TEST_EXPECT_MSG_EQ(lane.HasPacket(), false, "nothing to send");
        NS_TEST_EXPECT_MSG_EQ(lane.GetDuePs(), FabricTime::NEVER, "nothing to wait for");
        NS_TEST_EXPECT_MSG_EQ(lane.Append({ReductionFields::ALL_REDUCE, 0, true, 4001}), 5, "5");
        // a barrier, and a broadcast for which this host has nothing
        NS_TEST_EXPECT_MSG_EQ(lane.Append({ReductionFields::ALL_REDUCE, 0, true, 0}), 6, "6");
        NS_TEST_EXPECT_MSG_EQ(lane.Append({ReductionFields::BROADCAST, 7, false, 1000}), 7, "7");

        for (uint64_t number = 0; number < 4; ++number)
        {
            NS_TEST_EXPECT_MSG_EQ(lane.HasPacket(), true, "within the window");
            const ReductionFields fields = lane.Take(static_cast<int64_t>(number) * 10);
            NS_TEST_EXPECT_MSG_EQ(fields.number, number, "in order");
            NS_TEST_EXPECT_MSG_EQ(fields.payloadBytes, 1000, "full");
        }
        NS_TEST_EXPECT_MSG_EQ(lane.HasPacket(), false, "the window is full");
        NS_TEST_EXPECT_MSG_EQ(lane.GetDuePs(), 1000, "of packet 0");

        // 1 before 0: 0 is lost, and is sent again; the window does not move
        lane.OnResult(Result(1), 110);
        NS_TEST_EXPECT_MSG_EQ(lane.HasPacket(), true, "0 again");
        NS_TEST_EXPECT_MSG_EQ(lane.GetDuePs(), FabricTime::NEVER, "it waits to be sent");
        NS_TEST_EXPECT_MSG_EQ(lane.Take(120).number, 0, "0 again");
        NS_TEST_EXPECT_MSG_EQ(lane.GetDuePs(), 1120, "of the second copy");
        NS_TEST_EXPECT_MSG_EQ(lane.HasPacket(), false, "0 holds the window");
        lane.OnResult(Result(2), 120); // it left before the second copy of 0
        lane.OnResult(Result(3), 130);
        NS_TEST_EXPECT_MSG_EQ(lane.HasPacket(), false, "once is enough");
        lane.OnResult(Result(1), 140);
        NS_TEST_EXPECT_MSG_EQ(lane.GetCounts().duplicates, 1, "1 again");
        lane.OnResult(Result(0), 220);
        NS_TEST_EXPECT_MSG_EQ(lane.GetBase(), 4, "all of the window");

        // 4, 5 and 6; nothing comes of 4: time-outs double, four times at most
        NS_TEST_EXPECT_MSG_EQ(lane.Take(220).payloadBytes, 1, "the rest");
        NS_TEST_EXPECT_MSG_EQ(lane.Take(221).payloadBytes, 0, "a barrier");
        NS_TEST_EXPECT_MSG_EQ(lane.Take(222).payloadBytes, 0, "of another");
        NS_TEST_EXPECT_MSG_EQ(lane.HasPacket(), false, "no more");
        lane.OnTime(1219);
        NS_TEST_EXPECT_MSG_EQ(asked, 0, "too early");
        int64_t nowPs = 1220;
        for (uint32_t tries = 1; tries <= 5; ++tries)
        {
            NS_TEST_EXPECT_MSG_EQ(lane.GetDuePs(), nowPs, "due");
            lane.OnTime(nowPs);
            NS_TEST_EXPECT_MSG_EQ(asked, tries, "in a row");
            NS_TEST_EXPECT_MSG_EQ(lane.Take(nowPs).number, 4, "the oldest");
            nowPs += int64_t{1000} << std::min(tries, 4U);
        }
        lane.OnTime(nowPs);
        NS_TEST_EXPECT_MSG_EQ(lane.HasGivenUp(), true, "the sixth");
        NS_TEST_EXPECT_MSG_EQ(lane.GetDuePs(), FabricTime::NEVER, "it waits no more");

        // a result after all: when no other follows for two round trips, 5 and 6, which left before
        // the last copy of 4, are lost
        NS_TEST_EXPECT_MSG_EQ(done.empty(), true, "nothing is done");
        lane.OnResult(Result(4), nowPs + 1);
        NS_TEST_EXPECT_MSG_EQ((done == std::vector<uint64_t>{5}), true, "the first is");
        NS_TEST_EXPECT_MSG_EQ(lane.HasGivenUp(), false, "it goes on");
        NS_TEST_EXPECT_MSG_EQ(lane.HasPacket(), false, "not yet");
        NS_TEST_EXPECT_MSG_EQ(lane.GetDuePs(), nowPs + 201, "two round trips");
        lane.OnTime(nowPs + 201);
        NS_TEST_EXPECT_MSG_EQ(lane.Take(nowPs + 201).number, 5, "again");
        NS_TEST_EXPECT_MSG_EQ(lane.Take(nowPs + 201).number, 6, "again");
        NS_TEST_EXPECT_MSG_EQ(lane.GetDuePs(), nowPs + 1201, "as usual");
        lane.OnResult(Result(5), nowPs + 301);
        lane.OnResult(Result(6), nowPs + 302);
        NS_TEST_EXPECT_MSG_EQ((done == std::vector<uint64_t>{5, 6, 7}), true, "all are");
        NS_TEST_EXPECT_MSG_EQ(lane.GetDuePs(), FabricTime::NEVER, "nothing to wait for");
        NS_TEST_EXPECT_MSG_EQ(lane.GetCounts().sentAgain, 8, "0, five times 4, 5 and 6");

        // Everything is late: a packet is sent again, but its first copy brings the result, and
        // those of the others follow within two round trips: they are not sent again.
        ReductionLane late = MakeLane(3);
        late.SetCallbacks([](uint64_t) {}, [](uint32_t) { return false; });
        late.Append({ReductionFields::ALL_REDUCE, 0, true, 3000});
        for (int64_t ps = 0; ps < 3; ++ps)
        {
            late.Take(ps);
        }
        late.OnTime(1000);
        NS_TEST_EXPECT_MSG_EQ(late.Take(1000).number, 0, "nothing has come");
        late.OnResult(Result(0), 1010);
        late.OnResult(Result(1), 1110);
        NS_TEST_EXPECT_MSG_EQ(late.HasPacket(), false, "they come");
        NS_TEST_EXPECT_MSG_EQ(late.GetDuePs(), 2110, "since the last result");
        late.OnResult(Result(2), 1210);
        NS_TEST_EXPECT_MSG_EQ(late.GetCounts().sentAgain, 1, "one too many");

        // a packet that waits to be sent again need not, once its result comes
        ReductionLane other = MakeLane(2);
        other.SetCallbacks([](uint64_t) {}, [](uint32_t) { return false; });
        other.Append({ReductionFields::ALL_REDUCE, 0, true, 2000});
        other.Take(0);
        other.Take(0);
        other.OnTime(1000);
        other.OnResult(Result(0), 1001);
        NS_TEST_EXPECT_MSG_EQ(other.HasPacket(), false, "it has come");
        other.OnResult(Result(1), 1002);
        NS_TEST_EXPECT_MSG_EQ(other.GetBase(), 2, "both");
    }
};

const SuiteCases g_cases("dcfabric-reduction", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new SlotsTestCase("contributions count once"));
    suite.AddTestCase(new AskingTestCase("what many ask for is done once"));
    suite.AddTestCase(new LaneTestCase("what a host sends when"));
});

} // namespace ns3::tests::reduction_slots_test
