// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOW_TRIGGER_H
#define FLOW_TRIGGER_H

#include "fabric-flow.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Starts flows when other flows are complete.
 *
 * Flows are named by their index. A flow that a trigger starts has FabricFlow::ON_TRIGGER as its
 * start and is started by that trigger alone, at the very time at which the trigger fires (at a
 * time resolution coarser than ps, at the tick that it falls into).
 */
struct FlowTrigger
{
    /// What activations do.
    enum Kind : uint8_t
    {
        ONE_SHOT,   //!< the one activation starts all flows
        MULTI_SHOT, //!< each activation starts the next flow; further ones do nothing
        BARRIER     //!< the last of `count` activations starts all flows
    };

    uint32_t id{0};                 //!< number, for messages
    Kind kind{ONE_SHOT};            //!< what activations do
    uint32_t count{1};              //!< activations that a BARRIER takes, at least 1
    std::vector<uint32_t> whenSent; //!< flows that activate it when their sender has the last ACK
    std::vector<uint32_t> whenReceived; //!< flows that activate it when they have arrived
    std::vector<uint32_t> starts;       //!< flows that it starts, in this order
};

/**
 * @ingroup dcfabric
 * @brief Keeps count of activations during a run.
 */
class FlowTriggerState
{
  public:
    /**
     * @param triggers all triggers; must outlive this object
     */
    explicit FlowTriggerState(const std::vector<FlowTrigger>& triggers);

    /**
     * @brief A sender has the last ACK of a flow.
     * @param flow its index
     * @param due flows to be started are appended
     */
    void Sent(uint32_t flow, std::vector<uint32_t>& due)
    {
        Fire(m_sent, flow, due);
    }

    /**
     * @brief A flow has arrived.
     * @param flow its index
     * @param due flows to be started are appended
     */
    void Received(uint32_t flow, std::vector<uint32_t>& due)
    {
        Fire(m_received, flow, due);
    }

    /**
     * @param trigger index of a trigger
     * @return how often it has been activated
     */
    uint32_t GetNActivations(size_t trigger) const
    {
        return m_activations.at(trigger);
    }

  private:
    /// A flow's index and a trigger's.
    using Edge = std::pair<uint32_t, uint32_t>;

    /// Activate all triggers of a flow by sorted edges; flows to be started are appended to @p due.
    void Fire(const std::vector<Edge>& edges, uint32_t flow, std::vector<uint32_t>& due);

    const std::vector<FlowTrigger>& m_triggers; //!< all
    std::vector<uint32_t> m_activations;        //!< so far, by trigger
    std::vector<Edge> m_sent;                   //!< sorted
    std::vector<Edge> m_received;               //!< sorted
};

/**
 * @ingroup dcfabric
 * @brief What is wrong with triggers.
 */
struct FlowTriggerFault
{
    static constexpr uint32_t NONE = UINT32_MAX; //!< not at fault

    std::string what;       //!< empty: nothing is wrong
    uint32_t flow{NONE};    //!< index of the flow at fault
    uint32_t trigger{NONE}; //!< index of the trigger at fault
};

/**
 * @ingroup dcfabric
 * @brief Look for mistakes that would show in the middle of a run.
 *
 * They are: a flow that nothing starts, two triggers start, or that has a start of its own as well;
 * a one-shot trigger that is activated twice; a trigger that a flow without end is to activate; a
 * barrier of no activations, or activated more often
 * than it counts; and flows that wait for one another for ever.
 *
 * @param flows all flows
 * @param triggers all triggers
 * @return the first fault
 */
FlowTriggerFault FindFlowTriggerFault(const std::vector<FabricFlow>& flows,
                                      const std::vector<FlowTrigger>& triggers);

} // namespace ns3

#endif /* FLOW_TRIGGER_H */
