// SPDX-License-Identifier: GPL-2.0-only
#include "sim-manual.h"

#include "sim-describe.h"
#include "sim-export.h"
#include "sim-plan.h"
#include "sim-policies.h"
#include "sim-presets.h"
#include "sim-progress.h"
#include "sim-ranks.h"
#include "sim-traces.h"

#include "ns3/fabric-form.h"
#include "ns3/fabric-topology.h"
#include "ns3/fabric-workload-factory.h"
#include "ns3/post-delay.h"

#include <algorithm>
#include <iterator>

namespace ns3
{

namespace
{

/// @return the same as values
template <const std::vector<FabricForm>& (*forms)()>
std::vector<SimValue>
ListForms(const std::string& /* option */)
{
    std::vector<SimValue> values;
    for (const FabricForm& form : forms())
    {
        values.push_back({WriteFabricForm(form), form.help, form.type, form.argument != nullptr});
    }
    return values;
}

std::vector<SimValue>
ListPresets(const std::string& /* option */)
{
    std::vector<SimValue> values = ListSimEntries(GetSimPresets());
    for (std::size_t i = 0; i < values.size(); ++i)
    {
        const SimPreset& preset = GetSimPresets()[i];
        values[i].sets.assign(preset.options.begin(), preset.options.end());
        values[i].sets.insert(values[i].sets.end(),
                              preset.attributes.begin(),
                              preset.attributes.end());
    }
    return values;
}

std::vector<SimValue>
ListDelays(const std::string& /* option */)
{
    std::vector<SimValue> values;
    for (const std::string& form : ListPostDelays())
    {
        values.push_back({form, ""});
    }
    return values;
}

std::vector<SimValue>
ListBaseRtts(const std::string& /* option */)
{
    return {{"largest", "of all pairs of hosts"}, {"pair", "of each pair"}};
}

std::vector<SimValue>
ListConvergences(const std::string& /* option */)
{
    return {{"none", "they stay as they are, and only the ends of the link know"}};
}

using Kind = SimOption::Kind;
using Role = SimOption::Role;

/// All options.
constexpr SimOption OPTIONS[] = {
    {"config",
     Kind::FILE,
     "",
     "configuration file (``config.txt``) of the HPCC or ConWeave simulator; other options "
     "override. "
     "See :doc:`migrating`"},
    {"topology",
     Kind::CHOICE,
     "fat-tree:k=8",
     "network topology",
     &ListForms<&GetFabricTopologyForms>},
    {"rate", Kind::RATE, "100Gbps", "rate of all links"},
    {"delay", Kind::TIME, "1us", "propagation delay of all links"},
    {"payload",
     Kind::INTEGER,
     "1000",
     "bytes of payload of a full packet",
     nullptr,
     "",
     {1, 65535, "B"}},
    {"switch-latency", Kind::TIME, "", "latency of each switch, without queueing"},
    {"error-rate",
     Kind::NUMBER,
     "0",
     "packet loss probability of links; a topology file's own values take precedence",
     nullptr,
     "",
     {0, 1}},
    {"oversubscription",
     Kind::NUMBER,
     "",
     "ratio of downlink to uplink capacity for each switch tier, comma-separated, edge first",
     nullptr,
     ","},
    {"tier-rates",
     Kind::RATE,
     "",
     "rate of each tier of links, comma-separated, host links first",
     nullptr,
     ","},
    {"tier-delays",
     Kind::TIME,
     "",
     "delay of each tier of links, comma-separated, host links first",
     nullptr,
     ","},
    {"workload",
     Kind::CHOICE,
     "",
     "traffic; several at once with plus signs, as in ``alltoall+incast:start=50us``, have labels "
     "in results; without it ``websearch``, on a dumbbell ``pairs`` (i to N+i)",
     &ListForms<&GetFabricWorkloadForms>,
     "+"},
    {"load",
     Kind::NUMBER,
     "0.5",
     "payload offered per host over its line rate (Poisson arrivals)",
     nullptr,
     "",
     {0, 1}},
    {"duration", Kind::TIME, "2ms", "time during which flows arrive (Poisson arrivals)"},
    {"stop",
     Kind::TIME,
     "",
     "simulated time at which to stop; without it the run ends when all flows are complete"},
    {"partition",
     Kind::CHOICE,
     "pods",
     "which rank simulates what, if mpiexec has started several (:doc:`distributed`)",
     &ListSimPartitions,
     "",
     {},
     Role::RUN},
    {"seed",
     Kind::INTEGER,
     "1",
     "seed of all random choices; the same seed gives the same bytes of ``flows.csv``",
     nullptr,
     "",
     {0, UINT32_MAX}},
    {"cc", Kind::CHOICE, "hpcc", "congestion control", &ListSimPolicies},
    {"lb", Kind::CHOICE, "symmetric-ecmp", "load balancing", &ListSimPolicies},
    {"routing",
     Kind::CHOICE,
     "",
     "ways on which packets go (:doc:`direct-routing`); without it what the topology says: "
     "``minimal`` on dragonflies, ``dimension-order`` on torus and HyperX, else ``shortest``",
     &ListSimPolicies},
    {"flow-control", Kind::CHOICE, "pfc", "link-level flow control", &ListSimPolicies},
    {"modifiers",
     Kind::CHOICE,
     "",
     "modifiers of the congestion control, comma-separated; they work with any ``--cc`` "
     "(:doc:`modifiers`)",
     &ListSimPolicies,
     ","},
    {"policies",
     Kind::FILE,
     "",
     "file of exceptions: ``--cc``, host ``--lb`` and ``--modifiers`` of some hosts, or of their "
     "flows to some destinations, one per line, such as ``0-3 * cc=swift lb=reps`` or ``4,5 8 "
     "cc=dctcp modifiers=ratio-cut``. See :doc:`modifiers`"},
    {"features", Kind::CHOICE, "", "features of switches, comma-separated", &ListSimPolicies, ","},
    {"throttle",
     Kind::CHOICE,
     "none",
     "what limits the data that each port of a host injects, beside the congestion control",
     &ListSimPolicies},
    {"coordination",
     Kind::CHOICE,
     "none",
     "congestion management of hosts and switches together",
     &ListSimPolicies},
    {"queue-disc",
     Kind::CLASS,
     "ns3::CongestionAwareQueueDisc",
     "root queue disc of switch ports, by TypeId; those of ns-3 only with ``--flow-control=none`` "
     "and a ``--cc`` without ECN"},
    {"switch", Kind::CHOICE, "shared-buffer", "organization of switches", &ListSimPolicies},
    {"marking",
     Kind::TEXT,
     "",
     "ECN thresholds by rate of the link, Kmin, Kmax and Pmax: "
     "``'25Gbps:100kB,400kB,0.2;100Gbps:400kB,1600kB,0.2'`` (in quotes, for the shell), or "
     "``none`` "
     "for no marks; without it those of ``ns3::WredMarkingProfile``, scaled with the rate"},
    {"base-rtt",
     Kind::TIME,
     "largest",
     "base RTT T that congestion controls assume, a time or a word",
     &ListBaseRtts},
    {"reliability",
     Kind::CHOICE,
     "",
     "what repairs losses; without it what the other policies need, else ``selective-repeat``",
     &ListSimPolicies},
    {"messages",
     Kind::CHOICE,
     "",
     "flows are messages that a match table matches with posted receives (:doc:`messages`); the "
     "value says what happens to a message whose receive is not posted. Without it no table is "
     "used and all receives count as posted",
     &ListSimPolicies},
    {"post-delay",
     Kind::CHOICE,
     "none",
     "with ``--messages=rtw``, ``rnr`` or ``rendezvous``, time from the start of a message to its "
     "receive being posted",
     &ListDelays},
    {"match-table", Kind::CHOICE, "hash", "with ``--messages``, the match table", &ListSimPolicies},
    {"faults",
     Kind::FILE,
     "",
     "file of faults, one per line, such as ``120us down 16 24``, ``300us up 16 24``, "
     "``300us rate 16 24 50Gbps``, ``0us loss 16 24 0.001``, ``1ms switch-down 24`` or ``1ms storm "
     "3``. See :doc:`faults`"},
    {"link-down",
     Kind::TEXT,
     "",
     "``TIME,A,B``: the link between nodes A and B goes down, such as ``120us,16,24``; also beside "
     "``--faults``"},
    {"convergence",
     Kind::TIME,
     "none",
     "time from when a link goes down or comes up until the tables of all switches and hosts know "
     "of it, or a word",
     &ListConvergences},
    {"preset", Kind::CHOICE, "", "named sets of parameters; other options override", &ListPresets},
    {"trace",
     Kind::CHOICE,
     "",
     "time series as CSV, and captures; comma-separated",
     &ListSimTraces,
     ","},
    {"trace-interval", Kind::TIME, "1us", "time between two samples"},
    {"out",
     Kind::FOLDER,
     "results",
     "result folder, for one run at a time; a folder with results of other options is refused, "
     "unless ``--force`` overwrites them. See :doc:`results`",
     nullptr,
     "",
     {},
     Role::RUN},
    {"export", Kind::CHOICE, "", "extra formats, comma-separated", &ListSimExports, ","},
    {"progress",
     Kind::CHOICE,
     "auto",
     "how far the run is",
     &ListSimProgress,
     "",
     {},
     Role::RUN,
     "on"},
    {"force",
     Kind::SWITCH,
     "",
     "overwrite a folder that holds results of other options",
     nullptr,
     "",
     {},
     Role::ACTION,
     "true"},
    {"list",
     Kind::SWITCH,
     "",
     "print every policy with its attributes and exit",
     nullptr,
     "",
     {},
     Role::ACTION,
     "true"},
    {"plan",
     Kind::CHOICE,
     "",
     "print the plan of the network and exit (:doc:`topologies`)",
     &ListSimPlans,
     "",
     {},
     Role::ACTION,
     "text"},
    {"describe",
     Kind::CHOICE,
     "",
     "print what programs ask and exit (:doc:`describe`)",
     &ListSimDescriptions,
     "",
     {},
     Role::ACTION,
     "json"},
};

/// @return help and values in reStructuredText
std::string
WriteHelp(const SimOption& option)
{
    std::string text = option.help;
    std::string separator = ": ";
    for (const SimValue& value : ListSimValues(option))
    {
        text += separator + "``" + value.text + "``" +
                (value.help.empty() ? "" : " (" + value.help + ")");
        separator = ", ";
    }
    return text;
}

} // namespace

const std::vector<SimOption>&
GetSimOptions()
{
    static const std::vector<SimOption> options(std::begin(OPTIONS), std::end(OPTIONS));
    return options;
}

const SimOption*
FindSimOption(const std::string& name)
{
    const auto* found =
        std::find_if(std::begin(OPTIONS), std::end(OPTIONS), [&name](const SimOption& option) {
            return option.name == name;
        });
    return found == std::end(OPTIONS) ? nullptr : found;
}

std::vector<SimValue>
ListSimValues(const SimOption& option)
{
    return option.values ? option.values(option.name) : std::vector<SimValue>();
}

std::string
DescribeSimOption(const SimOption& option)
{
    const std::string chapter = ":doc:`";
    const std::string literal = "``";
    std::string help = WriteHelp(option);
    for (size_t at = help.find(chapter); at != std::string::npos; at = help.find(chapter, at))
    {
        help.replace(help.find('`', at + chapter.size()), 1, ".rst");
        help.replace(at, chapter.size(), "doc/");
    }
    for (size_t at = help.find(literal); at != std::string::npos; at = help.find(literal, at))
    {
        help.erase(at, literal.size());
    }
    return help;
}

} // namespace ns3
