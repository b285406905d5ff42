// SPDX-License-Identifier: GPL-2.0-only
#include "rank-messages.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-time.h"

#include <algorithm>
#include <set>
#include <utility>

namespace ns3
{

constexpr uint32_t RankMessage::LOCAL;
constexpr uint32_t RankMessages::ANY;

RankMessages::RankMessages(FlowRecorder& recorder,
                           std::vector<uint32_t> hosts,
                           uint8_t priority,
                           uint64_t requestBytes)
    : m_recorder(recorder),
      m_hosts(std::move(hosts)),
      m_priority(priority),
      m_requestBytes(requestBytes),
      m_mailboxes(m_hosts.size())
{
    const Ptr<Fabric> fabric = recorder.GetFabric();
    for (const uint32_t host : fabric->GetHosts())
    {
        if (MessageMatcher* matcher = fabric->GetNic(host)->GetMessages().GetMatcher())
        {
            constexpr uint64_t ALL = uint64_t{1} << 62; // no write goes beyond
            m_memory[host] = matcher->Expose(nullptr, ALL);
        }
    }
}

void
RankMessages::SetPostsReceives()
{
    if (m_memory.empty())
    {
        throw FabricError("ranks cannot post their receives at the NICs: messages are not matched; "
                          "call FabricHelper::SetMessageProtocol()");
    }
    m_postsReceives = true;
}

uint32_t
RankMessages::Add(const RankMessage& message)
{
    if (m_free.empty())
    {
        m_messages.push_back(message);
        return static_cast<uint32_t>(m_messages.size() - 1);
    }
    const uint32_t number = m_free.back();
    m_free.pop_back();
    m_messages[number] = message;
    return number;
}

void
RankMessages::ReleaseIfDone(uint32_t number)
{
    const RankMessage& message = m_messages[number];
    if (message.arrived && message.acknowledged &&
        (message.bound || message.kind == RankMessage::Kind::PUT ||
         message.kind == RankMessage::Kind::REPLY))
    {
        if (message.flow != RankMessage::LOCAL)
        {
            m_ofFlow[message.flow] = RankMessage::LOCAL;
        }
        m_free.push_back(number);
    }
}

uint32_t
RankMessages::Begin(RankMessage message)
{
    message.bytes = std::max<uint64_t>(message.bytes, 1);
    const uint32_t src = m_hosts[message.src];
    const uint32_t dst = m_hosts[message.dst];
    const bool send = message.kind == RankMessage::Kind::SEND;
    if (src != dst)
    {
        FabricFlow flow;
        flow.src = src;
        flow.dst = dst;
        flow.sizeBytes = message.bytes;
        flow.priority = m_priority;
        message.flow = send || m_memory.empty() ? m_recorder.Begin(flow)
                                                : m_recorder.BeginWrite(flow, m_memory.at(dst));
        message.hostIndex = send ? m_sends[(uint64_t{src} << 32) | dst]++ : 0;
    }
    const uint32_t number = Add(message);
    if (src != dst)
    {
        m_ofFlow.resize(std::max<std::size_t>(m_ofFlow.size(), message.flow + std::size_t{1}),
                        RankMessage::LOCAL);
        m_ofFlow[message.flow] = number;
    }
    if (send)
    {
        m_mailboxes[message.dst].incoming.push_back(number);
        if (m_postsReceives)
        {
            Match(message.dst, message.src, message.tag);
        }
    }
    return src == dst ? number : RankMessage::LOCAL;
}

void
RankMessages::Receive(uint32_t rank, uint32_t src, uint64_t tag, uint32_t request)
{
    m_mailboxes[rank].posted.push_back({src, request, tag});
    if (src == ANY)
    {
        MatchAny(rank);
    }
    else
    {
        Match(rank, src, tag);
    }
}

void
RankMessages::Match(uint32_t rank, uint32_t src, uint64_t tag)
{
    Mailbox& box = m_mailboxes[rank];
    while (true)
    {
        const auto first =
            std::find_if(box.incoming.begin(), box.incoming.end(), [&](uint32_t number) {
                return m_messages[number].src == src && m_messages[number].tag == tag;
            });
        if (first == box.incoming.end() || !(m_messages[*first].arrived || m_postsReceives))
        {
            return; // one that was sent before comes first
        }
        const auto taker = std::find_if(box.posted.begin(), box.posted.end(), [&](const Posted& p) {
            return (p.src == src || p.src == ANY) && p.tag == tag;
        });
        if (taker == box.posted.end())
        {
            return;
        }
        Bind(rank, first - box.incoming.begin(), taker - box.posted.begin());
    }
}

void
RankMessages::MatchAny(uint32_t rank)
{
    Mailbox& box = m_mailboxes[rank];
    const uint64_t tag = box.posted.back().tag;
    std::set<uint32_t> seen; // ranks whose first message is known
    std::size_t best = box.incoming.size();
    for (std::size_t i = 0; i < box.incoming.size(); ++i)
    {
        const RankMessage& message = m_messages[box.incoming[i]];
        if (message.tag == tag && seen.insert(message.src).second && message.arrived &&
            (best == box.incoming.size() ||
             message.arrival < m_messages[box.incoming[best]].arrival))
        {
            best = i;
        }
    }
    if (best < box.incoming.size())
    {
        Bind(rank, best, box.posted.size() - 1);
    }
}

void
RankMessages::Bind(uint32_t rank, std::size_t incoming, std::size_t posted)
{
    Mailbox& box = m_mailboxes[rank];
    const uint32_t number = box.incoming[incoming];
    const uint32_t request = box.posted[posted].request;
    box.incoming.erase(box.incoming.begin() + static_cast<std::ptrdiff_t>(incoming));
    box.posted.erase(box.posted.begin() + static_cast<std::ptrdiff_t>(posted));
    RankMessage& message = m_messages[number];
    message.bound = true;
    message.receiveRequest = request;
    if (m_postsReceives && message.flow != RankMessage::LOCAL)
    {
        const Ptr<FabricNic> nic = m_recorder.GetFabric()->GetNic(m_hosts[rank]);
        nic->GetMessages().GetMatcher()->PostFor(
            message.hostIndex,
            {m_hosts[message.src], m_nextHandle++, nullptr, message.bytes, FabricTime::NEVER});
    }
    if (message.arrived)
    {
        m_onComplete(rank, request);
        ReleaseIfDone(number);
    }
}

void
RankMessages::Arrive(uint32_t number)
{
    RankMessage& message = m_messages[number];
    message.arrived = true;
    message.arrival = ++m_nArrived;
    switch (message.kind)
    {
    case RankMessage::Kind::SEND:
        if (message.bound)
        {
            m_onComplete(message.dst, message.receiveRequest);
        }
        else
        {
            Match(message.dst, message.src, message.tag);
            return; // which has released it, if it is done
        }
        break;
    case RankMessage::Kind::PUT:
        break;
    case RankMessage::Kind::REQUEST:
        m_toAnswer.push_back(number);
        return; // it is released when it is answered
    case RankMessage::Kind::REPLY:
        m_onComplete(message.dst, message.request);
        break;
    }
    ReleaseIfDone(number);
}

void
RankMessages::ArriveLocally(uint32_t number)
{
    m_messages[number].acknowledged = true;
    const RankMessage& message = m_messages[number];
    if (message.kind == RankMessage::Kind::SEND || message.kind == RankMessage::Kind::PUT)
    {
        m_onComplete(message.src, message.request);
    }
    Arrive(number);
}

void
RankMessages::OnArrived(uint32_t flow)
{
    if (flow < m_ofFlow.size() && m_ofFlow[flow] != RankMessage::LOCAL)
    {
        Arrive(m_ofFlow[flow]);
    }
}

void
RankMessages::OnAcknowledged(uint32_t flow)
{
    if (flow >= m_ofFlow.size() || m_ofFlow[flow] == RankMessage::LOCAL)
    {
        return;
    }
    const uint32_t number = m_ofFlow[flow];
    RankMessage& message = m_messages[number];
    message.acknowledged = true;
    if (message.kind == RankMessage::Kind::SEND || message.kind == RankMessage::Kind::PUT)
    {
        m_onComplete(message.src, message.request);
    }
    ReleaseIfDone(number);
}

void
RankMessages::Answer(std::vector<uint32_t>& local)
{
    std::vector<uint32_t> numbers = std::exchange(m_toAnswer, {});
    std::sort(numbers.begin(), numbers.end(), [this](uint32_t a, uint32_t b) {
        return m_messages[a].flow != m_messages[b].flow ? m_messages[a].flow < m_messages[b].flow
                                                        : a < b;
    });
    for (const uint32_t number : numbers)
    {
        RankMessage reply;
        reply.kind = RankMessage::Kind::REPLY;
        reply.src = m_messages[number].dst;
        reply.dst = m_messages[number].src;
        reply.bytes = m_messages[number].replyBytes;
        reply.request = m_messages[number].request;
        m_messages[number].bound = true; // it is answered
        ReleaseIfDone(number);
        const uint32_t stays = Begin(reply);
        if (stays != RankMessage::LOCAL)
        {
            local.push_back(stays);
        }
    }
}

std::vector<std::vector<RankMessages::Open>>
RankMessages::ListOpen() const
{
    std::vector<std::vector<Open>> open(m_hosts.size());
    for (uint32_t rank = 0; rank < m_mailboxes.size(); ++rank)
    {
        for (const Posted& posted : m_mailboxes[rank].posted)
        {
            open[rank].push_back({posted.src, posted.tag, true, posted.request});
        }
    }
    std::vector<bool> unused(m_messages.size(), false);
    for (const uint32_t number : m_free)
    {
        unused[number] = true;
    }
    for (uint32_t number = 0; number < m_messages.size(); ++number)
    {
        const RankMessage& message = m_messages[number];
        const bool twoSided =
            message.kind == RankMessage::Kind::SEND || message.kind == RankMessage::Kind::PUT;
        if (unused[number])
        {
            continue;
        }
        if (twoSided && !message.acknowledged)
        {
            open[message.src].push_back({message.dst, message.tag, false, message.request});
        }
        if (message.kind == RankMessage::Kind::SEND && message.bound && !message.arrived)
        {
            open[message.dst].push_back({message.src, message.tag, true, message.receiveRequest});
        }
        if (message.kind == RankMessage::Kind::REQUEST)
        {
            open[message.src].push_back({message.dst, 0, false, message.request});
        }
        if (message.kind == RankMessage::Kind::REPLY && !message.arrived)
        {
            open[message.dst].push_back({message.src, 0, false, message.request});
        }
    }
    return open;
}

uint64_t
RankMessages::GetNUnreceived() const
{
    uint64_t count = 0;
    for (const Mailbox& box : m_mailboxes)
    {
        count += static_cast<uint64_t>(
            std::count_if(box.incoming.begin(), box.incoming.end(), [this](uint32_t number) {
                return m_messages[number].arrived;
            }));
    }
    return count;
}

} // namespace ns3
