// SPDX-License-Identifier: GPL-2.0-only
#include "fault-kinds.h"

#include "ns3/fabric-channel.h"
#include "ns3/fabric-error.h"
#include "ns3/wire-errors.h"

#include <algorithm>
#include <iterator>
#include <string>

namespace ns3
{

namespace
{

/// Everything that exists will do.
void
CheckNothing(const Fabric& /* fabric */, const PlacedFault& /* fault */)
{
}

/// Refuse a rate that the network is not made for.
void
CheckRate(const Fabric& fabric, const PlacedFault& fault)
{
    const FabricGraph& graph = fabric.GetGraph();
    const uint64_t plan = graph.GetLinks()[fault.link].rateBps;
    const uint64_t rate = fault.fault->rateBps;
    if (rate == 0)
    {
        throw FabricError(NameFault(*fault.fault) + "a rate must be above 0; take the link down");
    }
    if (rate > plan)
    {
        throw FabricError(NameFault(*fault.fault) + "a rate of " + std::to_string(rate) +
                          " bit/s is above that of the link, " + std::to_string(plan) +
                          " bit/s, for which buffers are dimensioned; give the link the higher "
                          "rate in the topology, and lower it from 0us on");
    }
    const FabricNetDevice* port = fabric.GetPort(fault.node, fault.port);
    for (const FabricNetDevice* end :
         {port, static_cast<const FabricNetDevice*>(port->GetLink().GetPeer())})
    {
        const uint32_t node = end->GetActor()->GetAddress();
        if (graph.IsHost(node))
        {
            continue;
        }
        try
        {
            fabric.GetSwitch(node)->CheckRate(end->GetPort(), rate);
        }
        catch (const FabricError& error)
        {
            throw error.At(NameFault(*fault.fault));
        }
    }
}

/// Refuse a node that is no switch.
void
CheckSwitch(const Fabric& fabric, const PlacedFault& fault)
{
    if (fabric.GetGraph().IsHost(fault.node))
    {
        throw FabricError(NameFault(*fault.fault) + "node " + std::to_string(fault.node) +
                          " is a host, not a switch; take its links down");
    }
}

/// @return bit mask of the classes in which the peer of a port of a host loses nothing
uint8_t
ListPausedClasses(const Fabric& fabric, const FabricNetDevice& port)
{
    const uint32_t peer = port.GetLink().GetPeer()->GetActor()->GetAddress();
    if (fabric.GetGraph().IsHost(peer))
    {
        return 0xff;
    }
    uint8_t classes = 0;
    for (uint8_t c = 0; c < 8; ++c)
    {
        classes |= fabric.GetSwitch(peer)->GetBuffer()->IsLossless(c) ? 1U << c : 0;
    }
    return classes;
}

/// Refuse a node that cannot send pauses.
void
CheckStorm(const Fabric& fabric, const PlacedFault& fault)
{
    if (!fabric.GetGraph().IsHost(fault.node))
    {
        throw FabricError(NameFault(*fault.fault) + "node " + std::to_string(fault.node) +
                          " is a switch, not a host");
    }
    const FabricActor* actor = fabric.GetActor(fault.node);
    for (uint16_t p = 0; p < actor->GetNPorts(); ++p)
    {
        const LinkFlowControl* flowControl = actor->GetPort(p)->GetFlowControl();
        if (!flowControl || !flowControl->CanStorm())
        {
            throw FabricError(NameFault(*fault.fault) + "there is no pause that host " +
                              std::to_string(fault.node) + " could send; use " +
                              FabricTerm::Class("ns3::PriorityFlowControl"));
        }
    }
}

/// Have the rate of a link changed.
void
ScheduleRate(const Fabric& fabric, const PlacedFault& fault)
{
    fabric.GetChannel(fault.link)
        ->ScheduleChange({fault.fault->timePs, LinkChange::RATE, fault.fault->rateBps});
}

/// Let a share of frames be lost.
void
SetLoss(Ptr<WireErrors> errors, double share)
{
    errors->SetLoss(share);
}

/// Let a share of frames arrive damaged.
void
SetCorruption(Ptr<WireErrors> errors, double share)
{
    errors->SetCorruption(share);
}

/// Have the errors of both directions of a link changed.
template <void (*SET)(Ptr<WireErrors>, double)>
void
ScheduleErrors(const Fabric& fabric, const PlacedFault& fault)
{
    FabricNetDevice* port = fabric.GetPort(fault.node, fault.port);
    for (FabricNetDevice* end : {port, port->GetLink().GetPeer()})
    {
        const Ptr<WireErrors> errors = end->GetWireErrors();
        errors->AssignStreams(fabric.GetFaultStream(*end));
        end->GetActor()->CallAt(fault.fault->timePs,
                                MakeBoundCallback(SET, errors, fault.fault->share));
    }
}

/// A switch fails or comes back.
void
SetPower(FabricSwitch* sw, bool on)
{
    sw->SetPower(on);
}

/// Have a switch fail or come back.
template <bool ON>
void
SchedulePower(const Fabric& fabric, const PlacedFault& fault)
{
    FabricSwitch* sw = PeekPointer(fabric.GetSwitch(fault.node));
    sw->CallAt(fault.fault->timePs, MakeBoundCallback(&SetPower, sw, ON));
}

/// A port begins to pause its peer for ever, or ends it.
void
SetStorm(LinkFlowControl* flowControl, uint8_t classes)
{
    flowControl->SetStorm(classes);
}

/// Have a host pause its switches for ever, or no longer.
template <bool ON>
void
ScheduleStorm(const Fabric& fabric, const PlacedFault& fault)
{
    FabricActor* actor = fabric.GetActor(fault.node);
    for (uint16_t p = 0; p < actor->GetNPorts(); ++p)
    {
        FabricNetDevice* port = actor->GetPort(p);
        const uint8_t classes = ON ? ListPausedClasses(fabric, *port) : 0;
        actor->CallAt(fault.fault->timePs,
                      MakeBoundCallback(&SetStorm, port->GetFlowControl(), classes));
    }
}

constexpr FaultKind FAULT_KINDS[] = {
    {FabricFault::DOWN,
     FaultKind::LINK_STATE,
     FaultKind::BEGIN,
     "the link is down already; it has to come up first",
     true,
     &CheckNothing,
     nullptr},
    {FabricFault::UP,
     FaultKind::LINK_STATE,
     FaultKind::END,
     "the link is up already; it has to go down first",
     false,
     &CheckNothing,
     nullptr},
    {FabricFault::RATE,
     FaultKind::LINK_RATE,
     FaultKind::SET,
     nullptr,
     false,
     &CheckRate,
     &ScheduleRate},
    {FabricFault::LOSS,
     FaultKind::LINK_LOSS,
     FaultKind::SET,
     nullptr,
     true,
     &CheckNothing,
     &ScheduleErrors<&SetLoss>},
    {FabricFault::CORRUPT,
     FaultKind::LINK_WEAR,
     FaultKind::SET,
     nullptr,
     true,
     &CheckNothing,
     &ScheduleErrors<&SetCorruption>},
    {FabricFault::SWITCH_DOWN,
     FaultKind::POWER,
     FaultKind::BEGIN,
     "the switch is down already; it has to come up first",
     true,
     &CheckSwitch,
     &SchedulePower<false>},
    {FabricFault::SWITCH_UP,
     FaultKind::POWER,
     FaultKind::END,
     "the switch is up already; it has to go down first",
     false,
     &CheckSwitch,
     &SchedulePower<true>},
    {FabricFault::STORM,
     FaultKind::PAUSES,
     FaultKind::BEGIN,
     "the host storms already; it has to calm down first",
     false,
     &CheckStorm,
     &ScheduleStorm<true>},
    {FabricFault::CALM,
     FaultKind::PAUSES,
     FaultKind::END,
     "the host is calm already; it has to storm first",
     false,
     &CheckStorm,
     &ScheduleStorm<false>},
};

} // namespace

const FaultKind&
GetFaultKind(FabricFault::Kind kind)
{
    return *std::find_if(std::begin(FAULT_KINDS),
                         std::end(FAULT_KINDS),
                         [kind](const FaultKind& entry) { return entry.kind == kind; });
}

} // namespace ns3
