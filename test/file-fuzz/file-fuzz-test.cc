// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-files.h"

#include "ns3/connection-matrix-file.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-fault-file.h"
#include "ns3/fabric-partition.h"
#include "ns3/fabric-topology.h"
#include "ns3/fabric-warning.h"
#include "ns3/flow-file.h"
#include "ns3/flow-size-distribution.h"
#include "ns3/hpcc-config-file.h"
#include "ns3/hpcc-topology-file.h"
#include "ns3/htsim-topology-file.h"
#include "ns3/random-variable-stream.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/test.h"

#include <cstdio>
#include <functional>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Random damage to files of every format.
 */

namespace ns3::tests::file_fuzz_test
{

constexpr uint32_t ROUNDS = 1000; //!< damaged files of each format

/// A good file of each format. @{
const char* const HPCC_CONFIG = "CC_MODE 3 {1: DCQCN, 3: HPCC}\n"
                                "SIMULATOR_STOP_TIME 4.00\n"
                                "RP_TIMER 900 \n"
                                "RATE_AI 50Mb/s\n"
                                "EWMA_GAIN 0.00390625\n"
                                "LINK_DOWN 120 7 8\n"
                                "KMIN_MAP 2 25000000000 100 50000000000 200\n"
                                "PMAX_MAP 2 25000000000 0.2 50000000000 0.2\n"
                                "TOPOLOGY_FILE mix/topology.txt\n";
const char* const HTSIM_TOPOLOGY = "# two pods\nNodes 8\nTiers 3\nPodsize 4\n\n"
                                   "Tier 0\nDownlink_speed_Gbps 100\nRadix_Down 2\nRadix_Up 4\n"
                                   "Queue_Up 100000\nQueue_Down 200000\nSwitch_Latency_ns 300\n"
                                   "Downlink_Latency_ns 1000\n"
                                   "Tier 1\nDownlink_speed_Gbps 100\nRadix_Down 4\nRadix_Up 2\n"
                                   "Oversubscribed 2\nBundle 2\nDownlink_Latency_ns 500\n"
                                   "Tier 2\nDownlink_speed_Gbps 100\nRadix_Down 2\n"
                                   "Downlink_Latency_ns 2000.5\n";
const char* const CONNECTION_MATRIX = "Nodes 16\nConnections 4\nTriggers 3\nFailures 1\n"
                                      "# a chain\n"
                                      "1->0 id 1 start 0 size 2000000 send_done_trigger 1\n"
                                      "2->0 id 2 start 12.5 size 100 recv_done_trigger 2 prio 3\n"
                                      "3->0 id 3 trigger 1 size 7 recv_done_trigger 3\n"
                                      "4->15 id 4 trigger 2 size 9\n"
                                      "trigger id 1 oneshot\ntrigger id 2 multishot\n"
                                      "trigger id 3 barrier count 1\n"
                                      "failure switch_type AGG switch_id 2 link_id 1\n";

/** @} */

/// Text that damage inserts.
const char* const PIECES[] = {
    "-",
    "-1",
    "nan",
    "1e999",
    "99999999999999999999",
    "0",
    "0x1",
    "\n",
    " ",
    ".",
    "1e9",
    "x",
    "Gbps",
    "us",
    "First line:",
    "\t\r",
    "+",
    ",",
    "1e-3",
    "4294967296",
    "18446744073709551616",
    "#",
    "->",
    "Tier 1",
    "trigger",
    "start 5",
    "id",
    "Bundle 2",
    "1048576",
    ":",
    "16:",
    "down",
    "rate",
};

/**
 * @ingroup dcfabric-tests
 * @brief A reader accepts a damaged file or refuses it with its place; what it accepts survives
 * being written and read again.
 */
class FileFuzzTestCase : public TestCase
{
  public:
    /// Reads a file; true if what it read is sound.
    using Reader = std::function<bool(const std::string&)>;

    /**
     * @param name format
     * @param text a good file
     * @param stream number of the random stream
     * @param read reader
     */
    FileFuzzTestCase(const std::string& name,
                     const std::string& text,
                     int64_t stream,
                     const Reader& read)
        : TestCase("1000 mutations of " + name + ", seed " +
                   std::to_string(RngSeedManager::GetSeed()) + ", stream " +
                   std::to_string(stream)),
          m_text(text),
          m_stream(stream),
          m_read(read)
    {
    }

  private:
    void DoRun() override
    {
        m_random = CreateObject<UniformRandomVariable>();
        m_random->SetStream(m_stream);
        const std::string path = CreateTempDirFilename("fuzz");
        uint32_t accepted = 0;
        const auto sink = SetFabricWarningSink([](const FabricText&) {});
        for (uint32_t i = 0; i < ROUNDS; i++)
        {
            std::string damaged = m_text;
            for (uint32_t n = Draw(3) + 1; n > 0; n--)
            {
                Damage(damaged);
            }
            WriteText(path, damaged);
            std::remove((path + ".again").c_str());
            try
            {
                const bool sound = m_read(path);
                accepted++;
                NS_TEST_EXPECT_MSG_EQ(sound, true, Describe(i, damaged));
            }
            catch (const FabricError& error)
            {
                NS_TEST_EXPECT_MSG_EQ(Contains(error.what(), path + ":"),
                                      true,
                                      "a refusal names the place: " << error.what() << "; "
                                                                    << Describe(i, damaged));
            }
        }
        SetFabricWarningSink(sink);
        // Some damage is harmless (a blank, another size), most is not: both must be seen.
        NS_TEST_EXPECT_MSG_GT(accepted, 0, "no mutation was harmless");
        NS_TEST_EXPECT_MSG_LT(accepted, ROUNDS, "no mutation was harmful");
    }

    /**
     * @param round number of the mutation
     * @param text file
     * @return what it takes to do it again
     */
    std::string Describe(uint32_t round, const std::string& text) const
    {
        return "seed " + std::to_string(RngSeedManager::GetSeed()) + ", run " +
               std::to_string(RngSeedManager::GetRun()) + ", stream " + std::to_string(m_stream) +
               ", round " + std::to_string(round) + ":\n" + text;
    }

    /**
     * @param count number of choices
     * @return one of 0 .. count - 1
     */
    uint32_t Draw(size_t count)
    {
        return count == 0 ? 0 : m_random->GetInteger(0, static_cast<uint32_t>(count - 1));
    }

    /// Change the text in one random place. @param text what to damage
    void Damage(std::string& text)
    {
        const size_t at = Draw(text.size() + 1);
        switch (Draw(6))
        {
        case 0:
            text.erase(at, Draw(8) + 1);
            break;
        case 1:
            text.insert(at, PIECES[Draw(sizeof(PIECES) / sizeof(PIECES[0]))]);
            break;
        case 2:
            text.insert(at, 1, static_cast<char>(Draw(256)));
            break;
        case 3:
            text.resize(at);
            break;
        case 4:
            text.insert(at, text.substr(Draw(text.size()), Draw(30)));
            break;
        default:
            if (at < text.size())
            {
                text[at] = static_cast<char>('0' + Draw(10));
            }
        }
    }

    std::string m_text;                  //!< a good file
    int64_t m_stream;                    //!< number of the random stream
    Reader m_read;                       //!< reader
    Ptr<UniformRandomVariable> m_random; //!< source of damage
};

/**
 * @param path the file
 * @return true if a file is the same after a round trip
 */
bool
ReadTopologyTwice(const std::string& path)
{
    const FabricGraph graph = ReadHpccTopology(path);
    WriteHpccTopology(graph, path + ".again");
    const FabricGraph again = ReadHpccTopology(path + ".again");
    return again.GetLinks() == graph.GetLinks() && again.GetHosts() == graph.GetHosts();
}

/**
 * @param path the file
 * @return true if a file is the same after a round trip
 */
bool
ReadFlowsTwice(const std::string& path)
{
    const FlowFile file = ReadFlowFile(path);
    WriteFlowFile(file, path + ".again");
    const FlowFile again = ReadFlowFile(path + ".again");
    return again.flows == file.flows && (again.format == file.format || file.flows.empty());
}

/**
 * @param path the file
 * @return true if a file is the same after a round trip
 */
bool
ReadCdfTwice(const std::string& path)
{
    const FlowSizeDistribution cdf = FlowSizeDistribution::FromFile(path);
    cdf.WriteFile(path + ".again");
    const FlowSizeDistribution again = FlowSizeDistribution::FromFile(path + ".again");
    bool same = again.GetKnots().size() == cdf.GetKnots().size();
    for (size_t i = 0; same && i < cdf.GetKnots().size(); i++)
    {
        same = again.GetKnots()[i].bytes == cdf.GetKnots()[i].bytes &&
               again.GetKnots()[i].percent == cdf.GetKnots()[i].percent;
    }
    return same && cdf.GetSizeBytes(0) >= 1 && cdf.GetSizeBytes(0.5) <= cdf.GetSizeBytes(1);
}

/**
 * @param path the file
 * @return true if a file is the same after a round trip
 */
bool
ReadHtsimTwice(const std::string& path)
{
    constexpr uint32_t SMALL = 100000; // larger networks are read, but not laid out here
    const HtsimTopologyFile file = ReadHtsimTopology(path);
    WriteHtsimTopology(file, path + ".again");
    const HtsimTopologyFile again = ReadHtsimTopology(path + ".again");
    return again.nodes == file.nodes && again.podSize == file.podSize &&
           again.tiers == file.tiers &&
           (file.nodes > SMALL || file.BuildGraph().GetNHosts() == file.nodes);
}

/**
 * @param path the file
 * @return true if a file is the same after a round trip
 */
bool
ReadConnectionsTwice(const std::string& path)
{
    const ConnectionMatrixFile file = ReadConnectionMatrix(path, "us");
    bool same = true;
    for (const char* unit : {"ps", "us", "s"})
    {
        WriteConnectionMatrix(file, path + ".again", unit);
        const ConnectionMatrixFile again = ReadConnectionMatrix(path + ".again", unit);
        same = same && again.nodes == file.nodes && again.connections == file.connections &&
               again.triggers == file.triggers && again.failures == file.failures;
    }
    return same;
}

/**
 * @param path the file
 * @return true if a file is the same after a round trip
 */
bool
ReadFaultsTwice(const std::string& path)
{
    const std::vector<FabricFault> faults = ReadFabricFaults(path);
    WriteFabricFaults(faults, path + ".again");
    return ReadFabricFaults(path + ".again") == faults;
}

/**
 * @param path the file
 * @return true if what was read keeps its word
 */
bool
ReadConfig(const std::string& path)
{
    const HpccConfigFile file(path);
    return !file.Has("SIMULATOR_STOP_TIME") || file.GetTimePs("SIMULATOR_STOP_TIME") >= 0;
}

/**
 * @param path the file
 * @return true if each of six nodes has one of two ranks
 */
bool
ReadPartition(const std::string& path)
{
    const FabricGraph graph = MakeFabricTopology("dumbbell:switches=2,senders=2")->BuildGraph();
    const FabricPartition partition(graph, 2, path);
    bool good = true;
    for (uint32_t node = 0; node < graph.GetNNodes(); node++)
    {
        good = good && partition.GetRank(node) < 2;
    }
    return good;
}

/// Suite of damaged files.
const SuiteCases g_cases("dcfabric-files", TestSuite::Type::UNIT, [](Suite& suite) {
    const auto add = [&suite](const char* name,
                              const char* text,
                              int64_t stream,
                              FileFuzzTestCase::Reader read) {
        suite.AddTestCase(new FileFuzzTestCase(name, text, stream, read));
    };
    add("HPCC topologies", HPCC_TOPOLOGY, 20, &ReadTopologyTwice);
    add("HPCC flows", HPCC_FLOWS, 21, &ReadFlowsTwice);
    add("ConWeave flows", CONWEAVE_FLOWS, 22, &ReadFlowsTwice);
    add("flow-size distributions", FLOW_SIZE_CDF, 23, &ReadCdfTwice);
    add("htsim topologies", HTSIM_TOPOLOGY, 24, &ReadHtsimTwice);
    add("configuration files", HPCC_CONFIG, 26, &ReadConfig);
    add("htsim connection matrices", CONNECTION_MATRIX, 25, &ReadConnectionsTwice);
    add("fault files", FAULTS, 27, &ReadFaultsTwice);
    add("partition files", "0 0-1 4 # left\n1 2 3 5\n", 28, &ReadPartition);
});

} // namespace ns3::tests::file_fuzz_test
