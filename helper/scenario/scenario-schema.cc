// SPDX-License-Identifier: GPL-2.0-only
#include "scenario-schema.h"

#include "scenario-export.h"
#include "scenario-policies.h"
#include "scenario-presets.h"
#include "scenario-services.h"
#include "scenario-traces.h"

#include "ns3/fabric-form.h"
#include "ns3/fabric-topology.h"
#include "ns3/fabric-workload-factory.h"

#include <algorithm>
#include <iterator>

namespace ns3
{

namespace
{

/// @return the same as values
template <const std::vector<FabricForm>& (*forms)()>
std::vector<ScenarioValue>
ListForms(const std::string& /* option */)
{
    std::vector<ScenarioValue> values;
    for (const FabricForm& form : forms())
    {
        values.push_back({WriteFabricForm(form), form.help, form.type, form.argument != nullptr});
    }
    return values;
}

std::vector<ScenarioValue>
ListServices(const std::string& /* option */)
{
    std::vector<ScenarioValue> values = ListScenarioEntries(GetScenarioServices());
    for (std::size_t i = 0; i < values.size(); ++i)
    {
        const ScenarioService& service = GetScenarioServices()[i];
        if (!service.reliability.empty())
        {
            values[i].sets.emplace_back("reliability", service.reliability);
        }
        values[i].sets.insert(values[i].sets.end(), service.options.begin(), service.options.end());
        values[i].sets.insert(values[i].sets.end(),
                              service.attributes.begin(),
                              service.attributes.end());
    }
    return values;
}

std::vector<ScenarioValue>
ListPresets(const std::string& /* option */)
{
    std::vector<ScenarioValue> values = ListScenarioEntries(GetScenarioPresets());
    for (std::size_t i = 0; i < values.size(); ++i)
    {
        const ScenarioPreset& preset = GetScenarioPresets()[i];
        values[i].sets.assign(preset.options.begin(), preset.options.end());
        values[i].sets.insert(values[i].sets.end(),
                              preset.attributes.begin(),
                              preset.attributes.end());
    }
    return values;
}

std::vector<ScenarioValue>
ListBaseRtts(const std::string& /* option */)
{
    return {{"largest", "of all pairs of hosts"}, {"pair", "of each pair"}};
}

std::vector<ScenarioValue>
ListProgressForms(const std::string& /* option */)
{
    return {{"auto", "a line on a terminal"},
            {"on", "a line"},
            {"off", ""},
            {"json:FD", "events as lines of JSON to a file descriptor, :doc:`describe`"}};
}

/// Options of the core.
constexpr ScenarioOption SCENARIO_OPTIONS[] = {
    {"topology",
     ScenarioOption::Kind::CHOICE,
     "fat-tree:k=8",
     "network topology",
     &ListForms<&GetFabricTopologyForms>},
    {"rate", ScenarioOption::Kind::RATE, "100Gbps", "rate of all links"},
    {"delay", ScenarioOption::Kind::TIME, "1us", "propagation delay of all links"},
    {"payload",
     ScenarioOption::Kind::INTEGER,
     "1000",
     "bytes of payload of a full packet",
     nullptr,
     "",
     {1, 65535, "B"}},
    {"switch-latency", ScenarioOption::Kind::TIME, "", "latency of each switch, without queueing"},
    {"error-rate",
     ScenarioOption::Kind::NUMBER,
     "0",
     "packet loss probability of links; a topology file's own values take precedence",
     nullptr,
     "",
     {0, 1}},
    {"oversubscription",
     ScenarioOption::Kind::NUMBER,
     "",
     "ratio of downlink to uplink capacity for each switch tier, comma-separated, edge first",
     nullptr,
     ","},
    {"tier-rates",
     ScenarioOption::Kind::RATE,
     "",
     "rate of each tier of links, comma-separated, host links first",
     nullptr,
     ","},
    {"tier-delays",
     ScenarioOption::Kind::TIME,
     "",
     "delay of each tier of links, comma-separated, host links first",
     nullptr,
     ","},
    {"workload",
     ScenarioOption::Kind::CHOICE,
     "",
     "traffic; several at once with plus signs, as in ``alltoall+incast:start=50us``, have labels "
     "in results; without it ``websearch``, on a dumbbell ``pairs`` (i to N+i)",
     &ListForms<&GetFabricWorkloadForms>,
     "+"},
    {"load",
     ScenarioOption::Kind::NUMBER,
     "0.5",
     "payload offered per host over its line rate (Poisson arrivals)",
     nullptr,
     "",
     {0, 1}},
    {"duration",
     ScenarioOption::Kind::TIME,
     "2ms",
     "time during which flows arrive (Poisson arrivals)"},
    {"stop",
     ScenarioOption::Kind::TIME,
     "",
     "simulated time at which to stop; without it the run ends when all flows are complete"},
    {"seed",
     ScenarioOption::Kind::INTEGER,
     "1",
     "seed of all random choices; the same seed gives the same bytes of ``flows.csv``",
     nullptr,
     "",
     {0, UINT32_MAX}},
    {"cc", ScenarioOption::Kind::CHOICE, "hpcc", "congestion control", &ListScenarioPolicies},
    {"lb", ScenarioOption::Kind::CHOICE, "symmetric-ecmp", "load balancing", &ListScenarioPolicies},
    {"routing",
     ScenarioOption::Kind::CHOICE,
     "",
     "ways on which packets go (:doc:`direct-routing`); without it what the topology says",
     &ListScenarioPolicies},
    {"flow-control",
     ScenarioOption::Kind::CHOICE,
     "pfc",
     "link-level flow control",
     &ListScenarioPolicies},
    {"link-retry",
     ScenarioOption::Kind::CHOICE,
     "none",
     "whether ports send frames again that a wire loses or damages",
     &ListScenarioPolicies},
    {"modifiers",
     ScenarioOption::Kind::CHOICE,
     "",
     "modifiers of the congestion control, comma-separated; they work with any ``--cc`` "
     "(:doc:`modifiers`)",
     &ListScenarioPolicies,
     ","},
    {"policies",
     ScenarioOption::Kind::FILE,
     "",
     "file of exceptions: ``--cc``, host ``--lb`` and ``--modifiers`` of some hosts, or of their "
     "flows to some destinations, one per line, such as ``0-3 * cc=swift lb=reps`` or ``4,5 8 "
     "cc=dctcp modifiers=ratio-cut``. See :doc:`modifiers`"},
    {"features",
     ScenarioOption::Kind::CHOICE,
     "",
     "features of switches, comma-separated",
     &ListScenarioPolicies,
     ","},
    {"trimming",
     ScenarioOption::Kind::CHOICE,
     "none",
     "what becomes of a data packet that a port has no room for, instead of being dropped",
     &ListScenarioPolicies},
    {"throttle",
     ScenarioOption::Kind::CHOICE,
     "none",
     "what limits the data that each port of a host injects, beside the congestion control",
     &ListScenarioPolicies},
    {"coordination",
     ScenarioOption::Kind::CHOICE,
     "none",
     "congestion management of hosts and switches together",
     &ListScenarioPolicies},
    {"library",
     ScenarioOption::Kind::FILE,
     "",
     "libraries with policies of your own, comma-separated, which options then choose by TypeId, "
     "as "
     "``--cc=ns3::Mine``; also written ``--load=libmine.so`` (:doc:`plugins`)",
     nullptr,
     ","},
    {"queue-disc",
     ScenarioOption::Kind::CLASS,
     "ns3::CongestionAwareQueueDisc",
     "root queue disc of switch ports, by TypeId; those of ns-3 only with ``--flow-control=none`` "
     "and a ``--cc`` without ECN"},
    {"switch",
     ScenarioOption::Kind::CHOICE,
     "shared-buffer",
     "organization of switches",
     &ListScenarioPolicies},
    {"marking",
     ScenarioOption::Kind::TEXT,
     "",
     "ECN thresholds by rate of the link, Kmin, Kmax and Pmax: "
     "``'25Gbps:100kB,400kB,0.2;100Gbps:400kB,1600kB,0.2'`` (in quotes, for the shell), or "
     "``none`` "
     "for no marks; without it those of ``ns3::WredMarkingProfile``, scaled with the rate"},
    {"base-rtt",
     ScenarioOption::Kind::TIME,
     "largest",
     "base RTT T that congestion controls assume, a time or a word",
     &ListBaseRtts},
    {"reliability",
     ScenarioOption::Kind::CHOICE,
     "",
     "what repairs losses; without it what the other policies need, else ``selective-repeat``",
     &ListScenarioPolicies},
    {"service",
     ScenarioOption::Kind::CHOICE,
     "",
     "delivery service of all flows, which stands for the options that it needs (:doc:`uet`)",
     &ListServices},
    {"wire-format",
     ScenarioOption::Kind::CHOICE,
     "roce",
     "sizes of headers and control packets (:doc:`wire-format`)",
     &ListScenarioPolicies},
    {"preset",
     ScenarioOption::Kind::CHOICE,
     "",
     "named sets of parameters; other options override",
     &ListPresets},
    {"trace",
     ScenarioOption::Kind::CHOICE,
     "",
     "time series as CSV, and captures; comma-separated",
     &ListScenarioTraces,
     ","},
    {"trace-interval", ScenarioOption::Kind::TIME, "1us", "time between two samples"},
    {"out",
     ScenarioOption::Kind::FOLDER,
     "results",
     "result folder, for one run at a time; a folder with results of other options is refused, "
     "unless ``--force`` overwrites them. See :doc:`results`",
     nullptr,
     "",
     {},
     ScenarioOption::Role::RUN},
    {"export",
     ScenarioOption::Kind::CHOICE,
     "",
     "extra formats, comma-separated",
     &ListScenarioExports,
     ","},
    {"progress",
     ScenarioOption::Kind::CHOICE,
     "auto",
     "how far the run is",
     &ListProgressForms,
     "",
     {},
     ScenarioOption::Role::RUN,
     "on"},
};

/// @return SCENARIO_OPTIONS
std::vector<ScenarioOption>
ListScenarioOptions()
{
    return {std::begin(SCENARIO_OPTIONS), std::end(SCENARIO_OPTIONS)};
}

} // namespace

NamedTable<ScenarioOption>&
GetScenarioOptionTable()
{
    static NamedTable<ScenarioOption> table(&ListScenarioOptions);
    return table;
}

const std::vector<ScenarioOption>&
GetScenarioSchema()
{
    return GetScenarioOptionTable().Get();
}

const ScenarioOption*
FindScenarioOption(const std::string& name)
{
    const std::vector<ScenarioOption>& all = GetScenarioSchema();
    const auto found = std::find_if(all.begin(), all.end(), [&name](const ScenarioOption& option) {
        return option.name == name;
    });
    return found == all.end() ? nullptr : &*found;
}

std::vector<ScenarioValue>
ListScenarioValues(const ScenarioOption& option)
{
    return option.values ? option.values(option.name) : std::vector<ScenarioValue>();
}

} // namespace ns3
