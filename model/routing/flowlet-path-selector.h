// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOWLET_PATH_SELECTOR_H
#define FLOWLET_PATH_SELECTOR_H

#include "state-path-selector.h"

#include "ns3/nstime.h"

#include <unordered_map>

namespace ns3
{

class LogComponent;

/**
 * @ingroup dcfabric
 * @brief Flowlet switching (LetFlow, NSDI 2017): a flow that has paused for longer than Timeout may
 * change its port, all others stay on theirs.
 *
 * The new port is drawn uniformly, whatever its load: on a congested path a flow pauses more often,
 * so that flowlets move by themselves to where there is room. As long as Timeout exceeds the
 * difference between the delays of the paths, nothing is reordered. Each direction of a flow has an
 * entry of its own; entries whose time is over are removed, so that the table is as large as the
 * number of flows of the last Timeout.
 */
class FlowletPathSelector : public StatePathSelector
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    uint16_t Select(const PortGroup& group, const FabricPacketItem& item) override;
    /// @brief Begin a new flowlet. @copydetails PathSelector::SelectAgain
    uint16_t SelectAgain(const PortGroup& rest, const FabricPacketItem& item) override;

    /// @return flowlets that took another port than the one before of their flow
    uint64_t GetNMoves() const
    {
        return m_moves;
    }

    /// @return entries of the table
    std::size_t GetNEntries() const
    {
        return m_flows.size();
    }

  private:
    static LogComponent g_log; //!< of this class

    /// The present flowlet of a flow.
    struct Flowlet
    {
        int64_t lastPs; //!< its last packet
        uint16_t port;  //!< where it goes
    };

    /// Remove flows that have paused for longer than the timeout.
    void RemoveOld(int64_t nowPs);

    Time m_timeout;                                //!< attribute
    std::unordered_map<uint64_t, Flowlet> m_flows; //!< by source and hash
    std::size_t m_removeAt{1024};                  //!< size at which to remove old entries
    uint64_t m_moves{0};                           //!< flowlets on a new port
};

} // namespace ns3

#endif /* FLOWLET_PATH_SELECTOR_H */
