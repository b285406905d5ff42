// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-net-device.h"

#include "fabric-channel.h"
#include "frame-loss.h"
#include "link-retry.h"
#include "port-power.h"
#include "wire-errors.h"

#include "ns3/attribute-range.h"
#include "ns3/error-model.h"
#include "ns3/fabric-address.h"
#include "ns3/fabric-error.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/object-class.h"
#include "ns3/pointer.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <typeinfo>

namespace ns3
{

LogComponent FabricNetDevice::g_log("FabricNetDevice", __FILE__);

NS_OBJECT_ENSURE_REGISTERED(FabricNetDevice);

TypeId
FabricNetDevice::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::FabricNetDevice")
            .SetParent<NetDevice>()
            .SetGroupName("Dcfabric")
            .AddConstructor<FabricNetDevice>()
            .AddAttribute(
                "DataRate",
                "Rate of the link; once that is laid, of what this end of it sends, from the next "
                "packet on. Headroom of PFC is for links of which both ends have the same.",
                DataRateValue(DataRate("100Gbps")),
                MakeDataRateAccessor(&FabricNetDevice::SetRate, &FabricNetDevice::GetRate),
                MakeRateChecker(0))
            .AddAttribute(
                "GapBytes",
                "Bytes of preamble and inter-frame gap that each frame takes on the wire.",
                UintegerValue(20),
                MakeUintegerAccessor(&FabricNetDevice::m_gapBytes),
                MakeUintegerChecker<uint32_t>(0, 1000))
            .AddAttribute("Mtu",
                          "Largest payload of another protocol's packet in bytes.",
                          UintegerValue(1500),
                          MakeUintegerAccessor(&FabricNetDevice::SetMtu, &FabricNetDevice::GetMtu),
                          MakeUintegerChecker<uint16_t>(68))
            .AddAttribute(
                "ReceiveErrorModel",
                "Loses packets and link-level frames on arrival. It sees the payload packet, "
                "which timing-only packets share: use one that counts packets, not bytes.",
                PointerValue(),
                MakePointerAccessor(&FabricNetDevice::SetReceiveErrorModel,
                                    &FabricNetDevice::GetReceiveErrorModel),
                MakePointerChecker<ErrorModel>())
            .AddTraceSource("Pause",
                            "A PFC frame has arrived.",
                            MakeTraceSourceAccessor(&FabricNetDevice::m_pauseTrace),
                            "ns3::FabricNetDevice::PauseTracedCallback")
            .AddTraceSource("Transmit",
                            "A packet goes on the wire.",
                            MakeTraceSourceAccessor(&FabricNetDevice::m_transmitTrace),
                            "ns3::FabricNetDevice::ItemTracedCallback")
            .AddTraceSource("Receive",
                            "A packet or link-level frame has arrived completely.",
                            MakeTraceSourceAccessor(&FabricNetDevice::m_receiveTrace),
                            "ns3::FabricNetDevice::ItemTracedCallback");
    return tid;
}

FabricNetDevice::FabricNetDevice() = default;

FabricNetDevice::~FabricNetDevice() = default;

Ptr<FabricNetDevice>
FabricNetDevice::CreateAlike(DataRate rate) const
{
    if (m_receiveErrorModel || typeid(*this) != typeid(FabricNetDevice))
    {
        return nullptr;
    }
    Ptr<FabricNetDevice> port(new FabricNetDevice, false);
    SetObjectClass(*port, GetInstanceTypeId());
    port->SetRate(rate);
    port->m_gapBytes = m_gapBytes;
    port->m_mtu = m_mtu;
    return port;
}

void
FabricNetDevice::AttachTo(FabricActor* actor, uint16_t port)
{
    m_actor = actor;
    m_port = port;
    m_address = FabricAddress::ToMac(actor->GetAddress());
}

void
FabricNetDevice::Connect(Ptr<FabricChannel> channel, Ptr<FabricNetDevice> peer)
{
    m_link.Connect(channel, PeekPointer(peer));
}

void
FabricNetDevice::SetRate(DataRate rate)
{
    const bool isConnected = m_link.GetPeer() != nullptr;
    if (isConnected && rate.GetBitRate() > 0)
    {
        m_link.CheckRate(rate.GetBitRate());
    }
    m_link.SetRate(rate);
    if (isConnected)
    {
        OnRateChange(); // others have been told the former rate
    }
}

DataRate
FabricNetDevice::GetRate() const
{
    return m_link.GetRate();
}

std::ostream&
operator<<(std::ostream& os, const FabricNetDevice& port)
{
    return os << *port.m_actor << " port " << port.m_port;
}

bool
FabricNetDevice::Enqueue(Ptr<FabricPacketItem> item)
{
    const int64_t nowPs = m_actor->GetNowPs();
    const int64_t tick = m_actor->GetTick();
    if (nowPs >= m_busyUntilPs && !m_linkFrameWanted &&
        m_queue.PassThrough(*PeekPointer(item), nowPs, tick))
    {
        m_busyUntilPs = FabricTime::NEVER; // as in TransmitNext()
        PutOnWire(std::move(item), nowPs);
        ScheduleNext(nowPs);
        return true;
    }
    if (!m_queue.Enqueue(std::move(item), nowPs, tick))
    {
        ++m_counters.queueDrops;
        return false;
    }
    if (nowPs >= m_busyUntilPs)
    {
        TransmitNext(nowPs);
    }
    else
    {
        ScheduleWake(m_busyUntilPs);
    }
    return true;
}

void
FabricNetDevice::Kick()
{
    const int64_t nowPs = m_actor->GetNowPs();
    if (nowPs >= m_busyUntilPs)
    {
        TransmitNext(nowPs);
    }
    else
    {
        ScheduleWake(m_busyUntilPs);
    }
}

void
FabricNetDevice::ScheduleWake(int64_t timePs)
{
    if (timePs < m_wakePs)
    {
        m_wakePs = timePs;
        m_actor->Arm(timePs, CalendarKind::TRANSMIT, m_port, m_queue.PeekDisc());
    }
}

void
FabricNetDevice::HandleTransmit(int64_t timePs)
{
    if (timePs != m_wakePs)
    {
        return; // replaced by an earlier entry
    }
    m_wakePs = FabricTime::NEVER;
    if (timePs >= m_busyUntilPs)
    {
        TransmitNext(timePs);
    }
    else
    {
        ScheduleWake(m_busyUntilPs);
    }
}

Ptr<FabricPacketItem>
FabricNetDevice::TakeNext(int64_t nowPs)
{
    if (m_linkFrameWanted)
    {
        bool mayGoOn = true;
        Ptr<FabricPacketItem> frame = TakeLinkFrame(mayGoOn);
        if (frame || !mayGoOn)
        {
            return frame;
        }
    }
    if (Ptr<FabricPacketItem> waiting = m_queue.Dequeue(nowPs))
    {
        return waiting;
    }
    return m_pulls ? m_actor->Pull(*this) : nullptr;
}

Ptr<FabricPacketItem>
FabricNetDevice::TakeLinkFrame(bool& mayGoOn)
{
    if (m_retry)
    {
        // it is asked again before each packet until it has nothing to say and lets others go
        if (Ptr<FabricPacketItem> frame = m_retry->TakeFrame())
        {
            return frame;
        }
        mayGoOn = m_retry->IsOpen();
    }
    m_linkFrameWanted = !mayGoOn;
    return mayGoOn && m_flowControl ? m_flowControl->MakeFrame() : nullptr;
}

int64_t
FabricNetDevice::GetNextWorkPs()
{
    if (m_linkFrameWanted)
    {
        return GetNextLinkWorkPs();
    }
    if (m_queue.HasEligiblePacket())
    {
        return m_busyUntilPs;
    }
    return m_pulls ? m_actor->GetPullTimePs(*this) : FabricTime::NEVER;
}

int64_t
FabricNetDevice::GetNextLinkWorkPs() const
{
    return m_retry && !m_retry->MaySend() ? FabricTime::NEVER : m_busyUntilPs;
}

void
FabricNetDevice::TransmitNext(int64_t nowPs)
{
    // busy already: what the queue disc, flow control or a feature asks this port to send meanwhile
    // waits its turn
    const int64_t freeSincePs = m_busyUntilPs;
    m_busyUntilPs = FabricTime::NEVER;
    if (Ptr<FabricPacketItem> item = TakeNext(nowPs))
    {
        PutOnWire(std::move(item), nowPs);
    }
    else
    {
        m_busyUntilPs = freeSincePs;
    }
    ScheduleNext(nowPs);
}

void
FabricNetDevice::ScheduleNext(int64_t nowPs)
{
    const int64_t workPs = GetNextWorkPs();
    if (workPs != FabricTime::NEVER)
    {
        ScheduleWake(std::max(workPs, std::max(m_busyUntilPs, nowPs)));
    }
}

void
FabricNetDevice::PutOnWire(Ptr<FabricPacketItem> item, int64_t nowPs)
{
    FabricPacketItem* raw = PeekPointer(item);
    uint32_t gapBytes = m_gapBytes;
    if (raw->IsLinkFrame())
    {
        if (raw->type == FabricPacketType::LLR)
        {
            PutRetryOnWire(*raw, nowPs);
            return;
        }
        ++m_counters.txLinkFrames;
        m_lastFrameBytes = 0;
        gapBytes = (raw->flags & FabricPacketItem::FLAG_ORDERED_SET) != 0 ? 0 : gapBytes;
    }
    else
    {
        m_actor->OnTransmit(*this, *raw);
        m_counters.txBytes += raw->size;
        m_lastFrameBytes = raw->size;
        if (m_flowControlCounts)
        {
            m_flowControl->OnTransmit(*raw);
        }
    }
    m_transmitTrace(item);
    if (m_attends)
    {
        nowPs = Attend(*raw, nowPs);
    }
    m_busyUntilPs = m_link.Begin(raw->size + gapBytes, nowPs);
    raw->Ref(); // given to the wire, taken back on arrival
    m_link.GetPeer()->AppendToWire(raw, m_busyUntilPs + m_link.GetDelayPs());
}

int64_t
FabricNetDevice::Attend(FabricPacketItem& item, int64_t nowPs)
{
    if (m_retry)
    {
        m_retry->OnTransmit(item);
        m_linkFrameWanted = m_linkFrameWanted || !m_retry->IsOpen();
    }
    return m_power ? m_power->OnTransmit(nowPs) : nowPs;
}

void
FabricNetDevice::PutRetryOnWire(FabricPacketItem& item, int64_t nowPs)
{
    const bool isSet = (item.flags & FabricPacketItem::FLAG_ORDERED_SET) != 0;
    m_lastFrameBytes = 0;
    const int64_t beginPs = m_power ? m_power->OnTransmit(nowPs) : nowPs;
    m_busyUntilPs = m_link.Begin(item.size + (isSet ? 0 : m_gapBytes), beginPs);
    item.Ref(); // as in PutOnWire()
    m_link.GetPeer()->AppendToWire(&item, m_busyUntilPs + m_link.GetDelayPs());
}

void
FabricNetDevice::AppendToWire(FabricPacketItem* item, int64_t arrivalPs)
{
    if (m_link.Append(item, arrivalPs))
    {
        m_actor->Arm(arrivalPs, CalendarKind::ARRIVAL, m_port, item);
    }
}

void
FabricNetDevice::AcceptLate(Ptr<FabricPacketItem> item, int64_t beganPs, int64_t arrivalPs)
{
    FabricPacketItem* raw = PeekPointer(item);
    raw->Ref(); // as in PutOnWire()
    if (m_link.AppendLate(raw, beganPs, arrivalPs))
    {
        m_actor->Arm(arrivalPs, CalendarKind::ARRIVAL, m_port, raw);
    }
}

void
FabricNetDevice::SetElsewhere()
{
    m_elsewhere = true;
    m_busyUntilPs = FabricTime::NEVER; // all that wants to send waits
}

void
FabricNetDevice::HandleArrival()
{
    const PortLink::OnWire arrival = m_link.TakeArrival();
    FabricPacketItem* raw = arrival.item;
    if (const PortLink::OnWire* next = m_link.PeekArrival())
    {
        m_actor->Arm(next->arrivalPs, CalendarKind::ARRIVAL, m_port, next->item);
    }
    if (arrival.lost || m_checksArrivals)
    {
        raw = TakeSurvivor(raw, arrival.lost);
        if (!raw)
        {
            return;
        }
    }
    Ptr<FabricPacketItem> item(raw, false);
    switch (raw->type)
    {
    case FabricPacketType::PAUSE:
    case FabricPacketType::CREDIT:
        ++m_counters.rxLinkFrames;
        m_receiveTrace(item);
        if (m_flowControl)
        {
            m_flowControl->ReceiveFrame(*item);
        }
        return;
    case FabricPacketType::DATA:
    case FabricPacketType::FOREIGN:
        ++m_counters.rxDataPackets;
        break;
    default:
        ++m_counters.rxControlPackets;
    }
    raw->bufferClass = raw->GetPriority();
    if (m_flowControlCounts)
    {
        m_flowControl->OnReceive(*item);
    }
    m_receiveTrace(item);
    m_actor->Receive(*this, std::move(item));
}

uint64_t
FabricNetDevice::GetSentBytes(int64_t atPs) const
{
    const int64_t leftPs = m_link.GetLastEndPs() - atPs;
    if (leftPs <= 0)
    {
        return m_counters.txBytes;
    }
    const double left =
        static_cast<double>(leftPs) * static_cast<double>(m_link.GetWireRateBps()) / 8e12;
    return m_counters.txBytes - std::min(m_lastFrameBytes, static_cast<uint32_t>(left));
}

void
FabricNetDevice::RequestLinkFrame()
{
    m_linkFrameWanted = true;
    Kick();
}

void
FabricNetDevice::SetPausedClasses(uint8_t classes)
{
    const bool changed = classes != m_forbidden;
    m_forbidden = classes;
    m_queue.SetPausedClasses(classes & ~m_forced);
    Kick();
    if (changed)
    {
        m_actor->OnPeerPause(*this, classes);
    }
}

void
FabricNetDevice::SetForcedClasses(uint8_t classes)
{
    m_forced = classes;
    m_queue.SetPausedClasses(m_forbidden & ~m_forced);
    Kick();
}

FabricPacketItem*
FabricNetDevice::TakeSurvivor(FabricPacketItem* raw, bool wentDown)
{
    Ptr<FabricPacketItem> item(raw, false);
    const DropReason loss = wentDown ? DropReason::LINK_DOWN : FindError(*item);
    if (m_retry)
    {
        item = m_retry->OnArrival(std::move(item), loss);
    }
    else if (loss != DropReason::NONE)
    {
        Lose(*item, loss);
        item = nullptr;
    }
    return GetPointer(item);
}

void
FabricNetDevice::SetReceiveErrorModel(Ptr<ErrorModel> model)
{
    m_receiveErrorModel = model;
    m_frameLoss = dynamic_cast<FrameLoss*>(PeekPointer(model));
    m_checksArrivals = model || m_retry;
}

Ptr<ErrorModel>
FabricNetDevice::GetReceiveErrorModel() const
{
    return m_receiveErrorModel;
}

DropReason
FabricNetDevice::FindError(const FabricPacketItem& item) const
{
    if (m_frameLoss)
    {
        return m_frameLoss->Loses() ? DropReason::WIRE_ERROR : DropReason::NONE;
    }
    if (!m_receiveErrorModel || !m_receiveErrorModel->IsCorrupt(item.GetPacket()))
    {
        return DropReason::NONE;
    }
    const auto errors = DynamicCast<WireErrors>(m_receiveErrorModel);
    return errors && errors->IsDamaged() ? DropReason::CORRUPTED : DropReason::WIRE_ERROR;
}

void
FabricNetDevice::Lose(FabricPacketItem& item, DropReason reason)
{
    const bool isFrame = item.IsLinkFrame();
    ++(reason == DropReason::LINK_DOWN
           ? (isFrame ? m_counters.linkDownFrameDrops : m_counters.linkDownDrops)
       : isFrame                         ? m_counters.linkFrameErrorDrops
       : reason == DropReason::CORRUPTED ? m_counters.corruptDrops
                                         : m_counters.errorDrops);
    m_actor->Drop(item, reason, this);
}

Ptr<WireErrors>
FabricNetDevice::GetWireErrors()
{
    Ptr<WireErrors> errors = DynamicCast<WireErrors>(m_receiveErrorModel);
    if (!errors)
    {
        errors = CreateObject<WireErrors>();
        errors->SetFormer(m_receiveErrorModel);
        SetReceiveErrorModel(errors);
    }
    return errors;
}

void
FabricNetDevice::ArmTimer(int64_t timePs)
{
    if (timePs < m_timerPs)
    {
        m_timerPs = timePs;
        m_actor->Arm(timePs, CalendarKind::PORT, m_port);
    }
}

void
FabricNetDevice::HandleTimer()
{
    const int64_t nowPs = m_actor->GetNowPs();
    if (nowPs != m_timerPs || !m_flowControl)
    {
        return; // replaced by an earlier entry
    }
    m_timerPs = FabricTime::NEVER;
    m_flowControl->HandleTimer(nowPs);
}

void
FabricNetDevice::OnQueueDrop(FabricPacketItem& item, const char* reason)
{
    ++m_counters.queueDrops;
    m_discReason = reason;
    if (m_gate)
    {
        m_gate->ReturnRoom(item);
    }
    m_actor->OnQueueDrop(*this, item);
}

DropReason
FabricNetDevice::GetRefusal() const
{
    return m_discReason == ToText(DropReason::TRIM_QUEUE_FULL) ? DropReason::TRIM_QUEUE_FULL
                                                               : DropReason::QUEUE_DISC;
}

void
FabricNetDevice::OnQueueRefusal(const FabricPacketItem& item)
{
    if (m_gate)
    {
        m_gate->ReturnRoom(item);
    }
}

std::vector<Ptr<FabricPacketItem>>
FabricNetDevice::TakeQueue(uint8_t classes)
{
    std::vector<Ptr<FabricPacketItem>> taken = m_queue.TakeAll(m_actor->GetNowPs(), classes);
    if (m_gate)
    {
        // those parked first: they would pass as soon as others return their credits
        const EgressGate::Parked parked = m_gate->TakeParked();
        for (const Ptr<FabricPacketItem>& item : taken)
        {
            m_gate->ReturnRoom(*item);
        }
        for (const auto& [item, owner] : parked)
        {
            taken.push_back(item);
        }
    }
    return taken;
}

void
FabricNetDevice::OnLinkDown()
{
    m_busyUntilPs = FabricTime::NEVER; // the wire is never free: all that wants to send waits
    if (m_retry)
    {
        m_retry->OnLinkDown();
    }
    m_actor->OnLinkChange(*this);
}

void
FabricNetDevice::OnLinkUp()
{
    // a packet that was cut off still takes its time here
    m_busyUntilPs = m_elsewhere ? FabricTime::NEVER : m_link.GetLastEndPs();
    if (m_retry)
    {
        m_retry->OnLinkUp();
    }
    if (m_flowControl)
    {
        m_flowControl->OnLinkUp();
    }
    Kick();
    m_actor->OnLinkChange(*this);
}

void
FabricNetDevice::OnRateChange()
{
    if (m_retry)
    {
        m_retry->OnRateChange();
    }
    if (m_flowControl)
    {
        m_flowControl->OnRateChange();
    }
    m_actor->OnLinkChange(*this);
}

void
FabricNetDevice::NotifyPauseReceived(uint8_t priority, bool pause)
{
    m_pauseTrace(this, priority, pause);
}

void
FabricNetDevice::SetQueueDisc(Ptr<QueueDisc> disc)
{
    m_queue.SetDisc(disc);
}

void
FabricNetDevice::SetFlowControl(Ptr<LinkFlowControl> flowControl)
{
    m_flowControl = flowControl;
    m_flowControlCounts = flowControl && flowControl->WantsPackets();
    m_gate = nullptr;
    if (flowControl)
    {
        flowControl->Attach(this);
        if (PeerRoom* room = flowControl->GetPeerRoom())
        {
            m_gate = std::make_unique<EgressGate>(*this, *room);
        }
    }
}

void
FabricNetDevice::SetRetry(Ptr<LinkRetry> retry)
{
    m_retry = retry;
    m_attends = m_retry || m_power;
    m_checksArrivals = m_retry || m_receiveErrorModel;
    if (retry)
    {
        retry->Attach(this);
    }
}

void
FabricNetDevice::SetPower(std::unique_ptr<PortPower> power)
{
    m_power = std::move(power);
    m_attends = m_retry || m_power;
}

void
FabricNetDevice::SetPulls(bool pulls)
{
    m_pulls = pulls;
}

void
FabricNetDevice::SetIfIndex(const uint32_t index)
{
    m_ifIndex = index;
}

uint32_t
FabricNetDevice::GetIfIndex() const
{
    return m_ifIndex;
}

Ptr<Channel>
FabricNetDevice::GetChannel() const
{
    return m_link.GetChannel();
}

void
FabricNetDevice::SetAddress(Address address)
{
    m_address = Mac48Address::ConvertFrom(address);
}

Address
FabricNetDevice::GetAddress() const
{
    return m_address;
}

bool
FabricNetDevice::SetMtu(const uint16_t mtu)
{
    m_mtu = mtu;
    return true;
}

uint16_t
FabricNetDevice::GetMtu() const
{
    return m_mtu;
}

bool
FabricNetDevice::IsLinkUp() const
{
    return m_link.IsUp();
}

void
FabricNetDevice::AddLinkChangeCallback(Callback<void> callback)
{
    m_link.AddChangeCallback(callback);
}

bool
FabricNetDevice::IsBroadcast() const
{
    return false;
}

Address
FabricNetDevice::GetBroadcast() const
{
    return Mac48Address::GetBroadcast();
}

bool
FabricNetDevice::IsMulticast() const
{
    return false;
}

Address
FabricNetDevice::GetMulticast(Ipv4Address multicastGroup) const
{
    return Mac48Address::GetMulticast(multicastGroup);
}

Address
FabricNetDevice::GetMulticast(Ipv6Address addr) const
{
    return Mac48Address::GetMulticast(addr);
}

bool
FabricNetDevice::IsBridge() const
{
    return false;
}

bool
FabricNetDevice::IsPointToPoint() const
{
    return true;
}

bool
FabricNetDevice::Send(Ptr<Packet> packet, const Address& dest, uint16_t protocolNumber)
{
    return SendFrom(packet, m_address, dest, protocolNumber);
}

bool
FabricNetDevice::SendFrom(Ptr<Packet> packet,
                          const Address& source,
                          const Address& dest,
                          uint16_t protocolNumber)
{
    if (source != GetAddress())
    {
        throw FabricError(FabricTerm::Class("ns3::FabricNetDevice") +
                          ": a packet cannot be sent in the name of another device, because "
                          "forwarding is by fabric address");
    }
    return m_stack.Send(packet, dest, protocolNumber);
}

Ptr<Node>
FabricNetDevice::GetNode() const
{
    return m_node;
}

void
FabricNetDevice::SetNode(Ptr<Node> node)
{
    m_node = node;
}

bool
FabricNetDevice::NeedsArp() const
{
    return false;
}

void
FabricNetDevice::SetReceiveCallback(NetDevice::ReceiveCallback cb)
{
    m_stack.SetReceiveCallback(cb);
}

void
FabricNetDevice::SetPromiscReceiveCallback(NetDevice::PromiscReceiveCallback cb)
{
    m_stack.SetPromiscReceiveCallback(cb);
}

bool
FabricNetDevice::SupportsSendFrom() const
{
    return false;
}

void
FabricNetDevice::DoInitialize()
{
    if (m_queue.GetDisc() && !m_elsewhere)
    {
        m_queue.Start();
    }
    if (m_flowControl)
    {
        m_flowControl->Start();
    }
    NetDevice::DoInitialize();
}

void
FabricNetDevice::DoDispose()
{
    m_link.Dispose();
    m_queue.Dispose();
    if (m_flowControl)
    {
        m_flowControl->Dispose();
    }
    if (m_retry)
    {
        m_retry->Dispose();
    }
    m_gate = nullptr;
    m_flowControl = nullptr;
    m_retry = nullptr;
    m_receiveErrorModel = nullptr;
    m_frameLoss = nullptr;
    m_node = nullptr;
    m_actor = nullptr;
    m_stack.SetReceiveCallback({});
    m_stack.SetPromiscReceiveCallback({});
    NetDevice::DoDispose();
}

} // namespace ns3
