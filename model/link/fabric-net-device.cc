// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-net-device.h"

#include "fabric-channel.h"

#include "ns3/attribute-range.h"
#include "ns3/error-model.h"
#include "ns3/fabric-address.h"
#include "ns3/fabric-error.h"
#include "ns3/log.h"
#include "ns3/net-device-queue-interface.h"
#include "ns3/node.h"
#include "ns3/pointer.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

std::ptrdiff_t FabricNetDevice::g_behindStats = 0;
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
                "Rate of the link.",
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
                MakePointerAccessor(&FabricNetDevice::m_receiveErrorModel),
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
    m_channel = channel;
    m_peer = PeekPointer(peer);
    m_delayPs = FabricTime::ToPs(channel->GetDelay());
    m_linkUp = true;
    m_linkChange();
}

DataRate
FabricNetDevice::GetRate() const
{
    return m_rate;
}

int64_t
FabricNetDevice::TransmissionPs(uint64_t bytes) const
{
    if (m_psPerByte != 0)
    {
        return static_cast<int64_t>(bytes) * m_psPerByte;
    }
    // bytes x 8e12 fits 64 bits up to 2 MB, beyond any frame
    return static_cast<int64_t>(bytes * FabricTime::PS_PER_BYTE_AT_1_BPS / m_rate.GetBitRate());
}

int64_t
FabricNetDevice::NextTransmissionPs(uint64_t bytes)
{
    if (m_psPerByte != 0)
    {
        return static_cast<int64_t>(bytes) * m_psPerByte;
    }
    const uint64_t rate = m_rate.GetBitRate();
    const uint64_t scaled = bytes * FabricTime::PS_PER_BYTE_AT_1_BPS + m_remainder;
    m_remainder = scaled % rate;
    return static_cast<int64_t>(scaled / rate);
}

std::ostream&
operator<<(std::ostream& os, const FabricNetDevice& port)
{
    return os << *port.m_actor << " port " << port.m_port;
}

bool
FabricNetDevice::Enqueue(Ptr<FabricPacketItem> item)
{
    const uint32_t size = item->size;
    if (!m_disc->Enqueue(std::move(item)) || m_refused)
    {
        if (!m_refused)
        {
            m_discReason.clear(); // it gave none
        }
        m_refused = false;
        ++m_counters.queueDrops;
        return false;
    }
    const int64_t nowPs = m_actor->GetNowPs();
    IntegrateQueue(nowPs);
    m_queueBytes += size;
    if (!m_pausable)
    {
        m_maxQueueBytes = std::max(m_maxQueueBytes, m_queueBytes);
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
        m_actor->Arm(timePs, CalendarKind::TRANSMIT, m_port, m_disc);
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

void
FabricNetDevice::NameQueueLines(const HotLines& lines, int depth, uint8_t priority) const
{
    if (depth == 0)
    {
        // Of what is ns-3's own, only where the statistics lie is public. Each packet counts in
        // them and reads what is before and right behind them.
        lines.Add<5>(m_disc);
        lines.Add<3>(reinterpret_cast<const char*>(m_disc) + g_behindStats);
        lines.Add<1>(m_pausable);
        lines.Add<2>(m_peer);
    }
    else if (m_pausable)
    {
        m_pausable->NameHotLines(lines, depth - 1, priority);
    }
}

Ptr<FabricPacketItem>
FabricNetDevice::TakeNext(int64_t nowPs)
{
    if (m_linkFrameWanted)
    {
        m_linkFrameWanted = false;
        if (Ptr<FabricPacketItem> frame = m_flowControl->MakeFrame())
        {
            return frame;
        }
    }
    if (m_queueBytes > 0)
    {
        Ptr<QueueDiscItem> waiting = m_disc->Dequeue();
        if (!waiting)
        {
            waiting = DequeueAgain();
        }
        if (waiting)
        {
            IntegrateQueue(nowPs);
            m_queueBytes = m_disc->GetNBytes();
            // only Enqueue() fills the disc
            return Ptr<FabricPacketItem>(static_cast<FabricPacketItem*>(PeekPointer(waiting)));
        }
    }
    return m_pulls ? m_actor->Pull(*this) : nullptr;
}

Ptr<QueueDiscItem>
FabricNetDevice::DequeueAgain()
{
    // A disc gives nothing when its classes are paused, or when it threw away all that a class had.
    // More often than there are classes, it is holding packets back.
    for (int turn = 0; m_queueBytes > 0 && (!m_pausable || m_pausable->HasEligiblePacket()); ++turn)
    {
        if (turn == 8)
        {
            throw FabricError(m_disc->GetInstanceTypeId().GetName() + " at node " +
                              std::to_string(m_actor->GetAddress()) + " port " +
                              std::to_string(m_port) +
                              " holds packets back from a free wire, which a port cannot wait for; "
                              "use a queue disc that is work-conserving");
        }
        if (Ptr<QueueDiscItem> waiting = m_disc->Dequeue())
        {
            return waiting;
        }
    }
    return nullptr;
}

int64_t
FabricNetDevice::GetNextWorkPs()
{
    if (m_linkFrameWanted || (m_queueBytes > 0 && (!m_pausable || m_pausable->HasEligiblePacket())))
    {
        return m_busyUntilPs;
    }
    return m_pulls ? m_actor->GetPullTimePs(*this) : FabricTime::NEVER;
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
    const int64_t workPs = GetNextWorkPs();
    if (workPs != FabricTime::NEVER)
    {
        ScheduleWake(std::max(workPs, std::max(m_busyUntilPs, nowPs)));
    }
}

void
FabricNetDevice::PutOnWire(Ptr<FabricPacketItem> item, int64_t nowPs)
{
    if (item->IsLinkFrame())
    {
        ++m_counters.txLinkFrames;
        m_lastFrameBytes = 0;
    }
    else
    {
        m_actor->OnTransmit(*this, *item);
        m_counters.txBytes += item->size;
        m_lastFrameBytes = item->size;
        if (m_flowControlCounts)
        {
            m_flowControl->OnTransmit(*item);
        }
    }
    m_transmitTrace(item);
    m_busyUntilPs = nowPs + NextTransmissionPs(item->size + m_gapBytes);
    m_lastEndPs = m_busyUntilPs;
    FabricPacketItem* raw = PeekPointer(item);
    raw->Ref(); // given to the wire, taken back on arrival
    m_peer->AppendToWire(raw, m_busyUntilPs + m_delayPs);
}

void
FabricNetDevice::AppendToWire(FabricPacketItem* item, int64_t arrivalPs)
{
    if (m_wire.full())
    {
        m_wire.set_capacity(std::max<std::size_t>(16, 2 * m_wire.capacity()));
    }
    m_wire.push_back({arrivalPs, false, item});
    if (m_wire.size() == 1)
    {
        m_actor->Arm(arrivalPs, CalendarKind::ARRIVAL, m_port, item);
    }
}

void
FabricNetDevice::HandleArrival()
{
    Ptr<FabricPacketItem> item(m_wire.front().item, false);
    const bool lost = m_wire.front().lost;
    m_wire.pop_front();
    if (!m_wire.empty())
    {
        const OnWire& next = m_wire.front();
        m_actor->Arm(next.arrivalPs, CalendarKind::ARRIVAL, m_port, next.item);
    }
    if (lost)
    {
        ++(item->IsLinkFrame() ? m_counters.linkDownFrameDrops : m_counters.linkDownDrops);
        m_actor->Drop(*item, DropReason::LINK_DOWN, this);
        return;
    }
    if (m_receiveErrorModel && m_receiveErrorModel->IsCorrupt(item->GetPacket()))
    {
        ++(item->IsLinkFrame() ? m_counters.linkFrameErrorDrops : m_counters.errorDrops);
        m_actor->Drop(*item, DropReason::WIRE_ERROR, this);
        return;
    }
    switch (item->type)
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
    const int64_t leftPs = m_lastEndPs - atPs;
    if (leftPs <= 0)
    {
        return m_counters.txBytes;
    }
    const double left = static_cast<double>(leftPs) * static_cast<double>(GetWireRateBps()) / 8e12;
    return m_counters.txBytes - std::min(m_lastFrameBytes, static_cast<uint32_t>(left));
}

double
FabricNetDevice::GetMeanQueueBytes() const
{
    const int64_t nowPs = m_actor->GetNowPs();
    const double sinceChange =
        static_cast<double>(m_queueBytes) * static_cast<double>(nowPs - m_queueSincePs);
    return nowPs > 0 ? (m_queueIntegral + sinceChange) / static_cast<double>(nowPs) : 0;
}

uint64_t
FabricNetDevice::GetNPacketsOnWire() const
{
    uint64_t count = 0;
    for (const OnWire& packet : m_wire)
    {
        count += !packet.item->IsLinkFrame();
    }
    return count;
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
    m_pausedClasses = classes;
    if (m_pausable)
    {
        m_pausable->SetPausedClasses(classes);
    }
    Kick();
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
FabricNetDevice::NotifyQueueDrop(Ptr<const QueueDiscItem> dropped, const char* reason)
{
    // only Enqueue() fills the disc
    auto* item = static_cast<FabricPacketItem*>(const_cast<QueueDiscItem*>(PeekPointer(dropped)));
    IntegrateQueue(m_actor->GetNowPs());
    m_queueBytes -= item->size;
    ++m_counters.queueDrops;
    m_discReason = reason;
    if (m_gate)
    {
        m_gate->Forgo(*item);
    }
    m_actor->OnQueueDrop(*this, *item);
}

void
FabricNetDevice::NotifyQueueRefusal(Ptr<const QueueDiscItem> refused, const char* reason)
{
    m_refused = true; // some stock discs do not tell so
    m_discReason = reason;
    if (m_gate)
    {
        m_gate->Forgo(static_cast<const FabricPacketItem&>(*refused));
    }
}

void
FabricNetDevice::NotifyPauseReceived(uint8_t priority, bool pause)
{
    m_pauseTrace(this, priority, pause);
}

void
FabricNetDevice::SetQueueDisc(Ptr<QueueDisc> disc)
{
    m_queueDisc = disc;
    m_disc = PeekPointer(disc);
    m_pausable = dynamic_cast<ClassPauseInterface*>(m_disc);
    g_behindStats = reinterpret_cast<const char*>(&m_disc->GetStats() + 1) -
                    reinterpret_cast<const char*>(m_disc);
    m_disc->TraceConnectWithoutContext("DropBeforeEnqueue",
                                       MakeCallback(&FabricNetDevice::NotifyQueueRefusal, this));
    m_disc->TraceConnectWithoutContext("DropAfterDequeue",
                                       MakeCallback(&FabricNetDevice::NotifyQueueDrop, this));
    if (m_pausable)
    {
        m_pausable->SetWaitingBytes(m_waitingBytes);
    }
    else
    {
        // stock discs look for the device's one queue when they start, and fair-queueing ones take
        // their quantum from the MTU of the device it belongs to: without one they loop forever
        Ptr<NetDeviceQueueInterface> queues = GetObject<NetDeviceQueueInterface>();
        if (!queues)
        {
            queues = CreateObject<NetDeviceQueueInterface>();
            AggregateObject(queues);
        }
        m_disc->SetNetDeviceQueueInterface(queues);
    }
}

void
FabricNetDevice::SetWaitingBytes(const uint64_t* byClass)
{
    m_waitingBytes = byClass;
    if (m_pausable)
    {
        m_pausable->SetWaitingBytes(byClass);
    }
}

Ptr<QueueDisc>
FabricNetDevice::GetQueueDisc() const
{
    return m_queueDisc;
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
FabricNetDevice::SetPulls(bool pulls)
{
    m_pulls = pulls;
}

void
FabricNetDevice::DoInitialize()
{
    if (m_queueDisc)
    {
        m_queueDisc->Initialize();
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
    for (const OnWire& packet : m_wire)
    {
        packet.item->Unref();
    }
    m_wire.clear();
    if (m_queueDisc)
    {
        m_queueDisc->Dispose();
    }
    if (m_flowControl)
    {
        m_flowControl->Dispose();
    }
    m_gate = nullptr;
    m_disc = nullptr;
    m_pausable = nullptr;
    m_queueDisc = nullptr;
    m_flowControl = nullptr;
    m_receiveErrorModel = nullptr;
    m_channel = nullptr;
    m_node = nullptr;
    m_peer = nullptr;
    m_actor = nullptr;
    m_rxCallback = NetDevice::ReceiveCallback();
    m_promiscCallback = NetDevice::PromiscReceiveCallback();
    NetDevice::DoDispose();
}

} // namespace ns3
