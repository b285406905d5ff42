// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-workload-factory.h"

#include "hot-spot-workload.h"
#include "poisson-workload.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-spec.h"
#include "ns3/parse-units.h"
#include "ns3/string.h"

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
            throw FabricError(name + " '" + value + "' has no effect on workload '" + workload +
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
        const double load = ParseFabricDouble(options.load, "load", 0, 1);
        if (load == 0)
        {
            throw FabricError("load: it must be above 0; write a fraction, such as 0.5");
        }
        workload->SetLoad(load);
    }
    if (!options.duration.empty())
    {
        const int64_t durationPs = ParseFabricTimePs(options.duration, "duration");
        if (durationPs == 0)
        {
            throw FabricError("duration: must be above 0, such as 2ms");
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
        throw FabricError("workload 'hotspot': size (of all flows) and sizes (a distribution) "
                          "exclude one another");
    }
    if (spec.Has("size"))
    {
        const auto bytes = static_cast<double>(spec.GetSizeBytes("size", 0));
        dynamic_cast<HotSpotWorkload&>(object).SetDistribution(
            FlowSizeDistribution({{bytes, 0}, {bytes, 100}}, "workload 'hotspot', key size"));
    }
}

/// PATH,key=value: a comma belongs to the path unless a key follows.
void
FillConnectionMatrix(const FabricForm& form, FabricSpec& spec, Object& object)
{
    const std::string& argument = spec.GetArgument(form.argument);
    const size_t comma = argument.rfind(',');
    const size_t equals = argument.find('=', comma == std::string::npos ? argument.size() : comma);
    object.SetAttribute(
        "Path",
        StringValue(equals == std::string::npos ? argument : argument.substr(0, comma)));
    if (equals != std::string::npos)
    {
        FabricSpec keys("cm:" + argument.substr(comma + 1), "workload");
        FillFabricKeys(form, keys, object);
    }
}

} // namespace

const std::vector<FabricForm>&
GetFabricWorkloadForms()
{
    static const std::vector<FabricForm> forms = [] {
        std::vector<FabricForm> all;
        for (const auto& name : FlowSizeDistribution::GetNames())
        {
            all.push_back({name, "ns3::PoissonWorkload", {}, "", nullptr, &FillDistribution});
        }
        const std::vector<FabricForm> others = {
            {"cdf",
             "ns3::PoissonWorkload",
             {},
             "sizes of flows by a file",
             "PATH",
             &FillDistribution},
            {"permutation", "ns3::PermutationWorkload", {{"size", "Size", true}}},
            {"incast",
             "ns3::IncastWorkload",
             {{"fan-in", "FanIn"}, {"size", "Size", true}, {"dst", "Dst"}}},
            {"pairs", "ns3::PairsWorkload", {{"size", "Size", true}}},
            {"shift",
             "ns3::ShiftWorkload",
             {{"by", "By"}, {"size", "Size", true}},
             "host i to i+by"},
            {"alltoall", "ns3::AllToAllWorkload", {{"size", "Size", true}}},
            {"allreduce-ring", "ns3::RingAllReduceWorkload", {{"size", "Size", true}}},
            {"allreduce-hd", "ns3::HalvingDoublingWorkload", {{"size", "Size", true}}},
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
            {"cm",
             "ns3::ConnectionMatrixWorkload",
             {{"unit", "Unit"}},
             "connection matrix of htsim",
             "PATH,unit=us",
             &FillConnectionMatrix},
        };
        all.insert(all.end(), others.begin(), others.end());
        return all;
    }();
    return forms;
}

Ptr<FabricWorkload>
MakeFabricWorkload(const std::string& text, const FabricWorkloadOptions& options)
{
    const auto workload =
        DynamicCast<FabricWorkload>(MakeFabricObject(text, "workload", GetFabricWorkloadForms()));
    if (const auto arrivals = DynamicCast<PoissonWorkload>(workload))
    {
        ApplyArrivalOptions(arrivals, options);
    }
    else
    {
        RefuseArrivalOptions(options, text.substr(0, text.find(':')));
    }
    return workload;
}

} // namespace ns3
