// SPDX-License-Identifier: GPL-2.0-only
#include "ccm-feature.h"

#include "ccm-packet.h"

#include "ns3/attribute-range.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-net-device.h"
#include "ns3/fabric-switch.h"
#include "ns3/log.h"
#include "ns3/pointer.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"
#include "ns3/virtual-channels.h"

#include <algorithm>
#include <string>
#include <utility>

namespace ns3
{

LogComponent CcmFeature::g_log("CcmFeature", __FILE__);

NS_OBJECT_ENSURE_REGISTERED(CcmFeature);

namespace
{

/// What a line sends in that time is light, heavy, an incast, unless attributes say otherwise: 25,
/// 50 and 100 kB at 100 Gb/s.
constexpr uint64_t CCM_LIGHT_NS = 2000;
constexpr uint64_t CCM_HEAVY_NS = 4000;
constexpr uint64_t CCM_INCAST_NS = 8000;

/// @return bytes that a line sends in some ns
uint64_t
GetLineBytes(uint64_t rateBps, uint64_t ns)
{
    return rateBps / 1000 * ns / 8000000;
}

} // namespace

TypeId
CcmFeature::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::CcmFeature")
            .SetParent<SwitchFeature>()
            .SetGroupName("Dcfabric")
            .AddConstructor<CcmFeature>()
            .AddAttribute("Adaptive",
                          "Data without CC indicator is routed adaptively.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&CcmFeature::m_adaptive),
                          MakeBooleanChecker())
            .AddAttribute("LightBytes",
                          "Bytes that wait for a port up to which a heavy path is light again, and "
                          "an incast over; 0: what the line sends in 2 us (25 KB at 100 Gb/s).",
                          UintegerValue(0),
                          MakeUintegerAccessor(&CcmFeature::m_lightBytes),
                          MakeUintegerChecker<uint64_t>(0, AttributeRange::MAX_BYTES))
            .AddAttribute("HeavyBytes",
                          "Bytes that wait for a port from which on a path is heavy; 0: what the "
                          "line sends in 4 us (50 KB at 100 Gb/s).",
                          UintegerValue(0),
                          MakeUintegerAccessor(&CcmFeature::m_heavyBytes),
                          MakeUintegerChecker<uint64_t>(0, AttributeRange::MAX_BYTES))
            .AddAttribute("IncastBytes",
                          "Bytes that wait for a port to a host from which on it is an incast; 0: "
                          "what the line sends in 8 us (100 KB at 100 Gb/s).",
                          UintegerValue(0),
                          MakeUintegerAccessor(&CcmFeature::m_incastBytes),
                          MakeUintegerChecker<uint64_t>(0, AttributeRange::MAX_BYTES))
            .AddAttribute("IncastShare",
                          "A flow belongs to an incast if it has this share of what flows have "
                          "waiting on average; 0: all that wait.",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&CcmFeature::m_incastShare),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("MarkIncasts",
                          "Packets of flows of an incast are marked, whatever the marking profile "
                          "says.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&CcmFeature::m_markIncasts),
                          MakeBooleanChecker())
            .AddAttribute("MarkNoPath",
                          "Packets that find no light path, and nobody upstream to ask for one, "
                          "are marked, whatever the marking profile says.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&CcmFeature::m_markNoPath),
                          MakeBooleanChecker())
            .AddAttribute("ReportInterval",
                          "Least time between two messages of type 3 about a flow.",
                          TimeValue(MicroSeconds(50)),
                          MakeTimeAccessor(&CcmFeature::m_reportInterval),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()))
            .AddAttribute("ReportLife",
                          "How long a port that was reported by type 3 is no light path of its "
                          "flow.",
                          TimeValue(MicroSeconds(400)),
                          MakeTimeAccessor(&CcmFeature::m_reportLife),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()))
            .AddAttribute("MoveHold",
                          "Least time between two moves of a flow.",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&CcmFeature::m_moveHold),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()))
            .AddAttribute("FlowTimeout",
                          "Pause of a flow after which its port is forgotten.",
                          TimeValue(MilliSeconds(1)),
                          MakeTimeAccessor(&CcmFeature::m_flowTimeout),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()))
            .AddAttribute("ClaimRefresh",
                          "Time after which type 1 is sent again while its reason lasts.",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&CcmFeature::m_claimRefresh),
                          MakeTimeChecker(NanoSeconds(100), AttributeRange::GetMaxTime()))
            .AddAttribute("ClaimTimeout",
                          "Time without a packet of a flow after which it is released.",
                          TimeValue(MicroSeconds(500)),
                          MakeTimeAccessor(&CcmFeature::m_claimTimeout),
                          MakeTimeChecker(NanoSeconds(100), AttributeRange::GetMaxTime()))
            .AddAttribute("ReleaseDelay",
                          "Time that the reason of type 1 has to be over before type 2 follows.",
                          TimeValue(MicroSeconds(50)),
                          MakeTimeAccessor(&CcmFeature::m_releaseDelay),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()))
            .AddAttribute("TableSize",
                          "Flows in each table: moved or reported, told of, claimed. A flow for "
                          "which there is no room is treated as without the feature.",
                          UintegerValue(16384),
                          MakeUintegerAccessor(&CcmFeature::m_tableSize),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("ControlClass",
                          "Class of the notifications.",
                          UintegerValue(6),
                          MakeUintegerAccessor(&CcmFeature::m_controlClass),
                          MakeUintegerChecker<uint8_t>(0, 7))
            .AddAttribute("WireFormat",
                          "Sizes on the wire; null for true RoCEv2.",
                          PointerValue(),
                          MakePointerAccessor(&CcmFeature::m_wire),
                          MakePointerChecker<WireFormat>())
            .AddTraceSource("Tag",
                            "A tagged packet has got its output and its tag.",
                            MakeTraceSourceAccessor(&CcmFeature::m_tagTrace),
                            "ns3::CcmFeature::TagTracedCallback")
            .AddTraceSource("Tell",
                            "A notification is sent.",
                            MakeTraceSourceAccessor(&CcmFeature::m_tellTrace),
                            "ns3::CcmFeature::TellTracedCallback");
    return tid;
}

CcmFeature::CcmFeature() = default;

CcmFeature::~CcmFeature() = default;

uint32_t
CcmFeature::GetHooks() const
{
    const uint32_t hooks = CONSUME | ADMIT | DEQUEUE | DROP;
    return m_adaptive ? hooks | CHOOSE_PATH : hooks;
}

const char*
CcmFeature::GetClash() const
{
    return " and would count each path twice";
}

SwitchFeature::Effects
CcmFeature::GetEffects() const
{
    Effects effects;
    effects.moves = m_adaptive; // one path at a time
    effects.stay = "Adaptive";
    effects.keepsOrder = !m_adaptive;
    effects.reachesSwitches = m_adaptive;
    effects.message = "tells sources which flows need congestion control";
    effects.repeat = "ClaimRefresh";
    effects.repeatPs = FabricTime::ToPs(m_claimRefresh);
    return effects;
}

SwitchFeature::Growth
CcmFeature::GetGrowth(const WireFormat& /* wire */, uint8_t /* hops */, bool /* exact */) const
{
    return {WireFormat::GetTagBytes(), 0};
}

SwitchFeature::Counters
CcmFeature::GetCounters() const
{
    return {{"ccm_type1", m_told[CcmKind::REQUIRED]},
            {"ccm_type2", m_told[CcmKind::RELEASED]},
            {"ccm_type3", m_told[CcmKind::REROUTE]},
            {"ccm_type3_vain", m_ineffectiveReports},
            {"ccm_moves", m_moves},
            {"ccm_moves_upstream", m_movesUpstream}};
}

void
CcmFeature::Attach(FabricSwitch* sw, uint32_t number)
{
    SwitchFeature::Attach(sw, number);
    if (!m_wire)
    {
        m_wire = CreateObject<RoceV2WireFormat>();
    }
    m_routes = std::make_unique<CcmRoutes>(CcmRoutes::Limits{FabricTime::ToPs(m_flowTimeout),
                                                             FabricTime::ToPs(m_moveHold),
                                                             FabricTime::ToPs(m_reportLife),
                                                             m_tableSize});
    m_claims = std::make_unique<CcmClaims>(CcmClaims::Limits{FabricTime::ToPs(m_claimRefresh),
                                                             FabricTime::ToPs(m_releaseDelay),
                                                             FabricTime::ToPs(m_claimTimeout),
                                                             m_tableSize});
    m_reports =
        std::make_unique<AgedTable<bool>>(FabricTime::ToPs(m_reportInterval) - 1, m_tableSize);
    m_outputs.clear();
    m_outputs.resize(sw->GetNPorts());
    for (uint16_t port = 0; port < sw->GetNPorts(); ++port)
    {
        const FabricNetDevice& device = *sw->GetPort(port);
        const FabricNetDevice* peer = device.GetLink().GetPeer();
        m_outputs[port].toHost = peer && !dynamic_cast<const FabricSwitch*>(peer->GetActor());
        m_outputs[port].neighbor =
            peer ? peer->GetActor()->GetAddress() : FabricPacketItem::NO_AR_POINT;
        Configure(port, device.GetRateBps());
    }
}

CcmFeature::Thresholds
CcmFeature::GetThresholds(uint16_t port, uint64_t rateBps) const
{
    const auto get = [rateBps](uint64_t given, uint64_t ns) {
        return given > 0 ? given : GetLineBytes(rateBps, ns);
    };
    const Thresholds t{get(m_lightBytes, CCM_LIGHT_NS),
                       get(m_heavyBytes, CCM_HEAVY_NS),
                       get(m_incastBytes, CCM_INCAST_NS)};
    if (t.heavyBytes <= t.lightBytes || t.incastBytes <= t.lightBytes)
    {
        throw FabricError(FabricTerm::Class("ns3::CcmFeature"),
                          ": on port " + std::to_string(port) + " of switch " +
                              std::to_string(m_switch->GetAddress()) +
                              " LightBytes, HeavyBytes and IncastBytes are " +
                              std::to_string(t.lightBytes) + ", " + std::to_string(t.heavyBytes) +
                              " and " + std::to_string(t.incastBytes),
                          {FabricRemedy::Do("the latter two must be above the first")});
    }
    return t;
}

void
CcmFeature::Configure(uint16_t port, uint64_t rateBps)
{
    const Thresholds t = GetThresholds(port, rateBps);
    m_outputs[port].load.Configure(t.lightBytes, t.heavyBytes);
    m_outputs[port].incast.Configure(t.lightBytes, t.incastBytes);
    m_outputs[port].use.Configure(rateBps, t.heavyBytes);
    // a flow at line rate has made an output heavy by then, if it was not idle
    m_outputs[port].spacingPs = static_cast<int64_t>(static_cast<double>(t.heavyBytes) * 8e12 /
                                                     static_cast<double>(rateBps));
}

void
CcmFeature::CheckRate(uint16_t port, uint64_t rateBps) const
{
    GetThresholds(port, rateBps);
}

void
CcmFeature::OnLinkChange(FabricNetDevice& port)
{
    Configure(port.GetPort(), port.GetRateBps());
    Look(port.GetPort());
}

bool
CcmFeature::IsHeavy(uint16_t port) const
{
    return m_outputs.at(port).load.IsHeavy();
}

bool
CcmFeature::IsIncast(uint16_t port) const
{
    return m_outputs.at(port).toHost && m_outputs.at(port).incast.IsHeavy();
}

uint64_t
CcmFeature::GetWaitingBytes(uint16_t port, const FabricPacketItem& item) const
{
    // virtual output queues count it already
    return m_switch->GetPortLoads().GetWaitingBytes(port) +
           (m_switch->GetBuffer()->HoldsPackets() ? 0 : item.size);
}

void
CcmFeature::Look(uint16_t port)
{
    Look(port, m_switch->GetPortLoads().GetWaitingBytes(port));
}

void
CcmFeature::Look(uint16_t port, uint64_t bytes)
{
    Output& output = m_outputs[port];
    if (!output.toHost)
    {
        output.load.Update(bytes);
        return;
    }
    if (output.incast.Update(bytes))
    {
        NS_LOG_LOGIC(*m_switch->GetPort(port)
                     << ": incast " << (output.incast.IsHeavy() ? "begins" : "ends") << " with "
                     << bytes << " bytes of " << output.waiting.GetSize() << " flows");
        m_claims->SetOutputOver(port, !output.incast.IsHeavy(), m_switch->GetNowPs());
        ArmReview();
    }
}

void
CcmFeature::LookAround()
{
    if (!m_hasLooked)
    {
        m_hasLooked = true;
        m_channels = m_switch->GetFeature<VirtualChannels>();
        const auto& features = m_switch->GetFeatures();
        m_isLedByLoad = std::any_of(features.begin(), features.end(), [](const auto& feature) {
            return feature->GetEffects().leadsByLoad;
        });
    }
}

const Ptr<VirtualChannels>&
CcmFeature::GetChannels()
{
    LookAround();
    return m_channels;
}

uint8_t
CcmFeature::GetNextClass(const FabricPacketItem& item, uint16_t port)
{
    const uint8_t priority = item.GetPriority();
    const Ptr<VirtualChannels>& channels = GetChannels();
    return channels ? channels->GetNextClass(priority, item.ingressPort, port, item.dst, false)
                    : priority;
}

bool
CcmFeature::IsBlocked(uint16_t port, const FabricPacketItem& item)
{
    return m_outputs[port].load.IsHeavy() ||
           (m_switch->GetPort(port)->GetPausedClasses() >> GetNextClass(item, port) & 1) != 0;
}

const std::vector<LightPathChoice::Path>&
CcmFeature::ListPaths(const PortGroup& group,
                      const FabricPacketItem& item,
                      const CcmRoutes::Route* route,
                      int64_t nowPs)
{
    const Ptr<VirtualChannels>& channels = GetChannels();
    const ForwardingTable& table = m_switch->GetForwardingTable();
    m_paths.clear();
    for (uint16_t i = 0; i < group.nPorts; ++i)
    {
        const uint16_t port = group.ports[i];
        if (table.IsDown(port) ||
            (channels && !channels->Allows(channels->GetChannel(item.GetPriority()),
                                           item.ingressPort,
                                           port,
                                           item.dst)))
        {
            continue;
        }
        const bool isLight = !IsBlocked(port, item) && !CcmRoutes::IsReported(route, port, nowPs);
        // of light paths an idle one is better than one that a flow fills without a queue
        m_paths.push_back(
            {port,
             isLight,
             m_switch->GetPortLoads().GetWaitingBytes(port) + m_outputs[port].use.GetBytes(nowPs),
             nowPs >= m_outputs[port].takesPs});
    }
    return m_paths;
}

void
CcmFeature::OnChoosePath(const PortGroup& group, FabricPacketItem& item, uint16_t& port)
{
    // paths are also traced, without a packet that comes: all effects are those of OnAdmit()
    m_decision.item = nullptr;
    if (item.type != FabricPacketType::DATA || (item.flags & FabricPacketItem::FLAG_TAG) == 0 ||
        item.ingressPort == FabricPacketItem::NO_PORT || m_outputs[port].toHost)
    {
        return;
    }
    const int64_t nowPs = m_switch->GetNowPs();
    const uint64_t path = CcmFlow::Of(item).GetPathNumber();
    const CcmRoutes::Route* route = m_routes->Find(path, nowPs);
    const auto& paths = ListPaths(group, item, route, nowPs);
    const auto isOpen = [&paths](uint16_t candidate) {
        return std::any_of(paths.begin(), paths.end(), [candidate](const auto& open) {
            return open.port == candidate;
        });
    };
    const bool known = route && isOpen(route->port);
    const uint16_t present = known ? route->port : port;
    const bool isIncast =
        IsBlocked(present, item) &&
        m_outputs[present].last.IsIncast(item.src,
                                         item.GetReceiver(),
                                         m_switch->GetPortLoads().GetWaitingBytes(present));
    const bool mayMove = (item.flags & FabricPacketItem::FLAG_CC) == 0 && !isIncast &&
                         m_routes->MayMove(route, nowPs) && (route || m_routes->HasRoom(nowPs));
    const LightPathChoice::Result result =
        LightPathChoice::Choose(paths, present, mayMove, item.flowHash);
    m_decision = {&item,
                  path,
                  result.port,
                  result.nLight,
                  known,
                  result.port != present,
                  CcmRoutes::IsReported(route, present, nowPs),
                  isIncast};
    port = result.port;
}

void
CcmFeature::OnAdmit(FabricNetDevice& /* ingress */, FabricNetDevice& egress, FabricPacketItem& item)
{
    const int64_t nowPs = m_switch->GetNowPs();
    const uint16_t port = egress.GetPort();
    Look(port, GetWaitingBytes(port, item));
    m_outputs[port].use.Add(item.size, nowPs);
    if (item.type != FabricPacketType::DATA || (item.flags & FabricPacketItem::FLAG_TAG) == 0)
    {
        return;
    }
    const bool hasCc = (item.flags & FabricPacketItem::FLAG_CC) != 0;
    uint16_t nLight = 0;
    if (m_outputs[port].toHost)
    {
        Deliver(port, item, nowPs);
    }
    else if (!m_adaptive)
    {
        Watch(port, item, nowPs);
    }
    else if (m_decision.item == &item && m_decision.port == port)
    {
        // what is sent from here on has its path chosen, too
        const Decision decision = m_decision;
        m_decision.item = nullptr;
        nLight = hasCc ? 0 : decision.nLight;
        Steer(decision, item, nowPs);
        m_outputs[port].last.Add(item.src, item.GetReceiver(), item.size);
    }
    const CcmFlow flow = CcmFlow::Of(item);
    m_tagTrace({flow.key.src, flow.pdc, hasCc, item.arPoint, port, nLight});
}

void
CcmFeature::Steer(const Decision& decision, FabricPacketItem& item, int64_t nowPs)
{
    if (decision.moves)
    {
        m_routes->Move(decision.path, decision.port, nowPs);
        m_outputs[decision.port].takesPs = nowPs + m_outputs[decision.port].spacingPs;
        ++m_moves;
        m_movesUpstream += decision.reported ? 1 : 0;
        NS_LOG_LOGIC(*m_switch << ": moves to port " << decision.port << ", one of "
                               << decision.nLight << " light ones: " << item);
    }
    else if (decision.known)
    {
        m_routes->Keep(decision.path, nowPs);
    }
    Renew(item, decision.nLight > 0 && !decision.isIncast, nowPs);
    if ((item.flags & FabricPacketItem::FLAG_CC) != 0)
    {
        return;
    }
    if (decision.nLight > 1)
    {
        item.arPoint = m_switch->GetAddress();
    }
    if (decision.isIncast)
    {
        GiveUp(item, nowPs);
    }
    else if (decision.nLight == 0)
    {
        Report(item, nowPs);
    }
}

void
CcmFeature::Watch(uint16_t port, FabricPacketItem& item, int64_t nowPs)
{
    // Where each packet is led to one of several paths, as by UGAL, there is a path as long as one
    // of these is light. Else nobody does, and the path of a packet is all it has.
    LookAround();
    if (item.ingressPort != FabricPacketItem::NO_PORT && m_outputs[item.ingressPort].toHost &&
        m_isLedByLoad && HasLight(item))
    {
        item.arPoint = m_switch->GetAddress();
    }
    const bool isLed = item.arPoint != FabricPacketItem::NO_AR_POINT && item.arPoint != item.src;
    const bool isLost = IsBlocked(port, item) && !isLed;
    Renew(item, !isLost, nowPs);
    if (isLost && (item.flags & FabricPacketItem::FLAG_CC) == 0)
    {
        GiveUp(item, nowPs);
    }
}

bool
CcmFeature::HasLight(const FabricPacketItem& item)
{
    for (uint16_t port = 0; port < m_outputs.size(); ++port)
    {
        if (!m_outputs[port].toHost && !IsBlocked(port, item))
        {
            return true;
        }
    }
    return false;
}

void
CcmFeature::Renew(const FabricPacketItem& item, bool over, int64_t nowPs)
{
    const uint64_t flow = CcmFlow::Of(item).GetNumber();
    const uint16_t* reason = m_claims->See(flow, nowPs);
    if (reason && *reason == CcmClaims::NO_PATH && m_claims->SetOver(flow, over, nowPs))
    {
        ArmReview();
    }
}

void
CcmFeature::GiveUp(FabricPacketItem& item, int64_t nowPs)
{
    if (m_markNoPath)
    {
        item.Mark();
    }
    // A source reacts to marks only of packets with the CC indicator ([CCM] section 6.4): a mark
    // alone would do nothing.
    Claim(CcmFlow::Of(item), CcmClaims::NO_PATH, nowPs);
}

bool
CcmFeature::NamesOther(const FabricPacketItem& item) const
{
    return item.arPoint != FabricPacketItem::NO_AR_POINT && item.arPoint != m_switch->GetAddress();
}

void
CcmFeature::Report(FabricPacketItem& item, int64_t nowPs)
{
    const CcmFlow flow = CcmFlow::Of(item);
    if (!NamesOther(item))
    {
        GiveUp(item, nowPs);
        return;
    }
    const bool isTold = m_reports->Find(flow.GetPathNumber(), nowPs) != nullptr;
    if (!isTold && m_reports->Touch(flow.GetPathNumber(), nowPs))
    {
        Tell(CcmKind::REROUTE, item.arPoint, flow);
    }
}

void
CcmFeature::Deliver(uint16_t port, FabricPacketItem& item, int64_t nowPs)
{
    Output& output = m_outputs[port];
    const CcmFlow flow = CcmFlow::Of(item);
    output.waiting.Enter(flow.GetNumber(), item.bufferBytes);
    m_claims->See(flow.GetNumber(), nowPs);
    if (!output.incast.IsHeavy() || !output.waiting.HasShare(flow.GetNumber(), m_incastShare))
    {
        return;
    }
    // not while the queue only drains: the sources have been told
    if (m_markIncasts && GetWaitingBytes(port, item) >= output.incast.GetHighBytes())
    {
        item.Mark();
    }
    Claim(flow, port, nowPs);
}

void
CcmFeature::OnDequeue(FabricNetDevice& egress, FabricPacketItem& item)
{
    Output& output = m_outputs[egress.GetPort()];
    if (output.toHost && item.bufferBytes > 0 && item.type == FabricPacketType::DATA &&
        (item.flags & FabricPacketItem::FLAG_TAG) != 0)
    {
        output.waiting.Leave(CcmFlow::Of(item).GetNumber(), item.bufferBytes);
    }
    Look(egress.GetPort());
}

void
CcmFeature::OnDrop(FabricPacketItem& item, DropReason reason, const FabricNetDevice* egress)
{
    if (!egress)
    {
        if (m_adaptive && (reason == DropReason::PORT_DOWN || reason == DropReason::NO_ROUTE))
        {
            ReportDeadEnd(item);
        }
        return;
    }
    Look(egress->GetPort());
    // without room it was never admitted
    if (item.bufferBytes > 0 && item.type == FabricPacketType::DATA &&
        (item.flags & FabricPacketItem::FLAG_TAG) != 0 && m_outputs[egress->GetPort()].toHost)
    {
        m_outputs[egress->GetPort()].waiting.Leave(CcmFlow::Of(item).GetNumber(), item.bufferBytes);
    }
}

void
CcmFeature::ReportDeadEnd(FabricPacketItem& item)
{
    // no path at all is less than none that is light; upstream it looks idle
    const bool isRouted = item.type == FabricPacketType::DATA &&
                          (item.flags & FabricPacketItem::FLAG_TAG) != 0 &&
                          (item.flags & FabricPacketItem::FLAG_CC) == 0;
    if (isRouted && NamesOther(item))
    {
        Report(item, m_switch->GetNowPs());
    }
}

void
CcmFeature::Claim(const CcmFlow& flow, uint16_t reason, int64_t nowPs)
{
    if (m_claims->Claim(flow, reason, nowPs))
    {
        Tell(CcmKind::REQUIRED, flow.key.src, flow);
        ArmReview();
    }
}

bool
CcmFeature::OnConsume(FabricNetDevice& /* ingress */, FabricPacketItem& item)
{
    if (item.type != FabricPacketType::CCM || item.As<CcmFields>().kind != CcmKind::REROUTE)
    {
        return false; // the other types are for hosts
    }
    const CcmFlow flow = CcmFlow::OfNotification(item);
    const bool isTaken = m_adaptive && Reroute(flow, item.src, m_switch->GetNowPs());
    m_ineffectiveReports += isTaken ? 0 : 1;
    NS_LOG_LOGIC(*m_switch << (isTaken ? ": will move the flow of " : ": cannot move the flow of ")
                           << item);
    return true;
}

bool
CcmFeature::Reroute(const CcmFlow& flow, uint32_t reporter, int64_t nowPs)
{
    const ForwardingTable& table = m_switch->GetForwardingTable();
    const PortGroup group = table.Lookup(flow.key.dst);
    if (group.nPorts < 2)
    {
        return false;
    }
    const CcmRoutes::Route* route = m_routes->Find(flow.GetPathNumber(), nowPs);
    const uint16_t* end = group.ports + group.nPorts;
    uint16_t present = FabricPacketItem::NO_PORT;
    if (route && !table.IsDown(route->port) && std::find(group.ports, end, route->port) != end)
    {
        present = route->port;
    }
    else
    {
        // where its packets go without this feature
        auto probe = FabricPacketItem::Create(FabricPacketType::DATA);
        probe->src = flow.key.src;
        probe->dst = flow.key.dst;
        probe->entropy = flow.key.entropy;
        probe->UpdateFlowHash();
        present = m_switch->ChoosePort(*probe);
    }
    return present != FabricPacketItem::NO_PORT &&
           m_routes->Take(flow.GetPathNumber(),
                          present,
                          GetSource(group, present, reporter),
                          nowPs);
}

CcmRoutes::Source
CcmFeature::GetSource(const PortGroup& group, uint16_t present, uint32_t reporter) const
{
    if (m_outputs[present].neighbor == reporter)
    {
        return CcmRoutes::Source::PRESENT;
    }
    const uint16_t* end = group.ports + group.nPorts;
    return std::any_of(
               group.ports,
               end,
               [this, reporter](uint16_t port) { return m_outputs[port].neighbor == reporter; })
               ? CcmRoutes::Source::FORMER
               : CcmRoutes::Source::UNKNOWN;
}

void
CcmFeature::Tell(uint8_t kind, uint32_t to, const CcmFlow& flow)
{
    Ptr<FabricPacketItem> item = FabricPacketItem::Create(FabricPacketType::CCM);
    item->src = m_switch->GetAddress();
    item->dst = to;
    item->pdc = flow.pdc;
    item->entropy = flow.key.entropy;
    item->ds = FabricPacketItem::MakeDs(m_controlClass, 0);
    item->size = m_wire->GetNoticeBytes(CcmFields::BYTES);
    item->As<CcmFields>() = {kind, flow.key.src, flow.key.dst, flow.key.entropy};
    item->UpdateFlowHash();
    NS_LOG_LOGIC(*m_switch << ": tells " << *item);
    ++m_told[kind];
    m_tellTrace(item);
    m_switch->Originate(std::move(item));
}

void
CcmFeature::ArmReview()
{
    // a refresh may be late: it was not due while the reason seemed to be over
    const int64_t nextPs = std::max(m_claims->GetNextPs(), m_switch->GetNowPs());
    if (nextPs < m_reviewPs)
    {
        m_reviewPs = nextPs;
        m_switch->ArmTimer(m_number, nextPs);
    }
}

void
CcmFeature::OnTimer(int64_t nowPs)
{
    if (nowPs < m_reviewPs)
    {
        return; // something was due later when this was asked for
    }
    m_reviewPs = FabricTime::NEVER;
    for (const CcmClaims::Message& message : m_claims->Review(nowPs))
    {
        Tell(message.kind, message.flow.key.src, message.flow);
    }
    ArmReview();
}

void
CcmFeature::DoDispose()
{
    m_outputs.clear();
    m_routes = nullptr;
    m_claims = nullptr;
    m_reports = nullptr;
    m_channels = nullptr;
    m_wire = nullptr;
    SwitchFeature::DoDispose();
}

} // namespace ns3
