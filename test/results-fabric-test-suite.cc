// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"

#include "ns3/boolean.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-time.h"
#include "ns3/fabric-totals.h"
#include "ns3/flow-recorder.h"
#include "ns3/link-sampler.h"
#include "ns3/pause-recorder.h"
#include "ns3/periodic-tasks.h"
#include "ns3/queue-sampler.h"
#include "ns3/rate-sampler.h"
#include "ns3/run-summary.h"
#include "ns3/simulator.h"
#include "ns3/stuck-report.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <fstream>
#include <memory>
#include <sstream>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Results of small networks: flow tables, totals, time series, the report of what is stuck.
 *
 * The network is hosts 0, 1 and 2 at switch 3, links of 100 Gb/s (80 ps a byte) and 1 us. Packets
 * carry 1000 bytes; on the wire a full one is 1000 + 62 + 20 = 1082 bytes or 86.56 ns.
 */

namespace ns3
{
namespace tests
{

namespace
{

/// @return the network described above @param errorRate of the link to host 2
FabricGraph
MakeStar(double errorRate = 0)
{
    FabricGraph graph;
    for (int i = 0; i < 3; ++i)
    {
        graph.AddHost();
    }
    graph.AddSwitch();
    for (uint32_t host = 0; host < 3; ++host)
    {
        graph.AddLink(host, 3, 100000000000, 1000000, host == 2 ? errorRate : 0);
    }
    return graph;
}

/// @return contents of a file @param path the file
std::string
ReadAll(const std::string& path)
{
    std::ifstream in(path);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

/**
 * @ingroup dcfabric-tests
 * @brief A lone flow, one that never starts, and flows.csv.
 */
class FlowTableTestCase : public TestCase
{
  public:
    FlowTableTestCase()
        : TestCase("flows.csv of a lone flow, by hand")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        Ptr<Fabric> fabric = helper.Install(MakeStar());
        // Flow 1 starts after the stop.
        FlowRecorder recorder(fabric, {{0, 2, 2500, 0, 3}, {1, 2, 1, 50000000, 3}});
        recorder.Start();
        Simulator::Stop(MicroSeconds(20));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(recorder.GetNCompleted(), 1, "flow 0");
        NS_TEST_EXPECT_MSG_EQ(recorder.GetNStarted(0), 1, "flow 0");
        NS_TEST_EXPECT_MSG_EQ(recorder.GetNStarted(49999999), 1, "flow 0");
        NS_TEST_EXPECT_MSG_EQ(recorder.GetNStarted(50000000), 2, "both");
        NS_TEST_EXPECT_MSG_EQ(recorder.GetNextStartPs(0), 50000000, "flow 1");
        NS_TEST_EXPECT_MSG_EQ(recorder.GetNextStartPs(50000000), FabricTime::NEVER, "none");
        NS_TEST_EXPECT_MSG_EQ(recorder.IsActive(20000000), false, "between the two");
        NS_TEST_EXPECT_MSG_EQ(recorder.GetTotalBytes(), 2501, "of both");
        // Two full packets and one of 582 bytes, 46.56 ns. The switch sends the second until
        // 1000 + 3 x 86.56 = 1259.68 ns, then the third, which came at 1219.68 ns: last bit at
        // 1259.68 + 46.56 + 1000 = 2306.24 ns. Its ACK takes as long as the frame says, with the
        // gap, twice, and 2 us. Flow 1: 83 bytes, twice 6.64 ns, and 2 us.
        const int64_t ackPs = (fabric->GetFrameSizes().ackBytes + 20) * 80;
        std::string acked;
        AppendNanoseconds(acked, 2306240 + 2 * ackPs + 2000000);
        const std::string path = CreateTempDirFilename("flows.csv");
        recorder.CollectOpen(); // flow 1 has not begun: nothing changes
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
        NS_TEST_EXPECT_MSG_EQ(recorder.GetSlowdown(0), 1, "alone");
        NS_TEST_EXPECT_MSG_LT(recorder.GetSlowdown(1), 0, "has not arrived");
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Flows that do not fit the network.
 */
class FlowRefusalTestCase : public TestCase
{
  public:
    FlowRefusalTestCase()
        : TestCase("Flows that do not fit the network are refused")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        Ptr<Fabric> fabric = helper.Install(MakeStar());
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
 * @brief Two senders at line rate, one receiver: totals and time series.
 *
 * Pair n of packets arrives at the switch at 1000 + n x 86.56 ns (n = 1 to 10), when the n-th
 * packet begins to leave: from then on n packets of 1062 bytes wait. The last pair leaves 10
 * packets, which begin 86.56 ns apart.
 */
class SeriesTestCase : public TestCase
{
  public:
    SeriesTestCase()
        : TestCase("Totals and time series of a two-to-one incast, by hand")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        Ptr<Fabric> fabric = helper.Install(MakeStar());
        FlowRecorder recorder(fabric, {{0, 2, 10000, 0, 3}, {1, 2, 10000, 0, 3}});
        const std::string queuesPath = CreateTempDirFilename("queues.csv");
        const std::string ratesPath = CreateTempDirFilename("rates.csv");
        const std::string linksPath = CreateTempDirFilename("links.csv");
        QueueSampler queues(fabric, queuesPath);
        RateSampler rates(fabric, ratesPath);
        LinkSampler links(fabric, linksPath);
        PeriodicTasks tasks;
        tasks.Add(100000, [&](int64_t nowPs) {
            queues.Sample(nowPs);
            rates.Sample(nowPs);
            links.Sample(nowPs);
            return nowPs + 100000;
        });
        recorder.SetStopWhenComplete(true);
        recorder.Start();
        tasks.Start();
        Simulator::Run();
        queues.Finish();
        rates.Finish();
        links.Finish();
        CheckQueues(ReadAll(queuesPath));
        CheckRates(ReadAll(ratesPath));
        CheckLinks(ReadAll(linksPath));
        CheckTotals(recorder);
        Simulator::Destroy();
    }

    /// With k = floor((t - 1000) / 86.56) packets begun, k wait up to k = 10, then 20 - k.
    void CheckQueues(const std::string& text)
    {
        std::string expected = "time_ns,node,port,class,bytes\n1000,3,2,3,0\n";
        int time = 1000;
        for (const int waiting : {1, 2, 3, 4, 5, 6, 8, 9, 10, 9, 8, 7, 5, 4, 3, 2, 1, 0})
        {
            time += 100;
            expected += std::to_string(time) + ",3,2,3," + std::to_string(waiting * 1062) + "\n";
        }
        NS_TEST_EXPECT_MSG_EQ(text.substr(0, expected.size()), expected, "queues.csv");
        // then one row for the end of the line
        const std::string rest = text.substr(expected.size());
        NS_TEST_EXPECT_MSG_EQ(std::count(rest.begin(), rest.end(), '\n'), 1, rest);
        NS_TEST_EXPECT_MSG_EQ(Contains(rest, ",3,2,3,0\n"), true, rest);
    }

    /// Line rate and no window, from the first sample on.
    void CheckRates(const std::string& text)
    {
        const std::string expected = "time_ns,flow,rate_bps,window_bytes\n"
                                     "100,0,100000000000,0\n"
                                     "100,1,100000000000,0\n"
                                     "200,0,100000000000,0\n";
        NS_TEST_EXPECT_MSG_EQ(text.substr(0, expected.size()), expected, "rates.csv");
    }

    /// At 100 ns host 0 has sent 1062 bytes, 20 bytes of gap, and 13.44 ns or 168 bytes more.
    void CheckLinks(const std::string& text)
    {
        const std::string expected = "time_ns,node,port,tx_bytes,utilisation\n"
                                     "100,0,0,1230,0.9840\n"
                                     "100,1,0,1230,0.9840\n";
        NS_TEST_EXPECT_MSG_EQ(text.substr(0, expected.size()), expected, "links.csv");
        // 200 ns: 2 packets, 2 gaps and 26.88 ns or 336 bytes: 1230 since 100 ns, no new row;
        // so until 800 ns: 800 / 86.56 = 9 packets, 9 gaps, 20.96 ns or 262 bytes; at 900 ns all 10
        // packets are gone: 10620 - 9 x 1062 - 262 = 800.
        NS_TEST_EXPECT_MSG_EQ(Contains(text, "\n900,0,0,800,0.6400\n"), true, "the end of host 0");
        NS_TEST_EXPECT_MSG_EQ(Contains(text, "\n1000,0,0,0,0.0000\n"), true, "nothing more");
    }

    /// 20 packets and as many ACKs over two links each.
    void CheckTotals(const FlowRecorder& recorder)
    {
        RunSummary summary;
        summary.Collect(recorder, FabricTime::ToPs(Simulator::Now()));
        const FabricTotals& totals = summary.totals;
        NS_TEST_EXPECT_MSG_EQ(totals.dataHops, 40, "data");
        NS_TEST_EXPECT_MSG_EQ(totals.controlHops, 40, "ACKs");
        NS_TEST_EXPECT_MSG_EQ(totals.GetPacketHops(), 80, "sum");
        NS_TEST_EXPECT_MSG_EQ(totals.dataSent, 20, "packets");
        NS_TEST_EXPECT_MSG_EQ(totals.bytesDelivered, 20000, "payload");
        NS_TEST_EXPECT_MSG_EQ(totals.drops.size(), 0, "none");
        NS_TEST_EXPECT_MSG_EQ(totals.lossInFabric, 0, "none");
        NS_TEST_EXPECT_MSG_EQ(totals.linkFrames, 0, "none");
        // The second packet of the last pair is queued before the tenth has left, or after it.
        NS_TEST_EXPECT_MSG_GT_OR_EQ(totals.maxQueueBytes, 10 * 1062, "ten packets");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(totals.maxQueueBytes, 11 * 1062, "and one that leaves");
        NS_TEST_EXPECT_MSG_EQ(totals.maxQueueNode, 3, "the switch");
        NS_TEST_EXPECT_MSG_EQ(totals.maxQueuePort, 2, "towards host 2");
        NS_TEST_EXPECT_MSG_EQ(summary.flowsStarted, 2, "both");
        NS_TEST_EXPECT_MSG_EQ(summary.flowsCompleted, 2, "both");
        NS_TEST_EXPECT_MSG_EQ(summary.slowdown.GetBucket(0).count, 2, "up to 10 kB");
        NS_TEST_EXPECT_MSG_EQ_TOL(summary.GetGoodputGbps(),
                                  160e3 / static_cast<double>(summary.endPs) * 1e3,
                                  1e-9,
                                  "160 kbit until the end");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief summary.json has every key that was promised.
 */
class SummaryTestCase : public TestCase
{
  public:
    SummaryTestCase()
        : TestCase("summary.json has every key")
    {
    }

  private:
    void DoRun() override
    {
        RunSummary summary;
        summary.options = {{"cc", "none"}, {"out", "a \"quoted\" name"}};
        summary.status = "complete";
        summary.slowdown.Add(20000, 1.5);
        summary.totals.drops["lost on the wire"] = 7;
        const std::string json = summary.ToJson();
        for (const char* key : {"options",
                                "seed",
                                "version",
                                "ns3_version",
                                "flows_started",
                                "flows_completed",
                                "slowdown",
                                "goodput_gbps",
                                "pfc_pause_frames",
                                "drops",
                                "ecn_marks",
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
 * @brief Pauses: counted where sent, written where received.
 */
class PauseTestCase : public TestCase
{
  public:
    PauseTestCase()
        : TestCase("pfc.csv tells of every pause and resume")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        // Pause when more than two packets of a port wait; every packet beyond is in the headroom.
        helper.SetBuffer("ns3::SharedBuffer",
                         "PortReserve",
                         UintegerValue(2124),
                         "XoffThreshold",
                         UintegerValue(2124),
                         "ResumeOffset",
                         UintegerValue(0));
        Ptr<Fabric> fabric = helper.Install(MakeStar());
        FlowRecorder recorder(fabric, {{0, 2, 100000, 0, 3}, {1, 2, 100000, 0, 3}});
        const std::string path = CreateTempDirFilename("pfc.csv");
        PauseRecorder pauses(fabric, path);
        recorder.SetStopWhenComplete(true);
        recorder.Start();
        Simulator::Run();
        pauses.Finish();
        NS_TEST_EXPECT_MSG_EQ(recorder.IsComplete(), true, "both flows");
        std::istringstream in(ReadAll(path));
        std::string line;
        std::getline(in, line);
        NS_TEST_EXPECT_MSG_EQ(line, "time_ns,node,port,class,event", "header");
        uint64_t nPauses = 0;
        uint64_t nResumes = 0;
        while (std::getline(in, line))
        {
            const bool pause = Contains(line, ",0,3,pause");
            nPauses += pause ? 1 : 0;
            nResumes += Contains(line, ",0,3,resume") ? 1 : 0;
            // only senders are paused: nodes 0 and 1
            NS_TEST_EXPECT_MSG_EQ((Contains(line, ",0,0,3,") || Contains(line, ",1,0,3,")),
                                  true,
                                  line);
        }
        const FabricTotals totals = FabricTotals::Collect(*fabric);
        NS_TEST_EXPECT_MSG_GT(nPauses, 0, "there were pauses");
        NS_TEST_EXPECT_MSG_GT(nResumes, 0, "and resumes");
        NS_TEST_EXPECT_MSG_EQ(totals.pauseFrames, nPauses, "each frame of one class has arrived");
        NS_TEST_EXPECT_MSG_EQ(totals.linkFrames, nPauses + nResumes, "all frames");
        NS_TEST_EXPECT_MSG_EQ(totals.lossInFabric, 0, "lossless");
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What the report says of a flow that cannot get through, and of a paused port.
 */
class StuckTestCase : public TestCase
{
  public:
    StuckTestCase()
        : TestCase("The report of a stuck fabric names flows, packets and pauses")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        Ptr<Fabric> fabric = helper.Install(MakeStar());
        FlowRecorder recorder(fabric, {{0, 2, 10000, 0, 3}, {1, 2, 1000, 0, 3}});
        recorder.Start();
        // Nobody sends resumes for this pause: all packets end up at port 2 of the switch.
        Simulator::Schedule(NanoSeconds(1),
                            [&fabric] { fabric->GetPort(3, 2)->SetPausedClasses(1 << 3); });
        Simulator::Stop(MicroSeconds(50));
        Simulator::Run();
        recorder.CollectOpen();
        NS_TEST_EXPECT_MSG_EQ(recorder.GetRecords()[0].packetsSent, 10, "all of flow 0 once");
        NS_TEST_EXPECT_MSG_EQ(recorder.GetRecords()[0].retransmitted, 0, "no time-out yet");
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
 * @brief Suite of results of networks.
 */
class ResultsFabricTestSuite : public TestSuite
{
  public:
    ResultsFabricTestSuite()
        : TestSuite("dcfabric-results-fabric", TestSuite::Type::UNIT)
    {
        AddTestCase(new FlowTableTestCase);
        AddTestCase(new FlowRefusalTestCase);
        AddTestCase(new SeriesTestCase);
        AddTestCase(new SummaryTestCase);
        AddTestCase(new PauseTestCase);
        AddTestCase(new StuckTestCase);
    }
};

ResultsFabricTestSuite g_resultsFabricTestSuite; //!< registers the suite

} // namespace
} // namespace tests
} // namespace ns3
