// SPDX-License-Identifier: GPL-2.0-only
#include "post-delay.h"

#include "ns3/double.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-spec.h"
#include "ns3/parse-units.h"

#include <cctype>
#include <vector>

namespace ns3
{

namespace
{

/// @return a time in s
double
ParseSeconds(const std::string& text, const FabricSpec& spec)
{
    const FabricText where = FabricTerm::Option("post-delay") + " '" + spec.GetName() + "'";
    if (text.empty() || !std::isalpha(static_cast<unsigned char>(text.back())))
    {
        throw FabricError(where + ": " + QuoteFabricText(text) +
                          " is no time with a unit, such as 20us");
    }
    return static_cast<double>(ParseFabricTimePs(text, where)) / 1e12;
}

Ptr<RandomVariableStream>
MakeNone(FabricSpec& spec)
{
    spec.ExpectKeys({});
    return nullptr;
}

Ptr<RandomVariableStream>
MakeFixed(FabricSpec& spec)
{
    auto delay = CreateObject<ConstantRandomVariable>();
    delay->SetAttribute("Constant", DoubleValue(ParseSeconds(spec.GetArgument("T"), spec)));
    return delay;
}

Ptr<RandomVariableStream>
MakeUniform(FabricSpec& spec)
{
    const auto bounds = SplitFabricList(spec.GetArgument("A,B"));
    if (bounds.size() != 2)
    {
        throw FabricError("post-delay 'uniform' needs two times: write uniform:A,B, such as "
                          "uniform:5us,50us");
    }
    const double min = ParseSeconds(bounds[0], spec);
    const double max = ParseSeconds(bounds[1], spec);
    if (min > max)
    {
        throw FabricError("post-delay 'uniform': " + bounds[0] + " is above " + bounds[1] +
                          "; write the shorter time first");
    }
    auto delay = CreateObject<UniformRandomVariable>();
    delay->SetAttribute("Min", DoubleValue(min));
    delay->SetAttribute("Max", DoubleValue(max));
    return delay;
}

Ptr<RandomVariableStream>
MakeExponential(FabricSpec& spec)
{
    spec.ExpectKeys({"mean"});
    if (!spec.Has("mean"))
    {
        throw FabricError("post-delay 'exponential' needs its mean: write exponential:mean=T, such "
                          "as exponential:mean=20us");
    }
    auto delay = CreateObject<ExponentialRandomVariable>();
    delay->SetAttribute("Mean", DoubleValue(ParseSeconds(spec.GetString("mean", ""), spec)));
    return delay;
}

/// One known name.
struct PostDelayMaker
{
    const char* name;                               //!< before the colon
    const char* rest;                               //!< from the colon on, for users
    Ptr<RandomVariableStream> (*make)(FabricSpec&); //!< builds it
};

constexpr PostDelayMaker POST_DELAY_MAKERS[] = {
    {"none", "", &MakeNone},
    {"fixed", ":T", &MakeFixed},
    {"uniform", ":A,B", &MakeUniform},
    {"exponential", ":mean=T", &MakeExponential},
};

} // namespace

std::vector<std::string>
ListPostDelays()
{
    std::vector<std::string> forms;
    for (const auto& maker : POST_DELAY_MAKERS)
    {
        forms.push_back(std::string(maker.name) + maker.rest);
    }
    return forms;
}

Ptr<RandomVariableStream>
MakePostDelay(const std::string& text)
{
    FabricSpec spec(text, "post-delay");
    return FindFabricName(POST_DELAY_MAKERS, spec.GetName(), "post-delay").make(spec);
}

} // namespace ns3
