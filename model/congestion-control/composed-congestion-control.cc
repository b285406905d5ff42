// SPDX-License-Identifier: GPL-2.0-only
#include "composed-congestion-control.h"

#include "ns3/abort.h"
#include "ns3/object-factory.h"
#include "ns3/pointer.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(ComposedCongestionControl);

TypeId
ComposedCongestionControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ComposedCongestionControl")
            .SetParent<ReceiverDrivenControl>()
            .SetGroupName("Dcfabric")
            .AddAttribute("Sender",
                          "Class of the sender's congestion control.",
                          TypeId::ATTR_GET,
                          TypeIdValue(CongestionControl::GetTypeId()),
                          MakeTypeIdAccessor(&ComposedCongestionControl::GetSenderType),
                          MakeTypeIdChecker())
            .AddAttribute("ReceiverDriven",
                          "The receiver-driven congestion control.",
                          TypeId::ATTR_GET,
                          PointerValue(),
                          MakePointerAccessor(&ComposedCongestionControl::GetReceiverControl),
                          MakePointerChecker<ReceiverDrivenControl>());
    return tid;
}

ComposedCongestionControl::ComposedCongestionControl(const std::string& sender,
                                                     const std::string& receiver)
    : m_sender(ObjectFactory(sender).Create<CongestionControl>()),
      m_receiver(ObjectFactory(receiver).Create<ReceiverDrivenControl>()),
      m_senderHost(*this, 0, RECEIVER_TIMER),
      m_receiverHost(*this, RECEIVER_TIMER, N_TIMERS - RECEIVER_TIMER)
{
}

TypeId
ComposedCongestionControl::GetSenderType() const
{
    return m_sender->GetInstanceTypeId();
}

CongestionControlNeeds
ComposedCongestionControl::GetNeeds() const
{
    CongestionControlNeeds needs = m_sender->GetNeeds();
    needs.Add(m_receiver->GetNeeds());
    return needs;
}

std::vector<PolicyDefault>
ComposedCongestionControl::ListDefaults(const PolicyNetwork& network) const
{
    std::vector<PolicyDefault> defaults = m_sender->ListDefaults(network);
    for (const PolicyDefault& one : m_receiver->ListDefaults(network))
    {
        defaults.push_back(one);
    }
    return defaults;
}

FabricText
ComposedCongestionControl::FindMisfit(const PathInfo& path) const
{
    return m_sender->FindMisfit(path);
}

void
ComposedCongestionControl::SetAsker(Asker* asker)
{
    m_receiver->SetAsker(asker);
}

void
ComposedCongestionControl::DoStart()
{
    m_senderSends = m_sender->GetNeeds().sends;
    m_sender->Start(GetPath(), &m_senderHost);
    m_receiver->Start(GetPath(), &m_receiverHost);
    SetInitial(m_sender->GetWindow(), std::min(m_sender->GetRate(), m_receiver->GetRate()));
    m_senderWindow = GetWindow();
    Apply(0);
}

void
ComposedCongestionControl::Apply(int64_t nowPs)
{
    SetWindow(m_senderWindow); // reductions are those of the sender's
    Propose(nowPs, m_sender->GetWindow(), std::min(m_sender->GetRate(), m_receiver->GetRate()));
    m_senderWindow = GetWindow();
    SetWindow(std::min(m_senderWindow, m_receiver->GetWindow()));
}

void
ComposedCongestionControl::AddBacklog(int64_t nowPs, uint64_t payloadBytes)
{
    m_receiver->AddBacklog(nowPs, payloadBytes);
    Apply(nowPs);
}

uint32_t
ComposedCongestionControl::TellDemand(uint64_t windowBytes)
{
    return m_receiver->TellDemand(std::min(windowBytes, m_sender->GetWindow()));
}

uint8_t
ComposedCongestionControl::ChooseClass(const FabricPacketItem& item) const
{
    return m_receiver->ChooseClass(item);
}

void
ComposedCongestionControl::OnAck(const AckInfo& ack)
{
    m_sender->Acknowledge(ack);
    m_receiver->Acknowledge(ack);
    Apply(ack.nowPs);
}

void
ComposedCongestionControl::OnCnp(int64_t nowPs)
{
    m_sender->TellCnp(nowPs);
    m_receiver->TellCnp(nowPs);
    Apply(nowPs);
}

void
ComposedCongestionControl::OnNotice(const FabricPacketItem& item, int64_t nowPs)
{
    m_sender->TellNotice(item, nowPs);
    m_receiver->TellNotice(item, nowPs);
    Apply(nowPs);
}

void
ComposedCongestionControl::OnBts(const BtsNotice& notice)
{
    m_sender->TellBts(notice);
    m_receiver->TellBts(notice);
    Apply(notice.nowPs);
}

void
ComposedCongestionControl::OnLoss(int64_t nowPs, uint64_t lostBytes)
{
    m_sender->TellLoss(nowPs, lostBytes);
    m_receiver->TellLoss(nowPs, lostBytes);
    Apply(nowPs);
}

void
ComposedCongestionControl::OnTrim(const TrimInfo& trim)
{
    m_sender->TellTrim(trim);
    m_receiver->TellTrim(trim);
    Apply(trim.nowPs);
}

void
ComposedCongestionControl::OnTimeout(int64_t nowPs)
{
    m_sender->TellTimeout(nowPs);
    m_receiver->TellTimeout(nowPs);
    Apply(nowPs);
}

void
ComposedCongestionControl::OnSend(int64_t nowPs, uint32_t frameBytes)
{
    if (m_senderSends)
    {
        m_sender->TellSend(nowPs, frameBytes);
    }
    m_receiver->TellSend(nowPs, frameBytes);
    Apply(nowPs);
}

void
ComposedCongestionControl::OnTimer(uint8_t timer, int64_t nowPs)
{
    if (timer < RECEIVER_TIMER)
    {
        m_sender->TellTimer(timer, nowPs);
    }
    else
    {
        m_receiver->TellTimer(timer - RECEIVER_TIMER, nowPs);
    }
    Apply(nowPs);
}

void
ComposedCongestionControl::DoDispose()
{
    m_sender->Dispose();
    m_receiver->Dispose();
    ReceiverDrivenControl::DoDispose();
}

ComposedCongestionControl::Part::Part(ComposedCongestionControl& owner,
                                      uint8_t first,
                                      uint8_t count)
    : m_owner(owner),
      m_first(first),
      m_count(count)
{
}

void
ComposedCongestionControl::Part::SetTimer(uint8_t timer, int64_t atPs)
{
    NS_ABORT_MSG_IF(timer >= m_count,
                    "a part of a composed congestion control has too many timers");
    m_owner.GetHost()->SetTimer(timer + m_first, atPs);
}

void
ComposedCongestionControl::Part::CancelTimer(uint8_t timer)
{
    NS_ABORT_MSG_IF(timer >= m_count,
                    "a part of a composed congestion control has too many timers");
    m_owner.GetHost()->CancelTimer(timer + m_first);
}

void
ComposedCongestionControl::Part::RateChanged()
{
    m_owner.Apply(0);
    m_owner.GetHost()->RateChanged();
}

void
ComposedCongestionControl::Part::Print(std::ostream& os) const
{
    os << *m_owner.GetHost();
}

} // namespace ns3
