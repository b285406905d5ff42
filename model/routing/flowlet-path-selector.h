// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOWLET_PATH_SELECTOR_H
#define FLOWLET_PATH_SELECTOR_H

#include "flow-port-table.h"
#include "state-path-selector.h"

#include "ns3/nstime.h"

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
 * entry of its own.
 */
class FlowletPathSelector : public StatePathSelector
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    uint16_t Select(const PortGroup& group, const FabricPacketItem& item) override;
    /// @brief Begin a new flowlet. @copydetails PathSelector::SelectAgain
    uint16_t SelectAgain(const PortGroup& rest, const FabricPacketItem& item) override;
    void OnTableChange() override;

    /// @return flowlets that took another port than the one before of their flow
    uint64_t GetNMoves() const
    {
        return m_moves;
    }

    /// @return entries of the table
    std::size_t GetNEntries() const
    {
        return m_flows.GetSize();
    }

  private:
    static LogComponent g_log; //!< of this class

    /**
     * @param item a packet
     * @return number of its flow
     */
    static uint64_t GetKey(const FabricPacketItem& item);

    Time m_timeout;                   //!< pause after which a flow may change its port
    FlowPortTable m_flows{m_timeout}; //!< the present flowlet of each, by source and hash
    uint64_t m_moves{0};              //!< flowlets on a new port
};

} // namespace ns3

#endif /* FLOWLET_PATH_SELECTOR_H */
