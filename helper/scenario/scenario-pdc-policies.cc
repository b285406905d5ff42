// SPDX-License-Identifier: GPL-2.0-only
#include "scenario-pdc-policies.h"

#include "scenario-attributes.h"
#include "scenario-policies.h"

#include "ns3/checked-factory.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-graph.h"
#include "ns3/fabric-spec.h"
#include "ns3/fabric-text-file.h"
#include "ns3/fabric-warning.h"
#include "ns3/parse-units.h"
#include "ns3/pdc-policy-helper.h"
#include "ns3/string.h"

#include <algorithm>
#include <map>
#include <set>

namespace ns3
{

namespace
{

constexpr const char* FORMAT = "SENDERS RECEIVERS NAME=VALUE ..., as in '0-3 * cc=swift lb=reps'";

/// @return numbers of hosts in a field such as `0-3,7` or `*`; none for all
std::vector<uint32_t>
ReadHosts(const FabricTextReader& reader, std::size_t field)
{
    std::vector<uint32_t> hosts;
    const std::string& text = reader.GetFields()[field];
    if (text == "*")
    {
        return hosts;
    }
    const auto parse = [&reader](const std::string& number, uint32_t least) {
        return static_cast<uint32_t>(ParseFabricUint(number,
                                                     reader.GetPlace() + ": host",
                                                     least,
                                                     FabricGraph::MAX_NODES - 1));
    };
    for (const std::string& item : SplitFabricList(text))
    {
        const std::size_t dash = item.find('-');
        const uint32_t first = parse(item.substr(0, dash), 0);
        const uint32_t last =
            dash == std::string::npos ? first : parse(item.substr(dash + 1), first);
        for (uint32_t host = first; host <= last; ++host)
        {
            hosts.push_back(host);
        }
    }
    return hosts;
}

/// @return `NAME=VALUE` fields of a line by name
std::map<std::string, std::string>
ReadSettings(const FabricTextReader& reader)
{
    const std::vector<std::string>& fields = reader.GetFields();
    if (fields.size() < 3)
    {
        reader.Refuse(std::string("expected ") + FORMAT);
    }
    std::map<std::string, std::string> settings;
    std::set<std::string> owned; // attributes by the classes that own them
    for (std::size_t i = 2; i < fields.size(); ++i)
    {
        const std::size_t equals = fields[i].find('=');
        const std::string name = fields[i].substr(0, equals);
        const bool known = name == "cc" || name == "lb" || name == "modifiers" || name == "class" ||
                           name.compare(0, 5, "ns3::") == 0;
        if (equals == std::string::npos || equals + 1 == fields[i].size() || !known)
        {
            reader.Refuse(
                QuoteFabricText(fields[i]) +
                ": expected cc=, lb=, modifiers=, class= or ns3::CLASS::ATTRIBUTE= with a "
                "value");
        }
        settings.emplace(name, fields[i].substr(equals + 1));
        if (!owned.insert(GetScenarioAttributeOwner(name)).second)
        {
            reader.Refuse(name + " is given twice");
        }
    }
    return settings;
}

/**
 * @brief Set an attribute of the class of a line that has it.
 * @return false if no class of the line has it
 */
bool
SetOwnAttribute(PdcPolicy& policy, const std::string& name, const std::string& value)
{
    const std::size_t colons = name.rfind("::");
    TypeId owner;
    if (!TypeId::LookupByNameFailSafe(name.substr(0, colons), &owner))
    {
        return false;
    }
    std::vector<PrototypeFactory*> factories{&policy.congestionControl, &policy.loadBalancer};
    for (PrototypeFactory& modifier : policy.modifiers)
    {
        factories.push_back(&modifier);
    }
    for (PrototypeFactory* factory : factories)
    {
        const TypeId tid = factory->GetTypeId();
        if (tid == owner || tid.IsChildOf(owner))
        {
            ObjectFactory changed = *factory;
            SetCheckedAttribute(changed, name.substr(colons + 2), StringValue(value));
            *factory = changed;
            return true;
        }
    }
    return false;
}

/// @return what a line says
ScenarioPdcPolicy
ReadLine(const FabricTextReader& reader, const ScenarioOptions& options)
{
    std::map<std::string, std::string> settings = ReadSettings(reader);
    const auto take = [&settings](const std::string& name, const std::string& otherwise) {
        const auto found = settings.find(name);
        std::string value = found == settings.end() ? otherwise : found->second;
        settings.erase(name);
        return value;
    };
    ScenarioPdcPolicy line;
    line.place = reader.GetPlace();
    line.senders = ReadHosts(reader, 0);
    line.receivers = ReadHosts(reader, 1);
    const std::string priority = take("class", "");
    line.priority = priority.empty()
                        ? PdcPolicies::ANY_CLASS
                        : static_cast<uint8_t>(ParseFabricUint(priority, "class", 0, 7));

    const ScenarioPolicy& cc = FindScenarioPolicy("cc", take("cc", options.Get("cc")));
    if (std::string(cc.typeId) == "ns3::ExternalCongestionControl")
    {
        throw FabricError("cc=" + std::string(cc.name) + " is for all hosts; give it as " +
                          FabricTerm::Option("cc") + " and name the others here");
    }
    line.features = GetScenarioPolicyFeatures(cc);
    line.policy.congestionControl.SetTypeId(UseScenarioClass(cc.typeId, line.used));

    const std::string lb = take("lb", options.Get("lb"));
    const ScenarioPolicy& balancer = FindScenarioPolicy("lb", lb);
    if (lb != options.Get("lb") && balancer.loadBalancer.empty())
    {
        std::set<std::string> known;
        for (const ScenarioPolicy& policy : GetScenarioPolicies())
        {
            if (!policy.loadBalancer.empty())
            {
                known.insert(policy.name);
            }
        }
        throw FabricError("lb=" + lb +
                          " is decided at switches and so applies to all hosts; known here: " +
                          JoinFabricNames({known.begin(), known.end()}));
    }
    line.policy.loadBalancer.SetTypeId(UseScenarioClass(GetScenarioLoadBalancer(lb), line.used));

    const std::string modifiers = take("modifiers", options.Get("modifiers"));
    std::vector<std::string> classes = ListScenarioModifiers(modifiers == "none" ? "" : modifiers);
    for (const std::string& modifier : ListScenarioCoordination(options))
    {
        classes.push_back(modifier); // of the whole network
    }
    for (const std::string& modifier : classes)
    {
        line.policy.modifiers.emplace_back();
        line.policy.modifiers.back().SetTypeId(UseScenarioClass(modifier, line.used));
    }

    for (const auto& [name, value] : GetScenarioPolicyAttributes(options, "lb", lb))
    {
        SetOwnAttribute(line.policy, name, value);
    }
    for (const auto& [name, value] : settings)
    {
        if (!SetOwnAttribute(line.policy, name, value))
        {
            throw FabricError(name + " belongs to no class on this line; set network-wide "
                                     "attributes as options of the program");
        }
    }
    return line;
}

/// @return nodes of hosts; of all if none is named
NodeContainer
GetHostNodes(const Fabric& fabric, const std::vector<uint32_t>& hosts)
{
    NodeContainer nodes;
    for (const uint32_t host : hosts.empty() ? fabric.GetHosts() : hosts)
    {
        if (host >= fabric.GetNodes().GetN())
        {
            throw FabricError("there is no host " + std::to_string(host));
        }
        nodes.Add(fabric.GetNodes().Get(host));
    }
    return nodes;
}

/// Do something for a line, whose place errors name.
template <typename F>
void
AtLine(const std::string& place, F action)
{
    try
    {
        action();
    }
    catch (const FabricError& error)
    {
        const std::string what = error.what(); // a reader has named the place
        throw what.compare(0, place.size(), place) == 0 ? error : error.At(place + ": ");
    }
}

/// @return true if a line is for one of the flows
bool
IsUsed(const ScenarioPdcPolicy& line, const std::vector<FabricFlow>& flows)
{
    const std::set<uint32_t> senders(line.senders.begin(), line.senders.end());
    const std::set<uint32_t> receivers(line.receivers.begin(), line.receivers.end());
    return std::any_of(flows.begin(), flows.end(), [&](const FabricFlow& flow) {
        return (senders.empty() || senders.count(flow.src) > 0) &&
               (receivers.empty() || receivers.count(flow.dst) > 0) &&
               (line.priority == PdcPolicies::ANY_CLASS || line.priority == flow.priority);
    });
}

} // namespace

void
NoteIdleScenarioPdcPolicies(const std::vector<ScenarioPdcPolicy>& policies,
                            const std::vector<FabricFlow>& flows)
{
    for (const ScenarioPdcPolicy& line : policies)
    {
        if (!IsUsed(line, flows))
        {
            NoteFabric(line.place +
                       ": no flow of the workload is from these senders to these receivers in this "
                       "class: the line has no effect");
        }
    }
}

std::vector<ScenarioPdcPolicy>
ReadScenarioPdcPolicies(const ScenarioOptions& options)
{
    std::vector<ScenarioPdcPolicy> policies;
    if (options.IsGiven("policies"))
    {
        FabricTextReader reader(options.Get("policies"), '#');
        while (reader.Next())
        {
            AtLine(reader.GetPlace(), [&]() { policies.push_back(ReadLine(reader, options)); });
        }
    }
    return policies;
}

void
InstallScenarioPdcPolicies(Ptr<Fabric> fabric, const std::vector<ScenarioPdcPolicy>& policies)
{
    for (const ScenarioPdcPolicy& line : policies)
    {
        AtLine(line.place, [&]() {
            const PdcPolicyHelper helper(line.policy);
            const NodeContainer senders = GetHostNodes(*fabric, line.senders);
            if (line.receivers.empty())
            {
                helper.Install(fabric, senders, line.priority);
            }
            else
            {
                helper.Install(fabric,
                               senders,
                               GetHostNodes(*fabric, line.receivers),
                               line.priority);
            }
        });
    }
}

} // namespace ns3
