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
#include "dcfabric-sim/sim-list.h"
#include "dcfabric-sim/sim-manual.h"
#include "dcfabric-sim/sim-options.h"
#include "dcfabric-sim/sim-ranks.h"
#include "dcfabric-sim/sim-report.h"
#include "dcfabric-sim/sim-run.h"
#include "dcfabric-sim/sim-signals.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-scenario.h"
#include "ns3/fabric-warning.h"
#include "ns3/huge-pages.h"
#include "ns3/lost-rank-error.h"
#include "ns3/rank-world.h"
#include "ns3/result-file.h"
#include "ns3/scenario-plan.h"
#include "ns3/scenario-speaker.h"
#include "ns3/scenario-thresholds.h"
#include "ns3/simulator.h"

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
 * @param speaker has the words of the command line
 * @param events are told
 * @return exit status
 */
int
Refuse(const FabricText& reason, const ScenarioSpeaker& speaker, SimEvents& events)
{
    events.TellError(reason, speaker, SIM_BAD_INPUT);
    return EndSimRanks(reason.Say(speaker), SIM_BAD_INPUT);
}

/**
 * @brief Print what is asked for in place of a run.
 * @param scenario what would be run
 * @param command what is to be done with it
 * @param speaker has the words of the command line
 * @return what was printed; empty: a run is wanted
 */
std::string
Answer(FabricScenario& scenario, const SimOptions& command, const ScenarioSpeaker& speaker)
{
    ScenarioOptions& options = scenario.GetOptions();
    if (command.IsWanted("describe"))
    {
        PrintSimDescription(std::cout, options, command.GetAction("describe"), speaker);
        return "the description";
    }
    if (command.IsWanted("list"))
    {
        PrintSimPolicies(std::cout, speaker);
        PrintScenarioThresholds(std::cout, *BuildScenarioNetwork(options).fabric);
        return "the list";
    }
    if (command.IsWanted("check"))
    {
        scenario.Build();
        return "the answer";
    }
    if (command.IsWanted("plan"))
    {
        const FabricGraph plan = scenario.Plan();
        PrintScenarioPlan(std::cout, plan, options.Get("topology"), command.GetAction("plan"));
        return "the plan";
    }
    return "";
}

} // namespace

int
main(int argc, char** argv)
{
    OpenSimStreams();
    UseHugePages();
    FabricScenario::UseEngine();
    SimSignals::Catch();
    FabricScenario scenario;
    SimOptions command(scenario.GetOptions());
    SimEvents events;
    const ScenarioSpeaker speaker(scenario.GetOptions(), ListSimActions());
    SetFabricWarningSink([&speaker](const FabricText& text) {
        std::cerr << "dcfabric-sim: warning: " << text.Say(speaker) << "\n";
    });
    SetFabricNoteSink([&speaker](const FabricText& text) {
        std::cerr << "dcfabric-sim: note: " << text.Say(speaker) << "\n";
    });
    try
    {
        BeginSimRanks(&argc, &argv);
        RefuseSimEnvironment();
        if (RankWorld::GetRank() == 0) // of several ranks one speaks
        {
            events = SimEvents::Find(argc, argv);
        }
        command.Parse(argc, argv);
        const std::string answer = Answer(scenario, command, speaker);
        int status = SIM_DONE;
        if (answer.empty())
        {
            status = RunSim(scenario, command.IsWanted("force"), events);
        }
        else
        {
            FlushSimOutput(answer);
        }
        Simulator::Destroy();
        RankWorld::End();
        return status;
    }
    catch (const ResultFileError& error)
    {
        return Refuse(FabricTerm::Option("out") + ": " + error.GetText(), speaker, events);
    }
    catch (const FabricError& error)
    {
        return Refuse(error.GetText(), speaker, events);
    }
    catch (const LostRankError& error)
    {
        events.TellError(error.what(), speaker, error.GetStatus());
        return EndSimRanks(error.what(), error.GetStatus());
    }
    catch (const std::bad_alloc&)
    {
        return Refuse(NO_MEMORY, speaker, events);
    }
}
