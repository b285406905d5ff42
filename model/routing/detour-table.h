// SPDX-License-Identifier: GPL-2.0-only
#ifndef DETOUR_TABLE_H
#define DETOUR_TABLE_H

#include "flow-port-table.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Leads flows to other ports than routing gives them, where congestion is less.
 *
 * A flow that may move goes to the available port of its group with the least degree of congestion,
 * of equal ones that with the fewest bytes, then the lowest; but only if that degree is less than
 * its own port's. It then stays there until it has paused for longer than a timeout: a choice anew
 * for each packet would reorder it each time that degrees change.
 */
class DetourTable
{
  public:
    /// A port of the group.
    struct Path
    {
        uint16_t port;  //!< its number
        bool isUp;      //!< available
        double degree;  //!< of congestion, in any unit
        uint64_t bytes; //!< what waits for it
    };

    /// @param timeout pause that ends a detour; may change, outlives this object
    explicit DetourTable(const Time& timeout)
        : m_flows(timeout)
    {
    }

    /**
     * @param flow its number (FlowKey::GetNumber())
     * @return its entry, be it old; null: none
     */
    FlowPortTable::Entry* Find(uint64_t flow)
    {
        return GetNEntries() > 0 ? m_flows.Find(flow) : nullptr;
    }

    /**
     * @param detour entry of a flow, or null
     * @param routed port that routing gives it, which is up
     * @param nowPs time in ps
     * @return the port it is on: that of its detour, if that still holds, or @p routed
     */
    uint16_t GetPort(const FlowPortTable::Entry* detour, uint16_t routed, int64_t nowPs) const
    {
        return m_flows.Holds(detour, nowPs) ? static_cast<uint16_t>(detour->port) : routed;
    }

    /**
     * @brief Choose a port for a flow that may move and has no detour that is up.
     * @param routed port that routing gives it
     * @param group the equal-cost ports, routed among them
     * @return the port to take
     */
    static uint16_t Choose(uint16_t routed, const std::vector<Path>& group);

    /**
     * @brief A packet goes where it was decided.
     * @param flow its flow
     * @param routed port that routing gave it
     * @param port that it takes
     * @param nowPs time in ps, not before that of any earlier call
     */
    void OnTaken(uint64_t flow, uint16_t routed, uint16_t port, int64_t nowPs);

    /// @return flows in the table
    std::size_t GetNEntries() const
    {
        return m_flows.GetSize();
    }

    /// @return detours that were begun
    uint64_t GetNDetours() const
    {
        return m_detours;
    }

  private:
    FlowPortTable m_flows; //!< that were moved
    uint64_t m_detours{0}; //!< begun
};

} // namespace ns3

#endif /* DETOUR_TABLE_H */
