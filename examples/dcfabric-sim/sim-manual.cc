// SPDX-License-Identifier: GPL-2.0-only
#include "sim-manual.h"

#include "sim-export.h"
#include "sim-policies.h"
#include "sim-presets.h"
#include "sim-traces.h"

#include "ns3/fabric-form.h"
#include "ns3/fabric-topology.h"
#include "ns3/fabric-workload-factory.h"
#include "ns3/post-delay.h"

#include <iterator>
#include <sstream>

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
        values.push_back({WriteFabricForm(form), form.help});
    }
    return values;
}

std::vector<SimValue>
ListPresets(const std::string& /* option */)
{
    return ListSimValues(GetSimPresets());
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

/// All options.
constexpr SimOption OPTIONS[] = {
    {"config",
     "",
     "configuration file (``config.txt``) of the HPCC or ConWeave simulator; other options "
     "override. "
     "See :doc:`migrating`"},
    {"topology", "fat-tree:k=8", "network topology", &ListForms<&GetFabricTopologyForms>},
    {"rate", "100Gbps", "rate of all links"},
    {"delay", "1us", "propagation delay of all links"},
    {"payload", "1000", "bytes of payload of a full packet"},
    {"switch-latency", "", "latency of each switch, without queueing"},
    {"error-rate",
     "0",
     "packet loss probability of links; a topology file's own values take precedence"},
    {"oversubscription",
     "",
     "ratio of downlink to uplink capacity for each switch tier, comma-separated, edge first"},
    {"tier-rates", "", "rate of each tier of links, comma-separated, host links first"},
    {"tier-delays", "", "delay of each tier of links, comma-separated, host links first"},
    {"workload",
     "",
     "traffic; several at once with plus signs, as in ``alltoall+incast:start=50us``, have labels "
     "in results; without it ``websearch``, on a dumbbell ``pairs`` (i to N+i)",
     &ListForms<&GetFabricWorkloadForms>},
    {"load", "0.5", "payload offered per host over its line rate (Poisson arrivals)"},
    {"duration", "2ms", "time during which flows arrive (Poisson arrivals)"},
    {"stop",
     "",
     "simulated time at which to stop; without it the run ends when all flows are complete"},
    {"partition",
     "pods",
     "which rank simulates what, if mpiexec has started several (:doc:`distributed`): ``pods``, "
     "whole pods or groups, or the hosts of a switch, or ``file:PATH``"},
    {"seed",
     "1",
     "seed of all random choices; the same seed gives the same bytes of ``flows.csv``"},
    {"cc", "hpcc", "congestion control", &ListSimPolicies},
    {"lb", "symmetric-ecmp", "load balancing", &ListSimPolicies},
    {"routing",
     "",
     "ways on which packets go (:doc:`direct-routing`); without it what the topology says: "
     "``minimal`` on dragonflies, ``dimension-order`` on torus and HyperX, else ``shortest``",
     &ListSimPolicies},
    {"flow-control", "pfc", "link-level flow control", &ListSimPolicies},
    {"modifiers",
     "",
     "modifiers of the congestion control, comma-separated; they work with any ``--cc`` "
     "(:doc:`modifiers`)",
     &ListSimPolicies},
    {"policies",
     "",
     "file of exceptions: ``--cc``, host ``--lb`` and ``--modifiers`` of some hosts, or of their "
     "flows to some destinations, one per line, such as ``0-3 * cc=swift lb=reps`` or ``4,5 8 "
     "cc=dctcp modifiers=ratio-cut``. See :doc:`modifiers`"},
    {"features", "", "features of switches, comma-separated", &ListSimPolicies},
    {"throttle",
     "none",
     "what limits the data that each port of a host injects, beside the congestion control",
     &ListSimPolicies},
    {"coordination",
     "none",
     "congestion management of hosts and switches together",
     &ListSimPolicies},
    {"queue-disc",
     "ns3::CongestionAwareQueueDisc",
     "root queue disc of switch ports, by TypeId; those of ns-3 only with ``--flow-control=none`` "
     "and a ``--cc`` without ECN"},
    {"switch", "shared-buffer", "organization of switches", &ListSimPolicies},
    {"marking",
     "",
     "ECN thresholds by rate of the link, Kmin, Kmax and Pmax: "
     "``'25Gbps:100kB,400kB,0.2;100Gbps:400kB,1600kB,0.2'`` (in quotes, for the shell), or "
     "``none`` "
     "for no marks; without it those of ``ns3::WredMarkingProfile``, scaled with the rate"},
    {"base-rtt",
     "largest",
     "base RTT T that congestion controls assume: ``largest`` (of all pairs of hosts), ``pair`` "
     "(of "
     "each pair), or a time"},
    {"reliability",
     "",
     "what repairs losses; without it what the other policies need, else ``selective-repeat``",
     &ListSimPolicies},
    {"messages",
     "",
     "flows are messages that a match table matches with posted receives (:doc:`messages`); the "
     "value says what happens to a message whose receive is not posted. Without it no table is "
     "used and all receives count as posted",
     &ListSimPolicies},
    {"post-delay",
     "none",
     "with ``--messages=rtw``, ``rnr`` or ``rendezvous``, time from the start of a message to its "
     "receive being posted",
     &ListDelays},
    {"match-table", "hash", "with ``--messages``, the match table", &ListSimPolicies},
    {"faults",
     "",
     "file of faults, one per line, such as ``120us down 16 24``, ``300us up 16 24``, "
     "``300us rate 16 24 50Gbps``, ``0us loss 16 24 0.001``, ``1ms switch-down 24`` or ``1ms storm "
     "3``. See :doc:`faults`"},
    {"link-down",
     "",
     "``TIME,A,B``: the link between nodes A and B goes down, such as ``120us,16,24``; also beside "
     "``--faults``"},
    {"convergence",
     "none",
     "time from when a link goes down or comes up until the tables of all switches and hosts know "
     "of it; ``none``: they stay as they are, and only the ends of the link know"},
    {"preset", "", "named sets of parameters; other options override", &ListPresets},
    {"trace", "", "time series as CSV, and captures; comma-separated", &ListSimTraces},
    {"trace-interval", "1us", "time between two samples"},
    {"out",
     "results",
     "result folder, for one run at a time; a folder with results of other options is refused, "
     "unless ``--force`` overwrites them. See :doc:`results`"},
    {"export", "", "extra formats, comma-separated", &ListSimExports},
    {"progress", "auto", "progress line: ``auto`` (on a terminal), ``on``, ``off``"},
};

/// @return help and values in reStructuredText
std::string
WriteHelp(const SimOption& option)
{
    std::string text = option.help;
    std::string separator = ": ";
    for (const SimValue& value :
         option.values ? option.values(option.name) : std::vector<SimValue>())
    {
        text += separator + "``" + value.text + "``" +
                (value.help.empty() ? "" : " (" + value.help + ")");
        separator = ", ";
    }
    return text;
}

/// Print a cell of the table, whose first line begins with @p begin.
void
PrintCell(std::ostream& out, const std::string& begin, const std::string& text)
{
    constexpr std::size_t WIDTH = 132;
    std::istringstream words(text);
    std::string line = begin;
    for (std::string word; words >> word;)
    {
        if (line.size() + 1 + word.size() > WIDTH)
        {
            out << line << "\n";
            line = std::string(begin.size(), ' ');
        }
        line += " " + word;
    }
    out << line << "\n";
}

} // namespace

const std::vector<SimOption>&
GetSimOptions()
{
    static const std::vector<SimOption> options(std::begin(OPTIONS), std::end(OPTIONS));
    return options;
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

void
PrintSimOptionTable(std::ostream& out)
{
    out << ".. list-table::\n   :header-rows: 1\n   :widths: 18 18 64\n\n"
        << "   * - option\n     - default\n     - values and meaning\n";
    for (const SimOption& option : OPTIONS)
    {
        const std::string byDefault = option.defaultValue;
        out << "   * - ``--" << option.name << "``\n"
            << "     - " << (byDefault.empty() ? "none" : "``" + byDefault + "``") << "\n";
        PrintCell(out, "     -", WriteHelp(option));
    }
}

} // namespace ns3
