// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-workload-factory.h"

#include "hot-spot-workload.h"
#include "mixed-workload.h"
#include "poisson-workload.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-spec.h"
#include "ns3/fabric-time.h"
#include "ns3/nstime.h"
#include "ns3/parse-units.h"
#include "ns3/string.h"

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <system_error>

namespace ns3
{

namespace
{

/**
 * @param options load and duration
 * @param workload name of one that has no use for them
 */
void
RefuseArrivalOptions(const FabricWorkloadOptions& options, const std::string& workload)
{
    const auto refuse = [&workload](const std::string& name, const std::string& value) {
        if (!value.empty())
        {
            throw FabricError(FabricTerm::Option(name) + " '" + value + "' has no effect on " +
                              FabricTerm::Option("workload") + " '" + workload +
                              "': only Poisson arrivals have one");
        }
    };
    refuse("load", options.load);
    refuse("duration", options.duration);
}

/**
 * @param workload to be told load and duration
 * @param options load and duration
 */
void
ApplyArrivalOptions(const Ptr<PoissonWorkload>& workload, const FabricWorkloadOptions& options)
{
    if (!options.load.empty())
    {
        const double load = ParseFabricDouble(options.load, FabricTerm::Option("load"), 0, 1);
        if (load == 0)
        {
            throw FabricError(FabricTerm::Option("load") +
                              ": it must be above 0; write a fraction, such as 0.5");
        }
        workload->SetLoad(load);
    }
    if (!options.duration.empty())
    {
        const int64_t durationPs =
            ParseFabricTimePs(options.duration, FabricTerm::Option("duration"));
        if (durationPs == 0)
        {
            throw FabricError(FabricTerm::Option("duration") + ": must be above 0, such as 2ms");
        }
        workload->SetDurationPs(durationPs);
    }
}

/// A distribution of flow sizes by its name, or in a file.
void
FillDistribution(const FabricForm& form, FabricSpec& spec, Object& object)
{
    std::string name = form.name;
    if (form.argument)
    {
        name += ":" + spec.GetArgument(form.argument);
    }
    else
    {
        spec.ExpectKeys({});
    }
    object.SetAttribute("Cdf", StringValue(name));
}

/// Hot spots, with a distribution of flow sizes or one size for all.
void
FillHotSpot(const FabricForm& form, FabricSpec& spec, Object& object)
{
    FillFabricKeys(form, spec, object);
    if (spec.Has("size") && spec.Has("sizes"))
    {
        throw FabricError(FabricTerm::Option("workload") +
                          " 'hotspot': size (of all flows) and sizes (a distribution) "
                          "exclude one another");
    }
    if (spec.Has("size"))
    {
        const auto bytes = static_cast<double>(spec.GetSizeBytes("size", 0));
        dynamic_cast<HotSpotWorkload&>(object).SetDistribution(
            FlowSizeDistribution({{bytes, 0}, {bytes, 100}},
                                 FabricTerm::Option("workload") + " 'hotspot', key size"));
    }
}

/// @return name of a workload as written
std::string
GetName(const std::string& spec)
{
    return spec.substr(0, spec.find_first_of(":@"));
}

/// @return label of a workload's flows beside others: the name that it has, or that of its form
std::string
GetLabel(const Object& workload, const std::string& spec)
{
    StringValue name;
    return workload.GetAttributeFailSafe("Name", name) ? name.Get() : GetName(spec);
}

/**
 * @brief Set the start of a workload, if it has one.
 * @param workload to be told
 * @param text what the user wrote
 * @return false if it has none
 */
bool
TakesStart(Object& workload, const FabricWorkloadText& text)
{
    TimeValue start;
    if (!workload.GetAttributeFailSafe("Start", start))
    {
        return false;
    }
    if (!start.Get().IsZero())
    {
        throw FabricError(FabricTerm::Option("workload") + " " + QuoteFabricText(text.spec) +
                          ": it has a start, and another one behind the '@'; give one of them");
    }
    workload.SetAttribute("Start", TimeValue(FabricTime::FromPs(text.startPs)));
    return true;
}

/// @return the form of that name, null if there is none
const FabricForm*
FindForm(const std::string& name)
{
    const std::vector<FabricForm>& forms = GetFabricWorkloadForms();
    const auto form = std::find_if(forms.begin(), forms.end(), [&name](const FabricForm& one) {
        return one.name == name;
    });
    return form == forms.end() ? nullptr : &*form;
}

/// @return the workloads of this room
std::vector<FabricForm>
ListWorkloadForms()
{
    constexpr FabricForm::Key START{"start", "Start"};
    std::vector<FabricForm> all;
    for (const auto& name : FlowSizeDistribution::GetNames())
    {
        all.push_back({name, "ns3::PoissonWorkload", {}, "", nullptr, &FillDistribution});
    }
    const std::vector<FabricForm> others = {
        {"cdf", "ns3::PoissonWorkload", {}, "sizes of flows by a file", "PATH", &FillDistribution},
        {"permutation", "ns3::PermutationWorkload", {{"size", "Size", true}, START}},
        {"incast",
         "ns3::IncastWorkload",
         {{"fan-in", "FanIn"}, {"size", "Size", true}, {"dst", "Dst"}, START}},
        {"pairs", "ns3::PairsWorkload", {{"size", "Size", true}, START}},
        {"shift",
         "ns3::ShiftWorkload",
         {{"by", "By"}, {"size", "Size", true}, START},
         "host i to i+by"},
        {"alltoall", "ns3::AllToAllWorkload", {{"size", "Size", true}, START}},
        {"allreduce-ring", "ns3::RingAllReduceWorkload", {{"size", "Size", true}, START}},
        {"allreduce-hd", "ns3::HalvingDoublingWorkload", {{"size", "Size", true}, START}},
        {"hotspot",
         "ns3::HotSpotWorkload",
         {{"traffic", "Traffic"},
          {"hosts", "HotHosts"},
          {"sizes", "Cdf"},
          {"cold", "Cold"},
          {"size", nullptr}},
         "or ``size=1MB``",
         nullptr,
         &FillHotSpot},
        {"flows",
         "ns3::FlowFileWorkload",
         {{"PATH", "Path"}},
         "flow file of HPCC or ConWeave",
         "PATH",
         &FillFabricArgument},
    };
    all.insert(all.end(), others.begin(), others.end());
    return all;
}

} // namespace

NamedTable<FabricForm>&
GetFabricWorkloadTable()
{
    static NamedTable<FabricForm> table(&ListWorkloadForms);
    return table;
}

const std::vector<FabricForm>&
GetFabricWorkloadForms()
{
    return GetFabricWorkloadTable().Get();
}

std::vector<std::string>
SplitFabricWorkloads(const std::string& text)
{
    std::vector<std::string> specs;
    std::istringstream in(text);
    for (std::string piece; std::getline(in, piece, '+');)
    {
        const FabricForm* before = specs.empty() ? nullptr : FindForm(GetName(specs.back()));
        if (before && before->argument && !FindForm(GetName(piece)))
        {
            specs.back() += '+' + piece;
        }
        else
        {
            specs.push_back(piece);
        }
    }
    if (text.empty() || text.back() == '+')
    {
        specs.emplace_back();
    }
    return specs;
}

FabricWorkloadText
SplitFabricStart(const std::string& text)
{
    const std::size_t at = text.rfind('@');
    if (at == std::string::npos || text.find('/', at) != std::string::npos)
    {
        return {text, 0};
    }
    const std::size_t colon = text.find(':');
    std::error_code error;
    if (colon < at && std::filesystem::exists(text.substr(colon + 1), error))
    {
        return {text, 0};
    }
    return {text.substr(0, at),
            ParseFabricTimePs(text.substr(at + 1),
                              FabricTerm::Option("workload") + " " + QuoteFabricText(text) +
                                  ": start behind the '@'")};
}

Ptr<FabricWorkload>
MakeFabricWorkload(const std::string& text, const FabricWorkloadOptions& options)
{
    const std::vector<std::string> specs = SplitFabricWorkloads(text);
    const auto mix = CreateObject<MixedWorkload>();
    Ptr<FabricWorkload> workload;
    bool hasArrivals = false;
    bool isShifted = false;
    for (const std::string& one : specs)
    {
        FabricWorkloadText part = SplitFabricStart(one);
        workload = DynamicCast<FabricWorkload>(
            MakeFabricObject(part.spec, "workload", GetFabricWorkloadForms()));
        if (part.startPs > 0 && TakesStart(*workload, part))
        {
            part.startPs = 0;
        }
        isShifted = isShifted || part.startPs > 0;
        if (const auto arrivals = DynamicCast<PoissonWorkload>(workload))
        {
            ApplyArrivalOptions(arrivals, options);
            hasArrivals = true;
        }
        mix->Add(GetLabel(*workload, part.spec), workload, part.startPs);
    }
    if (!hasArrivals)
    {
        RefuseArrivalOptions(options, specs.size() == 1 ? GetName(text) : text);
    }
    return specs.size() == 1 && !isShifted ? workload : Ptr<FabricWorkload>(mix);
}

} // namespace ns3
