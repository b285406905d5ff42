# SPDX-License-Identifier: GPL-2.0-only
# Written by .ci/update-options from what dcfabric-sim --describe=json tells.
"""The options of dcfabric-sim as fields: the part of Scenario that the program knows."""
from __future__ import annotations

import dataclasses
import os
from typing import TYPE_CHECKING, Literal, Sequence

if TYPE_CHECKING:
    from .congestion_control import CongestionControl

FILES = {
    "config": ("",),
    "topology": ("file:", "topo:"),
    "workload": ("cdf:", "program:", "flows:", "cm:"),
    "partition": ("file:",),
    "policies": ("",),
    "library": ("",),
    "faults": ("",),
}
"""What stands before the path of a file that is read, by option."""
LISTS = (
    "oversubscription", "tier_rates", "tier_delays", "only", "alone", "modifiers", "features",
    "library", "trace", "export")
"""Fields that may have several values."""
WORDS = {
    "topology": ("fat-tree:", "leaf-spine:", "dumbbell:", "clos4:", "dragonfly:", "dragonfly-plus:",
        "torus:", "hyperx:", "file:", "topo:",),
    "workload": ("websearch", "hadoop", "enterprise", "datamining", "alistorage", "googlerpc",
        "cdf:", "permutation:", "incast:", "pairs:", "shift:", "alltoall:", "allreduce-ring:",
        "allreduce-hd:", "hotspot:", "program:", "flows:", "cm:",),
    "cc": ("hpcc", "fncc", "hpcc-rate", "hpcc-pint", "powertcp", "theta-powertcp", "dcqcn",
        "dcqcn-plus", "dcqcn+win", "rocc", "dctcp", "timely", "timely+win", "swift", "falcon",
        "mprdma", "nscc", "bolt", "ib", "bts", "rccc", "nscc+rccc", "swift+rccc", "ndp", "homa",
        "none", "external", "external-int", "external-ack-int",),
    "lb": ("symmetric-ecmp", "ecmp", "weighted-ecmp", "spanning-trees", "spray-random", "spray-rr",
        "reps", "reps-ring", "oblivious", "bitmap", "mixed", "mrc", "plb", "falcon", "path-set:",
        "flowlet", "adaptive", "drill", "conga", "conweave", "hermes",),
    "routing": ("shortest", "minimal", "valiant", "ugal", "par", "piggyback", "par-piggyback",
        "dimension-order", "minimal-adaptive", "hyperx-valiant", "hyperx-ugal", "hyperx-par",
        "hyperx-piggyback", "hyperx-par-piggyback",),
    "flow_control": ("pfc", "credit", "voq-credit", "cbfc", "none",),
    "link_retry": ("none", "llr",),
    "modifiers": ("ratio-cut", "ewma-gate", "majority-gate", "median-filter", "rtt-ecn-recovery",),
    "features": ("wreb", "rcm", "fecn", "pfc-watchdog", "shield",),
    "trimming": ("none", "headers",),
    "throttle": ("none", "pft",),
    "coordination": ("none", "ccm",),
    "switch": ("shared-buffer", "abm", "reverie", "voq",),
    "base_rtt": ("largest", "pair",),
    "reliability": ("selective-repeat", "go-back-n", "rack", "sleek", "irn", "idempotent", "none",),
    "messages": ("preposted", "rtw", "deferrable", "rnr", "rendezvous",),
    "post_delay": ("none", "fixed:", "uniform:", "exponential:",),
    "match_table": ("hash", "tcam",),
    "convergence": ("none",),
    "service": ("rud", "rod", "rudi", "uud",),
    "wire_format": ("roce", "hpcc-sim", "uet", "uet-htsim",),
    "preset": ("fncc24", "hpcc-sigcomm19", "conweave23", "dcqcn-paper", "mellanox-100g", "rcm17",
        "uet", "uet-rccc", "uet-both", "mrc", "mprdma", "srd-like", "irn", "nvl72-like",
        "sharp-like", "ualink-like",),
    "trace": ("computations", "links", "messages", "pcap", "pfc", "queues", "rates", "retries",
        "trims", "windows",),
    "export": ("hpcc-fct", "entropies",),
}
"""What begins a value, by field; where more follows it, with a colon."""
KINDS = {
    "rate": "rate",
    "delay": "time",
    "payload": "integer",
    "switch_latency": "time",
    "error_rate": "number",
    "oversubscription": "number",
    "tier_rates": "rate",
    "tier_delays": "time",
    "load": "number",
    "duration": "time",
    "stop": "time",
    "seed": "integer",
    "base_rtt": "time",
    "convergence": "time",
    "trace_interval": "time",
}
"""Of fields that are quantities."""
BOUNDS = {
    "payload": (1, 65535,),
    "error_rate": (0, 1,),
    "load": (0, 1,),
    "seed": (0, 4294967295,),
}
"""Least and largest value."""

Workload = Literal[
    "websearch", "hadoop", "enterprise", "datamining", "alistorage", "googlerpc"]
Cc = Literal[
    "hpcc", "fncc", "hpcc-rate", "hpcc-pint", "powertcp", "theta-powertcp", "dcqcn", "dcqcn-plus",
    "dcqcn+win", "rocc", "dctcp", "timely", "timely+win", "swift", "falcon", "mprdma", "nscc",
    "bolt", "ib", "bts", "rccc", "nscc+rccc", "swift+rccc", "ndp", "homa", "none", "external",
    "external-int", "external-ack-int"]
Lb = Literal[
    "symmetric-ecmp", "ecmp", "weighted-ecmp", "spanning-trees", "spray-random", "spray-rr", "reps",
    "reps-ring", "oblivious", "bitmap", "mixed", "mrc", "plb", "falcon", "flowlet", "adaptive",
    "drill", "conga", "conweave", "hermes"]
Routing = Literal[
    "shortest", "minimal", "valiant", "ugal", "par", "piggyback", "par-piggyback",
    "dimension-order", "minimal-adaptive", "hyperx-valiant", "hyperx-ugal", "hyperx-par",
    "hyperx-piggyback", "hyperx-par-piggyback"]
FlowControl = Literal[
    "pfc", "credit", "voq-credit", "cbfc", "none"]
LinkRetry = Literal[
    "none", "llr"]
Modifiers = Literal[
    "ratio-cut", "ewma-gate", "majority-gate", "median-filter", "rtt-ecn-recovery"]
Features = Literal[
    "wreb", "rcm", "fecn", "pfc-watchdog", "shield"]
Trimming = Literal[
    "none", "headers"]
Throttle = Literal[
    "none", "pft"]
Coordination = Literal[
    "none", "ccm"]
Switch = Literal[
    "shared-buffer", "abm", "reverie", "voq"]
Reliability = Literal[
    "selective-repeat", "go-back-n", "rack", "sleek", "irn", "idempotent", "none"]
Messages = Literal[
    "preposted", "rtw", "deferrable", "rnr", "rendezvous"]
PostDelay = Literal[
    "none"]
MatchTable = Literal[
    "hash", "tcam"]
Service = Literal[
    "rud", "rod", "rudi", "uud"]
WireFormat = Literal[
    "roce", "hpcc-sim", "uet", "uet-htsim"]
Preset = Literal[
    "fncc24", "hpcc-sigcomm19", "conweave23", "dcqcn-paper", "mellanox-100g", "rcm17", "uet",
    "uet-rccc", "uet-both", "mrc", "mprdma", "srd-like", "irn", "nvl72-like", "sharp-like",
    "ualink-like"]
Trace = Literal[
    "computations", "links", "messages", "pcap", "pfc", "queues", "rates", "retries", "trims",
    "windows"]
Export = Literal[
    "hpcc-fct", "entropies"]


@dataclasses.dataclass(frozen=True)
class OptionFields:
    """Each field is an option with ``_`` for ``-``; one that is None is not given."""

    topology: str | None = None
    """network topology: ``fat-tree:k=8``, ``leaf-spine:leaves=8,spines=8,hosts=16,homes=1`` (with
    ``homes=2`` each host has links to two leaves), ``dumbbell:switches=3,senders=2``,
    ``clos4:racks=4,hosts=2,l1=2,l2=2,switching-racks=2,l3=2,l4=2`` (four layers),
    ``dragonfly:hosts=2,routers=4,globals=2,groups=9,arrangement=absolute,rails=1`` (hosts and
    global links of each of the routers of a group, also as ``p``, ``a``, ``h`` and ``g`` for the
    groups; ``groups=0``: as many as fit; other arrangements of global links are ``relative``,
    ``palm-tree`` and ``circulant``; with ``rails=2`` each host has links to two such networks),
    ``dragonfly-plus:leaves=4,spines=4,hosts=4,globals=4,groups=9,arrangement=absolute,rails=1``
    (leaves and spines of a group, hosts of a leaf, global links of a spine),
    ``torus:dims=4x4x4,hosts=1,rails=1`` (rings of any sizes in any number of dimensions),
    ``hyperx:dims=4x4,hosts=2,links=1,rails=1`` (a full mesh in each dimension, with so many
    parallel links; hosts also as ``t``, links as ``k``), ``file:PATH`` (topology file of the HPCC
    simulator, or of SimAI with GPU servers; hosts may have links to several planes), ``topo:PATH``
    (topology file of htsim). Default: ``fat-tree:k=8``."""
    _: dataclasses.KW_ONLY
    rate: str | None = None
    """rate of all links. With a unit. Default: ``100Gbps``."""
    delay: str | None = None
    """propagation delay of all links. With a unit. Default: ``1us``."""
    payload: int | None = None
    """bytes of payload of a full packet. Default: ``1000``."""
    switch_latency: str | None = None
    """latency of each switch, without queueing. With a unit."""
    error_rate: float | None = None
    """packet loss probability of links; a topology file's own values take precedence. Default:
    ``0``."""
    oversubscription: str | float | Sequence[str | float] | None = ()
    """ratio of downlink to uplink capacity for each switch tier, comma-separated, edge first."""
    tier_rates: str | Sequence[str] | None = ()
    """rate of each tier of links, comma-separated, host links first. With a unit."""
    tier_delays: str | Sequence[str] | None = ()
    """delay of each tier of links, comma-separated, host links first. With a unit."""
    workload: Workload | str | None = None
    """traffic; several at once with plus signs, as in ``alltoall+incast:start=50us``, have labels
    in results; without it ``websearch``, on a dumbbell ``pairs`` (i to N+i): ``websearch``,
    ``hadoop``, ``enterprise``, ``datamining``, ``alistorage``, ``googlerpc``, ``cdf:PATH`` (sizes
    of flows by a file), ``permutation:size=2MB,start=0s``,
    ``incast:fan-in=16,size=1MB,dst=0,start=0s``, ``pairs:size=2MB,start=0s``,
    ``shift:by=1,size=2MB,start=0s`` (host i to i+by), ``alltoall:size=100kB,start=0s``,
    ``allreduce-ring:size=1MB,start=0s``, ``allreduce-hd:size=1MB,start=0s``,
    ``hotspot:traffic=0.85,hosts=0.15,sizes=websearch,cold=others`` (or ``size=1MB``),
    ``program:PATH`` (programs of ranks; ``name=``, ``placement=``, ``priority=`` and ``start=`` (or
    ``@TIME``) may follow, see :doc:`jobs`), ``flows:PATH`` (flow file of HPCC or ConWeave),
    ``cm:PATH,unit=us`` (connection matrix of htsim)."""
    only: str | Sequence[str] | None = ()
    """parts of ``workload`` that run, by their labels; the others keep their hosts and send
    nothing, so that these are alone. See :doc:`jobs`."""
    alone: str | Sequence[str] | None = ()
    """result folders of runs with ``only``, against which ``jobs.csv`` and ``steps.csv`` tell
    slowdowns."""
    compute: str | None = None
    """``FLOPS,BYTES/s`` of a rank, such as ``312TFLOPS,2TB/s``: how long ``compute flops=N
    bytes=SIZE`` of a program takes (:doc:`programs`)."""
    load: float | str | os.PathLike[str] | None = None
    """payload offered per host over its line rate (Poisson arrivals). Default: ``0.5``. A path of a
    library is as ``library``."""
    duration: str | None = None
    """time during which flows arrive (Poisson arrivals). With a unit. Default: ``2ms``."""
    stop: str | None = None
    """simulated time at which to stop; without it the run ends when all flows are complete. With a
    unit."""
    seed: int = 1
    """seed of all random choices; the same seed gives the same bytes of ``flows.csv``. Default:
    ``1``."""
    cc: Cc | str | type[CongestionControl] | None = None
    """congestion control: ``hpcc``, ``fncc``, ``hpcc-rate`` (HPCC without a window,
    :doc:`schemes`), ``hpcc-pint`` (HPCC by one byte of telemetry, :doc:`schemes`), ``powertcp``
    (:doc:`schemes`), ``theta-powertcp`` (PowerTCP by RTTs alone, :doc:`schemes`), ``dcqcn``,
    ``dcqcn-plus`` (DCQCN whose CNPs and timers go by the number of flows, :doc:`schemes`),
    ``dcqcn+win`` (with a window, :doc:`schemes`), ``rocc`` (:doc:`rocc`), ``dctcp``, ``timely``,
    ``timely+win`` (with a window, :doc:`schemes`), ``swift``, ``falcon`` (delay windows of Falcon,
    with ``lb="plb"``, :doc:`schemes`), ``mprdma`` (window of MP-RDMA, best with ``lb="reps"``,
    :doc:`schemes`), ``nscc`` (of Ultra Ethernet, :doc:`uet`), ``bolt`` (switches tell of queues at
    once and grant increases, :doc:`schemes`), ``ib`` (FECN and BECN of InfiniBand, :doc:`schemes`),
    ``bts`` (driven by back-to-sender notifications), ``rccc`` (credit from receivers as in Ultra
    Ethernet, :doc:`uet`), ``nscc+rccc`` (both of Ultra Ethernet: the smaller window holds),
    ``swift+rccc`` (both: the smaller window holds), ``ndp`` (receivers pull packets, :doc:`uet`),
    ``homa`` (receivers grant what is shortest, :doc:`uet`), ``none`` (line rate), ``external``
    (decided by another process, as by the Python package), ``external-int`` (the same with INT on
    data packets), ``external-ack-int`` (with INT on ACKs). Default: ``hpcc``. In Python also a
    subclass of CongestionControl."""
    lb: Lb | str | None = None
    """load balancing: ``symmetric-ecmp``, ``ecmp``, ``weighted-ecmp`` (ECMP by the capacity of
    ways, also of what failures leave, :doc:`schemes`), ``spanning-trees`` (a tree for each flow,
    one for each core or spine), ``spray-random`` (a random entropy for each packet), ``spray-rr``
    (the next entropy for each packet), ``reps`` (recycled entropies: those that met no congestion
    are reused, :doc:`reps`), ``reps-ring`` (REPS with a small ring that is frozen when a path
    fails, :doc:`uet`), ``oblivious`` (packets sprayed over a set of entropies, each once in a
    round, :doc:`uet`), ``bitmap`` (the same, without those that met congestion, :doc:`uet`),
    ``mixed`` (recycled entropies, and those of ``bitmap`` where there are none, :doc:`uet`),
    ``mrc`` (entropies with states: good, skip, assumed bad, denied, :doc:`uet`), ``plb`` (a flow
    takes another entropy when marks last, :doc:`reps`), ``falcon`` (four paths in turn, each left
    for another one when it is slow, :doc:`schemes`), ``path-set:paths=8`` (packets sprayed round
    robin over a few entropies), ``flowlet`` (flowlet switching: a flow may change its path after a
    pause), ``adaptive`` (adaptive routing: each packet takes the port with the shortest queue),
    ``drill`` (each packet takes the best of two ports and the best one before, :doc:`schemes`),
    ``conga`` (each flowlet takes the way that is least congested from end to end, :doc:`schemes`),
    ``conweave`` (a flow leaves a way that is slow, and is put in order again, :doc:`schemes`),
    ``hermes`` (a flow leaves a way only if much is gained, ways are probed, :doc:`schemes`).
    Default: ``symmetric-ecmp``."""
    routing: Routing | str | None = None
    """ways on which packets go (:doc:`direct-routing`); without it what the topology says:
    ``minimal`` on dragonflies, ``dimension-order`` on torus and HyperX, else ``shortest``:
    ``shortest`` (all ways with the fewest hops), ``minimal`` (dragonflies: over one link between
    groups at most), ``valiant`` (dragonflies: by way of a third group that is drawn for each
    packet), ``ugal`` (dragonflies: UGAL-L, each packet as under ``minimal`` or ``valiant``, as
    queues are), ``par`` (dragonflies: as ``ugal``, and again at the second switch of a group),
    ``piggyback`` (dragonflies: as ``ugal``, as links between groups are used, which the switches of
    a group tell one another), ``par-piggyback`` (dragonflies: the same, and again at the second
    switch of a group), ``dimension-order`` (torus and HyperX: one dimension after the other),
    ``minimal-adaptive`` (torus and HyperX: of all ways with the fewest hops, as queues are),
    ``hyperx-valiant`` (HyperX: by way of another switch that is drawn for each packet),
    ``hyperx-ugal`` (HyperX: UGAL-L, each packet as under ``dimension-order`` or ``hyperx-valiant``,
    as queues are), ``hyperx-par`` (HyperX: as ``hyperx-ugal``, and again at the second switch),
    ``hyperx-piggyback`` (HyperX: as ``hyperx-ugal``, as links are used, which neighbors tell one
    another), ``hyperx-par-piggyback`` (HyperX: the same, and again at the second switch)."""
    flow_control: FlowControl | str | None = None
    """link-level flow control: ``pfc``, ``credit``, ``voq-credit`` (with ``switch="voq"``),
    ``cbfc`` (credits as those of Ultra Ethernet: 20 B more for each packet, ordered sets,
    :doc:`uet`), ``none``. Default: ``pfc``."""
    link_retry: LinkRetry | str | None = None
    """whether ports send frames again that a wire loses or damages: ``none``, ``llr`` (as in Ultra
    Ethernet, :doc:`uet`). Default: ``none``."""
    modifiers: Modifiers | str | Sequence[Modifiers | str] | None = ()
    """modifiers of the congestion control, comma-separated; they work with any ``cc``
    (:doc:`modifiers`): ``ratio-cut`` (reductions are scaled by the sender's share of the link
    rate), ``ewma-gate`` (cuts only while the connection's paths together are congested),
    ``majority-gate`` (cuts only while a majority of the connection's paths is congested),
    ``median-filter`` (the congestion control is told the median of the last signals),
    ``rtt-ecn-recovery`` (doubles window and rate while neither marks nor RTTs show congestion)."""
    policies: str | os.PathLike[str] | None = None
    """file of exceptions: ``cc``, host ``lb`` and ``modifiers`` of some hosts, or of their flows to
    some destinations, one per line, such as ``0-3 * cc=swift lb=reps`` or ``4,5 8 cc=dctcp
    modifiers=ratio-cut``. See :doc:`modifiers`."""
    features: Features | str | Sequence[Features | str] | None = ()
    """features of switches, comma-separated: ``wreb`` (back-to-sender notification, :doc:`wreb`;
    implied by ``cc="bts"``), ``rcm`` (regional congestion mitigation, :doc:`rcm`; with
    ``switch="voq"``), ``fecn`` (marks as the switches of InfiniBand set them, :doc:`schemes`;
    implied by ``cc="ib"``), ``pfc-watchdog`` (a class that is paused for too long is dropped,
    :doc:`faults`; with ``flow_control="pfc"``), ``shield`` (a switch that has lost its last port to
    a host tells its neighbors, :doc:`schemes`)."""
    trimming: Trimming | str | None = None
    """what becomes of a data packet that a port has no room for, instead of being dropped:
    ``none``, ``headers`` (its headers go on to the receiver, :doc:`uet`; with
    ``flow_control="none"``). Default: ``none``."""
    throttle: Throttle | str | None = None
    """what limits the data that each port of a host injects, beside the congestion control:
    ``none``, ``pft`` (proactive flow throttling by used credits, :doc:`pft`; with
    ``flow_control="credit"``). Default: ``none``."""
    coordination: Coordination | str | None = None
    """congestion management of hosts and switches together: ``none``, ``ccm`` (CCM: switches
    re-route around congestion and tell hosts when to reduce, :doc:`ccm`). Default: ``none``."""
    library: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | None = ()
    """libraries with policies of your own, comma-separated, which options then choose by TypeId, as
    ``cc="ns3::Mine"``; also written ``load="libmine.so"`` (:doc:`plugins`)."""
    queue_disc: str | None = None
    """root queue disc of switch ports, by TypeId; those of ns-3 only with ``flow_control="none"``
    and a ``cc`` without ECN. Default: ``ns3::CongestionAwareQueueDisc``."""
    switch: Switch | str | None = None
    """organization of switches: ``shared-buffer`` (output-queued), ``abm`` (the same, thresholds of
    active buffer management, :doc:`schemes`), ``reverie`` (the same, thresholds of Reverie,
    :doc:`schemes`), ``voq`` (virtual output queues (at inputs) and output queues). Default:
    ``shared-buffer``."""
    marking: str | None = None
    """ECN thresholds by rate of the link, Kmin, Kmax and Pmax:
    ``'25Gbps:100kB,400kB,0.2;100Gbps:400kB,1600kB,0.2'`` (in quotes, for the shell), or ``none``
    for no marks; without it those of ``ns3::WredMarkingProfile``, scaled with the rate."""
    base_rtt: str | None = None
    """base RTT T that congestion controls assume, a time or a word: ``largest`` (of all pairs of
    hosts), ``pair`` (of each pair). With a unit. Default: ``largest``."""
    reliability: Reliability | str | None = None
    """what repairs losses; without it what the other policies need, else ``selective-repeat``:
    ``selective-repeat``, ``go-back-n``, ``rack`` (selective repeat by time, for packets that
    overtake), ``sleek`` (selective repeat by the count of packets out of order, :doc:`uet`),
    ``irn`` (selective repeat of IRN: at most a BDP ahead, two time-outs, :doc:`schemes`),
    ``idempotent`` (at least once, without a context at receivers, :doc:`uet`), ``none`` (datagrams:
    nothing is answered or sent again, :doc:`uet`; with ``cc="none"``)."""
    messages: Messages | str | None = None
    """flows are messages that a match table matches with posted receives (:doc:`messages`); the
    value says what happens to a message whose receive is not posted. Without it no table is used
    and all receives count as posted: ``preposted`` (none is late), ``rtw`` (request to wait),
    ``deferrable`` (the same, and the receiver says from where on to send), ``rnr`` (receiver not
    ready), ``rendezvous``."""
    post_delay: PostDelay | str | None = None
    """with ``messages="rtw"``, ``deferrable``, ``rnr`` or ``rendezvous``, time from the start of a
    message to its receive being posted: ``none``, ``fixed:T``, ``uniform:A,B``,
    ``exponential:mean=T``. Default: ``none``."""
    match_table: MatchTable | str | None = None
    """with ``messages``, the match table: ``hash``, ``tcam``. Default: ``hash``."""
    faults: str | os.PathLike[str] | None = None
    """file of faults, one per line, such as ``120us down 16 24``, ``300us up 16 24``, ``300us rate
    16 24 50Gbps``, ``0us loss 16 24 0.001``, ``1ms switch-down 24`` or ``1ms storm 3``. See
    :doc:`faults`."""
    link_down: str | None = None
    """``TIME,A,B``: the link between nodes A and B goes down, such as ``120us,16,24`` or
    ``120us,leaf-0,spine-1``; also beside ``faults``."""
    convergence: str | None = None
    """time from when a link goes down or comes up until the tables of all switches and hosts know
    of it, or a word: ``none`` (they stay as they are, and only the ends of the link know). With a
    unit. Default: ``none``."""
    service: Service | str | None = None
    """delivery service of all flows, which stands for the options that it needs (:doc:`uet`):
    ``rud`` (reliable and unordered, for one path or many), ``rod`` (reliable and ordered, on one
    path, by ``go-back-n``; messages of two hosts follow one another), ``rudi`` (at least once, for
    messages that may arrive twice; receivers keep no context), ``uud`` (datagrams: no answers, no
    congestion control, nothing is sent again)."""
    wire_format: WireFormat | str | None = None
    """sizes of headers and control packets (:doc:`wire-format`): ``roce`` (RoCEv2), ``hpcc-sim``
    (as in the public simulator of HPCC), ``uet`` (Ultra Ethernet), ``uet-htsim`` (as in the public
    simulator of Ultra Ethernet). Default: ``roce``."""
    preset: Preset | str | None = None
    """named sets of parameters; other options override: ``fncc24`` (FNCC paper), ``hpcc-sigcomm19``
    (public HPCC simulator), ``conweave23`` (public ConWeave simulator), ``dcqcn-paper`` (DCQCN
    paper), ``mellanox-100g`` (DCQCN of Mellanox adapters), ``rcm17`` (RCM paper), ``uet`` (Ultra
    Ethernet, window at senders (NSCC)), ``uet-rccc`` (Ultra Ethernet, credit of receivers (RCCC)),
    ``uet-both`` (Ultra Ethernet, window and credit), ``mrc`` (NSCC with states of entropies, as in
    MRC), ``mprdma`` (MP-RDMA), ``srd-like`` (an approximation of AWS SRD), ``irn`` (IRN: RDMA
    without flow control), ``nvl72-like`` (links of the fifth NVLink, an approximation),
    ``sharp-like`` (links of HDR InfiniBand, an approximation), ``ualink-like`` (links of UALink
    200G 1.0, an approximation)."""
    trace: Trace | str | Sequence[Trace | str] | None = ()
    """time series as CSV, and captures; comma-separated: ``computations`` (of ranks, with
    ``workload="program:PATH"``), ``links``, ``messages`` (their states, with ``messages``),
    ``pcap`` (captures of host ports, or of others by ``--ns3::PcapPorts::Ports``), ``pfc``,
    ``queues``, ``rates``, ``retries`` (with ``link_retry="llr"``), ``trims`` (with ``trimming``),
    ``windows`` (every change of window, rate, RTT and state of senders)."""
    trace_interval: str | None = None
    """time between two samples. With a unit. Default: ``1us``."""
    export: Export | str | Sequence[Export | str] | None = ()
    """extra formats, comma-separated: ``hpcc-fct`` (``fct.txt`` of the public HPCC simulator),
    ``entropies`` (``entropies.txt`` of recurrent connections, for ``--ns3::EntropyFile::From`` of
    the next run)."""
    config: str | os.PathLike[str] | None = None
    """configuration file (``config.txt``) of the HPCC or ConWeave simulator; other options
    override. See :doc:`migrating`."""
