// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-stack-helper.h"

#include "ns3/fabric-address.h"
#include "ns3/fabric-error.h"
#include "ns3/ipv4.h"

#include <string>

namespace ns3
{

namespace
{

/// Refuse a host on which the stack cannot be installed.
void
CheckHost(const Fabric& fabric, uint32_t host)
{
    const Ptr<FabricNic> nic = fabric.GetNic(host);
    if (nic->GetNPorts() != 1)
    {
        throw FabricError("FabricStackHelper: host " + std::to_string(host) + " has " +
                          std::to_string(nic->GetNPorts()) +
                          " ports; its one IPv4 address needs a host with one");
    }
    const Ptr<Ipv4> ipv4 = nic->GetNode()->GetObject<Ipv4>();
    if (ipv4 && ipv4->GetInterfaceForDevice(nic->GetPort(0)) >= 0)
    {
        throw FabricError("FabricStackHelper: host " + std::to_string(host) +
                          " has the stack already");
    }
}

} // namespace

Ipv4InterfaceContainer
FabricStackHelper::Install(Ptr<Fabric> fabric, const std::vector<uint32_t>& hosts) const
{
    if (fabric->GetStackClasses() == 0)
    {
        throw FabricError(
            "FabricStackHelper: the switches have no class for packets of ns-3's IP stack; call "
            "FabricHelper::AddStackClass() before FabricHelper::Install()");
    }
    Ipv4InterfaceContainer interfaces;
    for (const uint32_t host : hosts)
    {
        CheckHost(*fabric, host);
        const Ptr<Node> node = fabric->GetNodes().Get(host);
        if (!node->GetObject<Ipv4>())
        {
            m_stack.Install(node);
        }
        const Ptr<Ipv4> ipv4 = node->GetObject<Ipv4>();
        const uint32_t interface = ipv4->AddInterface(fabric->GetPort(host, 0));
        ipv4->AddAddress(interface,
                         Ipv4InterfaceAddress(FabricAddress::ToIpv4(host), Ipv4Mask("255.0.0.0")));
        ipv4->SetMetric(interface, 1);
        ipv4->SetUp(interface);
        interfaces.Add(ipv4, interface);
    }
    return interfaces;
}

Ipv4InterfaceContainer
FabricStackHelper::Install(Ptr<Fabric> fabric) const
{
    return Install(fabric, fabric->GetHosts());
}

} // namespace ns3
