// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-results.h"
#include "fabric-test-schedule.h"
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"
#include "fabric-test-wings.h"

#include "ns3/boolean.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-time.h"
#include "ns3/flow-recorder.h"
#include "ns3/result-file.h"
#include "ns3/run-summary.h"
#include "ns3/simulator.h"
#include "ns3/stuck-report.h"
#include "ns3/test.h"

#include <map>
#include <string>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Results of small networks: flow tables, summaries, the report of what is stuck.
 * The network is MakeStar(3): on a wire a full packet has 1000 + 62 + 20 bytes, or 86.56 ns.
 */

namespace ns3::tests::results_fabric_test
{

/**
 * @ingroup dcfabric-tests
 * @brief A lone flow, one that never starts, and flows.csv.
 */
class FlowTableTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        if (!HasClass("ideal-times"))
        {
            return;
        }
        FabricHelper helper;
        Ptr<Fabric> fabric = helper.Install(MakeStar(3));
        // Flow 1 starts after the stop.
        FlowRecorder recorder(fabric, {{0, 2, 2500, 0, 3}, {1, 2, 1, 50000000, 3}});
        recorder.Start();
        Simulator::Stop(MicroSeconds(20));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(recorder.GetTable().GetNCompleted(), 1, "flow 0");
        NS_TEST_EXPECT_MSG_EQ(recorder.GetTable().GetNStarted(0), 1, "flow 0");
        NS_TEST_EXPECT_MSG_EQ(recorder.GetTable().GetNStarted(49999999), 1, "flow 0");
        NS_TEST_EXPECT_MSG_EQ(recorder.GetTable().GetNStarted(50000000), 2, "both");
        NS_TEST_EXPECT_MSG_EQ(recorder.GetStarter().GetNextStartPs(0), 50000000, "flow 1");
        NS_TEST_EXPECT_MSG_EQ(recorder.GetStarter().GetNextStartPs(50000000),
                              FabricTime::NEVER,
                              "none");
        NS_TEST_EXPECT_MSG_EQ(recorder.GetProgress().IsActive(20000000), false, "between the two");
        NS_TEST_EXPECT_MSG_EQ(recorder.GetTable().GetTotalBytes(), 2501, "of both");
        // Two full packets and one of 582 bytes, 46.56 ns. The switch sends the second until
        // 1000 + 3 x 86.56 = 1259.68 ns, then the third, which came at 1219.68 ns: last bit at
        // 1259.68 + 46.56 + 1000 = 2306.24 ns. Its ACK takes as long as the frame says, with the
        // gap, twice, and 2 us. Flow 1: 83 bytes, twice 6.64 ns, and 2 us.
        const int64_t ackPs = (fabric->GetFrameSizes().ackBytes + 20) * 80;
        std::string acked;
        AppendNanoseconds(acked, 2306240 + 2 * ackPs + 2000000);
        const std::string path = CreateTempDirFilename("flows.csv");
        recorder.GetProgress().CollectOpen(); // flow 1 has not begun: nothing changes
        recorder.WriteCsv(path);
        NS_TEST_EXPECT_MSG_EQ(
            ReadAll(path),
            "flow,src,dst,size_bytes,start_ns,fct_ns,sender_fct_ns,ideal_fct_ns,slowdown,"
            "packets_sent,packets_retransmitted,reordered\n"
            "0,0,2,2500,0,2306.24," +
                acked +
                ",2306.24,1.000000,3,0,0\n"
                "1,1,2,1,50000,,,2013.28,,0,0,0\n",
            "flows.csv");
        NS_TEST_EXPECT_MSG_EQ(recorder.GetTable().GetSlowdown(0), 1, "alone");
        NS_TEST_EXPECT_MSG_LT(recorder.GetTable().GetSlowdown(1), 0, "has not arrived");
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Flows with labels, in the middle of a flow and at the end.
 */
class LabelTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        if (!HasClass("ideal-times"))
        {
            return;
        }
        FabricHelper helper;
        Ptr<Fabric> fabric = helper.Install(MakeStar(3));
        FlowRecorder recorder(fabric, {{0, 2, 2500, 0, 3, 100, 1}, {1, 2, 1, 50000000, 3, 100, 0}});
        for (const auto& [labels, words] : std::map<std::vector<std::string>, const char*>{
                 {{"cold"}, "flow 0: group 1 has no label; there are 1"},
                 {{"cold", "cold"}, "'cold' must be a name that occurs once"},
                 {{"cold", ""}, "'' must be a name"},
                 {{"cold", "hot,red"}, "'hot,red' must be a name"},
             })
        {
            DCFABRIC_EXPECT_REFUSAL(recorder.GetLabels().Set(labels), words);
            NS_TEST_EXPECT_MSG_EQ(recorder.GetLabels().Get().empty(), true, "as it was");
        }
        recorder.GetLabels().Set({"cold", "hot", "none"});
        recorder.Start();

        // As above, the last bits of the full packets arrive at 2173.12 and 2259.68 ns.
        Simulator::Stop(NanoSeconds(2270));
        Simulator::Run();
        RunSummary summary;
        summary.Collect(recorder, 2270000);
        NS_TEST_ASSERT_MSG_EQ(summary.groups.size(), 3, "labels");
        NS_TEST_EXPECT_MSG_EQ(summary.groups[1].label, "hot", "in their order");
        NS_TEST_EXPECT_MSG_EQ(summary.groups[0].flowsStarted, 0, "flow 1 starts at 50 us");
        NS_TEST_EXPECT_MSG_EQ(summary.groups[1].flowsStarted, 1, "flow 0");
        NS_TEST_EXPECT_MSG_EQ(summary.groups[1].flowsCompleted, 0, "under way");
        NS_TEST_EXPECT_MSG_EQ(summary.groups[1].slowdown.GetOverall().count, 0, "not arrived");
        // 2000 x 8 bit in 2270 ns
        NS_TEST_EXPECT_MSG_EQ_TOL(summary.groups[1].goodputGbps, 7.04846, 1e-5, "two packets");
        NS_TEST_EXPECT_MSG_EQ(summary.groups[0].goodputGbps, 0, "nothing yet");

        Simulator::Stop(MicroSeconds(60) - Simulator::Now());
        Simulator::Run();
        summary = RunSummary();
        summary.Collect(recorder, 60000000);
        NS_TEST_EXPECT_MSG_EQ(summary.groups[0].flowsCompleted, 1, "flow 1");
        NS_TEST_EXPECT_MSG_EQ(summary.groups[1].flowsCompleted, 1, "flow 0");
        NS_TEST_ASSERT_MSG_EQ(summary.groups[0].fctNs.size(), 1, "flow 1");
        NS_TEST_ASSERT_MSG_EQ(summary.groups[1].fctNs.size(), 1, "flow 0");
        NS_TEST_EXPECT_MSG_EQ(summary.groups[0].fctNs[0], 2013.28, "83 bytes, twice, and 2 us");
        NS_TEST_EXPECT_MSG_EQ(summary.groups[1].fctNs[0], 2306.24, "three packets");
        NS_TEST_EXPECT_MSG_EQ(summary.groups[1].slowdown.GetBucket(0).count, 1, "up to 10 kB");
        NS_TEST_EXPECT_MSG_EQ(summary.groups[1].slowdown.GetOverall().mean, 1, "alone");
        NS_TEST_EXPECT_MSG_EQ(summary.groups[2].flowsStarted, 0, "a label without flows");
        NS_TEST_EXPECT_MSG_EQ_TOL(summary.groups[0].goodputGbps + summary.groups[1].goodputGbps,
                                  summary.GetGoodputGbps(),
                                  1e-12,
                                  "each byte has one label");
        // All values of one flow are its own; there are none without flows.
        const std::string json = summary.ToJson();
        for (const char* part :
             {"\n  \"groups\": {\n    \"cold\": {\n      \"flows_started\": 1,\n"
              "      \"flows_completed\": 1,\n      \"slowdown\": {\n",
              "\"fct_ns\": {\n        \"count\": 1,\n        \"mean\": 2306.24,\n",
              "\"fct_ns\": {\n        \"count\": 0,\n        \"mean\": null,\n"})
        {
            NS_TEST_EXPECT_MSG_EQ(Contains(json, part), true, part << "\n" << json);
        }
        const std::string path = CreateTempDirFilename("groups.csv");
        recorder.WriteCsv(path);
        const std::string table = ReadAll(path);
        NS_TEST_EXPECT_MSG_EQ(
            Contains(table, "packets_retransmitted,reordered,group,cc_reductions\n0,0,2,2500,"),
            true,
            table);
        NS_TEST_EXPECT_MSG_EQ(Contains(table, "2306.24,1.000000,3,0,0,hot,0\n1,1,2,1,"),
                              true,
                              table);
        NS_TEST_EXPECT_MSG_EQ(Contains(table, "2013.28,1.000000,1,0,0,cold,0\n"), true, table);
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Each reduction counts for one label: of two senders to one host, and one to another.
 */
class LabelReductionsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        for (const bool pdcPerMessage : {true, false})
        {
            FabricHelper helper;
            helper.SetCongestionControl("ns3::DcqcnCongestionControl");
            helper.SetMarkingProfile("ns3::WredMarkingProfile");
            helper.SetNicAttribute("PdcPerMessage", BooleanValue(pdcPerMessage));
            Ptr<Fabric> fabric = helper.Install(MakeStar(4));
            // Two messages of host 0, one after the other, meet one of host 1; nobody is in the way
            // of host 2.
            FlowRecorder recorder(fabric,
                                  {{0, 3, 1000000, 0, 3, 100, 0},
                                   {0, 3, 1000000, 100000000, 3, 100, 1},
                                   {1, 3, 3000000, 0, 3, 100, 1},
                                   {2, 0, 1000000, 0, 3, 100, 2}});
            recorder.GetLabels().Set({"first", "others", "alone"});
            recorder.Start();
            Simulator::Stop(MilliSeconds(10));
            Simulator::Run();
            RunSummary summary;
            summary.Collect(recorder, 10000000000);
            const auto& groups = summary.groups;
            NS_TEST_EXPECT_MSG_EQ(recorder.GetTable().GetNCompleted(), 4, "all");
            NS_TEST_EXPECT_MSG_GT(groups[0].reductions, 0, "meets host 1");
            NS_TEST_EXPECT_MSG_GT(groups[1].reductions, 0, "meets host 0");
            NS_TEST_EXPECT_MSG_EQ(groups[2].reductions, 0, "meets nobody");
            NS_TEST_EXPECT_MSG_EQ(groups[0].reductions + groups[1].reductions,
                                  summary.totals.Get("cc_reductions"),
                                  "each once, PDC per message: " << pdcPerMessage);
            Simulator::Destroy();
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Flows that do not fit the network.
 */
class FlowRefusalTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        FabricHelper helper;
        Ptr<Fabric> fabric = helper.Install(MakeStar(3));
        const FabricFlow bad[] = {
            {0, 0, 1, 0, 3},  // to itself
            {0, 3, 1, 0, 3},  // to a switch
            {9, 0, 1, 0, 3},  // from nowhere
            {0, 1, 0, 0, 3},  // no byte
            {0, 1, 1, -1, 3}, // before the beginning
        };
        for (const FabricFlow& flow : bad)
        {
            DCFABRIC_EXPECT_REFUSAL(FlowRecorder(fabric, {{0, 1, 1, 0, 3}, flow}), "flow 1: ");
        }
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief summary.json has every key that was promised.
 */
class SummaryTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        RunSummary summary;
        summary.options = {{"cc", "none"}, {"out", "a \"quoted\" name"}};
        summary.status = "complete";
        summary.slowdown.Add(20000, 1.5);
        summary.totals.drops[DropReason::WIRE_ERROR] = 7;
        const std::string json = summary.ToJson();
        for (const char* key : {"options",
                                "seed",
                                "version",
                                "ns3_version",
                                "flows_started",
                                "flows_completed",
                                "slowdown",
                                "groups",
                                "offered_load",
                                "goodput_gbps",
                                "pfc_pause_frames",
                                "drops",
                                "ecn_marks",
                                "trimmed_packets",
                                "bts_sent",
                                "bts_bytes",
                                "cc_reductions",
                                "cc_reductions_withheld",
                                "reordered_packets",
                                "rtw_sent",
                                "rts_sent",
                                "rnr_sent",
                                "unmatched_packets",
                                "wasted_bytes",
                                "match_lookups",
                                "further_lookups",
                                "max_queue_bytes",
                                "mean_queue_bytes",
                                "data_packet_hops",
                                "control_packet_hops",
                                "packet_hops",
                                "link_frames",
                                "events",
                                "sim_seconds",
                                "setup_wall_seconds",
                                "run_wall_seconds",
                                "packet_hops_per_second",
                                "peak_rss_bytes",
                                "status"})
        {
            NS_TEST_EXPECT_MSG_EQ(Contains(json, "\n  \"" + std::string(key) + "\": "), true, key);
        }
        NS_TEST_EXPECT_MSG_EQ(Contains(json, "\"out\": \"a \\\"quoted\\\" name\""), true, json);
        NS_TEST_EXPECT_MSG_EQ(Contains(json, "\"lost on the wire\": 7"), true, json);
        NS_TEST_EXPECT_MSG_EQ(Contains(json, "\"upper_bytes\": 30000,\n        \"count\": 1"),
                              true,
                              json);
        NS_TEST_EXPECT_MSG_EQ(Contains(json, "\"upper_bytes\": null,\n        \"count\": 0"),
                              true,
                              json);
        NS_TEST_EXPECT_MSG_GT(RunSummary::GetPeakRssBytes(), 1000000, "more than a megabyte");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What the report says of a flow that cannot get through, and of a paused port.
 */
class StuckTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        FabricHelper helper;
        Ptr<Fabric> fabric = helper.Install(MakeStar(3));
        FlowRecorder recorder(fabric, {{0, 2, 10000, 0, 3}, {1, 2, 1000, 0, 3}});
        recorder.Start();
        // Nobody sends resumes for this pause: all packets end up at port 2 of the switch.
        CallIn(NanoSeconds(1), [&fabric] { fabric->GetPort(3, 2)->SetPausedClasses(1 << 3); });
        Simulator::Stop(MicroSeconds(50));
        Simulator::Run();
        recorder.GetProgress().CollectOpen();
        const FlowTable& table = recorder.GetTable();
        NS_TEST_EXPECT_MSG_EQ(table.GetCount(0, FlowColumns::Find("packets_sent")),
                              10,
                              "all of flow 0 once");
        NS_TEST_EXPECT_MSG_EQ(table.GetCount(0, FlowColumns::Find("packets_retransmitted")),
                              0,
                              "no time-out yet");
        const std::string text = DescribeStuckFabric(recorder);
        for (const char* part :
             {"flows that are not complete (2):",
              "flow 0 from 0 to 2, 10000 bytes: 0 bytes acknowledged, 10000 on their way",
              "queues that hold packets (1):",
              "port 2: 11 packets, 11682 bytes towards node 2",
              "ports that are paused (1):",
              "class 3 paused by node 2"})
        {
            NS_TEST_EXPECT_MSG_EQ(Contains(text, part), true, part << "\n" << text);
        }
        NS_TEST_EXPECT_MSG_EQ(Contains(DescribeStuckFabric(recorder, 1), "... and 1 more"),
                              true,
                              "long lists are cut");
        NS_TEST_EXPECT_MSG_EQ(fabric->CheckConservation().Holds(), true, "nothing is missing");
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief The texts of drop reasons, which results promise, and their order there.
 */
class DropReasonTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const std::map<std::string, DropReason> texts = {
            {"", DropReason::NONE},
            {"above buffer threshold", DropReason::ABOVE_THRESHOLD},
            {"buffer full", DropReason::BUFFER_FULL},
            {"corrupted on the wire", DropReason::CORRUPTED},
            {"headroom exhausted", DropReason::HEADROOM_EXHAUSTED},
            {"link went down", DropReason::LINK_DOWN},
            {"lost on the wire", DropReason::WIRE_ERROR},
            {"no route", DropReason::NO_ROUTE},
            {"not for a switch", DropReason::NOT_FOR_SWITCH},
            {"out of order", DropReason::OUT_OF_ORDER},
            {"paused too long", DropReason::PAUSED_TOO_LONG},
            {"port is down", DropReason::PORT_DOWN},
            {"refused by queue disc", DropReason::QUEUE_DISC},
            {"stack: longer than MTU", DropReason::STACK_TOO_LONG},
            {"stack: no such host", DropReason::STACK_NO_HOST},
            {"stack: protocol unknown", DropReason::STACK_NO_HANDLER},
            {"stack: queue full", DropReason::STACK_QUEUE_FULL},
            {"switch is down", DropReason::SWITCH_DOWN},
            {"trimmed: queue full", DropReason::TRIM_QUEUE_FULL},
            {"unknown PDC", DropReason::UNKNOWN_PDC},
            {"wrong destination", DropReason::NOT_FOR_HOST},
        };
        NS_TEST_EXPECT_MSG_EQ(texts.size(), DROP_REASON_TEXTS.size(), "all of them");
        int number = 0;
        for (const auto& [text, reason] : texts) // in the order of the texts
        {
            NS_TEST_EXPECT_MSG_EQ(ToText(reason), text, "what results print");
            NS_TEST_EXPECT_MSG_EQ(static_cast<int>(reason), number++, "so are the reasons");
            NS_TEST_EXPECT_MSG_EQ(IsOnWire(reason),
                                  (text == "link went down" || text == "lost on the wire" ||
                                   text == "corrupted on the wire"),
                                  text);
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief When something happened last.
 *
 * A packet of 1000 bytes is there after 2 x 86.56 ns + 2 us, its ACK, 118 bytes with the gap, 2 x
 * 9.44 ns + 2 us later; it reaches the switch after 9.44 ns + 1 us of that.
 */
class LastTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        FabricHelper helper;
        Ptr<Fabric> fabric = helper.Install(MakeStar(3));
        FlowRecorder recorder(fabric, {{0, 2, 1000, 1000000, 3}});
        recorder.Start();
        const auto last = [&](int64_t untilNs, int64_t lastPs, const char* what) {
            Simulator::Stop(NanoSeconds(untilNs) - Simulator::Now());
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(recorder.GetProgress().GetLastPs(), lastPs, what);
        };
        last(900, 0, "nothing yet");
        last(2000, 1000000, "the flow begins");
        last(2500, 2086560, "the packet is at the switch");
        last(3180, 3173120, "and at its receiver");
        last(4190, 4182560, "its ACK is at the switch");
        last(5200, 5192000, "and at the sender");
        Simulator::Destroy();
    }
};

/// Suite of results of networks.
const SuiteCases g_cases("dcfabric-results", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new FlowTableTestCase("flows.csv of a lone flow, by hand"));
    suite.AddTestCase(new LabelTestCase("Flows with labels, by hand"));
    suite.AddTestCase(new LabelReductionsTestCase("each reduction counts for one label"));
    suite.AddTestCase(new FlowRefusalTestCase("Flows that do not fit the network are refused"));
    suite.AddTestCase(new SummaryTestCase("summary.json has every key"));
    suite.AddTestCase(
        new StuckTestCase("The report of a stuck fabric names flows, packets and pauses"));
    suite.AddTestCase(new LastTestCase("when something happened last"));
    suite.AddTestCase(new DropReasonTestCase("drop reasons: texts and order"));
});

} // namespace ns3::tests::results_fabric_test
