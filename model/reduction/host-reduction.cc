// SPDX-License-Identifier: GPL-2.0-only
#include "host-reduction.h"

#include "reduction-frame.h"

#include "ns3/attribute-range.h"
#include "ns3/fabric-net-device.h"
#include "ns3/fabric-nic.h"
#include "ns3/fabric-time.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(HostReduction);

TypeId
HostReduction::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::HostReduction")
            .SetParent<HostProtocol>()
            .SetGroupName("Dcfabric")
            .AddConstructor<HostReduction>()
            .AddAttribute("Window",
                          "Most packets of a host in a tree of in-network reduction whose result "
                          "has not come, the same at all hosts; switches keep twice as many. 0: as "
                          "many as keep the links of the tree busy.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&HostReduction::m_window),
                          MakeUintegerChecker<uint32_t>(0, 1U << 20))
            .AddAttribute("Timeout",
                          "Time without a result after which the oldest packet is sent again; "
                          "doubles each time, up to 16 times as long. 0: 25 round trips in the "
                          "tree, or 200 where flow control keeps links from dropping.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&HostReduction::m_timeout),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()));
    return tid;
}

HostReduction::HostReduction()
    : m_armedPs(FabricTime::NEVER)
{
}

HostReduction::~HostReduction() = default;

void
HostReduction::Attach(FabricNic& nic)
{
    m_nic = &nic;
    m_ofPort.resize(nic.GetNPorts());
    m_turn.resize(nic.GetNPorts());
}

int64_t
HostReduction::GetTimeoutPs(int64_t rttPs) const
{
    constexpr int64_t USUAL_RTTS = 25;
    constexpr int64_t LOSSLESS_RTTS = 200; // pauses and long queues hold packets up
    return m_timeout.IsZero() ? rttPs * (m_nic->isLossless ? LOSSLESS_RTTS : USUAL_RTTS)
                              : FabricTime::ToPs(m_timeout);
}

ReductionLane&
HostReduction::AddLane(const ReductionLane::Settings& settings)
{
    m_lanes.push_back(std::make_unique<ReductionLane>(settings, GetTimeoutPs(settings.rttPs)));
    m_ofPort[settings.port].push_back(m_lanes.back().get());
    return *m_lanes.back();
}

void
HostReduction::Activate(const ReductionLane& lane)
{
    if (lane.HasPacket())
    {
        m_nic->GetPort(lane.GetSettings().port)->Kick();
    }
}

bool
HostReduction::Takes(FabricPacketType type) const
{
    return type == ReductionFields::TYPE;
}

bool
HostReduction::HasPacket(const FabricNetDevice& port) const
{
    const uint8_t paused = port.GetPausedClasses();
    const auto& lanes = m_ofPort[port.GetPort()];
    return std::any_of(lanes.begin(), lanes.end(), [paused](const ReductionLane* lane) {
        return lane->HasPacket() && ((paused >> lane->GetSettings().priority) & 1) == 0;
    });
}

Ptr<FabricPacketItem>
HostReduction::Take(FabricNetDevice& port)
{
    const uint8_t paused = port.GetPausedClasses();
    const auto& lanes = m_ofPort[port.GetPort()];
    std::size_t& turn = m_turn[port.GetPort()];
    for (std::size_t i = 0; i < lanes.size(); ++i)
    {
        const std::size_t at = (turn + i) % lanes.size();
        ReductionLane& lane = *lanes[at];
        if (!lane.HasPacket() || ((paused >> lane.GetSettings().priority) & 1) != 0)
        {
            continue;
        }
        turn = at + 1;
        const ReductionFields fields = lane.Take(m_nic->GetNowPs());
        ArmFor(lane.GetDuePs());
        return MakeReductionItem(m_nic->GetAddress(),
                                 lane.GetSettings().parent,
                                 lane.GetSettings().priority,
                                 *m_nic->wire,
                                 fields);
    }
    return nullptr;
}

void
HostReduction::OnPacket(FabricNetDevice& /* port */, const FabricPacketItem& item)
{
    const auto& fields = item.As<ReductionFields>();
    for (const auto& lane : m_lanes) // few
    {
        if (lane->GetSettings().group == fields.group)
        {
            lane->OnResult(fields, m_nic->GetNowPs());
            ArmFor(lane->GetDuePs());
            Activate(*lane);
            return;
        }
    }
}

void
HostReduction::ArmFor(int64_t atPs)
{
    if (atPs < m_armedPs)
    {
        m_armedPs = std::max(atPs, m_nic->GetNowPs());
        m_nic->Arm(m_armedPs, CalendarKind::TIMER, TIMER);
    }
}

void
HostReduction::OnTimer(int64_t nowPs)
{
    if (nowPs != m_armedPs)
    {
        return; // an earlier one has done it
    }
    m_armedPs = FabricTime::NEVER;
    int64_t nextPs = FabricTime::NEVER;
    for (const auto& lane : m_lanes)
    {
        lane->OnTime(nowPs);
        Activate(*lane);
        nextPs = std::min(nextPs, lane->GetDuePs());
    }
    ArmFor(nextPs);
}

void
HostReduction::DoDispose()
{
    m_lanes.clear();
    m_ofPort.clear();
    m_nic = nullptr;
    HostProtocol::DoDispose();
}

} // namespace ns3
