// SPDX-License-Identifier: GPL-2.0-only
#ifndef ROUTE_REPAIR_H
#define ROUTE_REPAIR_H

#include "link-outages.h"

#include "ns3/fabric.h"
#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <memory>
#include <set>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Has all nodes route around links that are down, some time after these went down, as a
 * routing protocol does.
 *
 * Each change of a link is in all tables one convergence time later, everywhere at the same time:
 * there is no moment at which nodes disagree, and no packet goes in circles. Tables are those of
 * the usual search without the links that are down; it may find longer ways.
 *
 * Under a lossless flow control the routes around each new set of links that are down are explored
 * (DeadlockProof); if packets can wait for one another in a circle, a warning says so, and
 * the run goes on.
 */
class RouteRepair : public SimpleRefCount<RouteRepair>
{
  public:
    /**
     * @brief Schedule the repair of all tables.
     * @param fabric the network
     * @param outages when its links are down
     * @param convergencePs from a change until tables know of it, in ps
     */
    static void Schedule(Ptr<Fabric> fabric, const LinkOutages& outages, int64_t convergencePs);

    /**
     * @brief Prepare.
     * @param fabric the network
     * @param outages when its links are down
     * @param convergencePs from a change until tables know of it, in ps
     */
    RouteRepair(Ptr<Fabric> fabric, const LinkOutages& outages, int64_t convergencePs);

  private:
    /**
     * @brief Have a node updated after a change.
     * @param repair this object
     * @param node number of the node
     * @param epoch number of the change
     */
    static void Await(Ptr<RouteRepair> repair, uint32_t node, uint32_t epoch);

    /**
     * @brief Give a node the table that is due.
     * @param repair this object
     * @param node number of the node
     * @param epoch number of the change
     */
    static void Update(Ptr<RouteRepair> repair, uint32_t node, uint32_t epoch);

    /// Warn if packets can wait for one another in a circle.
    void Prove(uint32_t epoch);

    /// @return the routes after a change
    const RoutingBuilder& GetRoutes(uint32_t epoch);

    Ptr<Fabric> m_fabric;                     //!< the network, until its nodes are disposed of
    LinkOutages m_outages;                    //!< when its links are down
    std::vector<int64_t> m_times;             //!< of changes, in ps
    int64_t m_convergencePs;                  //!< from a change until tables know of it
    std::unique_ptr<RoutingBuilder> m_routes; //!< after m_epoch; all nodes need the same ones
    uint32_t m_epoch{UINT32_MAX};             //!< see m_routes
    uint32_t m_latest{0};                     //!< last change of which any node knows
    std::vector<uint32_t> m_left;             //!< by change: nodes that do not know of it
    std::set<std::vector<bool>> m_proven;     //!< links that were down when routes were explored
};

} // namespace ns3

#endif /* ROUTE_REPAIR_H */
