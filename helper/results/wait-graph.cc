// SPDX-License-Identifier: GPL-2.0-only
#include "wait-graph.h"

#include "ns3/congestion-aware-queue-disc.h"
#include "ns3/egress-gate.h"

#include <algorithm>
#include <utility>

namespace ns3
{

namespace
{

/// @return classes in which packets wait for a port that the switch at its other end stops
uint8_t
FindStoppedClasses(const FabricNetDevice& port)
{
    const FabricNetDevice& peer = *port.GetLink().GetPeer();
    if (!port.IsLinkUp() || !peer.GetFlowControl())
    {
        return 0;
    }
    if (port.GetGate())
    {
        return port.GetGate()->HasWaiting() ? 0xff : 0; // by packet
    }
    uint8_t stopped = 0;
    for (uint8_t c = 0; c < 8; ++c)
    {
        const PortQueue& queue = port.GetQueue();
        const bool waits = queue.GetClassBytes(c) + queue.GetWaitingBytes(c) > 0;
        // a port may not know yet that it may go on
        if (((port.GetPausedClasses() >> c) & 1) && waits &&
            peer.GetFlowControl()->IsHoldingBack(c, FabricPacketItem::NO_PORT))
        {
            stopped |= static_cast<uint8_t>(1U << c);
        }
    }
    return stopped;
}

/// @return true if it can be told where each packet of a switch waits
bool
IsOpenToView(const FabricSwitch& sw)
{
    for (uint16_t p = 0; p < sw.GetNPorts(); ++p)
    {
        const auto disc =
            dynamic_cast<const CongestionAwareQueueDisc*>(sw.GetPort(p)->GetQueue().PeekDisc());
        if (!disc || disc->HasChildren())
        {
            return false;
        }
    }
    return true;
}

} // namespace

WaitGraph::WaitGraph(const Fabric& fabric)
{
    FindStopped(fabric);
    if (!KeepCycles())
    {
        return;
    }
    for (const auto& [node, ports] : m_stopped)
    {
        const FabricSwitch& sw = *fabric.GetSwitch(node);
        for (uint16_t p = 0; p < sw.GetNPorts(); ++p)
        {
            const auto found = std::find_if(ports.begin(), ports.end(), [&](const Stopped& port) {
                return port.port == sw.GetPort(p);
            });
            NotePort(sw, *sw.GetPort(p), found == ports.end() ? 0 : found->classes);
        }
    }
    KeepStanding();
}

void
WaitGraph::FindStopped(const Fabric& fabric)
{
    const FabricGraph& graph = fabric.GetGraph();
    for (uint32_t node = 0; node < graph.GetNNodes(); ++node)
    {
        if (graph.IsHost(node))
        {
            continue;
        }
        std::vector<Stopped> ports;
        for (uint16_t p = 0; p < graph.GetDegree(node); ++p)
        {
            FabricNetDevice* port = fabric.GetPort(node, p);
            if (graph.IsHost(graph.GetPort(node, p).peer) ||
                (port->GetPausedClasses() == 0 && !port->GetGate()))
            {
                continue; // hosts hold nobody's room
            }
            if (const uint8_t classes = FindStoppedClasses(*port))
            {
                ports.push_back({port, classes});
            }
        }
        if (!ports.empty() && IsOpenToView(*fabric.GetSwitch(node)))
        {
            m_stopped.emplace(node, std::move(ports));
        }
    }
}

bool
WaitGraph::KeepCycles()
{
    for (bool changed = true; changed;)
    {
        changed = false;
        for (auto entry = m_stopped.begin(); entry != m_stopped.end();)
        {
            std::vector<Stopped>& ports = entry->second;
            ports.erase(
                std::remove_if(ports.begin(),
                               ports.end(),
                               [this](const Stopped& stopped) {
                                   const FabricNetDevice* peer = stopped.port->GetLink().GetPeer();
                                   return m_stopped.count(peer->GetActor()->GetAddress()) == 0;
                               }),
                ports.end());
            changed = changed || ports.empty();
            entry = ports.empty() ? m_stopped.erase(entry) : std::next(entry);
        }
    }
    return !m_stopped.empty();
}

void
WaitGraph::NotePort(const FabricSwitch& sw, const FabricNetDevice& port, uint8_t stopped)
{
    const bool holds = sw.GetBuffer()->HoldsPackets();
    const auto* disc = static_cast<const CongestionAwareQueueDisc*>(port.GetQueue().PeekDisc());
    for (uint8_t c = 0; c < 8 && !holds; ++c) // else they have given their room back
    {
        disc->VisitClass(c, [&](const QueueDiscItem& waiting) {
            NotePacket(sw, port, static_cast<const FabricPacketItem&>(waiting), (stopped >> c) & 1);
        });
    }
    const EgressGate* gate = port.GetGate();
    std::pair<uint16_t, uint8_t> last{FabricPacketItem::NO_PORT, 0};
    sw.GetBuffer()->VisitHeld(port.GetPort(), [&](const FabricPacketItem& item) {
        const std::pair<uint16_t, uint8_t> queue{item.ingressPort, item.bufferClass};
        if (queue != last) // those behind the first one have to wait for it
        {
            const bool isStopped = (stopped >> item.GetPriority()) & 1;
            NotePacket(sw, port, item, isStopped && (!gate || gate->IsWaiting(item)));
        }
        last = queue;
    });
}

void
WaitGraph::NotePacket(const FabricSwitch& sw,
                      const FabricNetDevice& port,
                      const FabricPacketItem& item,
                      bool isStopped)
{
    if (item.bufferBytes == 0)
    {
        return; // made here
    }
    const bool perOutput = port.GetGate() != nullptr;
    const uint32_t here = Number({sw.GetAddress(),
                                  item.ingressPort,
                                  item.bufferClass,
                                  perOutput ? port.GetPort() : FabricPacketItem::NO_PORT});
    if (!m_heads[here].item)
    {
        m_heads[here] = {&item, item.sendTimePs, item.psn};
    }
    if (m_moves[here])
    {
        return;
    }
    const FabricNetDevice& peer = *port.GetLink().GetPeer();
    const uint8_t priority = item.GetPriority();
    const uint16_t output =
        isStopped && perOutput ? peer.GetActor()->ForeseePort(item) : FabricPacketItem::NO_PORT;
    if (!isStopped || (perOutput && !peer.GetFlowControl()->IsHoldingBack(priority, output)))
    {
        m_moves[here] = true;
        return;
    }
    const uint32_t there =
        Number({peer.GetActor()->GetAddress(), peer.GetPort(), priority, output});
    std::vector<uint32_t>& waits = m_waits[here];
    if (std::find(waits.begin(), waits.end(), there) == waits.end())
    {
        waits.push_back(there);
    }
}

uint32_t
WaitGraph::Number(const Place& place)
{
    const auto [entry, fresh] = m_numbers.emplace(place, static_cast<uint32_t>(m_places.size()));
    if (fresh)
    {
        m_places.push_back(place);
        m_waits.emplace_back();
        m_heads.emplace_back();
        m_moves.push_back(false);
    }
    return entry->second;
}

void
WaitGraph::KeepStanding()
{
    SuccessorLists waiters(m_places.size());
    std::vector<uint32_t> moving;
    for (uint32_t place = 0; place < m_places.size(); ++place)
    {
        for (const uint32_t other : m_waits[place])
        {
            waiters[other].push_back(place);
        }
        // where nobody is, there will be room
        m_moves[place] = m_moves[place] || !m_heads[place].item;
        if (m_moves[place])
        {
            moving.push_back(place);
        }
    }
    while (!moving.empty())
    {
        const uint32_t place = moving.back();
        moving.pop_back();
        for (const uint32_t waiter : waiters[place])
        {
            if (!m_moves[waiter])
            {
                m_moves[waiter] = true;
                moving.push_back(waiter);
            }
        }
    }
    std::vector<uint32_t> renumbered(m_places.size(), 0);
    std::vector<Place> places;
    std::vector<Head> heads;
    SuccessorLists all;
    for (uint32_t place = 0; place < m_places.size(); ++place)
    {
        if (!m_moves[place])
        {
            renumbered[place] = static_cast<uint32_t>(places.size());
            places.push_back(m_places[place]);
            heads.push_back(m_heads[place]);
            all.push_back(m_waits[place]);
        }
    }
    for (auto& waits : all)
    {
        for (uint32_t& other : waits)
        {
            other = renumbered[other]; // what stands waits only for what stands
        }
    }
    m_places.swap(places);
    m_heads.swap(heads);
    m_waits.swap(all);
}

} // namespace ns3
