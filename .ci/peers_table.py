# SPDX-License-Identifier: GPL-2.0-only
"""The table of doc/peers.rst that says who has what: what dcfabric has is made from what
``dcfabric-sim --describe=json`` tells, what others have is written here."""
import collections

PEERS = ("HPCC, ConWeave", "ns3-datacenter", "htsim", "SST/Merlin", "INET", "ns-3 TCP")
NOT = "--"
REST = None
"""Of an option: the values that no other row has."""

# What it is, options with the values that count, and what the peers have, in their order. A value
# is in the first row that names it; of those that nobody names the row with REST has what is new.
ROWS = (
    ("granularity", "packet", ("packet", "packet", "packet", "packet, flit", "packet", "packet")),
    ("INT-based control",
     {"cc": ("hpcc", "fncc", "hpcc-pint", "powertcp", "bolt")},
     ("HPCC, PINT", "HPCC, PINT, PowerTCP", "HPCC", NOT, NOT, NOT)),
    ("receiver-driven control",
     {"cc": ("rccc", "nscc+rccc", "swift+rccc", "ndp", "homa")},
     (NOT, NOT, "NDP, EQDS, UEC", NOT, NOT, NOT)),
    ("control of one's own", {"cc": ("external", "external-int", "external-ack-int")},
     (NOT, NOT, NOT, NOT, NOT, NOT)),
    ("ECN-, delay- or switch-based control", {"cc": REST},
     ("DCQCN, DCTCP, TIMELY", "DCQCN, DCTCP, TIMELY, Theta-PowerTCP", "DCTCP, DCQCN, Swift, NSCC",
      NOT, "TCP", "DCTCP, CUBIC, BBR and more")),
    ("modifiers of any control", {"modifiers": REST, "coordination": REST},
     (NOT, NOT, NOT, NOT, NOT, NOT)),
    ("load balancing at switches",
     {"lb": ("symmetric-ecmp", "ecmp", "spanning-trees", "flowlet", "adaptive", "drill", "conga",
             "conweave", "hermes", "shield")},
     ("ECMP, LetFlow, CONGA, DRILL, ConWeave", "ECMP", "ECMP, adaptive", "adaptive", NOT, "ECMP")),
    ("load balancing at hosts", {"lb": REST},
     (NOT, NOT, "spraying, REPS and more", NOT, NOT, NOT)),
    ("losses", {"reliability": REST, "link-retry": REST, "trimming": REST},
     ("go-back-N, IRN", "go-back-N", "trimming and more", NOT, "TCP", "TCP")),
    ("flow control", {"flow-control": REST},
     ("PFC", "PFC", "PFC", "credits, virtual channels", NOT, NOT)),
    ("memory of switches", {"switch": REST},
     ("shared buffer", "shared buffer, ABM, Reverie, Credence", "queues of ports",
      NOT, NOT, NOT)),
    ("techniques in switches and NICs", {"features": REST, "throttle": REST},
     (NOT, NOT, NOT, NOT, NOT, "queue discs")),
    ("topologies", {"topology": REST},
     ("files", "files", "fat-trees, files; dragonfly in forks", "many", "by hand", "by hand")),
    ("routing", {"routing": REST}, ("shortest", "shortest", "shortest", "adaptive", NOT, NOT)),
    ("real TCP/IP stack, sockets", "over the fabric",
     (NOT, "TCP beside RDMA", NOT, NOT, "yes", "yes")),
    ("applications", "programs of ranks, GOAL, Chakra",
     ("flows", "flows", "flows, GOAL in a fork", "Ember motifs", "many", "many")),
    ("several processes", "MPI", (NOT, NOT, NOT, "MPI, threads", "MPI", "MPI")),
    ("graphical user interface", NOT, (NOT, NOT, NOT, NOT, "yes", "NetAnim")),
)
NOTHING = ("none", "file", "topo")
"""Values that are no scheme."""


def words(options, option):
    """Values of an option, without their parameters."""
    found = (value["text"].partition(":")[0] for value in options.get(option, ()))
    return [word for word in dict.fromkeys(found) if word not in NOTHING]


def ours(options, what):
    """The cell of dcfabric in a row."""
    if isinstance(what, str):
        return what
    named = collections.defaultdict(set)
    for _, cells, _ in ROWS:
        for option, values in (cells.items() if isinstance(cells, dict) else ()):
            named[option].update(values or ())
    found = []
    for option, values in what.items():
        found += [word for word in words(options, option)
                  if (word not in named[option] if values is REST else word in values)]
    return ", ".join(f"``{word}``" for word in found) or NOT


def peers_table(found):
    """doc/peers.inc, but for its first lines. found: options that --describe=json tells."""
    options = {option["name"]: option["values"] for option in found}
    lines = [".. list-table::", "   :header-rows: 1", "   :stub-columns: 1",
             "   :widths: 15 28 12 13 11 8 6 7", ""]
    for row in ((" ", "dcfabric", PEERS), *((name, ours(options, what), peers)
                                            for name, what, peers in ROWS)):
        name, own, peers = row
        lines += [f"   * - {name}".rstrip(), f"     - {own}", *(f"     - {cell}" for cell in peers)]
    return "\n".join(lines) + "\n"
