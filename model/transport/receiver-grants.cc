// SPDX-License-Identifier: GPL-2.0-only
#include "receiver-grants.h"

#include "fabric-nic.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-net-device.h"
#include "ns3/grant-packet.h"
#include "ns3/log.h"
#include "ns3/object-factory.h"

#include <string>

namespace ns3
{

LogComponent ReceiverGrants::g_log("ReceiverGrants", __FILE__);

namespace
{

constexpr uint16_t GRANT_ENTROPIES = 128; // of grants, in turn

} // namespace

ReceiverGrants::ReceiverGrants(FabricNic& nic)
    : m_nic(nic),
      m_timerPs(FabricTime::NEVER)
{
}

ReceiverGrants::~ReceiverGrants() = default;

void
ReceiverGrants::Check(TypeId type) const
{
    if (m_nic.GetMessages().GetMatcher())
    {
        Refuse(type);
    }
    if (m_control && m_control->GetInstanceTypeId() != type)
    {
        throw FabricError(FabricTerm::Class(type),
                          " is to grant credit at host " + std::to_string(m_nic.GetAddress()) +
                              ", but " + FabricTerm::Class(m_control->GetInstanceTypeId()) +
                              " does, for another congestion control",
                          {FabricRemedy::Do("use one receiver-driven congestion control")});
    }
}

void
ReceiverGrants::Use(TypeId type)
{
    NS_LOG_FUNCTION(this << type);
    Check(type);
    if (m_control)
    {
        return;
    }
    m_control = ObjectFactory(type.GetName()).Create<ReceiverControl>();
    if (m_stream >= 0)
    {
        m_control->AssignStreams(m_stream);
    }
}

void
ReceiverGrants::Refuse(TypeId type) const
{
    throw FabricError(
        FabricTerm::Class(type),
        " grants credit for messages as they are sent, but host " +
            std::to_string(m_nic.GetAddress()) +
            " matches them with receives, which hold them back",
        {FabricRemedy::Do("do not match messages"),
         FabricRemedy::Use(
             FabricTerm::Any("ns3::CongestionControl", "another", "congestion control"))});
}

void
ReceiverGrants::RefuseMatching() const
{
    if (m_control)
    {
        Refuse(m_control->GetInstanceTypeId());
    }
}

void
ReceiverGrants::AssignStreams(int64_t stream)
{
    NS_LOG_FUNCTION(this << stream);
    m_stream = stream;
    if (m_control)
    {
        m_control->AssignStreams(stream);
    }
}

ReceiverArrival
ReceiverGrants::Describe(const FabricPacketItem& item, int64_t nowPs)
{
    ReceiverArrival arrival;
    arrival.nowPs = nowPs;
    arrival.frameBytes = item.size;
    arrival.demand = item.demand;
    arrival.marked = item.IsMarked();
    arrival.trimmed = (item.flags & FabricPacketItem::FLAG_TRIMMED) != 0;
    arrival.lastHop = (item.flags & FabricPacketItem::FLAG_LAST_HOP) != 0;
    arrival.asks = !arrival.trimmed && item.data.payloadBytes == 0;
    return arrival;
}

void
ReceiverGrants::OnData(const ReceiverArrival& arrival, const Address& address)
{
    if (!m_started)
    {
        m_started = true;
        ReceiverInfo info;
        info.baseRttPs = m_nic.GetBaseRttPs(address.src);
        info.packetBytes =
            m_nic.wire->GetDataBytes(m_nic.payloadBytes, false) + CreditUnits::DEMAND_BYTES;
        info.lossless = m_nic.isLossless;
        m_control->Start(info, this);
    }
    if (arrival.flow >= m_addresses.size())
    {
        m_addresses.resize(arrival.flow + 1);
    }
    m_addresses[arrival.flow] = address;
    m_control->TellArrival(arrival);
}

void
ReceiverGrants::OnGone(uint32_t number)
{
    NS_LOG_FUNCTION(this << number);
    if (m_control)
    {
        m_control->TellGone(number);
    }
}

void
ReceiverGrants::OnTimer(int64_t nowPs)
{
    NS_LOG_FUNCTION(this << nowPs);
    if (nowPs == m_timerPs)
    {
        m_timerPs = FabricTime::NEVER;
        m_control->TellTimer(nowPs);
    }
}

void
ReceiverGrants::SetTimer(int64_t atPs)
{
    if (atPs != m_timerPs)
    {
        m_timerPs = atPs;
        m_nic.Arm(atPs, CalendarKind::TIMER, TIMER);
    }
}

double
ReceiverGrants::GetLineRate() const
{
    double rate = 0;
    for (uint16_t p = 0; p < m_nic.GetNPorts(); ++p)
    {
        const FabricNetDevice& port = *m_nic.GetPort(p);
        rate += port.IsLinkUp() ? static_cast<double>(port.GetRateBps()) : 0;
    }
    rate = rate > 0 ? rate : static_cast<double>(m_nic.GetPort(0)->GetRateBps());
    const auto frame = static_cast<double>(m_nic.wire->GetDataBytes(m_nic.payloadBytes, false) +
                                           CreditUnits::DEMAND_BYTES);
    return rate * frame / (frame + m_nic.GetPort(0)->GetGapBytes());
}

double
ReceiverGrants::GetHostFill() const
{
    const HostLink* link = m_nic.GetHostLink();
    return link ? link->GetFill() : 0;
}

void
ReceiverGrants::SendGrant(uint32_t flow, uint32_t total, uint8_t priority)
{
    const Address& address = m_addresses[flow];
    Ptr<FabricPacketItem> grant = FabricPacketItem::Create(FabricPacketType::GRANT);
    m_entropy = static_cast<uint16_t>((m_entropy + 1) % GRANT_ENTROPIES);
    grant->src = m_nic.GetAddress();
    grant->dst = address.src;
    grant->pdc = address.pdc;
    grant->entropy = m_nic.FitEntropy(address.src, m_entropy);
    grant->UpdateFlowHash();
    grant->Begin<GrantFields>() = {total, priority};
    grant->size = GrantFields::FRAME_BYTES;
    ++m_nic.Count().grantsSent;
    m_nic.SendControl(std::move(grant), address.port);
}

void
ReceiverGrants::Clear()
{
    NS_LOG_FUNCTION(this);
    if (m_control)
    {
        m_control->Dispose();
        m_control = nullptr;
    }
}

} // namespace ns3
