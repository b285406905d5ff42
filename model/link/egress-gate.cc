// SPDX-License-Identifier: GPL-2.0-only
#include "egress-gate.h"

#include "fabric-actor.h"
#include "fabric-net-device.h"

#include <algorithm>
#include <iterator>

namespace ns3
{

EgressGate::EgressGate(FabricNetDevice& port, PeerRoom& room)
    : m_port(port),
      m_room(room)
{
}

EgressGate::~EgressGate()
{
    StoppedPorts::Set(m_port, m_stopped, false);
}

void
EgressGate::AddLanes(uint32_t queue)
{
    m_lanes.resize(queue + 1, {m_room.GetFreshUnits(), false});
}

bool
EgressGate::Refuse(uint32_t queue)
{
    Lane& lane = m_lanes[queue];
    if (!lane.waiting)
    {
        SetWaiting(lane, true);
        m_room.OnWait(queue);
    }
    return false;
}

bool
EgressGate::PassOrPark(Ptr<FabricPacketItem>& item, uint32_t owner)
{
    const uint32_t queue = m_room.FindPeerQueue(*item);
    if (Take(queue))
    {
        return true;
    }
    if (queue >= m_parked.size())
    {
        m_parked.resize(queue + 1);
    }
    m_parked[queue].emplace_back(std::move(item), owner);
    ++m_nParked;
    item = nullptr;
    return false;
}

void
EgressGate::ReturnRoom(const FabricPacketItem& item)
{
    const uint32_t queue = m_room.FindPeerQueue(item);
    item.nextOutput = FabricPacketItem::UNKNOWN_PORT; // it may go elsewhere
    Leave(queue, 0);
}

void
EgressGate::GrantAll(uint32_t units)
{
    for (Lane& lane : m_lanes)
    {
        lane.free += units;
    }
    for (uint32_t queue = 0; queue < m_lanes.size(); ++queue)
    {
        if (m_lanes[queue].waiting)
        {
            OpenWaiting(queue);
        }
    }
}

void
EgressGate::OpenWaiting(uint32_t queue)
{
    if (m_lanes[queue].free < m_mostUnits)
    {
        return;
    }
    SetWaiting(m_lanes[queue], false);
    m_room.OnOpen(queue);
    // what the actor does may add lanes: no reference survives a call
    while (queue < m_parked.size() && !m_parked[queue].empty() && Take(queue))
    {
        auto [item, owner] = std::move(m_parked[queue].front());
        m_parked[queue].pop_front();
        --m_nParked;
        m_port.GetActor()->OnPass(m_port, std::move(item), owner);
    }
    m_port.GetActor()->OnGateOpen(m_port);
}

void
EgressGate::SetWaiting(Lane& lane, bool waiting)
{
    lane.waiting = waiting;
    m_nWaiting += waiting ? 1 : -1;
    StoppedPorts::Set(m_port, m_stopped, m_nWaiting > 0);
}

bool
EgressGate::IsWaiting(const FabricPacketItem& item) const
{
    const uint32_t queue = m_room.FindPeerQueue(item);
    return queue < m_lanes.size() && m_lanes[queue].waiting;
}

EgressGate::Parked
EgressGate::TakeParked()
{
    Parked taken;
    for (ParkedLane& lane : m_parked)
    {
        std::move(lane.begin(), lane.end(), std::back_inserter(taken));
        lane.clear();
    }
    for (const auto& [item, owner] : taken)
    {
        item->nextOutput = FabricPacketItem::UNKNOWN_PORT; // it may go elsewhere
    }
    m_nParked = 0;
    return taken;
}

} // namespace ns3
