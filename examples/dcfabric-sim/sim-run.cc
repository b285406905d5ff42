// SPDX-License-Identifier: GPL-2.0-only
#include "sim-run.h"

#include "sim-progress.h"
#include "sim-report.h"
#include "sim-signals.h"

#include "ns3/fabric-warning.h"
#include "ns3/parse-units.h"
#include "ns3/rank-world.h"

#include <functional>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

/// Wipes the progress line before each note, as long as this object lives.
class NotesBesideProgress
{
  public:
    /// @param progress of the run
    explicit NotesBesideProgress(const SimProgress& progress)
        : m_before(SetFabricNoteSink({}))
    {
        SetFabricNoteSink([&progress, before = m_before](const FabricText& text) {
            progress.Clear();
            before(text);
        });
    }

    ~NotesBesideProgress()
    {
        SetFabricNoteSink(std::move(m_before));
    }

    NotesBesideProgress(const NotesBesideProgress&) = delete;
    NotesBesideProgress& operator=(const NotesBesideProgress&) = delete;

  private:
    std::function<void(const FabricText&)> m_before; //!< what takes notes otherwise
};

} // namespace

int
RunSim(FabricScenario& scenario, bool force, SimEvents& events)
{
    scenario.Build();
    const bool leads = RankWorld::GetRank() == 0; // and writes the results of all ranks
    SimProgress progress(scenario.GetOptions(), events);
    if (progress.IsWanted())
    {
        scenario.SetProgress(
            [&progress](const ScenarioProgress::State& state) { progress.Tell(state); });
    }
    SimSignals::BeginRun();
    scenario.SetInterrupt(&SimSignals::Get);
    scenario.SetForce(force);
    {
        const NotesBesideProgress notes(progress);
        scenario.Run();
        progress.Clear();
    }
    if (!leads)
    {
        return static_cast<int>(RankWorld::Max(0));
    }
    const RunSummary& summary = scenario.GetSummary();
    const std::string& place = scenario.GetFolder();
    PrintSimReport(std::cout, summary, *scenario.GetFabric(), place);
    FlushSimOutput("the report", "; the results are in " + QuoteFabricText(place));
    const std::vector<std::string> violations = scenario.ListViolations();
    for (const auto& text : violations)
    {
        std::cerr << "dcfabric-sim: violation: " << text << "\n";
    }
    const int status = !violations.empty()           ? SIM_VIOLATION
                       : summary.status == "partial" ? SIM_SIGNALLED + scenario.GetInterrupt()
                                                     : SIM_DONE;
    const auto common = static_cast<int>(RankWorld::Max(status));
    events.TellEnd(summary.status, common, place);
    return common;
}

} // namespace ns3
