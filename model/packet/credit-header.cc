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
    return BYTES;
}

void
CreditHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteU8(VERSION);
    start.WriteU8(fields.request);
    start.WriteHtonU32(fields.bufferUnits);
    for (const auto& cls : totals)
    {
        start.WriteHtonU32(cls.sent);
        start.WriteHtonU32(cls.limit);
    }
}

uint32_t
CreditHeader::Deserialize(Buffer::Iterator start)
{
    if (start.GetRemainingSize() < BYTES)
    {
        return 0;
    }
    const uint8_t version = start.ReadU8();
    fields.request = start.ReadU8();
    fields.bufferUnits = start.ReadNtohU32();
    for (auto& cls : totals)
    {
        cls.sent = start.ReadNtohU32();
        cls.limit = start.ReadNtohU32();
    }
    return version == VERSION && fields.request <= 1 ? BYTES : 0;
}

void
CreditHeader::Print(std::ostream& os) const
{
    os << "credits" << (fields.request ? " (asks)" : "") << " buffer " << fields.bufferUnits;
    for (std::size_t c = 0; c < totals.size(); ++c)
    {
        os << " class " << c << ": " << totals[c].sent << "/" << totals[c].limit;
    }
}

} // namespace ns3
