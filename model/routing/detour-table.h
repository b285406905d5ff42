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
 * of equal ones that with the fewest bytes, then the lowest; but only if that degree is at most
 * half of that at the port where it is. A choice anew for each packet would reorder it each time
 * that degrees change, and all flows of a bad port would go to the same good one before any degree
 * shows it. So each move has a time until which it takes effect: as long no other flow leaves the
 * port that it has left, and none comes to the one to which it has come. The flow itself stays for
 * a timeout at least, since each move lets it overtake itself. One that pauses for longer than that
 * is a new one.
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

    /// How long a move takes to have its effect.
    struct Settling
    {
        int64_t leftPs; //!< at the port that a flow has left
        int64_t camePs; //!< at the port to which it has come
    };

    /// @param timeout pause that ends a detour, and how long a flow that does not pause stays
    /// where it was moved; may change, outlives this object
    explicit DetourTable(const Time& timeout)
        : m_timeout(timeout),
          m_flows(timeout)
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
        return m_flows.Holds(detour, nowPs) && detour->port != HOME
                   ? static_cast<uint16_t>(detour->port)
                   : routed;
    }

    /**
     * @param detour entry of a flow, or null: one that has not been moved, or has to move
     * @param port on which it is
     * @param nowPs time in ps
     * @return true if the flow has stayed for long enough and the latest moves of the port have
     * taken effect
     */
    bool MayLeave(const FlowPortTable::Entry* detour, uint16_t port, int64_t nowPs) const;

    /**
     * @brief Choose a port for a flow that may move.
     * @param present port on which it is
     * @param group the equal-cost ports, @p present among them
     * @param nowPs time in ps
     * @return the port to take
     */
    uint16_t Choose(uint16_t present, const std::vector<Path>& group, int64_t nowPs) const;

    /**
     * @brief A packet goes where it was decided.
     * @param flow its flow
     * @param routed port that routing gave it
     * @param port that it takes
     * @param nowPs time in ps, not before that of any earlier call
     * @param settling of the move, if it is one
     */
    void OnTaken(uint64_t flow,
                 uint16_t routed,
                 uint16_t port,
                 int64_t nowPs,
                 const Settling& settling);

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
    static constexpr uint32_t HOME = UINT32_MAX; //!< port of a flow that has come back

    /**
     * @param port any
     * @param nowPs time in ps
     * @return true if the moves to and from it have taken effect
     */
    bool IsSettled(uint16_t port, int64_t nowPs) const
    {
        return port >= m_settledPs.size() || nowPs >= m_settledPs[port];
    }

    const Time& m_timeout;            //!< of the owner
    FlowPortTable m_flows;            //!< that were moved
    std::vector<int64_t> m_settledPs; //!< by port: its latest moves have taken effect
    uint64_t m_detours{0};            //!< begun
};

} // namespace ns3

#endif /* DETOUR_TABLE_H */
