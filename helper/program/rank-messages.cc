// SPDX-License-Identifier: GPL-2.0-only
#include "rank-messages.h"

#include "ns3/collective-blocks.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-time.h"
#include "ns3/plain-bytes.h"

#include <algorithm>
#include <utility>

namespace ns3
{

constexpr uint32_t RankMessage::LOCAL;
constexpr uint32_t RankMessages::ANY;
constexpr uint64_t RankMessages::ANY_TAG;
constexpr uint32_t RankMessages::NONE;

RankMessages::RankMessages(FlowRecorder& recorder,
                           std::vector<uint32_t> hosts,
                           uint8_t priority,
                           uint64_t requestBytes)
    : m_recorder(recorder),
      m_hosts(std::move(hosts)),
      m_priority(priority),
      m_requestBytes(requestBytes),
      m_late(recorder.GetFabric())
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
        m_messages.Return(number);
    }
}

uint16_t
RankMessages::CountParts(const RankMessage& message)
{
    return message.kind == RankMessage::Kind::REQUEST
               ? uint16_t{1} // it is its answer that is cut
               : static_cast<uint16_t>(std::min<uint64_t>(message.channels, message.bytes));
}

uint32_t
RankMessages::Begin(RankMessage message)
{
    message.bytes = std::max<uint64_t>(message.bytes, 1);
    const uint32_t src = m_hosts[message.src];
    const uint32_t dst = m_hosts[message.dst];
    if (src == dst)
    {
        return Keep(message);
    }
    const uint16_t parts = CountParts(message);
    message.toArrive = parts;
    message.toAcknowledge = parts;
    if (message.kind == RankMessage::Kind::SEND)
    {
        uint64_t& sends = m_sends[(uint64_t{src} << 32) | dst];
        message.hostIndex = sends;
        sends += parts;
    }
    std::vector<uint32_t> others;
    BeginFlows(message, others);
    const bool leaves = !IsHere(message.dst);
    message.arrived = leaves; // what becomes of it there matters here no more
    message.bound = leaves;
    const uint32_t number = Keep(message);
    for (const uint32_t flow : others)
    {
        Know(flow, number);
    }
    return RankMessage::LOCAL;
}

void
RankMessages::BeginFlows(RankMessage& message, std::vector<uint32_t>& others)
{
    const uint32_t dst = m_hosts[message.dst];
    const uint16_t parts = message.toArrive;
    const bool isCut = message.channels > 1 && message.kind != RankMessage::Kind::REQUEST;
    FlowStarter::Made made;
    made.flow.src = m_hosts[message.src];
    made.flow.dst = dst;
    made.flow.priority = m_priorities.empty() ? m_priority : m_priorities[message.src];
    made.flow.group = m_flowGroups.empty() ? uint16_t{0} : m_flowGroups[message.src];
    made.order = message.order;
    made.write = message.kind != RankMessage::Kind::SEND && !m_memory.empty();
    made.remoteAddress = made.write ? m_memory.at(dst) : 0;
    std::string note;
    if (!IsHere(message.dst))
    {
        WritePlain(note, message);
    }
    for (uint32_t part = 0; part < parts; ++part)
    {
        made.flow.sizeBytes = GetBlockBytes(message.bytes, part, 1, parts);
        const uint32_t channel = isCut ? part + 1 : uint32_t{message.channel};
        made.queuePair = channel > 0 ? m_turns.TakeChannel(message.src, message.dst, channel)
                                     : m_turns.Take(message.src, message.dst);
        const uint32_t flow = m_recorder.GetStarter().Begin(made, note);
        if (part == 0)
        {
            message.flow = flow;
        }
        else
        {
            others.push_back(flow);
        }
        ++made.order.number;
        made.remoteAddress += made.write ? made.flow.sizeBytes : 0;
    }
}

void
RankMessages::OnBegunElsewhere(uint32_t flow, const std::string& note)
{
    std::size_t at = 0;
    auto message = TakePlain<RankMessage>(note, at);
    const auto cut = m_cut.find(message.order);
    if (cut != m_cut.end())
    {
        Know(flow, cut->second);
        return;
    }
    message.flow = flow;
    message.acknowledged = true; // that matters at the sender only
    const uint32_t number = Keep(message);
    if (message.toArrive > 1)
    {
        m_cut.emplace(message.order, number);
    }
    if (m_postsReceives && m_messages[number].bound)
    {
        m_late.OnPosted(m_hosts[message.dst], m_recorder.GetFlows()[flow].startPs);
    }
}

void
RankMessages::Know(uint32_t flow, uint32_t number)
{
    m_ofFlow.resize(std::max<std::size_t>(m_ofFlow.size(), flow + std::size_t{1}),
                    RankMessage::LOCAL);
    m_ofFlow[flow] = number;
}

uint32_t
RankMessages::Keep(const RankMessage& message)
{
    const uint32_t number = m_messages.Take();
    m_messages[number] = message;
    if (message.flow != RankMessage::LOCAL)
    {
        Know(message.flow, number);
    }
    if (message.kind == RankMessage::Kind::SEND && !message.bound)
    {
        const bool inOrder = ComesInOrder(message.dst, message.tag);
        Line& line = m_lines[{message.dst, message.src, inOrder ? ANY_TAG : message.tag}];
        (line.firstMessage == NONE ? line.firstMessage : m_messages[line.lastMessage].next) =
            number;
        line.lastMessage = number;
        if (m_postsReceives)
        {
            Match(message.dst, message.src, message.tag);
        }
    }
    return number;
}

void
RankMessages::Receive(uint32_t rank, uint32_t src, uint64_t tag, uint32_t request)
{
    const uint32_t number = m_posted.Take();
    m_posted[number] = {src, request, rank, NONE, tag, m_nPosted++};
    Line& line = m_lines[{rank, src, tag}];
    (line.firstPosted == NONE ? line.firstPosted : m_posted[line.lastPosted].next) = number;
    line.lastPosted = number;
    if (ComesInOrder(rank, tag))
    {
        TakeWaiting(rank, src, tag);
    }
    else if (src == ANY)
    {
        MatchAny(rank, tag);
    }
    else
    {
        Match(rank, src, tag);
    }
}

void
RankMessages::Match(uint32_t rank, uint32_t src, uint64_t tag)
{
    while (true)
    {
        const auto line = m_lines.find({rank, src, tag});
        if (line == m_lines.end() || line->second.firstMessage == NONE)
        {
            return;
        }
        const RankMessage& first = m_messages[line->second.firstMessage];
        if (!(first.arrived || m_postsReceives))
        {
            return; // one that was sent before comes first
        }
        auto taker = line->second.firstPosted == NONE ? m_lines.end() : line;
        if (m_receivesFromAny)
        {
            const auto any = m_lines.find({rank, ANY, tag});
            if (any != m_lines.end() &&
                (taker == m_lines.end() || m_posted[any->second.firstPosted].order <
                                               m_posted[taker->second.firstPosted].order))
            {
                taker = any;
            }
            if (taker == m_lines.end() && first.arrived)
            {
                m_early[{rank, tag}].emplace(first.arrival, line->second.firstMessage);
            }
        }
        if (taker == m_lines.end())
        {
            return;
        }
        Bind(line, taker);
    }
}

void
RankMessages::MatchAny(uint32_t rank, uint64_t tag)
{
    const auto early = m_early.find({rank, tag});
    if (early != m_early.end())
    {
        const uint32_t src = m_messages[early->second.begin()->second].src;
        Bind(m_lines.find({rank, src, tag}), m_lines.find({rank, ANY, tag}));
        Match(rank, src, tag); // the next one may have arrived before
    }
}

void
RankMessages::Tidy(Lines::iterator line)
{
    if (line->second.firstMessage == NONE && line->second.firstPosted == NONE)
    {
        m_lines.erase(line);
    }
}

void
RankMessages::Bind(Lines::iterator from, Lines::iterator to)
{
    const uint32_t number = from->second.firstMessage;
    RankMessage& message = m_messages[number];
    if (m_receivesFromAny)
    {
        const auto early = m_early.find({message.dst, message.tag});
        if (early != m_early.end() && early->second.erase(message.arrival) > 0 &&
            early->second.empty())
        {
            m_early.erase(early);
        }
    }
    from->second.firstMessage = message.next;
    if (from != to)
    {
        Tidy(from);
    }
    Give(number, to);
}

void
RankMessages::Give(uint32_t number, Lines::iterator to)
{
    const uint32_t receive = to->second.firstPosted;
    const uint32_t rank = to->first.rank;
    const uint32_t request = m_posted[receive].request;
    RankMessage& message = m_messages[number];
    message.receiveOrder = m_posted[receive].order;
    to->second.firstPosted = m_posted[receive].next;
    m_posted.Return(receive);
    Tidy(to);
    message.bound = true;
    message.receiveRequest = request;
    if (m_postsReceives && message.flow != RankMessage::LOCAL)
    {
        PostAtNic(message);
    }
    if (message.arrived)
    {
        m_onComplete(rank, request);
        ReleaseIfDone(number);
    }
}

void
RankMessages::PostAtNic(const RankMessage& message)
{
    const Ptr<FabricNic> nic = m_recorder.GetFabric()->GetNic(m_hosts[message.dst]);
    const uint16_t parts = CountParts(message);
    for (uint32_t part = 0; part < parts; ++part)
    {
        nic->GetMessages().GetMatcher()->PostFor(message.hostIndex + part,
                                                 {m_hosts[message.src],
                                                  m_nextHandle++,
                                                  nullptr,
                                                  GetBlockBytes(message.bytes, part, 1, parts),
                                                  FabricTime::NEVER});
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
        else if (ComesInOrder(message.dst, message.tag))
        {
            ComeInOrder(message.dst, message.src);
            return;
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
    if (flow >= m_ofFlow.size() || m_ofFlow[flow] == RankMessage::LOCAL)
    {
        return;
    }
    const uint32_t number = m_ofFlow[flow];
    RankMessage& message = m_messages[number];
    if (message.acknowledged && flow != message.flow)
    {
        m_ofFlow[flow] = RankMessage::LOCAL; // of another process: nothing more is to come of it
    }
    if (message.arrived || --message.toArrive > 0)
    {
        return; // of a message that leaves, or one that is cut
    }
    m_cut.erase(message.order);
    Arrive(number);
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
    if (flow != message.flow)
    {
        m_ofFlow[flow] = RankMessage::LOCAL; // of a part, which has arrived before
    }
    if (--message.toAcknowledge > 0)
    {
        return;
    }
    message.acknowledged = true;
    if (message.kind == RankMessage::Kind::SEND || message.kind == RankMessage::Kind::PUT)
    {
        m_onComplete(message.src, message.request);
    }
    ReleaseIfDone(number);
}

void
RankMessages::Answer(const FlowOrder& order, std::vector<uint32_t>& local)
{
    std::vector<uint32_t> numbers = std::exchange(m_toAnswer, {});
    std::sort(numbers.begin(), numbers.end(), [this](uint32_t a, uint32_t b) {
        return m_messages[a].order < m_messages[b].order;
    });
    for (const uint32_t number : numbers)
    {
        RankMessage reply;
        reply.kind = RankMessage::Kind::REPLY;
        reply.src = m_messages[number].dst;
        reply.dst = m_messages[number].src;
        reply.bytes = m_messages[number].replyBytes;
        reply.channels = m_messages[number].channels;
        reply.request = m_messages[number].request;
        reply.order = order;
        reply.order.askedPs = m_messages[number].order.atPs;
        reply.order.askedRound = m_messages[number].order.round;
        reply.order.askedPhase = m_messages[number].order.phase;
        reply.order.rank = m_messages[number].order.rank;
        reply.order.number = m_messages[number].order.number;
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
    std::vector<Posted> posted;
    std::vector<uint32_t> numbers;
    for (uint32_t number = 0; number < m_posted.GetEnd(); ++number)
    {
        if (m_posted.IsUsed(number))
        {
            posted.push_back(m_posted[number]);
        }
    }
    for (uint32_t number = 0; number < m_messages.GetEnd(); ++number)
    {
        if (!m_messages.IsUsed(number))
        {
            continue;
        }
        numbers.push_back(number);
        const RankMessage& message = m_messages[number];
        if (message.kind == RankMessage::Kind::SEND && message.bound && !message.arrived)
        {
            posted.push_back({message.src,
                              message.receiveRequest,
                              message.dst,
                              NONE,
                              message.tag,
                              message.receiveOrder});
        }
    }
    std::sort(posted.begin(), posted.end(), [](const Posted& a, const Posted& b) {
        return a.order < b.order;
    });
    std::sort(numbers.begin(), numbers.end(), [this](uint32_t a, uint32_t b) {
        return m_messages[a].order < m_messages[b].order;
    });
    for (const Posted& one : posted)
    {
        open[one.rank].push_back({one.src, one.tag, true, one.request});
    }
    for (const uint32_t number : numbers)
    {
        const RankMessage& message = m_messages[number];
        const bool twoSided =
            message.kind == RankMessage::Kind::SEND || message.kind == RankMessage::Kind::PUT;
        if (twoSided && !message.acknowledged)
        {
            open[message.src].push_back({message.dst, message.tag, false, message.request});
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
    for (uint32_t number = 0; number < m_messages.GetEnd(); ++number)
    {
        const RankMessage& message = m_messages[number];
        count += m_messages.IsUsed(number) && message.kind == RankMessage::Kind::SEND &&
                         message.arrived && !message.bound
                     ? 1
                     : 0;
    }
    return count;
}

} // namespace ns3
