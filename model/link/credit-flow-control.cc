// SPDX-License-Identifier: GPL-2.0-only
#include "credit-flow-control.h"

#include "fabric-net-device.h"
#include "fabric-time.h"

#include "ns3/fabric-error.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(CreditFlowControl);

TypeId
CreditFlowControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::CreditFlowControl")
            .SetParent<LinkFlowControl>()
            .SetGroupName("Dcfabric")
            .AddConstructor<CreditFlowControl>()
            .AddAttribute("UnitBytes",
                          "Bytes of buffer that a credit stands for; the same at both ends.",
                          UintegerValue(64),
                          MakeUintegerAccessor(&CreditFlowControl::m_unitBytes),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("BufferBytes",
                          "Ingress buffer of each class of a port; 0: as much as keeps the link "
                          "busy.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&CreditFlowControl::m_bufferBytes),
                          MakeUintegerChecker<uint64_t>(0, 1ULL << 31))
            .AddAttribute("ReturnBytes",
                          "Credits are given back when so many bytes of a class have been "
                          "released; 0: a quarter of what the link has on its way.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&CreditFlowControl::m_returnBytes),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("InitialTotal",
                          "Where the totals of units begin; the same at both ends.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&CreditFlowControl::m_initialTotal),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("Timeout",
                          "Time without credits for a full packet after which the peer is asked.",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&CreditFlowControl::m_timeout),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddTraceSource("UsedCredits",
                            "The number of used credits of a class has changed.",
                            MakeTraceSourceAccessor(&CreditFlowControl::m_usedTrace),
                            "ns3::CreditFlowControl::UsedTracedCallback");
    return tid;
}

CreditFlowControl::CreditFlowControl() = default;

uint64_t
CreditFlowControl::ComputeBuffer(uint64_t rateBps,
                                 int64_t delayPs,
                                 uint32_t maxFrameBytes,
                                 uint32_t maxOwnFrameBytes,
                                 uint32_t gapBytes,
                                 uint64_t returnBytes)
{
    const double onWire = 2.0 * static_cast<double>(delayPs) * static_cast<double>(rateBps) /
                          static_cast<double>(FabricTime::PS_PER_BYTE_AT_1_BPS);
    // bytes and gaps that pass while the credits of a packet are away
    const double away = onWire + maxFrameBytes + maxOwnFrameBytes + FRAME_BYTES +
                        3.0 * static_cast<double>(gapBytes);
    const double share = static_cast<double>(maxFrameBytes) / (maxFrameBytes + gapBytes);
    return static_cast<uint64_t>(std::ceil(away * share)) + maxFrameBytes + returnBytes;
}

void
CreditFlowControl::SetMaxFrameBytes(uint32_t maxFrameBytes)
{
    m_maxUnits = ToUnits(maxFrameBytes);
    const uint32_t gap = m_device->GetGapBytes();
    const auto away = ComputeBuffer(m_device->GetRateBps(),
                                    m_device->GetDelayPs(),
                                    maxFrameBytes,
                                    maxFrameBytes,
                                    gap,
                                    0);
    const uint64_t returnBytes = m_returnBytes > 0 ? m_returnBytes : away / 4;
    // a packet may begin its last unit with a single byte
    const uint64_t roundedFrame = uint64_t{m_maxUnits} * m_unitBytes;
    const uint64_t wanted = (away + returnBytes) * roundedFrame / maxFrameBytes + m_unitBytes;
    m_bufferUnits =
        static_cast<uint32_t>((m_bufferBytes > 0 ? m_bufferBytes : wanted) / m_unitBytes);
    if (m_bufferUnits < m_maxUnits)
    {
        throw FabricError("ns3::CreditFlowControl::BufferBytes: " + std::to_string(m_bufferBytes) +
                          " bytes do not hold a packet of " + std::to_string(maxFrameBytes) +
                          " bytes in units of " + std::to_string(m_unitBytes) +
                          " bytes; use a larger buffer");
    }
    // more must never be kept back than leaves room for a full packet
    const uint32_t mostUnits = m_bufferUnits - m_maxUnits + 1;
    if (m_returnBytes > 0 && ToUnits(m_returnBytes) > mostUnits)
    {
        throw FabricError("ns3::CreditFlowControl::ReturnBytes: " + std::to_string(m_returnBytes) +
                          " bytes kept back would leave the peer without credits for a packet of " +
                          std::to_string(maxFrameBytes) + " bytes; use at most " +
                          std::to_string(uint64_t{mostUnits} * m_unitBytes) +
                          " bytes or a larger BufferBytes");
    }
    m_returnUnits = std::max(1U, std::min(ToUnits(returnBytes), mostUnits));
    m_device->SetPausedClasses(m_blocked); // until the peer's first frame
}

void
CreditFlowControl::Start()
{
    if (m_maxUnits == 0)
    {
        return; // of a network whose installation was refused
    }
    m_egress.fill({m_initialTotal, m_initialTotal, m_initialTotal, FabricTime::NEVER});
    m_ingress.fill({m_initialTotal, m_initialTotal, m_initialTotal});
    m_tell = true;
    Update();
    m_device->RequestLinkFrame();
}

bool
CreditFlowControl::IsLossless() const
{
    return true;
}

bool
CreditFlowControl::WantsPackets() const
{
    return true;
}

uint64_t
CreditFlowControl::GetHeadroomBytes(uint32_t /* maxFrameBytes */) const
{
    return uint64_t{m_bufferUnits} * m_unitBytes;
}

void
CreditFlowControl::TraceUsed(uint8_t priority)
{
    if (m_peerUnits > 0)
    {
        m_usedTrace(m_device, priority, GetUsedUnits(priority));
    }
}

void
CreditFlowControl::OnTransmit(uint8_t priority, uint32_t bytes)
{
    if (m_maxUnits == 0)
    {
        throw FabricError("ns3::CreditFlowControl at node " +
                          std::to_string(m_device->GetActor()->GetAddress()) +
                          " does not know the largest packet; call SetMaxFrameBytes()");
    }
    Egress& egress = m_egress[priority];
    egress.sent += ToUnits(bytes);
    TraceUsed(priority);
    if (m_peerUnits > 0 && (egress.sent - egress.told) / 2 >= m_peerUnits)
    {
        m_tell = true;
        m_device->RequestLinkFrame();
    }
    Update();
}

void
CreditFlowControl::OnReceive(uint8_t priority, uint32_t bytes)
{
    m_ingress[priority].received += ToUnits(bytes);
}

void
CreditFlowControl::OnBufferReleased(uint8_t priority, uint32_t bytes)
{
    Ingress& ingress = m_ingress[priority];
    ingress.released += ToUnits(bytes);
    if (ingress.released - ingress.told >= m_returnUnits && !m_tell)
    {
        m_tell = true;
        m_device->RequestLinkFrame();
    }
}

Ptr<FabricPacketItem>
CreditFlowControl::MakeFrame()
{
    if (!m_tell)
    {
        return nullptr;
    }
    Ptr<FabricPacketItem> frame = FabricPacketItem::Create(FabricPacketType::CREDIT);
    frame->size = FRAME_BYTES;
    frame->src = m_device->GetActor()->GetAddress();
    frame->credit.request = m_request ? 1 : 0;
    frame->credit.bufferUnits = m_bufferUnits;
    for (uint8_t c = 0; c < 8; ++c)
    {
        m_egress[c].told = m_egress[c].sent;
        m_ingress[c].told = m_ingress[c].released;
        frame->credits[c] = {m_egress[c].sent, m_ingress[c].released + m_bufferUnits};
    }
    m_requests += m_request ? 1 : 0;
    m_tell = false;
    m_request = false;
    return frame;
}

void
CreditFlowControl::ReceiveFrame(const FabricPacketItem& frame)
{
    m_peerUnits = frame.credit.bufferUnits;
    bool tell = frame.credit.request != 0;
    for (uint8_t c = 0; c < 8; ++c)
    {
        // the wire keeps the order: what was sent before this frame has arrived or is lost
        Ingress& ingress = m_ingress[c];
        const uint32_t lost = frame.credits[c].sent - ingress.received;
        ingress.received += lost;
        ingress.released += lost;
        m_lostUnits += lost;
        tell = tell || ingress.released - ingress.told >= m_returnUnits;

        Egress& egress = m_egress[c];
        if (egress.limit != frame.credits[c].limit)
        {
            egress.limit = frame.credits[c].limit;
            TraceUsed(c);
        }
    }
    if (tell)
    {
        m_tell = true;
        m_device->RequestLinkFrame();
    }
    Update();
}

void
CreditFlowControl::Update()
{
    uint8_t blocked = 0;
    for (uint8_t c = 0; c < 8; ++c)
    {
        Egress& egress = m_egress[c];
        if (GetAvailableUnits(c) >= m_maxUnits)
        {
            egress.askPs = FabricTime::NEVER;
            continue;
        }
        blocked |= 1U << c;
        if (egress.askPs == FabricTime::NEVER)
        {
            egress.askPs = m_device->GetNowPs() + FabricTime::ToPs(m_timeout);
            m_device->ArmTimer(egress.askPs);
        }
    }
    if (blocked != m_blocked)
    {
        m_blocked = blocked;
        m_device->SetPausedClasses(blocked);
    }
}

void
CreditFlowControl::HandleTimer(int64_t nowPs)
{
    int64_t nextPs = FabricTime::NEVER;
    for (Egress& egress : m_egress)
    {
        if (egress.askPs <= nowPs)
        {
            egress.askPs = nowPs + FabricTime::ToPs(m_timeout);
            m_request = true;
            m_tell = true;
        }
        nextPs = std::min(nextPs, egress.askPs);
    }
    if (nextPs != FabricTime::NEVER)
    {
        m_device->ArmTimer(nextPs);
    }
    if (m_tell)
    {
        m_device->RequestLinkFrame();
    }
}

} // namespace ns3
