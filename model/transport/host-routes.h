// SPDX-License-Identifier: GPL-2.0-only
#ifndef HOST_ROUTES_H
#define HOST_ROUTES_H

#include "ns3/fabric-packet-item.h"
#include "ns3/forwarding-table.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Which of its ports a host with several links sends by: one on a shortest path to the
 * destination, of these one whose link is up, of these one by the entropy.
 *
 * First the neighbor, by the remainder of the entropy, then the link to it, by what is left: the
 * rule by which symmetric ECMP chooses among the last-hop switches of a host, and among their links
 * to it. While links are down, packets whose choice is alive keep it, and the others choose among
 * what is. Better still is another entropy (Fit()), by which answers come back by the same port.
 * While all links on shortest paths are down, the choice is that of all links up: longer ways are
 * not taken, as by switches.
 */
class HostRoutes
{
  public:
    /**
     * @param table ports on shortest paths
     * @param nPorts ports of the host
     */
    HostRoutes(ForwardingTable table, uint16_t nPorts);

    /**
     * @brief Change the table, as a routing protocol does after a failure. To hosts to which it
     * knows no way the first table holds: packets go that way, and are lost.
     * @param table the new one
     */
    void Update(ForwardingTable table);

    /**
     * @param dst address of another host
     * @param entropy of the packet
     * @return a port, or FabricPacketItem::NO_PORT if there is no way
     */
    uint16_t Choose(uint32_t dst, uint16_t entropy) const;

    /**
     * @brief Find an entropy that leads to a port whose link is up, here and at the switches that
     * send answers by the same rule.
     * @param dst address of another host
     * @param entropy that a load balancer has chosen
     * @return that one if it will do, or if none does; else another one, always the same
     */
    uint16_t Fit(uint32_t dst, uint16_t entropy) const
    {
        return m_nDown == 0 ? entropy : FitToUp(dst, entropy);
    }

    /**
     * @param dst address of another host
     * @param port its number
     * @return true if a port is on a shortest path and its link is up
     */
    bool IsGood(uint32_t dst, uint16_t port) const;

    /**
     * @param dst address of another host
     * @return true if there are several ports on shortest paths
     */
    bool HasChoice(uint32_t dst) const
    {
        return Lookup(dst).nPorts > 1;
    }

    /**
     * @param dst address of another host
     * @param channel see QueuePair
     * @return the port of that number, counted round, on shortest paths, or the next one that is up
     */
    uint16_t GetPortOfChannel(uint32_t dst, uint16_t channel) const;

    /**
     * @brief The link of a port is up or down.
     * @param port its number
     * @param up what it is
     */
    void SetUp(uint16_t port, bool up);

    /**
     * @param port its number
     * @return true if the link of a port is up
     */
    bool IsUp(uint16_t port) const
    {
        return m_up[port];
    }

  private:
    /// @return the ports on shortest paths to a host
    PortGroup Lookup(uint32_t dst) const;
    /// @return a port of a group that is not empty and whose links are all up
    static uint16_t ChooseOf(const PortGroup& group, uint16_t entropy);
    /// @return see Fit()
    uint16_t FitToUp(uint32_t dst, uint16_t entropy) const;

    ForwardingTable m_table;   //!< ports on shortest paths
    ForwardingTable m_updated; //!< likewise, after failures; empty: there were none
    std::vector<bool> m_up;    //!< by port
    uint16_t m_nDown{0};       //!< ports whose link is down
};

} // namespace ns3

#endif /* HOST_ROUTES_H */
