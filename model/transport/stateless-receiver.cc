// SPDX-License-Identifier: GPL-2.0-only
#include "stateless-receiver.h"

#include "fabric-nic.h"

#include "ns3/log.h"

#include <memory>
#include <utility>

namespace ns3
{

LogComponent StatelessReceiver::g_log("StatelessReceiver", __FILE__);

StatelessReceiver::StatelessReceiver(FabricNic& nic)
    : m_nic(nic)
{
}

void
StatelessReceiver::Clear()
{
    NS_LOG_FUNCTION(this);
    m_arrivals.clear();
}

void
StatelessReceiver::OnData(Ptr<FabricPacketItem> item, int64_t nowPs)
{
    NS_LOG_FUNCTION(this << item->src << item->psn << nowPs);
    const bool isWhole = !item->IsTrimmed();
    m_nic.Count().dataTrimmed += isWhole ? 0 : 1;
    const bool complete = isWhole && Enter(*item);
    const bool asks = (item->flags & FabricPacketItem::FLAG_ACK_REQUEST) != 0;
    if (!isWhole && asks)
    {
        Refuse(*item);
    }
    else if (asks)
    {
        Answer(*item);
    }
    if (complete)
    {
        const auto found = m_arrivals.find({item->src, item->data.sourcePdc, item->data.msn});
        FabricMessageEvent event = MakeEvent(item->src, found->second);
        event.nowPs = nowPs;
        if (!asks)
        {
            m_arrivals.erase(found); // no packet of it is sent twice
        }
        m_nic.GetMessages().NotifyDelivered(event);
    }
}

bool
StatelessReceiver::Enter(const FabricPacketItem& item)
{
    if (item.data.messageBytes == 0)
    {
        ++m_nic.Count().dataDuplicate; // a probe, which is of a packet that was there
        return false;
    }
    const auto [found, isNew] =
        m_arrivals.try_emplace({item.src, item.data.sourcePdc, item.data.msn});
    Arrivals& message = found->second;
    if (isNew)
    {
        message.bytes = item.data.messageBytes;
        message.missing = item.data.messageBytes;
        message.tag = item.data.tag;
    }
    const uint64_t packet = item.data.offset / m_nic.payloadBytes;
    if (message.packets.HasArrived(packet))
    {
        ++m_nic.Count().dataDuplicate;
        return false;
    }
    const bool late = packet + 1 < message.packets.GetHighest();
    message.packets.Arrive(packet);
    m_nic.CountDelivered(item);
    m_nic.Count().datagramsGot += (item.flags & FabricPacketItem::FLAG_ACK_REQUEST) == 0 ? 1 : 0;
    if (late && (item.flags & FabricPacketItem::FLAG_RETRANSMISSION) == 0)
    {
        ++m_nic.Count().reordered;
        ++message.reordered;
    }
    message.missing -= item.data.payloadBytes;
    return message.missing == 0;
}

void
StatelessReceiver::Answer(const FabricPacketItem& item)
{
    Ptr<FabricPacketItem> ack = FabricPacketItem::Create(FabricPacketType::ACK);
    const bool withInt = (item.flags & FabricPacketItem::FLAG_INT) != 0;
    ack->dst = item.src;
    ack->pdc = item.data.sourcePdc;
    ack->psn = (item.psn + 1) & PacketSequence::MASK;
    ack->EchoPath(item);
    ack->ack.sackBitmap = 1;
    ack->ack.sackBase = item.psn;
    ack->ack.triggerPsn = item.psn;
    ack->ack.coveredPackets = 1;
    ack->ack.markedPackets = item.IsMarked() ? 1 : 0;
    ack->ack.activeFlows = 1; // it cannot count them
    ack->flags = FabricPacketItem::FLAG_NO_PDC |
                 (item.IsMarked() ? FabricPacketItem::FLAG_ECHO_MARK : 0) |
                 (withInt ? FabricPacketItem::FLAG_INT : 0);
    ack->size = m_nic.wire->GetAckBytes();
    if (withInt)
    {
        ack->CopyInt(item);
        ack->size += m_nic.wire->GetAckIntBytes(ack->intCount, m_nic.intFormat->IsExact());
    }
    if (m_nic.echoDelay)
    {
        ack->echoDelayNs =
            static_cast<uint32_t>(m_nic.GetDataArrivalPs() / 1000); // see OnTransmit()
    }
    ++m_nic.Count().acksSent;
    m_nic.SendControl(std::move(ack), item.ingressPort);
}

void
StatelessReceiver::Refuse(const FabricPacketItem& item)
{
    Ptr<FabricPacketItem> nack = FabricPacketItem::Create(FabricPacketType::NACK);
    nack->dst = item.src;
    nack->pdc = item.data.sourcePdc;
    nack->psn = item.psn;
    nack->EchoPath(item);
    nack->ack.triggerPsn = item.psn;
    nack->ack.code = item.GetTrimCode();
    nack->flags = FabricPacketItem::FLAG_NO_PDC;
    nack->size = m_nic.wire->GetNackBytes();
    ++m_nic.Count().acksSent;
    m_nic.SendControl(std::move(nack), item.ingressPort);
}

FabricMessageEvent
StatelessReceiver::MakeEvent(uint32_t src, const Arrivals& message) const
{
    FabricMessageEvent event;
    event.tag = message.tag;
    event.src = src;
    event.dst = m_nic.GetAddress();
    event.bytes = message.bytes;
    event.reordered = message.reordered;
    event.committed = message.bytes - message.missing;
    return event;
}

std::vector<FabricMessageEvent>
StatelessReceiver::GetOpenMessages() const
{
    std::vector<FabricMessageEvent> open;
    for (const auto& [key, message] : m_arrivals)
    {
        if (message.missing > 0)
        {
            open.push_back(MakeEvent(std::get<0>(key), message));
        }
    }
    return open;
}

} // namespace ns3
