// SPDX-License-Identifier: GPL-2.0-only
#include "sim-run.h"

#include "sim-export.h"
#include "sim-folder.h"
#include "sim-programs.h"
#include "sim-ranks.h"
#include "sim-report.h"
#include "sim-signals.h"
#include "sim-traces.h"
#include "sim-version.h"
#include "sim-watchdog.h"

#include "ns3/deadlock-detector.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-time.h"
#include "ns3/json-writer.h"
#include "ns3/late-stop.h"
#include "ns3/parse-units.h"
#include "ns3/periodic-tasks.h"
#include "ns3/rank-run.h"
#include "ns3/rank-world.h"
#include "ns3/run-summary.h"
#include "ns3/simulator.h"
#include "ns3/stuck-report.h"

#include <algorithm>
#include <iostream>
#include <memory>

namespace ns3
{

namespace
{

/// @return --stop in ps, FabricTime::NEVER without
int64_t
GetStopPs(const SimOptions& options)
{
    if (!options.IsSet("stop"))
    {
        return FabricTime::NEVER;
    }
    const int64_t stopPs = options.GetTimePs("stop");
    if (stopPs == 0)
    {
        throw FabricError("--stop must be above zero");
    }
    return stopPs;
}

/// @return how the run ended: @p stopped at its stop time, by the watchdog that @p barked, or by a
/// @p signal, 0 for none
std::string
GetStatus(const FlowRecorder& recorder, bool stopped, bool barked, int signal)
{
    // flows without end are as complete as can be when the stop time has come
    const bool complete =
        recorder.IsComplete() && (recorder.GetNEndless() == 0 || (stopped && !barked));
    return complete             ? "complete"
           : signal != 0        ? "partial"
           : stopped && !barked ? "stopped"
                                : "stuck";
}

/// Look for deadlocks and tell of new ones at once: a run may go on for long.
/// @return when to look again
int64_t
LookForDeadlocks(DeadlockDetector& detector,
                 const SimNetwork& network,
                 int64_t nowPs,
                 SimProgress& progress)
{
    const std::size_t known = detector.GetDeadlocks().size();
    const int64_t nextPs = detector.LookLate(nowPs);
    for (std::size_t i = known; i < detector.GetDeadlocks().size(); ++i)
    {
        progress.Clear();
        std::cerr << "dcfabric-sim: note: "
                  << detector.GetDeadlocks()[i].ToText(network.fabric->GetGraph()) << "\n";
    }
    return nextPs;
}

/// @return when the run ended, in ps @param ranDry because nothing was left to happen
int64_t
GetEndPs(const FlowRecorder& recorder, const SimWatchdog& watchdog, bool ranDry)
{
    // Who notices that nothing happens any more looks by the wall clock.
    return watchdog.HasBarked() ? watchdog.GetEndPs()
           : ranDry             ? RankWorld::Max(recorder.GetLastPs())
                                : FabricTime::ToPs(Simulator::Now());
}

/// Let rank 0 know what all ranks have seen.
void
JoinStuckReports(StuckReport& report)
{
    for (const std::string& seen : RankWorld::Gather(report.Pack()))
    {
        report.Join(seen);
    }
}

/// Tell how the run ended, with which exit status, and where its results are.
void
TellEnd(SimEvents& events, const std::string& status, int exitStatus, const std::string& place)
{
    JsonWriter json;
    json.BeginObject();
    json.Key("event");
    json.String("end");
    json.Key("status");
    json.String(status);
    json.Key("exit_status");
    json.Uint(exitStatus);
    json.Key("folder");
    json.String(place);
    json.EndObject();
    events.Tell(json);
}

} // namespace

int
RunSim(const SimOptions& options,
       const SimNetwork& network,
       const WallClock& setup,
       SimEvents& events)
{
    const int64_t stopPs = GetStopPs(options);
    const bool leads = RankWorld::GetRank() == 0; // and writes the results of all ranks
    const bool draw = IsSimProgressDrawn(options.Get("progress")) && leads;
    CheckSimExport(options);
    SimTraces checked(options, *network.fabric); // before the folder is touched
    FlowRecorder recorder(network.fabric, network.flows, network.triggers);
    recorder.SetGroups(network.groups);
    if (network.links)
    {
        recorder.SetLinks(*network.links);
    }
    const Ptr<RankRunner> runner = MakeSimRunner(network, recorder);
    SimSignals::BeginRun();
    const auto folder = leads ? std::make_unique<SimFolder>(options) : nullptr;
    SimTraces traces(options,
                     *network.fabric); // closes its files before the folder goes, if the run fails

    PeriodicTasks tasks;
    SimProgress progress(recorder, stopPs, draw, events);
    const Ptr<DeadlockDetector> detector = CreateObject<DeadlockDetector>();
    detector->Attach(network.fabric);
    SimWatchdog watchdog(recorder, network.faults.GetLastPs(), *detector);
    const auto look = [&](int64_t nowPs) {
        return LookForDeadlocks(*detector, network, nowPs, progress);
    };
    const auto watch = [&watchdog](int64_t nowPs) { return watchdog.Look(nowPs); };
    bool stopped = false;
    std::unique_ptr<RankRun> together;
    if (network.links)
    {
        together = std::make_unique<RankRun>(recorder, *network.links, network.lookAheadPs, stopPs);
        // a step that is shorter than ranks may be apart only costs time
        const int64_t leastPs = network.lookAheadPs;
        together->Add(
            [&progress, leastPs](int64_t nowPs) {
                return std::max(progress.Look(nowPs), nowPs + leastPs);
            },
            RankRun::Idle::SKIP);
        together->Add(look, RankRun::Idle::SKIP);
        together->Add(watch);
        together->SetEnd([&watchdog] { return SimSignals::Get() != 0 || watchdog.HasBarked(); });
    }
    LateStop late;
    tasks.Add(0, [&progress](int64_t nowPs) { return progress.Look(nowPs); });
    tasks.AddBefore(0, [&](int64_t nowPs) {
        const int64_t nextPs = look(nowPs);
        // where nobody sends, nothing waits: a start may be hours away
        const int64_t startPs =
            recorder.IsActive(nowPs) ? FabricTime::NEVER : recorder.GetNextStartPs(nowPs);
        return startPs == FabricTime::NEVER ? nextPs : std::max(nextPs, startPs);
    });
    tasks.AddBefore(0, watch); // asks what was found
    tasks.EndWithOthers();
    traces.Start(folder.get(), recorder, tasks, together.get());
    if (stopPs != FabricTime::NEVER)
    {
        tasks.AddBefore(stopPs, [&stopped, &late](int64_t nowPs) {
            stopped = true;
            late.RequestAt(nowPs);
            return FabricTime::NEVER;
        });
    }
    recorder.SetStopWhenComplete(true);
    recorder.Start();
    if (!together)
    {
        tasks.Start();
    }

    RunSummary summary;
    summary.setupWallSeconds = setup.GetSeconds();
    const WallClock run;
    if (together)
    {
        together->Run();
        stopped = together->HasStopped();
    }
    else
    {
        Simulator::Run();
    }
    summary.runWallSeconds = run.GetSeconds();
    progress.Clear();
    const bool mayBeStuck = !stopped || watchdog.HasBarked();
    const bool isOpen =
        RankWorld::Max(recorder.IsComplete() ? 0 : 1) != 0 || recorder.GetNEndless() > 0;
    const auto signal = static_cast<int>(RankWorld::Max(SimSignals::Get())); // of any rank
    const int64_t endPs = GetEndPs(recorder, watchdog, mayBeStuck && isOpen && signal == 0);
    if (const uint64_t late = network.faults.CountAfter(endPs))
    {
        std::cerr << "dcfabric-sim: note: the run ended before " << late << " of the "
                  << FormatFabricCount(network.faults.Get().size(), "fault")
                  << (options.IsSet("faults") ? " of " + options.Get("faults") : "") << "\n";
    }

    summary.options = options.GetResolved();
    summary.seed = options.GetUint("seed");
    summary.ns3Version = GetNs3Version();
    summary.events = Simulator::GetEventCount() - tasks.GetNEvents() - late.GetNEvents() -
                     recorder.GetNStopEvents() - (together ? together->GetNEvents() : 0);
    summary.offeredLoad = network.offeredLoad;
    summary.deadlocks = detector->GetDeadlocks();
    Fabric::Conservation where = network.fabric->CheckConservation();
    std::unique_ptr<StuckReport> stuck;
    if (mayBeStuck && isOpen)
    {
        stuck = std::make_unique<StuckReport>(recorder);
    }
    traces.Finish(endPs);
    recorder.CollectOpen();
    if (together)
    {
        if (stuck)
        {
            JoinStuckReports(*stuck);
        }
        JoinSimRanks(network, recorder, runner, summary, where, endPs);
        if (!leads)
        {
            return static_cast<int>(RankWorld::Max(0));
        }
    }
    else
    {
        summary.Collect(recorder, endPs);
    }
    summary.status = GetStatus(recorder, stopped, watchdog.HasBarked(), signal);
    recorder.WriteCsv(folder->GetPath("flows.csv"));
    FinishSimRunner(runner, *folder);
    ExportSimResults(options, recorder, *folder);
    summary.Write(folder->GetPath("summary.json"));
    const std::string place = folder->Finish(summary.status == "partial");
    PrintSimReport(std::cout, summary, *network.fabric, place);
    FlushSimOutput("the report", "; the results are in " + QuoteFabricText(place));

    auto violations = FindSimViolations(summary, *network.fabric, where, network.lossless);
    for (const Deadlock& deadlock : detector->GetDeadlocks())
    {
        if (deadlock.endedPs < 0)
        {
            violations.push_back(deadlock.ToText(network.fabric->GetGraph()));
        }
    }
    if (summary.status == "stuck")
    {
        violations.push_back(
            "the simulation is stuck: " +
            std::string(watchdog.HasBarked() ? "no data arrives any more" : "no events are left") +
            "\n" + stuck->ToText(recorder));
    }
    for (const auto& text : violations)
    {
        std::cerr << "dcfabric-sim: violation: " << text << "\n";
    }
    const int status = !violations.empty()           ? SIM_VIOLATION
                       : summary.status == "partial" ? SIM_SIGNALLED + signal
                                                     : SIM_DONE;
    const auto common = static_cast<int>(RankWorld::Max(status));
    TellEnd(events, summary.status, common, place);
    return common;
}

} // namespace ns3
