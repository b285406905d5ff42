// SPDX-License-Identifier: GPL-2.0-only
#include "sim-marking.h"

#include "sim-policies.h"
#include "sim-presets.h"

#include "ns3/congestion-aware-queue-disc.h"
#include "ns3/congestion-control.h"
#include "ns3/marking-profile.h"
#include "ns3/object-factory.h"
#include "ns3/pointer.h"
#include "ns3/uinteger.h"
#include "ns3/voq-buffer.h"

#include <algorithm>
#include <iostream>
#include <map>
#include <string>

namespace ns3
{

namespace
{

/// Rate for which the default thresholds are given.
constexpr uint64_t DEFAULT_BPS = 100000000000;

/// @brief Scale a threshold. @param profile to be changed @param name attribute @param rateBps rate
/// of the link @param givenBps rate for which it is given
void
Scale(const Ptr<MarkingProfile>& profile, const char* name, uint64_t rateBps, uint64_t givenBps)
{
    UintegerValue bytes;
    profile->GetAttribute(name, bytes);
    const double scaled = static_cast<double>(bytes.Get()) * static_cast<double>(rateBps) /
                          static_cast<double>(givenBps);
    profile->SetAttribute(name, UintegerValue(static_cast<uint64_t>(scaled + 0.5)));
}

/// @return a profile for a rate @param rateBps rate of the link @param givenBps rate for which the
/// thresholds are given
Ptr<MarkingProfile>
MakeProfile(uint64_t rateBps, uint64_t givenBps)
{
    Ptr<MarkingProfile> profile = CreateObject<WredMarkingProfile>();
    Scale(profile, "Kmin", rateBps, givenBps);
    Scale(profile, "Kmax", rateBps, givenBps);
    return profile;
}

} // namespace

void
InstallSimMarking(const Fabric& fabric, const SimOptions& options)
{
    if (options.IsAttributeGiven("ns3::WredMarkingProfile::Kmin") ||
        options.IsAttributeGiven("ns3::WredMarkingProfile::Kmax"))
    {
        return;
    }
    const uint64_t givenBps = options.GetPreset() ? options.GetPreset()->markingBps : DEFAULT_BPS;
    if (givenBps == 0)
    {
        return;
    }
    std::map<uint64_t, Ptr<MarkingProfile>> profiles;
    for (uint32_t node = 0; node < fabric.GetGraph().GetNNodes(); ++node)
    {
        if (fabric.GetGraph().IsHost(node))
        {
            continue;
        }
        const FabricActor* actor = fabric.GetActor(node);
        for (uint16_t p = 0; p < actor->GetNPorts(); ++p)
        {
            const FabricNetDevice* port = actor->GetPort(p);
            Ptr<MarkingProfile>& profile = profiles[port->GetRateBps()];
            if (!profile)
            {
                profile = MakeProfile(port->GetRateBps(), givenBps);
            }
            const auto disc = DynamicCast<CongestionAwareQueueDisc>(port->GetQueueDisc());
            if (disc && !disc->GetBackToSender())
            {
                disc->SetMarkingProfile(profile);
            }
        }
    }
}

void
NoteUnreachableMarks(const Fabric& fabric, const SimOptions& options)
{
    const std::string& cc = options.Get("cc");
    ObjectFactory control;
    control.SetTypeId(FindSimPolicy("cc", cc).typeId);
    if (!control.Create<CongestionControl>()->GetNeeds().ecn)
    {
        return;
    }
    uint64_t least = UINT64_MAX;
    uint64_t room = 0;
    for (uint32_t node = 0; node < fabric.GetGraph().GetNNodes(); ++node)
    {
        if (fabric.GetGraph().IsHost(node))
        {
            continue;
        }
        const Ptr<FabricSwitch> sw = fabric.GetSwitch(node);
        const auto buffer = DynamicCast<VoqBuffer>(sw->GetBuffer());
        if (!buffer)
        {
            return;
        }
        UintegerValue bytes;
        buffer->GetAttribute("OutputBytes", bytes);
        room = bytes.Get();
        for (uint16_t p = 0; p < sw->GetNPorts(); ++p)
        {
            const auto disc = DynamicCast<CongestionAwareQueueDisc>(sw->GetPort(p)->GetQueueDisc());
            const Ptr<MarkingProfile> profile = disc ? disc->GetMarkingProfile() : nullptr;
            if (!profile || profile->GetLowerBound() < room)
            {
                return; // queues that notify, or that can grow long enough
            }
            least = std::min(least, profile->GetLowerBound());
        }
    }
    std::cerr << "dcfabric-sim: note: --cc=" << cc
              << " will hear of no congestion: with --switch=voq an output queue holds at most "
              << room << " bytes, and ns3::WredMarkingProfile marks above " << least
              << "; set Kmin and Kmax lower, or ns3::VoqBuffer::OutputBytes higher\n";
}

} // namespace ns3
