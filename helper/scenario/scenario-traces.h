// SPDX-License-Identifier: GPL-2.0-only
#ifndef SCENARIO_TRACES_H
#define SCENARIO_TRACES_H

#include "scenario-options.h"
#include "scenario-value.h"

#include "ns3/flow-recorder.h"
#include "ns3/run-loop.h"
#include "ns3/trace-series.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief The time series that the user asked for.
 *
 * Samples are taken at multiples of the interval while flows are active, and once more after that,
 * at the end of the run at the latest.
 */
class ScenarioTraces
{
  public:
    /**
     * @param options of the run
     * @param fabric the network
     * @throws FabricError for an unknown series, a bad interval, or ports that cannot be captured
     */
    ScenarioTraces(const ScenarioOptions& options, const Fabric& fabric);

    /**
     * @brief Open the files and join the tasks.
     * @param folder for the files, which exists; at rank 0 only they are written
     * @param recorder of the flows
     * @param loop runs the simulation
     */
    void Start(const std::string& folder, const FlowRecorder& recorder, RunLoop& loop);

    /**
     * @brief Complete the files.
     * @param endPs end of the run in ps
     */
    void Finish(int64_t endPs);

  private:
    /// @return when to sample again, in ps
    int64_t Sample(const FlowRecorder& recorder, int64_t nowPs);
    /// Let all series take a sample.
    void SampleAll(int64_t nowPs);

    std::vector<const TraceSeries*> m_series;               //!< that were asked for
    int64_t m_intervalPs;                                   //!< between samples
    bool m_wasActive{true};                                 //!< at the last sample
    bool m_ended{false};                                    //!< no flow will start any more
    int64_t m_lastPs{0};                                    //!< time of the last sample
    std::vector<std::unique_ptr<FabricSampler>> m_samplers; //!< open files
};

/**
 * @ingroup dcfabric
 * @param options of the run
 * @return series that are asked for
 * @throws FabricError for one that does not exist, or twice
 */
std::vector<const TraceSeries*> FindScenarioTraces(const ScenarioOptions& options);

/**
 * @ingroup dcfabric
 * @param option `trace`
 * @return all series
 */
std::vector<ScenarioValue> ListScenarioTraces(const std::string& option);

/**
 * @ingroup dcfabric
 * @return names of the files of all series that have one
 */
std::vector<std::string> ListScenarioTraceFiles();

} // namespace ns3

#endif /* SCENARIO_TRACES_H */
