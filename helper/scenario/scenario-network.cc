// SPDX-License-Identifier: GPL-2.0-only
#include "scenario-network.h"

#include "decider-socket.h"
#include "scenario-export.h"
#include "scenario-links.h"
#include "scenario-marking.h"
#include "scenario-pdc-policies.h"
#include "scenario-policies.h"
#include "scenario-presets.h"
#include "scenario-services.h"
#include "scenario-traces.h"

#include "ns3/config.h"
#include "ns3/congestion-aware-queue-disc.h"
#include "ns3/entropy-file.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-topology.h"
#include "ns3/fabric-warning.h"
#include "ns3/fabric-workload-factory.h"
#include "ns3/global-value.h"
#include "ns3/node-container.h"
#include "ns3/object-factory.h"
#include "ns3/parse-units.h"
#include "ns3/path-selector.h"
#include "ns3/pointer.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/switch-feature.h"
#include "ns3/trace-series.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

namespace
{

/// First random stream of workloads, beyond those of any network.
constexpr int64_t WORKLOAD_STREAM = int64_t{1} << 40;

/// Attributes that a scenario sets itself, and the option to use instead: setting them would have
/// no effect.
constexpr const char* OCCUPIED[][2] = {
    {"ns3::FabricNetDevice::DataRate", "rate"},
    {"ns3::FabricNetDevice::GapBytes", "ns3::RoceV2WireFormat::GapBytes"},
    {"ns3::FabricChannel::Delay", "delay"},
    {"ns3::FabricNic::CnpInterval", "ns3::DcqcnCongestionControl::CnpInterval"},
    {"ns3::FabricNic::BaseRtt", "base-rtt"},
    {"ns3::CongestionAwareQueueDisc::MarkingProfile", "ns3::WredMarkingProfile::..."},
};

/// @return true if the topology comes from a file, with rates and delays of its own
bool
IsFileTopology(const ScenarioOptions& options)
{
    const std::string& topology = options.Get("topology");
    const auto& forms = GetFabricTopologyForms();
    return std::any_of(forms.begin(), forms.end(), [&topology](const FabricForm& form) {
        return form.argument && topology.compare(0, form.name.size() + 1, form.name + ":") == 0;
    });
}

/// @return the plan, whose topology is added to what is used
FabricGraph
BuildGraph(ScenarioOptions& options, std::vector<TypeId>& used)
{
    FabricTopologyOptions links;
    // what a preset or default says of links does not hold for files
    for (const char* name : {"rate", "delay"})
    {
        if (IsFileTopology(options) && !options.IsGiven(name))
        {
            options.Resolve(name, "");
        }
    }
    const auto given = [&options](const char* name) {
        return options.IsSet(name) ? options.Get(name) : std::string();
    };
    links.rate = given("rate");
    links.delay = given("delay");
    links.tierRates = given("tier-rates");
    links.tierDelays = given("tier-delays");
    links.oversubscription = given("oversubscription");
    const Ptr<FabricTopology> topology = MakeFabricTopology(options.Get("topology"), links);
    used.push_back(topology->GetInstanceTypeId());
    if (options.Get("workload").empty())
    {
        options.Resolve("workload", topology->GetUsualWorkload());
    }
    FabricGraph graph = topology->BuildGraph();
    ApplyScenarioLinks(graph, *topology, options);
    if (graph.HasQueueLimits() && options.Get("flow-control") != "none")
    {
        graph.ClearQueueLimits();
        NoteFabric("the queue sizes of the topology file are ignored under " +
                   options.Say("flow-control") +
                   ", whose switches must not drop; they apply with " +
                   FabricTerm::Option("flow-control", "none"));
    }
    return graph;
}

/// Refuse flows without end where something has to end.
void
CheckEndless(const ScenarioOptions& options, const std::vector<FabricFlow>& flows)
{
    const auto endless = std::find_if(flows.begin(), flows.end(), [](const FabricFlow& flow) {
        return flow.sizeBytes == FabricFlow::ENDLESS;
    });
    if (endless != flows.end() && !options.IsGiven("stop"))
    {
        throw FabricError("workload '" + options.Get("workload") + "': flow " +
                          std::to_string(endless - flows.begin()) +
                          " has no end (size 0); say when the run ends with " +
                          FabricTerm::Option("stop"));
    }
}

/// @return what the options say of flows
Ptr<FabricWorkload>
MakeWorkload(const ScenarioOptions& options)
{
    FabricWorkloadOptions arrivals;
    if (options.IsGiven("duration"))
    {
        options.GetTimePs("duration"); // with a unit
        arrivals.duration = options.Get("duration");
    }
    if (options.IsGiven("load"))
    {
        arrivals.load = options.Get("load");
    }
    return MakeFabricWorkload(options.Get("workload"), arrivals);
}

/// Draw the flows of a network and what starts them; the workload is added to what is used.
void
DrawFlows(ScenarioOptions& options,
          const FabricGraph& graph,
          std::vector<TypeId>& used,
          ScenarioNetwork& network)
{
    const Ptr<FabricWorkload> workload = MakeWorkload(options);
    const std::vector<TypeId> types = workload->GetTypes();
    used.insert(used.end(), types.begin(), types.end());
    for (const auto& part : network.parts)
    {
        part->TakeWorkload(workload, options, network, used);
    }
    workload->AssignStreams(WORKLOAD_STREAM);
    network.flows = workload->Generate(graph);
    network.groups = workload->GetGroups();
    network.triggers = workload->GetTriggers();
    network.offeredLoad = workload->GetOfferedLoad(graph, network.flows);
    CheckEndless(options, network.flows);
    if (network.makesFlows)
    {
        return;
    }
    if (network.flows.empty())
    {
        throw FabricError(FabricTerm::Option("workload") + " '" + options.Get("workload") +
                          "' has no flows; raise the load or the duration");
    }
    network.dataClass = network.flows.front().priority;
}

/// Refuse flows of several classes where one of the features serves one.
void
CheckDataClasses(const ScenarioNetwork& network, const std::vector<std::string>& features)
{
    std::vector<std::pair<std::string, uint8_t>> classes = network.madeClasses;
    const std::vector<FabricFlow>& flows = network.flows;
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        if (classes.empty() || flows[i].priority != classes.front().second)
        {
            classes.emplace_back("flow " + std::to_string(i), flows[i].priority);
        }
    }
    const auto single = std::find_if(features.begin(), features.end(), [](const auto& feature) {
        TypeId::AttributeInformation info;
        return TypeId::LookupByName(feature).LookupAttributeByName("DataClass", &info);
    });
    for (std::size_t i = 1; single != features.end() && i < classes.size(); ++i)
    {
        const auto& [first, priority] = classes.front();
        if (classes[i].second != priority)
        {
            throw FabricError(classes[i].first + " has priority " +
                              std::to_string(classes[i].second) + " and " + first + " priority " +
                              std::to_string(priority) + ": " + FabricTerm::Class(*single) +
                              " reads the queue of a single data class (" +
                              FabricTerm::Attribute(*single, "DataClass") +
                              "), because an ACK does not carry the class of its data; "
                              "give all flows the same priority, or take another " +
                              FabricTerm::Option("cc"));
        }
    }
}

/// Choose the classes of data and control; each priority of flows is a class of its own.
void
ConfigureClasses(FabricHelper& helper,
                 const ScenarioOptions& options,
                 const ScenarioNetwork& network)
{
    const std::vector<FabricFlow>& flows = network.flows;
    const ScenarioPreset* preset = options.GetPreset();
    const uint8_t dataClass = network.dataClass;
    const auto& made = network.madeClasses;
    const bool several =
        std::any_of(flows.begin(),
                    flows.end(),
                    [&](const FabricFlow& flow) { return flow.priority != dataClass; }) ||
        std::any_of(made.begin(), made.end(), [&](const auto& one) {
            return one.second != dataClass;
        });
    if (options.IsAttributeGiven("ns3::FabricNic::DataClass"))
    {
        throw FabricError(FabricTerm::Attribute("ns3::FabricNic", "DataClass") +
                          " has no effect: flows name their class, by default 3; use the priority "
                          "field of a flow file or " +
                          FabricTerm::Option("ns3::GeneratedWorkload::Priority"));
    }
    UintegerValue control;
    CreateObject<FabricNic>()->GetAttribute("ControlClass", control);
    const bool shared = preset && preset->oneServiceLevel &&
                        !options.IsAttributeSet("ns3::FabricNic::ControlClass");
    if (shared && several)
    {
        NoteFabric("the flows are of several classes: control packets have class " +
                   std::to_string(control.Get()) +
                   " instead of the data class that the preset uses");
    }
    const bool sharesClass = shared && !several;
    helper.SetClasses(dataClass, sharesClass ? dataClass : static_cast<uint8_t>(control.Get()));
    for (const FabricFlow& flow : flows)
    {
        helper.AddClass(flow.priority);
    }
    for (const auto& one : made)
    {
        helper.AddClass(one.second);
    }
}

/// @return true if marks of a queue disc follow a profile
bool
IsMarkedByProfile(const std::string& disc)
{
    TypeId tid;
    const TypeId aware = CongestionAwareQueueDisc::GetTypeId();
    return TypeId::LookupByNameFailSafe(disc, &tid) && (tid == aware || tid.IsChildOf(aware));
}

/// @return classes of the switch features that the congestion control, `coordination` and
/// `features` want, each once
std::vector<std::string>
ListScenarioFeatures(const ScenarioOptions& options, const std::vector<ScenarioPdcPolicy>& policies)
{
    std::vector<std::string> features;
    const auto add = [&features](const std::string& feature) {
        if (std::count(features.begin(), features.end(), feature) == 0)
        {
            features.push_back(feature);
        }
    };
    for (const char* option : {"cc", "coordination", "lb"})
    {
        for (const std::string& feature :
             GetScenarioPolicyFeatures(FindScenarioPolicy(option, options.Get(option))))
        {
            add(feature);
        }
    }
    for (const ScenarioPdcPolicy& own : policies)
    {
        std::for_each(own.features.begin(), own.features.end(), add);
    }
    for (const std::string& name : SplitFabricList(options.Get("features")))
    {
        add(FindScenarioPolicy("features", name).typeId);
    }
    return features;
}

/// @return what features do to others, with their attributes as they are by default now
std::vector<SwitchFeature::Effects>
ListScenarioEffects(const std::vector<std::string>& features)
{
    std::vector<SwitchFeature::Effects> effects;
    for (const std::string& feature : features)
    {
        effects.push_back(ObjectFactory(feature).Create<SwitchFeature>()->GetEffects());
    }
    return effects;
}

/// @return true if somebody reads marks, or the user says how to mark
bool
WantsMarks(const ScenarioOptions& options, const std::vector<ScenarioPdcPolicy>& policies)
{
    const auto reads = [](const std::string& type) {
        return ObjectFactory(type).Create<CongestionControl>()->GetNeeds().ecn;
    };
    return IsScenarioMarkingGiven(options) ||
           reads(FindScenarioPolicy("cc", options.Get("cc")).typeId) ||
           std::any_of(policies.begin(), policies.end(), [&reads](const ScenarioPdcPolicy& own) {
               return reads(own.policy.congestionControl.GetTypeId().GetName());
           });
}

/// Choose the policies; their classes are added to what is used.
void
ConfigurePolicies(FabricHelper& helper,
                  const ScenarioOptions& options,
                  const std::vector<ScenarioPdcPolicy>& policies,
                  std::vector<TypeId>& used)
{
    const auto use = [&used](const std::string& type) {
        TypeId tid;
        if (TypeId::LookupByNameFailSafe(type, &tid)) // flow control can be "none"
        {
            used.push_back(tid);
        }
        return type;
    };
    const auto typeId = [&](const char* option) {
        return use(FindScenarioPolicy(option, options.Get(option)).typeId);
    };
    // with the classes of its parts
    const auto whole = [&](const char* option) -> std::string {
        const std::string type = FindScenarioPolicy(option, options.Get(option)).typeId;
        return type == "none" ? type : UseScenarioClass(type, used);
    };
    for (const char* option : {"cc", "lb", "flow-control", "switch"})
    {
        for (const auto& [name, value] :
             GetScenarioPolicyAttributes(options, option, options.Get(option)))
        {
            options.SetAttributeDefault(name, value);
        }
    }
    const std::vector<std::string> features = ListScenarioFeatures(options, policies);
    const std::vector<SwitchFeature::Effects> effects = ListScenarioEffects(features);
    for (const char* always : {"ns3::FabricNic",
                               "ns3::FabricSwitch",
                               "ns3::HostLink",
                               "ns3::FabricNetDevice",
                               "ns3::FabricChannel",
                               "ns3::CongestionAwareQueueDisc", // of hosts
                               "ns3::IntFormat",
                               "ns3::EntropyFile",
                               "ns3::Fabric"})
    {
        use(always);
    }
    helper.SetCongestionControl(whole("cc"));
    for (const std::string& modifier : ListScenarioModifiers(options.Get("modifiers")))
    {
        helper.AddModifier(UseScenarioClass(modifier, used));
    }
    for (const std::string& modifier : ListScenarioCoordination(options))
    {
        helper.AddModifier(UseScenarioClass(modifier, used));
    }
    helper.SetPathSelector(typeId("lb"));
    helper.SetLoadBalancer(UseScenarioClass(GetScenarioLoadBalancer(options.Get("lb")), used));
    helper.SetFlowControl(typeId("flow-control"));
    helper.SetLinkRetry(typeId("link-retry"));
    helper.SetThrottle(whole("throttle"));
    helper.SetTrimmer(whole("trimming"));
    helper.SetBuffer(whole("switch"));
    if (!options.Get("reliability").empty())
    {
        helper.SetReliability(typeId("reliability"));
    }
    const std::string disc = use(options.Get("queue-disc"));
    helper.SetQueueDisc(disc);
    for (const std::string& feature : features)
    {
        helper.AddSwitchFeature(UseScenarioClass(feature, used));
    }
    const auto draws = [&effects](bool byProfile) {
        return std::any_of(effects.begin(), effects.end(), [byProfile](const auto& e) {
            return e.markedClasses != 0 && e.sharesProfile == byProfile;
        });
    };
    // other discs mark by rules of their own, as do some features; and some draw by a profile if
    // there is one, and else by their own
    const bool marks = IsMarkedByProfile(disc) && !draws(false) &&
                       options.Get("marking") != "none" &&
                       (!draws(true) || WantsMarks(options, policies));
    helper.SetMarkingProfile(use(marks ? "ns3::WredMarkingProfile" : "none"));
    if (draws(true) && !marks)
    {
        use("ns3::PiecewiseMarkingProfile");
    }
    for (const std::string& name : SplitFabricList(options.Get("trace")))
    {
        const TraceSeries* series = TraceSeriesTable::Find(name);
        if (series && *series->settings)
        {
            use(series->settings);
        }
    }
    for (const ScenarioPdcPolicy& own : policies)
    {
        helper.Expect(PdcPolicyHelper(own.policy));
        used.insert(used.end(), own.used.begin(), own.used.end());
    }
    helper.SetWireFormat(typeId("wire-format"));
}

/// Choose the ways of packets, by default those that are usual for the network; their class is
/// added to what is used.
void
ConfigureRouting(FabricHelper& helper,
                 ScenarioOptions& options,
                 const FabricGraph& graph,
                 std::vector<TypeId>& used)
{
    if (options.Get("routing").empty())
    {
        const TypeId usual = helper.MakeRouting(graph)->GetInstanceTypeId();
        options.Resolve("routing", FindScenarioPolicyOf("routing", usual).name);
    }
    helper.SetRouting(
        UseScenarioClass(FindScenarioPolicy("routing", options.Get("routing")).typeId, used));
}

/// Find out what the policies declare of others: reliability, and where a preset's thresholds
/// yield; the class is added to what is used.
void
ResolveDefaults(const FabricHelper& helper,
                ScenarioOptions& options,
                const FabricGraph& graph,
                std::vector<TypeId>& used)
{
    options.YieldPreset(helper.ListDefaults(graph).ListAttributes());
    const std::string profile = "ns3::WredMarkingProfile::";
    if (options.IsAttributeGiven(profile + "Kmin") || options.IsAttributeGiven(profile + "Kmax"))
    {
        options.YieldPreset({profile + "Rate"}); // it is that of the preset's thresholds
    }
    if (options.Get("reliability").empty())
    {
        const TypeId chosen = helper.FindReliability(graph);
        used.push_back(chosen);
        options.Resolve("reliability", FindScenarioPolicyOf("reliability", chosen).name);
    }
}

/// Seed everything that is random.
void
SeedAll(const ScenarioOptions& options)
{
    const uint64_t seed = options.GetUint("seed");
    if (options.IsSet("seed") && options.IsAttributeGiven("RngRun"))
    {
        throw FabricError(options.Say("seed") + " contradicts " +
                          FabricTerm::Option("RngRun", std::to_string(RngSeedManager::GetRun())) +
                          ": the seed is ns-3's number of the run; give one of them");
    }
    // Runs are independent streams of one generator, seeds are not: the seed is a run number.
    if (!options.IsAttributeGiven("RngRun"))
    {
        RngSeedManager::SetRun(seed);
    }
    const uint64_t hash =
        seed ^ (options.IsAttributeGiven("RngRun") ? RngSeedManager::GetRun() * 0x9e3779b1U : 0);
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId tid = TypeId::GetRegistered(i);
        for (std::size_t a = 0; tid.IsChildOf(PathSelector::GetTypeId()) && a < tid.GetAttributeN();
             ++a)
        {
            if (tid.GetAttribute(a).name == "HashSeed")
            {
                options.SetAttributeDefault(tid.GetName() + "::HashSeed",
                                            std::to_string(static_cast<uint32_t>(hash)));
            }
        }
    }
}

/// @return nodes, each of which knows its rank
NodeContainer
MakeNodes(const FabricGraph& graph, const ScenarioOptions& options, const ScenarioNetwork& network)
{
    std::vector<uint32_t> rankOf(graph.GetNNodes(), 0);
    for (const auto& part : network.parts)
    {
        part->PlaceNodes(graph, options, rankOf);
    }
    NodeContainer nodes;
    for (const uint32_t rank : rankOf)
    {
        nodes.Create(1, rank);
    }
    return nodes;
}

/**
 * @brief Have parts and policies read their options, and draw the network.
 * @param helper takes policies and routing
 * @param options of the run
 * @param network has the parts
 * @param policies takes those of single hosts, destinations and classes
 * @param used takes classes whose attributes count
 * @return the plan
 */
FabricGraph
PlanNetwork(FabricHelper& helper,
            ScenarioOptions& options,
            ScenarioNetwork& network,
            std::vector<ScenarioPdcPolicy>& policies,
            std::vector<TypeId>& used)
{
    for (const auto& part : network.parts)
    {
        part->Read(options, used);
    }
    policies = ReadScenarioPdcPolicies(options);
    ConfigurePolicies(helper, options, policies, used);
    for (const auto& part : network.parts)
    {
        part->Configure(helper, options, network, used);
    }
    FabricGraph graph = BuildGraph(options, used);
    ConfigureRouting(helper, options, graph, used);
    return graph;
}

/// Say if all that the preset says of congestion controls is of others than the run's.
void
NoteIdlePreset(const ScenarioOptions& options, const std::vector<TypeId>& used)
{
    const ScenarioPreset* preset = options.GetPreset();
    if (!preset || !options.IsGiven("preset"))
    {
        return;
    }
    std::vector<TypeId> idle;
    for (const auto& [name, value] : preset->attributes)
    {
        TypeId tid;
        if (!TypeId::LookupByNameFailSafe(name.substr(0, name.rfind("::")), &tid) ||
            !tid.IsChildOf(CongestionControl::GetTypeId()))
        {
            continue;
        }
        const auto uses = [tid](TypeId other) { return other == tid || other.IsChildOf(tid); };
        if (std::any_of(used.begin(), used.end(), uses))
        {
            return;
        }
        if (std::find(idle.begin(), idle.end(), tid) == idle.end())
        {
            idle.push_back(tid);
        }
    }
    if (!idle.empty())
    {
        FabricText names;
        for (const TypeId& tid : idle)
        {
            names += (names.IsEmpty() ? "" : ", ") + FabricText(tid.GetName());
        }
        NoteFabric(options.Say("preset") + ": its values of " + names + " have no effect under " +
                   options.Say("cc"));
    }
}

/**
 * @brief Say which options choose something of switches in a network that has none.
 * @param graph the network
 * @param options
 */
void
NoteNoSwitches(const FabricGraph& graph, const ScenarioOptions& options)
{
    if (graph.GetNSwitches() > 0)
    {
        return;
    }
    for (const char* name : {"switch", "features"})
    {
        if (options.IsGiven(name) && !options.Get(name).empty())
        {
            NoteFabric(options.Say(name) + " has no effect: the network has no switches");
        }
    }
}

} // namespace

ScenarioNetwork
BuildScenarioNetwork(ScenarioOptions& options, ScenarioUse use)
{
    ApplyScenarioService(options);
    ConnectScenarioDecider(options);
    for (const auto& [attribute, instead] : OCCUPIED)
    {
        if (options.IsAttributeGiven(attribute))
        {
            throw FabricError(std::string(attribute) +
                              " has no effect here, the program sets it; use " +
                              FabricTerm::Option(instead));
        }
    }
    SeedAll(options);
    const uint64_t payload = options.GetUint("payload");
    if (options.IsGiven("payload") && options.IsAttributeGiven("ns3::FabricNic::PayloadBytes"))
    {
        throw FabricError(FabricTerm::Option("payload") + " and " +
                          FabricTerm::Option("ns3::FabricNic::PayloadBytes") +
                          " name the same thing");
    }
    options.SetAttributeDefault("ns3::FabricNic::PayloadBytes", std::to_string(payload));

    TypeIdValue scheduler;
    GlobalValue::GetValueByName("SchedulerType", scheduler);
    std::vector<TypeId> used{scheduler.Get()};
    ScenarioNetwork network;
    for (const ScenarioPartKind& kind : GetScenarioPartTable().Get())
    {
        network.parts.push_back(kind.make());
        if (use == ScenarioUse::RUN)
        {
            network.parts.back()->Begin(options);
        }
    }
    FabricHelper helper;
    std::vector<ScenarioPdcPolicy> policies;
    const FabricGraph graph = PlanNetwork(helper, options, network, policies, used);
    ResolveDefaults(helper, options, graph, used);
    DrawFlows(options, graph, used, network);
    options.CheckAttributesUsed(used);
    NoteIdlePreset(options, used);
    NoteNoSwitches(graph, options);
    CheckDataClasses(network, ListScenarioFeatures(options, policies));
    if (!network.makesFlows) // what these send only the run tells
    {
        NoteIdleScenarioPdcPolicies(policies, network.flows);
    }
    ConfigureClasses(helper, options, network);
    ConfigureScenarioBaseRtt(helper, graph, options);
    for (const auto& part : network.parts)
    {
        part->Prepare(network, options);
    }
    for (const auto& part : network.parts)
    {
        part->Divide(graph, network, options);
    }
    network.fabric = helper.Install(graph, MakeNodes(graph, options, network));
    InstallScenarioPdcPolicies(network.fabric, policies);
    CreateObject<EntropyFile>()->Load(*network.fabric);
    InstallScenarioMarking(*network.fabric, options);
    NoteUnreachableMarks(*network.fabric, options);
    for (const auto& part : network.parts)
    {
        part->Install(network, options);
    }
    const auto& links = graph.GetLinks();
    const auto& features = network.fabric->GetPolicyContext().features;
    network.lossless = options.Get("flow-control") != "none" &&
                       std::none_of(network.parts.begin(),
                                    network.parts.end(),
                                    [](const auto& part) { return part->LosesPackets(); }) &&
                       std::none_of(features.begin(),
                                    features.end(),
                                    [](const auto& feature) { return feature.effects.drops; }) &&
                       std::all_of(links.begin(), links.end(), [](const FabricLink& l) {
                           return l.errorRate == 0;
                       });
    return network;
}

FabricGraph
BuildScenarioPlan(ScenarioOptions& options)
{
    ApplyScenarioService(options);
    std::vector<TypeId> used;
    ScenarioNetwork network;
    for (const ScenarioPartKind& kind : GetScenarioPartTable().Get())
    {
        network.parts.push_back(kind.make());
    }
    FabricHelper helper;
    std::vector<ScenarioPdcPolicy> policies;
    FabricGraph graph = PlanNetwork(helper, options, network, policies, used);
    // what else a run would refuse of names
    MakeWorkload(options);
    CheckScenarioExport(options);
    FindScenarioTraces(options);
    return graph;
}

} // namespace ns3
