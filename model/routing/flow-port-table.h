// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOW_PORT_TABLE_H
#define FLOW_PORT_TABLE_H

#include "ns3/nstime.h"

#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Remembers the port that each flow takes, or the switch by way of which it goes, until the
 * flow pauses for longer than a timeout.
 *
 * Entries whose time is over are removed, so that the table is as large as the number of flows of
 * the last timeout.
 */
class FlowPortTable
{
  public:
    /// What is known of a flow.
    struct Entry
    {
        int64_t lastPs;  //!< its last packet
        int64_t untilPs; //!< it is to stay there until then, for those whom that concerns
        uint32_t port;   //!< where it went: port, or address of the switch
    };

    /// @param timeout pause after which an entry no longer holds; may change, outlives this object
    explicit FlowPortTable(const Time& timeout)
        : m_timeout(timeout)
    {
    }

    /**
     * @param flow number of a flow
     * @return its entry, be it old, to be changed by its packets; null: there is none
     */
    Entry* Find(uint64_t flow);

    /**
     * @param entry of a flow, or null
     * @param nowPs time in ps
     * @return true if it holds
     */
    bool Holds(const Entry* entry, int64_t nowPs) const;

    /**
     * @brief A packet of a flow takes a new way. Old entries are removed if there are too many.
     * @param flow number of the flow
     * @param port where it goes: port, or address of the switch
     * @param nowPs time in ps, not before that of any earlier call
     * @param untilPs until when it is to stay there
     */
    void Set(uint64_t flow, uint32_t port, int64_t nowPs, int64_t untilPs = 0);

    /**
     * @brief Forget a flow.
     * @param flow its number
     */
    void Erase(uint64_t flow)
    {
        m_entries.erase(flow);
    }

    /// Forget all flows.
    void Clear()
    {
        m_entries.clear();
    }

    /// @return number of entries
    std::size_t GetSize() const
    {
        return m_entries.size();
    }

  private:
    const Time& m_timeout;                         //!< of the owner
    std::unordered_map<uint64_t, Entry> m_entries; //!< by flow
    std::size_t m_removeAt{1024};                  //!< size at which to remove old entries
};

} // namespace ns3

#endif /* FLOW_PORT_TABLE_H */
