// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-control.h"
#include "fabric-test-results.h"
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-time.h"
#include "ns3/flow-recorder.h"
#include "ns3/late-stop.h"
#include "ns3/periodic-tasks.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/trace-series.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief What flows got, in rates.csv. The network is MakeStar(3): on a wire a full packet has 1000
 * + 62 + 20 bytes, or 86.56 ns.
 */

namespace ns3::tests::rate_sampler_test
{

/// A row of rates.csv.
struct Row
{
    double timeNs;        //!< time
    uint32_t flow;        //!< flow
    double rateBps;       //!< rate
    double windowBytes;   //!< window
    double throughputBps; //!< throughput
    double limitBps;      //!< limit
};

/**
 * @param text its contents
 * @return the rows of rates.csv
 */
std::vector<Row>
ParseRates(const std::string& text)
{
    std::string spaced = text.substr(text.find('\n') + 1);
    std::replace(spaced.begin(), spaced.end(), ',', ' ');
    std::istringstream in(spaced);
    std::vector<Row> rows;
    Row row{};
    while (in >> row.timeNs >> row.flow >> row.rateBps >> row.windowBytes >> row.throughputBps >>
           row.limitBps)
    {
        rows.push_back(row);
    }
    return rows;
}

/// A run that is sampled.
struct SampledRun
{
    FabricGraph graph{MakeStar(3)};   //!< network
    FabricHelper helper;              //!< its policies
    std::vector<FabricFlow> flows;    //!< what is sent
    int64_t intervalPs{100000};       //!< between samples
    std::vector<Row> rows;            //!< rates.csv
    std::vector<FlowRecord> records;  //!< of the flows
    uint64_t again{0};                //!< packets that were sent again
    std::map<uint32_t, double> bytes; //!< by flow: sum of throughput over time
    std::map<double, double> arrived; //!< by time: bytes of all flows so far

    /**
     * @brief Run.
     * @param folder of the file
     */
    void Run(const std::string& folder)
    {
        Ptr<Fabric> fabric = helper.Install(graph);
        FlowRecorder recorder(fabric, flows);
        const auto sampler = TraceSeriesTable::Find("rates")->Open(recorder, folder);
        PeriodicTasks tasks;
        tasks.Add(intervalPs, [&](int64_t nowPs) {
            sampler->Sample(nowPs);
            return nowPs + intervalPs;
        });
        recorder.SetStopWhenComplete(true);
        recorder.Start();
        tasks.Start();
        Simulator::Run();
        sampler->Finish(FabricTime::ToPs(Simulator::Now()));
        rows = ParseRates(ReadAll(folder + "/rates.csv"));
        records = recorder.GetRecords();
        for (uint32_t i = 0; i < flows.size(); ++i)
        {
            again += recorder.GetTable().GetCount(i, FlowColumns::Find("packets_retransmitted"));
        }
        double total = 0;
        for (const Row& row : rows)
        {
            // since the last multiple of the interval before
            const double interval = static_cast<double>(intervalPs) / 1e3;
            const double begin = (std::ceil(row.timeNs / interval) - 1) * interval;
            const double got = row.throughputBps * (row.timeNs - begin) / 8e9;
            bytes[row.flow] += std::round(got);
            total += std::round(got);
            arrived[row.timeNs] = total;
        }
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Two flows of ten packets over one link.
 *
 * The k-th of the 20 packets begins to leave the switch at 1000 + 86.56 k ns and has arrived
 * 86.56 + 1000 ns later: at t there are floor((t - 2086.56) / 86.56) of them.
 */
class SharedLinkTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        SampledRun run;
        run.flows = {{0, 2, 10000, 0, 3}, {1, 2, 10000, 0, 3}};
        run.Run(CreateTempDirFilename(""));
        NS_TEST_EXPECT_MSG_EQ(run.bytes[0], 10000, "flow 0, to the byte");
        NS_TEST_EXPECT_MSG_EQ(run.bytes[1], 10000, "flow 1, to the byte");
        for (const auto& [timeNs, bytes] : run.arrived)
        {
            const double packets = std::floor((timeNs - 2086.56) / 86.56);
            NS_TEST_EXPECT_MSG_EQ(bytes,
                                  1000 * std::max(0.0, std::min(20.0, packets)),
                                  "at " << timeNs);
        }
        // one packet in 100 ns, and then the other flow's
        NS_TEST_EXPECT_MSG_EQ(run.arrived.at(2200), 1000, "the first packet");
        for (const Row& row : run.rows)
        {
            NS_TEST_EXPECT_MSG_EQ(row.rateBps, 1e11, "line rate");
            NS_TEST_EXPECT_MSG_EQ(row.limitBps, 1e11, "line rate");
            NS_TEST_EXPECT_MSG_EQ(row.windowBytes, 0, "no window");
            NS_TEST_EXPECT_MSG_LT_OR_EQ(row.throughputBps, 1.6e11, "two packets at most");
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A run that ends before the first sample.
 */
class PartialIntervalTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        for (const bool perMessage : {true, false})
        {
            SampledRun run;
            run.intervalPs = 1000000000;
            run.helper.SetNicAttribute("PdcPerMessage", BooleanValue(perMessage));
            run.flows = {{0, 2, 10000, 0, 3}, {0, 2, 1, 0, 3}};
            run.Run(CreateTempDirFilename(""));
            NS_TEST_ASSERT_MSG_EQ(run.rows.size(), 2, "a row for each flow");
            // the simulator's clock may show the next whole ns
            const double endNs =
                std::ceil(static_cast<double>(
                              std::max(run.records[0].senderFctPs, run.records[1].senderFctPs)) /
                          1e3);
            NS_TEST_EXPECT_MSG_EQ(run.rows[0].flow, 0, "in the order of flows");
            NS_TEST_EXPECT_MSG_EQ(run.rows[1].flow, 1, "in the order of flows");
            for (const Row& row : run.rows)
            {
                const double bytes = row.flow == 0 ? 10000 : 1;
                NS_TEST_EXPECT_MSG_EQ_TOL(row.throughputBps * row.timeNs / 8e9,
                                          bytes,
                                          1e-3,
                                          "payload");
                NS_TEST_EXPECT_MSG_EQ_TOL(row.timeNs, endNs, 1.0, "end of the run");
                NS_TEST_EXPECT_MSG_EQ(row.rateBps, 1e11, "never sampled, but known");
            }
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Payload that is sent again counts once, and flows of one connection have their own.
 */
class LossTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        for (const char* reliability : {"ns3::GoBackN", "ns3::SelectiveRepeat"})
        {
            for (const bool perMessage : {true, false})
            {
                SampledRun run;
                run.graph = FabricGraph();
                for (int i = 0; i < 2; ++i)
                {
                    run.graph.AddHost();
                }
                run.graph.AddSwitch();
                run.graph.AddLink(0, 2, 100000000000, 1000000, 0.02);
                run.graph.AddLink(1, 2, 100000000000, 1000000, 0.02);
                run.helper.SetReliability(reliability);
                run.helper.SetNicAttribute("PdcPerMessage", BooleanValue(perMessage));
                run.flows = {{0, 1, 300000, 0, 3}, {0, 1, 1234567, 0, 3}, {1, 0, 77, 50000000, 3}};
                run.intervalPs = 700000;
                run.Run(CreateTempDirFilename(""));
                for (std::size_t i = 0; i < run.flows.size(); ++i)
                {
                    NS_TEST_EXPECT_MSG_EQ(run.bytes[i], run.flows[i].sizeBytes, "flow " << i);
                }
                NS_TEST_EXPECT_MSG_GT(run.again, 0, "packets were lost");
            }
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A window control that does not pace.
 *
 * Swift begins at one bandwidth-delay product and line rate. The base RTT is the same for all
 * samples, so window over limit is, too, wherever the window is what limits.
 */
class WindowTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        SampledRun run;
        run.helper.SetCongestionControl("ns3::SwiftCongestionControl");
        run.flows = {{0, 2, 2000000, 0, 3}, {1, 2, 2000000, 0, 3}};
        run.intervalPs = 10000000;
        run.Run(CreateTempDirFilename(""));
        NS_TEST_EXPECT_MSG_EQ(run.bytes[0], 2000000, "flow 0");
        NS_TEST_EXPECT_MSG_EQ(run.bytes[1], 2000000, "flow 1");
        double baseRttNs = 0;
        int limited = 0;
        for (const Row& row : run.rows)
        {
            NS_TEST_EXPECT_MSG_LT_OR_EQ(row.limitBps, row.rateBps, "the lower of both");
            if (row.limitBps < row.rateBps)
            {
                const double rttNs = row.windowBytes * 8e9 / row.limitBps;
                baseRttNs = ++limited == 1 ? rttNs : baseRttNs;
                NS_TEST_EXPECT_MSG_EQ_TOL(rttNs, baseRttNs, 1e-3, "one base RTT");
            }
            // a sample covers more than a round trip, so more than the limit hardly arrives
            NS_TEST_EXPECT_MSG_LT(row.throughputBps, 1e11, "less than line rate");
        }
        NS_TEST_EXPECT_MSG_GT(limited, 0, "the window limits");
        // two packets of 86.56 ns and two ACKs over two links of 1 us each
        NS_TEST_EXPECT_MSG_GT(baseRttNs, 4000, "four links");
        NS_TEST_EXPECT_MSG_LT(baseRttNs, 4500, "and the time of the packets");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Rate and window of a flow that is no longer sent.
 *
 * The window is 5000 B until the first ACK, and 3000 B from then on. All five packets have arrived
 * after 2 x (86.56 + 1000) + 4 x 86.56 = 2519 ns, before the first ACK is back, two delays later.
 * Both flows are complete at the only sample, and have the window of their last ACK.
 */
class EndedTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        for (const bool perMessage : {true, false})
        {
            SampledRun run;
            run.helper.SetNicAttribute("PdcPerMessage", BooleanValue(perMessage));
            run.helper.SetCongestionControl(FixedCongestionControl::Name(),
                                            "Window",
                                            UintegerValue(5000),
                                            "WindowAfterAck",
                                            UintegerValue(3000));
            run.flows = {{0, 2, 3000, 0, 3}, {0, 2, 2000, 0, 3}};
            run.intervalPs = 1000000000;
            run.Run(CreateTempDirFilename(""));
            NS_TEST_ASSERT_MSG_EQ(run.rows.size(), 2, "a row for each flow");
            for (const Row& row : run.rows)
            {
                NS_TEST_EXPECT_MSG_EQ(row.windowBytes, 3000, "flow " << row.flow);
            }
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A flow that has been sent, but has not arrived when its connection sends the next one.
 *
 * One connection, without window, sends a packet every 1062 x 8 / 90 = 94.4 ns, so that all ten of
 * flow 0 have gone after 944 ns and those of flow 1 after 1888 ns. Packet k arrives at 2 x (86.56 +
 * 1000) + 94.4 k ns: at 2300 ns two of flow 0 have, and no ACK has come back.
 */
class BehindTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        SampledRun run;
        run.helper.SetNicAttribute("PdcPerMessage", BooleanValue(false));
        run.helper.SetCongestionControl(FixedCongestionControl::Name(), "Rate", DoubleValue(9e10));
        run.flows = {{0, 2, 10000, 0, 3}, {0, 2, 10000, 0, 3}};
        run.intervalPs = 2300000;
        run.Run(CreateTempDirFilename(""));
        NS_TEST_ASSERT_MSG_GT(run.rows.size(), 1, "both flows at 2.3 us");
        NS_TEST_EXPECT_MSG_EQ(run.rows[0].timeNs, 2300, "the first sample");
        NS_TEST_EXPECT_MSG_EQ(run.rows[0].flow, 1, "is being sent");
        NS_TEST_EXPECT_MSG_EQ(run.rows[0].throughputBps, 0, "has not arrived");
        NS_TEST_EXPECT_MSG_EQ(run.rows[1].timeNs, 2300, "the first sample");
        NS_TEST_EXPECT_MSG_EQ(run.rows[1].flow, 0, "has been sent");
        NS_TEST_EXPECT_MSG_EQ_TOL(run.rows[1].throughputBps * 2300 / 8e9, 2000, 1e-3, "in part");
        NS_TEST_EXPECT_MSG_EQ(run.rows[1].rateBps, 9e10, "that of the connection");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A run that is stopped at the time of a sample, at which a packet arrives.
 *
 * Packet k of a flow that is alone arrives at 2 x (86.56 + 1000) + 86.56 k ns, the 24th at 4164 ns.
 * A sample comes before what happens at its time, and sees 23. The end of the run comes after it.
 */
class EndAtSampleTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        constexpr int64_t AT_PS = 4164000;
        const std::string folder = CreateTempDirFilename("");
        Ptr<Fabric> fabric = FabricHelper().Install(MakeStar(3));
        FlowRecorder recorder(fabric, {{0, 2, 30000, 0, 3}});
        const auto sampler = TraceSeriesTable::Find("rates")->Open(recorder, folder);
        PeriodicTasks tasks;
        LateStop stop;
        tasks.AddBefore(AT_PS, [&](int64_t nowPs) {
            sampler->Sample(nowPs);
            stop.RequestAt(nowPs);
            return FabricTime::NEVER;
        });
        recorder.Start();
        tasks.Start();
        Simulator::Run();
        sampler->Finish(AT_PS);
        const std::vector<Row> rows = ParseRates(ReadAll(folder + "/rates.csv"));
        NS_TEST_ASSERT_MSG_EQ(rows.size(), 2, "the sample, and the end");
        for (const Row& row : rows)
        {
            NS_TEST_EXPECT_MSG_EQ(row.timeNs, 4164, "at one time");
        }
        // 8 x 23,000 B / 4164 ns, and 8 x 1000 B / 4164 ns
        NS_TEST_EXPECT_MSG_EQ(rows[0].throughputBps, 44188280500.0, "23 packets");
        NS_TEST_EXPECT_MSG_EQ(rows[1].throughputBps,
                              1921229587.0,
                              "the 24th, in the same interval");
        Simulator::Destroy();
    }
};

/// Suite of rates.csv.
const SuiteCases g_cases("dcfabric-results", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new SharedLinkTestCase("Throughput of two flows over one link, by hand"));
    suite.AddTestCase(new PartialIntervalTestCase(
        "What arrives after the last sample has a row at the end of the run"));
    suite.AddTestCase(
        new EndAtSampleTestCase("What arrives with the last sample counts to its interval"));
    suite.AddTestCase(new LossTestCase("Payload counts once, however often it is sent"));
    suite.AddTestCase(
        new EndedTestCase("A complete flow has the window with which its sender ended"));
    suite.AddTestCase(
        new BehindTestCase("A flow behind which another one is sent has the rate of both"));
    suite.AddTestCase(
        new WindowTestCase("The limit of a window control is its window over the base RTT"));
});

} // namespace ns3::tests::rate_sampler_test
