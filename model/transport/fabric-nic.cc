// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-nic.h"

#include "ns3/attribute-range.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-net-device.h"
#include "ns3/log.h"
#include "ns3/pointer.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

LogComponent FabricNic::g_log("FabricNic", __FILE__);

NS_OBJECT_ENSURE_REGISTERED(FabricNic);

namespace
{

/// @return true for what a receiving PDC answers with
bool
IsAnswer(FabricPacketType type)
{
    return type == FabricPacketType::ACK || type == FabricPacketType::NACK ||
           type == FabricPacketType::RTW || type == FabricPacketType::RNR;
}

} // namespace

TypeId
FabricNic::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::FabricNic")
            .SetParent<FabricActor>()
            .SetGroupName("Dcfabric")
            .AddConstructor<FabricNic>()
            .AddAttribute("PayloadBytes",
                          "Payload of a full packet in bytes (1 to 65535).",
                          UintegerValue(1000),
                          MakeUintegerAccessor(&FabricNic::m_payloadBytes),
                          MakeUintegerChecker<uint32_t>(1, 65535))
            .AddAttribute("PdcPerMessage",
                          "Each message has a PDC of its own; otherwise all messages to one host "
                          "and of one class share one.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&FabricNic::m_pdcPerMessage),
                          MakeBooleanChecker())
            .AddAttribute("MaxSendingPdcs",
                          "Most PDCs to send from; messages beyond wait until one is idle. 0: any "
                          "number.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&FabricNic::m_maxSenders),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("MaxReceivingPdcs",
                          "Receiving PDCs beyond this number are evicted when they are idle, the "
                          "least recently used first, with or without posted receives. 0: any "
                          "number.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&FabricNic::m_maxReceivers),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("PdcIdleTime",
                          "A PDC that has been idle for this time is removed, unless a posted "
                          "receive is attached to it; 0: at once with PdcPerMessage, else never.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&FabricNic::SetPdcIdleTime, &FabricNic::GetPdcIdleTime),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()))
            .AddAttribute("AckEvery",
                          "One cumulative ACK for so many packets (m of [FNCC]).",
                          UintegerValue(1),
                          MakeUintegerAccessor(&FabricNic::m_ackEvery),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute(
                "AckTimeout",
                "Time without acknowledgement after which packets are sent again; doubles "
                "each time. 0: by round-trip times, as the two attributes that follow say.",
                TimeValue(Seconds(0)),
                MakeTimeAccessor(&FabricNic::SetFixedAckTimeout, &FabricNic::GetFixedAckTimeout),
                MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()))
            .AddAttribute("FirstTimeoutRtts",
                          "AckTimeout of a PDC without any round-trip time yet, in base RTTs: of "
                          "the pair of hosts, or T if that is larger.",
                          DoubleValue(200),
                          MakeDoubleAccessor(&FabricNic::SetFirstTimeoutRtts,
                                             &FabricNic::GetFirstTimeoutRtts),
                          MakeDoubleChecker<double>(1, 1e6))
            .AddAttribute(
                "LeastTimeoutRtts",
                "Least AckTimeout by measured round-trip times, in base RTTs: of the pair "
                "of hosts, or T if that is larger; 0: 25, or 200 where flow control keeps "
                "links from dropping.",
                DoubleValue(0),
                MakeDoubleAccessor(&FabricNic::SetLeastTimeoutRtts,
                                   &FabricNic::GetLeastTimeoutRtts),
                MakeDoubleChecker<double>(0, 1e6))
            .AddAttribute("CnpInterval",
                          "Least time between two CNPs of a PDC; negative: no CNPs.",
                          TimeValue(NanoSeconds(-1)),
                          MakeTimeAccessor(&FabricNic::SetCnpInterval, &FabricNic::GetCnpInterval),
                          MakeTimeChecker(NanoSeconds(-1), AttributeRange::GetMaxTime()))
            .AddAttribute("EchoDelay",
                          "ACKs tell how long they waited here, in ns, for controls that separate "
                          "the delays of hosts and fabric.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&FabricNic::m_echoDelay),
                          MakeBooleanChecker())
            .AddAttribute("BaseRtt",
                          "T: base round-trip time that congestion controls assume.",
                          TimeValue(MicroSeconds(12)),
                          MakeTimeAccessor(&FabricNic::m_baseRttAttribute),
                          MakeTimeChecker(NanoSeconds(1), AttributeRange::GetMaxTime()))
            .AddAttribute("InitialPsn",
                          "Packet sequence number of the first packet of each PDC (24 bits); the "
                          "same at all hosts.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&FabricNic::m_initialPsn),
                          MakeUintegerChecker<uint32_t>(0, PacketSequence::MASK))
            .AddAttribute("DataClass",
                          "Class of data packets.",
                          UintegerValue(3),
                          MakeUintegerAccessor(&FabricNic::m_dataClass),
                          MakeUintegerChecker<uint8_t>(0, 7))
            .AddAttribute("ControlClass",
                          "Class of ACKs, NACKs and CNPs; DataClass for a single service level.",
                          UintegerValue(6),
                          MakeUintegerAccessor(&FabricNic::m_controlClass),
                          MakeUintegerChecker<uint8_t>(0, 7))
            .AddAttribute("StackQueuePackets",
                          "Most packets of the host's own stack that wait for a port.",
                          UintegerValue(1000),
                          MakeUintegerAccessor(&FabricNic::m_stackQueuePackets),
                          MakeUintegerChecker<uint32_t>(1))
            .AddTraceSource("Delivered",
                            "A message has arrived completely.",
                            MakeTraceSourceAccessor(&FabricNic::m_deliveredTrace),
                            "ns3::FabricNic::MessageTracedCallback")
            .AddTraceSource("Payload",
                            "A data packet has arrived whose payload is new.",
                            MakeTraceSourceAccessor(&FabricNic::m_payloadTrace),
                            "ns3::FabricNic::PayloadTracedCallback")
            .AddTraceSource("Completed",
                            "A message sent from here has been acknowledged completely.",
                            MakeTraceSourceAccessor(&FabricNic::m_completedTrace),
                            "ns3::FabricNic::MessageTracedCallback")
            .AddTraceSource("MessageState",
                            "A matched message, or a receive, has entered another state.",
                            MakeTraceSourceAccessor(&FabricNic::m_messageStateTrace),
                            "ns3::FabricNic::MessageStateTracedCallback");
    return tid;
}

FabricNic::FabricNic()
    : m_reliability(CreateObject<SelectiveRepeat>()),
      m_wire(CreateObject<RoceV2WireFormat>()),
      m_intFormat(CreateObject<IntFormat>())
{
    m_policy.policy.congestionControl.SetTypeId("ns3::NoCongestionControl");
    m_policy.policy.loadBalancer.SetTypeId(PerFlowLoadBalancer::GetTypeId());
}

FabricNic::~FabricNic() = default;

AckTimeout::Settings
FabricNic::GetAckTimeout() const
{
    // as good as nothing is lost there, but pauses and long queues hold packets up
    const double usual = m_isLossless ? 200 : 25;
    AckTimeout::Settings settings = m_ackTimeout;
    settings.leastRtts = m_leastTimeoutRtts > 0 ? m_leastTimeoutRtts : usual;
    return settings;
}

void
FabricNic::SetFixedAckTimeout(Time timeout)
{
    m_fixedAckTimeout = timeout;
    m_ackTimeout.fixedPs = FabricTime::ToPs(timeout);
}

Time
FabricNic::GetFixedAckTimeout() const
{
    return m_fixedAckTimeout;
}

void
FabricNic::SetFirstTimeoutRtts(double rtts)
{
    m_ackTimeout.firstRtts = rtts;
}

double
FabricNic::GetFirstTimeoutRtts() const
{
    return m_ackTimeout.firstRtts;
}

void
FabricNic::SetLeastTimeoutRtts(double rtts)
{
    m_leastTimeoutRtts = rtts;
}

double
FabricNic::GetLeastTimeoutRtts() const
{
    return m_leastTimeoutRtts;
}

void
FabricNic::SetPdcIdleTime(Time time)
{
    m_pdcIdleTime = time;
    m_pdcIdlePs = FabricTime::ToPs(time);
}

Time
FabricNic::GetPdcIdleTime() const
{
    return m_pdcIdleTime;
}

void
FabricNic::SetCnpInterval(Time interval)
{
    m_cnpInterval = interval;
    m_cnpIntervalPs = interval.IsStrictlyNegative() ? -1 : FabricTime::ToPs(interval);
}

Time
FabricNic::GetCnpInterval() const
{
    return m_cnpInterval;
}

void
FabricNic::SetAcksPerRtt(uint64_t acks)
{
    m_acksPerRtt = acks;
}

void
FabricNic::SetReliability(Ptr<ReliabilityPolicy> policy)
{
    m_reliability = policy;
}

void
FabricNic::SetWireFormat(Ptr<WireFormat> wire)
{
    m_wire = wire;
}

void
FabricNic::SetIntFormat(Ptr<IntFormat> format)
{
    m_intFormat = format;
}

void
FabricNic::SetBaseRttFunction(std::function<int64_t(uint32_t)> baseRtt)
{
    m_baseRtt = std::move(baseRtt);
}

void
FabricNic::SetPairRttFunction(std::function<int64_t(uint32_t)> pairRtt)
{
    m_pairRtt = std::move(pairRtt);
}

void
FabricNic::SetSwitchesFunction(std::function<uint32_t(uint32_t)> switches)
{
    m_switches = std::move(switches);
}

void
FabricNic::SetDestinationCheck(std::function<bool(uint32_t)> isHost)
{
    m_isHost = std::move(isHost);
}

void
FabricNic::SetForwardingTable(ForwardingTable table)
{
    m_routes = std::make_unique<HostRoutes>(std::move(table), GetNPorts());
    for (const auto* port : m_ports)
    {
        m_routes->SetUp(port->GetPort(), port->IsLinkUp());
    }
}

int64_t
FabricNic::AssignStreams(int64_t stream)
{
    m_stream = stream;
    if (m_random)
    {
        m_random->SetStream(stream);
    }
    if (m_packetRandom)
    {
        m_packetRandom->SetStream(stream + 1);
    }
    return 2;
}

void
FabricNic::DoInitialize()
{
    m_schedules.resize(GetNPorts());
    for (auto* port : m_ports)
    {
        port->SetPulls(true);
    }
    FabricActor::DoInitialize();
    for (std::size_t port = 0; port < m_stack.size(); ++port)
    {
        m_ports[port]->Kick(); // packets that were handed over before
    }
}

void
FabricNic::CheckMessage(uint32_t dst, uint64_t bytes, int priority) const
{
    if (bytes == 0)
    {
        throw FabricError("ns3::FabricNic::Send: a message needs at least 1 byte");
    }
    if (dst == GetAddress())
    {
        throw FabricError("ns3::FabricNic::Send: host " + std::to_string(dst) +
                          " cannot send a message to itself");
    }
    if (m_isHost && !m_isHost(dst))
    {
        throw FabricError("ns3::FabricNic::Send: no host has the address " + std::to_string(dst));
    }
    if (priority > 7)
    {
        throw FabricError("ns3::FabricNic::Send: class " + std::to_string(priority) +
                          " must be 0 to 7");
    }
}

void
FabricNic::Send(uint32_t dst, uint64_t bytes, uint32_t tag, int priority)
{
    CheckMessage(dst, bytes, priority);
    if (m_schedules.empty())
    {
        SendAt(GetNowPs(), dst, bytes, tag, priority); // the simulation has not begun
        return;
    }
    OutgoingMessage message;
    message.bytes = bytes;
    message.tag = tag;
    if (m_matcher)
    {
        SendMatched(dst, message, priority);
        return;
    }
    message.startPs = GetNowPs();
    HandOver({dst, priority < 0 ? m_dataClass : static_cast<uint8_t>(priority), false, message});
}

void
FabricNic::SendAt(int64_t startPs, uint32_t dst, uint64_t bytes, uint32_t tag, int priority)
{
    CheckMessage(dst, bytes, priority);
    if (startPs < GetNowPs())
    {
        throw FabricError("ns3::FabricNic::SendAt: start at " + std::to_string(startPs) +
                          " ps lies in the past, it is " + std::to_string(GetNowPs()) + " ps");
    }
    const int64_t nextPs = m_pending.empty() ? FabricTime::NEVER : m_pending.front().startPs;
    m_pending.push_back({startPs, tag, dst, bytes, priority});
    std::push_heap(m_pending.begin(), m_pending.end());
    if (startPs < nextPs)
    {
        ArmStart();
    }
}

void
FabricNic::ArmStart()
{
    if (!m_pending.empty())
    {
        Arm(m_pending.front().startPs, CalendarKind::TIMER, START_TIMER);
    }
}

void
FabricNic::SetDeliveredCallback(MessageCallback callback)
{
    m_onDelivered = std::move(callback);
}

void
FabricNic::SetCompletedCallback(MessageCallback callback)
{
    m_onCompleted = std::move(callback);
}

void
FabricNic::Activate(SendingPdc& pdc)
{
    if ((pdc.state == SendingPdc::State::BLOCKED && pdc.CanSend()) ||
        pdc.state == SendingPdc::State::PACED)
    {
        const int64_t nowPs = GetNowPs();
        if (m_routes && pdc.state == SendingPdc::State::BLOCKED)
        {
            Route(pdc);
        }
        m_schedules[pdc.port].Insert(pdc, nowPs);
        FabricNetDevice& port = *m_ports[pdc.port];
        if (pdc.state == SendingPdc::State::READY)
        {
            port.Kick();
        }
        else
        {
            port.ScheduleWake(std::max(pdc.queuedPs, port.GetBusyUntilPs()));
        }
    }
}

uint16_t
FabricNic::ChoosePort(uint32_t dst, uint16_t entropy) const
{
    if (!m_routes)
    {
        return static_cast<uint16_t>(entropy % GetNPorts());
    }
    const uint16_t port = m_routes->Choose(dst, entropy);
    if (port == FabricPacketItem::NO_PORT)
    {
        throw FabricError("host " + std::to_string(GetAddress()) + " has no way to host " +
                          std::to_string(dst));
    }
    return port;
}

uint16_t
FabricNic::ChooseAnswerPort(uint32_t dst, uint16_t entropy, uint16_t ingress) const
{
    return !m_routes || m_routes->IsGood(dst, ingress) ? ingress : ChoosePort(dst, entropy);
}

void
FabricNic::Route(SendingPdc& pdc)
{
    const uint16_t port = ChoosePort(pdc.GetDestination(), pdc.DrawEntropy(GetNowPs()));
    if (port != pdc.port)
    {
        NS_LOG_LOGIC(pdc << ": goes from port " << pdc.port << " to " << port);
        m_schedules[pdc.port].Erase(pdc); // entries that are void
        pdc.port = port;
    }
}

void
FabricNic::EnterAnew(SendingPdc& pdc, uint16_t present)
{
    const int64_t nowPs = GetNowPs();
    if (m_routes)
    {
        Route(pdc);
    }
    m_schedules[pdc.port].Insert(pdc, nowPs);
    if (pdc.port != present)
    {
        FabricNetDevice& port = *m_ports[pdc.port];
        const int64_t duePs = pdc.state == SendingPdc::State::PACED ? pdc.queuedPs : nowPs;
        port.ScheduleWake(std::max(duePs, port.GetBusyUntilPs()));
    }
}

void
FabricNic::OnLinkChange(FabricNetDevice& port)
{
    if (!m_routes)
    {
        return;
    }
    m_routes->SetUp(port.GetPort(), port.IsLinkUp());
    for (uint16_t p = 0; p < m_schedules.size(); ++p)
    {
        if (m_routes->IsUp(p))
        {
            continue;
        }
        // other ports take over what waits here, if others lead there
        EgressGate* gate = m_ports[p]->GetGate();
        for (auto& [item, owner] : gate ? gate->TakeParked() : EgressGate::Parked())
        {
            FabricNetDevice& other = *m_ports[ChoosePort(item->dst, item->entropy)];
            Ptr<FabricPacketItem> packet = item;
            if (PassOrPark(other, packet, owner))
            {
                OnPass(other, std::move(packet), owner);
            }
        }
        for (SendingPdc* pdc : m_schedules[p].TakeAll())
        {
            EnterAnew(*pdc, p);
        }
    }
}

Ptr<FabricPacketItem>
FabricNic::Pull(FabricNetDevice& port)
{
    if (!m_passed.empty() && !m_passed[port.GetPort()].empty())
    {
        auto& passed = m_passed[port.GetPort()];
        Ptr<FabricPacketItem> item = std::move(passed.front());
        passed.pop_front();
        item->sendTimePs = GetNowPs();
        return item;
    }
    if (m_stack.empty())
    {
        return PullData(port);
    }
    StackQueue& stack = m_stack[port.GetPort()];
    const bool stackFirst = stack.IsTurn(port.GetPausedClasses());
    Ptr<FabricPacketItem> item = stackFirst ? PullStack(port) : PullData(port);
    if (item && !stackFirst)
    {
        stack.GiveTurn();
    }
    if (!item)
    {
        item = stackFirst ? PullData(port) : PullStack(port);
    }
    return item;
}

Ptr<FabricPacketItem>
FabricNic::PullData(FabricNetDevice& port)
{
    const int64_t nowPs = GetNowPs();
    PdcSchedule& schedule = m_schedules[port.GetPort()];
    while (SendingPdc* pdc = schedule.Take(nowPs, port.GetPausedClasses()))
    {
        Ptr<FabricPacketItem> item = pdc->MakePacket(nowPs);
        ++m_counters.dataSent;
        if (!PassOrPark(port, item, pdc->GetNumber()))
        {
            pdc->state = SendingPdc::State::PARKED;
            continue;
        }
        if (pdc->CanSend())
        {
            if (m_routes)
            {
                EnterAnew(*pdc, port.GetPort());
            }
            else
            {
                schedule.Insert(*pdc, nowPs);
            }
        }
        return item;
    }
    return nullptr;
}

int64_t
FabricNic::GetPullTimePs(FabricNetDevice& port)
{
    if ((!m_passed.empty() && !m_passed[port.GetPort()].empty()) ||
        (!m_stack.empty() && m_stack[port.GetPort()].HasEligible(port.GetPausedClasses())))
    {
        return GetNowPs();
    }
    return m_schedules[port.GetPort()].GetNextPs(port.GetPausedClasses());
}

void
FabricNic::SendControl(Ptr<FabricPacketItem> item, uint16_t port)
{
    FabricNetDevice& device =
        *m_ports[m_routes ? ChooseAnswerPort(item->dst, item->entropy, port) : port];
    if (PassOrPark(device, item, CONTROL_OWNER) && !device.Enqueue(item))
    {
        Drop(*item, DropReason::QUEUE_DISC, &device);
    }
}

void
FabricNic::OnPass(FabricNetDevice& port, Ptr<FabricPacketItem> item, uint32_t owner)
{
    if (owner == CONTROL_OWNER)
    {
        if (!port.Enqueue(item))
        {
            Drop(*item, DropReason::QUEUE_DISC, &port);
        }
        return;
    }
    if (owner == STACK_OWNER)
    {
        m_stack[port.GetPort()].SetParked(false);
    }
    else if (SendingPdc* pdc = m_senders[owner].get())
    {
        pdc->state = SendingPdc::State::BLOCKED;
        if (pdc->CanSend())
        {
            EnterAnew(*pdc, port.GetPort());
        }
    }
    m_passed.resize(GetNPorts());
    m_passed[port.GetPort()].push_back(std::move(item));
    port.Kick();
}

void
FabricNic::OnTransmit(FabricNetDevice& /* port */, FabricPacketItem& item)
{
    if (m_echoDelay && IsAnswer(item.type))
    {
        // since when it has waited, modulo 2^32 ns, gives way to how long
        constexpr uint32_t LONGEST_NS = 0xffffff; // 24 bits on the wire
        const auto nowNs = static_cast<uint32_t>(GetNowPs() / 1000);
        item.echoDelayNs = std::min(nowNs - item.echoDelayNs, LONGEST_NS);
    }
}

void
FabricNic::ArmPdcTimer(uint32_t pdc, uint8_t timer, int64_t atPs)
{
    Arm(atPs, CalendarKind::TIMER, pdc * TIMERS_PER_PDC + timer);
}

void
FabricNic::HandleTimer(uint32_t id)
{
    const int64_t nowPs = GetNowPs();
    if (id == MESSAGE_TIMER)
    {
        HandleMessageTimers(nowPs);
        return;
    }
    if (id != START_TIMER)
    {
        const uint32_t number = id / TIMERS_PER_PDC;
        if (SendingPdc* pdc = m_senders[number].get())
        {
            pdc->OnTimer(static_cast<uint8_t>(id % TIMERS_PER_PDC), nowPs);
        }
        return;
    }
    SendEarly();
    bool started = false;
    while (!m_pending.empty() && m_pending.front().startPs <= nowPs)
    {
        std::pop_heap(m_pending.begin(), m_pending.end());
        const PendingStart start = m_pending.back();
        m_pending.pop_back();
        Send(start.dst, start.bytes, start.tag, start.priority);
        started = true;
    }
    if (started)
    {
        ArmStart();
    }
}

void
FabricNic::Receive(FabricNetDevice& port, Ptr<FabricPacketItem> item)
{
    item->ingressPort = port.GetPort();
    if (port.DoesFlowControlCount())
    {
        // no wait here
        port.GetFlowControl()->OnBufferReleased(*item, item->size);
    }
    if (item->dst != GetAddress())
    {
        Drop(*item, DropReason::NOT_FOR_HOST, &port);
        return;
    }
    const int64_t nowPs = GetNowPs();
    if (item->type == FabricPacketType::DATA)
    {
        ReceiveData(std::move(item), nowPs);
        return;
    }
    SendingPdc* pdc = item->pdc < m_senders.size() ? m_senders[item->pdc].get() : nullptr;
    switch (item->type)
    {
    case FabricPacketType::ACK:
    case FabricPacketType::NACK:
    case FabricPacketType::RTW:
    case FabricPacketType::RNR:
        ++m_counters.acksReceived;
        if (pdc)
        {
            const uint32_t number = item->pdc;
            pdc->OnAck(*item, nowPs);
            RetireIfIdle(number);
        }
        return;
    case FabricPacketType::CNP:
        ++m_counters.cnpsReceived;
        if (pdc)
        {
            pdc->OnCnp(nowPs);
        }
        return;
    case FabricPacketType::RTS:
        ++m_counters.rtsReceived;
        if (pdc && pdc->GetOutgoing())
        {
            pdc->GetOutgoing()->OnRequest(*item);
        }
        else
        {
            AnswerVainRequest(*item);
        }
        return;
    case FabricPacketType::BTS:
        ++m_counters.btsReceived;
        if (pdc)
        {
            pdc->OnBts(*item, nowPs);
        }
        return;
    case FabricPacketType::FOREIGN:
        ReceiveForeign(port, *item);
        return;
    case FabricPacketType::PAUSE:
    case FabricPacketType::CREDIT:
        Drop(*item, DropReason::UNKNOWN_PDC, &port);
        return;
    default:
        ++m_counters.noticesArrived;
        if (pdc)
        {
            pdc->OnNotice(*item, nowPs);
        }
    }
}

void
FabricNic::ReceiveData(Ptr<FabricPacketItem> item, int64_t nowPs)
{
    MatchEntry* entry = nullptr;
    if (item->IsMatched())
    {
        if (!m_matcher)
        {
            throw FabricError("host " + std::to_string(GetAddress()) +
                              " gets matched messages from host " + std::to_string(item->src) +
                              " but has no match table: call FabricNic::EnableMatching()");
        }
        entry = m_matcher->Match(*item); // one look-up gives message and PDC
    }
    ReceivingPdc* pdc = m_receivers.Begin(*item, entry);
    if (!pdc)
    {
        Drop(*item, DropReason::UNKNOWN_PDC, m_ports[item->ingressPort]);
        return;
    }
    pdc->OnData(std::move(item), entry, nowPs);
    m_receivers.End(*pdc, nowPs);
}

void
FabricNic::NotifyCompleted(const FabricMessageEvent& event)
{
    m_completedTrace(event);
    if (m_onCompleted)
    {
        m_onCompleted(event);
    }
}

void
FabricNic::NotifyDelivered(const FabricMessageEvent& event)
{
    m_deliveredTrace(event);
    if (m_onDelivered)
    {
        m_onDelivered(event);
    }
}

void
FabricNic::NotifyActive(bool active)
{
    m_activeInbound += active ? 1 : -1;
}

void
FabricNic::DoDispose()
{
    m_senders.clear();
    m_policy.shared = nullptr;
    m_policies.clear();
    m_receivers.Clear();
    m_schedules.clear();
    m_routes.reset();
    m_passed.clear();
    m_stack.clear();
    m_onDelivered = nullptr;
    m_onCompleted = nullptr;
    m_onStarted = nullptr;
    m_onSend = nullptr;
    m_onReceive = nullptr;
    m_matcher.reset();
    m_baseRtt = nullptr;
    m_pairRtt = nullptr;
    m_switches = nullptr;
    m_isHost = nullptr;
    m_reliability = nullptr;
    m_wire = nullptr;
    m_intFormat = nullptr;
    m_random = nullptr;
    m_packetRandom = nullptr;
    FabricActor::DoDispose();
}

} // namespace ns3
