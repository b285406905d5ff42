// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-memory.h"
#include "../fabric-test-schedule.h"
#include "../fabric-test-suite.h"
#include "fabric-test-messages.h"

#include "ns3/double.h"
#include "ns3/match-table.h"
#include "ns3/message-protocols.h"
#include "ns3/message-timers.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <cstddef>
#include <iostream>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Match tables, what happens when they are full, memory of posted receives, back-offs and
 * timers of messages.
 */

namespace ns3::tests::match_table_test
{

/**
 * @ingroup dcfabric-tests
 * @brief What is kept of receives that are over.
 */
class KeptMatchesTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief A receive ends.
     * @param table it has its entry
     * @param msn number
     * @param complete all came
     * @param buffer of the receive
     */
    static void End(MatchTable& table, uint32_t msn, bool complete, uint8_t* buffer)
    {
        MatchEntry* entry = table.Insert(MatchTable::MakeKey(4, msn));
        entry->handle = 100 + msn;
        entry->buffer = buffer;
        entry->messageBytes = 3000;
        entry->committed = complete ? 2000 : 1000; // truncated, or the rest did not come
        entry->tag = 50 + msn;
        table.Finish(MatchTable::MakeKey(4, msn), complete);
    }

    void DoRun() override
    {
        uint8_t memory[2] = {};
        const auto none = CreateObject<HashMatchTable>();
        End(*none, 1, true, memory);
        NS_TEST_EXPECT_MSG_EQ(none->GetNEntries(), 0, "removed");
        NS_TEST_EXPECT_MSG_EQ(none->FindKept(MatchTable::MakeKey(4, 1)), nullptr, "by default");

        const auto table =
            CreateObjectWithAttributes<HashMatchTable>("KeptEntries", UintegerValue(2));
        End(*table, 1, true, memory);
        End(*table, 2, false, memory + 1);
        const KeptMatch* kept = table->FindKept(MatchTable::MakeKey(4, 2));
        NS_TEST_ASSERT_MSG_NE(kept, nullptr, "the last");
        NS_TEST_EXPECT_MSG_EQ(kept->handle, 102, "handle");
        NS_TEST_EXPECT_MSG_EQ((kept->buffer == memory + 1), true, "buffer");
        NS_TEST_EXPECT_MSG_EQ(kept->messageBytes, 3000, "length");
        NS_TEST_EXPECT_MSG_EQ(kept->committed, 1000, "in memory");
        NS_TEST_EXPECT_MSG_EQ(kept->tag, 52, "tag");
        NS_TEST_EXPECT_MSG_EQ(kept->complete, false, "given up");
        NS_TEST_EXPECT_MSG_EQ(table->FindKept(MatchTable::MakeKey(4, 1))->committed, 2000, "first");
        NS_TEST_EXPECT_MSG_EQ(table->FindKept(MatchTable::MakeKey(5, 1)), nullptr, "other source");
        End(*table, 3, true, nullptr);
        NS_TEST_EXPECT_MSG_EQ(table->FindKept(MatchTable::MakeKey(4, 1)), nullptr, "gave way");
        NS_TEST_EXPECT_MSG_NE(table->FindKept(MatchTable::MakeKey(4, 3)), nullptr, "for the third");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Entries, canaries, capacity and traces of a table.
 */
class TableTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief Note an occupancy.
     * @param before old
     * @param now new
     */
    void NoteOccupancy(uint32_t before, uint32_t now)
    {
        m_occupancies.push_back(now);
        NS_TEST_EXPECT_MSG_EQ((before != now), true, "a change");
    }

    /**
     * @brief Note look-ups.
     * @param before old
     * @param now new
     */
    void NoteLookups(uint64_t before, uint64_t now)
    {
        NS_TEST_EXPECT_MSG_EQ(now, before + 1, "one at a time");
        m_lookups = now;
    }

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(MatchTable::MakeKey(1, 0xffffffff), 0x1ffffffffULL, "parts apart");
        NS_TEST_EXPECT_MSG_EQ(MatchTable::MakeKey(2, 0), 0x200000000ULL, "parts apart");

        Ptr<TcamMatchTable> table = CreateObject<TcamMatchTable>();
        NS_TEST_EXPECT_MSG_EQ(table->GetCapacity(), 1024, "default");
        table->SetAttribute("Capacity", UintegerValue(3));
        table->TraceConnectWithoutContext("Occupancy",
                                          MakeCallback(&TableTestCase::NoteOccupancy, this));
        table->TraceConnectWithoutContext("Lookups",
                                          MakeCallback(&TableTestCase::NoteLookups, this));
        const auto a = MatchTable::MakeKey(1, 5);
        const auto b = MatchTable::MakeKey(2, 5);
        const auto c = MatchTable::MakeKey(1, 6);
        const auto d = MatchTable::MakeKey(3, 0);
        MatchEntry* posted = table->Insert(a);
        NS_TEST_ASSERT_MSG_NE(posted, nullptr, "room");
        NS_TEST_EXPECT_MSG_EQ((posted->state == MatchEntry::State::POSTED), true, "new");
        NS_TEST_EXPECT_MSG_EQ(posted->pdc, MatchEntry::NO_PDC, "the empty canary");
        posted->pdc = 7;
        table->Insert(b)->pdc = 7;
        table->Insert(c)->pdc = 8;
        NS_TEST_EXPECT_MSG_EQ(table->Insert(d), nullptr, "full");
        NS_TEST_EXPECT_MSG_EQ(table->Match(a), posted, "found, at the same place");
        NS_TEST_EXPECT_MSG_EQ(table->Match(d), nullptr, "not found");
        NS_TEST_EXPECT_MSG_EQ(table->Find(a), posted, "not counted");
        NS_TEST_EXPECT_MSG_EQ(table->GetNLookups(), 2, "counted");
        NS_TEST_EXPECT_MSG_EQ(m_lookups, 2, "traced");
        NS_TEST_EXPECT_MSG_EQ(table->GetNProbes(), 2, "one comparison each");

        table->DetachPdc(7);
        NS_TEST_EXPECT_MSG_EQ(table->Find(a)->pdc, MatchEntry::NO_PDC, "detached");
        NS_TEST_EXPECT_MSG_EQ(table->Find(b)->pdc, MatchEntry::NO_PDC, "detached");
        NS_TEST_EXPECT_MSG_EQ(table->Find(c)->pdc, 8, "of another PDC");

        MatchTable::Key key = 0;
        MatchEntry entry;
        NS_TEST_EXPECT_MSG_EQ(table->EvictFailed(key, entry), false, "receives stay");
        table->Find(a)->state = MatchEntry::State::FAILED;
        table->Find(b)->state = MatchEntry::State::FAILED;
        table->Find(b)->epoch = 3;
        NS_TEST_EXPECT_MSG_EQ(table->EvictFailed(key, entry), true, "a canary goes");
        NS_TEST_EXPECT_MSG_EQ(key, b, "the highest key");
        NS_TEST_EXPECT_MSG_EQ(uint32_t{entry.epoch}, 3, "with what it knew");
        NS_TEST_EXPECT_MSG_NE(table->Insert(d), nullptr, "room again");
        table->Erase(a);
        table->Erase(c);
        table->Erase(d);
        NS_TEST_EXPECT_MSG_EQ(table->GetNEntries(), 0, "empty");
        NS_TEST_EXPECT_MSG_EQ(table->GetMaxEntries(), 3, "most");
        const std::vector<uint32_t> expected{1, 2, 3, 2, 3, 2, 1, 0};
        NS_TEST_EXPECT_MSG_EQ((m_occupancies == expected), true, "traced");
    }

    std::vector<uint32_t> m_occupancies; //!< traced
    uint64_t m_lookups{0};               //!< traced
};

/**
 * @ingroup dcfabric-tests
 * @brief Comparisons of keys in a hash table.
 */
class ProbesTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        Ptr<HashMatchTable> table = CreateObject<HashMatchTable>();
        NS_TEST_EXPECT_MSG_EQ(table->GetCapacity(), UINT32_MAX, "no limit");
        table->SetAttribute("Capacity", UintegerValue(1000));
        for (uint32_t i = 0; i < 1000; ++i)
        {
            NS_TEST_ASSERT_MSG_NE(table->Insert(MatchTable::MakeKey(i % 10, i / 10)), nullptr, i);
        }
        NS_TEST_EXPECT_MSG_EQ(table->Insert(MatchTable::MakeKey(10, 0)), nullptr, "limit");
        for (uint32_t i = 0; i < 1000; ++i)
        {
            const uint64_t before = table->GetNProbes();
            NS_TEST_ASSERT_MSG_NE(table->Match(MatchTable::MakeKey(i % 10, i / 10)), nullptr, i);
            NS_TEST_ASSERT_MSG_GT(table->GetNProbes(), before, "at least the one that matches");
        }
        NS_TEST_EXPECT_MSG_EQ(table->GetNLookups(), 1000, "one for each");
        // more keys than buckets cannot all be alone, and a table that works is no list
        NS_TEST_EXPECT_MSG_LT(table->GetNProbes(), 4000, "short buckets");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A full table under way: canaries give way to receives, and receives wait in order.
 */
class FullTableTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        FabricHelper helper = MessageNetwork::MakeHelper();
        helper.SetMatchTable("ns3::TcamMatchTable", "Capacity", UintegerValue(2));
        MessageNetwork network(MakeStar(2), helper);
        const MessageMatcher& matcher = *network.MessagesOf(1).GetMatcher();
        CallIn(MicroSeconds(1), [&]() {
            for (uint32_t i = 0; i < 4; ++i)
            {
                network.endpoints[0]->Send(1, nullptr, 1000, network.Note(0), i);
            }
        });
        CallIn(MicroSeconds(20), [&]() {
            // four messages refused: two have canaries
            NS_TEST_EXPECT_MSG_EQ(TableOf(network.MessagesOf(1)).GetNEntries(), 2, "canaries");
            NS_TEST_EXPECT_MSG_EQ(matcher.GetCounters().overflows, 2, "no room for the others");
            for (uint32_t i = 0; i < 4; ++i)
            {
                network.endpoints[1]->PostRecv(0, nullptr, 1000, network.Note(1));
            }
            // both canaries were upgraded where they were; receives 2 and 3 wait
            NS_TEST_EXPECT_MSG_EQ(TableOf(network.MessagesOf(1)).GetNEntries(), 2, "receives");
            NS_TEST_EXPECT_MSG_EQ(matcher.GetCounters().overflows, 4, "receives that wait");
            NS_TEST_EXPECT_MSG_EQ(matcher.GetNReceives(), 4, "posted");
        });
        Simulator::Stop(MilliSeconds(100));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.Count(1, MessageStatus::COMPLETE), 4, "all");
        uint32_t tag = 0;
        for (const auto& one : network.told)
        {
            if (one.host == 1)
            {
                NS_TEST_EXPECT_MSG_EQ(one.report.tag, tag++, "in order");
            }
        }
        NS_TEST_EXPECT_MSG_EQ(TableOf(network.MessagesOf(1)).GetMaxEntries(), 2, "never more");
        NS_TEST_EXPECT_MSG_EQ(TableOf(network.MessagesOf(1)).GetNEntries(), 0, "empty");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Memory of posted receives, whatever their length.
 */
class ReceiveMemoryTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        constexpr uint32_t N = 1000;
        std::vector<double> each;
        for (const uint64_t bytes : {uint64_t{1}, uint64_t{1000000000}})
        {
            MessageNetwork network(MakeStar(2), MessageNetwork::MakeHelper());
            network.endpoints[1]->PostRecv(0, nullptr, 1, nullptr);
            const std::size_t before = AllocatedBytes();
            for (uint32_t i = 0; i < N; ++i)
            {
                network.endpoints[1]->PostRecv(0, nullptr, bytes, nullptr);
            }
            each.push_back(static_cast<double>(AllocatedBytes() - before) / N);
        }
        std::cout << "dcfabric-match-table: " << each[1] << " B per posted receive" << std::endl;
        NS_TEST_EXPECT_MSG_EQ_TOL(each[0], each[1], 16, "1 B and 1 GB");
        NS_TEST_EXPECT_MSG_LT(each[1], 1000, "a receive");

        // The bitmap holds what came before its turn only: a million packets in order, or each two
        // swapped, take no more than one word.
        ReceiveWindow window;
        window.Arrive(1);
        window.Arrive(0);
        const std::size_t before = AllocatedBytes();
        for (uint64_t i = 2; i < 1000000; i += 2)
        {
            window.Arrive(i + 1);
            window.Arrive(i);
        }
        NS_TEST_EXPECT_MSG_EQ(window.GetExpected(), 1000000, "all");
        NS_TEST_EXPECT_MSG_LT(AllocatedBytes(), before + 64, "bounded by the reordering");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Delays and lengths that protocols choose.
 */
class ProtocolTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        Ptr<RequestToWait> rtw = CreateObject<RequestToWait>();
        NS_TEST_EXPECT_MSG_EQ(rtw->GetRetryDelayPs(1), -1, "waits for an RTS");
        NS_TEST_EXPECT_MSG_EQ(rtw->KeepsCanary(), true, "canary");
        NS_TEST_EXPECT_MSG_EQ((rtw->GetRefusal() == FabricPacketType::RTW), true, "RTW");
        NS_TEST_EXPECT_MSG_EQ(rtw->GetEagerBytes(5, 1, 1), 5, "everything at once");
        // 100 us, doubled up to ten times
        NS_TEST_EXPECT_MSG_EQ(rtw->GetRtsDelayPs(1), 100 * US, "first");
        NS_TEST_EXPECT_MSG_EQ(rtw->GetRtsDelayPs(2), 200 * US, "second");
        NS_TEST_EXPECT_MSG_EQ(rtw->GetRtsDelayPs(5), 1600 * US, "fifth: 16 times");
        NS_TEST_EXPECT_MSG_EQ(rtw->GetRtsDelayPs(6), 1600 * US, "not longer");
        NS_TEST_EXPECT_MSG_EQ(rtw->GetRtsDelayPs(UINT32_MAX), 1600 * US, "ever");
        // always the same, and half as long again: 100, 150, 225 us
        rtw->SetAttribute("RtsBackOff", DoubleValue(1));
        NS_TEST_EXPECT_MSG_EQ(rtw->GetRtsDelayPs(12), 100 * US, "the same");
        rtw->SetAttribute("RtsBackOff", DoubleValue(1.5));
        NS_TEST_EXPECT_MSG_EQ(rtw->GetRtsDelayPs(3), 225 * US, "third");
        rtw->SetAttribute("RtsBackOff", DoubleValue(2));
        // 24 h = 8.64e16 ps: eight times that, 6.9e17, is below the longest delay, an eighth of all
        // time or 1.15e18 ps; sixteen times is not
        constexpr int64_t DAY_PS = 86400 * (1000000 * US);
        rtw->SetAttribute("RtsInterval", TimeValue(Hours(24)));
        NS_TEST_EXPECT_MSG_EQ(rtw->GetRtsDelayPs(4), 8 * DAY_PS, "fourth");
        NS_TEST_EXPECT_MSG_EQ(rtw->GetRtsDelayPs(5), FabricTime::NEVER / 8, "fifth");
        NS_TEST_EXPECT_MSG_EQ(rtw->GetRtsDelayPs(UINT32_MAX), FabricTime::NEVER / 8, "the longest");

        Ptr<ReceiverNotReady> rnr = CreateObject<ReceiverNotReady>();
        NS_TEST_EXPECT_MSG_EQ(rnr->KeepsCanary(), false, "no canary");
        NS_TEST_EXPECT_MSG_EQ((rnr->GetRefusal() == FabricPacketType::RNR), true, "RNR");
        // 10, 20, 40, 80, 160, 320, 640, 640 us
        NS_TEST_EXPECT_MSG_EQ(rnr->GetRetryDelayPs(1), 10 * US, "first");
        NS_TEST_EXPECT_MSG_EQ(rnr->GetRetryDelayPs(2), 20 * US, "second");
        NS_TEST_EXPECT_MSG_EQ(rnr->GetRetryDelayPs(7), 640 * US, "seventh");
        NS_TEST_EXPECT_MSG_EQ(rnr->GetRetryDelayPs(8), 640 * US, "eighth");
        NS_TEST_EXPECT_MSG_EQ(rnr->GetRetryDelayPs(UINT32_MAX), 640 * US, "ever");
        // 10, 20, 25 us: the longest need not be a doubling
        rnr->SetAttribute("MaxRetryDelay", TimeValue(MicroSeconds(25)));
        NS_TEST_EXPECT_MSG_EQ(rnr->GetRetryDelayPs(2), 20 * US, "below");
        NS_TEST_EXPECT_MSG_EQ(rnr->GetRetryDelayPs(3), 25 * US, "at the longest");
        rnr->SetAttribute("MaxRetryDelay", TimeValue(MicroSeconds(5)));
        NS_TEST_EXPECT_MSG_EQ(rnr->GetRetryDelayPs(1), 5 * US, "less than the first");

        Ptr<Rendezvous> fetch = CreateObject<Rendezvous>();
        NS_TEST_EXPECT_MSG_EQ(fetch->GetEagerBytes(1000, 300, 400), 300, "BDP");
        NS_TEST_EXPECT_MSG_EQ(fetch->GetEagerBytes(200, 300, 400), 200, "all of a short one");
        NS_TEST_EXPECT_MSG_EQ(fetch->GetEagerBytes(200, 0, 400), 1, "at least one");
        fetch->SetAttribute("EagerWindow", BooleanValue(true));
        NS_TEST_EXPECT_MSG_EQ(fetch->GetEagerBytes(1000, 300, 400), 400, "window");
        NS_TEST_EXPECT_MSG_EQ(fetch->GetEagerBytes(1000, 300, UINT64_MAX), 1000, "no window");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief The order of timers.
 */
class TimersTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        using Kind = MessageTimers::Kind;
        MessageTimers timers;
        MessageTimers::Timer timer{};
        NS_TEST_EXPECT_MSG_EQ(timers.GetNextPs(), FabricTime::NEVER, "none");
        NS_TEST_EXPECT_MSG_EQ(timers.TakeDue(INT64_MAX - 1, timer), false, "none");
        NS_TEST_EXPECT_MSG_EQ(timers.Set({20, Kind::RETRY, 0, 0}), true, "next");
        NS_TEST_EXPECT_MSG_EQ(timers.Set({20, Kind::RTS, 0, 0}), false, "not earlier");
        NS_TEST_EXPECT_MSG_EQ(timers.Set({10, Kind::RTS, 2, 1}), true, "earlier");
        timers.Set({10, Kind::RTS, 1, 2});
        timers.Set({10, Kind::RTS, 1, 1});
        timers.Set({10, Kind::PROBE, 9, 9});
        NS_TEST_EXPECT_MSG_EQ(timers.GetNextPs(), 10, "next");
        NS_TEST_EXPECT_MSG_EQ(timers.TakeDue(9, timer), false, "too early");
        std::string order;
        while (timers.TakeDue(20, timer))
        {
            order += std::to_string(timer.atPs) + "/" +
                     std::to_string(static_cast<int>(timer.kind)) + "/" +
                     std::to_string(timer.pdc) + "/" + std::to_string(timer.number) + " ";
        }
        const auto kind = [](Kind k) { return std::to_string(static_cast<int>(k)); };
        NS_TEST_EXPECT_MSG_EQ(order,
                              "10/" + kind(Kind::PROBE) + "/9/9 10/" + kind(Kind::RTS) +
                                  "/1/1 10/" + kind(Kind::RTS) + "/1/2 10/" + kind(Kind::RTS) +
                                  "/2/1 20/" + kind(Kind::RETRY) + "/0/0 20/" + kind(Kind::RTS) +
                                  "/0/0 ",
                              "order");
    }
};

/// Match tables and what goes with them.
const SuiteCases g_cases("dcfabric-messages", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new KeptMatchesTestCase(
        "match, buffer and committed bytes of receives that are over are kept"));
    suite.AddTestCase(new TableTestCase("entries, canaries and capacity"));
    suite.AddTestCase(new ProbesTestCase("comparisons in a hash table"));
    suite.AddTestCase(new FullTableTestCase("a full table"));
    suite.AddTestCase(new ReceiveMemoryTestCase("memory of a posted receive"));
    suite.AddTestCase(new ProtocolTestCase("protocols"));
    suite.AddTestCase(new TimersTestCase("timers in the order of time, kind, PDC and number"));
});

} // namespace ns3::tests::match_table_test
