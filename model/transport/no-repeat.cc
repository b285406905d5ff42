// SPDX-License-Identifier: GPL-2.0-only
#include "no-repeat.h"

#include "ns3/attribute-range.h"
#include "ns3/fabric-packet-item.h"
#include "ns3/fabric-time.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(NoRepeat);

TypeId
NoRepeat::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::NoRepeat")
            .SetParent<ReliabilityPolicy>()
            .SetGroupName("Dcfabric")
            .AddConstructor<NoRepeat>()
            .AddAttribute("Linger",
                          "How long a run goes on after the last packet of a message has left, so "
                          "that what is on its way arrives or is lost: longer than a packet spends "
                          "in the network.",
                          TimeValue(MilliSeconds(1)),
                          MakeTimeAccessor(&NoRepeat::m_linger),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()));
    return tid;
}

bool
NoRepeat::AcceptsOutOfOrder() const
{
    return true;
}

uint32_t
NoRepeat::GetDataFlags() const
{
    return FabricPacketItem::FLAG_NO_PDC;
}

bool
NoRepeat::AwaitsAnswers() const
{
    return false;
}

int64_t
NoRepeat::GetLingerPs() const
{
    return FabricTime::ToPs(m_linger);
}

uint64_t
NoRepeat::OnAck(SendWindow& /* window */, int64_t /* sentPs */, int64_t /* nowPs */) const
{
    return 0; // there are none
}

uint64_t
NoRepeat::OnNack(SendWindow& /* window */, int64_t /* sentPs */, int64_t /* nowPs */) const
{
    return 0; // likewise
}

uint64_t
NoRepeat::OnDropNotice(SendWindow& /* window */, uint64_t /* seq */, int64_t /* nowPs */) const
{
    return 0; // it is lost
}

void
NoRepeat::OnTimeout(SendWindow& /* window */, int64_t /* nowPs */) const
{
}

} // namespace ns3
