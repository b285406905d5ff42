// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-workload-factory.h"

#include "flow-file-workload.h"
#include "incast-workload.h"
#include "pairs-workload.h"
#include "permutation-workload.h"
#include "poisson-workload.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-quantity.h"
#include "ns3/fabric-spec.h"

namespace ns3
{

namespace
{

/**
 * @param options load and duration
 * @param spec workload that has no use for them
 */
void
RefuseArrivalOptions(const FabricWorkloadOptions& options, const FabricSpec& spec)
{
    const auto refuse = [&spec](const std::string& name, const std::string& value) {
        if (!value.empty())
        {
            throw FabricError(name + " '" + value + "' has no effect on workload '" +
                              spec.GetName() + "': only Poisson arrivals have one");
        }
    };
    refuse("load", options.load);
    refuse("duration", options.duration);
}

Ptr<FabricWorkload>
MakePoisson(const std::string& cdf, const FabricWorkloadOptions& options)
{
    auto workload = CreateObject<PoissonWorkload>();
    workload->SetCdf(cdf);
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
            throw FabricError("duration: flows need a span above 0 to arrive in, such as 2ms");
        }
        workload->SetDurationPs(durationPs);
    }
    return workload;
}

Ptr<FabricWorkload>
MakeBuiltIn(FabricSpec& spec, const FabricWorkloadOptions& options)
{
    spec.ExpectKeys({});
    return MakePoisson(spec.GetName(), options);
}

Ptr<FabricWorkload>
MakeCdf(FabricSpec& spec, const FabricWorkloadOptions& options)
{
    return MakePoisson("cdf:" + spec.GetArgument("PATH"), options);
}

Ptr<FabricWorkload>
MakePermutation(FabricSpec& spec, const FabricWorkloadOptions& options)
{
    RefuseArrivalOptions(options, spec);
    spec.ExpectKeys({"size"});
    auto workload = CreateObject<PermutationWorkload>();
    workload->SetSize(spec.GetSizeBytes("size", workload->GetSize()));
    return workload;
}

Ptr<FabricWorkload>
MakePairs(FabricSpec& spec, const FabricWorkloadOptions& options)
{
    RefuseArrivalOptions(options, spec);
    spec.ExpectKeys({"size"});
    auto workload = CreateObject<PairsWorkload>();
    workload->SetSize(spec.GetSizeBytes("size", workload->GetSize()));
    return workload;
}

Ptr<FabricWorkload>
MakeIncast(FabricSpec& spec, const FabricWorkloadOptions& options)
{
    RefuseArrivalOptions(options, spec);
    spec.ExpectKeys({"fan-in", "size", "dst"});
    auto workload = CreateObject<IncastWorkload>();
    workload->SetFanIn(static_cast<uint32_t>(
        spec.GetUint("fan-in", workload->GetFanIn(), 1, FabricGraph::MAX_NODES)));
    workload->SetSize(spec.GetSizeBytes("size", workload->GetSize()));
    workload->SetDst(
        static_cast<uint32_t>(spec.GetUint("dst", workload->GetDst(), 0, FabricGraph::MAX_NODES)));
    return workload;
}

Ptr<FabricWorkload>
MakeFlows(FabricSpec& spec, const FabricWorkloadOptions& options)
{
    RefuseArrivalOptions(options, spec);
    auto workload = CreateObject<FlowFileWorkload>();
    workload->SetPath(spec.GetArgument("PATH"));
    return workload;
}

/// One known name.
struct Maker
{
    std::string name;                                                       //!< before the colon
    Ptr<FabricWorkload> (*make)(FabricSpec&, const FabricWorkloadOptions&); //!< builds it
};

/// @return all known names
std::vector<Maker>
GetMakers()
{
    std::vector<Maker> makers;
    for (const auto& name : FlowSizeDistribution::GetNames())
    {
        makers.push_back({name, &MakeBuiltIn});
    }
    makers.push_back({"cdf", &MakeCdf});
    makers.push_back({"permutation", &MakePermutation});
    makers.push_back({"incast", &MakeIncast});
    makers.push_back({"pairs", &MakePairs});
    makers.push_back({"flows", &MakeFlows});
    return makers;
}

} // namespace

Ptr<FabricWorkload>
MakeFabricWorkload(const std::string& text, const FabricWorkloadOptions& options)
{
    FabricSpec spec(text, "workload");
    std::vector<std::string> known;
    for (const auto& maker : GetMakers())
    {
        if (spec.GetName() == maker.name)
        {
            return maker.make(spec, options);
        }
        known.push_back(maker.name);
    }
    spec.RefuseName(known);
}

} // namespace ns3
