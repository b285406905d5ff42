// SPDX-License-Identifier: GPL-2.0-only
#include "rank-links.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-time.h"
#include "ns3/item-codec.h"
#include "ns3/plain-bytes.h"
#include "ns3/rank-world.h"
#include "ns3/simulator-impl.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <utility>

namespace ns3
{

namespace
{

/// In place of a node: what follows is a note, no packet.
constexpr uint32_t NO_NODE = UINT32_MAX;

/// Most packets that are kept for others.
constexpr std::size_t MOST_SPARE = 1 << 14;

/// What a packet or note begins with.
struct Head
{
    int64_t beganPs;   //!< when its first bit was sent
    int64_t arrivalPs; //!< when its last bit arrives
    uint32_t node;     //!< to which, or NO_NODE
    uint16_t port;     //!< of that node
};

} // namespace

RankLinks::RankLinks(Ptr<Fabric> fabric, const FabricPartition& partition)
    : m_fabric(fabric),
      m_partition(partition),
      m_mostBytes(RankWorld::GetMaxMessageBytes()),
      m_outboxes(RankWorld::GetSize()),
      m_inboxes(RankWorld::GetSize())
{
    const uint32_t here = RankWorld::GetRank();
    const uint32_t nNodes = fabric->GetGraph().GetNNodes();
    for (uint32_t node = 0; node < nNodes; ++node)
    {
        const uint32_t rank = partition.GetRank(node);
        fabric->GetNodes().Get(node)->SetAttribute("SystemId", UintegerValue(GetSystemId(rank)));
        FabricActor* actor = fabric->GetActor(node);
        if (rank != here)
        {
            actor->SetElsewhere();
        }
        for (uint16_t p = 0; p < actor->GetNPorts(); ++p)
        {
            FabricNetDevice* port = actor->GetPort(p);
            const uint32_t peer = port->GetLink().GetPeer()->GetActor()->GetAddress();
            if (partition.GetRank(peer) == rank)
            {
                continue;
            }
            if (!m_outboxes[rank].address)
            {
                m_outboxes[rank].address = port; // on every rank the same
                if (rank == here)
                {
                    RankWorld::Listen(port, [this](std::string_view bytes) { Receive(bytes); });
                }
            }
            if (rank != here && partition.GetRank(peer) == here)
            {
                port->GetLink().SetCrossing(this);
            }
        }
    }
    SetLookAhead(partition);
}

uint32_t
RankLinks::GetSystemId(uint32_t rank)
{
    // Simulator::GetSystemId() is 0 while there is no engine; engines that know no ranks have 0,
    // too
    return rank - RankWorld::GetRank() + Simulator::GetImplementation()->GetSystemId();
}

void
RankLinks::SetLookAhead(const FabricPartition& partition)
{
    // A message costs more than the packet in it. Where it is not asked for, packets wait for
    // others for half of the time that ranks may be apart, and the ranks are no more than the other
    // half apart, which ns-3 reads from the attributes of channels; ports have read theirs.
    const FabricGraph& graph = m_fabric->GetGraph();
    m_leastPs = partition.GetLookAheadPs(graph);
    if (RankWorld::AsksForMessages())
    {
        return;
    }
    m_companyPs = FabricTime::ToPs(FabricTime::FromPs(m_leastPs / 2));
    const TimeValue apart(FabricTime::FromPs(m_leastPs - m_companyPs));
    for (uint32_t i = 0; i < graph.GetLinks().size(); ++i)
    {
        const FabricLink& link = graph.GetLinks()[i];
        if (partition.GetRank(link.a) != partition.GetRank(link.b))
        {
            m_fabric->GetChannel(i)->SetAttribute("Delay", apart);
        }
    }
}

RankLinks::~RankLinks() = default;

void
RankLinks::Carry(const FabricNetDevice& to,
                 FabricPacketItem* item,
                 int64_t beganPs,
                 int64_t arrivalPs)
{
    Ptr<FabricPacketItem> owned(item, false); // the reference was given along
    const uint32_t node = to.GetActor()->GetAddress();
    m_item.clear();
    WritePlain(m_item, Head{beganPs, arrivalPs, node, to.GetPort()});
    ItemCodec::Write(m_item, *item);
    if (m_item.size() + 2 * sizeof(uint64_t) > m_mostBytes)
    {
        throw FabricError("a packet with " + std::to_string(item->GetPacket()->GetSize()) +
                          " bytes of payload cannot go from one rank to another: ns-3's messages "
                          "hold 2,000 B; use packets that are timing only, a smaller MTU, or one "
                          "rank");
    }
    m_nSent += !item->IsLinkFrame();
    Add(m_partition.GetRank(node), beganPs);
    if (m_spare.size() < MOST_SPARE && ItemCodec::IsPlain(*item))
    {
        m_spare.push_back(std::move(owned));
    }
}

void
RankLinks::Tell(uint32_t node, Topic topic, const std::string& note)
{
    const int64_t nowPs = FabricTime::ToPs(Simulator::Now());
    m_item.clear();
    WritePlain(m_item, Head{nowPs, nowPs, NO_NODE, 0});
    WritePlain(m_item, topic);
    WritePlainText(m_item, note);
    Add(m_partition.GetRank(node), nowPs);
}

void
RankLinks::Add(uint32_t rank, int64_t beganPs)
{
    Outbox& box = m_outboxes[rank];
    if (box.bytes.size() + m_item.size() > m_mostBytes)
    {
        Send(rank);
    }
    if (box.bytes.empty())
    {
        box.dueAtPs = FabricTime::NEVER;
        WritePlain(box.bytes, uint64_t{RankWorld::GetRank()});
        WritePlain(box.bytes, box.number++);
    }
    // By the least delay of all links: what is sent first has to arrive first. A node with a head
    // start may have sent before one that is behind.
    box.dueAtPs = std::min(box.dueAtPs, beganPs + m_leastPs);
    box.bytes += m_item;
    if (m_companyPs > 0 && !box.isTimed)
    {
        box.isTimed = true;
        Simulator::Schedule(FabricTime::FromPs(m_companyPs), &RankLinks::SendDue, this, rank);
    }
}

void
RankLinks::SendDue(uint32_t rank)
{
    ++m_nEvents;
    m_outboxes[rank].isTimed = false;
    Send(rank);
}

void
RankLinks::Send(uint32_t rank)
{
    Outbox& box = m_outboxes[rank];
    if (!box.bytes.empty())
    {
        RankWorld::Send(rank, *box.address, box.dueAtPs, box.bytes);
    }
}

void
RankLinks::Flush()
{
    for (uint32_t rank = 0; rank < m_outboxes.size(); ++rank)
    {
        Send(rank);
    }
}

void
RankLinks::Receive(std::string_view bytes)
{
    std::size_t at = 0;
    Inbox& box = m_inboxes.at(TakePlain<uint64_t>(bytes, at));
    const auto number = TakePlain<uint64_t>(bytes, at);
    if (number != box.next)
    {
        box.early[number] = bytes; // ns-3 may hand over messages of one time in any order
        return;
    }
    Open(bytes, at);
    ++box.next;
    for (auto early = box.early.find(box.next); early != box.early.end();
         early = box.early.find(++box.next))
    {
        Open(early->second, at);
        box.early.erase(early);
    }
}

void
RankLinks::Open(std::string_view bytes, std::size_t at)
{
    while (at < bytes.size())
    {
        const auto head = TakePlain<Head>(bytes, at);
        if (head.node == NO_NODE)
        {
            const auto topic = TakePlain<Topic>(bytes, at);
            Listen(topic, TakePlainText(bytes, at), head.beganPs + m_leastPs);
            continue;
        }
        Ptr<FabricPacketItem> item = ItemCodec::Read(bytes, at, TakeSpare());
        m_nReceived += !item->IsLinkFrame();
        m_fabric->GetPort(head.node, head.port)
            ->AcceptLate(std::move(item), head.beganPs, head.arrivalPs);
    }
}

Ptr<FabricPacketItem>
RankLinks::TakeSpare()
{
    if (m_spare.empty())
    {
        return nullptr;
    }
    Ptr<FabricPacketItem> spare = m_spare.back();
    m_spare.pop_back();
    return spare->GetReferenceCount() == 1 ? spare : nullptr; // somebody listens, and has kept it
}

void
RankLinks::Listen(Topic topic, const std::string& note, int64_t timePs)
{
    const Time delay = FabricTime::FromPs(timePs) - Simulator::Now();
    if (delay.IsStrictlyPositive())
    {
        // packets wait on their links, notes here
        Simulator::ScheduleWithContext(Simulator::NO_CONTEXT,
                                       delay,
                                       &RankLinks::ListenNow,
                                       this,
                                       topic,
                                       note);
        return;
    }
    m_listeners.at(static_cast<std::size_t>(topic))(note);
}

void
RankLinks::ListenNow(Topic topic, const std::string& note)
{
    ++m_nEvents;
    m_listeners.at(static_cast<std::size_t>(topic))(note);
}

} // namespace ns3
