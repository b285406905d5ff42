// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * @brief A whole run in a program: options as dcfabric-sim has them, the network in the hands of
 * the program, results as objects and in a folder.
 *
 *     ./ns3 run "dcfabric-scenario --out=DIR"
 */

#include "ns3/command-line.h"
#include "ns3/fabric-scenario.h"
#include "ns3/simulator.h"

#include <iostream>

using namespace ns3;

namespace
{

void
PrintUsed(Ptr<FabricSwitch> edge)
{
    std::cout << "after 5 us the switch holds " << edge->GetBuffer()->GetUsedBytes() << " bytes\n";
}

} // namespace

int
main(int argc, char** argv)
{
    FabricScenario::UseEngine(); // before anything else
    std::string out = "results";
    CommandLine cmd(__FILE__);
    cmd.AddValue("out", "folder of the results", out);
    cmd.Parse(argc, argv);

    FabricScenario scenario;
    scenario.Set("topology", "fat-tree:k=4");
    scenario.Set("workload", "permutation:size=100kB");
    scenario.Set("ns3::HpccCongestionControl::Eta", "0.9");
    scenario.Set("out", out);
    scenario.Build();
    // whatever else a program does with a network; node 16 is the first switch
    Simulator::Schedule(MicroSeconds(5), &PrintUsed, scenario.GetFabric()->GetSwitch(16));

    const RunSummary& summary = scenario.Run();
    std::cout << summary.status << ": " << summary.flowsCompleted << " flows, mean slowdown "
              << summary.slowdown.GetOverall().mean << "\n";
    Simulator::Destroy();
}
