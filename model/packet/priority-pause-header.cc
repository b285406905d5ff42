// SPDX-License-Identifier: GPL-2.0-only
#include "priority-pause-header.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(PriorityPauseHeader);

namespace
{

constexpr uint32_t PADDING = PriorityPauseHeader::BYTES - 2 - 2 - 8 * 2;

} // namespace

TypeId
PriorityPauseHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::PriorityPauseHeader")
                            .SetParent<Header>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<PriorityPauseHeader>();
    return tid;
}

TypeId
PriorityPauseHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

uint32_t
PriorityPauseHeader::GetSerializedSize() const
{
    return BYTES;
}

void
PriorityPauseHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU16(OPCODE);
    start.WriteHtonU16(fields.classEnable);
    for (const uint16_t quanta : fields.quanta)
    {
        start.WriteHtonU16(quanta);
    }
    start.WriteU8(0, PADDING);
}

uint32_t
PriorityPauseHeader::Deserialize(Buffer::Iterator start)
{
    if (start.GetRemainingSize() < BYTES)
    {
        return 0;
    }
    const uint16_t opcode = start.ReadNtohU16();
    const uint16_t classes = start.ReadNtohU16();
    fields.classEnable = static_cast<uint8_t>(classes);
    for (uint16_t& quanta : fields.quanta)
    {
        quanta = start.ReadNtohU16();
    }
    return opcode == OPCODE && classes <= 0xff ? BYTES : 0;
}

void
PriorityPauseHeader::Print(std::ostream& os) const
{
    os << "PFC";
    for (size_t c = 0; c < fields.quanta.size(); ++c)
    {
        if ((fields.classEnable >> c) & 1)
        {
            os << " class " << c << ": " << fields.quanta[c];
        }
    }
}

} // namespace ns3
