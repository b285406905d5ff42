// SPDX-License-Identifier: GPL-2.0-only
#include "look-ahead.h"

#include "fabric-actor.h"
#include "fabric-net-device.h"

namespace ns3
{

void
LookAhead::Step(const FabricActor& actor, int step)
{
    const HotLines lines{};
    if (step == 0)
    {
        actor.NameHotLines(lines);
        return;
    }
    if (step == 1)
    {
        actor.NameCalendarLines(lines);
        return;
    }
    const NodeCalendar::Entry* next = actor.PeekNext();
    if (!next ||
        (next->GetKind() != CalendarKind::ARRIVAL && next->GetKind() != CalendarKind::TRANSMIT))
    {
        return;
    }
    const FabricNetDevice& port = *actor.GetPort(static_cast<uint16_t>(next->GetId()));
    if (step == 2)
    {
        next->NameHotLines(lines);
        port.NameHotLines(lines);
        return;
    }
    if (next->GetKind() == CalendarKind::TRANSMIT)
    {
        port.NameQueueLines(lines, step - 3, PortQueue::NEXT_CLASS);
        return;
    }
    const auto* item = static_cast<const FabricPacketItem*>(next->hint);
    if (step == 3)
    {
        port.GetLink().NameWireLines(lines);
        actor.NameRouteLines(lines, port, *item);
    }
    else if (step == 4)
    {
        m_item = item;
        m_egress = actor.PredictEgress(*item);
        if (m_egress)
        {
            m_egress->NameHotLines(lines);
        }
    }
    else if (m_item == item && m_egress)
    {
        m_egress->NameQueueLines(lines, step - 5, item->GetPriority());
    }
}

} // namespace ns3
