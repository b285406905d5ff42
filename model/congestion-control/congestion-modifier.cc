// SPDX-License-Identifier: GPL-2.0-only
#include "congestion-modifier.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(CongestionModifier);

TypeId
CongestionModifier::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::CongestionModifier").SetParent<Object>().SetGroupName("Dcfabric");
    return tid;
}

void
CongestionModifier::Start(const PathInfo& /* path */)
{
}

void
CongestionModifier::OnAck(const AckInfo& /* ack */)
{
}

} // namespace ns3
