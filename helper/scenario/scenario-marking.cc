// SPDX-License-Identifier: GPL-2.0-only
#include "scenario-marking.h"

#include "scenario-policies.h"

#include "ns3/congestion-aware-queue-disc.h"
#include "ns3/congestion-control.h"
#include "ns3/double.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-net-device.h"
#include "ns3/fabric-text-file.h"
#include "ns3/fabric-warning.h"
#include "ns3/marking-profile.h"
#include "ns3/object-factory.h"
#include "ns3/parse-units.h"
#include "ns3/pointer.h"
#include "ns3/uinteger.h"
#include "ns3/voq-buffer.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

/// @return true if a queue disc marks, or notifies and marks, by its marking profile
bool
FollowsProfile(const CongestionAwareQueueDisc& disc)
{
    const Ptr<BackToSenderNotifier> notifier = disc.GetBackToSender();
    return !notifier || (notifier->SharesProfile() && disc.GetMarkingProfile());
}

/// Call a function with the queue disc of each switch port that marks by profile.
void
ForEachMarker(const Fabric& fabric,
              const std::function<void(CongestionAwareQueueDisc&, const FabricNetDevice&)>& visit)
{
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
            const auto disc = DynamicCast<CongestionAwareQueueDisc>(port->GetQueue().GetDisc());
            if (disc && FollowsProfile(*disc))
            {
                visit(*disc, *port);
            }
        }
    }
}

/// Attributes of the profile, in the order of --marking.
constexpr const char* THRESHOLDS[] = {"Kmin", "Kmax", "Pmax"};

/// @return the profile of an entry `Kmin,Kmax,Pmax` of --marking, with what the user gives by
/// attribute in its place
Ptr<MarkingProfile>
ParseProfile(const std::string& entry, const FabricText& where, const ScenarioOptions& options)
{
    const std::vector<std::string> values = SplitFabricList(entry);
    if (values.size() != std::size(THRESHOLDS))
    {
        throw FabricError(where + ": expected Kmin,Kmax,Pmax such as 100kB,400kB,0.2");
    }
    const uint64_t kmin = ParseFabricSize(values[0], where + ": Kmin");
    const uint64_t kmax = ParseFabricSize(values[1], where + ": Kmax");
    const double pmax = ParseFabricDouble(values[2], where + ": Pmax", 0, 1);
    if (kmin > kmax)
    {
        throw FabricError(where + ": Kmin is above Kmax");
    }
    Ptr<MarkingProfile> profile = CreateObject<WredMarkingProfile>();
    const auto set = [&](const char* name, const AttributeValue& value) {
        const std::string attribute = std::string("ns3::WredMarkingProfile::") + name;
        if (!options.IsAttributeGiven(attribute))
        {
            profile->SetAttribute(name, value);
        }
        else if (options.IsGiven("marking"))
        {
            throw FabricError(FabricTerm::Option("marking") + " and " +
                              FabricTerm::Option(attribute) + " name the same thing");
        }
    };
    set(THRESHOLDS[0], UintegerValue(kmin));
    set(THRESHOLDS[1], UintegerValue(kmax));
    set(THRESHOLDS[2], DoubleValue(pmax));
    return profile;
}

/// @return profiles by rate
std::map<uint64_t, Ptr<MarkingProfile>>
ParseProfiles(const std::string& text, const ScenarioOptions& options)
{
    std::map<uint64_t, Ptr<MarkingProfile>> profiles;
    std::istringstream entries(text);
    for (std::string entry; std::getline(entries, entry, ';');)
    {
        const FabricText where = FabricTerm::Option("marking") + ", " + QuoteFabricText(entry);
        const std::size_t colon = entry.find(':');
        if (colon == std::string::npos)
        {
            throw FabricError(where + ": expected RATE:Kmin,Kmax,Pmax such as "
                                      "25Gbps:100kB,400kB,0.2; entries are separated by ';'");
        }
        const std::string rate = entry.substr(0, colon);
        if (rate.empty() || std::isdigit(static_cast<unsigned char>(rate.back())) != 0)
        {
            throw FabricError(where + ": " + QuoteFabricText(rate) +
                              " is not a rate with a unit, such as 25Gbps");
        }
        Ptr<MarkingProfile>& profile = profiles[ParseFabricRateBps(rate, where)];
        if (profile)
        {
            throw FabricError(where + ": this rate is given twice");
        }
        profile = ParseProfile(entry.substr(colon + 1), where, options);
    }
    return profiles;
}

/// Give ports the thresholds of --marking.
void
InstallByRate(const Fabric& fabric, const ScenarioOptions& options)
{
    const auto profiles = ParseProfiles(options.Get("marking"), options);
    bool used = false;
    ForEachMarker(fabric, [&](CongestionAwareQueueDisc& disc, const FabricNetDevice& port) {
        const auto found = profiles.find(port.GetRateBps());
        if (found == profiles.end())
        {
            const FabricText whose = options.IsGiven("marking")
                                         ? options.Say("marking") + " has"
                                         : options.Get("config") + ": the maps KMIN_MAP, KMAX_MAP "
                                                                   "and PMAX_MAP have";
            throw FabricError(whose + " no thresholds for the links of " +
                              FormatFabricDecimal(port.GetRateBps(), BPS_PER_GBPS) + "Gbps");
        }
        disc.SetMarkingProfile(found->second);
        used = true;
    });
    if (!used && options.IsGiven("marking"))
    {
        throw FabricError(FabricTerm::Option("marking") +
                          " has no effect: no queue of this run marks by profile");
    }
}

} // namespace

bool
IsScenarioMarkingGiven(const ScenarioOptions& options)
{
    return !options.Get("marking").empty() ||
           std::any_of(std::begin(THRESHOLDS), std::end(THRESHOLDS), [&options](const char* name) {
               return options.IsAttributeGiven(std::string("ns3::WredMarkingProfile::") + name);
           });
}

void
InstallScenarioMarking(const Fabric& fabric, const ScenarioOptions& options)
{
    if (options.Get("marking") != "none" && !options.Get("marking").empty())
    {
        InstallByRate(fabric, options);
    }
}

void
NoteUnreachableMarks(const Fabric& fabric, const ScenarioOptions& options)
{
    const std::string& cc = options.Get("cc");
    ObjectFactory control;
    control.SetTypeId(FindScenarioPolicy("cc", cc).typeId);
    if (!control.Create<CongestionControl>()->GetNeeds().ecn)
    {
        return;
    }
    if (fabric.GetGraph().GetNSwitches() == 0)
    {
        return; // and no queue whose marks could be missed
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
        for (uint16_t p = 0; p < sw->GetNPorts(); ++p)
        {
            const auto disc =
                DynamicCast<CongestionAwareQueueDisc>(sw->GetPort(p)->GetQueue().GetDisc());
            const Ptr<MarkingProfile> profile = disc ? disc->GetMarkingProfile() : nullptr;
            if (!profile || profile->GetLowerBound() < buffer->GetRoom(p))
            {
                return; // queues that notify, or that can grow long enough
            }
            room = std::max(room, buffer->GetRoom(p));
            least = std::min(least, profile->GetLowerBound());
        }
    }
    NoteFabric(FabricTerm::Option("cc", cc) + " gets no congestion signal: with " +
               FabricTerm::Option("switch", "voq") + " at most " + std::to_string(room) +
               " bytes can wait for an output, and ns3::WredMarkingProfile marks above " +
               std::to_string(least) +
               "; set Kmin and Kmax lower, or ns3::VoqBuffer::QueueBytes or OutputBytes higher");
}

} // namespace ns3
