// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-files.h"

#include "ns3/hpcc-config-file.h"
#include "ns3/test.h"

#include <string>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Configuration files of the HPCC and ConWeave simulators: values with their units,
 * mistakes.
 */

namespace ns3::tests::hpcc_config_file_test
{

/**
 * @ingroup dcfabric-tests
 * @brief What files say.
 */
class HpccConfigFileTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param text of a file
     * @return what a text says
     */
    HpccConfigFile Read(const std::string& text)
    {
        m_path = CreateTempDirFilename("config.txt");
        WriteText(m_path, text);
        return HpccConfigFile(m_path);
    }

    /**
     * @brief Expect a refusal.
     * @param text of a file
     * @param line of the mistake
     * @param part of the message
     */
    void Refuse(const std::string& text, int line, const std::string& part)
    {
        DCFABRIC_EXPECT_REFUSAL(Read(text), m_path + ":" + std::to_string(line) + ": ");
        DCFABRIC_EXPECT_REFUSAL(Read(text), part);
    }

    void CheckValues()
    {
        const HpccConfigFile file = Read("CC_MODE 3 {an explanation, CC_MODE 7}\n"
                                         "#CC_MODE 8\n"
                                         "\n"
                                         "RP_TIMER\t900 \r\n"
                                         "SIMULATOR_STOP_TIME 4.00 # s\n"
                                         "EWMA_GAIN 0.00390625\n"
                                         "RATE_AI 40.5Mb/s\n"
                                         "INT_MULTI 4.0\n"
                                         "LINK_DOWN 120 7 8\n"
                                         "SW_MONITORING_INTERVAL 10000\n"
                                         "KMIN_MAP 2 25000000000 100 100000000000 400\n"
                                         "PMAX_MAP 1 25000000000 0.2\n"
                                         "TOPOLOGY_FILE mix/topology.txt");
        NS_TEST_EXPECT_MSG_EQ(file.IsConWeave(), false, "HPCC");
        NS_TEST_EXPECT_MSG_EQ(file.Has("RATE_HAI"), false, "not in the file");
        NS_TEST_EXPECT_MSG_EQ(file.GetUint("CC_MODE"), 3, "mode");
        NS_TEST_EXPECT_MSG_EQ(file.GetPlace("RP_TIMER"), m_path + ":4", "place");
        NS_TEST_EXPECT_MSG_EQ(file.GetTimePs("RP_TIMER"), 900000000, "900 us");
        NS_TEST_EXPECT_MSG_EQ(file.GetTimePs("SIMULATOR_STOP_TIME"), 4000000000000, "4 s");
        NS_TEST_EXPECT_MSG_EQ(file.GetTimePs("SW_MONITORING_INTERVAL"), 10000000, "10000 ns");
        NS_TEST_EXPECT_MSG_EQ(file.GetDouble("EWMA_GAIN"), 1.0 / 256, "gain");
        NS_TEST_EXPECT_MSG_EQ(file.GetRateBps("RATE_AI"), 40500000, "rate");
        NS_TEST_EXPECT_MSG_EQ(file.GetUint("INT_MULTI"), 4, "whole, as Python may write it");
        const HpccConfigFile::LinkDown down = file.GetLinkDown();
        NS_TEST_EXPECT_MSG_EQ(down.timePs, 120000000, "120 us");
        NS_TEST_EXPECT_MSG_EQ(down.a, 7, "one end");
        NS_TEST_EXPECT_MSG_EQ(down.b, 8, "other end");
        // KB are of 1000 B: ConfigEcn() of that simulator multiplies by 1000
        const HpccConfigFile::RateMap<uint64_t> kmin = {{25000000000, 100000},
                                                        {100000000000, 400000}};
        NS_TEST_EXPECT_MSG_EQ((file.GetThresholds("KMIN_MAP") == kmin), true, "thresholds");
        NS_TEST_EXPECT_MSG_EQ(file.GetProbabilities().at(25000000000), 0.2, "probabilities");
        NS_TEST_EXPECT_MSG_EQ(file.GetText("TOPOLOGY_FILE"), "mix/topology.txt", "name");
        DCFABRIC_EXPECT_REFUSAL(file.Refuse("CC_MODE", "no"), m_path + ":1: CC_MODE: no");

        NS_TEST_EXPECT_MSG_EQ(Read("LB_MODE 0\n").IsConWeave(), true, "ConWeave");
        NS_TEST_EXPECT_MSG_EQ(Read("LINK_DOWN 0 0 0\n").GetLinkDown().timePs, 0, "no link");
    }

    void DoRun() override
    {
        CheckValues();
        DCFABRIC_EXPECT_REFUSAL(HpccConfigFile("/nowhere/config.txt"), "/nowhere/config.txt");
        Refuse("", 1, "has no key");
        Refuse("CC_MODE 3\nKMAXMAP 1\n", 2, "'KMAXMAP'; the nearest known one is KMAX_MAP");
        Refuse("CC_MODE 3\n\nCC_MODE 3\n", 3, "CC_MODE was already given at ");
        Refuse("CC_MODE\n", 1, "CC_MODE: has no value");
        Refuse("CC_MODE {3}\n", 1, "CC_MODE: has no value");
        Refuse("CC_MODE 3 3\n", 1, "takes one value, found 2");
        Refuse("CC_MODE three\n", 1, "CC_MODE");
        Refuse("CC_MODE -1\n", 1, "CC_MODE");
        Refuse("INT_MULTI 4.5\n", 1, "INT_MULTI");
        Refuse("GLOBAL_T 2\n", 1, "GLOBAL_T");
        Refuse("EWMA_GAIN 1.5\n", 1, "EWMA_GAIN");
        Refuse("U_TARGET 0\n", 1, "U_TARGET");
        Refuse("BUFFER_SIZE 0\n", 1, "BUFFER_SIZE");
        Refuse("SIMULATOR_STOP_TIME 0.0\n", 1, "must be above 0");
        NS_TEST_EXPECT_MSG_EQ(Read("RP_TIMER 0\n").GetTimePs("RP_TIMER"), 0, "may be 0");
        Refuse("RP_TIMER 1.5\n", 1, "'1.5' is not a whole number of us");
        Refuse("RATE_AI 50\n", 1, "'50' has no unit; write a rate such as 50Mb/s");
        Refuse("RATE_AI fast\n", 1, "RATE_AI");
        Refuse("SIMULATOR_STOP_TIME 4s\n", 1, "without unit");
        Refuse("LINK_DOWN 1 2\n", 1, "expected 'time_us node node', found 2 values");
        Refuse("LINK_DOWN 1 2 2\n", 1, "a link joins two nodes, found 2 twice");
        Refuse("KMIN_MAP 2 1000 1\n", 1, "promises 2 pairs of a rate and a value, but 2 values");
        Refuse("KMIN_MAP 0\n", 1, "number of pairs");
        Refuse("KMIN_MAP 2 1000 1 1000 1\n", 1, "names the rate 1000 twice");
        Refuse("KMIN_MAP 1 100Gbps 1\n", 1, "rate in bit/s");
        Refuse("KMIN_MAP 1 1000 0.5\n", 1, "threshold in KB");
        Refuse("PMAX_MAP 1 1000 1.5\n", 1, "probability");
    }

    std::string m_path; //!< last file
};

/// Configuration files.
const SuiteCases g_cases("dcfabric-files", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new HpccConfigFileTestCase(
        "configuration files: values in our units, mistakes with file and line"));
});

} // namespace ns3::tests::hpcc_config_file_test
