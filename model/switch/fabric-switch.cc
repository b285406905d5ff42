// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-switch.h"

#include "ns3/attribute-range.h"
#include "ns3/congestion-aware-queue-disc.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-net-device.h"
#include "ns3/log.h"

#include <algorithm>

namespace ns3
{

LogComponent FabricSwitch::g_log("FabricSwitch", __FILE__);

NS_OBJECT_ENSURE_REGISTERED(FabricSwitch);

namespace
{

/// Bit of a timer's number: it belongs to the buffer, not to a feature.
constexpr uint32_t BUFFER_TIMERS = 1U << 31;

} // namespace

TypeId
FabricSwitch::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::FabricSwitch")
            .SetParent<FabricActor>()
            .SetGroupName("Dcfabric")
            .AddConstructor<FabricSwitch>()
            .AddAttribute("DetectionTime",
                          "Time from when the link of a port goes down until the switch "
                          "leaves the port out and drops what waits for it.",
                          TimeValue(MicroSeconds(10)),
                          MakeTimeAccessor(&FabricSwitch::m_detectionTime),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()))
            .AddTraceSource("Trim",
                            "A packet for which there was no room has lost its payload.",
                            MakeTraceSourceAccessor(&FabricSwitch::m_trimTrace),
                            "ns3::FabricSwitch::TrimTracedCallback");
    return tid;
}

FabricSwitch::FabricSwitch() = default;

FabricSwitch::~FabricSwitch() = default;

void
FabricSwitch::SetForwardingTable(ForwardingTable table)
{
    NS_LOG_FUNCTION(this);
    m_table = std::move(table);
}

void
FabricSwitch::SetPathSelector(Ptr<PathSelector> selector)
{
    NS_LOG_FUNCTION(this << selector);
    m_selector = selector;
    m_selector->Attach(GetAddress(), m_tier);
    m_selector->SetPortLoads(&m_loads);
}

void
FabricSwitch::SetBuffer(Ptr<SwitchBuffer> buffer)
{
    NS_LOG_FUNCTION(this << buffer);
    m_buffer = buffer;
    m_shared = dynamic_cast<SharedBuffer*>(PeekPointer(buffer));
    m_holds = buffer->HoldsPackets();
    for (FabricNetDevice* port : m_ports)
    {
        port->GetQueue().SetWaitingBytes(nullptr);
    }
    buffer->Attach(this);
    FindShortcuts();
}

void
FabricSwitch::FindShortcuts()
{
    m_mayTake = m_holds && m_onFilter.empty();
    // what a gate has foretold holds as long as packets and table stay the same
    m_foretells = !m_planned && m_onReceive.empty() && m_onChoosePath.empty() &&
                  std::all_of(m_ports.begin(), m_ports.end(), [](const FabricNetDevice* port) {
                      return port->GetGate() != nullptr;
                  });
}

int64_t
FabricSwitch::Loads::GetPresentPs() const
{
    return m_switch.GetNowPs();
}

uint64_t
FabricSwitch::Loads::GetWaitingBytes(uint16_t port) const
{
    return m_switch.m_ports[port]->GetQueue().GetBytes() + m_switch.m_buffer->GetWaitingBytes(port);
}

int64_t
FabricSwitch::Loads::GetWaitingPs(uint16_t port) const
{
    return m_switch.m_ports[port]->GetLink().TransmissionPs(GetWaitingBytes(port));
}

void
FabricSwitch::SetTier(uint8_t tier)
{
    NS_LOG_FUNCTION(this << +tier);
    m_tier = tier;
    if (m_selector)
    {
        m_selector->Attach(GetAddress(), tier);
    }
}

void
FabricSwitch::AddFeature(Ptr<SwitchFeature> feature)
{
    NS_LOG_FUNCTION(this << feature);
    feature->Attach(this, static_cast<uint32_t>(m_features.size()));
    m_features.push_back(feature);
    SwitchFeature* raw = PeekPointer(feature);
    const uint32_t hooks = raw->GetHooks();
    const std::pair<SwitchFeature::Hook, std::vector<SwitchFeature*>*> lists[] = {
        {SwitchFeature::RECEIVE, &m_onReceive},
        {SwitchFeature::CONSUME, &m_onConsume},
        {SwitchFeature::CHOOSE_PATH, &m_onChoosePath},
        {SwitchFeature::ADMIT, &m_onAdmit},
        {SwitchFeature::ENQUEUE, &m_onEnqueue},
        {SwitchFeature::DEQUEUE, &m_onDequeue},
        {SwitchFeature::DROP, &m_onDrop},
        {SwitchFeature::TRANSMIT, &m_onTransmit},
        {SwitchFeature::FILTER, &m_onFilter},
        {SwitchFeature::PEER_PAUSE, &m_onPeerPause},
    };
    for (const auto& [hook, list] : lists)
    {
        if (hooks & hook)
        {
            list->push_back(raw);
        }
    }
    FindShortcuts();
}

void
FabricSwitch::Receive(FabricNetDevice& port, Ptr<FabricPacketItem> item)
{
    FabricPacketItem& packet = *PeekPointer(item);
    packet.ingressPort = port.GetPort();
    packet.bufferBytes = 0;
    for (auto* feature : m_onReceive)
    {
        if (feature->OnReceive(port, packet))
        {
            ++m_consumed;
            Refund(packet);
            return;
        }
    }
    if (packet.dst == GetAddress())
    {
        Consume(port, packet);
        return;
    }
    Forward(std::move(item));
}

void
FabricSwitch::Consume(FabricNetDevice& port, FabricPacketItem& item)
{
    const bool isTaken =
        std::any_of(m_onConsume.begin(), m_onConsume.end(), [&](SwitchFeature* feature) {
            return feature->OnConsume(port, item);
        });
    Refund(item);
    if (isTaken)
    {
        ++m_consumed;
        return;
    }
    Drop(item, DropReason::NOT_FOR_SWITCH, nullptr);
}

bool
FabricSwitch::Originate(Ptr<FabricPacketItem> item, uint16_t port)
{
    ++m_originated;
    item->ingressPort = FabricPacketItem::NO_PORT;
    item->bufferBytes = 0;
    if (!m_on)
    {
        Drop(*item, DropReason::SWITCH_DOWN, nullptr);
        return false;
    }
    if (port == FabricPacketItem::NO_PORT)
    {
        return Forward(std::move(item));
    }
    if (m_table.IsDown(port))
    {
        Drop(*item, DropReason::PORT_DOWN, m_ports[port]);
        return false;
    }
    return PassFreely(*m_ports[port], item);
}

uint16_t
FabricSwitch::ChoosePort(FabricPacketItem& item)
{
    const PortGroup group = m_table.Lookup(item.dst);
    if (group.nPorts == 0)
    {
        return FabricPacketItem::NO_PORT;
    }
    uint16_t port = group.nPorts == 1 ? group.ports[0] : m_selector->Select(group, item);
    if (m_table.IsDown(port))
    {
        NS_LOG_LOGIC(*this << ": port " << port << " is down, chooses again for " << item);
        port = ChooseAgain(item);
        if (port == FabricPacketItem::NO_PORT)
        {
            return port;
        }
    }
    for (auto* feature : m_onChoosePath)
    {
        feature->OnChoosePath(group, item, port);
    }
    return port;
}

uint16_t
FabricSwitch::ChooseAgain(const FabricPacketItem& item)
{
    const PortGroup rest = m_table.LookupUp(item.dst);
    return rest.nPorts == 0 ? FabricPacketItem::NO_PORT : m_selector->SelectAgain(rest, item);
}

bool
FabricSwitch::Forward(Ptr<FabricPacketItem> item)
{
    FabricPacketItem& packet = *PeekPointer(item);
    const bool isForetold = m_foretells && packet.ingressPort != FabricPacketItem::NO_PORT &&
                            packet.output < m_ports.size() && !m_table.IsDown(packet.output);
    const uint16_t out = isForetold ? packet.output : ChoosePort(packet);
    if (out == FabricPacketItem::NO_PORT)
    {
        Refund(packet);
        const bool hasRoute = m_table.Lookup(packet.dst).nPorts > 0;
        Drop(packet, hasRoute ? DropReason::PORT_DOWN : DropReason::NO_ROUTE, nullptr);
        return false;
    }
    FabricNetDevice& egress = *m_ports[out];
    if (packet.ingressPort != FabricPacketItem::NO_PORT)
    {
        if (m_mayTake && m_buffer->TakeArrival(item, out))
        {
            return true;
        }
        FabricNetDevice& ingress = *m_ports[packet.ingressPort];
        if (!Admit(ingress, packet, egress))
        {
            return false;
        }
        TellAdmitted(packet, out);
    }
    for (auto* feature : m_onFilter)
    {
        const DropReason reason = feature->OnFilter(egress, packet);
        if (reason != DropReason::NONE)
        {
            if (packet.bufferBytes > 0)
            {
                m_buffer->CancelAdmission(packet.bufferBytes);
                Release(packet, out);
            }
            Drop(packet, reason, &egress);
            return false;
        }
    }
    if (m_holds && packet.bufferBytes > 0)
    {
        m_buffer->Hold(std::move(item), out);
        return true;
    }
    return PassFreely(egress, item);
}

uint16_t
FabricSwitch::PredictPort(const FabricPacketItem& item) const
{
    const PortGroup group = (m_planned ? *m_planned : m_table).Lookup(item.dst);
    if (group.nPorts < 2)
    {
        return group.nPorts == 0 ? FabricPacketItem::NO_PORT : group.ports[0];
    }
    const uint16_t port =
        m_onChoosePath.empty() ? m_selector->Predict(group, item) : FabricPacketItem::NO_PORT;
    if (port == FabricPacketItem::NO_PORT)
    {
        // the selector, also where it has its feature choose
        const char* feature = m_selector->GetRouteNeeds().feature;
        const bool selects =
            m_onChoosePath.empty() ||
            (feature && m_onChoosePath.front()->GetInstanceTypeId().GetName() == feature);
        const Object* chooser =
            selects ? static_cast<const Object*>(PeekPointer(m_selector)) : m_onChoosePath.front();
        throw FabricError(
            FabricTerm::Class(chooser->GetInstanceTypeId()),
            " chooses it on arrival",
            {selects
                 ? FabricRemedy::Use(FabricTerm::Class("ns3::SymmetricEcmpPathSelector"))
                 : FabricRemedy::Do("leave out " + FabricTerm::Class(chooser->GetInstanceTypeId())),
             FabricRemedy::Use(
                 FabricTerm::Any("ns3::LinkFlowControl", "another", "flow control"))});
    }
    return port;
}

void
FabricSwitch::OnGateOpen(FabricNetDevice& port)
{
    m_buffer->OnGateOpen(port.GetPort());
}

void
FabricSwitch::OnLinkChange(FabricNetDevice& port)
{
    NS_LOG_FUNCTION(this << port.GetPort());
    WatchLink(port);
    for (const auto& feature : m_features)
    {
        feature->OnLinkChange(port);
    }
}

void
FabricSwitch::CheckRate(uint16_t port, uint64_t rateBps) const
{
    for (const auto& feature : m_features)
    {
        feature->CheckRate(port, rateBps);
    }
}

void
FabricSwitch::OnPass(FabricNetDevice& port, Ptr<FabricPacketItem> item, uint32_t /* owner */)
{
    PassToEgress(port, std::move(item));
}

bool
FabricSwitch::PassToEgress(FabricNetDevice& egress, Ptr<FabricPacketItem> item)
{
    FabricPacketItem& packet = *PeekPointer(item);
    for (auto* feature : m_onEnqueue)
    {
        feature->OnEnqueue(egress, packet);
    }
    if (!egress.Enqueue(item))
    {
        Depart(egress, packet);
        Drop(packet, egress.GetRefusal(), &egress);
        return false;
    }
    return true;
}

bool
FabricSwitch::AdmitTrimmed(const FabricNetDevice& port,
                           FabricPacketItem& item,
                           FabricNetDevice& egress)
{
    const uint8_t priority = item.GetPriority();
    const auto disc = DynamicCast<CongestionAwareQueueDisc>(egress.GetQueue().GetDisc());
    const Ptr<PacketTrimmer> trimmer = disc ? disc->GetTrimmer() : nullptr;
    if (!trimmer || !trimmer->Covers(priority) || !item.CanTrim() || m_buffer->IsLossless(priority))
    {
        return false;
    }
    const uint8_t trimmed = trimmer->GetTrimmedClass();
    const SwitchBuffer::Arrival arrival{port.GetPort(),
                                        egress.GetPort(),
                                        trimmed,
                                        std::min(item.size, trimmer->GetSize()),
                                        egress.GetQueue().GetClassBytes(trimmed)};
    if (m_buffer->AdmitArrival(arrival).refused != DropReason::NONE)
    {
        return false;
    }
    const uint32_t bytes = disc->Trim(item, priority);
    item.bufferBytes = item.size;
    item.bufferClass = item.GetPriority();
    TellTrim(item, bytes, egress);
    return true;
}

bool
FabricSwitch::Admit(FabricNetDevice& port, FabricPacketItem& item, FabricNetDevice& egress)
{
    const uint8_t priority = item.GetPriority();
    const SwitchBuffer::Arrival arrival{
        port.GetPort(),
        egress.GetPort(),
        priority,
        item.size,
        m_buffer->IsLossless(priority) ? 0 : egress.GetQueue().GetClassBytes(priority),
        item.flags};
    const SwitchBuffer::Verdict verdict =
        m_shared ? m_shared->AdmitArrival(arrival) : m_buffer->AdmitArrival(arrival);
    if (verdict.refused != DropReason::NONE)
    {
        if (AdmitTrimmed(port, item, egress))
        {
            return true;
        }
        Refund(item);
        Drop(item, verdict.refused, &egress);
        return false;
    }
    if (verdict.congested && port.GetFlowControl())
    {
        port.GetFlowControl()->SetCongested(priority, true);
    }
    item.bufferBytes = item.size;
    return true;
}

void
FabricSwitch::Refund(const FabricPacketItem& item)
{
    if (m_tellReleases && item.ingressPort != FabricPacketItem::NO_PORT)
    {
        if (LinkFlowControl* flowControl = m_ports[item.ingressPort]->GetFlowControl())
        {
            flowControl->OnBufferReleased(item, item.size);
        }
    }
}

inline void
FabricSwitch::TellPort(const FabricPacketItem& item, bool resume)
{
    if (LinkFlowControl* flowControl = m_ports[item.ingressPort]->GetFlowControl())
    {
        flowControl->OnBufferReleased(item, item.bufferBytes);
        if (resume)
        {
            flowControl->SetCongested(item.bufferClass, false);
        }
    }
}

void
FabricSwitch::TellFlowControl(const FabricPacketItem& item, bool resume)
{
    TellPort(item, resume);
}

void
FabricSwitch::Release(const FabricPacketItem& item, uint16_t egress)
{
    const uint16_t ingress = item.ingressPort;
    const uint8_t priority = item.bufferClass;
    const uint32_t bytes = item.bufferBytes;
    const bool resume = m_shared ? m_shared->ReleaseRoom(ingress, egress, priority, bytes)
                                 : m_buffer->ReleaseRoom(ingress, egress, priority, bytes);
    if (resume || m_tellReleases)
    {
        TellPort(item, resume);
    }
}

void
FabricSwitch::Depart(const FabricNetDevice& egress, const FabricPacketItem& item)
{
    if (item.bufferBytes == 0)
    {
        return; // made here
    }
    if (m_holds)
    {
        m_buffer->OnDeparture(egress.GetPort(), item.GetPriority(), item.bufferBytes);
        return;
    }
    Release(item, egress.GetPort());
}

void
FabricSwitch::ArmBufferTimer(uint32_t id, int64_t timePs)
{
    Arm(timePs, CalendarKind::TIMER, BUFFER_TIMERS | id);
}

uint64_t
FabricSwitch::GetNHeldPackets() const
{
    return FabricActor::GetNHeldPackets() + (m_buffer ? m_buffer->GetNHeldPackets() : 0);
}

void
FabricSwitch::OnTransmit(FabricNetDevice& port, FabricPacketItem& item)
{
    Depart(port, item);
    for (auto* feature : m_onDequeue)
    {
        feature->OnDequeue(port, item);
    }
    for (auto* feature : m_onTransmit)
    {
        feature->OnTransmit(port, item);
    }
}

void
FabricSwitch::OnQueueDrop(FabricNetDevice& port, FabricPacketItem& item)
{
    Depart(port, item);
    FabricActor::OnQueueDrop(port, item);
}

void
FabricSwitch::OnQueueTrim(FabricNetDevice& port, FabricPacketItem& item, uint32_t bytes)
{
    if (item.bufferBytes > bytes) // not made here
    {
        const uint32_t left = item.bufferBytes - bytes;
        item.bufferBytes = bytes;
        Release(item, port.GetPort());
        item.bufferBytes = left;
    }
    TellTrim(item, bytes, port);
}

void
FabricSwitch::TellTrim(FabricPacketItem& item, uint32_t bytes, const FabricNetDevice& egress) const
{
    NS_LOG_LOGIC(*this << ": trims " << item << " by " << bytes << " bytes, for port "
                       << egress.GetPort());
    m_trimTrace(&item, bytes, &egress);
}

void
FabricSwitch::OnDrop(FabricPacketItem& item, DropReason reason, const FabricNetDevice* port)
{
    for (auto* feature : m_onDrop)
    {
        feature->OnDrop(item, reason, port);
    }
}

void
FabricSwitch::ArmTimer(uint32_t feature, int64_t timePs)
{
    Arm(timePs, CalendarKind::TIMER, feature);
}

void
FabricSwitch::HandleTimer(uint32_t id)
{
    if (id & BUFFER_TIMERS)
    {
        m_buffer->HandleTimer(id & ~BUFFER_TIMERS);
        return;
    }
    if (id & LINK_TIMERS)
    {
        LeaveOut(*m_ports[id & ~LINK_TIMERS]);
        return;
    }
    m_features[id]->OnTimer(GetNowPs());
}

void
FabricSwitch::NameRouteLines(const HotLines& lines,
                             const FabricNetDevice& port,
                             const FabricPacketItem& item) const
{
    m_table.NameHotLines(lines, item.dst);
    m_buffer->NameHotLines(lines, port.GetPort(), item.GetPriority());
    for (const SwitchFeature* feature : m_onAdmit)
    {
        lines.Add<4>(feature);
    }
}

const FabricNetDevice*
FabricSwitch::PredictEgress(const FabricPacketItem& item) const
{
    const PortGroup group = m_table.Lookup(item.dst);
    const uint16_t out = group.nPorts == 0   ? FabricPacketItem::NO_PORT
                         : group.nPorts == 1 ? group.ports[0]
                                             : m_selector->Predict(group, item);
    return out == FabricPacketItem::NO_PORT ? nullptr : m_ports[out];
}

void
FabricSwitch::DoInitialize()
{
    NS_LOG_FUNCTION(this);
    m_tellReleases = std::any_of(m_ports.begin(), m_ports.end(), [](const FabricNetDevice* port) {
        return port->DoesFlowControlCount();
    });
    FindShortcuts();
    FabricActor::DoInitialize();
}

void
FabricSwitch::DoDispose()
{
    NS_LOG_FUNCTION(this);
    for (const auto& feature : m_features)
    {
        feature->Dispose();
    }
    m_onReceive.clear();
    m_onConsume.clear();
    m_onChoosePath.clear();
    m_onAdmit.clear();
    m_onEnqueue.clear();
    m_onDequeue.clear();
    m_onDrop.clear();
    m_onFilter.clear();
    m_onPeerPause.clear();
    m_onTransmit.clear();
    m_features.clear();
    m_selector = nullptr;
    if (m_buffer)
    {
        m_buffer->Dispose();
    }
    m_shared = nullptr;
    m_buffer = nullptr;
    FabricActor::DoDispose();
}

} // namespace ns3
