// SPDX-License-Identifier: GPL-2.0-only
#include "sim-vocabulary.h"

#include "sim-policies.h"

#include "ns3/parse-units.h"
#include "ns3/queue-disc.h"
#include "ns3/type-id.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <vector>

namespace ns3
{

namespace
{

/// Plain words of the library that are the value of an option.
constexpr const char* PHRASES[][2] = {
    {"no flow control", "--flow-control=none"},
    {"a congestion control without INT", "a --cc without INT"},
    {"a congestion control without marks", "a --cc without marks"},
};

/// @return true if the user's options chose a policy, alone or in a comma list
bool
IsChosen(const SimOptions& options, const SimPolicy& policy)
{
    const std::vector<std::string> values = SplitFabricList(options.Get(policy.option));
    return std::any_of(values.begin(), values.end(), [&policy](const std::string& value) {
        return value.substr(0, value.find(':')) == policy.name;
    });
}

/// @return `--option=name`, with parameters if the user gave some
std::string
WriteOption(const SimOptions& options, const SimPolicy& policy)
{
    for (const std::string& value : SplitFabricList(options.Get(policy.option)))
    {
        if (policy.key && value.substr(0, value.find(':')) == policy.name)
        {
            return std::string("--") + policy.option + "=" + value;
        }
    }
    return std::string("--") + policy.option + "=" + policy.name;
}

/// @return true if a policy needs a switch feature
bool
Needs(const SimPolicy& policy, const std::string& type)
{
    const std::vector<std::string> features = GetSimPolicyFeatures(policy);
    return std::count(features.begin(), features.end(), type) > 0;
}

/// @return the options that choose a class; empty if none does
std::string
NameClass(const std::string& type, const SimOptions& options)
{
    TypeId tid;
    if (!TypeId::LookupByNameFailSafe(type, &tid))
    {
        return "";
    }
    if (tid.IsChildOf(QueueDisc::GetTypeId()))
    {
        return "--queue-disc=" + type;
    }
    std::vector<const SimPolicy*> direct;
    std::vector<const SimPolicy*> implied;
    for (const SimPolicy& policy : GetSimPolicies())
    {
        const std::string atHosts = std::string(policy.option) != "lb" ? ""
                                    : policy.loadBalancer.empty()      ? "ns3::PerFlowLoadBalancer"
                                                                       : policy.loadBalancer;
        if (policy.loadBalancer == type || (policy.loadBalancer.empty() && policy.typeId == type))
        {
            direct.push_back(&policy);
        }
        else if (policy.typeId == type || atHosts == type || Needs(policy, type))
        {
            implied.push_back(&policy);
        }
    }
    for (const auto* policies : {&direct, &implied})
    {
        for (const SimPolicy* policy : *policies)
        {
            if (IsChosen(options, *policy))
            {
                return WriteOption(options, *policy);
            }
        }
    }
    std::string names;
    for (const SimPolicy* policy : direct)
    {
        names += (names.empty() ? "" : " or ") + WriteOption(options, *policy);
    }
    return direct.empty() && !implied.empty() ? WriteOption(options, *implied.front()) : names;
}

/// @return what the user of the program calls a name of C++, which begins with `ns3::`
std::string
Translate(const std::string& name, const SimOptions& options)
{
    const std::string asClass = NameClass(name, options);
    if (!asClass.empty())
    {
        return asClass;
    }
    TypeId tid;
    TypeId::AttributeInformation info;
    const std::size_t colons = name.rfind("::");
    const bool isAttribute = TypeId::LookupByNameFailSafe(name.substr(0, colons), &tid) &&
                             tid.LookupAttributeByName(name.substr(colons + 2), &info);
    return isAttribute ? "--" + name : name;
}

/// @return true if what stands before a place can stand before a word of the library
bool
IsFree(const std::string& text, std::size_t at)
{
    return at == 0 || text[at - 1] == ' ' || text[at - 1] == '(';
}

} // namespace

std::string
SpeakOfOptions(const std::string& message, const SimOptions& options)
{
    const std::string first = message.substr(0, message.find_first_of(": "));
    const std::string behind = message.substr(first.size(), 2);
    const bool isOption = options.Has(first) && (behind == ": " || behind == " '");
    std::string spoken = isOption ? "--" : "";
    std::size_t i = 0;
    while (i < message.size())
    {
        const auto* phrase = std::find_if(std::begin(PHRASES), std::end(PHRASES), [&](auto& pair) {
            return message.compare(i, std::string(pair[0]).size(), pair[0]) == 0;
        });
        if (IsFree(message, i) && phrase != std::end(PHRASES))
        {
            spoken += (*phrase)[1];
            i += std::string((*phrase)[0]).size();
        }
        else if (IsFree(message, i) && message.compare(i, 5, "ns3::") == 0)
        {
            std::size_t end = i;
            while (end < message.size() &&
                   (std::isalnum(static_cast<unsigned char>(message[end])) || message[end] == ':'))
            {
                ++end;
            }
            end = message.find_last_not_of(':', end - 1) + 1;
            spoken += Translate(message.substr(i, end - i), options);
            i = end;
        }
        else
        {
            spoken += message[i++];
        }
    }
    return spoken;
}

} // namespace ns3
