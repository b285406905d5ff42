// SPDX-License-Identifier: GPL-2.0-only
#ifndef LINK_OUTAGES_H
#define LINK_OUTAGES_H

#include "fault-place.h"

#include "ns3/fabric.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief When each link of a network is down: while a fault of its own takes it down, or while the
 * switch at either end has failed.
 */
class LinkOutages
{
  public:
    /// A link goes down or comes up.
    struct Change
    {
        uint32_t link;  //!< its number
        int64_t timePs; //!< when, in ps
        bool down;      //!< or up
    };

    /**
     * @brief Put the faults together.
     * @param fabric the network, whose links may be down already
     * @param faults all faults, by time for each link and switch, without contradictions
     */
    LinkOutages(const Fabric& fabric, const std::vector<PlacedFault>& faults);

    /// @return all changes, by link and then by time; the first one of a link that is up is down
    const std::vector<Change>& GetChanges() const
    {
        return m_changes;
    }

    /// @return times of changes, each once, ascending
    std::vector<int64_t> ListTimes() const;

    /**
     * @param timePs a time
     * @return by link: down at a time, that of a change included
     */
    std::vector<bool> GetDown(int64_t timePs) const;

  private:
    std::vector<bool> m_initial;   //!< by link: down before any change
    std::vector<Change> m_changes; //!< see GetChanges()
};

} // namespace ns3

#endif /* LINK_OUTAGES_H */
