// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-faults.h"

#include "fault-kinds.h"
#include "fault-place.h"
#include "link-outages.h"
#include "route-repair.h"

#include "ns3/fabric-channel.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-time.h"

#include <algorithm>
#include <tuple>

namespace ns3
{

namespace
{

/// @return faults that change the same come together, by time
std::tuple<FaultKind::Aspect, uint32_t, uint32_t>
GetSubject(const PlacedFault& fault)
{
    const bool ofLink = fault.link != PlacedFault::NO_LINK;
    return {GetFaultKind(fault.fault->kind).aspect, fault.link, ofLink ? 0 : fault.node};
}

/// Refuse what contradicts what was before, sorted by subject and time.
void
CheckSequence(const Fabric& fabric, const std::vector<PlacedFault>& sorted)
{
    const PlacedFault* before = nullptr;
    for (const PlacedFault& next : sorted)
    {
        const FaultKind& kind = GetFaultKind(next.fault->kind);
        const bool first = !before || GetSubject(*before) != GetSubject(next);
        if (!first && before->fault->timePs == next.fault->timePs)
        {
            throw FabricError(NameFault(*next.fault) + "contradicts " + NameFault(*before->fault) +
                              "both change the same " + (next.fault->IsOfNode() ? "node" : "link") +
                              " at the same time");
        }
        const FaultKind::Turn usual = kind.aspect == FaultKind::LINK_STATE &&
                                              !fabric.GetPort(next.node, next.port)->IsLinkUp()
                                          ? FaultKind::BEGIN
                                          : FaultKind::END;
        const FaultKind::Turn state = first ? usual : GetFaultKind(before->fault->kind).turn;
        if (kind.turn != FaultKind::SET && kind.turn == state)
        {
            throw FabricError(NameFault(*next.fault) + kind.already);
        }
        before = &next;
    }
}

} // namespace

void
FabricFaults::Read(const std::string& path)
{
    const std::vector<FabricFault> faults = ReadFabricFaults(path);
    m_faults.insert(m_faults.end(), faults.begin(), faults.end());
}

void
FabricFaults::AddDown(Time at, FabricFault::End a, FabricFault::End b)
{
    Add({FabricTime::ToPs(at), FabricFault::DOWN, a, b});
}

void
FabricFaults::AddUp(Time at, FabricFault::End a, FabricFault::End b)
{
    Add({FabricTime::ToPs(at), FabricFault::UP, a, b});
}

void
FabricFaults::AddRate(Time at, FabricFault::End a, FabricFault::End b, DataRate rate)
{
    Add({FabricTime::ToPs(at), FabricFault::RATE, a, b, rate.GetBitRate()});
}

void
FabricFaults::AddLoss(Time at, FabricFault::End a, FabricFault::End b, double share)
{
    Add({FabricTime::ToPs(at), FabricFault::LOSS, a, b, 0, share});
}

void
FabricFaults::AddCorruption(Time at, FabricFault::End a, FabricFault::End b, double share)
{
    Add({FabricTime::ToPs(at), FabricFault::CORRUPT, a, b, 0, share});
}

void
FabricFaults::AddSwitchDown(Time at, uint32_t node)
{
    Add({FabricTime::ToPs(at), FabricFault::SWITCH_DOWN, node, {}});
}

void
FabricFaults::AddSwitchUp(Time at, uint32_t node)
{
    Add({FabricTime::ToPs(at), FabricFault::SWITCH_UP, node, {}});
}

void
FabricFaults::AddStorm(Time at, uint32_t host)
{
    Add({FabricTime::ToPs(at), FabricFault::STORM, host, {}});
}

void
FabricFaults::AddCalm(Time at, uint32_t host)
{
    Add({FabricTime::ToPs(at), FabricFault::CALM, host, {}});
}

void
FabricFaults::AddFlapping(Time first,
                          FabricFault::End a,
                          FabricFault::End b,
                          Time down,
                          Time up,
                          uint32_t times)
{
    if (!down.IsStrictlyPositive() || !up.IsStrictlyPositive())
    {
        throw FabricError("a link that flaps needs times down and up above zero, found " +
                          std::to_string(FabricTime::ToPs(down)) + " ps and " +
                          std::to_string(FabricTime::ToPs(up)) + " ps");
    }
    int64_t timePs = FabricTime::ToPs(first);
    for (uint32_t n = 0; n < times; ++n)
    {
        Add({timePs, FabricFault::DOWN, a, b});
        timePs += FabricTime::ToPs(down);
        Add({timePs, FabricFault::UP, a, b});
        timePs += FabricTime::ToPs(up);
    }
}

void
FabricFaults::SetConvergenceTime(Time time)
{
    if (time.IsStrictlyNegative() || FabricTime::ToPs(time) > FabricFault::MAX_TIME_PS)
    {
        throw FabricError("the convergence time must be 0 to 24 h, found " +
                          std::to_string(FabricTime::ToPs(time)) + " ps");
    }
    m_convergencePs = FabricTime::ToPs(time);
}

bool
FabricFaults::TakesLinksDown() const
{
    return std::any_of(m_faults.begin(), m_faults.end(), [](const FabricFault& fault) {
        return fault.kind == FabricFault::DOWN || fault.kind == FabricFault::SWITCH_DOWN;
    });
}

bool
FabricFaults::LosePackets() const
{
    return std::any_of(m_faults.begin(), m_faults.end(), [](const FabricFault& fault) {
        return GetFaultKind(fault.kind).loses;
    });
}

int64_t
FabricFaults::GetLastPs() const
{
    int64_t lastPs = 0;
    for (const FabricFault& fault : m_faults)
    {
        lastPs = std::max(lastPs, fault.timePs);
    }
    return lastPs + std::max<int64_t>(m_convergencePs, 0);
}

uint64_t
FabricFaults::CountAfter(int64_t timePs) const
{
    return std::count_if(m_faults.begin(), m_faults.end(), [timePs](const FabricFault& fault) {
        return fault.timePs > timePs;
    });
}

void
FabricFaults::Install(Ptr<Fabric> fabric) const
{
    std::vector<PlacedFault> sorted;
    for (const FabricFault& fault : m_faults)
    {
        const PlacedFault placed = PlaceFault(fabric->GetGraph(), fault);
        if (fault.timePs < FabricActor::SimulatorNowPs() || fault.timePs > FabricFault::MAX_TIME_PS)
        {
            throw FabricError(NameFault(fault) + "a fault must lie between the present, " +
                              std::to_string(FabricActor::SimulatorNowPs()) + " ps, and 24 h");
        }
        GetFaultKind(fault.kind).check(*fabric, placed);
        sorted.push_back(placed);
    }
    std::stable_sort(sorted.begin(), sorted.end(), [](const PlacedFault& a, const PlacedFault& b) {
        return std::make_tuple(GetSubject(a), a.fault->timePs) <
               std::make_tuple(GetSubject(b), b.fault->timePs);
    });
    CheckSequence(*fabric, sorted);
    // first the links of a switch, then the switch
    const LinkOutages outages(*fabric, sorted);
    for (const LinkOutages::Change& change : outages.GetChanges())
    {
        fabric->GetChannel(change.link)
            ->ScheduleChange({change.timePs, change.down ? LinkChange::DOWN : LinkChange::UP});
    }
    for (const PlacedFault& next : sorted)
    {
        if (const auto schedule = GetFaultKind(next.fault->kind).schedule)
        {
            schedule(*fabric, next);
        }
    }
    if (m_convergencePs >= 0)
    {
        RouteRepair::Schedule(fabric, outages, m_convergencePs);
    }
}

} // namespace ns3
