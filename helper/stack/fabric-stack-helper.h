// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_STACK_HELPER_H
#define FABRIC_STACK_HELPER_H

#include "ns3/fabric.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-interface-container.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Installs ns-3's own IPv4 stack on hosts of a fabric, beside their transport.
 *
 * Host n has the address FabricAddress::ToIpv4(n), 10.a.b.c where a.b.c are the bytes of n, in the
 * one network 10.0.0.0/8; there is no ARP and nothing to be routed. Only hosts that run stock
 * applications need it. Present where ns-3's module internet is built.
 *
 *     fabricHelper.AddStackClass();            // room in the switches, best effort
 *     Ptr<Fabric> fabric = fabricHelper.Install(graph);
 *     FabricStackHelper().Install(fabric, {0, 5});
 */
class FabricStackHelper
{
  public:
    /**
     * @brief Choose the stack, such as another routing protocol.
     * @param stack installed on hosts that have none
     */
    void SetStack(const InternetStackHelper& stack)
    {
        m_stack = stack;
    }

    /**
     * @brief Install on some hosts.
     * @param fabric the network
     * @param hosts their numbers
     * @return their interfaces, in the same order
     * @throws FabricError if the fabric has no class for such packets, a number is that of no host,
     * or a host has several ports or the stack already
     */
    Ipv4InterfaceContainer Install(Ptr<Fabric> fabric, const std::vector<uint32_t>& hosts) const;

    /**
     * @brief @copybrief Install(Ptr<Fabric>,const std::vector<uint32_t>&) const
     * @param fabric the network
     * @return interfaces of all hosts
     * @throws FabricError as above
     */
    Ipv4InterfaceContainer Install(Ptr<Fabric> fabric) const;

  private:
    InternetStackHelper m_stack; //!< for hosts that have none
};

} // namespace ns3

#endif /* FABRIC_STACK_HELPER_H */
