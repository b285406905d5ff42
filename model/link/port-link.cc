// SPDX-License-Identifier: GPL-2.0-only
#include "port-link.h"

#include "fabric-actor.h"
#include "fabric-channel.h"
#include "fabric-net-device.h"
#include "link-retry.h"
#include "wire-crossing.h"

#include "ns3/fabric-error.h"
#include "ns3/log.h"

#include <algorithm>
#include <string>

namespace ns3
{

LogComponent PortLink::g_log("PortLink", __FILE__);

PortLink::PortLink(FabricNetDevice& port)
    : m_port(port)
{
}

void
PortLink::Connect(Ptr<FabricChannel> channel, FabricNetDevice* peer)
{
    m_channel = channel;
    m_peer = peer;
    m_delayPs = FabricTime::ToPs(channel->GetDelay());
    m_up = true;
    m_onChange();
}

void
PortLink::Dispose()
{
    for (const OnWire& packet : m_wire)
    {
        packet.item->Unref();
    }
    m_wire.clear();
    m_channel = nullptr;
    m_peer = nullptr;
}

void
PortLink::SetRate(DataRate rate)
{
    const uint64_t bps = rate.GetBitRate();
    if (bps == 0)
    {
        throw FabricError(FabricTerm::Attribute("ns3::FabricNetDevice", "DataRate") +
                          ": must be greater than 0");
    }
    if (m_lastEndPs > m_formerEndPs)
    {
        // the packet on the wire, if there is one, ends as it began
        m_formerEndPs = m_lastEndPs;
        m_formerRateBps = m_rate.GetBitRate();
    }
    m_rate = rate;
    FollowClock();
}

void
PortLink::SetClockLag(uint32_t ppb)
{
    m_clockLagPpb = ppb;
    FollowClock();
}

void
PortLink::FollowClock()
{
    const uint64_t bps = m_rate.GetBitRate();
    constexpr uint32_t BILLION = 1000000000;
    m_clockBps =
        bps - static_cast<uint64_t>(static_cast<__uint128_t>(bps) * m_clockLagPpb / BILLION);
    m_psPerByte = FabricTime::PS_PER_BYTE_AT_1_BPS % m_clockBps == 0
                      ? static_cast<int64_t>(FabricTime::PS_PER_BYTE_AT_1_BPS / m_clockBps)
                      : 0;
    m_remainder = 0;
}

void
PortLink::CheckRate(uint64_t rateBps) const
{
    m_port.GetActor()->CheckRate(m_port.GetPort(), rateBps);
    if (const LinkFlowControl* flowControl = m_peer->GetFlowControl())
    {
        flowControl->CheckPeerRate(rateBps);
    }
}

int64_t
PortLink::TransmissionPs(uint64_t bytes) const
{
    if (m_psPerByte != 0)
    {
        return static_cast<int64_t>(bytes) * m_psPerByte;
    }
    // bytes x 8e12 fits 64 bits up to 2 MB: enough for a frame, not for a queue
    return static_cast<int64_t>(static_cast<__uint128_t>(bytes) * FabricTime::PS_PER_BYTE_AT_1_BPS /
                                m_clockBps);
}

uint64_t
PortLink::GetNPackets() const
{
    uint64_t count = 0;
    for (const OnWire& packet : m_wire)
    {
        count += !packet.item->IsLinkFrame();
    }
    const LinkRetry* retry = m_port.GetRetry();
    return count + (retry ? retry->GetReceiver().GetNPackets() : 0);
}

void
PortLink::ScheduleChange(const LinkChange& change)
{
    if (!m_peer)
    {
        throw FabricError("a port without a link has none that could change; connect it first");
    }
    FabricActor* actor = m_port.GetActor();
    const int64_t nowPs = actor->GetNowPs();
    if (change.timePs < nowPs)
    {
        throw FabricError("the link at node " + std::to_string(actor->GetAddress()) + " port " +
                          std::to_string(m_port.GetPort()) + " cannot change at " +
                          std::to_string(change.timePs) + " ps, before the present, " +
                          std::to_string(nowPs) + " ps");
    }
    if (change.kind == LinkChange::RATE && change.rateBps == 0)
    {
        throw FabricError("the link at node " + std::to_string(actor->GetAddress()) + " port " +
                          std::to_string(m_port.GetPort()) +
                          " cannot have a rate of 0; take it down instead");
    }
    if (change.kind == LinkChange::RATE)
    {
        CheckRate(change.rateBps);
    }
    const bool transmits = m_up && m_port.GetBusyUntilPs() == FabricTime::NEVER;
    if (change.timePs == nowPs && !actor->IsHandling() && !transmits)
    {
        // before what somebody outside of the node does next, such as sending
        Apply(change);
        return;
    }
    m_changes.insert(
        std::upper_bound(m_changes.begin(),
                         m_changes.end(),
                         change,
                         [](const LinkChange& a, const LinkChange& b) { return a.Before(b); }),
        change);
    actor->Arm(change.timePs, CalendarKind::LINK, m_port.GetPort());
}

void
PortLink::HandleChange(int64_t timePs)
{
    while (!m_changes.empty() && m_changes.front().timePs <= timePs)
    {
        const LinkChange change = m_changes.front();
        m_changes.erase(m_changes.begin());
        Apply(change);
    }
}

void
PortLink::AddChangeCallback(const Callback<void>& callback)
{
    m_onChange.ConnectWithoutContext(callback);
}

void
PortLink::Apply(const LinkChange& change)
{
    switch (change.kind)
    {
    case LinkChange::RATE:
        NS_LOG_INFO(m_port << ": link changes its rate to " << change.rateBps << " bit/s");
        SetRate(DataRate(change.rateBps));
        m_port.OnRateChange();
        break;
    case LinkChange::DOWN:
        if (m_up)
        {
            TakeDown(change.timePs);
            m_onChange();
        }
        break;
    case LinkChange::UP:
        if (!m_up)
        {
            NS_LOG_INFO(m_port << ": link comes up");
            m_up = true;
            m_port.OnLinkUp();
            m_onChange();
        }
        break;
    }
}

void
PortLink::TakeDown(int64_t timePs)
{
    NS_LOG_INFO(m_port << ": link goes down");
    m_up = false;
    ++m_downs;
    PortLink& peer = m_peer->GetLink();
    peer.LoseIncoming(timePs);
    if (peer.m_downs < m_downs)
    {
        // The peer's turn comes later in this tick; else it has been here, and may have sent again.
        LoseIncoming(timePs);
    }
    m_port.OnLinkDown();
}

bool
PortLink::MakeRoom(FabricPacketItem* item, int64_t arrivalPs)
{
    if (m_crossing)
    {
        m_crossing->Carry(m_port, item, m_peer->GetActor()->GetNowPs(), arrivalPs);
        return false;
    }
    m_wire.set_capacity(std::max<std::size_t>(16, 2 * m_wire.capacity()));
    return true;
}

void
PortLink::SetCrossing(WireCrossing* crossing)
{
    m_crossing = crossing; // asked when there is no room on the wire, and there never will be
    m_wire.set_capacity(0);
}

bool
PortLink::AppendLate(FabricPacketItem* item, int64_t beganPs, int64_t arrivalPs)
{
    const bool only = Append(item, arrivalPs);
    // the link may have gone down while the packet was on its way from the other process
    m_wire.back().lost = beganPs < m_lostPs;
    return only;
}

void
PortLink::LoseIncoming(int64_t timePs)
{
    m_lostPs = timePs;
    for (OnWire& packet : m_wire)
    {
        packet.lost = packet.lost || packet.arrivalPs >= timePs;
    }
}

} // namespace ns3
