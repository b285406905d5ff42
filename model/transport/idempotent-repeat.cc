// SPDX-License-Identifier: GPL-2.0-only
#include "idempotent-repeat.h"

#include "ns3/fabric-packet-item.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(IdempotentRepeat);

TypeId
IdempotentRepeat::GetTypeId()
{
    static TypeId tid = TypeId("ns3::IdempotentRepeat")
                            .SetParent<RackRepeat>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<IdempotentRepeat>();
    return tid;
}

uint32_t
IdempotentRepeat::GetDataFlags() const
{
    return FabricPacketItem::FLAG_NO_PDC | FabricPacketItem::FLAG_ACK_REQUEST;
}

} // namespace ns3
