// SPDX-License-Identifier: GPL-2.0-only
#include "priority-flow-control.h"

#include "fabric-net-device.h"
#include "fabric-time.h"
#include "link-retry.h"

#include "ns3/fabric-error.h"
#include "ns3/link-packets.h"
#include "ns3/log.h"
#include "ns3/prototype-factory.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace ns3
{

LogComponent PriorityFlowControl::g_log("PriorityFlowControl", __FILE__);

NS_OBJECT_ENSURE_REGISTERED(PriorityFlowControl);
DCFABRIC_OBJECT_CLONABLE(PriorityFlowControl);

TypeId
PriorityFlowControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::PriorityFlowControl")
            .SetParent<LinkFlowControl>()
            .SetGroupName("Dcfabric")
            .AddConstructor<PriorityFlowControl>()
            .AddAttribute(
                "Quanta",
                "Pause time asked for, in units of 512 bit times of the link (1 to 65535).",
                UintegerValue(65535),
                MakeUintegerAccessor(&PriorityFlowControl::m_quanta),
                MakeUintegerChecker<uint16_t>(1))
            .AddAttribute("FrameBytes",
                          "Size of a PFC frame in bytes, without preamble and gap.",
                          UintegerValue(64),
                          MakeUintegerAccessor(&PriorityFlowControl::m_frameBytes),
                          MakeUintegerChecker<uint32_t>(64, 9216));
    return tid;
}

bool
PriorityFlowControl::IsLossless() const
{
    return true;
}

void
PriorityFlowControl::SetMaxFrameBytes(uint32_t maxFrameBytes)
{
    m_maxFrameBytes = maxFrameBytes;
    m_plannedBps = m_device->GetRateBps(); // GetHeadroomBytes() is asked next
    m_rateBps = m_plannedBps;
}

uint64_t
PriorityFlowControl::GetHeadroomBytes(uint32_t maxFrameBytes) const
{
    const LinkRetry* retry = m_device->GetRetry();
    return ComputeHeadroom(m_device->GetRateBps(),
                           m_device->GetLink().GetDelayPs(),
                           maxFrameBytes,
                           maxFrameBytes,
                           m_frameBytes,
                           m_device->GetGapBytes()) +
           (retry ? retry->GetLateBytes() : 0);
}

void
PriorityFlowControl::SetCongested(uint8_t priority, bool congested)
{
    const auto bit = static_cast<uint8_t>(1U << priority);
    if (congested == (((m_congested >> priority) & 1) != 0))
    {
        return;
    }
    m_congested ^= bit;
    if ((m_storm & bit) != 0)
    {
        return; // paused anyhow
    }
    NS_LOG_INFO(*m_device << ": " << (congested ? "pauses" : "resumes") << " class " << +priority
                          << " of its peer");
    Announce(bit);
}

bool
PriorityFlowControl::CanStorm() const
{
    return true;
}

void
PriorityFlowControl::SetStorm(uint8_t classes)
{
    NS_LOG_INFO(*m_device << ": storm of pauses of classes (mask) " << +classes);
    const uint8_t before = GetPausing();
    m_storm = classes;
    if (const auto changed = static_cast<uint8_t>(before ^ GetPausing()))
    {
        Announce(changed);
    }
}

void
PriorityFlowControl::Announce(uint8_t classes)
{
    m_announce |= classes;
    m_device->RequestLinkFrame();
}

Ptr<FabricPacketItem>
PriorityFlowControl::MakeFrame()
{
    if (m_announce == 0)
    {
        return nullptr;
    }
    Ptr<FabricPacketItem> frame = FabricPacketItem::Create(FabricPacketType::PAUSE);
    frame->size = m_frameBytes;
    frame->src = m_device->GetActor()->GetAddress();
    auto& told = frame->As<PauseFields>();
    told.classEnable = m_announce;
    const int64_t renewPs = m_device->GetNowPs() + QuantaToPs(m_quanta) / 2;
    for (uint8_t c = 0; c < 8; ++c)
    {
        const bool announced = (m_announce >> c) & 1;
        told.quanta[c] = announced && IsPausingPeer(c) ? m_quanta : 0;
        if (announced)
        {
            m_renewPs[c] = renewPs;
        }
    }
    m_pauseFrames += (m_announce & GetPausing()) != 0 ? 1 : 0;
    m_told |= m_announce;
    m_announce = 0;
    ArmNext();
    return frame;
}

void
PriorityFlowControl::OnLinkUp()
{
    if (m_told != 0)
    {
        Announce(m_told);
    }
}

void
PriorityFlowControl::OnRateChange()
{
    if (m_told != 0)
    {
        Announce(m_told);
    }
    if (m_plannedBps > 0)
    {
        HoldBack(std::exchange(m_rateBps, m_device->GetRateBps()));
    }
}

void
PriorityFlowControl::HoldBack(uint64_t formerBps)
{
    // The headroom has room for two delays at the planned rate, a frame and a pause. What has to
    // fit is what was on its way at the former rate, and at the new one what is sent until the
    // frame that the peer began at the former rate has ended, and the pause has come.
    const int64_t nowPs = m_device->GetNowPs();
    const double framePs = 8e12 * (m_maxFrameBytes + m_device->GetGapBytes()); // at 1 bit/s
    const auto former = static_cast<double>(formerBps);
    const auto rate = static_cast<double>(m_rateBps);
    m_endedPs = std::max(m_endedPs, nowPs + static_cast<int64_t>(std::ceil(framePs / former)));
    if (m_rateBps <= formerBps)
    {
        return;
    }
    const double delays = (2 * static_cast<double>(m_plannedBps) - former) / rate - 1;
    const double sparePs =
        delays * static_cast<double>(m_device->GetLink().GetDelayPs()) + framePs / rate;
    const int64_t heldPs = m_endedPs - static_cast<int64_t>(std::min(sparePs, 1e18));
    if (heldPs > std::max(m_heldPs, nowPs))
    {
        NS_LOG_INFO(*m_device << ": sends nothing until " << heldPs << " ps");
        m_heldPs = heldPs;
        Obey();
        ArmNext();
    }
}

void
PriorityFlowControl::Obey()
{
    m_device->SetPausedClasses(m_heldPs > 0 ? 0xff : m_paused);
}

void
PriorityFlowControl::CheckPeerRate(uint64_t rateBps) const
{
    if (m_plannedBps > 0 && rateBps > m_plannedBps)
    {
        throw FabricError(
            "the headroom of " + FabricTerm::Class("ns3::PriorityFlowControl") + " at node " +
            std::to_string(m_device->GetActor()->GetAddress()) + " port " +
            std::to_string(m_device->GetPort()) + " is that of " + std::to_string(m_plannedBps) +
            " bit/s, and would not do if its peer sent at " + std::to_string(rateBps) +
            " bit/s; give the link the higher rate before FabricHelper::Install(), and lower it "
            "afterwards");
    }
}

bool
PriorityFlowControl::IsHoldingBack(uint8_t priority, uint16_t /* output */) const
{
    return IsPausingPeer(priority);
}

uint64_t
PriorityFlowControl::GetNPauseFrames() const
{
    return m_pauseFrames;
}

void
PriorityFlowControl::ReceiveFrame(const FabricPacketItem& frame)
{
    const int64_t nowPs = m_device->GetNowPs();
    const auto& told = frame.As<PauseFields>();
    for (uint8_t c = 0; c < 8; ++c)
    {
        if (((told.classEnable >> c) & 1) == 0)
        {
            continue;
        }
        const auto bit = static_cast<uint8_t>(1U << c);
        const bool pause = told.quanta[c] != 0;
        m_expirePs[c] = nowPs + QuantaToPs(told.quanta[c]);
        m_paused = pause ? m_paused | bit : m_paused & ~bit;
        NS_LOG_INFO(*m_device << ": class " << +c << (pause ? " is paused" : " is resumed"));
        m_device->NotifyPauseReceived(c, pause);
    }
    Obey();
    ArmNext();
}

void
PriorityFlowControl::HandleTimer(int64_t nowPs)
{
    uint8_t expired = 0;
    uint8_t renew = 0;
    for (uint8_t c = 0; c < 8; ++c)
    {
        const auto bit = static_cast<uint8_t>(1U << c);
        expired |= (m_paused & bit) && m_expirePs[c] <= nowPs ? bit : 0;
        renew |= (GetPausing() & ~m_announce & bit) && m_renewPs[c] <= nowPs ? bit : 0;
    }
    if (expired)
    {
        NS_LOG_INFO(*m_device << ": pause of classes (mask) " << +expired << " runs out");
        m_paused &= ~expired;
    }
    const bool isReleased = m_heldPs > 0 && m_heldPs <= nowPs;
    m_heldPs = isReleased ? 0 : m_heldPs;
    if (expired || isReleased)
    {
        Obey();
    }
    if (renew)
    {
        Announce(renew);
    }
    ArmNext();
}

void
PriorityFlowControl::ArmNext()
{
    int64_t next = m_heldPs > 0 ? m_heldPs : FabricTime::NEVER;
    for (uint8_t c = 0; c < 8; ++c)
    {
        if ((m_paused >> c) & 1)
        {
            next = std::min(next, m_expirePs[c]);
        }
        if (((GetPausing() & ~m_announce) >> c) & 1)
        {
            next = std::min(next, m_renewPs[c]);
        }
    }
    if (next != FabricTime::NEVER)
    {
        m_device->ArmTimer(next);
    }
}

int64_t
PriorityFlowControl::QuantaToPs(uint16_t quanta) const
{
    // At a few bit/s the longest pause would not fit: a month is as good.
    constexpr int64_t LONGEST = FabricTime::NEVER / 4;
    const int64_t quantumPs = m_device->GetLink().TransmissionPs(64);
    return quanta > 0 && quantumPs > LONGEST / quanta ? LONGEST : quantumPs * quanta;
}

uint64_t
PriorityFlowControl::ComputeHeadroom(uint64_t rateBps,
                                     int64_t delayPs,
                                     uint32_t maxFrameBytes,
                                     uint32_t maxOwnFrameBytes,
                                     uint32_t pauseFrameBytes,
                                     uint32_t gapBytes)
{
    const double bytesInFlight =
        2.0 * static_cast<double>(delayPs) * static_cast<double>(rateBps) / 8e12;
    const double exposed = bytesInFlight + maxOwnFrameBytes + gapBytes + pauseFrameBytes + gapBytes;
    const double share = static_cast<double>(maxFrameBytes) / (maxFrameBytes + gapBytes);
    constexpr double MOST = 0x1p62; // 1000 Tb/s over 24 h are more than an integer holds
    return static_cast<uint64_t>(std::ceil(std::min(exposed * share, MOST))) +
           2 * uint64_t{maxFrameBytes};
}

} // namespace ns3
