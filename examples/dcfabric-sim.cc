// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * @brief The main program: a workload on a fabric under a congestion control, results in a folder.
 *
 *     ./ns3 run "dcfabric-sim --topology=fat-tree:k=8 --workload=websearch --cc=fncc --out=DIR"
 */

#include "dcfabric-sim/sim-describe.h"
#include "dcfabric-sim/sim-environment.h"
#include "dcfabric-sim/sim-events.h"
#include "dcfabric-sim/sim-memory.h"
#include "dcfabric-sim/sim-network.h"
#include "dcfabric-sim/sim-options.h"
#include "dcfabric-sim/sim-plan.h"
#include "dcfabric-sim/sim-policies.h"
#include "dcfabric-sim/sim-ranks.h"
#include "dcfabric-sim/sim-report.h"
#include "dcfabric-sim/sim-run.h"
#include "dcfabric-sim/sim-signals.h"
#include "dcfabric-sim/sim-speaker.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-warning.h"
#include "ns3/global-value.h"
#include "ns3/json-writer.h"
#include "ns3/nstime.h"
#include "ns3/rank-world.h"
#include "ns3/result-file.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <iostream>
#include <new>
#include <string>

using namespace ns3;

namespace
{

/// What is said where memory is limited or used up.
constexpr const char* NO_MEMORY =
    "the run needs more memory than it may have; simulate fewer nodes or flows, or raise the limit "
    "(ulimit -v, or that of the job)";

/**
 * @param reason why the run ends
 * @param options of the program
 * @param events are told
 * @return exit status
 */
int
Refuse(const FabricText& reason, const SimOptions& options, SimEvents& events)
{
    const SimSpeaker speaker(options);
    JsonWriter json;
    json.BeginObject();
    json.Key("event");
    json.String("error");
    json.Key("text");
    json.String(reason.Say(speaker));
    json.Key("parts");
    WriteSimText(json, reason, speaker);
    json.Key("exit_status");
    json.Uint(SIM_BAD_INPUT);
    json.EndObject();
    events.Tell(json);
    return EndSimRanks(reason.Say(speaker), SIM_BAD_INPUT);
}

/**
 * @param options of the program
 * @param setup clock since the program began
 * @param events are told
 * @return exit status
 */
int
Run(SimOptions& options, const WallClock& setup, SimEvents& events)
{
    if (options.IsWanted("describe"))
    {
        PrintSimDescription(std::cout, options);
        FlushSimOutput("the description");
        return SIM_DONE;
    }
    if (options.IsWanted("list"))
    {
        PrintSimPolicies(std::cout);
        ListSimThresholds(std::cout, *BuildSimNetwork(options).fabric);
        FlushSimOutput("the list");
        Simulator::Destroy();
        return SIM_DONE;
    }
    if (options.IsWanted("plan"))
    {
        PrintSimPlan(std::cout, BuildSimPlan(options), options);
        FlushSimOutput("the plan");
        return SIM_DONE;
    }
    const SimNetwork network = BuildSimNetwork(options);
    const int status = RunSim(options, network, setup, events);
    Simulator::Destroy();
    RankWorld::End();
    return status;
}

} // namespace

int
main(int argc, char** argv)
{
    const WallClock setup;
    OpenSimStreams();
    UseHugePages();
    if (Time::GetResolution() != Time::PS)
    {
        Time::SetResolution(Time::PS);
    }
    GlobalValue::Bind("SimulatorImplementationType", StringValue("ns3::FabricSimulatorImpl"));
    GlobalValue::Bind("SchedulerType", StringValue("ns3::LookAheadScheduler"));
    SimSignals::Catch();
    SimOptions options;
    SimEvents events;
    SetFabricWarningSink([&options](const FabricText& text) {
        std::cerr << "dcfabric-sim: warning: " << text.Say(SimSpeaker(options)) << "\n";
    });
    try
    {
        BeginSimRanks(&argc, &argv);
        RefuseSimEnvironment();
        if (RankWorld::GetRank() == 0) // of several ranks one speaks
        {
            events = SimEvents::Find(argc, argv);
        }
        options.Parse(argc, argv);
        if (options.Get("progress").compare(0, 5, "json:") == 0)
        {
            options.Resolve("progress", "json"); // whichever descriptor, results are the same
        }
    }
    catch (const FabricError& error)
    {
        return Refuse(error.what(), options, events);
    }
    catch (const std::bad_alloc&)
    {
        return Refuse(NO_MEMORY, options, events);
    }
    try
    {
        return Run(options, setup, events);
    }
    catch (const ResultFileError& error)
    {
        return Refuse(std::string("--out: ") + error.what(), options, events);
    }
    catch (const FabricError& error)
    {
        return Refuse(error.GetText(), options, events);
    }
    catch (const std::bad_alloc&)
    {
        return Refuse(NO_MEMORY, options, events);
    }
}
