// SPDX-License-Identifier: GPL-2.0-only
#include "port-marking.h"

#include "declared-defaults.h"
#include "fabric.h"

#include "ns3/congestion-aware-queue-disc.h"
#include "ns3/credit-flow-control.h"
#include "ns3/fabric-net-device.h"
#include "ns3/marking-profile.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace ns3
{

namespace
{

/**
 * @param profile the object
 * @param name of a threshold
 * @return an attribute
 */
uint64_t
GetThreshold(const MarkingProfile& profile, const std::string& name)
{
    UintegerValue bytes;
    profile.GetAttribute(name, bytes);
    return bytes.Get();
}

/// Scale all thresholds, as from the rate for which they are given to that of the link.
void
Scale(MarkingProfile& profile, uint64_t wanted, uint64_t given)
{
    constexpr double MANY = 9e18; // more than any queue holds
    for (const std::string& name : profile.ListThresholds())
    {
        const double scaled = static_cast<double>(GetThreshold(profile, name)) *
                              static_cast<double>(wanted) / static_cast<double>(given);
        profile.SetAttribute(name,
                             UintegerValue(static_cast<uint64_t>(std::min(scaled, MANY) + 0.5)));
    }
}

/// @return bytes of a class beyond which a port's credits hold the peer back, whatever output its
/// packets wait for; UINT64_MAX without such credits
uint64_t
GetCreditBytes(const FabricNetDevice& port)
{
    const auto* credits = dynamic_cast<const CreditFlowControl*>(port.GetFlowControl());
    return credits && !port.GetFlowControl()->GetPeerRoom() ? credits->GetBufferBytes()
                                                            : UINT64_MAX;
}

/**
 * @param rateBps of the link
 * @param mostBytes in front of marks
 * @return the profile of ports
 */
Ptr<MarkingProfile>
MakeProfile(const PortMarking& marking, uint64_t rateBps, uint64_t mostBytes)
{
    const Ptr<MarkingProfile> profile = marking.profile.Create<MarkingProfile>();
    const auto thresholds = profile->ListThresholds();
    if (marking.scaled && profile->GetRateBps() != 0)
    {
        Scale(*profile, rateBps, profile->GetRateBps());
    }
    const uint64_t first = thresholds.empty() ? 0 : GetThreshold(*profile, thresholds.front());
    if (marking.withinBuffer && first > mostBytes)
    {
        Scale(*profile, mostBytes, first);
    }
    return profile;
}

} // namespace

PortMarking
MakePortMarking(const ObjectFactory& profile)
{
    const auto thresholds = profile.Create<MarkingProfile>()->ListThresholds();
    const bool own = std::any_of(thresholds.begin(), thresholds.end(), [&](const auto& name) {
        return IsAttributeChosen(profile, name);
    });
    const bool rate = IsAttributeChosen(profile, "Rate");
    return {profile, rate || !own, !rate && !own};
}

void
InstallPortMarking(const Fabric& fabric, const PortMarking& marking)
{
    std::map<std::pair<uint64_t, uint64_t>, Ptr<MarkingProfile>> profiles;
    for (uint32_t node = 0; node < fabric.GetGraph().GetNNodes(); ++node)
    {
        const FabricActor* actor = fabric.GetActor(node);
        for (uint16_t p = 0; !fabric.GetGraph().IsHost(node) && p < actor->GetNPorts(); ++p)
        {
            const FabricNetDevice* port = actor->GetPort(p);
            const auto disc = DynamicCast<CongestionAwareQueueDisc>(port->GetQueue().GetDisc());
            if (!disc)
            {
                continue;
            }
            const uint64_t mostBytes = GetCreditBytes(*port);
            Ptr<MarkingProfile>& profile = profiles[{port->GetRateBps(), mostBytes}];
            if (!profile)
            {
                profile = MakeProfile(marking, port->GetRateBps(), mostBytes);
            }
            disc->SetMarkingProfile(profile);
        }
    }
}

} // namespace ns3
