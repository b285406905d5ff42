// SPDX-License-Identifier: GPL-2.0-only
#include "credit-header.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(CreditHeader);

TypeId
CreditHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::CreditHeader")
                            .SetParent<Header>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<CreditHeader>();
    return tid;
}

TypeId
CreditHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

uint32_t
CreditHeader::GetSerializedSize() const
{
    return fields.perQueue ? QUEUES_BYTES : CLASSES_BYTES;
}

void
CreditHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteU8(fields.perQueue ? VERSION_QUEUES : VERSION_CLASSES);
    start.WriteU8(fields.request);
    start.WriteHtonU32(fields.bufferUnits);
    for (std::size_t i = 0; i < totals.size(); ++i)
    {
        if (fields.perQueue)
        {
            start.WriteHtonU16(fields.queues[i]);
        }
        start.WriteHtonU32(totals[i].sent);
        start.WriteHtonU32(totals[i].limit);
    }
}

uint32_t
CreditHeader::Deserialize(Buffer::Iterator start)
{
    if (start.GetRemainingSize() < CLASSES_BYTES)
    {
        return 0;
    }
    const uint8_t version = start.PeekU8();
    fields.perQueue = version == VERSION_QUEUES;
    if ((version != VERSION_CLASSES && !fields.perQueue) ||
        start.GetRemainingSize() < GetSerializedSize())
    {
        return 0;
    }
    start.Next();
    fields.request = start.ReadU8();
    fields.bufferUnits = start.ReadNtohU32();
    for (std::size_t i = 0; i < totals.size(); ++i)
    {
        fields.queues[i] = fields.perQueue ? start.ReadNtohU16() : FabricPacketItem::NO_QUEUE;
        totals[i].sent = start.ReadNtohU32();
        totals[i].limit = start.ReadNtohU32();
    }
    return fields.request <= 1 ? GetSerializedSize() : 0;
}

void
CreditHeader::Print(std::ostream& os) const
{
    os << "credits" << (fields.request ? " (asks)" : "") << " buffer " << fields.bufferUnits;
    for (std::size_t i = 0; i < totals.size(); ++i)
    {
        if (!fields.perQueue)
        {
            os << " class " << i << ": " << totals[i].sent << "/" << totals[i].limit;
        }
        else if (fields.queues[i] != FabricPacketItem::NO_QUEUE)
        {
            os << " output " << (fields.queues[i] >> 3) << " class " << (fields.queues[i] & 7)
               << ": " << totals[i].sent << "/" << totals[i].limit;
        }
    }
}

} // namespace ns3
