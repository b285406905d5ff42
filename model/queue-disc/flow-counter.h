// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOW_COUNTER_H
#define FLOW_COUNTER_H

#include <cstdint>
#include <list>
#include <unordered_map>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief How many flows have sent a packet within the last while; exact.
 */
class FlowCounter
{
  public:
    /**
     * @param windowPs for how long a packet counts, in ps, at least 1
     */
    explicit FlowCounter(int64_t windowPs)
        : m_windowPs(windowPs)
    {
    }

    /**
     * @brief A counter with the same window that has seen nothing yet.
     * @param other that counter
     */
    FlowCounter(const FlowCounter& other)
        : m_windowPs(other.m_windowPs)
    {
    }

    FlowCounter(FlowCounter&& other) = default;
    FlowCounter& operator=(const FlowCounter& other) = delete;
    FlowCounter& operator=(FlowCounter&& other) = default;
    ~FlowCounter() = default;

    /**
     * @brief A packet of a flow.
     * @param nowPs time in ps, not before that of any earlier call
     * @param flow its number or hash
     */
    void Enter(int64_t nowPs, uint64_t flow);

    /**
     * @param nowPs time in ps, likewise
     * @return flows with a packet at most a window ago
     */
    uint32_t GetCount(int64_t nowPs);

  private:
    /// A flow.
    struct Flow
    {
        int64_t lastPs; //!< time of its last packet
        uint64_t flow;  //!< which
    };

    /// Forget flows whose last packet is too old.
    void Forget(int64_t nowPs);

    int64_t m_windowPs;       //!< for how long a packet counts
    std::list<Flow> m_byTime; //!< flows that count, those that sent last behind
    std::unordered_map<uint64_t, std::list<Flow>::iterator> m_byFlow; //!< the same by flow
};

} // namespace ns3

#endif /* FLOW_COUNTER_H */
