// SPDX-License-Identifier: GPL-2.0-only
#include "host-protocol.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(HostProtocol);

TypeId
HostProtocol::GetTypeId()
{
    static TypeId tid = TypeId("ns3::HostProtocol").SetParent<Object>().SetGroupName("Dcfabric");
    return tid;
}

} // namespace ns3
