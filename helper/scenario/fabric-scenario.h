// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_SCENARIO_H
#define FABRIC_SCENARIO_H

#include "scenario-network.h"
#include "scenario-options.h"
#include "scenario-progress.h"

#include "ns3/flow-recorder.h"
#include "ns3/run-loop.h"
#include "ns3/run-summary.h"
#include "ns3/stuck-report.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

class ScenarioWatchdog;

/**
 * @ingroup dcfabric
 * @brief A run from its options to its results, as dcfabric-sim does it: topology, policies,
 * workload, faults, traces, recording and checks.
 *
 * @code
 * FabricScenario::UseEngine();
 * FabricScenario scenario;
 * scenario.Set("topology", "fat-tree:k=4");
 * scenario.Set("workload", "permutation:size=100kB");
 * scenario.Set("ns3::HpccCongestionControl::Eta", "0.9");
 * const RunSummary& summary = scenario.Run(); // into the folder of the option out
 * @endcode
 *
 * Options have the names, values and defaults that dcfabric-sim has (GetScenarioSchema()), and so
 * the results are the same. Attributes and the seed are of the process: one scenario at a time, and
 * between two of them Simulator::Destroy() and Config::Reset(). Of several ranks (RankWorld) each
 * makes the same calls, and rank 0 has the results.
 */
class FabricScenario
{
  public:
    /// Nothing is set.
    FabricScenario();
    ~FabricScenario();
    FabricScenario(const FabricScenario&) = delete;
    FabricScenario& operator=(const FabricScenario&) = delete;

    /**
     * @brief Have this process simulate in picoseconds, with the simulator and the scheduler of
     * this module, if it is built with them, which are faster and change no result. To be called
     * before all else, because ns-3 chooses when it is first asked for the time.
     */
    static void UseEngine();

    /**
     * @brief Set an option, an attribute or a global value of ns-3.
     * @param name `cc`, `ns3::Class::Attribute`, `RngRun`
     * @param value its text, as on the command line
     * @throws FabricError if there is no such thing, if it does not take the value, and when the
     * network is built
     */
    void Set(const std::string& name, const std::string& value);

    /// @return the options, of which those left open are resolved when the network is built
    ScenarioOptions& GetOptions();

    /**
     * @brief Plan the network without building it.
     * @return the plan
     * @throws FabricError for options that make no sense
     */
    FabricGraph Plan();

    /**
     * @brief Build the network, draw the flows, and check what is to be recorded. Run() does it
     * unless it is done.
     * @throws FabricError for options that make no sense
     */
    void Build();

    /// @return what Build() has made
    const ScenarioNetwork& GetNetwork() const;

    /// @return the network that Build() has made
    Ptr<Fabric> GetFabric() const;

    /// @return the flows of Build()
    const FlowRecorder& GetRecorder() const;

    /// @return when the run stops by the option `stop`, in ps; FabricTime::NEVER without
    int64_t GetStopPs() const;

    /**
     * @brief Have a function told how far the run is.
     * @param listener is told twice a second of wall clock; empty: nobody is
     */
    void SetProgress(ScenarioProgress::Listener listener);

    /**
     * @brief Let something from outside end the run before its time.
     * @param interrupt is asked about twenty times a second of wall clock, and returns 0, or a
     * number for what it was; the results are then `partial`
     */
    void SetInterrupt(ScenarioProgress::Interrupt interrupt);

    /**
     * @brief Say whether Run() overwrites results of other options.
     * @param force true, unless said otherwise; false: such a folder is refused
     */
    void SetForce(bool force);

    /**
     * @brief Run the simulation and write the results.
     *
     * They take the place of earlier ones when all of them are written (ResultFolder); until then
     * no other run can use the folder. Results of a run that was interrupted do not replace
     * complete ones.
     * @param folder for flows.csv, summary.json and what the options ask for, made if there is
     * none. Empty: that of the option `out`
     * @return the results, complete at rank 0
     * @throws FabricError for options that make no sense, if another process uses the folder, and
     * if results cannot be written
     */
    const RunSummary& Run(const std::string& folder = "");

    /// @return the results of Run()
    const RunSummary& GetSummary() const;

    /// @return where the results of Run() are: its folder, or `partial` in it (ResultFolder)
    const std::string& GetFolder() const;

    /// @return what SetInterrupt()'s function said at the end of the run, of any rank; 0 for
    /// nothing
    int GetInterrupt() const;

    /// @return what must never happen and did in the run, such as a loss in a lossless network
    std::vector<std::string> ListViolations() const;

  private:
    struct Execution;

    /// @return what SetInterrupt()'s function says; 0 without one
    int AskInterrupt() const
    {
        return m_interrupt ? m_interrupt() : 0;
    }

    /**
     * @brief Do something as one of several processes, which all end if one of them cannot go on.
     * @param action what to do
     */
    static void AsRank(const std::function<void()>& action);
    /// Build(), as one of several processes.
    void BuildHere();
    /// Run(), as one of several processes. @param folder as there
    void RunHere(const std::string& folder);
    /// Let events happen until the run ends.
    void Simulate(RunLoop& loop);
    /// Take down what the run was like.
    void Collect(Execution& run);
    /// Write the files that are written at the end.
    void Write(const std::string& folder);
    /// @return what runs it, which calls what looks at it
    std::unique_ptr<RunLoop> MakeLoop(const ScenarioWatchdog& watchdog);

    std::chrono::steady_clock::time_point m_begin; //!< when this object was made
    ScenarioOptions m_options;                     //!< of the run
    std::unique_ptr<FlowRecorder> m_recorder;   //!< see GetRecorder(); parts of the network know it
    std::unique_ptr<ScenarioNetwork> m_network; //!< see GetNetwork()
    int64_t m_stopPs{0};                        //!< see GetStopPs()
    ScenarioProgress::Listener m_listener;      //!< see SetProgress()
    ScenarioProgress::Interrupt m_interrupt;    //!< see SetInterrupt()
    bool m_force{true};                         //!< see SetForce()
    std::string m_folder;                       //!< see GetFolder()
    RunSummary m_summary;                       //!< see GetSummary()
    Fabric::Conservation m_where;               //!< packets at the end
    std::unique_ptr<StuckReport> m_stuck;       //!< why flows are open at the end; null: none are
    bool m_hasBarked{false};                    //!< the watchdog ended the run
    int m_interrupted{0};                       //!< see GetInterrupt()
};

} // namespace ns3

#endif /* FABRIC_SCENARIO_H */
