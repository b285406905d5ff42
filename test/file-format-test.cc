// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-files.h"

#include "ns3/dumbbell-topology.h"
#include "ns3/fabric-text-file.h"
#include "ns3/fabric-warning.h"
#include "ns3/fat-tree-topology.h"
#include "ns3/flow-file.h"
#include "ns3/flow-size-distribution.h"
#include "ns3/hpcc-topology-file.h"
#include "ns3/test.h"

#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Topology, flow and CDF files: reading, writing, and every kind of mistake.
 */

namespace ns3::tests::file_format_test
{

/**
 * @param path file to read
 * @return its contents
 */
std::string
Get(const std::string& path)
{
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

/**
 * @ingroup dcfabric-tests
 * @brief A topology file as the public simulators write it.
 */
class TopologyFileTestCase : public FileTestCase
{
    using FileTestCase::FileTestCase;

    void DoRun() override
    {
        const std::string path = CreateTempDirFilename("topology");
        WriteText(path, HPCC_TOPOLOGY);
        const FabricGraph graph = ReadHpccTopology(path);
        NS_TEST_ASSERT_MSG_EQ(graph.GetNNodes(), 5, "nodes");
        NS_TEST_ASSERT_MSG_EQ(graph.GetNLinks(), 5, "links, parallel ones included");
        NS_TEST_EXPECT_MSG_EQ((graph.GetHosts() == std::vector<uint32_t>{0, 1, 4}), true, "hosts");
        const std::vector<FabricLink> links{{0, 2, 100000000000, 1000000, 0},
                                            {1, 2, 25000000000, 1000000, 0},
                                            {2, 3, 400000000000, 1500000, 0.001},
                                            {2, 3, 400000000000, 1500000, 0.001},
                                            {3, 4, 33300000000, 1000000, 0}};
        NS_TEST_EXPECT_MSG_EQ((graph.GetLinks() == links), true, "links as written");
        NS_TEST_EXPECT_MSG_EQ((graph.GetNode(2).tier == 1 && graph.GetNode(3).tier == 1),
                              true,
                              "both switches have a host");

        // White space does not matter, ids may spread over lines, an explanation may follow.
        WriteText(
            path,
            "\n5 2 5\r\n2\n3\r\n 0\t2 100Gbps 1000ns 0.000000\n1 2 25Gbps 0.001ms 0\n\n"
            "2 3 400Gbps 1500ns 0.001\n2 3 400Gbps 1500ns 1e-3\n3 4 33300Mbps 1us 0\n"
            "\nFirst line: total node #, switch node #, link #\nsrc0 dst0 rate delay error_rate\n");
        NS_TEST_EXPECT_MSG_EQ((ReadHpccTopology(path).GetLinks() == links), true, "white space");
        // ns3-datacenter: number of ToRs, rates without unit, with and without rates in line 1
        for (const char* first : {"5 2 2 5\n", "5 2 1 5 25000000000 25000000000.0\n"})
        {
            WriteText(path,
                      std::string(first) +
                          "2 3 \n0 2 100000000000.0 1us 0\n1 2 25000000000 1us 0\n"
                          "2 3 400000000000.0 1500ns 0.001\n2 3 400Gbps 1500ns 0.001\n"
                          "3 4 33300000000 1us 0\n");
            NS_TEST_EXPECT_MSG_EQ((ReadHpccTopology(path).GetLinks() == links), true, first);
        }
        // No final newline, no switch at all.
        WriteText(path, "2 0 1\n\n0 1 1Gbps 1us 0");
        NS_TEST_EXPECT_MSG_EQ(ReadHpccTopology(path).GetNHosts(), 2, "two hosts back to back");
        DCFABRIC_EXPECT_REFUSAL(ReadHpccTopology(path + ".absent"), ".absent: cannot be opened");
        DCFABRIC_EXPECT_REFUSAL(ReadHpccTopology("/"), "/");
        // Names and places, in any order; node 1 has none, and the explanation ends all.
        WriteText(path,
                  "3 1 2\n2\n0 2 1Gbps 1us 0\n1 2 1Gbps 1us 0\n"
                  "node 2 Berlin 13.4 52.5\nnode 0 host-in-Berlin\nFirst line: x\nnode 1 x\n");
        const FabricGraph named = ReadHpccTopology(path);
        NS_TEST_EXPECT_MSG_EQ(named.GetName(0), "host-in-Berlin", "a name");
        NS_TEST_EXPECT_MSG_EQ(named.GetName(1), "host-1", "none of its own");
        NS_TEST_EXPECT_MSG_EQ(named.GetName(2), "Berlin", "with a place");
        NS_TEST_EXPECT_MSG_EQ(named.GetPlaces().size(), 1, "one place");
        NS_TEST_EXPECT_MSG_EQ((named.GetPlaces().at(2) == std::make_pair(13.4, 52.5)),
                              true,
                              "x and y");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What is written is read back the same.
 */
class TopologyRoundTripTestCase : public FileTestCase
{
    using FileTestCase::FileTestCase;

    void DoRun() override
    {
        const std::string path = CreateTempDirFilename("round-trip");
        auto fatTree = CreateObject<FatTreeTopology>();
        fatTree->SetK(4);
        Check(fatTree->BuildGraph(), path);
        Check(CreateObject<DumbbellTopology>()->BuildGraph(), path);
        // Values that need every digit: a third, a rate of one bit/s more, a delay of one ps.
        FabricGraph odd;
        odd.AddSwitch();
        odd.AddHost();
        odd.AddHost();
        odd.AddLink(2, 0, 100000000001, 1, 1.0 / 3.0);
        odd.AddLink(0, 1, 1, FabricGraph::MAX_DELAY_PS, 1e-9);
        odd.AddLink(0, 1, 2500000, 1001, 0.999999);
        Check(odd, path);
        // The first lines, to the letter.
        WriteHpccTopology(odd, path);
        const std::string head = "3 1 3\n0\n2 0 100000000001bps 1ps 0.3333333333333333";
        NS_TEST_EXPECT_MSG_EQ(Get(path).substr(0, head.size()), head, "exact text");
        // Places that need every digit; names that cannot stand in a file, or that two nodes have.
        FabricGraph named;
        named.AddHost(0, "a");
        named.AddHost(0, "a");
        named.AddSwitch(1, 0, "an edge");
        named.AddLink(0, 2, 1, 1);
        named.AddLink(1, 2, 1, 1);
        named.SetPlace(2, 1.0 / 3.0, -7.5);
        DCFABRIC_EXPECT_REFUSAL(named.SetPlace(3, 0, 0), "unknown node 3");
        WriteHpccTopology(named, path);
        const FabricGraph read = ReadHpccTopology(path);
        NS_TEST_EXPECT_MSG_EQ((read.GetPlaces() == named.GetPlaces()), true, "places");
        NS_TEST_EXPECT_MSG_EQ(read.GetName(0) + read.GetName(2), "host-0switch-2", "usual names");
        fatTree->SetK(2);
        WriteHpccTopology(fatTree->BuildGraph(), path);
        NS_TEST_EXPECT_MSG_EQ(Get(path),
                              "7 5 6\n2 3 4 5 6\n"
                              "0 2 100Gbps 1000ns 0.000000\n1 3 100Gbps 1000ns 0.000000\n"
                              "2 4 100Gbps 1000ns 0.000000\n3 5 100Gbps 1000ns 0.000000\n"
                              "4 6 100Gbps 1000ns 0.000000\n5 6 100Gbps 1000ns 0.000000\n"
                              "node 2 edge-0-0\nnode 3 edge-1-0\nnode 4 agg-0-0\n"
                              "node 5 agg-1-0\nnode 6 core-0\n",
                              "fat-tree k=2: edges 2-3, aggregations 4-5, core 6");
        DCFABRIC_EXPECT_REFUSAL(WriteHpccTopology(odd, path + "/absent/file"), "cannot be written");
        NS_TEST_EXPECT_MSG_EQ(std::ifstream(path + ".tmp").good(), false, "no temporary file left");
    }

    /**
     * @param graph network to write and read
     * @param path file to use
     */
    void Check(const FabricGraph& graph, const std::string& path)
    {
        WriteHpccTopology(graph, path);
        const FabricGraph read = ReadHpccTopology(path);
        NS_TEST_EXPECT_MSG_EQ((read.GetLinks() == graph.GetLinks()), true, "links");
        NS_TEST_EXPECT_MSG_EQ((read.GetHosts() == graph.GetHosts()), true, "hosts");
        NS_TEST_EXPECT_MSG_EQ(read.GetNNodes(), graph.GetNNodes(), "nodes");
        for (uint32_t node = 0; node < graph.GetNNodes(); ++node)
        {
            NS_TEST_EXPECT_MSG_EQ(read.GetName(node), graph.GetName(node), "names");
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Every mistake in a topology file is refused with file and line.
 */
class TopologyFileErrorTestCase : public FileTestCase
{
    using FileTestCase::FileTestCase;

    void DoRun() override
    {
        ExpectRefusals(
            [](const std::string& path) { ReadHpccTopology(path); },
            {
                {"", "1: the file is empty"},
                {"\n \n", "1: the file is empty"},
                {"3 1\n2\n", "1: expected 'node_num switch_num link_num' (3 fields), found 2"},
                {"3 1 2 9 8\n2\n", "1: expected 'node_num"},
                {"3 1 2 2\n2\n", "1: tor_num: '2' is not a whole number from 0 to 1"},
                {"3 1 1 2\n2\n0 2 x 1us 0\n", "3: link rate: 'x' is not a rate"},
                {"3 1 1 2\n2\n0 2 . 1us 0\n", "3: link rate: '.bps' is not a rate"},
                {"3 1 1 2\n2\n0 2 0 1us 0\n", "3: the link rate must be above 0"},
                {"0 0 0\n", "1: node_num: '0' is not a whole number from 1"},
                {"-3 1 2\n2\n", "1: node_num: '-3'"},
                {"3 4 2\n2\n", "1: switch_num: '4' is not a whole number from 0 to 3"},
                {"3 1 two\n2\n", "1: link_num: 'two'"},
                {"99999999999 1 2\n2\n", "1: node_num"},
                {"2000000 1 2\n2\n", "1: 2 links cannot reach 1999999 hosts"},
                {"3 1 2\n", "1: the file ends after 0 of 1 switch id"},
                {"3 1 2\n3\n", "2: switch id: '3' is not a whole number from 0 to 2"},
                {"4 2 2\n2 2\n", "2: switch id 2 is given twice"},
                {"4 2 2\n2 3 1\n", "2: more than the 2 switch ids"},
                {"4 2 2\n2\nFirst line: x\n", "3: the file ends after 1 of 2 switch ids"},
                {"3 1 2\n2\n0 2 1Gbps 1us 0\n", "3: the file ends after 1 of 2 links"},
                {"3 1 2\n2\n0 2 1Gbps 1us 0\n1 2 1Gbps 1u", "4: expected 'src dst rate"},
                {"3 1 2\n2\n0 2 1Gbps 1us 0 7\n", "3: expected 'src dst rate delay error_rate'"},
                {"3 1 2\n2\n0 3 1Gbps 1us 0\n", "3: link destination, a node: '3'"},
                {"3 1 2\n2\n-1 2 1Gbps 1us 0\n", "3: link source, a node: '-1'"},
                {"3 1 2\n2\n0 0 1Gbps 1us 0\n", "3: the link joins node 0 to itself"},
                {"3 1 2\n2\n0 2 0Gbps 1us 0\n", "3: the link rate must be above 0"},
                {"3 1 2\n2\n0 2 1001Tbps 1us 0\n", "3: link rate '1001Tbps' is above 1000Tbps"},
                {"3 1 2\n2\n0 2 -1Gbps 1us 0\n", "3: link rate: '-1Gbps' is not a rate"},
                {"3 1 2\n2\n0 2 1Gbbs 1us 0\n", "3: link rate: '1Gbbs' is not a rate"},
                {"3 1 2\n2\n0 2 1Gbps 0ns 0\n", "3: link delay '0ns' is outside 1 ps to 1 s"},
                {"3 1 2\n2\n0 2 1Gbps 1000 0\n", "3: link delay: '1000' has no unit"},
                {"3 1 2\n2\n0 2 100 1us 0\n", "3: link rate: '100' has no unit; a rate is"},
                {"3 1 2\n2\n0 2 1Gbps nanns 0\n", "3: link delay: 'nanns' is not a time"},
                {"3 1 2\n2\n0 2 1Gbps 1us 1\n", "3: a link error rate of 1"},
                {"3 1 2\n2\n0 2 1Gbps 1us nan\n", "3: link error rate: 'nan'"},
                {"3 1 2\n2\n0 2 1Gbps 1us -0.1\n", "3: link error rate: '-0.1'"},
                {"3 1 2\n2\n0 2 1Gbps 1us 0.1x\n", "3: link error rate: '0.1x'"},
                {"3 1 2\n2\n0 2 1Gbps 1us 0\n0 2 1Gbps 1us 0\n", "1: host-1 (node 1) has no link"},
                {"3 1 x\n",
                 "1: link_num: 'x' is not a whole number from 0 to 4294967295 (the format: "
                 "doc/howto/own-topology.rst)"},
                {" <?xml version='1.0'?>\n", "1: this is XML, such as GraphML"},
                {"<graphml>\n",
                 "1: this is XML, such as GraphML, and no topology file; 'dcfabric graphml "
                 "FILE.graphml --out FILE.topo' makes one of it (doc/howto/topology-zoo.rst)"},
                {"3 1 2\n2\n0 2 1Gbps 1us 0\nnode 2 a\n",
                 "4: lines of nodes come behind the links, of which there are 1 of 2 so far"},
            });
        const std::string two = "3 1 2\n2\n0 2 1Gbps 1us 0\n1 2 1Gbps 1us 0\nnode ";
        ExpectRefusals(
            [](const std::string& path) { ReadHpccTopology(path); },
            {
                {two + "2\n", "5: expected 'node id name' or 'node id name x y'"},
                {two + "2 a 1\n",
                 "5: expected 'node id name' or 'node id name x y' (3 or 5 fields), found 4"},
                {two + "3 a\n", "5: node: '3' is not a whole number from 0 to 2"},
                {two + "2 7\n", "5: name '7': a name is no number"},
                {two + "2 a:b\n", "5: name 'a:b': a name"},
                {two + "2 a,b\n", "5: name 'a,b': a name"},
                {two + "2 a\x01\n", "5: name"},
                {two + "2 a x 1\n", "5: x: 'x' is not a number"},
                {two + "2 a\nnode 2 b\n", "6: a second line of node 2"},
                {two + "2 host-1\n", "1: nodes 1 and 2 are both called 'host-1'"},
            });
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Flow files of both simulators.
 */
class FlowFileTestCase : public FileTestCase
{
    using FileTestCase::FileTestCase;

    void DoRun() override
    {
        const std::string path = CreateTempDirFilename("flows");
        const std::vector<FabricFlow> flows{{0, 1, 2000000, 2000000000000, 3},
                                            {4, 0, 5000000000, 2000000001000, 0, 200},
                                            {1, 4, 1, 0, 7}};
        WriteText(path, HPCC_FLOWS);
        FlowFile file = ReadFlowFile(path);
        NS_TEST_EXPECT_MSG_EQ(file.format, FlowFile::HPCC, "six fields");
        NS_TEST_EXPECT_MSG_EQ((file.flows == flows), true, "order and values of the file");
        NS_TEST_EXPECT_MSG_EQ((file.lines == std::vector<uint32_t>{2, 3, 4}), true, "lines");
        CheckRoundTrip(file);

        WriteText(path, CONWEAVE_FLOWS);
        file = ReadFlowFile(path);
        NS_TEST_EXPECT_MSG_EQ(file.format, FlowFile::CONWEAVE, "five fields");
        std::vector<FabricFlow> portless = flows;
        portless[1].port = 100;
        NS_TEST_EXPECT_MSG_EQ((file.flows == portless), true, "order and values of the file");
        CheckRoundTrip(file);

        // A start that double rounds: 2.000000000003 s is 2000000000003 ps.
        WriteText(path, "1\n0 1 3 100 10 2.000000000003\n\nFirst line: # of flows\nsrc0 dst0\n");
        file = ReadFlowFile(path);
        NS_TEST_EXPECT_MSG_EQ(file.flows[0].startPs, 2000000000003, "to the ps");
        CheckRoundTrip(file);
        WriteText(path, "1\n0 1 3 100 10 2.5e-05\n");
        NS_TEST_EXPECT_MSG_EQ(ReadFlowFile(path).flows[0].startPs, 25000000, "as Python prints it");
        WriteText(path, "0\n");
        NS_TEST_EXPECT_MSG_EQ(ReadFlowFile(path).flows.size(), 0, "no flows are no mistake");

        FlowFile endless;
        endless.flows = {{0, 1, FabricFlow::ENDLESS, 0, 3}};
        DCFABRIC_EXPECT_REFUSAL(WriteFlowFile(endless, path),
                                "cannot represent a flow without end");
        // Without ports the public simulator's normal one is written.
        FlowFile fresh;
        fresh.flows = {flows[0], {7, 8, 9, 1, 3}};
        WriteFlowFile(fresh, path);
        NS_TEST_EXPECT_MSG_EQ(Get(path),
                              "2\n0 1 3 100 2000000 2.000000000\n7 8 3 100 9 0.000000000001\n",
                              "exact text");
    }

    /**
     * @param file what to write and read
     */
    void CheckRoundTrip(const FlowFile& file)
    {
        const std::string path = CreateTempDirFilename("flows-again");
        WriteFlowFile(file, path);
        const FlowFile again = ReadFlowFile(path);
        NS_TEST_EXPECT_MSG_EQ(again.format, file.format, "format");
        NS_TEST_EXPECT_MSG_EQ((again.flows == file.flows), true, "flows");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Files with more than their first line promises, as the quick start of the HPCC simulator.
 */
class PromisedCountTestCase : public FileTestCase
{
    using FileTestCase::FileTestCase;

    void DoRun() override
    {
        const auto before = SetFabricWarningSink(
            [this](const FabricText& text) { m_warnings.push_back(text.Say()); });
        CheckTopology("3 1 2\n2\n0 2 1Gbps 1us 0\n1 2 1Gbps 1us 0\n", "");
        CheckTopology("3 1 2\n2\n0 2 1Gbps 1us 0\n1 2 1Gbps 1us 0\n\nFirst line: x\ny\n", "");
        CheckTopology("3 1 2\n2\n0 2 1Gbps 1us 0\n1 2 1Gbps 1us 0\n0 1 1Gbps 1us 0\n",
                      " promises 2 links, 3 follow: the first 2 are taken, as the HPCC simulator "
                      "does");
        // what is not taken need not be a link, and the legend does not count
        CheckTopology("3 1 2\n2\n0 2 1Gbps 1us 0\n1 2 1Gbps 1us 0\n7\n\nx y\nFirst line: x\n",
                      " promises 2 links, 4 follow: the first 2 are taken, as the HPCC simulator "
                      "does");

        const std::string one = "0 1 3 100 10 2\n";
        CheckFlows("1\n" + one, 1, "");
        CheckFlows("1\n" + one + "1 0 3 100 20 2\n",
                   1,
                   " promises 1 flow, 2 follow: the first is taken, as the HPCC simulator "
                   "does");
        CheckFlows("0\n" + one,
                   0,
                   " promises 0 flows, 1 follows: none is taken, as the HPCC simulator does");
        SetFabricWarningSink(before);
    }

    /**
     * @brief Expect two links to be taken.
     * @param text of the file
     * @param warning that is given, behind the path; empty: none
     */
    void CheckTopology(const std::string& text, const std::string& warning)
    {
        const std::string path = CreateTempDirFilename("promised-topology");
        WriteText(path, text);
        NS_TEST_EXPECT_MSG_EQ(ReadHpccTopology(path).GetNLinks(), 2, text);
        CheckWarning(path, warning);
    }

    /**
     * @brief Expect some flows to be taken.
     * @param text of the file
     * @param count of flows
     * @param warning as for CheckTopology()
     */
    void CheckFlows(const std::string& text, std::size_t count, const std::string& warning)
    {
        const std::string path = CreateTempDirFilename("promised-flows");
        WriteText(path, text);
        const FlowFile file = ReadFlowFile(path);
        NS_TEST_EXPECT_MSG_EQ(file.flows.size(), count, text);
        NS_TEST_EXPECT_MSG_EQ((count == 0 || file.flows[0].sizeBytes == 10), true, text);
        CheckWarning(path, warning);
    }

    /**
     * @brief Expect one warning or none.
     * @param path of the file
     * @param warning what is given
     */
    void CheckWarning(const std::string& path, const std::string& warning)
    {
        const std::vector<std::string> expected =
            warning.empty() ? std::vector<std::string>{} : std::vector<std::string>{path + warning};
        NS_TEST_EXPECT_MSG_EQ((m_warnings == expected),
                              true,
                              (m_warnings.empty() ? "no warning" : m_warnings[0]));
        m_warnings.clear();
    }

    std::vector<std::string> m_warnings; //!< since the last check
};

/**
 * @ingroup dcfabric-tests
 * @brief Every mistake in a flow file is refused with file and line.
 */
class FlowFileErrorTestCase : public FileTestCase
{
    using FileTestCase::FileTestCase;

    void DoRun() override
    {
        ExpectRefusals(
            [](const std::string& path) { ReadFlowFile(path); },
            {
                {"", "1: the file is empty"},
                {"one\n", "1: number of flows: 'one'"},
                {"-1\n", "1: number of flows: '-1'"},
                {"1 1\n", "1: expected 'number of flows' (1 field), found 2"},
                {"1\n", "1: the file ends after 0 of 1 flow"},
                {"2\n0 1 3 100 10 2\n\n", "3: the file ends after 1 of 2 flows"},
                {"1\n0 1 3 10\n", "2: expected 'src dst pg dport size_bytes start_s' or"},
                {"1\n0 1 3 100 10 2 9\n", "2: expected"},
                {"2\n0 1 3 100 10 2\n0 1 3 10 2\n", "3: expected 'src dst pg dport"},
                {"2\n0 1 3 10 2\n0 1 3 100 10 2\n", "3: expected 'src dst pg size_bytes start_s'"},
                {"1\n-1 1 3 100 10 2\n", "2: source node: '-1'"},
                {"1\n0 b 3 100 10 2\n", "2: destination node: 'b'"},
                {"1\n0 4294967296 3 100 10 2\n", "2: destination node"},
                {"1\n5 5 3 100 10 2\n", "2: the flow goes from node 5 to itself"},
                {"1\n0 1 8 100 10 2\n", "2: priority (pg): '8' is not a whole number from 0 to 7"},
                {"1\n0 1 3 65536 10 2\n", "2: destination port: '65536'"},
                {"1\n0 1 3 100 0 2\n", "2: size in bytes: '0' is not a whole number from 1"},
                {"1\n0 1 3 100 -10 2\n", "2: size in bytes: '-10'"},
                {"1\n0 1 3 100 10.5 2\n", "2: size in bytes: '10.5'"},
                {"1\n0 1 3 100 9223372036854775808 2\n", "2: size in bytes"},
                {"1\n0 1 3 100 10 -2\n", "2: start: '-2' is not a time in seconds"},
                {"1\n0 1 3 100 10 nan\n", "2: start: 'nan' is not a number of seconds"},
                {"1\n0 1 3 100 10 2s\n", "2: start: '2s' is not a number of seconds"},
                {"1\n0 1 3 100 10 2.0.0\n", "2: start: '2.0.0'"},
                {"1\n0 1 3 100 10 1e9\n", "2: start: '1e9' is too large"},
            });
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief CDF files, good and malformed.
 */
class CdfFileTestCase : public FileTestCase
{
    using FileTestCase::FileTestCase;

    void DoRun() override
    {
        const std::string path = CreateTempDirFilename("cdf");
        WriteText(path, FLOW_SIZE_CDF);
        const FlowSizeDistribution cdf = FlowSizeDistribution::FromFile(path);
        // 0-1000: 500 x 0.25; 3000-4000: 3500 x 0.5; 4000: 4000 x 0.25. 125 + 1750 + 1000.
        NS_TEST_EXPECT_MSG_EQ(cdf.GetMeanBytes(), 2875, "mean by hand");
        NS_TEST_EXPECT_MSG_EQ(cdf.GetKnots().size(), 5, "knots");
        NS_TEST_EXPECT_MSG_EQ(FlowSizeDistribution::FromName("cdf:" + path).GetMeanBytes(),
                              2875,
                              "by name");
        cdf.WriteFile(path);
        NS_TEST_EXPECT_MSG_EQ(Get(path), FLOW_SIZE_CDF, "written as it was read");
        WriteText(path, "# bytes, per cent\n\n 0 0 # from here\n#\n\t\n10 100#\n");
        DCFABRIC_EXPECT_REFUSAL(FlowSizeDistribution::FromFile(path), "6: percentile: '100#'");
        WriteText(path, "# bytes, per cent\n\n 0 0 # from here\n#\n\t\n10 100 #\n");
        NS_TEST_EXPECT_MSG_EQ(FlowSizeDistribution::FromFile(path).GetMeanBytes(), 5, "comments");
        FlowSizeDistribution({{0, 0}, {1234567890123, 100.0 / 3}, {9e15, 100}}).WriteFile(path);
        NS_TEST_EXPECT_MSG_EQ(Get(path),
                              "0 0\n1234567890123 33.333333333333336\n9e+15 100\n",
                              "every digit");
        ExpectRefusals([](const std::string& p) { FlowSizeDistribution::FromFile(p); },
                       {
                           {"", "1: the percentiles must end at 100"},
                           {"0 0\n", "1: the percentiles must end at 100"},
                           {"0 0\n10 99\n",
                            "2: the percentiles must end at 100 (or at 1, if they "
                            "are fractions); the last one is 99"},
                           {"0 0\n10 0.999\n",
                            "2: the percentiles must end at 100 (or at 1, if they are "
                            "fractions); the last one is 0.999"},
                           {"0 0\n10 1.5\n",
                            "2: the percentiles must end at 100 (or at 1, if they are "
                            "fractions); the last one is 1.5"},
                           {"10 1\n", "1: the first percentile must be 0"},
                           {"0 1\n10 100\n", "1: the first percentile must be 0"},
                           {"10 0\n5 100\n", "2: sizes must not decrease"},
                           {"0 0\n5 50\n6 40\n7 100\n", "3: percentiles must not decrease"},
                           {"0 0\n10 101\n", "2: percentile: '101' is not a number from 0 to 100"},
                           {"-1 0\n10 100\n", "1: size in bytes: '-1'"},
                           {"0 0\n10 nan\n", "2: percentile: 'nan'"},
                           {"0 0\ninf 100\n", "2: size in bytes: 'inf'"},
                           {"0 0\n1e17 100\n", "2: size in bytes: '1e17'"},
                           {"0 0\n10\n", "2: expected 'size_bytes percentile' (2 fields), found 1"},
                           {"0 0\n10 100 x\n", "2: expected"},
                           {"0 0\nten 100\n", "2: size in bytes: 'ten'"},
                           {"0 0\n10 100\nend\n", "3: expected"},
                           {"0 0\n0 100\n", "2: every flow would have no bytes"},
                       });
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Distributions whose percentiles go to 1.
 */
class CdfFractionTestCase : public FileTestCase
{
    using FileTestCase::FileTestCase;

    void DoRun() override
    {
        // 0.07 x 100 is 7.000000000000001 in binary
        const std::vector<std::pair<std::string, std::string>> pairs{
            {"0 0\n1000 25\n3000 25\n4000 75\n4000 100\n",
             "0 0\n1000 0.25\n3000 0.25\n4000 0.75\n4000 1\n"},
            {"0 0\n100 7\n200 97.5\n300 100\n", "0 0\n100 0.07\n200 0.975\n300 1.0\n"},
            {"0 0\n9 100\n", "0 0\n9 1e0\n"}};
        const std::string path = CreateTempDirFilename("fractions");
        std::vector<std::string> warnings;
        const auto sink = SetFabricWarningSink(
            [&warnings](const FabricText& warning) { warnings.push_back(warning.Say()); });
        for (const auto& [percent, fractions] : pairs)
        {
            WriteText(path, percent);
            const FlowSizeDistribution expected = FlowSizeDistribution::FromFile(path);
            NS_TEST_EXPECT_MSG_EQ(warnings.size(), 0, "per cent need no warning");
            WriteText(path, fractions);
            const FlowSizeDistribution found = FlowSizeDistribution::FromFile(path);
            NS_TEST_ASSERT_MSG_EQ(warnings.size(), 1, fractions);
            NS_TEST_EXPECT_MSG_EQ(warnings[0],
                                  path + ": the percentiles end at 1: they are taken as "
                                         "fractions, not per cent",
                                  "the warning");
            warnings.clear();
            NS_TEST_ASSERT_MSG_EQ(found.GetKnots().size(), expected.GetKnots().size(), fractions);
            for (std::size_t i = 0; i < found.GetKnots().size(); ++i)
            {
                NS_TEST_EXPECT_MSG_EQ(found.GetKnots()[i].percent,
                                      expected.GetKnots()[i].percent,
                                      fractions);
            }
        }
        SetFabricWarningSink(sink);
    }
};

/// Suite of file formats.
const SuiteCases g_cases("dcfabric-files", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(
        new TopologyFileTestCase("HPCC topology files keep ids, parallel links and every digit"));
    suite.AddTestCase(new TopologyRoundTripTestCase("topology files are written as they are read"));
    suite.AddTestCase(
        new TopologyFileErrorTestCase("malformed topology files are refused with file and line"));
    suite.AddTestCase(new FlowFileTestCase(
        "HPCC and ConWeave flow files are told apart and read to the picosecond"));
    suite.AddTestCase(
        new FlowFileErrorTestCase("malformed flow files are refused with file and line"));
    suite.AddTestCase(
        new PromisedCountTestCase("of more links or flows than promised the first ones are taken"));
    suite.AddTestCase(
        new CdfFileTestCase("CDF files are read, malformed ones refused with file and line"));
    suite.AddTestCase(new CdfFractionTestCase("fractions in a CDF file are per cent of 100"));
});

} // namespace ns3::tests::file_format_test
