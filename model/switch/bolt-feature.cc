// SPDX-License-Identifier: GPL-2.0-only
#include "bolt-feature.h"

#include "fabric-switch.h"
#include "port-state.h"

#include "ns3/attribute-range.h"
#include "ns3/bolt-bits.h"
#include "ns3/bts-packet.h"
#include "ns3/fabric-net-device.h"
#include "ns3/pointer.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(BoltFeature);

TypeId
BoltFeature::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::BoltFeature")
            .SetParent<SwitchFeature>()
            .SetGroupName("Dcfabric")
            .AddConstructor<BoltFeature>()
            .AddAttribute("Threshold",
                          "Bytes of a queue from which on senders are told of it; 0: as many as "
                          "the packet has that meets it.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&BoltFeature::m_threshold),
                          MakeUintegerChecker<uint64_t>(0, AttributeRange::MAX_BYTES))
            .AddAttribute("MaxSupply",
                          "Most supply in bytes that a link saves up.",
                          UintegerValue(30000),
                          MakeUintegerAccessor(&BoltFeature::m_maxSupply),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("MaxTokens",
                          "Most tokens of flows that end; 0: no proactive ramp-up.",
                          UintegerValue(256),
                          MakeUintegerAccessor(&BoltFeature::m_maxTokens),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("ControlClass",
                          "Class of the notifications.",
                          UintegerValue(6),
                          MakeUintegerAccessor(&BoltFeature::m_controlClass),
                          MakeUintegerChecker<uint8_t>(0, 7))
            .AddAttribute("WireFormat",
                          "Sizes on the wire; null for true RoCEv2.",
                          PointerValue(),
                          MakePointerAccessor(&BoltFeature::m_wire),
                          MakePointerChecker<WireFormat>());
    return tid;
}

uint32_t
BoltFeature::GetHooks() const
{
    return ENQUEUE;
}

const char*
BoltFeature::GetClash() const
{
    return " and would grant each increase twice";
}

SwitchFeature::Growth
BoltFeature::GetGrowth(const WireFormat& wire, uint8_t /* hops */, bool exact) const
{
    return {wire.GetDataIntBytes(0, exact), wire.GetAckIntBytes(0, exact)};
}

SwitchFeature::Effects
BoltFeature::GetEffects() const
{
    Effects effects;
    effects.dataInt = true;
    effects.message = "tells senders of queues";
    return effects;
}

void
BoltFeature::Attach(FabricSwitch* sw, uint32_t number)
{
    SwitchFeature::Attach(sw, number);
    m_wire = m_wire ? m_wire : Ptr<WireFormat>(CreateObject<RoceV2WireFormat>());
    m_ports.assign(sw->GetNPorts(), {});
}

void
BoltFeature::OnEnqueue(FabricNetDevice& egress, FabricPacketItem& item)
{
    Port& port = m_ports[egress.GetPort()];
    const int64_t nowPs = egress.GetNowPs();
    const double sent =
        static_cast<double>(nowPs - port.lastPs) * static_cast<double>(egress.GetRateBps()) / 8e12;
    port.supply = std::min(port.supply + sent - item.size, static_cast<double>(m_maxSupply));
    port.lastPs = nowPs;
    if (item.type != FabricPacketType::DATA || (item.flags & FabricPacketItem::FLAG_INT) == 0)
    {
        return;
    }
    const uint64_t queue = PortState::GetQueueBytes(egress, item.GetPriority());
    if (queue >= (m_threshold > 0 ? m_threshold : item.size))
    {
        if ((item.pathId & BoltBits::NOTIFIED) == 0)
        {
            Notify(egress, item, queue);
        }
        item.pathId &= ~BoltBits::INCREASE;
        item.pathId |= BoltBits::NOTIFIED;
    }
    else if (m_maxTokens > 0 && (item.pathId & BoltBits::LAST) != 0)
    {
        const bool counts = (item.pathId & BoltBits::FIRST) == 0;
        port.tokens = std::min(port.tokens + (counts ? 1 : 0), m_maxTokens);
    }
    else if ((item.pathId & BoltBits::INCREASE) != 0)
    {
        if (port.tokens > 0)
        {
            --port.tokens;
        }
        else if (port.supply >= item.size)
        {
            port.supply -= item.size;
        }
        else
        {
            item.pathId &= ~BoltBits::INCREASE;
        }
    }
}

void
BoltFeature::Notify(const FabricNetDevice& egress, const FabricPacketItem& data, uint64_t queue)
{
    constexpr uint8_t TOLD = BackToSenderSignals::RATE | BackToSenderSignals::OCCUPANCY;
    Ptr<FabricPacketItem> item = FabricPacketItem::Create(FabricPacketType::BTS);
    item->src = m_switch->GetAddress();
    item->dst = data.src;
    item->pdc = data.data.sourcePdc;
    item->psn = data.psn;
    item->entropy = data.entropy;
    item->sendTimePs = data.sendTimePs;
    item->ds = FabricPacketItem::MakeDs(m_controlClass, 0);
    item->size = m_wire->GetBtsBytes(TOLD);
    auto& told = item->As<BtsFields>();
    told.signals = TOLD;
    told.priority = data.GetPriority();
    told.port = egress.GetPort();
    told.rateMbps = static_cast<uint32_t>(egress.GetRateBps() / 1000000);
    told.portBytes =
        static_cast<uint32_t>(std::min<uint64_t>(queue, std::numeric_limits<uint32_t>::max()));
    item->UpdateFlowHash();
    ++m_notified;
    m_outbox.Put(std::move(item), *m_switch, m_number);
}

void
BoltFeature::OnTimer(int64_t /* nowPs */)
{
    m_outbox.Send(*m_switch);
}

void
BoltFeature::DoDispose()
{
    m_outbox.Clear();
    m_wire = nullptr;
    SwitchFeature::DoDispose();
}

} // namespace ns3
