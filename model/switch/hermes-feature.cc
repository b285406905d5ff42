// SPDX-License-Identifier: GPL-2.0-only
#include "hermes-feature.h"

#include "fabric-switch.h"
#include "hermes-probe.h"
#include "switch-notice.h"

#include "ns3/attribute-range.h"
#include "ns3/double.h"
#include "ns3/fabric-net-device.h"
#include "ns3/fabric-time.h"
#include "ns3/log.h"
#include "ns3/pointer.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

namespace ns3
{

LogComponent HermesFeature::g_log("HermesFeature", __FILE__);

NS_OBJECT_ENSURE_REGISTERED(HermesFeature);

TypeId
HermesFeature::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::HermesFeature")
            .SetParent<EdgePathFeature>()
            .SetGroupName("Dcfabric")
            .AddConstructor<HermesFeature>()
            .AddAttribute(
                "LowDelay",
                "A good path has less delay than this, beside what it has without queues.",
                TimeValue(MicroSeconds(20)),
                MakeTimeAccessor(&HermesFeature::m_lowDelay),
                MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()))
            .AddAttribute("HighDelay",
                          "A congested path has more delay than this.",
                          TimeValue(MicroSeconds(120)),
                          MakeTimeAccessor(&HermesFeature::m_highDelay),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()))
            .AddAttribute(
                "BetterDelay",
                "A flow leaves a congested path for one with less delay by more than this.",
                TimeValue(MicroSeconds(80)),
                MakeTimeAccessor(&HermesFeature::m_betterDelay),
                MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()))
            .AddAttribute(
                "MarkShare",
                "A good path has less of its packets marked, a congested one that much; 0: "
                "marks do not count.",
                DoubleValue(0.4),
                MakeDoubleAccessor(&HermesFeature::m_markShare),
                MakeDoubleChecker<double>(0, 1))
            .AddAttribute("BetterShare",
                          "A flow leaves a congested path for one with less of its packets marked "
                          "by more than this, if marks count.",
                          DoubleValue(0.05),
                          MakeDoubleAccessor(&HermesFeature::m_betterShare),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("MoveBytes",
                          "A flow leaves a congested path after it has sent more than this there.",
                          UintegerValue(640000),
                          MakeUintegerAccessor(&HermesFeature::m_moveBytes),
                          MakeUintegerChecker<uint64_t>(0, AttributeRange::MAX_BYTES))
            .AddAttribute("MoveRate",
                          "And if it sends at less than this share of the rate of its port.",
                          DoubleValue(0.3),
                          MakeDoubleAccessor(&HermesFeature::m_moveRate),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("MoveChance",
                          "Probability that a flow that may leave its path looks for another one.",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&HermesFeature::m_moveChance),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("MovePause",
                          "Time after which a flow that has stayed may leave its path.",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&HermesFeature::m_movePause),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()))
            .AddAttribute("Period",
                          "Time after which an estimate of load loses a share.",
                          TimeValue(MicroSeconds(30)),
                          MakeTimeAccessor(&HermesFeature::m_period),
                          MakeTimeChecker(NanoSeconds(1), AttributeRange::GetMaxTime()))
            .AddAttribute("Decay",
                          "The share that it loses.",
                          DoubleValue(0.2),
                          MakeDoubleAccessor(&HermesFeature::m_decay),
                          MakeDoubleChecker<double>(0.001, 1))
            .AddAttribute("MarkWindow",
                          "Least time in which marks are counted for a share.",
                          TimeValue(MicroSeconds(66)),
                          MakeTimeAccessor(&HermesFeature::m_markWindow),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()))
            .AddAttribute("AgeTime",
                          "Time without any answer after which what was measured of a path is "
                          "forgotten.",
                          TimeValue(MilliSeconds(2.5)),
                          MakeTimeAccessor(&HermesFeature::m_age),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()))
            .AddAttribute("ProbeInterval",
                          "Time between rounds of three probes to an edge switch; 0: no probes.",
                          TimeValue(MicroSeconds(500)),
                          MakeTimeAccessor(&HermesFeature::m_probeInterval),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()))
            .AddAttribute("ProbeTimeout",
                          "A path has failed while a probe has not been answered for longer.",
                          TimeValue(MilliSeconds(100)),
                          MakeTimeAccessor(&HermesFeature::m_probeTimeout),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()))
            .AddAttribute("Expiry",
                          "Pause after which a flow begins anew. One that sends packets again and "
                          "has had no answer for as long has timed out.",
                          TimeValue(MilliSeconds(1)),
                          MakeTimeAccessor(&HermesFeature::m_expiry),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()))
            .AddAttribute("LossWindow",
                          "Least time in which packets that are sent again are counted for a "
                          "share.",
                          TimeValue(MilliSeconds(10)),
                          MakeTimeAccessor(&HermesFeature::m_lossWindow),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()))
            .AddAttribute("LossShare",
                          "A path that is not congested has failed with more of them.",
                          DoubleValue(0.01),
                          MakeDoubleAccessor(&HermesFeature::m_lossShare),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("Timeouts",
                          "Time-outs in a row, without an answer to any flow, after which a path "
                          "has failed.",
                          UintegerValue(3),
                          MakeUintegerAccessor(&HermesFeature::m_silences),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("FailedTime",
                          "For how long a path has failed after losses and time-outs.",
                          TimeValue(Seconds(100)),
                          MakeTimeAccessor(&HermesFeature::m_failedTime),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()))
            .AddAttribute("DataClass",
                          "Class of probes.",
                          UintegerValue(3),
                          MakeUintegerAccessor(&HermesFeature::m_dataClass),
                          MakeUintegerChecker<uint8_t>(0, 7))
            .AddAttribute("ControlClass",
                          "Class of their answers.",
                          UintegerValue(6),
                          MakeUintegerAccessor(&HermesFeature::m_controlClass),
                          MakeUintegerChecker<uint8_t>(0, 7))
            .AddAttribute("WireFormat",
                          "Sizes on the wire; null for true RoCEv2.",
                          PointerValue(),
                          MakePointerAccessor(&HermesFeature::m_wire),
                          MakePointerChecker<WireFormat>());
    return tid;
}

HermesFeature::HermesFeature()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

uint32_t
HermesFeature::GetHooks() const
{
    return EdgePathFeature::GetHooks() | RECEIVE | CONSUME;
}

SwitchFeature::Effects
HermesFeature::GetEffects() const
{
    Effects effects;
    effects.reachesSwitches = true;
    return effects;
}

SwitchFeature::Counters
HermesFeature::GetCounters() const
{
    return {{"hermes_moves", m_nMoves},
            {"hermes_escapes", m_nEscapes},
            {"hermes_probes", m_nProbes}};
}

void
HermesFeature::Attach(FabricSwitch* sw, uint32_t number)
{
    EdgePathFeature::Attach(sw, number);
    if (!m_wire)
    {
        m_wire = CreateObject<RoceV2WireFormat>();
    }
}

int64_t
HermesFeature::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

HermesPath::Limits
HermesFeature::GetLimits() const
{
    HermesPath::Limits limits;
    limits.lowPs = FabricTime::ToPs(m_lowDelay);
    limits.highPs = FabricTime::ToPs(m_highDelay);
    limits.markShare = m_markShare;
    limits.windowPs = FabricTime::ToPs(m_markWindow);
    limits.agePs = FabricTime::ToPs(m_age);
    limits.lossWindowPs = FabricTime::ToPs(m_lossWindow);
    limits.lossShare = m_lossShare;
    limits.silences = m_silences;
    limits.probePs = FabricTime::ToPs(m_probeTimeout);
    limits.failedPs = FabricTime::ToPs(m_failedTime);
    return limits;
}

HermesPath&
HermesFeature::GetPathState(uint32_t edge, uint32_t path)
{
    return m_paths[(uint64_t{edge} << 32) | path];
}

const HermesPath*
HermesFeature::FindPathState(uint32_t edge, uint32_t path) const
{
    const auto found = m_paths.find((uint64_t{edge} << 32) | path);
    return found == m_paths.end() ? nullptr : &found->second;
}

HermesPath::State
HermesFeature::GetState(uint32_t edge, uint32_t path) const
{
    const HermesPath* way = FindPathState(edge, path);
    return way ? way->GetState(m_switch->GetNowPs(), GetLimits()) : HermesPath::State::GRAY;
}

uint32_t
HermesFeature::GetPath(const FlowKey& flow) const
{
    const auto found = m_flows.find(flow.GetNumber());
    return found == m_flows.end() ? EdgePath::NONE : found->second.path;
}

int64_t
HermesFeature::GetPeriod() const
{
    return m_switch->GetNowPs() / FabricTime::ToPs(m_period);
}

bool
HermesFeature::OnReceive(FabricNetDevice& ingress, FabricPacketItem& item)
{
    const bool isAnswer = item.type == FabricPacketType::ACK || item.type == FabricPacketType::NACK;
    if (!isAnswer && item.type != FabricPacketType::DATA)
    {
        return false;
    }
    if (LeavesHere(ingress, item))
    {
        if (isAnswer)
        {
            Learn(item);
        }
        return false;
    }
    if (EntersHere(ingress, item))
    {
        const uint32_t path = Lead(ingress, item, GetEdgeOf(item.dst));
        if (path != EdgePath::NONE)
        {
            Tag(item, path);
        }
    }
    return false;
}

uint32_t
HermesFeature::Lead(const FabricNetDevice& ingress, const FabricPacketItem& item, uint32_t edge)
{
    const int64_t nowPs = m_switch->GetNowPs();
    const int64_t expiryPs = FabricTime::ToPs(m_expiry);
    const HermesPath::Limits limits = GetLimits();
    const bool isData = item.type == FabricPacketType::DATA;
    const bool isAgain = isData && ((item.flags & FabricPacketItem::FLAG_RETRANSMISSION) != 0 ||
                                    item.data.payloadBytes == 0);
    Watch(edge, nowPs);
    if (m_flows.size() >= m_pruneAt)
    {
        Prune(nowPs);
    }
    Flow& flow = m_flows[FlowKey::Of(item).GetNumber()];
    const uint32_t former = flow.path;
    const bool begins = former == EdgePath::NONE || nowPs - flow.lastPs > expiryPs;
    const int64_t heardPs = std::max({flow.sincePs, flow.answerPs, flow.silentPs});
    const bool isSilent = former != EdgePath::NONE && isAgain && nowPs - heardPs > expiryPs;
    flow.lastPs = nowPs;
    if (isSilent)
    {
        flow.silentPs = nowPs;
        GetPathState(edge, former).OnSilence(nowPs, limits);
    }
    const bool mustLeave =
        former != EdgePath::NONE &&
        (isSilent || !IsUsable(former, item.dst) ||
         GetPathState(edge, former).GetState(nowPs, limits) == HermesPath::State::FAILED);
    uint32_t path = former;
    if (begins || mustLeave)
    {
        path = ChooseAnew(edge, item.dst, mustLeave ? former : EdgePath::NONE);
        m_nEscapes += mustLeave && path != former ? 1 : 0;
    }
    else if (isData &&
             GetPathState(edge, former).GetState(nowPs, limits) == HermesPath::State::CONGESTED &&
             MayMove(ingress, flow, nowPs))
    {
        path = ChooseBetter(edge, item.dst, former);
        m_nMoves += path != former ? 1 : 0;
    }
    if (path == EdgePath::NONE)
    {
        return path;
    }
    if (path != former)
    {
        NS_LOG_LOGIC(nowPs << " ps: " << item << " takes path 0x" << std::hex << path << " after 0x"
                           << former << std::dec);
        flow.path = path;
        flow.sincePs = nowPs;
        flow.bytes = 0;
    }
    const int64_t period = GetPeriod();
    flow.bytes += item.size;
    flow.load.Add(item.size, period, m_decay);
    HermesPath& way = GetPathState(edge, path);
    way.load.Add(item.size, period, m_decay);
    if (isData)
    {
        // what is sent again soon after a move was lost on the path before
        way.OnSend(nowPs, isAgain && nowPs - flow.sincePs > expiryPs, limits);
    }
    return path;
}

bool
HermesFeature::MayMove(const FabricNetDevice& ingress, Flow& flow, int64_t nowPs)
{
    const double periodPs = static_cast<double>(FabricTime::ToPs(m_period));
    const double rateBps = flow.load.GetBytes(GetPeriod(), m_decay) * m_decay / periodPs * 8e12;
    if (nowPs < flow.tryPs || flow.bytes <= m_moveBytes ||
        rateBps >= m_moveRate * static_cast<double>(ingress.GetRateBps()))
    {
        return false;
    }
    flow.tryPs = nowPs + FabricTime::ToPs(m_movePause);
    return m_random->GetValue(0, 1) < m_moveChance;
}

uint32_t
HermesFeature::ChooseAnew(uint32_t edge, uint32_t host, uint32_t other)
{
    const HermesPath::Limits limits = GetLimits();
    const int64_t nowPs = m_switch->GetNowPs();
    m_good.clear();
    m_gray.clear();
    m_rest.clear();
    bool hasOther = false;
    uint32_t failed = EdgePath::NONE;
    for (const uint32_t path : *FindEdge(edge)->paths)
    {
        if (!IsUsable(path, host))
        {
            continue;
        }
        if (path == other)
        {
            hasOther = true;
            continue;
        }
        switch (GetPathState(edge, path).GetState(nowPs, limits))
        {
        case HermesPath::State::GOOD:
            m_good.push_back(path);
            break;
        case HermesPath::State::GRAY:
            m_gray.push_back(path);
            break;
        case HermesPath::State::CONGESTED:
            m_rest.push_back(path);
            break;
        default:
            failed = path;
        }
    }
    if (!m_good.empty() || !m_gray.empty())
    {
        return ChooseLeast(edge, m_good.empty() ? m_gray : m_good);
    }
    if (!m_rest.empty())
    {
        return m_rest[m_random->GetInteger(0, static_cast<uint32_t>(m_rest.size() - 1))];
    }
    return hasOther ? other : failed;
}

uint32_t
HermesFeature::ChooseBetter(uint32_t edge, uint32_t host, uint32_t present)
{
    const HermesPath::Limits limits = GetLimits();
    const int64_t nowPs = m_switch->GetNowPs();
    const HermesPath& from = GetPathState(edge, present);
    const int64_t delayPs = from.GetDelayPs(nowPs, limits) - FabricTime::ToPs(m_betterDelay);
    const double share = from.GetMarkShare(nowPs, limits) - m_betterShare;
    m_good.clear();
    m_gray.clear();
    for (const uint32_t path : *FindEdge(edge)->paths)
    {
        const HermesPath& way = GetPathState(edge, path);
        const HermesPath::State state = way.GetState(nowPs, limits);
        const bool isBetter = way.GetDelayPs(nowPs, limits) < delayPs &&
                              (m_markShare == 0 || way.GetMarkShare(nowPs, limits) < share);
        if (!isBetter || !IsUsable(path, host))
        {
            continue;
        }
        if (state == HermesPath::State::GOOD)
        {
            m_good.push_back(path);
        }
        else if (state == HermesPath::State::GRAY)
        {
            m_gray.push_back(path);
        }
    }
    if (m_good.empty() && m_gray.empty())
    {
        return present;
    }
    return ChooseLeast(edge, m_good.empty() ? m_gray : m_good);
}

uint32_t
HermesFeature::ChooseLeast(uint32_t edge, const std::vector<uint32_t>& paths)
{
    const int64_t period = GetPeriod();
    double least = std::numeric_limits<double>::max();
    m_least.clear();
    for (const uint32_t path : paths)
    {
        const double bytes = GetPathState(edge, path).load.GetBytes(period, m_decay);
        if (bytes < least)
        {
            least = bytes;
            m_least.clear();
        }
        if (bytes <= least)
        {
            m_least.push_back(path);
        }
    }
    const auto last = static_cast<uint32_t>(m_least.size() - 1);
    return m_least[last == 0 ? 0 : m_random->GetInteger(0, last)];
}

void
HermesFeature::Learn(const FabricPacketItem& item)
{
    const auto found = m_flows.find(FlowKey{item.dst, item.src, item.entropy}.GetNumber());
    if (found == m_flows.end())
    {
        return;
    }
    Flow& flow = found->second;
    const int64_t nowPs = m_switch->GetNowPs();
    flow.answerPs = nowPs;
    if (item.sendTimePs < flow.sincePs || flow.path == EdgePath::NONE)
    {
        return; // of a path that the flow has left
    }
    if (m_switch->GetForwardingTable().Lookup(item.dst).nPorts == 0)
    {
        return; // the host has been cut off
    }
    const int64_t delayPs = nowPs - item.sendTimePs - GetHostRttPs(item.src, item.dst);
    GetPathState(GetEdgeOf(item.src), flow.path)
        .OnAnswer(nowPs,
                  std::max<int64_t>(0, delayPs),
                  std::max<uint32_t>(1, item.ack.coveredPackets),
                  item.ack.markedPackets,
                  GetLimits());
}

void
HermesFeature::Watch(uint32_t edge, int64_t nowPs)
{
    if (m_probeInterval.IsZero() || FindEdge(edge)->paths->size() < 2)
    {
        return;
    }
    Peer& peer = m_peers[edge];
    peer.lastPs = nowPs;
    if (peer.probePs < 0)
    {
        Probe(edge, peer, nowPs);
    }
}

void
HermesFeature::Probe(uint32_t edge, Peer& peer, int64_t nowPs)
{
    const std::vector<uint32_t>& paths = *FindEdge(edge)->paths;
    const auto last = static_cast<uint32_t>(paths.size() - 1);
    // both are drawn in any case, so that answers do not change later draws
    std::vector<uint32_t> chosen{peer.best,
                                 paths[m_random->GetInteger(0, last)],
                                 paths[m_random->GetInteger(0, last)]};
    peer.best = EdgePath::NONE;
    std::sort(chosen.begin(), chosen.end());
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    for (const uint32_t path : chosen)
    {
        if (path != EdgePath::NONE && IsUsable(path, edge))
        {
            GetPathState(edge, path).OnProbe(nowPs);
            ++m_nProbes;
            Send(edge, {false, path, nowPs});
        }
    }
    peer.probePs = nowPs + FabricTime::ToPs(m_probeInterval);
    m_switch->ArmTimer(m_number, peer.probePs);
}

void
HermesFeature::OnTimer(int64_t nowPs)
{
    for (auto& [edge, peer] : m_peers)
    {
        if (peer.probePs < 0 || nowPs < peer.probePs)
        {
            continue;
        }
        if (nowPs - peer.lastPs > FabricTime::ToPs(m_expiry))
        {
            peer.probePs = -1; // until something goes there again
            peer.best = EdgePath::NONE;
            continue;
        }
        Probe(edge, peer, nowPs);
    }
}

void
HermesFeature::Send(uint32_t edge, const HermesProbe& probe)
{
    const uint8_t ds = probe.isAnswer
                           ? FabricPacketItem::MakeDs(m_controlClass, 0)
                           : FabricPacketItem::MakeDs(m_dataClass, FabricPacketItem::ECN_ECT0);
    Ptr<FabricPacketItem> item =
        SwitchNotice::Make(*m_switch, edge, ds, *m_wire, probe.Serialize());
    // of the tag only the path counts, which the payload of a probe says on the wire
    Tag(*item, probe.isAnswer ? ChooseAnew(edge, edge, EdgePath::NONE) : probe.path);
    m_switch->Originate(std::move(item));
}

bool
HermesFeature::OnConsume(FabricNetDevice& /* ingress */, FabricPacketItem& item)
{
    HermesProbe probe;
    if (!SwitchNotice::Read(item, probe))
    {
        return false;
    }
    if (!probe.isAnswer)
    {
        if (FindEdge(item.src))
        {
            Send(item.src, {true, probe.path, probe.sentPs});
        }
        return true;
    }
    const Edge* edge = FindEdge(item.src);
    if (!edge)
    {
        return true;
    }
    const int64_t nowPs = m_switch->GetNowPs();
    const int64_t delayPs = std::max<int64_t>(0, nowPs - probe.sentPs - edge->rttPs);
    HermesPath& way = GetPathState(item.src, probe.path);
    way.OnAnswer(nowPs, delayPs, 0, 0, GetLimits());
    Peer& peer = m_peers[item.src];
    if (peer.best == EdgePath::NONE || delayPs < peer.bestPs)
    {
        peer.best = probe.path;
        peer.bestPs = delayPs;
    }
    return true;
}

void
HermesFeature::Prune(int64_t nowPs)
{
    // the time-outs of a transport double
    const int64_t agePs = 64 * FabricTime::ToPs(m_expiry);
    for (auto entry = m_flows.begin(); entry != m_flows.end();)
    {
        entry = nowPs - entry->second.lastPs > agePs ? m_flows.erase(entry) : std::next(entry);
    }
    m_pruneAt = std::max<std::size_t>(1024, 2 * m_flows.size());
}

void
HermesFeature::DoDispose()
{
    m_flows.clear();
    m_paths.clear();
    m_peers.clear();
    m_wire = nullptr;
    EdgePathFeature::DoDispose();
}

} // namespace ns3
