// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-files.h"
#include "../fabric-test-network.h"
#include "../fabric-test-plan.h"

#include "ns3/fabric-faults.h"
#include "ns3/fabric-helper.h"
#include "ns3/test.h"

#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Fault files and schedules: values, round trips, mistakes, damage.
 */

namespace ns3::tests::fault_file_test
{

/**
 * @ingroup dcfabric-tests
 * @brief What files say.
 */
class FaultFileTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief Expect a refusal.
     * @param text of a file
     * @param line of the mistake
     * @param part of the message
     */
    void Refuse(const std::string& text, int line, const std::string& part)
    {
        const std::string path = CreateTempDirFilename("faults");
        WriteText(path, text);
        const std::string place = path + ":" + std::to_string(line) + ": ";
        DCFABRIC_EXPECT_REFUSAL(ReadFabricFaults(path), place);
        DCFABRIC_EXPECT_REFUSAL(ReadFabricFaults(path), part);
    }

    void DoRun() override
    {
        const std::string path = CreateTempDirFilename("faults");
        WriteText(path, FAULTS);
        const std::vector<FabricFault> faults = ReadFabricFaults(path);
        const std::vector<FabricFault> expected = {
            {120000000, FabricFault::DOWN, 16, 24},
            {300000000, FabricFault::UP, 16, 24},
            {300000000, FabricFault::RATE, {16, 2}, {24, 0}, 50 * GBPS},
            {0, FabricFault::RATE, 3, {16, 11}, 2500000000},
            {1000001, FabricFault::DOWN, 7, 16},
        };
        NS_TEST_EXPECT_MSG_EQ((faults == expected), true, "values");
        NS_TEST_ASSERT_MSG_EQ(faults.size(), 5, "all");
        NS_TEST_EXPECT_MSG_EQ(faults[2].place.Say(), path + ":5", "places");
        NS_TEST_EXPECT_MSG_EQ(faults[2].ToText(), "300us rate 16:2 24:0 50Gbps", "text");
        NS_TEST_EXPECT_MSG_EQ(faults[4].ToText(), "1.000001us down 7 16", "text");
        WriteFabricFaults(faults, path + ".again");
        NS_TEST_EXPECT_MSG_EQ((ReadFabricFaults(path + ".again") == expected), true, "round trip");
        WriteText(path, "1us down leaf-0:2 7\n1us switch-down leaf-0\n");
        const std::vector<FabricFault> named = ReadFabricFaults(path);
        NS_TEST_EXPECT_MSG_EQ(named[0].a.name + named[0].b.name, "leaf-0", "by name, by number");
        NS_TEST_EXPECT_MSG_EQ(named[0].a.port, 2, "of a name");
        WriteFabricFaults(named, path + ".again");
        NS_TEST_EXPECT_MSG_EQ((ReadFabricFaults(path + ".again") == named), true, "names, too");
        WriteText(path, "# none\n");
        NS_TEST_EXPECT_MSG_EQ(ReadFabricFaults(path).size(), 0, "no faults");

        DCFABRIC_EXPECT_REFUSAL(ReadFabricFaults(path + ".none"), path + ".none: cannot be opened");
        Refuse("120us\n", 1, "such as '120us down 16 24'");
        Refuse("#\n\n120us sideways 1 2\n", 3, "unknown fault 'sideways'; known: down, up, rate");
        Refuse("120us down 1\n", 1, "expected 'TIME down A B' (4 fields), found 3");
        Refuse("120us up 1 2 50Gbps\n", 1, "expected 'TIME up A B'");
        Refuse("120us rate 1 2\n", 1, "expected 'TIME rate A B RATE'");
        Refuse("120 down 1 2\n", 1, "'120' has no unit; write a time such as 120us");
        Refuse("120parsecs down 1 2\n", 1, "time: '120parsecs'");
        Refuse("-1us down 1 2\n", 1, "time: '-1us'");
        Refuse("25h down 1 2\n", 1, "more than 24 h");
        Refuse("1us rate 1 2 50\n", 1, "'50' has no unit; write a rate such as 50Gbps");
        Refuse("1us rate 1 2 0Gbps\n", 1, "above 0");
        Refuse("1us rate 1 2 fast\n", 1, "rate: 'fast'");
        Refuse("1us down 1 1\n", 1, "a link joins two nodes, found 1 twice");
        Refuse("1us down one one\n", 1, "a link joins two nodes, found one twice");
        Refuse("1us down 1: 2\n", 1, "port of node 1");
        Refuse("1us down 1 2:65535\n", 1, "port of node 2");
        Refuse("1us down :1 2\n", 1, "node");
        Refuse("1us down 9999999 2\n", 1, "node");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Schedules that fit a network or do not.
 *
 * Hosts 0 and 1, switches 2 and 3: links 0-2 (ports 0, 0), 2-3 twice (ports 1, 0 and 2, 1), 3-1
 * (ports 2, 0).
 */
class FaultInstallTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param feature of switches, or empty
     * @return the network
     */
    static Ptr<Fabric> Build(const std::string& feature = "")
    {
        const FabricGraph graph = PlanOfLinks(2, 2, {{0, 2}, {2, 3}, {2, 3}, {3, 1}});
        FabricHelper helper;
        if (!feature.empty())
        {
            const std::string name = feature.substr(0, 9); // ns3::Hpcc, ns3::Fncc, ns3::Rocc
            helper.SetCongestionControl(name + "CongestionControl");
            helper.AddSwitchFeature(feature);
        }
        return helper.Install(graph);
    }

    /**
     * @brief Expect a refusal, and that nothing was scheduled.
     * @param lines of a file
     * @param line of the mistake
     * @param part of the message
     * @param feature of switches
     */
    void Refuse(const std::string& lines,
                int line,
                const std::string& part,
                const std::string& feature = "")
    {
        const std::string path = CreateTempDirFilename("faults");
        WriteText(path, "1us down 1 3\n" + lines); // the first one is good
        Ptr<Fabric> fabric = Build(feature);
        FabricFaults faults;
        faults.Read(path);
        DCFABRIC_EXPECT_REFUSAL(faults.Install(fabric), path + ":" + std::to_string(line) + ": ");
        DCFABRIC_EXPECT_REFUSAL(faults.Install(fabric), part);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(fabric->GetPort(1, 0)->IsLinkUp(), true, "none or all: " << lines);
        Simulator::Destroy();
    }

    void DoRun() override
    {
        Ptr<Fabric> fabric = Build();
        FabricFaults faults;
        NS_TEST_EXPECT_MSG_EQ(faults.TakesLinksDown(), false, "nothing yet");
        NS_TEST_EXPECT_MSG_EQ(faults.GetLastPs(), 0, "nothing yet");
        faults.AddUp(MicroSeconds(9), 3, {2, 2}); // lines may stand in any order
        faults.AddDown(MicroSeconds(3), {3, 1}, 2);
        faults.AddRate(MicroSeconds(3), {3, 1}, {2, 2}, DataRate("25Gbps"));
        NS_TEST_EXPECT_MSG_EQ(faults.TakesLinksDown(), true, "one");
        faults.AddDown(MicroSeconds(4), 1, 3);
        NS_TEST_EXPECT_MSG_EQ(faults.GetLastPs(), 9000000, "the last one");
        NS_TEST_EXPECT_MSG_EQ(faults.CountAfter(4000000), 1, "after that of the host");
        faults.Install(fabric);
        const auto up = [&fabric](uint32_t node, uint32_t port) {
            return fabric->GetPort(node, port)->IsLinkUp();
        };
        Simulator::Stop(MicroSeconds(5));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(up(2, 2), false, "this one");
        NS_TEST_EXPECT_MSG_EQ(up(3, 1), false, "at both ends");
        NS_TEST_EXPECT_MSG_EQ(up(2, 1), true, "not the parallel one");
        NS_TEST_EXPECT_MSG_EQ(up(3, 2), false, "that of host 1");
        NS_TEST_EXPECT_MSG_EQ(fabric->GetPort(2, 2)->GetRateBps(), 25 * GBPS, "rate");
        NS_TEST_EXPECT_MSG_EQ(fabric->GetPort(3, 1)->GetRateBps(), 25 * GBPS, "at both ends");
        NS_TEST_EXPECT_MSG_EQ(fabric->GetPort(2, 1)->GetRateBps(), 100 * GBPS, "not there");
        FabricFaults late;
        late.AddDown(MicroSeconds(4), 0, 2);
        DCFABRIC_EXPECT_REFUSAL(late.Install(fabric), "fault '4us down 0 2': a fault must lie");
        Simulator::Stop(MicroSeconds(5));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(up(2, 2), true, "again");
        Simulator::Destroy();

        FabricFaults byName;
        FabricFault::End edge = FabricFault::End::Parse("switch-2:2", "here");
        byName.AddDown(MicroSeconds(11), edge, FabricFault::End::Parse("switch-3", "here"));
        fabric = Build();
        byName.Install(fabric);
        Simulator::Stop(MicroSeconds(12));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(fabric->GetPort(3, 1)->IsLinkUp(), false, "by names");
        NS_TEST_EXPECT_MSG_EQ(fabric->GetPort(3, 0)->IsLinkUp(), true, "not the parallel one");
        Simulator::Destroy();
        Refuse("1us down 4 0\n", 2, "there is no node 4; nodes are 0 to 3");
        Refuse(
            "1us down host-9 0\n",
            2,
            "there is no node 'host-9'; the nearest is host-0; nodes are 0 to 3, or by name, such "
            "as host-0 and switch-3");
        Refuse("1us down -1 0\n", 2, "there is no node '-1'");
        Refuse("1us down host-0 0\n", 2, "nodes 0 and 0 have no link");
        Refuse("1us down host-0:1 2\n", 2, "node 0 has no port 1; its ports are 0 to 0");
        Refuse("1us down 0 1\n", 2, "nodes 0 and 1 have no link");
        Refuse("1us down 0:1 2\n", 2, "node 0 has no port 1; its ports are 0 to 0");
        Refuse("1us down 2 3\n", 2, "have 2 links; name one by its port, as in 2:1 (ports 1, 2)");
        Refuse("1us down 2:0 3\n",
               2,
               "no link at these ports; those of node 2 that lead there are 1, 2");
        Refuse("1us down 2:1 3:1\n", 2, "no link at these ports");
        Refuse("1us up 0 2\n", 2, "the link is up already");
        Refuse("2us down 3 1\n", 2, "the link is down already");
        Refuse("1us up 1 3\n", 2, "both change the same link at the same time");
        Refuse("5us rate 0 2 50Gbps\n5us rate 2 0 25Gbps\n", 3, "at the same time");
        Refuse("5us rate 0 2 101Gbps\n", 2, "above that of the link, 100000000000 bit/s");
        Refuse("5us rate 0 2 30Gbps\n", 2, "packed INT has no code", "ns3::HpccIntFeature");
        Refuse("5us rate 0 2 30Gbps\n", 2, "packed INT has no code", "ns3::FnccIntFeature");
        Refuse("5us rate 0 2 1Mbps\n", 2, "ns3::RoccFeature::MinRate", "ns3::RoccFeature");
    }
};

/// Suite of fault files.
const SuiteCases g_cases("dcfabric-faults", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(
        new FaultFileTestCase("fault files: values, round trip, mistakes with file and line"));
    suite.AddTestCase(new FaultInstallTestCase("schedules: which link, and what is refused"));
});

} // namespace ns3::tests::fault_file_test
