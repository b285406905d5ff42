// SPDX-License-Identifier: GPL-2.0-only
#ifndef SCENARIO_NETWORK_H
#define SCENARIO_NETWORK_H

#include "scenario-options.h"
#include "scenario-part.h"

#include "ns3/fabric-flow.h"
#include "ns3/fabric.h"
#include "ns3/flow-trigger.h"
#include "ns3/late-receives.h"
#include "ns3/offered-load.h"
#include "ns3/receive-poster.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What the options describe: a network and what is sent over it.
 */
struct ScenarioNetwork
{
    Ptr<Fabric> fabric;                //!< network
    std::vector<FabricFlow> flows;     //!< by flow number; none once a FlowRecorder has them
    std::vector<std::string> groups;   //!< labels of flows, if they have any
    std::vector<FlowTrigger> triggers; //!< what starts flows that wait for others
    OfferedLoad offeredLoad;           //!< of random arrivals
    Ptr<ReceivePoster> poster;         //!< posts receives; null: messages are not matched
    /// Looks after receives of the poster; null: there is one rank, or no poster.
    std::shared_ptr<LateReceives> lateReceives;
    bool makesFlows{false}; //!< during the run; none is known before
    uint8_t dataClass{3};   //!< of the first flow
    /// Classes of flows that are made during the run, with what makes them.
    std::vector<std::pair<std::string, uint8_t>> madeClasses;
    bool lossless{false}; //!< flow control is on and no link loses packets or goes down
    std::vector<std::unique_ptr<ScenarioPart>> parts; //!< what wings do
};

/// What a network is built for.
enum class ScenarioUse
{
    LOOK, //!< to be looked at
    RUN,  //!< to be run
};

/**
 * @ingroup dcfabric
 * @brief Build the network and draw the flows.
 * @param options which; those left open are resolved
 * @param use what for
 * @return network and flows
 * @throws FabricError for anything that makes no sense
 */
ScenarioNetwork BuildScenarioNetwork(ScenarioOptions& options, ScenarioUse use = ScenarioUse::LOOK);

/**
 * @ingroup dcfabric
 * @brief Plan the network without building it.
 * @param options which; those left open are resolved
 * @return the plan
 * @throws FabricError for anything that makes no sense of the network, and for names that no option
 * has; whether policies work together only a run tells
 */
FabricGraph BuildScenarioPlan(ScenarioOptions& options);

} // namespace ns3

#endif /* SCENARIO_NETWORK_H */
