// SPDX-License-Identifier: GPL-2.0-only
#ifndef LATE_RECEIVES_H
#define LATE_RECEIVES_H

#include "ns3/fabric.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <unordered_map>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Refuses match tables that are full where the results would depend on the number of
 * processes (ranks).
 *
 * A process learns of a message from another one before its first packet, but later than one
 * process that simulates all. A receive that it posts then is as good as one that was posted
 * before, unless it, or a packet without receive, has to wait for room in the match table.
 */
class LateReceives
{
  public:
    /**
     * @param fabric the network, whose messages are matched
     */
    explicit LateReceives(Ptr<Fabric> fabric);

    /**
     * @brief A receive was posted now that one process may have posted earlier.
     * @param host at which
     * @param startPs when the message began, in ps
     * @throws FabricError if one process may have found the table full meanwhile
     */
    void OnPosted(uint32_t host, int64_t startPs);

    /**
     * @brief A receive was posted when one process would have, but others of that time perhaps
     * before it.
     * @param host at which
     * @throws FabricError if the table is or was full
     */
    void OnPostedInTime(uint32_t host) const
    {
        CheckRoom(host, 0);
    }

  private:
    /// Refuse a table with too little room. @param late receives that one process may have posted
    /// before
    void CheckRoom(uint32_t host, std::size_t late) const;

    Ptr<Fabric> m_fabric; //!< the network
    /// By host, when the last receives were posted late, in ps.
    std::unordered_map<uint32_t, std::deque<int64_t>> m_postedPs;
};

} // namespace ns3

#endif /* LATE_RECEIVES_H */
