// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-scenario.h"

#include "scenario-export.h"
#include "scenario-previous.h"
#include "scenario-traces.h"
#include "scenario-version.h"
#include "scenario-violations.h"
#include "scenario-watchdog.h"

#include "ns3/fabric-engine.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-time.h"
#include "ns3/fabric-warning.h"
#include "ns3/global-value.h"
#include "ns3/nstime.h"
#include "ns3/parse-units.h"
#include "ns3/rank-world.h"
#include "ns3/result-folder.h"
#include "ns3/simulator.h"
#include "ns3/single-run.h"
#include "ns3/string.h"

#include <algorithm>
#include <exception>
#include <set>
#include <utility>

namespace ns3
{

namespace
{

/// @return the option `stop` in ps, FabricTime::NEVER without
int64_t
ReadStopPs(const ScenarioOptions& options)
{
    if (!options.IsSet("stop"))
    {
        return FabricTime::NEVER;
    }
    const int64_t stopPs = options.GetTimePs("stop");
    if (stopPs == 0)
    {
        throw FabricError(FabricTerm::Option("stop") + " must be above zero");
    }
    return stopPs;
}

/// @return how the run ended: @p stopped at its stop time, by the watchdog that @p barked, or by
/// what @p interrupted it, 0 for nothing
std::string
NameStatus(const FlowRecorder& recorder, bool stopped, bool barked, int interrupted)
{
    // flows without end are as complete as can be when the stop time has come
    const bool complete =
        recorder.IsComplete() && (recorder.GetTable().GetNEndless() == 0 || (stopped && !barked));
    return complete             ? "complete"
           : interrupted != 0   ? "partial"
           : stopped && !barked ? "stopped"
                                : "stuck";
}

/// @return seconds of wall clock
double
GetSecondsSince(std::chrono::steady_clock::time_point begin)
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// @return names of all files that runs may write, those of other builds included, which must not
/// stay beside results of this one; but for captures
std::set<std::string>
ListFiles()
{
    std::set<std::string> names{"flows.csv",
                                "marks.csv",
                                "collectives.csv",
                                "jobs.csv",
                                "steps.csv",
                                "interference.csv",
                                "fct.txt"};
    for (const auto& files : {ListScenarioTraceFiles(), ListScenarioExportFiles()})
    {
        names.insert(files.begin(), files.end());
    }
    return names;
}

/// @return until when parts change the network, in ps
int64_t
GetLastChangePs(const ScenarioNetwork& network)
{
    int64_t lastPs = 0;
    for (const auto& part : network.parts)
    {
        lastPs = std::max(lastPs, part->GetLastChangePs());
    }
    return lastPs;
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

/// @return true if a part knows that packets wait for one another for ever
bool
IsDeadlocked(const ScenarioNetwork& network)
{
    return std::any_of(network.parts.begin(), network.parts.end(), [](const auto& part) {
        return part->IsDeadlocked();
    });
}

} // namespace

/// What there is during a run only.
struct FabricScenario::Execution
{
    /// @param scenario built
    explicit Execution(const FabricScenario& scenario)
        : traces(scenario.m_options, *scenario.m_network->fabric),
          watchdog(*scenario.m_recorder,
                   GetLastChangePs(*scenario.m_network),
                   [&network = *scenario.m_network] { return IsDeadlocked(network); })
    {
    }

    ScenarioTraces traces;     //!< closes its files before the folder goes, if the run fails
    ScenarioWatchdog watchdog; //!< ends what is stuck
    std::unique_ptr<ScenarioProgress> progress; //!< looks by the wall clock; null: nobody asks
    std::unique_ptr<RunLoop> loop;              //!< runs it
};

FabricScenario::FabricScenario()
    : m_begin(std::chrono::steady_clock::now())
{
}

FabricScenario::~FabricScenario()
{
    RankWorld::Fail(nullptr); // helpers, of what was built and never run
}

void
FabricScenario::UseEngine()
{
    if (Time::GetResolution() != Time::PS)
    {
        Time::SetResolution(Time::PS);
    }
    for (const auto& [global, type] : FabricEngine::GetGlobals())
    {
        GlobalValue::Bind(global, StringValue(type));
    }
}

void
FabricScenario::Set(const std::string& name, const std::string& value)
{
    m_options.Set(name, value);
}

ScenarioOptions&
FabricScenario::GetOptions()
{
    return m_options;
}

FabricGraph
FabricScenario::Plan()
{
    m_options.Apply();
    return BuildScenarioPlan(m_options);
}

void
FabricScenario::Build()
{
    AsRank([this] { BuildHere(); });
    if (RankWorld::IsHelper())
    {
        Run(); // does not return: nobody but rank 0 knows of this process
    }
}

void
FabricScenario::AsRank(const std::function<void()>& action)
{
    try
    {
        action();
    }
    catch (...)
    {
        RankWorld::Fail(std::current_exception());
        throw;
    }
}

void
FabricScenario::BuildHere()
{
    m_options.Apply();
    m_network =
        std::make_unique<ScenarioNetwork>(BuildScenarioNetwork(m_options, ScenarioUse::RUN));
    m_stopPs = ReadStopPs(m_options);
    CheckScenarioExport(m_options);
    ScenarioTraces(m_options, *m_network->fabric); // refuses what makes no sense
    m_recorder =
        std::make_unique<FlowRecorder>(m_network->fabric, m_network->flows, m_network->triggers);
    m_recorder->GetLabels().Set(m_network->groups);
    for (const auto& part : m_network->parts)
    {
        part->Record(*m_recorder, *m_network);
    }
    m_network->flows = std::vector<FabricFlow>(); // the recorder has them, maybe millions
}

const ScenarioNetwork&
FabricScenario::GetNetwork() const
{
    return *m_network;
}

Ptr<Fabric>
FabricScenario::GetFabric() const
{
    return m_network->fabric;
}

const FlowRecorder&
FabricScenario::GetRecorder() const
{
    return *m_recorder;
}

int64_t
FabricScenario::GetStopPs() const
{
    return m_stopPs;
}

void
FabricScenario::SetProgress(ScenarioProgress::Listener listener)
{
    m_listener = std::move(listener);
}

void
FabricScenario::SetInterrupt(ScenarioProgress::Interrupt interrupt)
{
    m_interrupt = std::move(interrupt);
}

void
FabricScenario::SetForce(bool force)
{
    m_force = force;
}

const RunSummary&
FabricScenario::Run(const std::string& folder)
{
    if (!m_network)
    {
        Build();
    }
    AsRank([this, &folder] { RunHere(folder); });
    return m_summary;
}

void
FabricScenario::RunHere(const std::string& folder)
{
    const bool leads = RankWorld::GetRank() == 0; // and writes the results of all ranks
    m_folder = folder.empty() ? m_options.Get("out") : folder;
    std::unique_ptr<ResultFolder> results;
    bool hasComplete = false;
    std::string place;
    if (leads)
    {
        results = std::make_unique<ResultFolder>(m_folder, ListFiles());
        const ScenarioPrevious previous(m_folder);
        if (!m_force)
        {
            previous.CheckSame(m_options);
        }
        hasComplete = previous.IsComplete();
        place = results->Begin();
    }
    Execution run(*this);
    run.loop = MakeLoop(run.watchdog);
    if (RankWorld::Max(m_listener || m_interrupt ? 1 : 0) != 0)
    {
        run.progress =
            std::make_unique<ScenarioProgress>(*m_recorder, m_stopPs, m_listener, [this] {
                return AskInterrupt();
            });
        run.loop->AddDisplay([&run](int64_t nowPs) { return run.progress->Look(nowPs); });
    }
    for (const auto& part : m_network->parts)
    {
        part->Watch(*run.loop);
    }
    run.loop->Add([&run](int64_t nowPs) { return run.watchdog.Look(nowPs); }); // asks the parts
    run.traces.Start(place, *m_recorder, *run.loop);
    Simulate(*run.loop);
    m_hasBarked = run.watchdog.HasBarked();
    Collect(run);
    RankWorld::Finish(); // helpers do not return
    if (leads)
    {
        m_summary.status =
            NameStatus(*m_recorder, run.loop->HasStopped(), m_hasBarked, m_interrupted);
        Write(place);
        m_folder = m_summary.status == "partial" && hasComplete ? results->FinishAside()
                                                                : results->Finish();
    }
}

std::unique_ptr<RunLoop>
FabricScenario::MakeLoop(const ScenarioWatchdog& watchdog)
{
    for (const auto& part : m_network->parts)
    {
        if (auto loop = part->MakeLoop(*m_recorder, m_stopPs, [this, &watchdog] {
                return AskInterrupt() != 0 || watchdog.HasBarked();
            }))
        {
            return loop;
        }
    }
    return std::make_unique<SingleRun>(*m_recorder, m_stopPs);
}

void
FabricScenario::Simulate(RunLoop& loop)
{
    m_recorder->SetStopWhenComplete(true);
    m_recorder->Start();
    m_summary.setupWallSeconds = GetSecondsSince(m_begin);
    const auto begin = std::chrono::steady_clock::now();
    loop.Run();
    m_summary.runWallSeconds = GetSecondsSince(begin);
}

void
FabricScenario::Collect(Execution& run)
{
    const bool mayBeStuck = !run.loop->HasStopped() || m_hasBarked;
    const bool isOpen = RankWorld::Max(m_recorder->IsComplete() ? 0 : 1) != 0 ||
                        m_recorder->GetTable().GetNEndless() > 0;
    m_interrupted = static_cast<int>(RankWorld::Max(AskInterrupt())); // of any rank
    // Who notices that nothing happens any more looks by the wall clock.
    const bool ranDry = mayBeStuck && isOpen && m_interrupted == 0;
    const int64_t endPs = m_hasBarked ? run.watchdog.GetEndPs()
                          : ranDry    ? RankWorld::Max(m_recorder->GetProgress().GetLastPs())
                                      : FabricTime::ToPs(Simulator::Now());
    for (const auto& part : m_network->parts)
    {
        part->End(endPs);
    }
    m_summary.options = m_options.GetResolved();
    m_summary.seed = m_options.GetUint("seed");
    m_summary.ns3Version = GetNs3Version();
    m_summary.events = Simulator::GetEventCount() - run.loop->GetNEvents() -
                       m_recorder->GetProgress().GetNStopEvents();
    m_summary.offeredLoad = m_network->offeredLoad;
    m_where = m_network->fabric->CheckConservation();
    if (mayBeStuck && isOpen)
    {
        m_stuck = std::make_unique<StuckReport>(*m_recorder);
        JoinStuckReports(*m_stuck);
    }
    for (const auto& part : m_network->parts)
    {
        if (auto summarize = part->Summarize())
        {
            m_summary.more.push_back(std::move(summarize));
        }
    }
    run.traces.Finish(endPs);
    m_recorder->GetProgress().CollectOpen();
    const bool isJoined =
        std::any_of(m_network->parts.begin(), m_network->parts.end(), [&](const auto& part) {
            return part->JoinRanks(*m_network, *m_recorder, m_summary, m_where, endPs);
        });
    if (!isJoined)
    {
        m_summary.Collect(*m_recorder, endPs);
    }
}

void
FabricScenario::Write(const std::string& folder)
{
    m_recorder->WriteCsv(folder + "/flows.csv", m_summary.endPs);
    for (const auto& part : m_network->parts)
    {
        part->Write(folder);
    }
    ExportScenarioResults(m_options, *m_recorder, folder);
    m_summary.Write(folder + "/summary.json");
}

const RunSummary&
FabricScenario::GetSummary() const
{
    return m_summary;
}

const std::string&
FabricScenario::GetFolder() const
{
    return m_folder;
}

int
FabricScenario::GetInterrupt() const
{
    return m_interrupted;
}

std::vector<std::string>
FabricScenario::ListViolations() const
{
    const Fabric& fabric = *m_network->fabric;
    auto violations = FindScenarioViolations(m_summary, fabric, m_where, m_network->lossless);
    for (const auto& part : m_network->parts)
    {
        part->ListViolations(violations);
    }
    if (m_summary.status == "stuck")
    {
        violations.push_back(
            "the simulation is stuck: " +
            std::string(m_hasBarked ? "no data arrives any more" : "no events are left") + "\n" +
            m_stuck->ToText(*m_recorder));
    }
    return violations;
}

} // namespace ns3
