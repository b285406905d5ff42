// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-files.h"
#include "../fabric-test-results.h"

#include "ns3/connection-matrix-file.h"
#include "ns3/connection-matrix-workload.h"
#include "ns3/fabric-topology.h"
#include "ns3/fabric-warning.h"
#include "ns3/fabric-workload-factory.h"
#include "ns3/test.h"

#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Connection matrices of the htsim simulators.
 */

namespace ns3::tests::connection_matrix_test
{

/// A matrix with everything that the format has.
const char* const MATRIX = "# a comment\n"
                           "Nodes 16\n"
                           "Connections 4\n"
                           "Triggers 3\n"
                           "Failures 1\n"
                           "\n"
                           "1->0 id 1 start 0 size 2000000 send_done_trigger 1 # more\n"
                           "2->0 start 12.5 id 2 size 5000000000 recv_done_trigger 2 prio 3\r\n"
                           "3->0 id 3 trigger 1 size 7 recv_done_trigger 3\n"
                           "trigger id 1 oneshot\n"
                           "4->15 trigger 2 size 9\n"
                           "trigger multishot id 2\n"
                           "trigger id 3 barrier count 1\n"
                           "failure switch_type AGG switch_id 2 link_id 1\n";

/// Header of the malformed files: lines 1 to 3.
const char* const HEAD = "Nodes 4\nConnections 1\nTriggers 1\n";

/**
 * @ingroup dcfabric-tests
 * @brief A matrix is read word by word, whatever their order.
 */
class MatrixReadTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const std::string path = CreateTempDirFilename("matrix");
        WriteText(path, MATRIX);
        const ConnectionMatrixFile file = ReadConnectionMatrix(path, "us");
        NS_TEST_EXPECT_MSG_EQ(file.nodes, 16, "nodes");
        // The unit decides: 12.5 us are 12500000 ps.
        const std::vector<FabricFlow> flows{{1, 0, 2000000, 0, 5},
                                            {2, 0, 5000000000, 12500000, 5},
                                            {3, 0, 7, FabricFlow::ON_TRIGGER, 5},
                                            {4, 15, 9, FabricFlow::ON_TRIGGER, 5}};
        NS_TEST_EXPECT_MSG_EQ((file.GetFlows(5) == flows), true, "flows; prio is no class");
        const std::vector<FlowTrigger> triggers = file.GetTriggers();
        using List = std::vector<uint32_t>;
        NS_TEST_ASSERT_MSG_EQ(triggers.size(), 3, "triggers");
        NS_TEST_EXPECT_MSG_EQ((triggers[0].kind == FlowTrigger::ONE_SHOT), true, "oneshot");
        NS_TEST_EXPECT_MSG_EQ((triggers[0].whenSent == List{0}), true, "send_done_trigger 1");
        NS_TEST_EXPECT_MSG_EQ((triggers[0].starts == List{2}), true, "trigger 1");
        NS_TEST_EXPECT_MSG_EQ((triggers[1].kind == FlowTrigger::MULTI_SHOT), true, "multishot");
        NS_TEST_EXPECT_MSG_EQ((triggers[1].whenReceived == List{1}), true, "recv_done_trigger 2");
        NS_TEST_EXPECT_MSG_EQ((triggers[2].kind == FlowTrigger::BARRIER), true, "barrier");
        NS_TEST_EXPECT_MSG_EQ(triggers[2].count, 1, "count");
        NS_TEST_ASSERT_MSG_EQ(file.failures.size(), 1, "failures");
        NS_TEST_EXPECT_MSG_EQ(file.failures[0].switchType, "AGG", "switch_type");
        NS_TEST_EXPECT_MSG_EQ(file.failures[0].switchId, 2, "switch_id");
        NS_TEST_EXPECT_MSG_EQ(file.failures[0].linkId, 1, "link_id");

        // The same number in other units.
        const std::pair<const char*, int64_t> units[] = {{"ps", 13},
                                                         {"ns", 12500},
                                                         {"us", 12500000},
                                                         {"ms", 12500000000},
                                                         {"s", 12500000000000}};
        for (const auto& [unit, ps] : units)
        {
            NS_TEST_EXPECT_MSG_EQ(ReadConnectionMatrix(path, unit).connections[1].startPs,
                                  ps,
                                  "12.5 " << unit);
            WriteConnectionMatrix(file, path + ".again", unit);
            const ConnectionMatrixFile again = ReadConnectionMatrix(path + ".again", unit);
            NS_TEST_EXPECT_MSG_EQ((again.connections == file.connections &&
                                   again.triggers == file.triggers &&
                                   again.failures == file.failures && again.nodes == file.nodes),
                                  true,
                                  "written in " << unit);
        }
        WriteConnectionMatrix(file, path + ".again", "us");
        NS_TEST_EXPECT_MSG_EQ(ReadAll(path + ".again"),
                              "Nodes 16\nConnections 4\nTriggers 3\nFailures 1\n"
                              "1->0 id 1 start 0 size 2000000 send_done_trigger 1\n"
                              "2->0 id 2 start 12.5 size 5000000000 recv_done_trigger 2 prio 3\n"
                              "3->0 id 3 trigger 1 size 7 recv_done_trigger 3\n"
                              "4->15 trigger 2 size 9\n"
                              "trigger id 1 oneshot\ntrigger id 2 multishot\n"
                              "trigger id 3 barrier count 1\n"
                              "failure switch_type AGG switch_id 2 link_id 1\n",
                              "exact text");
        // A flow without end, and the default pull priority of a tool of the family.
        WriteText(path, "Nodes 2\nConnections 1\n0->1 start 0 size 0 prio 2000000\n");
        const ConnectionMatrixFile endless = ReadConnectionMatrix(path, "");
        NS_TEST_EXPECT_MSG_EQ(endless.GetFlows(3)[0].sizeBytes, FabricFlow::ENDLESS, "no end");
        WriteConnectionMatrix(endless, path, "us");
        NS_TEST_EXPECT_MSG_EQ(ReadAll(path),
                              "Nodes 2\nConnections 1\n0->1 start 0 size 0 prio 2000000\n",
                              "exact text");
        // Picoseconds that a float cannot hold, and a matrix without anything.
        WriteText(path, "Nodes 2\nConnections 1\n0->1 start 123456789012345678 size 1\n");
        NS_TEST_EXPECT_MSG_EQ(ReadConnectionMatrix(path, "ps").connections[0].startPs,
                              123456789012345678,
                              "every digit");
        WriteText(path, "Nodes 1\nConnections 0");
        NS_TEST_EXPECT_MSG_EQ(ReadConnectionMatrix(path, "").connections.empty(), true, "empty");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Every mistake in a matrix is refused with file and line.
 */
class MatrixErrorTestCase : public FileTestCase
{
    using FileTestCase::FileTestCase;

    void DoRun() override
    {
        const std::string good = "0->1 start 0 size 9 send_done_trigger 1\n";
        const std::string trigger = "trigger id 1 oneshot\n";
        // after the header of three lines, so that the first line here is line 4
        const std::pair<std::string, const char*> bodies[] = {
            {"0->4 start 0 size 9\n" + trigger, "4: destination: '4'"},
            {"-1->0 start 0 size 9\n" + trigger, "4: source: '-1'"},
            {"0-> 1 start 0 size 9\n" + trigger, "4: destination: ''"},
            {"0 -> 1 start 0 size 9\n" + trigger, "4: unknown word '0' in the header"},
            {"2->2 start 0 size 9\n" + trigger, "4: the flow goes from node 2 to itself"},
            {"0->1 start 5 size 9\n" + trigger, "4: start 5 has no unit"},
            {"0->1 start 99999999999999 size 9\n" + trigger, "4: start 99999999999999 has no unit"},
            {"0->1 start 1us size 9\n" + trigger, "4: start: '1us' is not a number"},
            {"0->1 start -0 size 9\n" + trigger, "4: start: '-0'"},
            {"0->1 start\n" + trigger, "4: 'start' needs a value"},
            {"0->1 size 9\n" + trigger, "4: the flow has neither a start nor a trigger"},
            {"0->1 start 0 trigger 1 size 9\n" + trigger, "4: the flow has a start and a trigger"},
            {"0->1 start 0\n" + trigger, "4: the flow has no size"},
            {"0->1 start 0 size 0 send_done_trigger 1\n" + trigger,
             "5: trigger 1 waits for the end of flow 0, which has none"},
            {"0->1 start 0 size 0 recv_done_trigger 1\n" + trigger,
             "5: trigger 1 waits for the end of flow 0, which has none"},
            {"0->1 id 1 msg 1 start 0 size 9\n" + trigger,
             "4: msg numbers the messages of one connection"},
            {"0->1 start 0 size -9\n" + trigger, "4: size: '-9'"},
            {"0->1 start 0 size 9 size 9\n" + trigger, "4: 'size' is given twice"},
            {"0->1 id 0 start 0 size 9\n" + trigger, "4: id: '0'"},
            {"0->1 start 0 size 9 prio -1\n" + trigger, "4: prio: '-1'"},
            {"0->1 start 0 size 9 addon\n" + trigger, "4: unknown word 'addon'; known: id, start"},
            {"0->1 start 0 size 9 send_done_trigger 2\n" + trigger,
             "4: there is no trigger with id"},
            {good + "trigger id 0 oneshot\n", "5: id: '0'"},
            {good + "trigger oneshot\n", "5: expected 'trigger id n"},
            {good + "trigger id 1\n", "5: expected 'trigger id n"},
            {good + "trigger id 1 oneshot barrier count 1\n", "5: expected 'trigger id n"},
            {good + "trigger id 1 barrier\n", "5: a barrier needs a count"},
            {good + "trigger id 1 barrier count 0\n", "5: count: '0'"},
            {good + "trigger id 1 oneshot count 1\n", "5: only a barrier has a count"},
            {good + "trigger id 1 twoshot\n", "5: unknown word 'twoshot'"},
            {good + trigger + "Nodes 4\n", "6: unknown word 'Nodes'; after the header"},
            {good, "3: Triggers is 1, but the file has 0"},
            {good + good + trigger, "2: Connections is 1, but the file has 2"},
            {good + trigger + "failure switch_type AGG switch_id 0\n", "6: expected 'failure"},
            {good + trigger + "failure switch_type SPINE switch_id 0 link_id 0\n",
             "6: unknown switch_type 'SPINE'; known: TOR, AGG, CORE"},
            {"0->1 trigger 1 size 9\n" + trigger, "4: flow 0: it never starts"},
        };
        for (const auto& [body, part] : bodies)
        {
            Expect(HEAD + body, part);
        }
        Expect("", "1: the header has no 'Nodes number'");
        Expect("Nodes 4\n0->1 start 0 size 9\n", "2: the header has no 'Connections number'");
        Expect("Nodes 0\n", "1: Nodes: '0'");
        Expect("Nodes 4 5\n", "1: expected 'Nodes number'");
        Expect("Nodes 4\nNodes 4\n", "2: Nodes is given twice");
        Expect("nodes 4\n", "1: unknown word 'nodes' in the header; known: Nodes, Connections");
        Expect("Nodes 4\nConnections 2\n0->1 id 3 start 0 size 9\n1->0 id 3 start 0 size 9\n",
               "4: flow id 3 is given twice");
        Expect("Nodes 4\nConnections 0\nTriggers 2\ntrigger id 1 oneshot\ntrigger id 1 oneshot\n",
               "5: trigger id 1 is given twice");
        Expect("Nodes 4\nConnections 2\nTriggers 1\n0->1 start 0 size 9 recv_done_trigger 5\n"
               "1->0 start 0 size 9 recv_done_trigger 5\ntrigger id 5 oneshot\n",
               "6: trigger 5 is one-shot, but 2 flows activate it");
        const std::string path = CreateTempDirFilename("matrix");
        DCFABRIC_EXPECT_REFUSAL(ReadConnectionMatrix(path, "minutes"), "known: ps, ns, us, ms, s");
        DCFABRIC_EXPECT_REFUSAL(WriteConnectionMatrix({}, path, ""), "known: ps, ns, us, ms, s");
        DCFABRIC_EXPECT_REFUSAL(ReadConnectionMatrix(path + ".no", ""), "cannot be opened");
    }

    /**
     * @param text a malformed file
     * @param part what the refusal says after the path
     */
    void Expect(const std::string& text, const std::string& part)
    {
        ExpectRefusals([](const std::string& path) { ReadConnectionMatrix(path, ""); },
                       {{text, part}});
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Matrices as workloads.
 */
class MatrixWorkloadTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const FabricGraph graph = MakeFabricTopology("fat-tree:k=4")->BuildGraph();
        const std::string path = CreateTempDirFilename("matrix,with=comma");
        std::string text = MATRIX;
        WriteText(path, text);
        auto workload = MakeFabricWorkload("cm:" + path + ",unit=us");
        DCFABRIC_EXPECT_REFUSAL(workload->Generate(graph),
                                path + ":14: failures in a connection matrix");
        text.erase(text.find("failure"));
        text.erase(text.find("Failures"), 11);
        WriteText(path, text);
        std::vector<std::string> warnings;
        const auto sink = SetFabricWarningSink(
            [&warnings](const FabricText& warning) { warnings.push_back(warning.Say()); });
        const std::vector<FabricFlow> flows = workload->Generate(graph);
        SetFabricWarningSink(sink);
        NS_TEST_ASSERT_MSG_EQ(warnings.size(), 1, "a warning");
        NS_TEST_EXPECT_MSG_EQ(Contains(warnings[0], path + ":7: prio has no effect"),
                              true,
                              warnings[0]);
        NS_TEST_EXPECT_MSG_EQ(+flows.at(1).priority, 3, "prio is no class");
        NS_TEST_ASSERT_MSG_EQ(flows.size(), 4, "flows");
        NS_TEST_EXPECT_MSG_EQ(flows[0].priority, 3, "class by default");
        NS_TEST_EXPECT_MSG_EQ(flows[1].startPs, 12500000, "unit of the option");
        NS_TEST_EXPECT_MSG_EQ(workload->GetTriggers().size(), 3, "triggers");
        NS_TEST_EXPECT_MSG_EQ(FindFlowTriggerFault(flows, workload->GetTriggers()).what,
                              "",
                              "sound");
        DCFABRIC_EXPECT_REFUSAL(
            workload->Generate(MakeFabricTopology("dumbbell:senders=7")->BuildGraph()),
            path + ":2: the file is for 16 nodes, the topology has 14 hosts");
        // Hosts whose numbers are not 0, 1, ...: nodes of the matrix are the hosts in order.
        FabricGraph odd;
        odd.AddSwitch();
        odd.AddHost();
        odd.AddHost();
        odd.AddLink(1, 0, 1000, 1);
        odd.AddLink(2, 0, 1000, 1);
        WriteText(path, "Nodes 2\nConnections 1\n0->1 start 0 size 9\n");
        const FabricFlow flow = MakeFabricWorkload("cm:" + path + ",unit=ps")->Generate(odd)[0];
        NS_TEST_EXPECT_MSG_EQ(flow.src, 1, "first host");
        NS_TEST_EXPECT_MSG_EQ(flow.dst, 2, "second host");
        const std::string plain = CreateTempDirFilename("plain");
        WriteText(plain, "Nodes 2\nConnections 1\n0->1 start 0 size 9\n");
        NS_TEST_EXPECT_MSG_EQ(MakeFabricWorkload("cm:" + plain)->Generate(odd).size(),
                              1,
                              "no unit where all starts are 0");
        WriteText(plain, "Nodes 2\nConnections 1\n0->1 start 86401 size 9\n");
        DCFABRIC_EXPECT_REFUSAL(MakeFabricWorkload("cm:" + plain + ",unit=s")->Generate(odd),
                                plain + ":3: the start is later than 24 h");
        DCFABRIC_EXPECT_REFUSAL(MakeFabricWorkload("cm:x,units=us"), "known keys: unit");
        DCFABRIC_EXPECT_REFUSAL(MakeFabricWorkload("cm:" + plain + ",unit=h")->Generate(odd),
                                "unknown unit 'h'");
        DCFABRIC_EXPECT_REFUSAL(MakeFabricWorkload("cm"), "write cm:PATH");
        DCFABRIC_EXPECT_REFUSAL(CreateObject<ConnectionMatrixWorkload>()->Generate(odd), "no path");
        FabricWorkloadOptions o;
        o.load = "0.5";
        DCFABRIC_EXPECT_REFUSAL(MakeFabricWorkload("cm:x", o), "load '0.5' has no effect");
    }
};

/// Suite of connection matrices.
const SuiteCases g_cases("dcfabric-workload", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(
        new MatrixReadTestCase("connection matrices are read, written and read the same"));
    suite.AddTestCase(
        new MatrixErrorTestCase("malformed connection matrices are refused with file and line"));
    suite.AddTestCase(
        new MatrixWorkloadTestCase("connection matrices become workloads, or say why not"));
});

} // namespace ns3::tests::connection_matrix_test
