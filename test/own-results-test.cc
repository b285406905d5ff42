// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-results.h"
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"

#include "ns3/config.h"
#include "ns3/describe-results.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-scenario.h"
#include "ns3/flow-recorder.h"
#include "ns3/json-writer.h"
#include "ns3/result-file.h"
#include "ns3/run-summary.h"
#include "ns3/scenario-traces.h"
#include "ns3/simulator.h"
#include "ns3/summary-members.h"
#include "ns3/test.h"
#include "ns3/trace-series.h"

#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief A column of one's own in flows.csv and in summary.json, and a time series of one's own:
 * each is in this file alone.
 */

namespace ns3::tests::own_results_test
{

/**
 * @ingroup dcfabric-tests
 * @brief Two columns that are counted, one at each end, and one that is written.
 */
class OwnColumnTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        std::vector<const FlowColumn*> own;
        own.push_back(&FlowColumns::Add(FlowColumns::Count(
            "sent_at_ps",
            FlowEnd::SENDER,
            [](const FabricNic& nic, const FabricMessageEvent& event) {
                return static_cast<uint64_t>(event.nowPs) + 1000000000000 * nic.GetAddress();
            })));
        own.push_back(&FlowColumns::Add(FlowColumns::Count(
            "arrived_bytes",
            FlowEnd::RECEIVER,
            [](const FabricNic&, const FabricMessageEvent& event) { return event.bytes; })));
        own.push_back(&FlowColumns::Add(
            {{"way", ResultColumn::Type::TEXT}, [](std::string& text, const FlowRow& row) {
                 text += std::to_string(row.flow.src) + '>' + std::to_string(row.flow.dst);
             }}));
        CheckRun();
        for (const FlowColumn* column : own)
        {
            FlowColumns::Remove(*column);
        }
        DCFABRIC_EXPECT_REFUSAL(FlowColumns::Find("way"), "flows.csv has no column 'way'");
        Simulator::Destroy();
    }

    /// One flow that arrives, and one that the run is too short for.
    void CheckRun()
    {
        Ptr<Fabric> fabric = FabricHelper().Install(MakeStar(3));
        const std::vector<FabricFlow> flows = {{1, 2, 1000, 0, 3}, {0, 2, 1000, 50000000, 3}};
        std::string known;
        int64_t ackedPs = 0;
        {
            FlowRecorder recorder(fabric, flows);
            recorder.Start();
            Simulator::Stop(MicroSeconds(20));
            Simulator::Run();
            ackedPs = recorder.GetRecords()[0].senderFctPs;
            CheckTable(recorder, ackedPs);
            known = recorder.Pack();
        }
        // what another process knows, as of ranks: nothing has to be said of columns for that
        FlowRecorder other(fabric, flows);
        NS_TEST_EXPECT_MSG_EQ(other.GetProgress().GetNOpenEnds(), 4, "two flows, two ends");
        other.Join(known);
        CheckTable(other, ackedPs);
        NS_TEST_EXPECT_MSG_EQ(other.GetTable().GetNCompleted(), 1, "flow 0");
        NS_TEST_EXPECT_MSG_EQ(other.GetProgress().GetNOpenEnds(), 6, "of both processes");
    }

    /// Own columns stand behind the others in the order of their names.
    void CheckTable(const FlowRecorder& recorder, int64_t ackedPs)
    {
        const std::string path = CreateTempDirFilename("flows.csv");
        recorder.WriteCsv(path);
        const std::string table = ReadAll(path);
        const std::string acked = std::to_string(1000000000000 + ackedPs);
        for (const std::string& part :
             {std::string(",packets_retransmitted,reordered,arrived_bytes,sent_at_ps,way\n0,1,2,"),
              ",1,0,0,1000," + acked + ",1>2\n1,0,2,1000,50000,",
              std::string(",0,0,0,0,0,0>2\n")})
        {
            NS_TEST_EXPECT_MSG_EQ(Contains(table, part), true, part << "\n" << table);
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A counter of hosts, one of ports, and a member that is written.
 */
class OwnMemberTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        std::vector<const SummaryMember*> own;
        own.push_back(&SummaryMembers::Add({"zz_acks", nullptr, [](const FabricNic& nic) {
                                                return nic.GetCounters().acksReceived;
                                            }}));
        own.push_back(&SummaryMembers::Add(
            {"own_ports", nullptr, nullptr, [](const FabricNetDevice&) { return uint64_t{1}; }}));
        own.push_back(&SummaryMembers::Add({"own_end", [](JsonWriter& json, const RunSummary& run) {
                                                json.Uint(static_cast<uint64_t>(run.endPs));
                                            }}));
        CheckRun();
        for (const SummaryMember* member : own)
        {
            SummaryMembers::Remove(*member);
        }
        NS_TEST_EXPECT_MSG_EQ(Contains(RunSummary().ToJson(), "zz_acks"), false, "taken out");
    }

    /// Three packets of one flow.
    void CheckRun()
    {
        NS_TEST_EXPECT_MSG_EQ(FabricTotals().Get("zz_acks"), 0, "nothing has run");
        NS_TEST_EXPECT_MSG_EQ(FabricTotals().features.empty(), true, "no class has been made");
        DCFABRIC_EXPECT_REFUSAL(FabricTotals().Get("acks"), "no counter 'acks'");
        Ptr<Fabric> fabric = FabricHelper().Install(MakeStar(3));
        FlowRecorder recorder(fabric, {{1, 2, 3000, 0, 3}});
        recorder.SetStopWhenComplete(true);
        recorder.Start();
        Simulator::Run();
        RunSummary summary;
        summary.Collect(recorder, 1234567);
        const std::string json = summary.ToJson();
        for (const char* part : {"\n  \"status\": \"\",\n",
                                 "\n  \"own_end\": 1234567,\n",
                                 "\n  \"own_ports\": 6,\n  \"zz_acks\": 3\n}"})
        {
            NS_TEST_EXPECT_MSG_EQ(Contains(json, part), true, part << "\n" << json);
        }
        // another process with the same counters
        summary.totals.Join(summary.totals.Pack());
        NS_TEST_EXPECT_MSG_EQ(summary.totals.Get("zz_acks"), 6, "of both");
        NS_TEST_EXPECT_MSG_EQ(summary.totals.Get("own_ports"), 12, "of both");
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Data packets that each port has received since the sample before.
 */
class HopSampler : public PortSampler
{
  public:
    /// @param start what it is made of
    explicit HopSampler(const TraceStart& start)
        : PortSampler(start),
          m_before(m_ports.size())
    {
    }

  protected:
    uint64_t Read(std::size_t port, std::size_t /* value */, int64_t /* nowPs */) override
    {
        const uint64_t now = m_ports[port]->GetCounters().rxDataPackets;
        return now - std::exchange(m_before[port], now);
    }

    void AppendValue(std::string& text,
                     const FabricNetDevice& /* port */,
                     std::size_t /* value */,
                     uint64_t number,
                     int64_t /* spanPs */) const override
    {
        text += std::to_string(number);
    }

  private:
    std::vector<uint64_t> m_before; //!< by port: at the last sample
};

/// @return the series
TraceSeries
DescribeHops()
{
    TraceSeries series{"own-hops",
                       "data packets that ports have received",
                       {{"node", ResultColumn::Type::KEY},
                        {"port", ResultColumn::Type::KEY},
                        {"packets", ResultColumn::Type::WHOLE}},
                       &TraceSeries::Make<HopSampler>};
    series.rows = TraceSeries::Rows::THINNED;
    series.figure.title = "ports that received most";
    series.figure.of = {"node", "port"};
    series.figure.panels = {{"packets", "", 1, {{"packets"}}}};
    return series;
}

const TraceSeries& g_hops = TraceSeriesTable::Add(DescribeHops());

/**
 * @ingroup dcfabric-tests
 * @brief A series of one's own by the option, of a run that is stopped, of one without flows in its
 * time, and what programs are told of it.
 */
class OwnSeriesTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// @return own-hops.csv of a run that ends at a time
    std::string Trace(const std::string& stop, const std::string& start)
    {
        const std::string folder = CreateTempDirFilename("own-" + stop);
        const std::string flows = CreateTempDirFilename("own.flows");
        {
            ResultFile file(flows);
            file.Text() += "1\n0 1 3 100 2000 " + start + "\n";
            file.Commit();
        }
        FabricScenario scenario;
        scenario.Set("topology", "dumbbell:senders=1,switches=1");
        scenario.Set("workload", "flows:" + flows);
        scenario.Set("cc", "none");
        scenario.Set("trace", "own-hops");
        scenario.Set("stop", stop);
        scenario.Run(folder);
        Simulator::Destroy();
        Config::Reset();
        return ReadAll(folder + "/own-hops.csv");
    }

    void DoRun() override
    {
        const std::string header = "time_ns,node,port,packets\n";
        // two packets: their last bits are at the switch at 1086.56 and 1173.12 ns
        NS_TEST_EXPECT_MSG_EQ(Trace("2us", "0"),
                              header + "1000,2,0,0\n2000,2,0,2\n",
                              "stopped before they arrive");
        NS_TEST_EXPECT_MSG_EQ(Trace("3us", "1"), header, "nothing in that time");
        bool isListed = false;
        for (const ScenarioValue& value : ListScenarioTraces("trace"))
        {
            isListed = isListed || (value.text == "own-hops" && value.help == g_hops.help);
        }
        NS_TEST_EXPECT_MSG_EQ(isListed, true, "a value of the option");
        JsonWriter json(JsonWriter::Layout::ONE_LINE);
        DescribeResults(json);
        for (const char* part : {"{\"name\": \"own-hops\", \"rows\": \"thinned\", \"columns\": "
                                 "[{\"name\": \"node\", \"type\": \"key\", \"later\": false}",
                                 "\"title\": \"ports that received most\"",
                                 "{\"quantity\": \"packets\", \"unit\": \"\", \"factor\": 1"})
        {
            NS_TEST_EXPECT_MSG_EQ(Contains(json.GetText(), part), true, json.GetText());
        }
    }
};

/// Results of one's own.
const SuiteCases g_cases("dcfabric-own-results", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.AddTestCase(new OwnColumnTestCase("columns of one's own in flows.csv"));
    suite.AddTestCase(new OwnMemberTestCase("members of one's own in summary.json"));
    suite.AddTestCase(new OwnSeriesTestCase("a time series of one's own"));
});

} // namespace ns3::tests::own_results_test
