// SPDX-License-Identifier: GPL-2.0-only
#ifndef QUEUED_FLOWS_H
#define QUEUED_FLOWS_H

#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief How much of what waits for an output is whose: bytes of each flow.
 *
 * Exact in whatever order packets leave, also of virtual output queues. (RoccFlowTable asks only
 * whether a flow is in a first-in first-out queue, which needs no look-up as packets leave.)
 */
class QueuedFlows
{
  public:
    /**
     * @brief A packet comes to wait.
     * @param flow number of its flow
     * @param bytes of the packet
     */
    void Enter(uint64_t flow, uint32_t bytes)
    {
        m_flows[flow] += bytes;
        m_bytes += bytes;
    }

    /**
     * @brief A packet that came waits no longer.
     * @param flow number of its flow
     * @param bytes of the packet, as it came
     */
    void Leave(uint64_t flow, uint32_t bytes)
    {
        const auto found = m_flows.find(flow);
        if (found == m_flows.end())
        {
            return;
        }
        const uint64_t left = found->second < bytes ? found->second : bytes;
        found->second -= left;
        m_bytes -= left;
        if (found->second == 0)
        {
            m_flows.erase(found);
        }
    }

    /**
     * @param flow number of a flow
     * @return its bytes
     */
    uint64_t GetBytes(uint64_t flow) const
    {
        const auto found = m_flows.find(flow);
        return found == m_flows.end() ? 0 : found->second;
    }

    /// @return bytes of all
    uint64_t GetBytes() const
    {
        return m_bytes;
    }

    /// @return flows that wait
    std::size_t GetSize() const
    {
        return m_flows.size();
    }

    /**
     * @param flow number of a flow
     * @param share of the mean, at least 0
     * @return true if it waits, with at least that share of what a flow has on average
     */
    bool HasShare(uint64_t flow, double share) const
    {
        const uint64_t own = GetBytes(flow);
        return own > 0 && static_cast<double>(own) * static_cast<double>(m_flows.size()) >=
                              share * static_cast<double>(m_bytes);
    }

  private:
    std::unordered_map<uint64_t, uint64_t> m_flows; //!< bytes of each
    uint64_t m_bytes{0};                            //!< sum
};

} // namespace ns3

#endif /* QUEUED_FLOWS_H */
