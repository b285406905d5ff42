// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * @brief The main program: a workload on a fabric under a congestion control, results in a folder.
 *
 *     ./ns3 run "dcfabric-sim --topology=fat-tree:k=8 --workload=websearch --cc=fncc --out=DIR"
 */

#include "dcfabric-sim/sim-memory.h"
#include "dcfabric-sim/sim-network.h"
#include "dcfabric-sim/sim-options.h"
#include "dcfabric-sim/sim-policies.h"
#include "dcfabric-sim/sim-run.h"
#include "dcfabric-sim/sim-signals.h"
#include "dcfabric-sim/sim-thresholds.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-warning.h"
#include "ns3/global-value.h"
#include "ns3/nstime.h"
#include "ns3/result-file.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <iostream>
#include <string>

using namespace ns3;

int
main(int argc, char** argv)
{
    const WallClock setup;
    UseHugePages();
    if (Time::GetResolution() != Time::PS)
    {
        Time::SetResolution(Time::PS);
    }
    GlobalValue::Bind("SchedulerType", StringValue("ns3::LookAheadScheduler"));
    SimSignals::Catch();
    SetFabricWarningSink(
        [](const std::string& text) { std::cerr << "dcfabric-sim: warning: " << text << "\n"; });
    try
    {
        SimOptions options;
        options.Parse(argc, argv);
        if (options.IsListWanted())
        {
            ListSimPolicies(std::cout);
            ListSimThresholds(std::cout, *BuildSimNetwork(options).fabric);
            Simulator::Destroy();
            return SIM_DONE;
        }
        const SimNetwork network = BuildSimNetwork(options);
        const int status = RunSim(options, network, setup);
        Simulator::Destroy();
        return status;
    }
    catch (const ResultFileError& error)
    {
        std::cerr << "dcfabric-sim: --out: " << error.what() << "\n";
        return SIM_BAD_INPUT;
    }
    catch (const FabricError& error)
    {
        std::cerr << "dcfabric-sim: " << error.what() << "\n";
        return SIM_BAD_INPUT;
    }
}
