// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-results.h"
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"
#include "fabric-test-wings.h"

#include "ns3/fabric-helper.h"
#include "ns3/fabric-time.h"
#include "ns3/fabric-totals.h"
#include "ns3/flow-recorder.h"
#include "ns3/periodic-tasks.h"
#include "ns3/run-summary.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/trace-series.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Time series and totals of small networks. The network is MakeStar(3): on a wire a full
 * packet has 1000 + 62 + 20 bytes, or 86.56 ns.
 */

namespace ns3::tests::results_series_test
{

/**
 * @ingroup dcfabric-tests
 * @brief Two senders at line rate, one receiver: totals and time series.
 *
 * Pair n of packets arrives at the switch at 1000 + n x 86.56 ns (n = 1 to 10), when the n-th
 * packet begins to leave: from then on n packets of 1062 bytes wait. The last pair leaves 10
 * packets, which begin 86.56 ns apart.
 */
class SeriesTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        FabricHelper helper;
        Ptr<Fabric> fabric = helper.Install(MakeStar(3));
        FlowRecorder recorder(fabric, {{0, 2, 10000, 0, 3}, {1, 2, 10000, 0, 3}});
        const std::string folder = CreateTempDirFilename("");
        std::vector<std::unique_ptr<FabricSampler>> samplers;
        for (const char* name : {"queues", "rates", "links"})
        {
            samplers.push_back(TraceSeriesTable::Find(name)->Open(recorder, folder));
        }
        PeriodicTasks tasks;
        tasks.Add(100000, [&](int64_t nowPs) {
            for (const auto& sampler : samplers)
            {
                sampler->Sample(nowPs);
            }
            return nowPs + 100000;
        });
        recorder.SetStopWhenComplete(true);
        recorder.Start();
        tasks.Start();
        Simulator::Run();
        const int64_t endPs = FabricTime::ToPs(Simulator::Now());
        for (const auto& sampler : samplers)
        {
            sampler->Finish(endPs);
        }
        CheckQueues(ReadAll(folder + "/queues.csv"));
        CheckRates(ReadAll(folder + "/rates.csv"));
        CheckLinks(ReadAll(folder + "/links.csv"));
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

    /// Line rate and no window, from the first sample on, and nothing that has arrived.
    void CheckRates(const std::string& text)
    {
        const std::string expected = "time_ns,flow,rate_bps,window_bytes,throughput_bps,limit_bps\n"
                                     "100,0,100000000000,0,0,100000000000\n"
                                     "100,1,100000000000,0,0,100000000000\n"
                                     "200,0,100000000000,0,0,100000000000\n";
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
        if (!HasClass("ideal-times"))
        {
            return;
        }
        RunSummary summary;
        summary.Collect(recorder, FabricTime::ToPs(Simulator::Now()));
        const FabricTotals& totals = summary.totals;
        NS_TEST_EXPECT_MSG_EQ(totals.Get("data_packet_hops"), 40, "data");
        NS_TEST_EXPECT_MSG_EQ(totals.Get("control_packet_hops"), 40, "ACKs");
        NS_TEST_EXPECT_MSG_EQ(totals.GetPacketHops(), 80, "sum");
        NS_TEST_EXPECT_MSG_EQ(totals.dataSent, 20, "packets");
        NS_TEST_EXPECT_MSG_EQ(totals.bytesDelivered, 20000, "payload");
        NS_TEST_EXPECT_MSG_EQ(totals.drops.size(), 0, "none");
        NS_TEST_EXPECT_MSG_EQ(totals.lossInFabric, 0, "none");
        NS_TEST_EXPECT_MSG_EQ(totals.Get("link_frames"), 0, "none");
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
 * @brief Pauses: counted where sent, written where received.
 */
class PauseTestCase : public NamedCase
{
    using NamedCase::NamedCase;

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
        Ptr<Fabric> fabric = helper.Install(MakeStar(3));
        FlowRecorder recorder(fabric, {{0, 2, 100000, 0, 3}, {1, 2, 100000, 0, 3}});
        const std::string folder = CreateTempDirFilename("");
        const auto pauses = TraceSeriesTable::Find("pfc")->Open(recorder, folder);
        recorder.SetStopWhenComplete(true);
        recorder.Start();
        Simulator::Run();
        pauses->Finish(FabricTime::ToPs(Simulator::Now()));
        NS_TEST_EXPECT_MSG_EQ(recorder.IsComplete(), true, "both flows");
        std::istringstream in(ReadAll(folder + "/pfc.csv"));
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
        NS_TEST_EXPECT_MSG_EQ(totals.Get("pfc_pause_frames"),
                              nPauses,
                              "each frame of one class has arrived");
        NS_TEST_EXPECT_MSG_EQ(totals.Get("link_frames"), nPauses + nResumes, "all frames");
        NS_TEST_EXPECT_MSG_EQ(totals.lossInFabric, 0, "lossless");
        Simulator::Destroy();
    }
};

/// Suite of time series.
const SuiteCases g_cases("dcfabric-results", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new SeriesTestCase("Totals and time series of a two-to-one incast, by hand"));
    suite.AddTestCase(new PauseTestCase("pfc.csv tells of every pause and resume"));
});

} // namespace ns3::tests::results_series_test
