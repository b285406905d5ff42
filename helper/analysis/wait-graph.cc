// SPDX-License-Identifier: GPL-2.0-only
#include "wait-graph.h"

#include "ns3/congestion-aware-queue-disc.h"
#include "ns3/egress-gate.h"
#include "ns3/plain-bytes.h"
#include "ns3/rank-world.h"
#include "ns3/stopped-ports.h"

#include <algorithm>
#include <set>
#include <utility>

namespace ns3
{

namespace
{

/// @return what all ranks have, in the order of ranks
template <typename T>
std::vector<T>
JoinRanks(const std::vector<T>& own)
{
    if (RankWorld::GetSize() == 1)
    {
        return own;
    }
    std::vector<T> all;
    if (RankWorld::Max(own.empty() ? 0 : 1) == 0)
    {
        return all;
    }
    std::string bytes;
    WritePlainAll(bytes, own);
    for (const std::string& part : RankWorld::GatherAll(bytes))
    {
        std::size_t at = 0;
        const std::vector<T> there = TakePlainAll<T>(part, at);
        all.insert(all.end(), there.begin(), there.end());
    }
    return all;
}

/// @return classes in which packets wait at a port that is told to wait
uint8_t
FindWaitingClasses(const FabricNetDevice& port)
{
    if (!port.IsLinkUp())
    {
        return 0;
    }
    if (port.GetGate())
    {
        return port.GetGate()->HasWaiting() ? 0xff : 0; // by packet
    }
    uint8_t waiting = 0;
    for (uint8_t c = 0; c < 8; ++c)
    {
        const PortQueue& queue = port.GetQueue();
        if (((port.GetPausedClasses() >> c) & 1) &&
            queue.GetClassBytes(c) + queue.GetWaitingBytes(c) > 0)
        {
            waiting |= static_cast<uint8_t>(1U << c);
        }
    }
    return waiting;
}

/// @return ports of switches of this process that lead to switches and are told to wait, in order
std::vector<const FabricNetDevice*>
ListStopped(const Fabric& fabric)
{
    const FabricGraph& graph = fabric.GetGraph();
    std::vector<const FabricNetDevice*> ports;
    for (const StoppedPorts::Entry& entry : StoppedPorts::Get())
    {
        const FabricNetDevice* port = entry.port;
        const FabricActor* actor = port->GetActor();
        const uint32_t node = actor ? actor->GetAddress() : graph.GetNNodes();
        const bool isOfFabric = node < graph.GetNNodes() && fabric.GetActor(node) == actor;
        // hosts hold nobody's room
        if (isOfFabric && fabric.IsHere(node) && !graph.IsHost(node) &&
            !graph.IsHost(graph.GetPort(node, port->GetPort()).peer))
        {
            ports.push_back(port);
        }
    }
    const auto key = [](const FabricNetDevice* port) {
        return std::make_pair(port->GetActor()->GetAddress(), port->GetPort());
    };
    std::sort(ports.begin(), ports.end(), [&key](const auto* a, const auto* b) {
        return key(a) < key(b);
    });
    ports.erase(std::unique(ports.begin(), ports.end()), ports.end());
    return ports;
}

/// @return those of some classes that a port lets its peer not send: the peer may not know yet that
/// it may go on
uint8_t
FindHeldBack(const FabricNetDevice& port, uint8_t classes, bool perOutput)
{
    if (!port.GetFlowControl())
    {
        return 0;
    }
    uint8_t held = 0;
    for (uint8_t c = 0; c < 8; ++c)
    {
        if (((classes >> c) & 1) &&
            (perOutput || port.GetFlowControl()->IsHoldingBack(c, FabricPacketItem::NO_PORT)))
        {
            held |= static_cast<uint8_t>(1U << c);
        }
    }
    return held;
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

/**
 * @ingroup dcfabric
 * @brief Notes what is seen at the switches of this process.
 */
class WaitNotes
{
  public:
    /// Note what waits at a port of a switch. @param stopped classes that may not leave
    void NotePort(const FabricSwitch& sw, const FabricNetDevice& port, uint8_t stopped)
    {
        const bool holds = sw.GetBuffer()->HoldsPackets();
        const auto* disc = static_cast<const CongestionAwareQueueDisc*>(port.GetQueue().PeekDisc());
        for (uint8_t c = 0; c < 8 && !holds; ++c) // else they have given their room back
        {
            disc->VisitClass(c, [&](const QueueDiscItem& waiting) {
                NotePacket(sw,
                           port,
                           static_cast<const FabricPacketItem&>(waiting),
                           (stopped >> c) & 1);
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

    /// @return all
    const std::vector<WaitGraph::Note>& Get() const
    {
        return m_notes;
    }

  private:
    using Note = WaitGraph::Note;
    using Place = WaitGraph::Place;

    /**
     * @brief Note a packet that holds room.
     * @param port to which it goes
     * @param isStopped it may not leave
     */
    void NotePacket(const FabricSwitch& sw,
                    const FabricNetDevice& port,
                    const FabricPacketItem& item,
                    bool isStopped)
    {
        if (item.bufferBytes == 0)
        {
            return; // made here
        }
        const bool perOutput = port.GetGate() != nullptr;
        Note note{};
        note.here = {sw.GetAddress(),
                     item.ingressPort,
                     item.bufferClass,
                     perOutput ? port.GetPort() : FabricPacketItem::NO_PORT};
        if (m_moves.count(note.here) != 0)
        {
            return;
        }
        note.head = {&item, item.sendTimePs, item.psn};
        if (isStopped)
        {
            const FabricNetDevice& peer = *port.GetLink().GetPeer();
            note.kind = perOutput ? Note::Kind::ASKS : Note::Kind::WAITS;
            note.there = {peer.GetActor()->GetAddress(),
                          peer.GetPort(),
                          item.GetPriority(),
                          perOutput ? peer.GetActor()->PredictPort(item)
                                    : FabricPacketItem::NO_PORT};
        }
        else
        {
            m_moves.insert(note.here);
        }
        if (!isStopped || m_waits.insert({note.here, note.there}).second)
        {
            m_notes.push_back(note); // else it says nothing new
        }
    }

    std::vector<Note> m_notes;                 //!< in the order of switches and ports
    std::set<Place> m_moves;                   //!< places with a packet that can move
    std::set<std::pair<Place, Place>> m_waits; //!< who is noted to wait for whom
};

WaitGraph::WaitGraph(const Fabric& fabric)
{
    FindStopped(fabric);
    if (KeepCycles(fabric.GetGraph()))
    {
        Enter(fabric, TakeNotes(fabric));
        KeepStanding();
    }
}

void
WaitGraph::FindStopped(const Fabric& fabric)
{
    const FabricGraph& graph = fabric.GetGraph();
    std::vector<Stopped> own;
    for (const FabricNetDevice* port : ListStopped(fabric))
    {
        if (const uint8_t classes = FindWaitingClasses(*port))
        {
            own.push_back({port->GetActor()->GetAddress(),
                           port->GetPort(),
                           classes,
                           port->GetGate() != nullptr});
        }
    }
    own.erase(std::remove_if(own.begin(),
                             own.end(),
                             [&fabric](const Stopped& port) {
                                 return !IsOpenToView(*fabric.GetSwitch(port.node));
                             }),
              own.end());
    const std::vector<Stopped> all = JoinRanks(own);
    if (all.empty())
    {
        return;
    }
    // the switch at the other end, which may be of another rank, knows whether it lacks room
    std::vector<int64_t> held(all.size(), 0);
    for (std::size_t i = 0; i < all.size(); ++i)
    {
        const Stopped& port = all[i];
        if (fabric.IsHere(graph.GetPort(port.node, port.port).peer))
        {
            const FabricNetDevice& peer =
                *fabric.GetPort(port.node, port.port)->GetLink().GetPeer();
            held[i] = FindHeldBack(peer, port.classes, port.perOutput);
        }
    }
    RankWorld::MaxOfEach(held);
    for (std::size_t i = 0; i < all.size(); ++i)
    {
        if (held[i] != 0)
        {
            m_stopped[all[i].node].push_back(all[i]);
            m_stopped[all[i].node].back().classes = static_cast<uint8_t>(held[i]);
        }
    }
}

bool
WaitGraph::KeepCycles(const FabricGraph& graph)
{
    for (bool changed = true; changed;)
    {
        changed = false;
        for (auto entry = m_stopped.begin(); entry != m_stopped.end();)
        {
            std::vector<Stopped>& ports = entry->second;
            ports.erase(std::remove_if(ports.begin(),
                                       ports.end(),
                                       [&](const Stopped& port) {
                                           return m_stopped.count(
                                                      graph.GetPort(port.node, port.port).peer) ==
                                                  0;
                                       }),
                        ports.end());
            changed = changed || ports.empty();
            entry = ports.empty() ? m_stopped.erase(entry) : std::next(entry);
        }
    }
    return !m_stopped.empty();
}

std::vector<WaitGraph::Note>
WaitGraph::TakeNotes(const Fabric& fabric) const
{
    WaitNotes notes;
    for (const auto& [node, ports] : m_stopped)
    {
        if (!fabric.IsHere(node))
        {
            continue;
        }
        const FabricSwitch& sw = *fabric.GetSwitch(node);
        for (uint16_t p = 0; p < sw.GetNPorts(); ++p)
        {
            const auto found =
                std::find_if(ports.begin(), ports.end(), [p](const Stopped& stopped) {
                    return stopped.port == p;
                });
            notes.NotePort(sw, *sw.GetPort(p), found == ports.end() ? 0 : found->classes);
        }
    }
    std::vector<Note> all = JoinRanks(notes.Get());
    std::stable_sort(all.begin(), all.end(), [](const Note& a, const Note& b) {
        return a.here.node < b.here.node;
    });
    return all;
}

void
WaitGraph::Enter(const Fabric& fabric, const std::vector<Note>& notes)
{
    std::vector<int64_t> held(notes.size(), 0);
    bool asks = false;
    for (std::size_t i = 0; i < notes.size(); ++i)
    {
        const Place& there = notes[i].there;
        if (notes[i].kind == Note::Kind::ASKS)
        {
            asks = true;
            held[i] = fabric.IsHere(there.node) && fabric.GetPort(there.node, there.port)
                                                       ->GetFlowControl()
                                                       ->IsHoldingBack(there.priority, there.output)
                          ? 1
                          : 0;
        }
    }
    if (asks)
    {
        RankWorld::MaxOfEach(held);
    }
    for (std::size_t i = 0; i < notes.size(); ++i)
    {
        const Note& note = notes[i];
        const uint32_t here = Number(note.here);
        if (!m_heads[here].item)
        {
            m_heads[here] = note.head;
        }
        if (m_moves[here])
        {
            continue;
        }
        if (note.kind == Note::Kind::MOVES || (note.kind == Note::Kind::ASKS && held[i] == 0))
        {
            m_moves[here] = true;
            continue;
        }
        const uint32_t there = Number(note.there);
        std::vector<uint32_t>& waits = m_waits[here];
        if (std::find(waits.begin(), waits.end(), there) == waits.end())
        {
            waits.push_back(there);
        }
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
