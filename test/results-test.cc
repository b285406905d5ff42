// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-results.h"
#include "fabric-test-schedule.h"
#include "fabric-test-suite.h"

#include "ns3/fabric-sampler.h"
#include "ns3/fabric-time.h"
#include "ns3/flow-counts.h"
#include "ns3/json-writer.h"
#include "ns3/late-stop.h"
#include "ns3/periodic-tasks.h"
#include "ns3/result-file.h"
#include "ns3/simulator.h"
#include "ns3/slowdown-summary.h"
#include "ns3/test.h"
#include "ns3/trace-file.h"

#include <limits>
#include <map>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Parts of results that need no network: files, numbers, JSON, percentiles, thinning, tasks.
 */

namespace ns3::tests::results_test
{

/**
 * @ingroup dcfabric-tests
 * @brief Picoseconds as nanoseconds with up to three decimals.
 */
class NanosecondsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const std::pair<int64_t, const char*> cases[] = {
            {0, "0"},
            {1, "0.001"},
            {10, "0.01"},
            {100, "0.1"},
            {999, "0.999"},
            {1000, "1"},
            {86560, "86.56"},
            {2000000000001, "2000000000.001"},
            {-1500, "-1.5"},
            // beyond the 53 bits of a double
            {std::numeric_limits<int64_t>::max(), "9223372036854775.807"},
            {std::numeric_limits<int64_t>::min(), "-9223372036854775.808"},
        };
        for (const auto& [ps, expected] : cases)
        {
            std::string text = "x";
            AppendNanoseconds(text, ps);
            NS_TEST_EXPECT_MSG_EQ(text, "x" + std::string(expected), ps << " ps");
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A result file is there whole or not at all.
 */
class ResultFileTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const std::string path = CreateTempDirFilename("result.csv");
        {
            ResultFile file(path);
            file.Text() += "a";
            file.EndLine();
            NS_TEST_EXPECT_MSG_EQ(ReadAll(path), "(none)", "not before Commit()");
        }
        NS_TEST_EXPECT_MSG_EQ(ReadAll(path), "(none)", "not without Commit()");
        NS_TEST_EXPECT_MSG_EQ(ReadAll(path + ".tmp"), "(none)", "nothing is left");

        // more than the buffer of 1 MiB: 300,000 lines of 5 bytes
        std::string expected;
        {
            ResultFile file(path);
            for (int i = 0; i < 300000; ++i)
            {
                file.Text() += "1234";
                file.EndLine();
                expected += "1234\n";
            }
            file.Commit();
        }
        NS_TEST_EXPECT_MSG_EQ((ReadAll(path) == expected), true, "everything, in order");
        NS_TEST_EXPECT_MSG_EQ(ReadAll(path + ".tmp"), "(none)", "renamed");
        DCFABRIC_EXPECT_REFUSAL(ResultFile(path + "/x"), "cannot be created");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief JSON: nesting, escapes, numbers.
 */
class JsonTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        JsonWriter json;
        json.BeginObject();
        json.Key("a\"b");
        json.String("\\ \n \x01 \xc3\xa9 \xff \xc3");
        json.Key("max");
        json.Uint(UINT64_MAX);
        json.Key("list");
        json.BeginArray();
        json.Double(0.5);
        json.Double(std::numeric_limits<double>::quiet_NaN());
        json.BeginObject();
        json.EndObject();
        json.Null();
        json.EndArray();
        json.EndObject();
        // a byte that is not UTF-8, and a sequence that is cut off, become U+FFFD
        const std::string expected =
            "{\n"
            "  \"a\\\"b\": \"\\\\ \\u000a \\u0001 \xc3\xa9 \\ufffd \\ufffd\",\n"
            "  \"max\": 18446744073709551615,\n"
            "  \"list\": [\n"
            "    0.5,\n"
            "    null,\n"
            "    {},\n"
            "    null\n"
            "  ]\n"
            "}";
        NS_TEST_EXPECT_MSG_EQ(json.GetText(), expected, "text");

        JsonWriter line(JsonWriter::Layout::ONE_LINE);
        line.BeginObject();
        line.StringMember("text", "a\n  b");
        line.StringMemberIfAny("none", "");
        line.StringMemberIfAny("any", "x");
        line.UintMember("count", 3);
        line.DoubleMember("part", 0.25);
        line.Key("list");
        line.BeginArray();
        line.Uint(1);
        line.Uint(2);
        line.EndArray();
        line.EndObject();
        NS_TEST_EXPECT_MSG_EQ(line.GetText(),
                              "{\"text\": \"a\\u000a  b\", \"any\": \"x\", \"count\": 3, "
                              "\"part\": 0.25, \"list\": [1, 2]}",
                              "on one line");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Buckets and nearest-rank percentiles.
 */
class SlowdownTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        SlowdownSummary summary;
        NS_TEST_EXPECT_MSG_EQ(summary.GetOverall().count, 0, "nothing yet");
        summary.Add(1, 1.0);
        summary.Add(10000, 2.0);      // on the edge: first bucket
        summary.Add(10001, 3.0);      // second
        summary.Add(10000000, 4.0);   // last edge: last bucket but one
        summary.Add(10000001, 5.0);   // beyond
        summary.Add(UINT64_MAX, 6.0); // beyond
        NS_TEST_ASSERT_MSG_EQ(SlowdownSummary::GetNBuckets(), 11, "ten edges");
        NS_TEST_EXPECT_MSG_EQ(summary.GetBucket(0).count, 2, "up to 10 kB");
        NS_TEST_EXPECT_MSG_EQ(summary.GetBucket(0).mean, 1.5, "(1 + 2) / 2");
        NS_TEST_EXPECT_MSG_EQ(summary.GetBucket(1).count, 1, "up to 30 kB");
        NS_TEST_EXPECT_MSG_EQ(summary.GetBucket(9).count, 1, "up to 10 MB");
        NS_TEST_EXPECT_MSG_EQ(summary.GetBucket(10).count, 2, "larger");
        NS_TEST_EXPECT_MSG_EQ(summary.GetOverall().count, 6, "all");
        NS_TEST_EXPECT_MSG_EQ(summary.GetOverall().p50, 3, "rank ceil(0.5 x 6) = 3");

        // 1, 2, ..., n in descending order: the value is the rank ceil(p x n)
        const auto ranks = [](int n) {
            std::vector<double> values;
            for (int i = n; i > 0; --i)
            {
                values.push_back(i);
            }
            return SlowdownSummary::Compute(values);
        };
        // n = 20: 0.95 x 20 = 19 exactly, which floating point would make 20
        NS_TEST_EXPECT_MSG_EQ(ranks(20).p50, 10, "n = 20");
        NS_TEST_EXPECT_MSG_EQ(ranks(20).p95, 19, "n = 20");
        NS_TEST_EXPECT_MSG_EQ(ranks(20).p99, 20, "n = 20: ceil(19.8)");
        NS_TEST_EXPECT_MSG_EQ(ranks(20).mean, 10.5, "n = 20");
        NS_TEST_EXPECT_MSG_EQ(ranks(1).p50, 1, "n = 1");
        NS_TEST_EXPECT_MSG_EQ(ranks(1).p999, 1, "n = 1");
        NS_TEST_EXPECT_MSG_EQ(ranks(2).p50, 1, "n = 2: ceil(1)");
        NS_TEST_EXPECT_MSG_EQ(ranks(1000).p999, 999, "n = 1000");
        NS_TEST_EXPECT_MSG_EQ(ranks(1001).p999, 1000, "n = 1001: ceil(999.999)");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Counts of flows, of which the first ones are 0, or that come after the known ones.
 */
class FlowCountsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        using Counts = std::vector<uint64_t>;
        FlowCounts counts(2, 3);
        counts.Set(2, 0, 0);
        NS_TEST_EXPECT_MSG_EQ((counts.GetAll(2) == Counts{0, 0}), true, "nothing yet");
        counts.Set(1, 1, 7);
        NS_TEST_EXPECT_MSG_EQ((counts.GetAll(1) == Counts{0, 7}), true, "of one column");
        NS_TEST_EXPECT_MSG_EQ(counts.Get(0, 1), 0, "one before it");
        NS_TEST_EXPECT_MSG_EQ(counts.Get(2, 1), 0, "one behind it");
        counts.Set(1, 1, 0);
        NS_TEST_EXPECT_MSG_EQ(counts.Get(1, 1), 0, "0 again");
        counts.Set(5, 1, 8); // made during the run
        counts.Set(4, 1, 9);
        NS_TEST_EXPECT_MSG_EQ(counts.Get(5, 1), 8, "beyond those that were known");
        NS_TEST_EXPECT_MSG_EQ(counts.Get(4, 1), 9, "likewise");
        NS_TEST_EXPECT_MSG_EQ(counts.Get(1000, 1), 0, "far beyond");
        counts.Truncate(5);
        NS_TEST_EXPECT_MSG_EQ(counts.Get(4, 1), 9, "it stays");
        NS_TEST_EXPECT_MSG_EQ(counts.Get(5, 1), 0, "forgotten");
        counts.Set(5, 1, 1);
        NS_TEST_EXPECT_MSG_EQ(counts.Get(5, 1), 1, "another one in its place");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What the thinner leaves out.
 */
class ThinnerTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // samples at 10, 20, ... ps
        const std::vector<uint64_t> samples = {0, 0, 5, 5, 5, 7, 0, 0, 0};
        SampleThinner thinner(2);
        std::string rows;
        int64_t now = 0;
        const auto write = [&rows](int64_t timePs, uint64_t value) {
            rows += std::to_string(timePs) + ":" + std::to_string(value) + " ";
        };
        for (const uint64_t value : samples)
        {
            now += 10;
            if (thinner.IsPreviousDue(1, value))
            {
                write(thinner.GetPreviousPs(), thinner.GetPrevious(1));
            }
            if (thinner.Update(1, value))
            {
                write(now, value);
            }
            thinner.EndSample(now);
        }
        NS_TEST_EXPECT_MSG_EQ(thinner.IsLastDue(1), true, "the last 0 has no row");
        write(thinner.GetPreviousPs(), thinner.GetPrevious(1));
        NS_TEST_EXPECT_MSG_EQ(rows, "20:0 30:5 50:5 60:7 70:0 90:0 ", "corners of the line");
        NS_TEST_EXPECT_MSG_EQ(thinner.IsLastDue(0), false, "never used: no rows at all");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Tasks run at their times, and end with the simulation.
 */
class PeriodicTasksTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        PeriodicTasks tasks;
        std::vector<int64_t> first;
        std::vector<int64_t> second;
        tasks.Add(0, [&first](int64_t nowPs) {
            first.push_back(nowPs);
            return nowPs + 2000;
        });
        tasks.Add(3000, [&second](int64_t nowPs) {
            second.push_back(nowPs);
            return second.size() < 2 ? nowPs + 1000 : FabricTime::NEVER;
        });
        CallIn(NanoSeconds(5), [] {});
        tasks.Start();
        Simulator::Run();
        // The event at 5 ns is the last of others: the call at 6 ns, already armed, finds nothing
        // left.
        NS_TEST_EXPECT_MSG_EQ((first == std::vector<int64_t>{0, 2000, 4000, 6000}),
                              true,
                              "every 2 ns");
        NS_TEST_EXPECT_MSG_EQ((second == std::vector<int64_t>{3000, 4000}), true, "twice");
        NS_TEST_EXPECT_MSG_EQ(tasks.GetNEvents(), 5, "0, 2, 3, 4 and 6 ns");
        NS_TEST_EXPECT_MSG_EQ(Simulator::Now(), NanoSeconds(6), "and no longer");
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A task that is called before anything of its time, whichever event was set first.
 */
class TasksBeforeTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        std::string order;
        const auto note = [&order](const char* what) { order += std::string(what) + ' '; };
        CallIn(NanoSeconds(4), [&] { note("at4"); });
        PeriodicTasks tasks;
        tasks.Add(4000, [&](int64_t nowPs) {
            note(nowPs == 4000 ? "plain4" : "?");
            return FabricTime::NEVER;
        });
        tasks.AddBefore(4000, [&](int64_t nowPs) {
            note(nowPs == 4000 ? "before4" : nowPs == 8000 ? "before8" : "?");
            return nowPs + 4000;
        });
        tasks.AddBefore(0, [&](int64_t nowPs) {
            note(nowPs == 0 ? "before0" : "?");
            return FabricTime::NEVER;
        });
        tasks.Start();
        // set after the tasks, and yet before them
        CallIn(NanoSeconds(0), [&] { note("at0"); });
        CallIn(NanoSeconds(4) - TimeStep(1), [&] { note("at3"); });
        CallIn(NanoSeconds(5), [&] { note("at5"); });
        Simulator::Run();
        // Nothing comes before time 0. Nothing is left at 8 ns but the task, which ends there.
        NS_TEST_EXPECT_MSG_EQ(order,
                              "at0 before0 at3 before4 at4 plain4 at5 before8 ",
                              "in the order of times");
        NS_TEST_EXPECT_MSG_EQ(tasks.GetNEvents(), 7, "two each for 0, 4 and 8 ns, one at 4 ns");
        NS_TEST_EXPECT_MSG_EQ(Simulator::Now(), NanoSeconds(8) - TimeStep(1), "and no longer");
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Tasks that end with everything else: what others ask for changes nothing.
 */
class TasksEndTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param lastEvent what happens last besides
     * @param interval of a task that only looks; zero: none
     * @return calls of a task every 2 ns and of one before every 4 ns
     */
    std::string Run(Time lastEvent, int64_t interval)
    {
        std::string calls;
        PeriodicTasks tasks;
        tasks.Add(0, [&calls](int64_t nowPs) {
            calls += std::to_string(nowPs / 1000) + ' ';
            return nowPs + 2000;
        });
        tasks.AddBefore(4000, [&calls](int64_t nowPs) {
            calls += '<' + std::to_string(nowPs / 1000) + ' ';
            return nowPs + 4000;
        });
        if (interval > 0)
        {
            tasks.Add(0, [interval](int64_t nowPs) { return nowPs + interval; });
        }
        tasks.EndWithOthers();
        tasks.Start();
        CallIn(lastEvent, [] {});
        Simulator::Run();
        Simulator::Destroy();
        return calls;
    }

    void DoRun() override
    {
        for (const int64_t interval : {0, 1000, 3000, 50000})
        {
            const std::string what = "every " + std::to_string(interval) + " ps";
            NS_TEST_EXPECT_MSG_EQ(Run(NanoSeconds(5), interval), "0 2 <4 4 ", "5 ns, " << what);
            NS_TEST_EXPECT_MSG_EQ(Run(NanoSeconds(7), interval), "0 2 <4 4 6 ", "7 ns, " << what);
            // one tick before 8 ns is before 8 ns: nothing is left then
            NS_TEST_EXPECT_MSG_EQ(Run(NanoSeconds(8) - TimeStep(1), interval),
                                  "0 2 <4 4 6 ",
                                  "one tick before 8 ns, " << what);
            NS_TEST_EXPECT_MSG_EQ(Run(NanoSeconds(9), interval),
                                  "0 2 <4 4 6 <8 8 ",
                                  "9 ns, " << what);
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief The simulation ends when all of a time has happened.
 */
class LateStopTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        std::string order;
        const auto note = [&order](const char* what) { order += std::string(what) + ' '; };
        LateStop stop;
        CallIn(NanoSeconds(3), [&] { stop.RequestAt(5000); });
        CallIn(NanoSeconds(4), [&] {
            note("4");
            CallIn(NanoSeconds(1), [&] { note("5, asked for late"); });
        });
        CallIn(NanoSeconds(5), [&] {
            note("5");
            stop.Request();
            stop.Request();
        });
        CallIn(NanoSeconds(6), [&] { note("6"); });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(order, "4 5 5, asked for late ", "all of 5 ns");
        NS_TEST_EXPECT_MSG_EQ(Simulator::Now(), NanoSeconds(5), "and nothing behind it");
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Rows are in the order of times and places, those of one place as they came.
 */
class TraceFileTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const std::string path = CreateTempDirFilename("trace.csv");
        TraceFile file(path, "header");
        file.BeginRow(2, 1) += "a";
        file.BeginRow(1, 5) += "b";
        file.BeginRow(1, 2) += "c";
        file.BeginRow(1, 5) += "d";
        std::string& text = file.BeginRow(2, 0);
        text += "e,";
        text += "f";
        file.Flush();
        file.Flush(); // nothing
        file.BeginRow(0, 0) += "later";
        file.Commit();
        NS_TEST_EXPECT_MSG_EQ(ReadAll(path), "header\nc\nb\nd\ne,f\na\nlater\n", "in order");

        // more than is kept in memory: the rows of the last time, too, come after all
        const std::string longPath = CreateTempDirFilename("long.csv");
        TraceFile many(longPath, "header");
        constexpr int64_t ROWS = 40000;
        std::string wanted = "header\n";
        for (int64_t i = 0; i < ROWS; ++i)
        {
            const std::string row = std::to_string(i) + std::string(30, '.');
            many.BeginRow(i / 2, 1 - i % 2) += row;
            const std::string other = std::to_string(i ^ 1) + std::string(30, '.');
            wanted += other + "\n";
        }
        many.Commit();
        NS_TEST_EXPECT_MSG_EQ((ReadAll(longPath) == wanted), true, "pairs of one time");
    }
};

/// Suite of results.
const SuiteCases g_cases("dcfabric-results", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new NanosecondsTestCase("ps are written as ns without rounding"));
    suite.AddTestCase(new ResultFileTestCase("Result files appear when committed"));
    suite.AddTestCase(new JsonTestCase("JSON is well-formed and keeps types"));
    suite.AddTestCase(new SlowdownTestCase(
        "Slowdowns by size: edges belong below, percentiles are nearest-rank"));
    suite.AddTestCase(new FlowCountsTestCase("Flows have counts of 0 until they have others"));
    suite.AddTestCase(new ThinnerTestCase("Thinned samples draw the same line"));
    suite.AddTestCase(new PeriodicTasksTestCase("Periodic tasks do not keep a simulation alive"));
    suite.AddTestCase(new TasksBeforeTestCase("Tasks are called before anything of their time"));
    suite.AddTestCase(new TasksEndTestCase("Tasks may end with everything else"));
    suite.AddTestCase(new LateStopTestCase("A stop lets all of its time happen"));
    suite.AddTestCase(new TraceFileTestCase("Rows of traces have one order"));
});

} // namespace ns3::tests::results_test
