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

/// @return exit status; @p events are told
int
Refuse(const std::string& reason, SimEvents& events)
{
    JsonWriter json;
    json.BeginObject();
    json.Key("event");
    json.String("error");
    json.Key("text");
    json.String(reason);
    json.Key("exit_status");
    json.Uint(SIM_BAD_INPUT);
    json.EndObject();
    events.Tell(json);
    return EndSimRanks(reason, SIM_BAD_INPUT);
}

/**
 * @brief Find out who listens: of several ranks one speaks.
 * @param options of the program; what they say of progress names no descriptor afterwards
 * @return what is to be told
 * @throws FabricError if the user names no descriptor that can be written to
 */
SimEvents
OpenEvents(SimOptions& options)
{
    const std::string progress = options.Get("progress");
    const bool leads = RankWorld::GetRank() == 0;
    SimEvents events = leads ? SimEvents(progress) : SimEvents();
    if (events.IsOpen() || !leads)
    {
        options.Resolve("progress", progress.substr(0, progress.find(':')));
    }
    return events;
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
        options.Parse(argc, argv);
        events = OpenEvents(options);
    }
    catch (const FabricError& error)
    {
        return Refuse(error.what(), events);
    }
    catch (const std::bad_alloc&)
    {
        return Refuse(NO_MEMORY, events);
    }
    try
    {
        return Run(options, setup, events);
    }
    catch (const ResultFileError& error)
    {
        return Refuse(std::string("--out: ") + error.what(), events);
    }
    catch (const FabricError& error)
    {
        return Refuse(error.GetText().Say(SimSpeaker(options)), events);
    }
    catch (const std::bad_alloc&)
    {
        return Refuse(NO_MEMORY, events);
    }
}
