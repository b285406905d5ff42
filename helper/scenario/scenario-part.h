// SPDX-License-Identifier: GPL-2.0-only
#ifndef SCENARIO_PART_H
#define SCENARIO_PART_H

#include "scenario-options.h"

#include "ns3/fabric-workload.h"
#include "ns3/flow-recorder.h"
#include "ns3/named-table.h"
#include "ns3/run-loop.h"
#include "ns3/run-summary.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

class FabricHelper;
class JsonWriter;
struct ScenarioNetwork;

/**
 * @ingroup dcfabric
 * @brief What a wing does in a scenario, such as faults or programs of ranks.
 *
 * A scenario has one of each kind, which it makes when it is built and calls in the order of these
 * functions. It knows none by name: a wing adds its own to GetScenarioPartTable(), and its options,
 * policies, presets and forms to their tables.
 */
class ScenarioPart
{
  public:
    virtual ~ScenarioPart();

    /**
     * @brief The scenario is going to be run: what is built is not only looked at. Before all else.
     * @param options of the run
     * @throws FabricError if it makes no sense
     */
    virtual void Begin(const ScenarioOptions& options);

    /**
     * @brief Read what options say, before anything is planned.
     * @param options of the run
     * @param used classes that are chosen are added
     * @throws FabricError if it makes no sense
     */
    virtual void Read(const ScenarioOptions& options, std::vector<TypeId>& used);

    /**
     * @brief Choose policies of the network, once those of the core's options are chosen.
     * @param helper builds the network
     * @param options of the run
     * @param network is told who posts receives
     * @param used classes that are chosen are added
     * @throws FabricError if it makes no sense
     */
    virtual void Configure(FabricHelper& helper,
                           const ScenarioOptions& options,
                           ScenarioNetwork& network,
                           std::vector<TypeId>& used);

    /**
     * @brief Look at the workload before its flows are drawn.
     * @param workload it
     * @param options of the run
     * @param network is told if flows are made during the run
     * @param used classes that are chosen are added
     * @throws FabricError if it makes no sense
     */
    virtual void TakeWorkload(const Ptr<FabricWorkload>& workload,
                              const ScenarioOptions& options,
                              ScenarioNetwork& network,
                              std::vector<TypeId>& used);

    /**
     * @brief Everything is planned: look at it before the network is built.
     * @param network its flows and what posts receives
     * @param options of the run
     * @throws FabricError for options that contradict one another
     */
    virtual void Prepare(ScenarioNetwork& network, const ScenarioOptions& options);

    /**
     * @brief Become several processes, if that is wanted, before the network is built.
     * @param graph the network
     * @param network its flows and what posts receives
     * @param options of the run
     * @throws FabricError if it makes no sense
     */
    virtual void Divide(const FabricGraph& graph,
                        const ScenarioNetwork& network,
                        const ScenarioOptions& options);

    /**
     * @brief Say which process (rank) of the simulation has which node.
     * @param graph the network
     * @param options of the run
     * @param rankOf by node, the system id of that process; 0 if nobody says otherwise
     * @throws FabricError if it makes no sense
     */
    virtual void PlaceNodes(const FabricGraph& graph,
                            const ScenarioOptions& options,
                            std::vector<uint32_t>& rankOf);

    /**
     * @brief Join the network, which has been built.
     * @param network it
     * @param options of the run
     * @throws FabricError if it does not fit
     */
    virtual void Install(ScenarioNetwork& network, const ScenarioOptions& options);

    /// @return true if packets are lost that the flow control would have kept
    virtual bool LosesPackets() const;

    /**
     * @brief Join the recorder of the flows, before the run.
     * @param recorder it
     * @param network what is run
     */
    virtual void Record(FlowRecorder& recorder, const ScenarioNetwork& network);

    /**
     * @return true if it does, during the run, what concerns several nodes at one moment: these
     * cannot have head starts then (FabricEngine::SetHeadStarts())
     */
    virtual bool NeedsOrder() const;

    /**
     * @brief Run the simulation in place of SingleRun.
     * @param recorder of the flows
     * @param stopPs when to stop at last, in ps; FabricTime::NEVER: when all flows are complete
     * @param isOver tells whether this process wants to end the run after tasks were called
     * @return what runs it; null: another part, or SingleRun
     */
    virtual std::unique_ptr<RunLoop> MakeLoop(FlowRecorder& recorder,
                                              int64_t stopPs,
                                              std::function<bool()> isOver);

    /**
     * @brief The run begins: look at it from time to time.
     * @param loop runs it
     */
    virtual void Watch(RunLoop& loop);

    /// @return true if packets wait for one another for ever, as far as it has seen
    virtual bool IsDeadlocked() const;

    /// @return until when it changes the network, in ps: what waits may wait for that
    virtual int64_t GetLastChangePs() const;

    /**
     * @brief The simulation is over.
     * @param endPs since when, in ps
     */
    virtual void End(int64_t endPs);

    /// @return writes members of summary.json, after the scenario as well; empty: there are none
    virtual std::function<void(JsonWriter&)> Summarize() const;

    /**
     * @param endPs when the simulation ended, in ps
     * @return simulator events that one process would have spent on what this part knows of; asked
     * only where there are several ranks
     */
    virtual uint64_t CountEvents(int64_t endPs) const;

    /// @return what this process (rank) of the simulation knows, for one that joins it with others
    virtual std::string Pack() const;

    /**
     * @brief Learn what another rank knows.
     * @param bytes what Pack() gave there
     * @throws FabricError if that is something else
     */
    virtual void Join(const std::string& bytes);

    /**
     * @brief Join what all ranks know, at the end.
     * @param network what was run, and its parts
     * @param recorder its flows; at rank 0 it knows all of them afterwards
     * @param summary is filled in; at rank 0 it is that of all afterwards
     * @param where packets are; at rank 0 all of them afterwards
     * @param endPs when the simulation ended, in ps
     * @return false: there is nothing to join, and the summary is as it was
     */
    virtual bool JoinRanks(const ScenarioNetwork& network,
                           FlowRecorder& recorder,
                           RunSummary& summary,
                           Fabric::Conservation& where,
                           int64_t endPs);

    /**
     * @brief Write results; of several ranks, the first one does.
     * @param folder for them, which exists
     */
    virtual void Write(const std::string& folder);

    /**
     * @brief Tell what must never happen and did.
     * @param violations are added, a line each
     */
    virtual void ListViolations(std::vector<std::string>& violations) const;
};

/**
 * @ingroup dcfabric
 * @brief A kind of part.
 */
struct ScenarioPartKind
{
    const char* name;                        //!< parts are called in the order of names
    std::unique_ptr<ScenarioPart> (*make)(); //!< makes one for a scenario
};

/**
 * @ingroup dcfabric
 * @return all kinds of parts
 */
NamedTable<ScenarioPartKind>& GetScenarioPartTable();

/**
 * @ingroup dcfabric
 * @tparam T class of a part
 * @return a new one, for ScenarioPartKind::make
 */
template <typename T>
std::unique_ptr<ScenarioPart>
MakeScenarioPart()
{
    return std::make_unique<T>();
}

} // namespace ns3

#endif /* SCENARIO_PART_H */
