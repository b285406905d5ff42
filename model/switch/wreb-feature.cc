// SPDX-License-Identifier: GPL-2.0-only
#include "wreb-feature.h"

#include "fabric-switch.h"
#include "port-state.h"

#include "ns3/boolean.h"
#include "ns3/bts-packet.h"
#include "ns3/congestion-aware-queue-disc.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-net-device.h"
#include "ns3/log.h"
#include "ns3/pointer.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace ns3
{

LogComponent WrebFeature::g_log("WrebFeature", __FILE__);

NS_OBJECT_ENSURE_REGISTERED(WrebFeature);

namespace
{

/// @return a number as a narrower type, the largest of it if it is larger
template <typename T>
T
Clip(double value)
{
    return static_cast<T>(std::min(value, static_cast<double>(std::numeric_limits<T>::max())));
}

/// @return signals as the queue tells them in the form of a packet
BtsFields
Pack(const BackToSenderSignals& signals)
{
    BtsFields fields{};
    fields.signals = signals.present;
    fields.relativeQueue = Clip<uint16_t>(signals.relativeQueue * 1024);
    fields.activeFlows = Clip<uint16_t>(signals.activeFlows);
    fields.gradientMbps = Clip<int32_t>(std::round(signals.gradientBps / 1e6));
    fields.rateMbps = Clip<uint32_t>(static_cast<double>(signals.rateBps) / 1e6);
    fields.portSentBytes = static_cast<uint32_t>(signals.portSentBytes);
    fields.queueSentBytes = static_cast<uint32_t>(signals.queueSentBytes);
    fields.timeNs = static_cast<uint32_t>(signals.timePs / 1000);
    fields.portBytes = Clip<uint32_t>(static_cast<double>(signals.portBytes));
    fields.bufferBytes = Clip<uint32_t>(static_cast<double>(signals.bufferBytes));
    fields.groupBytes = Clip<uint32_t>(static_cast<double>(signals.groupBytes));
    return fields;
}

} // namespace

/// What surrounds the queue disc of a port.
class WrebFeature::Port final : public QueueContext
{
  public:
    /**
     * @param sw the switch
     * @param device the port
     * @param disc its queue disc
     */
    Port(const FabricSwitch& sw, const FabricNetDevice& device, Ptr<CongestionAwareQueueDisc> disc)
        : m_switch(sw),
          m_device(device),
          m_disc(disc)
    {
    }

    /// @return the queue disc
    CongestionAwareQueueDisc& GetDisc() const
    {
        return *m_disc;
    }

    int64_t GetNowPs() const override
    {
        return m_device.GetNowPs();
    }

    uint64_t GetRateBps() const override
    {
        return m_device.GetRateBps();
    }

    uint64_t GetPortSentBytes() const override
    {
        return m_device.GetSentBytes(m_device.GetNowPs());
    }

    uint64_t GetWaitingBytes(uint8_t priority) const override
    {
        return m_switch.GetBuffer()->GetWaitingBytes(m_device.GetPort(), priority);
    }

    uint64_t GetBufferBytes() const override
    {
        return m_switch.GetBuffer()->GetUsedBytes();
    }

    uint64_t GetGroupBytes(uint8_t classes) const override
    {
        uint64_t sum = 0;
        for (uint16_t port = 0; port < m_switch.GetNPorts(); ++port)
        {
            for (uint8_t priority = 0; priority < 8; ++priority)
            {
                if ((classes >> priority) & 1)
                {
                    sum += m_switch.GetPort(port)->GetQueue().GetClassBytes(priority) +
                           m_switch.GetBuffer()->GetWaitingBytes(port, priority);
                }
            }
        }
        return sum;
    }

    uint64_t GetSource(const QueueDiscItem& item) const override
    {
        // only such items pass the ports of a fabric
        return static_cast<const FabricPacketItem&>(item).src;
    }

    uint64_t GetFlow(const QueueDiscItem& item) const override
    {
        // not the hash, which a flow that is sprayed over several paths has many of
        const auto& packet = static_cast<const FabricPacketItem&>(item);
        return packet.type == FabricPacketType::DATA
                   ? (uint64_t{packet.src} << 32) | packet.data.sourcePdc
                   : packet.Hash();
    }

  private:
    const FabricSwitch& m_switch;         //!< the switch
    const FabricNetDevice& m_device;      //!< the port
    Ptr<CongestionAwareQueueDisc> m_disc; //!< its queue disc
};

TypeId
WrebFeature::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::WrebFeature")
            .SetParent<SwitchFeature>()
            .SetGroupName("Dcfabric")
            .AddConstructor<WrebFeature>()
            .AddAttribute("Notifier",
                          "When queues notify, and of what.",
                          StringValue("ns3::BackToSenderNotifier"),
                          MakePointerAccessor(&WrebFeature::m_notifier),
                          MakePointerChecker<BackToSenderNotifier>())
            .AddAttribute("Send",
                          "Send what queues have to say; otherwise they only mark, by the same "
                          "draws, and receivers echo the marks.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&WrebFeature::m_send),
                          MakeBooleanChecker())
            .AddAttribute("TellInt",
                          "Notifications carry an INT record of the port.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&WrebFeature::m_tellInt),
                          MakeBooleanChecker())
            .AddAttribute("WireFormat",
                          "Sizes on the wire; null for true RoCEv2.",
                          PointerValue(),
                          MakePointerAccessor(&WrebFeature::m_wire),
                          MakePointerChecker<WireFormat>())
            .AddAttribute("IntFormat",
                          "Layout of the INT record; null for the default one.",
                          PointerValue(),
                          MakePointerAccessor(&WrebFeature::m_intFormat),
                          MakePointerChecker<IntFormat>())
            .AddAttribute("ControlClass",
                          "Class of the notifications.",
                          UintegerValue(6),
                          MakeUintegerAccessor(&WrebFeature::m_controlClass),
                          MakeUintegerChecker<uint8_t>(0, 7));
    return tid;
}

WrebFeature::WrebFeature() = default;

WrebFeature::~WrebFeature() = default;

uint32_t
WrebFeature::GetHooks() const
{
    return DROP;
}

const char*
WrebFeature::GetClash() const
{
    return ", but a queue has one notifier";
}

SwitchFeature::Effects
WrebFeature::GetEffects() const
{
    Effects effects;
    effects.markedClasses = m_notifier ? m_notifier->GetClasses() : 0xff;
    effects.sharesProfile = m_notifier && m_notifier->SharesProfile();
    effects.tellsDrops = true;
    effects.message = "notifies senders of congestion";
    return effects;
}

SwitchFeature::Counters
WrebFeature::GetCounters() const
{
    return {{"bts_sent", m_sent}, {"bts_bytes", m_sentBytes}};
}

void
WrebFeature::Attach(FabricSwitch* sw, uint32_t number)
{
    NS_LOG_FUNCTION(this << sw << number);
    SwitchFeature::Attach(sw, number);
    if (!m_notifier)
    {
        throw FabricError(FabricTerm::Class("ns3::WrebFeature") + " needs a Notifier, as " +
                          FabricTerm::Class("ns3::BackToSenderNotifier"));
    }
    m_wire = m_wire ? m_wire : Ptr<WireFormat>(CreateObject<RoceV2WireFormat>());
    m_intFormat = m_intFormat ? m_intFormat : CreateObject<IntFormat>();
    if (m_tellInt)
    {
        const bool exact = m_intFormat->IsExact();
        m_stamper.Start(*sw, m_intFormat, {0, m_wire->GetAckIntBytes(1, exact)});
    }
    for (uint16_t number = 0; number < sw->GetNPorts(); ++number)
    {
        FabricNetDevice* device = sw->GetPort(number);
        const auto disc = DynamicCast<CongestionAwareQueueDisc>(device->GetQueue().GetDisc());
        if (!disc)
        {
            throw FabricError(
                FabricTerm::Class(GetInstanceTypeId()),
                " has the queues of switches notify senders, which " +
                    FabricTerm::Class(device->GetQueue().GetDisc()->GetInstanceTypeId()) +
                    " cannot",
                {FabricRemedy::Use(FabricTerm::Class("ns3::CongestionAwareQueueDisc"))});
        }
        m_ports.push_back(std::make_unique<Port>(*sw, *device, disc));
        disc->SetContext(m_ports.back().get());
        disc->SetBackToSender(m_notifier);
        disc->SetBackToSenderCallback(
            [this, number](const BackToSenderNotice& notice) { Send(number, notice); });
    }
}

void
WrebFeature::OnDrop(FabricPacketItem& item, DropReason reason, const FabricNetDevice* egress)
{
    if (reason == DropReason::QUEUE_DISC || reason == DropReason::TRIM_QUEUE_FULL)
    {
        return; // the queue disc tells
    }
    if (egress)
    {
        m_ports[egress->GetPort()]->GetDisc().NotifyDrop(Ptr<const QueueDiscItem>(&item));
    }
    else if (((m_notifier->GetClasses() >> item.GetPriority()) & 1) != 0 &&
             BackToSenderQueue::IsEcnCapable(item))
    {
        // no queue, whose congestion could be told
        BackToSenderNotice notice;
        notice.item = Ptr<const QueueDiscItem>(&item);
        notice.priority = item.GetPriority();
        notice.dropped = true;
        notice.wasMarked = BackToSenderQueue::IsMarked(item);
        Send(FabricPacketItem::NO_PORT, notice);
    }
}

void
WrebFeature::Send(uint16_t port, const BackToSenderNotice& notice)
{
    const auto& data = static_cast<const FabricPacketItem&>(*notice.item);
    if (!m_send || data.type != FabricPacketType::DATA)
    {
        return;
    }
    Ptr<FabricPacketItem> item = FabricPacketItem::Create(FabricPacketType::BTS);
    item->src = m_switch->GetAddress();
    item->dst = data.src;
    item->pdc = data.data.sourcePdc;
    item->psn = data.psn;
    item->entropy = data.entropy;
    item->ds = FabricPacketItem::MakeDs(m_controlClass, 0);
    item->size = m_wire->GetBtsBytes(notice.signals.present);
    auto& bts = item->As<BtsFields>();
    bts = Pack(notice.signals);
    bts.port = port;
    bts.priority = notice.priority;
    bts.dropped = notice.dropped;
    bts.inverted = m_notifier->IsEcnInverted();
    bts.marked = notice.wasMarked != m_notifier->IsEcnInverted();
    if (m_tellInt && port != FabricPacketItem::NO_PORT)
    {
        m_stamper.Append(*item, port, PortState::Read(*m_switch->GetPort(port), notice.priority));
    }
    item->UpdateFlowHash();
    NS_LOG_LOGIC(*m_switch << ": notifies a sender: " << *item);
    ++m_sent;
    m_sentBytes += item->size;
    m_outbox.Put(std::move(item), *m_switch, m_number);
}

void
WrebFeature::OnTimer(int64_t /* nowPs */)
{
    m_outbox.Send(*m_switch);
}

void
WrebFeature::DoDispose()
{
    NS_LOG_FUNCTION(this);
    for (const auto& port : m_ports)
    {
        port->GetDisc().SetBackToSender(nullptr);
        port->GetDisc().SetContext(nullptr);
        port->GetDisc().SetBackToSenderCallback(nullptr);
    }
    m_ports.clear();
    m_outbox.Clear();
    m_notifier = nullptr;
    SwitchFeature::DoDispose();
}

void
WrebFeature::CheckRate(uint16_t /* port */, uint64_t rateBps) const
{
    m_stamper.CheckRate(rateBps);
}

} // namespace ns3
