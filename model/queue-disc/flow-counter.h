// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOW_COUNTER_H
#define FLOW_COUNTER_H

#include <cstdint>
#include <deque>
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
    /// @param windowPs for how long a packet counts, in ps, at least 1
    explicit FlowCounter(int64_t windowPs)
        : m_windowPs(windowPs)
    {
    }

    /// @brief A packet of a flow. @param nowPs time in ps, not before that of any earlier call
    /// @param flow its number or hash
    void Enter(int64_t nowPs, uint64_t flow);

    /// @return flows with a packet at most a window ago @param nowPs time in ps, likewise
    uint32_t GetCount(int64_t nowPs);

  private:
    /// A packet.
    struct Arrival
    {
        int64_t timePs; //!< when
        uint64_t flow;  //!< of which flow
    };

    int64_t m_windowPs;                              //!< for how long a packet counts
    std::deque<Arrival> m_arrivals;                  //!< packets that may count
    std::unordered_map<uint64_t, uint32_t> m_counts; //!< these by flow
};

} // namespace ns3

#endif /* FLOW_COUNTER_H */
