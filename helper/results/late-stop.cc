// SPDX-License-Identifier: GPL-2.0-only
#include "late-stop.h"

#include "ns3/fabric-time.h"
#include "ns3/simulator.h"

namespace ns3
{

LateStop::~LateStop()
{
    m_event.Cancel();
}

void
LateStop::Request()
{
    // What happens in a node at this time is in the simulator's list already, for nothing crosses a
    // link in no time.
    if (m_event.IsExpired())
    {
        m_event = Simulator::ScheduleNow(&LateStop::Stop, this);
    }
}

void
LateStop::RequestAt(int64_t timePs)
{
    m_event =
        Simulator::Schedule(FabricTime::FromPs(timePs) - Simulator::Now(), &LateStop::Come, this);
}

void
LateStop::Come()
{
    ++m_nEvents;
    Request();
}

void
LateStop::Stop()
{
    ++m_nEvents;
    Simulator::Stop();
}

} // namespace ns3
