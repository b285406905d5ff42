// SPDX-License-Identifier: GPL-2.0-only
#include "scenario-services.h"

#include "scenario-policies.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-packet-item.h"
#include "ns3/fabric-spec.h"
#include "ns3/object-factory.h"
#include "ns3/reliability-policy.h"

namespace ns3
{

namespace
{

/// @return true if a value of `reliability` gives a service
bool
IsOfService(const std::string& reliability, const ScenarioService& service)
{
    if (!service.reliability.empty())
    {
        return reliability == service.reliability;
    }
    const std::string type = FindScenarioPolicy("reliability", reliability).typeId;
    const auto policy = ObjectFactory(type).Create<ReliabilityPolicy>();
    return policy->AcceptsOutOfOrder() &&
           (policy->GetDataFlags() & FabricPacketItem::FLAG_NO_PDC) == 0;
}

} // namespace

const std::vector<ScenarioService>&
GetScenarioServices()
{
    static const std::vector<ScenarioService> services{
        {"rud", "reliable and unordered, for one path or many", "", {}, {}},
        {"rod",
         "reliable and ordered, on one path, by ``go-back-n``; messages of two hosts follow one "
         "another",
         "go-back-n",
         {{"lb", "symmetric-ecmp"}},
         {{"ns3::FabricNic::PdcPerMessage", "false"}}},
        {"rudi",
         "at least once, for messages that may arrive twice; receivers keep no context",
         "idempotent",
         {},
         {}},
        {"uud",
         "datagrams: no answers, no congestion control, nothing is sent again",
         "none",
         {{"cc", "none"}},
         {}},
    };
    return services;
}

void
ApplyScenarioService(ScenarioOptions& options)
{
    if (options.Get("service").empty())
    {
        return;
    }
    const ScenarioService& service = FindFabricName(GetScenarioServices(),
                                                    options.Get("service"),
                                                    FabricTerm::Option("service"));
    if (!options.IsGiven("reliability"))
    {
        options.Resolve("reliability", service.reliability);
    }
    else if (!IsOfService(options.Get("reliability"), service))
    {
        const std::string usual =
            service.reliability.empty() ? "selective-repeat" : service.reliability;
        throw FabricError(options.Say("reliability"),
                          " contradicts " + options.Say("service"),
                          {FabricRemedy::Use(FabricTerm::Option("reliability", usual)),
                           FabricRemedy::Do("leave out " + FabricTerm::Option("reliability"))});
    }
    for (const auto& [name, value] : service.options)
    {
        if (!options.IsGiven(name))
        {
            options.Resolve(name, value);
        }
    }
    for (const auto& [name, value] : service.attributes)
    {
        options.SetAttributeDefault(name, value);
    }
}

} // namespace ns3
