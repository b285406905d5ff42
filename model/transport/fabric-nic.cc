// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-nic.h"

#include "throttled-turn.h"

#include "ns3/attribute-range.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-net-device.h"
#include "ns3/log.h"
#include "ns3/matching-packets.h"
#include "ns3/object-class.h"
#include "ns3/packet-kind.h"
#include "ns3/pointer.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <typeinfo>

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
                          MakeUintegerAccessor(&FabricNic::payloadBytes),
                          MakeUintegerChecker<uint32_t>(1, 65535))
            .AddAttribute("PdcPerMessage",
                          "Each message has a PDC of its own; otherwise all messages to one host "
                          "and of one class share one.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&FabricNic::pdcPerMessage),
                          MakeBooleanChecker())
            .AddAttribute("MaxSendingPdcs",
                          "Most PDCs to send from; messages beyond wait until one is idle. 0: any "
                          "number.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&FabricNic::maxSendingPdcs),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("MaxReceivingPdcs",
                          "Receiving PDCs beyond this number are evicted when they are idle, the "
                          "least recently used first, with or without posted receives. 0: any "
                          "number.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&FabricNic::maxReceivingPdcs),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("PdcIdleTime",
                          "A PDC that has been idle for this time is removed, unless a posted "
                          "receive is attached to it; 0: at once with PdcPerMessage, else never.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&FabricNic::pdcIdleTime),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()))
            .AddAttribute(
                "PdcClose",
                "A sending PDC that goes tells its receiver, which then keeps nothing of "
                "it and answers (that of matched messages keeps what it needs to bring it "
                "back). Else each end goes by itself.",
                BooleanValue(false),
                MakeBooleanAccessor(&FabricNic::pdcClose),
                MakeBooleanChecker())
            .AddAttribute(
                "PdcTimeout",
                "With PdcClose, time after which what was not answered is sent again, and "
                "after which a receiving PDC that hears nothing more is removed, unless "
                "PdcIdleTime says when.",
                TimeValue(Seconds(1)),
                MakeTimeAccessor(&FabricNic::pdcTimeout),
                MakeTimeChecker(NanoSeconds(1), AttributeRange::GetMaxTime()))
            .AddAttribute("AckEvery",
                          "One cumulative ACK for so many packets (m of [FNCC]).",
                          UintegerValue(1),
                          MakeUintegerAccessor(&FabricNic::ackEvery),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("AckBytes",
                          "One ACK for so many bytes of frames, in which a frame counts as at "
                          "least 1024; then missing packets alone are no reason for one "
                          "(AckByBytes). 0: by packets, as AckEvery says.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&FabricNic::ackBytes),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("AckMarked",
                          "An ACK at once for a packet that is marked.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&FabricNic::ackMarked),
                          MakeBooleanChecker())
            .AddAttribute(
                "AckTimeout",
                "Time without acknowledgement after which packets are sent again; doubles "
                "each time. 0: by round-trip times, as the two attributes that follow say.",
                TimeValue(Seconds(0)),
                MakeTimeAccessor(&FabricNic::ackTimeout),
                MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()))
            .AddAttribute("FirstTimeoutRtts",
                          "AckTimeout of a PDC without any round-trip time yet, in base RTTs: of "
                          "the pair of hosts, or T if that is larger.",
                          DoubleValue(200),
                          MakeDoubleAccessor(&FabricNic::firstTimeoutRtts),
                          MakeDoubleChecker<double>(1, 1e6))
            .AddAttribute(
                "LeastTimeoutRtts",
                "Least AckTimeout by measured round-trip times, in base RTTs: of the pair "
                "of hosts, or T if that is larger; 0: 25, or 200 where flow control keeps "
                "links from dropping.",
                DoubleValue(0),
                MakeDoubleAccessor(&FabricNic::leastTimeoutRtts),
                MakeDoubleChecker<double>(0, 1e6))
            .AddAttribute("CnpInterval",
                          "Least time between two CNPs of a PDC; negative: no CNPs.",
                          TimeValue(NanoSeconds(-1)),
                          MakeTimeAccessor(&FabricNic::cnpInterval),
                          MakeTimeChecker(NanoSeconds(-1), AttributeRange::GetMaxTime()))
            .AddAttribute("CnpDelay",
                          "Time from the decision for a CNP until it leaves.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&FabricNic::cnpDelay),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()))
            .AddAttribute("CnpSpacing",
                          "CNPs of a PDC are at least so much times the number of PDCs that "
                          "receive apart, as from a NIC that makes one CNP in this time; 0: "
                          "CnpInterval alone holds.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&FabricNic::cnpSpacing),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()))
            .AddAttribute(
                "CnpMeterRate",
                "Rate of the meter of each port: data packets that arrive faster, by "
                "more than CnpMeterBytes, notify as marked ones do. 0: no meter.",
                DataRateValue(DataRate(0)),
                MakeDataRateAccessor(&FabricNic::SetCnpMeterRate, &FabricNic::GetCnpMeterRate),
                MakeRateChecker(0))
            .AddAttribute("CnpMeterBytes",
                          "Bytes of frames that the meter holds.",
                          UintegerValue(150000),
                          MakeUintegerAccessor(&FabricNic::cnpMeterBytes),
                          MakeUintegerChecker<uint64_t>(1, AttributeRange::MAX_BYTES))
            .AddAttribute("EchoDelay",
                          "ACKs tell how long they waited here, in ns, for controls that separate "
                          "the delays of hosts and fabric.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&FabricNic::echoDelay),
                          MakeBooleanChecker())
            .AddAttribute("BaseRtt",
                          "T: base round-trip time that congestion controls assume.",
                          TimeValue(MicroSeconds(12)),
                          MakeTimeAccessor(&FabricNic::baseRtt),
                          MakeTimeChecker(NanoSeconds(1), AttributeRange::GetMaxTime()))
            .AddAttribute("ClockSpread",
                          "Clocks of hosts are slow by a random part of so many ppm, each host by "
                          "its own: what it sends takes as much longer. Clocks of Ethernet are "
                          "within 100 ppm of their rate; 0: all are exact.",
                          DoubleValue(0),
                          MakeDoubleAccessor(&FabricNic::m_clockSpread),
                          MakeDoubleChecker<double>(0, 1000))
            .AddAttribute("InitialPsn",
                          "Packet sequence number of the first packet of each PDC (24 bits); the "
                          "same at all hosts.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&FabricNic::initialPsn),
                          MakeUintegerChecker<uint32_t>(0, PacketSequence::MASK))
            .AddAttribute("DataClass",
                          "Class of data packets.",
                          UintegerValue(3),
                          MakeUintegerAccessor(&FabricNic::dataClass),
                          MakeUintegerChecker<uint8_t>(0, 7))
            .AddAttribute("ControlClass",
                          "Class of ACKs, NACKs and CNPs; DataClass for a single service level.",
                          UintegerValue(6),
                          MakeUintegerAccessor(&FabricNic::controlClass),
                          MakeUintegerChecker<uint8_t>(0, 7))
            .AddAttribute("MaxAhead",
                          "A data packet further behind the first one that its connection "
                          "misses is dropped, where packets are taken out of order at all; 0: no "
                          "limit.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&FabricNic::maxAhead),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("MaxHoles",
                          "A data packet is dropped if more runs of packets than these would then "
                          "be missing of its connection; 0: no limit.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&FabricNic::maxHoles),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("StackQueuePackets",
                          "Most packets of the host's own stack that wait for a port.",
                          UintegerValue(1000),
                          MakeUintegerAccessor(&FabricNic::stackQueuePackets),
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
                            "ns3::FabricNic::MessageStateTracedCallback")
            .AddTraceSource("CongestionWindow",
                            "The window of a sending PDC has changed.",
                            MakeTraceSourceAccessor(&FabricNic::windowTrace),
                            "ns3::PdcTraces::WindowTracedCallback")
            .AddTraceSource("Rate",
                            "The pacing rate of a sending PDC has changed.",
                            MakeTraceSourceAccessor(&FabricNic::rateTrace),
                            "ns3::PdcTraces::RateTracedCallback")
            .AddTraceSource("RTT",
                            "An ACK has told a sending PDC another round-trip time.",
                            MakeTraceSourceAccessor(&FabricNic::rttTrace),
                            "ns3::PdcTraces::RttTracedCallback")
            .AddTraceSource("State",
                            "A sending PDC waits for something else, or its turn has come.",
                            MakeTraceSourceAccessor(&FabricNic::stateTrace),
                            "ns3::PdcTraces::StateTracedCallback");
    return tid;
}

FabricNic::FabricNic() = default;

FabricNic::FabricNic(const TransportSettings& settings)
    : TransportSettings(settings),
      m_clockSpread(0)
{
}

FabricNic::~FabricNic() = default;

Ptr<FabricNic>
FabricNic::CreateAlike() const
{
    if (typeid(*this) != typeid(FabricNic))
    {
        return nullptr;
    }
    Ptr<FabricNic> nic(new FabricNic(static_cast<const TransportSettings&>(*this)), false);
    SetObjectClass(*nic, GetInstanceTypeId());
    nic->m_clockSpread = m_clockSpread;
    return nic;
}

void
FabricNic::SetCnpMeterRate(DataRate rate)
{
    cnpMeterBps = rate.GetBitRate();
}

DataRate
FabricNic::GetCnpMeterRate() const
{
    return DataRate(cnpMeterBps);
}

void
FabricNic::SetForwardingTable(ForwardingTable table)
{
    NS_LOG_FUNCTION(this);
    m_routes = std::make_unique<HostRoutes>(std::move(table), GetNPorts());
    for (const auto* port : m_ports)
    {
        m_routes->SetUp(port->GetPort(), port->IsLinkUp());
    }
}

void
FabricNic::UpdateForwardingTable(ForwardingTable table)
{
    NS_LOG_FUNCTION(this);
    m_routes->Update(std::move(table));
}

void
FabricNic::DoInitialize()
{
    NS_LOG_FUNCTION(this);
    m_schedules.resize(GetNPorts());
    for (auto* port : m_ports)
    {
        port->SetPulls(true);
    }
    FabricActor::DoInitialize();
    for (auto* port : m_ports)
    {
        if (m_stack.GetQueue(port->GetPort()))
        {
            port->Kick(); // packets that were handed over before
        }
    }
}

void
FabricNic::Activate(SendingPdc& pdc)
{
    pdc.TellValues();
    if ((pdc.GetState() == PdcState::BLOCKED && pdc.CanSend()) || pdc.GetState() == PdcState::PACED)
    {
        const int64_t nowPs = GetNowPs();
        if (m_routes && pdc.GetState() == PdcState::BLOCKED)
        {
            Route(pdc);
        }
        m_schedules[pdc.port].Insert(pdc, nowPs);
        FabricNetDevice& port = *m_ports[pdc.port];
        if (pdc.GetState() == PdcState::READY)
        {
            port.Kick();
        }
        else
        {
            // long due, if flow control stops its class
            port.ScheduleWake(std::max({pdc.queuedPs, port.GetBusyUntilPs(), nowPs}));
        }
    }
}

void
FabricNic::Deactivate(SendingPdc& pdc)
{
    NS_LOG_FUNCTION(this << pdc.GetNumber());
    m_schedules[pdc.port].Erase(pdc);
}

PathInfo
FabricNic::DescribePath(uint32_t dst, uint16_t port) const
{
    PathInfo path;
    path.lineRateBps = m_ports[port]->GetRateBps();
    path.baseRttPs = GetBaseRttPs(dst);
    path.pairRttPs = GetPairRttPs(dst);
    path.bdpBytes = static_cast<uint64_t>(static_cast<double>(path.lineRateBps) *
                                          static_cast<double>(path.baseRttPs) / 8e12);
    path.payloadBytes = payloadBytes;
    path.packetBytes = wire->GetDataBytes(payloadBytes, false);
    path.intFormat = intFormat;
    path.marksTell = !marksAreDraws;
    path.switches = switchesTo ? switchesTo(dst) : 0;
    path.markPs = markPs ? markPs() : 0;
    path.trims = trims;
    path.lossless = isLossless;
    return path;
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
FabricNic::FitToChannel(uint32_t dst, uint16_t entropy, uint16_t channel) const
{
    const uint16_t port = m_routes ? m_routes->GetPortOfChannel(dst, channel)
                                   : static_cast<uint16_t>(channel % GetNPorts());
    for (uint32_t tries = 0; tries <= UINT16_MAX; ++tries)
    {
        const auto fit = static_cast<uint16_t>(entropy + tries);
        if (ChoosePort(dst, fit) == port)
        {
            return fit;
        }
    }
    return entropy; // the link is down
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
        const int64_t duePs = pdc.GetState() == PdcState::PACED ? pdc.queuedPs : nowPs;
        port.ScheduleWake(std::max({duePs, port.GetBusyUntilPs(), nowPs}));
    }
}

void
FabricNic::OnLinkChange(FabricNetDevice& port)
{
    NS_LOG_FUNCTION(this << port.GetPort());
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
            if (owner == STACK_OWNER)
            {
                m_stack.GetQueue(p)->SetParked(false); // it waits there no longer
            }
            if (PassOrPark(other, packet, owner))
            {
                OnPass(other, std::move(packet), owner);
            }
            else if (owner == STACK_OWNER)
            {
                m_stack.GetQueue(other.GetPort())->SetParked(true);
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
        SendingPdc* pdc =
            item->type == FabricPacketType::DATA ? m_senders.Get(item->data.sourcePdc) : nullptr;
        if (pdc)
        {
            pdc->OnLeave(*item, item->sendTimePs);
        }
        return item;
    }
    return m_protocol ? PullInTurn(port) : PullOwn(port);
}

void
FabricNic::SetProtocol(Ptr<HostProtocol> protocol)
{
    NS_LOG_FUNCTION(this << protocol);
    m_protocol = protocol;
    m_protocolYields.assign(GetNPorts(), false);
}

Ptr<FabricPacketItem>
FabricNic::PullInTurn(FabricNetDevice& port)
{
    const bool yields = m_protocolYields[port.GetPort()];
    Ptr<FabricPacketItem> item = yields ? PullOwn(port) : m_protocol->Take(port);
    bool isOwn = yields;
    if (!item)
    {
        item = yields ? m_protocol->Take(port) : PullOwn(port);
        isOwn = !yields;
    }
    m_protocolYields[port.GetPort()] = item && !isOwn;
    if (item && !isOwn)
    {
        ++m_counters.protocolSent;
        item->sendTimePs = GetNowPs();
    }
    return item;
}

Ptr<FabricPacketItem>
FabricNic::PullOwn(FabricNetDevice& port)
{
    StackQueue* stack = m_stack.GetQueue(port.GetPort());
    if (!stack)
    {
        return PullData(port);
    }
    const bool stackFirst = stack->IsTurn(port.GetPausedClasses());
    Ptr<FabricPacketItem> item = stackFirst ? PullStack(port, *stack) : PullData(port);
    if (item && !stackFirst)
    {
        stack->GiveTurn();
    }
    if (!item)
    {
        item = stackFirst ? PullData(port) : PullStack(port, *stack);
    }
    return item;
}

Ptr<FabricPacketItem>
FabricNic::PullStack(FabricNetDevice& port, StackQueue& stack)
{
    Ptr<FabricPacketItem> item = stack.Take(port.GetPausedClasses());
    if (item && !PassOrPark(port, item, STACK_OWNER))
    {
        stack.SetParked(true);
    }
    return item;
}

void
FabricNic::SetThrottles(std::vector<Ptr<InjectionThrottle>> throttles)
{
    NS_LOG_FUNCTION(this);
    m_throttles = std::move(throttles);
}

Ptr<FabricPacketItem>
FabricNic::PullData(FabricNetDevice& port)
{
    const int64_t nowPs = GetNowPs();
    PdcSchedule& schedule = m_schedules[port.GetPort()];
    InjectionThrottle* throttle = GetThrottle(port.GetPort());
    const auto take = [&] {
        const uint8_t paused = port.GetPausedClasses();
        return throttle ? ThrottledTurn(schedule, *throttle, paused, nowPs).Take()
                        : schedule.Take(nowPs, paused);
    };
    while (SendingPdc* pdc = take())
    {
        Ptr<FabricPacketItem> item = pdc->MakePacket(nowPs);
        ++m_counters.dataSent;
        if (throttle && ((throttle->GetClasses() >> item->GetPriority()) & 1) != 0)
        {
            throttle->OnInject(*item, nowPs);
        }
        if (!PassOrPark(port, item, pdc->GetNumber()))
        {
            pdc->SetState(PdcState::PARKED);
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
        else
        {
            pdc->SetState(PdcState::BLOCKED);
        }
        return item;
    }
    return nullptr;
}

int64_t
FabricNic::GetPullTimePs(FabricNetDevice& port)
{
    const StackQueue* stack = m_stack.GetQueue(port.GetPort());
    if ((!m_passed.empty() && !m_passed[port.GetPort()].empty()) ||
        (stack && stack->HasEligible(port.GetPausedClasses())) ||
        (m_protocol && m_protocol->HasPacket(port)))
    {
        return GetNowPs();
    }
    PdcSchedule& schedule = m_schedules[port.GetPort()];
    const uint8_t paused = port.GetPausedClasses();
    InjectionThrottle* throttle = GetThrottle(port.GetPort());
    return throttle ? ThrottledTurn(schedule, *throttle, paused, GetNowPs()).GetNextPs()
                    : schedule.GetNextPs(paused);
}

void
FabricNic::SendControl(Ptr<FabricPacketItem> item, uint16_t port)
{
    item->src = GetAddress();
    item->ds = FabricPacketItem::MakeDs(controlClass, 0);
    item->ingressPort = FabricPacketItem::NO_PORT;
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
        m_stack.GetQueue(port.GetPort())->SetParked(false);
    }
    else if (SendingPdc* pdc = m_senders.Get(owner))
    {
        pdc->Withdraw();
        if (pdc->CanSend())
        {
            EnterAnew(*pdc, port.GetPort());
        }
        else
        {
            pdc->SetState(PdcState::BLOCKED);
        }
    }
    m_passed.resize(GetNPorts());
    m_passed[port.GetPort()].push_back(std::move(item));
    port.Kick();
}

void
FabricNic::OnTransmit(FabricNetDevice& /* port */, FabricPacketItem& item)
{
    if (echoDelay && IsAnswer(item.type))
    {
        // since when it has waited, modulo 2^32 ns, gives way to how long
        constexpr uint32_t LONGEST_NS = 0xffffff; // 24 bits on the wire
        const auto nowNs = static_cast<uint32_t>(GetNowPs() / 1000);
        item.echoDelayNs = std::min(nowNs - item.echoDelayNs, LONGEST_NS);
    }
}

void
FabricNic::DrawClock(int64_t stream)
{
    NS_LOG_FUNCTION(this << stream);
    if (m_clockSpread == 0)
    {
        return;
    }
    const auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(stream);
    const auto ppb = static_cast<uint32_t>(random->GetValue(0, m_clockSpread * 1e3));
    for (FabricNetDevice* port : m_ports)
    {
        port->GetLink().SetClockLag(ppb);
    }
}

bool
FabricNic::SendForeign(FabricNetDevice& port, Ptr<FabricPacketItem> item)
{
    return m_stack.Send(port, std::move(item));
}

uint64_t
FabricNic::GetNHeldPackets() const
{
    uint64_t sum = FabricActor::GetNHeldPackets() + m_stack.GetNPackets() +
                   (m_hostLink ? m_hostLink->GetNPackets() : 0);
    for (const auto& passed : m_passed)
    {
        sum += passed.size();
    }
    return sum;
}

void
FabricNic::HandleTimer(uint32_t id)
{
    const int64_t nowPs = GetNowPs();
    if (id == FabricMessages::TIMER)
    {
        m_messages.OnTimer(nowPs);
    }
    else if (id == FabricMessages::START_TIMER)
    {
        m_messages.OnStartTimer(nowPs);
    }
    else if (SendingPdc* pdc = m_senders.Get(id / SendingPdc::TIMER_IDS))
    {
        pdc->OnTimer(static_cast<uint8_t>(id % SendingPdc::TIMER_IDS), nowPs);
    }
    else if (id == ReceiverGrants::TIMER)
    {
        m_grants.OnTimer(nowPs);
    }
    else if (id == CnpSender::TIMER)
    {
        m_cnps.OnTimer(nowPs);
    }
    else if (id == HostLink::TIMER)
    {
        m_hostLink->OnTimer(nowPs);
    }
    else if (id == HostProtocol::TIMER)
    {
        m_protocol->OnTimer(nowPs);
    }
}

void
FabricNic::Receive(FabricNetDevice& port, Ptr<FabricPacketItem> item)
{
    item->ingressPort = port.GetPort();
    const bool waits = m_hostLink && item->type == FabricPacketType::DATA;
    if (port.DoesFlowControlCount() && !(waits && item->dst == GetAddress()))
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
    if (waits)
    {
        m_hostLink->OnData(port, std::move(item));
        return;
    }
    if (item->type == FabricPacketType::DATA)
    {
        ReceiveData(std::move(item), nowPs);
        return;
    }
    SendingPdc* pdc = m_senders.Get(item->pdc);
    switch (item->type)
    {
    case FabricPacketType::NACK:
        if (item->ack.code == NackCode::TRIMMED || item->ack.code == NackCode::TRIMMED_LAST_HOP)
        {
            ++m_counters.acksReceived;
            ++m_counters.trimsTold;
            if (pdc)
            {
                pdc->OnTrim(*item, nowPs);
            }
            return;
        }
        [[fallthrough]];
    case FabricPacketType::ACK:
    case FabricPacketType::RTW:
    case FabricPacketType::RNR:
        ++m_counters.acksReceived;
        if (pdc && item->ack.code != NackCode::NO_PDC) // of which nothing more is to be said
        {
            const uint32_t number = item->pdc;
            pdc->OnAck(*item, nowPs);
            m_senders.RetireIfIdle(number);
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
            AnswerStaleRequest(*item);
        }
        return;
    case FabricPacketType::CLOSE:
        m_closes.OnPacket(*item);
        return;
    case FabricPacketType::BTS:
        ++m_counters.btsReceived;
        if (pdc)
        {
            pdc->OnBts(*item, nowPs);
        }
        return;
    case FabricPacketType::FOREIGN:
        m_stack.Receive(port, *item);
        return;
    case FabricPacketType::PAUSE:
    case FabricPacketType::CREDIT:
    case FabricPacketType::LLR:
    case FabricPacketType::NOTICE:
        Drop(*item, DropReason::UNKNOWN_PDC, &port);
        return;
    default:
        if (m_protocol && m_protocol->Takes(item->type))
        {
            ++m_counters.protocolTaken;
            m_protocol->OnPacket(port, *item);
            return;
        }
        ++m_counters.noticesArrived;
        if (pdc && PacketKinds::Get(item->type).IsAbout(*item, pdc->GetDestination()))
        {
            pdc->OnNotice(*item, nowPs);
        }
        else
        {
            ++m_counters.noticesStale;
        }
    }
}

void
FabricNic::SetHostLink(Ptr<HostLink> link)
{
    NS_LOG_FUNCTION(this << link);
    m_hostLink = link;
}

void
FabricNic::TakeData(Ptr<FabricPacketItem> item, int64_t arrivedPs)
{
    m_dataArrivedPs = arrivedPs;
    ReceiveData(std::move(item), GetNowPs());
}

void
FabricNic::ReceiveData(Ptr<FabricPacketItem> item, int64_t nowPs)
{
    if ((item->flags & FabricPacketItem::FLAG_NO_PDC) != 0)
    {
        m_stateless.OnData(std::move(item), nowPs);
        return;
    }
    MatchEntry* entry = nullptr;
    if (item->IsMatched())
    {
        MessageMatcher* matcher = m_messages.GetMatcher();
        if (!matcher)
        {
            throw FabricError("host " + std::to_string(GetAddress()) +
                              " gets matched messages from host " + std::to_string(item->src) +
                              " but has no match table: call FabricMessages::EnableMatching()");
        }
        entry = matcher->Match(*item); // one look-up gives message and PDC
    }
    ReceivingPdc* pdc = m_receivers.Begin(*item, entry);
    if (!pdc)
    {
        Drop(*item, DropReason::UNKNOWN_PDC, m_ports[item->ingressPort]);
        if (pdcClose)
        {
            m_closes.Refuse(*item);
        }
        return;
    }
    if (m_grants.IsUsed() && (item->flags & FabricPacketItem::FLAG_DEMAND) != 0)
    {
        ReceiverArrival arrival = ReceiverGrants::Describe(*item, nowPs);
        arrival.flow = pdc->GetNumber();
        const ReceiverGrants::Address address{pdc->GetSource(),
                                              pdc->GetSourcePdc(),
                                              item->ingressPort};
        pdc->OnData(std::move(item), entry, nowPs);
        m_receivers.End(*pdc, nowPs);
        arrival.gone = !m_receivers.Peek(arrival.flow);
        m_grants.OnData(arrival, address); // behind the answer
        return;
    }
    pdc->OnData(std::move(item), entry, nowPs);
    m_receivers.End(*pdc, nowPs);
}

void
FabricNic::AnswerStaleRequest(const FabricPacketItem& rts)
{
    NS_LOG_FUNCTION(this << rts.src << rts.As<RtsFields>().msn);
    // if there is no PDC for it, a later repetition is answered
    if (SendingPdc* pdc =
            m_messages.GetMatcher() ? m_senders.FindFor(rts.src, dataClass, 0) : nullptr)
    {
        const auto& wanted = rts.As<RtsFields>();
        pdc->GetRanges().AddEmpty(wanted.msn, wanted.epoch, GetNowPs());
        Activate(*pdc);
    }
}

void
FabricNic::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_senders.Clear();
    m_receivers.Clear();
    m_stateless.Clear();
    m_closes.Clear();
    m_grants.Clear();
    m_cnps.Clear();
    m_messages.Clear();
    m_stack.Clear();
    m_schedules.clear();
    for (const auto& throttle : m_throttles)
    {
        throttle->Dispose();
    }
    m_throttles.clear();
    if (m_hostLink)
    {
        m_hostLink->Dispose();
        m_hostLink = nullptr;
    }
    if (m_protocol)
    {
        m_protocol->Dispose();
        m_protocol = nullptr;
    }
    m_routes.reset();
    m_passed.clear();
    baseRttPsTo = nullptr;
    pairRttPsTo = nullptr;
    switchesTo = nullptr;
    markPs = nullptr;
    isHost = nullptr;
    reliability = nullptr;
    wire = nullptr;
    intFormat = nullptr;
    FabricActor::DoDispose();
}

} // namespace ns3
