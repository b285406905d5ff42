// SPDX-License-Identifier: GPL-2.0-only
#include "receiver-driven-control.h"

#include "receiver-control.h"

#include "ns3/fabric-packet-item.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(ReceiverDrivenControl);

TypeId
ReceiverDrivenControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ReceiverDrivenControl")
            .SetParent<CongestionControl>()
            .SetGroupName("Dcfabric")
            .AddAttribute("Receiver",
                          "Class of what grants the credit at hosts.",
                          TypeId::ATTR_GET,
                          TypeIdValue(ReceiverControl::GetTypeId()),
                          MakeTypeIdAccessor(&ReceiverDrivenControl::GetReceiverType),
                          MakeTypeIdChecker());
    return tid;
}

uint8_t
ReceiverDrivenControl::ChooseClass(const FabricPacketItem& item) const
{
    return item.GetPriority();
}

void
ReceiverDrivenControl::DoDispose()
{
    m_asker = nullptr;
    CongestionControl::DoDispose();
}

} // namespace ns3
