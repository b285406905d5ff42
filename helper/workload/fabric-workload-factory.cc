// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-workload-factory.h"

#include "all-reduce-workload.h"
#include "all-to-all-workload.h"
#include "connection-matrix-workload.h"
#include "flow-file-workload.h"
#include "hot-spot-workload.h"
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
            throw FabricError("duration: flows need a span above 0 to arrive in, such as 2ms");
        }
        workload->SetDurationPs(durationPs);
    }
}

Ptr<FabricWorkload>
MakePoisson(const std::string& cdf, const FabricWorkloadOptions& options)
{
    auto workload = CreateObject<PoissonWorkload>();
    workload->SetCdf(cdf);
    ApplyArrivalOptions(workload, options);
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

/**
 * @brief Workloads that take nothing but a size.
 * @tparam T which
 */
template <typename T>
Ptr<FabricWorkload>
MakeSized(FabricSpec& spec, const FabricWorkloadOptions& options)
{
    RefuseArrivalOptions(options, spec);
    spec.ExpectKeys({"size"});
    auto workload = CreateObject<T>();
    workload->SetSize(spec.GetSizeBytes("size", workload->GetSize()));
    return workload;
}

Ptr<FabricWorkload>
MakeHotSpot(FabricSpec& spec, const FabricWorkloadOptions& options)
{
    spec.ExpectKeys({"traffic", "hosts", "sizes", "size"});
    auto workload = CreateObject<HotSpotWorkload>();
    workload->SetTraffic(spec.GetDouble("traffic", workload->GetTraffic(), 0, 1));
    workload->SetHotHosts(spec.GetDouble("hosts", workload->GetHotHosts(), 0, 1));
    if (spec.Has("size") && spec.Has("sizes"))
    {
        throw FabricError("workload 'hotspot': size (of all flows) and sizes (a distribution) "
                          "exclude one another");
    }
    if (spec.Has("size"))
    {
        const auto bytes = static_cast<double>(spec.GetSizeBytes("size", 0));
        workload->SetDistribution(
            FlowSizeDistribution({{bytes, 0}, {bytes, 100}}, "workload 'hotspot', key size"));
    }
    else if (spec.Has("sizes"))
    {
        workload->SetCdf(spec.GetString("sizes", ""));
    }
    ApplyArrivalOptions(workload, options);
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

Ptr<FabricWorkload>
MakeConnectionMatrix(FabricSpec& spec, const FabricWorkloadOptions& options)
{
    RefuseArrivalOptions(options, spec);
    // PATH,key=value: a comma belongs to the path unless a key follows
    const std::string& argument = spec.GetArgument("PATH,unit=ps|us");
    const size_t comma = argument.rfind(',');
    const size_t equals = argument.find('=', comma == std::string::npos ? argument.size() : comma);
    auto workload = CreateObject<ConnectionMatrixWorkload>();
    workload->SetPath(equals == std::string::npos ? argument : argument.substr(0, comma));
    if (equals != std::string::npos)
    {
        FabricSpec keys("cm:" + argument.substr(comma + 1), "workload");
        keys.ExpectKeys({"unit"});
        workload->SetUnit(keys.GetString("unit", ""));
    }
    return workload;
}

/// One known name.
struct WorkloadMaker
{
    std::string name;                                                       //!< before the colon
    Ptr<FabricWorkload> (*make)(FabricSpec&, const FabricWorkloadOptions&); //!< builds it
};

/// @return all known names
std::vector<WorkloadMaker>
GetMakers()
{
    std::vector<WorkloadMaker> makers;
    for (const auto& name : FlowSizeDistribution::GetNames())
    {
        makers.push_back({name, &MakeBuiltIn});
    }
    makers.push_back({"cdf", &MakeCdf});
    makers.push_back({"permutation", &MakeSized<PermutationWorkload>});
    makers.push_back({"incast", &MakeIncast});
    makers.push_back({"pairs", &MakeSized<PairsWorkload>});
    makers.push_back({"alltoall", &MakeSized<AllToAllWorkload>});
    makers.push_back({"allreduce-ring", &MakeSized<RingAllReduceWorkload>});
    makers.push_back({"allreduce-hd", &MakeSized<HalvingDoublingWorkload>});
    makers.push_back({"hotspot", &MakeHotSpot});
    makers.push_back({"flows", &MakeFlows});
    makers.push_back({"cm", &MakeConnectionMatrix});
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
