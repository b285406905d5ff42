// SPDX-License-Identifier: GPL-2.0-only
#include "credit-flow-control.h"

#include "fabric-net-device.h"
#include "fabric-time.h"

#include "ns3/attribute-range.h"
#include "ns3/boolean.h"
#include "ns3/fabric-error.h"
#include "ns3/integer.h"
#include "ns3/link-packets.h"
#include "ns3/log.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

LogComponent CreditFlowControl::g_log("CreditFlowControl", __FILE__);

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
                          MakeUintegerChecker<uint32_t>(1, 1U << 31))
            .AddAttribute("UnitOverhead",
                          "Bytes that are counted with each packet before its credits are rounded "
                          "up; the same at both ends.",
                          IntegerValue(0),
                          MakeIntegerAccessor(&CreditFlowControl::m_overhead),
                          MakeIntegerChecker<int32_t>(-16, 127))
            .AddAttribute("OrderedSets",
                          "Credits are told in ordered sets of 8 bytes for two classes (or virtual "
                          "queues) that have news, without preamble and gap; false: in frames that "
                          "tell all.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&CreditFlowControl::m_orderedSets),
                          MakeBooleanChecker())
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
                          MakeUintegerChecker<uint64_t>(0, 1ULL << 31))
            .AddAttribute("InitialCredits",
                          "Both ends know each other's buffer when the simulation begins, as "
                          "hardware does once a link is up; false: a port sends nothing before the "
                          "peer's first frame.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&CreditFlowControl::m_initialCredits),
                          MakeBooleanChecker())
            .AddAttribute("InitialTotal",
                          "Where the totals of units begin; the same at both ends.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&CreditFlowControl::m_initialTotal),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("Timeout",
                          "Time without credits for a full packet after which the peer is asked.",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&CreditFlowControl::m_timeout),
                          MakeTimeChecker(NanoSeconds(1), AttributeRange::GetMaxTime()))
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
                                 uint64_t returnBytes,
                                 uint32_t creditFrameBytes)
{
    const double onWire = 2.0 * static_cast<double>(delayPs) * static_cast<double>(rateBps) /
                          static_cast<double>(FabricTime::PS_PER_BYTE_AT_1_BPS);
    // bytes and gaps that pass while the credits of a packet are away
    const double away = onWire + maxFrameBytes + maxOwnFrameBytes + creditFrameBytes +
                        3.0 * static_cast<double>(gapBytes);
    const double share = static_cast<double>(maxFrameBytes) / (maxFrameBytes + gapBytes);
    constexpr double MOST = 0x1p62; // 1000 Tb/s over 24 h are more than an integer holds
    return static_cast<uint64_t>(std::ceil(std::min(away * share, MOST))) + maxFrameBytes +
           returnBytes;
}

void
CreditFlowControl::ComputeSizes(uint32_t maxFrameBytes, uint32_t creditFrameBytes)
{
    m_unit = m_unitBytes; // what is counted as it comes must be counted the same as it goes
    m_rounding = m_unit - 1 + static_cast<uint64_t>(int64_t{m_overhead});
    m_maxUnits = ToUnits(maxFrameBytes);
    for (Egress& egress : m_egress)
    {
        egress.calm = 0;
    }
    const std::size_t most = m_egress.size() / 2; // ordered sets, all of which come at once
    const uint32_t gap = m_device->GetGapBytes();
    const auto away = ComputeBuffer(m_device->GetRateBps(),
                                    m_device->GetLink().GetDelayPs(),
                                    maxFrameBytes,
                                    maxFrameBytes,
                                    gap,
                                    0,
                                    m_orderedSets ? most * ORDERED_SET_BYTES : creditFrameBytes);
    const uint64_t returnBytes = m_returnBytes > 0 ? m_returnBytes : away / 4;
    // a packet may begin its last unit with a single byte
    const uint64_t roundedFrame = uint64_t{m_maxUnits} * m_unit;
    const __uint128_t wanted =
        static_cast<__uint128_t>(away + returnBytes) * roundedFrame / maxFrameBytes + m_unit;
    const __uint128_t units = (m_bufferBytes > 0 ? m_bufferBytes : wanted) / m_unit;
    if (units > MAX_UNITS)
    {
        throw FabricError(FabricTerm::Attribute(GetInstanceTypeId(), "UnitBytes"),
                          ": a buffer that keeps this link busy has more than the " +
                              std::to_string(MAX_UNITS) + " units of " + std::to_string(m_unit) +
                              " bytes that credits count",
                          {FabricRemedy::Use("larger units"), FabricRemedy::Do("set BufferBytes")});
    }
    m_bufferUnits = static_cast<uint32_t>(units);
    if (m_bufferUnits < m_maxUnits)
    {
        throw FabricError(FabricTerm::Attribute(GetInstanceTypeId(), "BufferBytes"),
                          ": " + std::to_string(m_bufferBytes) + " bytes do not hold a packet of " +
                              std::to_string(maxFrameBytes) + " bytes in units of " +
                              std::to_string(m_unit) + " bytes",
                          {FabricRemedy::Use("a larger buffer")});
    }
    // more must never be kept back than leaves room for a full packet
    const uint32_t mostUnits = m_bufferUnits - m_maxUnits + 1;
    const auto returnUnits = static_cast<uint32_t>((returnBytes + m_unit - 1) / m_unit);
    if (m_returnBytes > 0 && returnUnits > mostUnits)
    {
        throw FabricError(
            FabricTerm::Attribute(GetInstanceTypeId(), "ReturnBytes"),
            ": " + std::to_string(m_returnBytes) +
                " bytes kept back would leave the peer without credits for a packet of " +
                std::to_string(maxFrameBytes) + " bytes",
            {FabricRemedy::Use("at most " + std::to_string(uint64_t{mostUnits} * m_unit) +
                               " bytes"),
             FabricRemedy::Use("a larger BufferBytes")});
    }
    m_returnUnits = std::max(1U, std::min(returnUnits, mostUnits));
}

void
CreditFlowControl::SetMaxFrameBytes(uint32_t maxFrameBytes)
{
    ComputeSizes(maxFrameBytes, FRAME_BYTES);
    m_device->SetPausedClasses(m_blocked); // until Start(), or the peer's first frame
}

void
CreditFlowControl::LearnPeer(const LinkFlowControl& peer)
{
    const auto* other = dynamic_cast<const CreditFlowControl*>(&peer);
    m_peerUnits = other && m_initialCredits ? other->m_bufferUnits : 0;
}

void
CreditFlowControl::Start()
{
    if (m_maxUnits == 0)
    {
        return; // of a network whose installation was refused
    }
    m_egress.fill(
        {m_initialTotal, m_initialTotal, m_initialTotal + m_peerUnits, 0, FabricTime::NEVER});
    m_ingress.fill({m_initialTotal, m_initialTotal, m_initialTotal});
    Update();
    if (m_peerUnits == 0)
    {
        Tell(); // as the other end will, which does not know us either
    }
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
    const uint64_t bytes = uint64_t{m_bufferUnits} * m_unit;
    // with less than their bytes counted, smallest packets fill more than their units
    return m_overhead < 0 ? bytes * LEAST_BYTES / (LEAST_BYTES + m_overhead) + m_unit : bytes;
}

void
CreditFlowControl::RefuseSizes() const
{
    throw FabricError(FabricTerm::Class(GetInstanceTypeId()),
                      " at node " + std::to_string(m_device->GetActor()->GetAddress()) +
                          " does not know the largest packet",
                      {FabricRemedy::Do("call SetMaxFrameBytes()")});
}

void
CreditFlowControl::Tell()
{
    m_tell = true;
    m_device->RequestLinkFrame();
}

void
CreditFlowControl::OnTransmit(const FabricPacketItem& item)
{
    const uint8_t priority = item.GetPriority();
    Egress& egress = m_egress[priority];
    const uint32_t units = ToUnits(item.size);
    egress.sent += units;
    TraceUsed(priority);
    if (units < egress.calm)
    {
        egress.calm -= units;
        return;
    }
    LookAfter(priority);
}

void
CreditFlowControl::LookAfter(uint8_t priority)
{
    CheckSizes();
    Egress& egress = m_egress[priority];
    if (IsSentWorthTelling(egress))
    {
        Tell();
    }
    if (CanUpdate(priority))
    {
        Update();
    }
    egress.calm = CountCalm(priority);
}

uint32_t
CreditFlowControl::CountCalm(uint8_t priority) const
{
    const Egress& egress = m_egress[priority];
    if (CanUpdate(priority) || IsSentWorthTelling(egress))
    {
        return 0;
    }
    const uint64_t credits = egress.limit - egress.sent - m_maxUnits;
    const uint64_t untold = egress.sent - egress.told;
    const uint64_t secret = m_peerUnits > 0 ? uint64_t{m_peerUnits} * 2 - 1 - untold : credits;
    return static_cast<uint32_t>(std::min<uint64_t>(std::min(credits, secret) + 1, UINT32_MAX));
}

void
CreditFlowControl::OnReceive(const FabricPacketItem& item)
{
    m_ingress[item.GetPriority()].received += ToUnits(item.size);
}

void
CreditFlowControl::OnBufferReleased(const FabricPacketItem& item, uint32_t bytes)
{
    Ingress& ingress = m_ingress[item.bufferClass];
    ingress.released += ToUnits(bytes);
    if (IsReleaseWorthTelling(ingress) && !m_tell)
    {
        Tell();
    }
}

Ptr<FabricPacketItem>
CreditFlowControl::StartFrame()
{
    Ptr<FabricPacketItem> frame = FabricPacketItem::Create(FabricPacketType::CREDIT);
    frame->src = m_device->GetActor()->GetAddress();
    frame->As<CreditFields>() = {static_cast<uint8_t>(m_request ? 1 : 0), m_bufferUnits, false, {}};
    m_requests += m_request ? 1 : 0;
    m_tell = false;
    m_request = false;
    return frame;
}

void
CreditFlowControl::SetSize(FabricPacketItem& frame, uint32_t bytes, std::size_t told) const
{
    frame.size = bytes;
    if (m_orderedSets)
    {
        frame.size =
            ORDERED_SET_BYTES * static_cast<uint32_t>(std::max<std::size_t>(1, (told + 1) / 2));
        frame.flags |= FabricPacketItem::FLAG_ORDERED_SET;
    }
}

Ptr<FabricPacketItem>
CreditFlowControl::MakeFrame()
{
    if (!m_tell)
    {
        return nullptr;
    }
    Ptr<FabricPacketItem> frame = StartFrame();
    std::size_t news = 0;
    for (uint8_t c = 0; m_orderedSets && c < 8; ++c)
    {
        news += m_egress[c].told != m_egress[c].sent || m_ingress[c].told != m_ingress[c].released;
    }
    for (uint8_t c = 0; c < 8; ++c)
    {
        frame->credits[c] = TakeTotals(m_egress[c], m_ingress[c]);
    }
    SetSize(*frame, FRAME_BYTES, news);
    return frame;
}

bool
CreditFlowControl::SetLimit(uint8_t priority, uint32_t limit)
{
    Egress& egress = m_egress[priority];
    egress.limit = limit;
    egress.calm = 0;
    TraceUsed(priority);
    return CanUpdate(priority);
}

void
CreditFlowControl::ReceiveFrame(const FabricPacketItem& frame)
{
    const auto& told = frame.As<CreditFields>();
    bool update = m_awaitedLess;
    if (m_peerUnits != told.bufferUnits)
    {
        m_peerUnits = told.bufferUnits;
        for (Egress& egress : m_egress)
        {
            egress.calm = 0;
        }
        update = true;
    }
    bool tell = told.request != 0;
    for (uint8_t c = 0; c < 8; ++c)
    {
        const FabricPacketItem::CreditTotals& totals = frame.credits[c];
        Ingress& ingress = m_ingress[c];
        if (totals.sent != ingress.received)
        {
            NoteSent(ingress, totals.sent);
        }
        tell |= IsReleaseWorthTelling(ingress);
        if (totals.limit != m_egress[c].limit)
        {
            update |= SetLimit(c, totals.limit);
        }
    }
    if (tell)
    {
        Tell();
    }
    if (update)
    {
        Update();
    }
}

bool
CreditFlowControl::IsHoldingBack(uint8_t priority, uint16_t /* output */) const
{
    return IsFull(m_ingress[priority]);
}

void
CreditFlowControl::Update()
{
    uint8_t blocked = 0;
    m_awaitedLess = false;
    for (uint8_t c = 0; c < 8; ++c)
    {
        Egress& egress = m_egress[c];
        const bool enough = CreditFlowControl::GetAvailableUnits(c) >= m_maxUnits;
        if (enough && ((m_awaited >> c) & 1) == 0)
        {
            egress.askPs = FabricTime::NEVER;
            continue;
        }
        blocked |= enough ? 0 : 1U << c;
        BeginAsking(egress);
    }
    if (blocked != m_blocked)
    {
        NS_LOG_LOGIC(*m_device << ": classes without credits (mask) " << +blocked << ", before "
                               << +m_blocked);
        m_stalls += static_cast<uint64_t>(__builtin_popcount(blocked & ~m_blocked));
        m_blocked = blocked;
        m_device->SetPausedClasses(blocked);
    }
}

void
CreditFlowControl::SetAwaited(uint8_t priority, bool awaited)
{
    const auto bit = static_cast<uint8_t>(1U << priority);
    m_awaited = awaited ? m_awaited | bit : m_awaited & ~bit;
    if (awaited)
    {
        BeginAsking(m_egress[priority]);
    }
    m_awaitedLess = m_awaitedLess || !awaited; // for Update() to see
    for (Egress& egress : m_egress)
    {
        egress.calm = 0;
    }
}

void
CreditFlowControl::BeginAsking(Egress& egress)
{
    if (egress.askPs == FabricTime::NEVER)
    {
        egress.askPs = m_device->GetNowPs() + FabricTime::ToPs(m_timeout);
        m_device->ArmTimer(egress.askPs);
    }
}

void
CreditFlowControl::RestartAsking(Egress& egress)
{
    if (egress.askPs != FabricTime::NEVER)
    {
        egress.askPs = m_device->GetNowPs() + FabricTime::ToPs(m_timeout);
        m_device->ArmTimer(egress.askPs);
    }
}

void
CreditFlowControl::OnLinkUp()
{
    if (m_maxUnits == 0)
    {
        return; // not in use
    }
    for (Egress& egress : m_egress)
    {
        RestartAsking(egress);
    }
    m_request = true;
    Tell();
}

void
CreditFlowControl::HandleTimer(int64_t nowPs)
{
    if (!m_device->IsLinkUp())
    {
        return; // OnLinkUp() goes on
    }
    int64_t nextPs = FabricTime::NEVER;
    for (Egress& egress : m_egress)
    {
        if (egress.askPs <= nowPs)
        {
            NS_LOG_INFO(*m_device << ": asks for credits");
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
