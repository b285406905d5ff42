// SPDX-License-Identifier: GPL-2.0-only
#include "rcm-feature.h"

#include "ns3/boolean.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-net-device.h"
#include "ns3/fabric-switch.h"
#include "ns3/log.h"
#include "ns3/pointer.h"
#include "ns3/string.h"
#include "ns3/switch-notice.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3
{

LogComponent RcmFeature::g_log("RcmFeature", __FILE__);

NS_OBJECT_ENSURE_REGISTERED(RcmFeature);

struct RcmFeature::Output
{
    /**
     * @param parameters of all
     * @param rates of the lines of the switch, by port
     * @param port which it is
     */
    Output(const RcmParameters& parameters, const std::vector<uint64_t>& rates, uint16_t port)
        : region(parameters, &rates, port),
          window(parameters, rates[port]),
          queues(1 + rates.size(), QcnCongestionPoint(parameters))
    {
        use.Configure(rates[port], parameters.sampleBytes, USED_SHARE);
    }

    /// A line that is used more leaves a second flow less than the half that it has.
    static constexpr double USED_SHARE = 0.5;

    RcmRegion region;                       //!< place in it
    RcmWindow window;                       //!< of harmful flows
    std::vector<QcnCongestionPoint> queues; //!< of the output queue, then those of the inputs
    PhantomQueue use;                       //!< how busy the line is
    const FabricSwitch* neighbor{};         //!< that the port leads to; null: a host
    int64_t deadPs{0};    //!< the neighbor may be told again then that there is no way from here
    bool isRemote{false}; //!< the neighbor had told of congestion at the last look
};

namespace
{

/// Number of the output queue among those of an output; 1 + n: that of input n.
constexpr uint16_t OUTPUT_QUEUE = 0;

} // namespace

TypeId
RcmFeature::GetTypeId()
{
    static TypeId tid = TypeId("ns3::RcmFeature")
                            .SetParent<SwitchFeature>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<RcmFeature>()
                            .AddAttribute("Parameters",
                                          "What all parts read.",
                                          StringValue("ns3::RcmParameters"),
                                          MakePointerAccessor(&RcmFeature::m_parameters),
                                          MakePointerChecker<RcmParameters>())
                            .AddAttribute("Control",
                                          "Harmful flows are held back (RCC).",
                                          BooleanValue(true),
                                          MakeBooleanAccessor(&RcmFeature::m_control),
                                          MakeBooleanChecker())
                            .AddAttribute("Detour",
                                          "Other flows are led around congestion (SAR).",
                                          BooleanValue(true),
                                          MakeBooleanAccessor(&RcmFeature::m_detour),
                                          MakeBooleanChecker())
                            .AddAttribute("MarkHarmfulOnly",
                                          "In the region output queues mark harmful flows only.",
                                          BooleanValue(true),
                                          MakeBooleanAccessor(&RcmFeature::m_markHarmfulOnly),
                                          MakeBooleanChecker())
                            .AddAttribute("DataClass",
                                          "Class that is controlled.",
                                          UintegerValue(3),
                                          MakeUintegerAccessor(&RcmFeature::m_dataClass),
                                          MakeUintegerChecker<uint8_t>(0, 7))
                            .AddAttribute("ControlClass",
                                          "Class of the notifications.",
                                          UintegerValue(6),
                                          MakeUintegerAccessor(&RcmFeature::m_controlClass),
                                          MakeUintegerChecker<uint8_t>(0, 7))
                            .AddAttribute("WireFormat",
                                          "Sizes on the wire; null for true RoCEv2.",
                                          PointerValue(),
                                          MakePointerAccessor(&RcmFeature::m_wire),
                                          MakePointerChecker<WireFormat>());
    return tid;
}

RcmFeature::RcmFeature()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

RcmFeature::~RcmFeature() = default;

uint32_t
RcmFeature::GetHooks() const
{
    const uint32_t hooks = CONSUME | ADMIT | ENQUEUE | DEQUEUE | DROP;
    return m_detour ? hooks | CHOOSE_PATH : hooks;
}

const char*
RcmFeature::GetClash() const
{
    return " and would hold each harmful flow twice";
}

SwitchFeature::Effects
RcmFeature::GetEffects() const
{
    Effects effects;
    effects.holdsPackets = true;
    effects.paths = m_detour ? UINT32_MAX : 1;
    effects.keepsOrder = !m_detour;
    return effects;
}

SwitchFeature::Counters
RcmFeature::GetCounters() const
{
    uint64_t cuts = 0;
    for (const auto& output : m_outputs)
    {
        cuts += output->window.GetNCuts();
    }
    return {{"rcm_notifications", m_notifications},
            {"rcm_cuts", cuts},
            {"rcm_detoured_packets", m_detouredPackets}};
}

void
RcmFeature::Attach(FabricSwitch* sw, uint32_t number)
{
    SwitchFeature::Attach(sw, number);
    if (!m_wire)
    {
        m_wire = CreateObject<RoceV2WireFormat>();
    }
    if (!m_parameters)
    {
        throw FabricError(FabricTerm::Class("ns3::RcmFeature") + " needs Parameters, as " +
                          FabricTerm::Class("ns3::RcmParameters"));
    }
    sw->GetBuffer()->SetFilter(this);
    m_detours = std::make_unique<DetourTable>(m_parameters->detourTimeout);
    m_outputs.clear();
    m_rates.clear();
    for (uint16_t port = 0; port < sw->GetNPorts(); ++port)
    {
        m_rates.push_back(sw->GetPort(port)->GetRateBps());
    }
    for (uint16_t port = 0; port < sw->GetNPorts(); ++port)
    {
        m_outputs.push_back(std::make_unique<Output>(*m_parameters, m_rates, port));
        if (const FabricNetDevice* peer = sw->GetPort(port)->GetLink().GetPeer())
        {
            m_outputs.back()->neighbor = dynamic_cast<const FabricSwitch*>(peer->GetActor());
        }
    }
    Renew();
}

int64_t
RcmFeature::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    Renew();
    return 1;
}

const RcmRegion&
RcmFeature::GetRegion(uint16_t port) const
{
    return m_outputs.at(port)->region;
}

const RcmWindow&
RcmFeature::GetWindow(uint16_t port) const
{
    return m_outputs.at(port)->window;
}

void
RcmFeature::Renew()
{
    m_draw = m_random->GetValue();
}

uint64_t
RcmFeature::GetInputBytes(uint16_t input, uint16_t port) const
{
    return m_switch->GetBuffer()->GetInputBytes(input, port, m_dataClass);
}

bool
RcmFeature::OnConsume(FabricNetDevice& ingress, FabricPacketItem& item)
{
    HopCongestionNotification notification;
    if (!SwitchNotice::Read(item, notification) || notification.priority != m_dataClass)
    {
        return false;
    }
    const uint16_t port = ingress.GetPort();
    Output& output = *m_outputs[port];
    const int64_t nowPs = m_switch->GetNowPs();
    output.region.GetNeighbor().OnNotification(notification, nowPs);
    NS_LOG_LOGIC(ingress << ": told of degree " << notification.GetDegree() << " by output "
                         << notification.queue << ", " << notification.flows.size()
                         << " harmful flows");
    Cut(port, notification.GetDegree());
    if (notification.degree > 0)
    {
        m_switch->ArmTimer(m_number, nowPs + FabricTime::ToPs(m_parameters->remoteTimeout));
    }
    return true;
}

void
RcmFeature::OnChoosePath(const PortGroup& group, FabricPacketItem& item, uint16_t& port)
{
    // paths are also traced, without a packet that comes: OnAdmit() must not take one for another
    m_routedItem = nullptr;
    if (group.nPorts < 2 || !IsRegional(item))
    {
        return;
    }
    const int64_t nowPs = m_switch->GetNowPs();
    const FlowKey flow = FlowKey::Of(item);
    const FlowPortTable::Entry* detour = m_detours->Find(flow.GetNumber());
    const ForwardingTable& table = m_switch->GetForwardingTable();
    const uint16_t* end = group.ports + group.nPorts;
    m_routedPort = port;
    uint16_t present = m_detours->GetPort(detour, port, nowPs);
    if (present != port && (table.IsDown(present) || std::find(group.ports, end, present) == end))
    {
        present = port;
    }
    m_routedItem = detour ? &item : nullptr;
    RcmRegion& region = m_outputs[present]->region;
    const bool isMisled = present != port && region.GetRemoteDegree() > 0 && region.IsHarmful(flow);
    const FlowPortTable::Entry* stay =
        isMisled && region.GetNeighbor().HasNoWay(flow) ? nullptr : detour;
    if ((isMisled || CallsForDetours(present)) && m_detours->MayLeave(stay, present, nowPs))
    {
        port = ChooseAnother(group, flow, present);
        m_routedItem = port == m_routedPort && !detour ? nullptr : &item;
        return;
    }
    port = present;
}

uint16_t
RcmFeature::ChooseAnother(const PortGroup& group, const FlowKey& flow, uint16_t present)
{
    const uint16_t home = m_routedPort;
    RcmRegion& here = m_outputs[present]->region;
    const int64_t fillPs = GetLinePs(home, m_parameters->camDepth * m_parameters->camBytes);
    m_settling = {GetLinePs(present, GetWaitingBytes(present)) + fillPs, fillPs};
    if (here.IsHarmful(flow) && here.KnowsHarmful())
    {
        // on its own way it does no more harm than without detours
        return here.GetRemoteDegree() > 0 || !CallsForDetours(home) ? home : present;
    }
    // of two flows one gains nothing where there is another
    const bool isCrowded =
        here.GetNeighbor().KnowsFlows() || here.StandsOut() || here.GetNSharing() > 2;
    const ForwardingTable& table = m_switch->GetForwardingTable();
    const int64_t nowPs = m_switch->GetNowPs();
    m_paths.clear();
    for (uint16_t i = 0; i < group.nPorts; ++i)
    {
        const uint16_t other = group.ports[i];
        Output& output = *m_outputs[other];
        const uint64_t use = output.use.GetBytes(nowPs);
        m_paths.push_back({other,
                           !table.IsDown(other) && !output.region.GetNeighbor().Names(flow) &&
                               (isCrowded || 2 * use < m_parameters->sampleBytes),
                           output.region.Mix(output.region.GetLocalDegree()),
                           GetWaitingBytes(other) + use});
    }
    return m_detours->Choose(present, m_paths, nowPs);
}

uint64_t
RcmFeature::GetWaitingBytes(uint16_t port) const
{
    const PortQueue& queue = m_switch->GetPort(port)->GetQueue();
    return queue.GetClassBytes(m_dataClass) + queue.GetWaitingBytes(m_dataClass);
}

int64_t
RcmFeature::GetLinePs(uint16_t port, uint64_t bytes) const
{
    const auto rateBps = static_cast<double>(m_switch->GetPort(port)->GetRateBps());
    return std::llround(static_cast<double>(FabricTime::PS_PER_BYTE_AT_1_BPS) / rateBps *
                        static_cast<double>(bytes));
}

bool
RcmFeature::CallsForDetours(uint16_t port) const
{
    const RcmRegion& region = m_outputs[port]->region;
    if (!region.CallsForDetours(m_switch->GetPort(port)->GetQueue().GetWaitingBytes(m_dataClass)))
    {
        return false; // no queue is longer than all together
    }
    uint64_t longest = 0;
    for (uint16_t input = 0; input < m_outputs.size() && !region.CallsForDetours(longest); ++input)
    {
        longest = std::max(longest, GetInputBytes(input, port));
    }
    return region.CallsForDetours(longest);
}

void
RcmFeature::OnAdmit(FabricNetDevice& ingress, FabricNetDevice& egress, FabricPacketItem& item)
{
    if (!IsRegional(item))
    {
        return;
    }
    const uint16_t port = egress.GetPort();
    if (m_routedItem == &item)
    {
        const uint64_t flow = FlowKey::Of(item).GetNumber();
        m_routedItem = nullptr;
        m_detours->OnTaken(flow, m_routedPort, port, m_switch->GetNowPs(), m_settling);
        m_detouredPackets += port == m_routedPort ? 0 : 1;
    }
    const uint16_t queue = OUTPUT_QUEUE + 1 + ingress.GetPort();
    Output& output = *m_outputs[port];
    if (m_detour)
    {
        output.use.Add(item.size, m_switch->GetNowPs());
    }
    if (output.region.GetRemoteDegree() > 0)
    {
        output.region.GetNeighbor().OnArrival(FlowKey::Of(item), ingress.GetPort());
    }
    if (output.queues[queue].OnArrival(item.size))
    {
        Sample(port, queue, GetInputBytes(ingress.GetPort(), port));
    }
}

void
RcmFeature::OnEnqueue(FabricNetDevice& egress, FabricPacketItem& item)
{
    if (!IsRegional(item) || item.ingressPort == FabricPacketItem::NO_PORT)
    {
        return;
    }
    const uint16_t port = egress.GetPort();
    Output& output = *m_outputs[port];
    const uint16_t queue = OUTPUT_QUEUE + 1 + item.ingressPort;
    if (output.queues[queue].GetDegree() > 0) // else its departures say nothing
    {
        OnLeft(port, queue, GetInputBytes(item.ingressPort, port));
    }
    const FlowKey flow = FlowKey::Of(item);
    if (m_markHarmfulOnly && (item.ds & FabricPacketItem::ECN_MASK) == FabricPacketItem::ECN_ECT0 &&
        output.region.IsHarmless(flow))
    {
        item.flags |= FabricPacketItem::FLAG_SPARED;
        item.ds &= static_cast<uint8_t>(~FabricPacketItem::ECN_MASK);
    }
    if (output.window.GetState() != RcmWindow::IDLE)
    {
        const int64_t nowPs = m_switch->GetNowPs();
        output.window.OnSent(flow, output.region.IsHarmful(flow), item.size, nowPs);
    }
    if (output.region.OnPacket(flow, item.size, m_draw, item.ingressPort))
    {
        Renew();
    }
    if (output.queues[OUTPUT_QUEUE].OnArrival(item.size))
    {
        Sample(port, OUTPUT_QUEUE, egress.GetQueue().GetClassBytes(m_dataClass) + item.size);
    }
}

void
RcmFeature::OnDequeue(FabricNetDevice& egress, FabricPacketItem& item)
{
    const uint16_t port = egress.GetPort();
    if (item.flags & FabricPacketItem::FLAG_SPARED)
    {
        item.flags &= ~FabricPacketItem::FLAG_SPARED;
        item.ds |= FabricPacketItem::ECN_ECT0;
    }
    if (IsRegional(item) && m_outputs[port]->queues[OUTPUT_QUEUE].GetDegree() > 0)
    {
        OnLeft(port, OUTPUT_QUEUE, egress.GetQueue().GetClassBytes(m_dataClass));
    }
}

void
RcmFeature::OnDrop(FabricPacketItem& item, DropReason reason, const FabricNetDevice* egress)
{
    const uint16_t input = item.ingressPort;
    if (egress || reason != DropReason::PORT_DOWN || !IsRegional(item) ||
        input == FabricPacketItem::NO_PORT || !m_outputs[input]->neighbor)
    {
        return;
    }
    const int64_t nowPs = m_switch->GetNowPs();
    if (nowPs < m_outputs[input]->deadPs)
    {
        return;
    }
    m_outputs[input]->deadPs = nowPs + FabricTime::ToPs(m_parameters->notifySpacing);
    HopCongestionNotification notification;
    notification.degree = HopCongestionNotification::MAX_DEGREE;
    notification.queue = FabricPacketItem::NO_PORT;
    notification.flows = {FlowKey::Of(item)};
    Send(input, notification);
}

void
RcmFeature::OnLeft(uint16_t port, uint16_t queue, uint64_t bytes)
{
    if (m_outputs[port]->queues[queue].OnDeparture(bytes))
    {
        Sample(port, queue, bytes);
    }
}

void
RcmFeature::Sample(uint16_t port, uint16_t queue, uint64_t bytes)
{
    Output& output = *m_outputs[port];
    QcnCongestionPoint& point = output.queues[queue];
    point.Sample(bytes, m_draw);
    Renew();
    const int64_t nowPs = m_switch->GetNowPs();
    const double degree = point.GetDegree();
    output.region.GetNeighbor().Expire(nowPs);
    output.region.SetLocal(queue, degree);
    // what waits at inputs waits for the output, and longer if it is held: no reason to hold more
    if (queue == OUTPUT_QUEUE)
    {
        Cut(port, degree);
    }
    else if (m_outputs[queue - 1]->neighbor && point.TakeNotification(nowPs))
    {
        Tell(queue - 1, port, degree);
    }
}

void
RcmFeature::Tell(uint16_t input, uint16_t port, double degree)
{
    RcmRegion& region = m_outputs[port]->region;
    HopCongestionNotification notification;
    notification.degree = degree > 0 ? HopCongestionNotification::Quantize(region.Mix(degree)) : 0;
    notification.queue = port;
    notification.flows = region.TakeHarmful(input);
    notification.isKnown = region.KnowsHarmful();
    Send(input, notification);
}

void
RcmFeature::Send(uint16_t input, HopCongestionNotification& notification)
{
    notification.priority = m_dataClass;
    Ptr<FabricPacketItem> item = SwitchNotice::Make(*m_switch,
                                                    m_outputs[input]->neighbor->GetAddress(),
                                                    FabricPacketItem::MakeDs(m_controlClass, 0),
                                                    *m_wire,
                                                    notification.Serialize());
    NS_LOG_LOGIC(*m_switch << ": tells of output " << notification.queue << ", degree "
                           << +notification.degree << " of 63, " << notification.flows.size()
                           << " harmful flows: " << *item);
    ++m_notifications;
    m_switch->Originate(std::move(item), input);
}

void
RcmFeature::Cut(uint16_t port, double degree)
{
    Output& output = *m_outputs[port];
    RcmWindow& window = output.window;
    const bool isRemote = output.region.GetRemoteDegree() > 0;
    const bool isOver = !isRemote && output.queues[OUTPUT_QUEUE].GetDegree() == 0;
    const bool held = window.GetState() == RcmWindow::CONTROLLING;
    if (isOver || (output.isRemote && !isRemote))
    {
        window.Stop();
    }
    output.isRemote = isRemote;
    if (degree > 0)
    {
        const int64_t nowPs = m_switch->GetNowPs();
        if (window.IsDue(nowPs))
        {
            output.region.Recognize();
        }
        if (m_control)
        {
            window.Cut(degree, output.region.CollectHeld(), nowPs);
        }
    }
    if (held && window.GetState() != RcmWindow::CONTROLLING)
    {
        m_switch->GetBuffer()->OnGateOpen(port);
    }
}

void
RcmFeature::OnTimer(int64_t nowPs)
{
    for (uint16_t port = 0; port < m_outputs.size(); ++port)
    {
        if (m_outputs[port]->region.GetNeighbor().Expire(nowPs))
        {
            Cut(port, 0);
        }
    }
}

void
RcmFeature::OnLinkChange(FabricNetDevice& port)
{
    Output& output = *m_outputs[port.GetPort()];
    m_rates[port.GetPort()] = port.GetRateBps();
    output.window.SetRate(port.GetRateBps());
    output.use.Configure(port.GetRateBps(), m_parameters->sampleBytes, Output::USED_SHARE);
}

bool
RcmFeature::MayPass(uint16_t output, const FabricPacketItem& head)
{
    const Output& here = *m_outputs[output];
    return !IsRegional(head) || here.window.MayHarmfulSend(m_switch->GetNowPs()) ||
           !here.region.IsHarmful(FlowKey::Of(head));
}

int64_t
RcmFeature::GetRetryPs(uint16_t output) const
{
    return m_outputs[output]->window.GetRetryPs(m_switch->GetNowPs());
}

void
RcmFeature::DoDispose()
{
    m_outputs.clear();
    m_detours = nullptr;
    m_parameters = nullptr;
    m_wire = nullptr;
    m_random = nullptr;
    SwitchFeature::DoDispose();
}

} // namespace ns3
