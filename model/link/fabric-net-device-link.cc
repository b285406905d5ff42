// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief What can happen to the link of a port: it goes down, comes up, changes its rate.
 */
#include "fabric-net-device.h"

#include "ns3/fabric-error.h"
#include "ns3/log.h"

#include <algorithm>
#include <string>

namespace ns3
{

void
FabricNetDevice::SetRate(DataRate rate)
{
    const uint64_t bps = rate.GetBitRate();
    if (bps == 0)
    {
        throw FabricError("ns3::FabricNetDevice::DataRate: must be greater than 0");
    }
    if (m_lastEndPs > m_formerEndPs)
    {
        // the packet on the wire, if there is one, ends as it began
        m_formerEndPs = m_lastEndPs;
        m_formerRateBps = m_rate.GetBitRate();
    }
    m_rate = rate;
    m_psPerByte = FabricTime::PS_PER_BYTE_AT_1_BPS % bps == 0
                      ? static_cast<int64_t>(FabricTime::PS_PER_BYTE_AT_1_BPS / bps)
                      : 0;
    m_remainder = 0;
}

void
FabricNetDevice::ScheduleLinkChange(const LinkChange& change)
{
    if (!m_peer)
    {
        throw FabricError("a port without a link has none that could change; connect it first");
    }
    const int64_t nowPs = m_actor->GetNowPs();
    if (change.timePs < nowPs)
    {
        throw FabricError("the link at node " + std::to_string(m_actor->GetAddress()) + " port " +
                          std::to_string(m_port) + " cannot change at " +
                          std::to_string(change.timePs) + " ps, before the present, " +
                          std::to_string(nowPs) + " ps");
    }
    if (change.kind == LinkChange::RATE && change.rateBps == 0)
    {
        throw FabricError("the link at node " + std::to_string(m_actor->GetAddress()) + " port " +
                          std::to_string(m_port) +
                          " cannot have a rate of 0; take it down instead");
    }
    const bool transmits = m_linkUp && m_busyUntilPs == FabricTime::NEVER;
    if (change.timePs == nowPs && !m_actor->IsHandling() && !transmits)
    {
        // before what somebody outside of the node does next, such as sending
        ApplyLinkChange(change);
        return;
    }
    m_changes.insert(
        std::upper_bound(m_changes.begin(),
                         m_changes.end(),
                         change,
                         [](const LinkChange& a, const LinkChange& b) { return a.Before(b); }),
        change);
    m_actor->Arm(change.timePs, CalendarKind::LINK, m_port);
}

void
FabricNetDevice::HandleLinkChange(int64_t timePs)
{
    while (!m_changes.empty() && m_changes.front().timePs <= timePs)
    {
        const LinkChange change = m_changes.front();
        m_changes.erase(m_changes.begin());
        ApplyLinkChange(change);
    }
}

void
FabricNetDevice::ApplyLinkChange(const LinkChange& change)
{
    switch (change.kind)
    {
    case LinkChange::RATE:
        NS_LOG_INFO(*this << ": link changes its rate to " << change.rateBps << " bit/s");
        SetRate(DataRate(change.rateBps));
        if (m_flowControl)
        {
            m_flowControl->OnRateChange();
        }
        m_actor->OnLinkChange(*this);
        break;
    case LinkChange::DOWN:
        if (m_linkUp)
        {
            TakeDown(change.timePs);
        }
        break;
    case LinkChange::UP:
        if (!m_linkUp)
        {
            BringUp();
        }
        break;
    }
}

void
FabricNetDevice::TakeDown(int64_t timePs)
{
    NS_LOG_INFO(*this << ": link goes down");
    m_linkUp = false;
    m_busyUntilPs = FabricTime::NEVER; // the wire is never free: all that wants to send waits
    ++m_downs;
    m_peer->LoseIncoming(timePs);
    if (m_peer->m_downs < m_downs)
    {
        // The peer's turn comes later in this tick; else it has been here, and may have sent again.
        LoseIncoming(timePs);
    }
    m_actor->OnLinkChange(*this);
    m_linkChange();
}

void
FabricNetDevice::BringUp()
{
    NS_LOG_INFO(*this << ": link comes up");
    m_linkUp = true;
    m_busyUntilPs = m_lastEndPs; // a packet that was cut off still takes its time here
    if (m_flowControl)
    {
        m_flowControl->OnLinkUp();
    }
    Kick();
    m_actor->OnLinkChange(*this);
    m_linkChange();
}

std::vector<Ptr<FabricPacketItem>>
FabricNetDevice::TakeQueue()
{
    std::vector<Ptr<FabricPacketItem>> taken;
    if (m_pausable)
    {
        m_pausable->SetPausedClasses(0);
    }
    while (m_queueBytes > 0)
    {
        Ptr<QueueDiscItem> waiting = m_disc->Dequeue();
        if (!waiting)
        {
            waiting = DequeueAgain();
        }
        IntegrateQueue(m_actor->GetNowPs());
        m_queueBytes = m_disc->GetNBytes();
        if (waiting)
        {
            // only Enqueue() fills the disc
            taken.emplace_back(static_cast<FabricPacketItem*>(PeekPointer(waiting)));
        }
    }
    if (m_pausable)
    {
        m_pausable->SetPausedClasses(m_pausedClasses);
    }
    if (m_gate)
    {
        // those parked first: they would pass as soon as others forgo their credits
        const EgressGate::Parked parked = m_gate->TakeParked();
        for (const Ptr<FabricPacketItem>& item : taken)
        {
            m_gate->Forgo(*item);
        }
        for (const auto& [item, owner] : parked)
        {
            taken.push_back(item);
        }
    }
    return taken;
}

void
FabricNetDevice::LoseIncoming(int64_t timePs)
{
    for (OnWire& packet : m_wire)
    {
        packet.lost = packet.lost || packet.arrivalPs >= timePs;
    }
}

} // namespace ns3
