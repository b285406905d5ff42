// SPDX-License-Identifier: GPL-2.0-only
#include "conweave-feature.h"

#include "fabric-switch.h"

#include "ns3/attribute-range.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-net-device.h"
#include "ns3/fabric-time.h"
#include "ns3/log.h"
#include "ns3/pointer.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <iterator>

namespace ns3
{

LogComponent ConweaveFeature::g_log("ConweaveFeature", __FILE__);

NS_OBJECT_ENSURE_REGISTERED(ConweaveFeature);

TypeId
ConweaveFeature::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ConweaveFeature")
            .SetParent<EdgePathFeature>()
            .SetGroupName("Dcfabric")
            .AddConstructor<ConweaveFeature>()
            .AddAttribute("BaseRtt",
                          "Time of a packet to the last switch and a reply back; 0: as rates and "
                          "delays say.",
                          TimeValue(Seconds(0)),
                          MakeTimeAccessor(&ConweaveFeature::m_baseRtt),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()))
            .AddAttribute("ReplyExtra",
                          "A reply is late if it takes longer than the base RTT by more than this.",
                          TimeValue(MicroSeconds(4)),
                          MakeTimeAccessor(&ConweaveFeature::m_replyExtra),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()))
            .AddAttribute("FlushExtra",
                          "Packets that have overtaken others are released this long after these "
                          "were expected.",
                          TimeValue(MicroSeconds(16)),
                          MakeTimeAccessor(&ConweaveFeature::m_flushExtra),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()))
            .AddAttribute("DefaultWait",
                          "And this much later if nothing is known of the others.",
                          TimeValue(MicroSeconds(200)),
                          MakeTimeAccessor(&ConweaveFeature::m_defaultWait),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()))
            .AddAttribute("Expiry",
                          "Pause after which no packet of a flow is on its way.",
                          TimeValue(MicroSeconds(300)),
                          MakeTimeAccessor(&ConweaveFeature::m_expiry),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()))
            .AddAttribute("PathPause",
                          "Time for which a way is avoided after packets there were marked.",
                          TimeValue(MicroSeconds(16)),
                          MakeTimeAccessor(&ConweaveFeature::m_pathPause),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()))
            .AddAttribute("ControlClass",
                          "Class of replies and notifications.",
                          UintegerValue(6),
                          MakeUintegerAccessor(&ConweaveFeature::m_controlClass),
                          MakeUintegerChecker<uint8_t>(0, 7))
            .AddAttribute("WireFormat",
                          "Sizes on the wire; null for true RoCEv2.",
                          PointerValue(),
                          MakePointerAccessor(&ConweaveFeature::m_wire),
                          MakePointerChecker<WireFormat>());
    return tid;
}

ConweaveFeature::ConweaveFeature()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

uint32_t
ConweaveFeature::GetHooks() const
{
    return EdgePathFeature::GetHooks() | RECEIVE | CONSUME;
}

SwitchFeature::Effects
ConweaveFeature::GetEffects() const
{
    Effects effects;
    effects.reachesSwitches = true;
    return effects;
}

SwitchFeature::Counters
ConweaveFeature::GetCounters() const
{
    return {{"conweave_epochs", m_nEpochs},
            {"conweave_moves", m_nMoves},
            {"conweave_held_packets", m_nHeld},
            {"conweave_notifications", m_nNotified}};
}

void
ConweaveFeature::Attach(FabricSwitch* sw, uint32_t number)
{
    EdgePathFeature::Attach(sw, number);
    if (!m_wire)
    {
        m_wire = CreateObject<RoceV2WireFormat>();
    }
    if (sw->GetBuffer()->HoldsPackets())
    {
        throw FabricError(FabricTerm::Class(GetTypeId()),
                          " releases packets into the queues of outputs, but those before them may "
                          "wait at inputs under " +
                              FabricTerm::Class(sw->GetBuffer()->GetInstanceTypeId()),
                          {FabricRemedy::Use(FabricTerm::Class("ns3::SharedBuffer"))});
    }
}

int64_t
ConweaveFeature::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

bool
ConweaveFeature::OnReceive(FabricNetDevice& ingress, FabricPacketItem& item)
{
    if (item.type != FabricPacketType::DATA)
    {
        return false;
    }
    if (LeavesHere(ingress, item))
    {
        return Arrive(item);
    }
    if (EntersHere(ingress, item))
    {
        Send(item);
    }
    return false;
}

void
ConweaveFeature::Send(FabricPacketItem& item)
{
    const int64_t nowPs = m_switch->GetNowPs();
    const uint32_t edge = GetEdgeOf(item.dst);
    const Edge& ways = *FindEdge(edge);
    ConweaveSender& sender = m_senders[FlowKey::Of(item).GetNumber()];
    const int64_t rttPs = m_baseRtt.IsZero() ? ways.rttPs : FabricTime::ToPs(m_baseRtt);
    const uint32_t former = sender.GetPath();
    const bool isUsable = former != EdgePath::NONE && IsUsable(former, item.dst);
    uint32_t good = DrawPath(ways, edge, item.dst);
    if (!isUsable && good == EdgePath::NONE)
    {
        good = ways.paths->front(); // bad ones only: any way is better than none
    }
    uint32_t path = EdgePath::NONE;
    const ConweaveTag tag =
        sender.OnData(nowPs,
                      {rttPs + FabricTime::ToPs(m_replyExtra), FabricTime::ToPs(m_expiry)},
                      good,
                      isUsable,
                      path);
    m_nEpochs += tag.flag == ConweaveTag::INIT ? 1 : 0;
    if (tag.flag == ConweaveTag::TAIL && sender.GetPath() != path)
    {
        ++m_nMoves;
        NS_LOG_LOGIC(*m_switch << ": moves the flow of " << item << " from path 0x" << std::hex
                               << path << " to 0x" << sender.GetPath() << std::dec);
    }
    tag.Write(Tag(item, path));
    if (m_senders.size() + m_receivers.size() >= m_pruneAt)
    {
        Prune(nowPs);
    }
}

uint32_t
ConweaveFeature::DrawPath(const Edge& ways, uint32_t edge, uint32_t host)
{
    const auto last = static_cast<uint32_t>(ways.paths->size() - 1);
    // both are drawn in any case, so that reports do not change later draws
    const uint32_t draws[] = {(*ways.paths)[m_random->GetInteger(0, last)],
                              (*ways.paths)[m_random->GetInteger(0, last)]};
    for (const uint32_t path : draws)
    {
        if (!IsBad(edge, path) && IsUsable(path, host))
        {
            return path;
        }
    }
    return EdgePath::NONE;
}

bool
ConweaveFeature::Arrive(FabricPacketItem& item)
{
    const int64_t nowPs = m_switch->GetNowPs();
    const uint64_t flow = FlowKey::Of(item).GetNumber();
    const ConweaveTag tag = ConweaveTag::Read(item.edge);
    const ConweaveReceiver::Times times = GetTimes();
    ConweaveReceiver& receiver = m_receivers[flow];
    if (receiver.GetNHeld() > 0 && receiver.Begins(tag, nowPs, times))
    {
        Release(flow, receiver);
    }
    if (tag.flag != ConweaveTag::DATA)
    {
        Reply(item,
              tag.flag == ConweaveTag::INIT ? ConweaveFields::INIT_REPLY
                                            : ConweaveFields::TAIL_REPLY);
    }
    if (item.IsMarked())
    {
        Reply(item, ConweaveFields::NOTIFY);
    }
    const int64_t formerPs = receiver.GetReleasePs();
    const bool isHeld = receiver.OnData(tag, nowPs, times);
    Plan(flow, formerPs, receiver.GetReleasePs());
    if (isHeld)
    {
        receiver.Hold(Ptr<FabricPacketItem>(&item));
        ++m_nHeld;
    }
    return isHeld;
}

ConweaveReceiver::Times
ConweaveFeature::GetTimes() const
{
    return {FabricTime::ToPs(m_flushExtra),
            FabricTime::ToPs(m_defaultWait),
            FabricTime::ToPs(m_expiry)};
}

void
ConweaveFeature::Plan(uint64_t flow, int64_t formerPs, int64_t timePs)
{
    if (formerPs == timePs)
    {
        return;
    }
    m_releases.erase({formerPs, flow});
    if (timePs != ConweaveReceiver::NEVER)
    {
        m_releases.emplace(timePs, flow);
        m_switch->ArmTimer(m_number, timePs);
    }
}

void
ConweaveFeature::Release(uint64_t flow, ConweaveReceiver& receiver)
{
    Plan(flow, receiver.GetReleasePs(), ConweaveReceiver::NEVER);
    for (const Ptr<FabricPacketItem>& item : receiver.Release())
    {
        m_switch->Originate(item);
    }
}

void
ConweaveFeature::OnTimer(int64_t nowPs)
{
    while (!m_releases.empty() && m_releases.begin()->first <= nowPs)
    {
        const uint64_t flow = m_releases.begin()->second;
        Release(flow, m_receivers.at(flow));
    }
}

void
ConweaveFeature::Reply(const FabricPacketItem& data, ConweaveFields::Kind kind)
{
    const uint32_t edge = GetEdgeOf(data.src);
    if (kind == ConweaveFields::NOTIFY)
    {
        // one for each half of the time that it holds says as much as one for each mark
        int64_t& toldPs = m_toldAt.try_emplace({edge, data.edge.path}, -1).first->second;
        const int64_t nowPs = m_switch->GetNowPs();
        if (toldPs >= 0 && nowPs - toldPs < FabricTime::ToPs(m_pathPause) / 2)
        {
            return;
        }
        toldPs = nowPs;
        ++m_nNotified;
    }
    Ptr<FabricPacketItem> item = FabricPacketItem::Create(ConweaveFields::TYPE);
    item->src = m_switch->GetAddress();
    item->dst = edge;
    item->entropy = data.entropy;
    item->ds = FabricPacketItem::MakeDs(m_controlClass, 0);
    item->size = m_wire->GetNoticeBytes(ConweaveFields::BYTES);
    item->Begin<ConweaveFields>() =
        {kind, data.edge.bytes[0], data.entropy, data.src, data.dst, data.edge.path};
    item->UpdateFlowHash();
    m_switch->Originate(std::move(item));
}

bool
ConweaveFeature::OnConsume(FabricNetDevice& /* ingress */, FabricPacketItem& item)
{
    if (item.type != ConweaveFields::TYPE)
    {
        return false;
    }
    const auto& fields = item.As<ConweaveFields>();
    const int64_t nowPs = m_switch->GetNowPs();
    if (fields.kind == ConweaveFields::NOTIFY)
    {
        m_badUntil[{item.src, fields.path}] = nowPs + FabricTime::ToPs(m_pathPause);
        return true;
    }
    const FlowKey flow{fields.flowSrc, fields.flowDst, fields.entropy};
    const auto sender = m_senders.find(flow.GetNumber());
    if (sender != m_senders.end())
    {
        sender->second.OnReply(fields.kind == ConweaveFields::TAIL_REPLY, fields.epoch, nowPs);
    }
    return true;
}

bool
ConweaveFeature::IsBad(uint32_t edge, uint32_t path) const
{
    const auto until = m_badUntil.find({edge, path});
    return until != m_badUntil.end() && m_switch->GetNowPs() < until->second;
}

const ConweaveSender*
ConweaveFeature::FindSender(const FlowKey& flow) const
{
    const auto found = m_senders.find(flow.GetNumber());
    return found == m_senders.end() ? nullptr : &found->second;
}

const ConweaveReceiver*
ConweaveFeature::FindReceiver(const FlowKey& flow) const
{
    const auto found = m_receivers.find(flow.GetNumber());
    return found == m_receivers.end() ? nullptr : &found->second;
}

void
ConweaveFeature::Prune(int64_t nowPs)
{
    // a sender last: its next epoch has to be one that the receiver does not know
    const int64_t expiryPs = FabricTime::ToPs(m_expiry);
    for (auto entry = m_receivers.begin(); entry != m_receivers.end();)
    {
        const bool isOld =
            entry->second.GetNHeld() == 0 && entry->second.GetLastPs() + expiryPs < nowPs;
        entry = isOld ? m_receivers.erase(entry) : std::next(entry);
    }
    for (auto entry = m_senders.begin(); entry != m_senders.end();)
    {
        const bool isOld = entry->second.GetLastPs() + 4 * expiryPs < nowPs;
        entry = isOld ? m_senders.erase(entry) : std::next(entry);
    }
    m_pruneAt = std::max<std::size_t>(1024, 2 * (m_senders.size() + m_receivers.size()));
}

void
ConweaveFeature::DoDispose()
{
    m_receivers.clear();
    m_releases.clear();
    EdgePathFeature::DoDispose();
}

} // namespace ns3
