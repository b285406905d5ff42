// SPDX-License-Identifier: GPL-2.0-only
#include "pdc-closes.h"

#include "fabric-nic.h"

#include "ns3/close-packet.h"
#include "ns3/log.h"

#include <utility>

namespace ns3
{

LogComponent PdcCloses::g_log("PdcCloses", __FILE__);

namespace
{

constexpr uint32_t CLOSE_BYTES = 4; //!< of extension headers

} // namespace

PdcCloses::PdcCloses(FabricNic& nic)
    : m_nic(nic)
{
}

void
PdcCloses::Send(Ptr<FabricPacketItem> item, uint32_t dst, uint32_t pdc, uint16_t port)
{
    item->src = m_nic.GetAddress();
    item->dst = dst;
    item->pdc = pdc;
    item->UpdateFlowHash();
    m_nic.SendControl(std::move(item), port);
}

void
PdcCloses::Begin(const SendingPdc& pdc)
{
    NS_LOG_FUNCTION(this << pdc.GetNumber());
    Closing& closing = m_closing[pdc.GetNumber()];
    closing = {pdc.GetDestination(), pdc.GetTargetPdc(), pdc.port, pdc.GetEntropy(), 0, 0};
    Request(pdc.GetNumber(), closing);
}

void
PdcCloses::Request(uint32_t number, Closing& closing)
{
    ++closing.tries;
    closing.duePs = m_nic.GetNowPs() + FabricTime::ToPs(m_nic.pdcTimeout);
    m_nic.GetMessages().SetTimer({closing.duePs, MessageTimers::Kind::CLOSE, number, 0});
    Ptr<FabricPacketItem> request = FabricPacketItem::Create(FabricPacketType::CLOSE);
    request->Begin<CloseFields>() = {number, false};
    request->entropy = closing.entropy;
    request->size = m_nic.wire->GetNoticeBytes(CLOSE_BYTES);
    ++m_nic.Count().closesSent;
    Send(std::move(request), closing.dst, closing.target, closing.port);
}

void
PdcCloses::OnTimer(uint32_t number, int64_t nowPs)
{
    NS_LOG_FUNCTION(this << number << nowPs);
    const auto found = m_closing.find(number);
    if (found == m_closing.end() || found->second.duePs != nowPs)
    {
        return; // answered
    }
    if (found->second.tries == TRIES)
    {
        NS_LOG_INFO(m_nic << " pdc " << number << ": is gone without an answer");
        m_closing.erase(found);
        return;
    }
    Request(number, found->second);
}

void
PdcCloses::OnPacket(const FabricPacketItem& item)
{
    NS_LOG_FUNCTION(this << item.src << item.pdc);
    ++m_nic.Count().closesReceived;
    const auto& close = item.As<CloseFields>();
    if (close.isAnswer)
    {
        m_closing.erase(item.pdc);
        return;
    }
    if (!m_nic.GetReceivingPdcs().Close(item.pdc, item.src, close.otherPdc))
    {
        return; // packets are on their way back; the sender asks again
    }
    Ptr<FabricPacketItem> answer = FabricPacketItem::Create(FabricPacketType::CLOSE);
    answer->Begin<CloseFields>() = {item.pdc, true};
    answer->entropy = item.entropy;
    answer->size = m_nic.wire->GetNoticeBytes(CLOSE_BYTES);
    ++m_nic.Count().closesSent;
    Send(std::move(answer), item.src, close.otherPdc, item.ingressPort);
}

void
PdcCloses::Refuse(const FabricPacketItem& item)
{
    NS_LOG_FUNCTION(this << item.src << item.pdc << item.psn);
    Ptr<FabricPacketItem> nack = FabricPacketItem::Create(FabricPacketType::NACK);
    nack->psn = item.psn;
    nack->entropy = item.entropy;
    nack->sendTimePs = item.sendTimePs;
    nack->ack.triggerPsn = item.psn;
    nack->ack.code = NackCode::NO_PDC;
    nack->size = m_nic.wire->GetNackBytes();
    ++m_nic.Count().acksSent;
    Send(std::move(nack), item.src, item.data.sourcePdc, item.ingressPort);
}

} // namespace ns3
