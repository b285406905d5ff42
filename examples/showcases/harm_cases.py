# SPDX-License-Identifier: GPL-2.0-only
"""What the harm table compares: scenarios that are not from the papers of what is compared, and
with what each is compared."""
from __future__ import annotations

import dataclasses
import random
from pathlib import Path
from typing import Any, Callable, Iterable, Mapping

from dcfabric.faults import write_faults
from dcfabric.flows import Flow
from dcfabric.scenario import Scenario

Fields = Mapping[str, Any]
STOP = "50ms"
"""Flows of 2 MB at most: a run that has not ended by then has flows that make no progress."""
SHIFT_NS = 5e3
"""Starts of flows that begin together are this far apart, at random."""
MERGED = ("modifiers", "features", "attributes", "options")
"""Fields to which a subject adds; the others it sets."""


@dataclasses.dataclass(frozen=True)
class Case:
    """A scenario of the table."""

    what: str
    """in a few words, for the document"""
    fields: Fields
    """of a Scenario"""
    flows: Callable[[random.Random], list[Flow]] | None = None
    """drawn for each seed, None where the fields have a workload"""
    faults: tuple[str, ...] = ()
    """lines of a file of faults"""
    small: bool = False
    """whether switches have a memory of 1 MB: see SMALL"""
    link_bytes: int = 0
    """what the ingress buffer of a link has at least over credits: see buffer()"""


@dataclasses.dataclass(frozen=True)
class Subject:
    """What may do harm, and the run without it."""

    kind: str
    """technique, congestion control, load balancer or switch memory"""
    fields: Fields
    """of a Scenario, with it"""
    base: Fields
    """the same without it"""
    only: tuple[str, ...] = ()
    """the cases in which it means something, none for all"""


def pairs(
        *groups: tuple[Iterable[tuple[int, int]], int, float]) -> Callable[[
            random.Random], list[Flow]]:
    """Flows between hosts. groups: pairs of hosts, bytes of each, and the time in ns at which they
    begin, each later by up to SHIFT_NS at random."""
    fixed = [(list(of), size, start) for of, size, start in groups]
    return lambda draw: [Flow(src, dst, size, round(start + draw.uniform(0, SHIFT_NS), 3))
                         for of, size, start in fixed for src, dst in of]


def permutation(hosts: int, size: int) -> Callable[[random.Random], list[Flow]]:
    """Each host sends to one other at random, and gets from one."""

    def flows(draw: random.Random) -> list[Flow]:
        order = list(range(hosts))
        draw.shuffle(order)
        return [Flow(order[at], order[(at + 1) % hosts], size, round(draw.uniform(0, SHIFT_NS), 3))
                for at in range(hosts)]
    return flows


def shift(hosts: int, by: int) -> list[tuple[int, int]]:
    """Host i to host i + by."""
    return [(host, (host + by) % hosts) for host in range(hosts)]


def to_one(dst: int, sources: Iterable[int], times: int = 1) -> list[tuple[int, int]]:
    """All to one host, so many times each."""
    return [(src, dst) for src in sources for _ in range(times)]


def poisson(workload: str, load: float, duration: str) -> dict[str, Any]:
    """Flows that arrive at random."""
    return {"workload": workload, "load": load, "duration": duration}


RACK, LEAVES, TREE = ("leaf-spine:leaves=1,spines=1,hosts=16",
                      "leaf-spine:leaves=4,spines=4,hosts=4", "fat-tree:k=4")
CLOS4 = "clos4:racks=4,hosts=2,l1=2,l2=2,switching-racks=2,l3=2,l4=2"
LOSSY = {"flow_control": "none"}
PFT_BYTES = 131072
"""Of the ingress buffer of a link and class: the program's default under PFT."""
SMALL = {"ns3::SharedBuffer::Size": 1_000_000}
SMALL_VOQ = {"ns3::VoqBuffer::QueueBytes": 15_000, "ns3::VoqBuffer::OutputBytes": 50_000}
"""1 MB of packets for a switch with eight ports: with virtual output queues 8 x 50 + 56 x 15 kB."""
# hosts of LEAVES are 0 to 15, leaves 16 to 19, spines 20 to 23
CASES: dict[str, Case] = {
    "rack": Case("a switch with 16 hosts, WebSearch at 50 %",
                 {"topology": RACK, **poisson("websearch", 0.5, "500us")}),
    "rack incast": Case("a switch, 15 hosts send 200 kB to one, which sends 1 MB",
                        {"topology": RACK},
                        pairs((to_one(0, range(1, 16)), 200_000, 0), ([(0, 1)], 1_000_000, 0))),
    "web search": Case("leaf-spine with 16 hosts, WebSearch at 70 %",
                       {"topology": LEAVES, **poisson("websearch", 0.7, "500us")}),
    "permutation": Case("leaf-spine, 1 MB from each host to another", {"topology": LEAVES},
                        permutation(16, 1_000_000)),
    "shift": Case("leaf-spine, 1 MB from each host to the next leaf", {"topology": LEAVES},
                  pairs((shift(16, 4), 1_000_000, 0))),
    "oversubscribed": Case("leaf-spine, up-links a quarter of the hosts', WebSearch at 20 %",
                           {"topology": LEAVES, "oversubscription": "4",
                            **poisson("websearch", 0.2, "1ms")}),
    "two roots":
    Case("leaf-spine, six hosts of three leaves to each of two hosts (500 kB), four victims (300 "
         "kB)", {"topology": LEAVES},
         pairs((to_one(0, (4, 5, 8, 9, 12, 13)), 500_000, 0),
               (to_one(5, (1, 2, 8, 9, 12, 13)), 500_000, 0),
               ([(6, 1), (10, 2), (14, 7), (11, 3)], 300_000, 20e3))),
    "incast in web search": Case("leaf-spine, 8 hosts send 250 kB to one amid WebSearch at 30 %",
                               {"topology": LEAVES,
                                **poisson("websearch+incast:fan-in=8,size=250kB,dst=0,start=50us",
                                          0.3, "500us")}),
    "many to one": Case("leaf-spine, 12 hosts send 8 flows of 25 kB each to one",
                        {"topology": LEAVES},
                        pairs((to_one(0, range(4, 16), 8), 25_000, 0))),
    "few flows": Case("leaf-spine, two flows of 2 MB to one host and one past them",
                      {"topology": LEAVES},
                      pairs((to_one(0, (4, 8)), 2_000_000, 0), ([(5, 1)], 1_000_000, 0))),
    "all-to-all": Case("leaf-spine, 40 kB from each host to each other",
                       {"topology": LEAVES, "workload": "alltoall:size=40kB"}),
    "ring": Case("leaf-spine, ring all-reduce of 2 MB",
                 {"topology": LEAVES, "workload": "allreduce-ring:size=2MB"}),
    "halving": Case("fat-tree with 16 hosts, all-reduce of 1 MB by halving and doubling",
                    {"topology": TREE, "workload": "allreduce-hd:size=1MB"}),
    "short flows": Case("fat-tree, Hadoop at 60 %",
                        {"topology": TREE, **poisson("hadoop", 0.6, "300us")}),
    "elephants": Case("fat-tree, 2 MB from every second host half-way around", {"topology": TREE},
                      pairs(([(host, (host + 8) % 16) for host in range(0, 16, 2)], 2_000_000, 0))),
    "deep": Case("four layers with 16 hosts, WebSearch at 40 %",
                 {"topology": CLOS4, **poisson("websearch", 0.4, "500us")}),
    "deep incast": Case("four layers, 7 hosts send 300 kB to one, 500 kB from each host to another",
                        {"topology": CLOS4},
                        lambda draw: permutation(16, 500_000)(draw)
                        + pairs((to_one(0, range(2, 16, 2)), 300_000, 10e3))(draw)),
    "long links": Case("leaf-spine with links of 10 us, WebSearch at 50 %",
                       {"topology": LEAVES, "delay": "10us", **poisson("websearch", 0.5, "600us")},
                       link_bytes=400_000),
    "very long links": Case("leaf-spine with links of 50 us, 2 MB from each host to another",
                            {"topology": LEAVES, "delay": "50us"},
                            permutation(16, 2_000_000), link_bytes=1_600_000),
    "short links":
    Case("leaf-spine with links of 50 ns, 8 hosts send 250 kB to one amid 500 kB from each host to "
         "another",
         {"topology": LEAVES, "delay": "50ns"},
         lambda draw: permutation(16, 500_000)(draw)
         + pairs((to_one(0, range(8, 16)), 250_000, 10e3))(draw)),
    "slow links": Case("links of 10 Gb/s, WebSearch at 50 %",
                       {"topology": LEAVES, "rate": "10Gbps", **poisson("websearch", 0.5, "3ms")}),
    "fast links": Case("links of 400 Gb/s, WebSearch at 50 %",
                       {"topology": LEAVES, "rate": "400Gbps",
                        **poisson("websearch", 0.5, "150us")}),
    "mixed rates": Case("fat-tree, hosts at 25, switches at 100 Gb/s, WebSearch at 60 %",
                        {"topology": TREE, "tier_rates": "25Gbps,100Gbps,100Gbps",
                         **poisson("websearch", 0.6, "2ms")}),
    "slow spine":
    Case("leaf-spine, the links of one spine at 25 Gb/s, 500 kB from each host to another",
         {"topology": LEAVES},
         permutation(16, 500_000), tuple(f"0us rate {leaf} 20 25Gbps" for leaf in range(16, 20))),
    "dead link":
    Case("leaf-spine, a link of a leaf goes down at 20 us, tables know 50 us later, 500 kB from "
         "each host to another",
         {"topology": LEAVES, "convergence": "50us"}, permutation(16, 500_000),
         ("20us down 16 20",)),
    "loss":
    Case("leaf-spine without flow control, links to spines lose 0.5 % of frames, all-to-all of 40 "
         "kB",
         {"topology": LEAVES, **LOSSY, "workload": "alltoall:size=40kB"}, None,
         tuple(f"0us loss {leaf} {spine} 0.005" for leaf in range(16, 20)
               for spine in range(20, 24))),
    "lossy": Case("leaf-spine without flow control, WebSearch at 60 %",
                  {"topology": LEAVES, **LOSSY, **poisson("websearch", 0.6, "500us")}),
    "lossy incast":
    Case("leaf-spine without flow control, buffers of 1 MB, 12 hosts send 200 kB to one, 500 kB "
         "from each host to another",
         {"topology": LEAVES, **LOSSY}, lambda draw: permutation(16, 500_000)(draw)
         + pairs((to_one(0, range(4, 16)), 200_000, 10e3))(draw), small=True),
    "small buffers":
    Case("leaf-spine, buffers of 1 MB, incast of 12 x 200 kB amid 500 kB from each host to another",
         {"topology": LEAVES}, lambda draw: permutation(16, 500_000)(draw)
         + pairs((to_one(0, range(4, 16)), 200_000, 10e3))(draw), small=True),
    "dragonfly":
    Case("dragonfly with 36 hosts, 100 kB from each host to the next group but one, and 200 kB to "
         "another at random",
         {"topology": "dragonfly:hosts=2,routers=2,globals=4,groups=9"},
         lambda draw: permutation(36, 200_000)(draw) + pairs((shift(36, 8), 100_000, 0))(draw)),
    "torus": Case("torus of 4 x 4, 300 kB from each host to another",
                  {"topology": "torus:dims=4x4,hosts=1"}, permutation(16, 300_000)),
}
DIRECT = ("dragonfly", "torus")

TECHNIQUE, CONTROL, BALANCER, MEMORY = ("technique", "congestion control", "load balancer",
                                        "switch memory")
PATHS = "path-set:paths=8"


def beside(base: Fields, more: Fields) -> dict[str, Any]:
    """Fields of a subject in addition to those without it; what MERGED names is joined."""
    found = {**base, **more}
    for name in MERGED:
        if name in base and name in more:
            found[name] = ({**base[name], **more[name]} if isinstance(base[name], Mapping)
                           else (*base[name], *more[name]))
    return found


def technique(base: Fields, **more: Any) -> Subject:
    """Something that is added to a run."""
    return Subject(TECHNIQUE, beside(base, more), base)


DCQCN, DCTCP = {"cc": "dcqcn"}, {"cc": "dctcp"}
VOQ = {**DCQCN, "switch": "voq"}
SPRAYED = {**DCQCN, "lb": "spray-random"}
SUBJECTS: dict[str, Subject] = {
    "WREB with DCQCN": technique(DCQCN, features=("wreb",)),
    "WREB with DCTCP": technique(DCTCP, features=("wreb",)),
    "RCM": technique(VOQ, features=("rcm",)),
    "RCM without detours":
    technique(VOQ, features=("rcm",), attributes={"ns3::RcmFeature::Detour": False}),
    "CCM": technique(DCQCN, coordination="ccm"),
    "CCM over spraying":
    technique(SPRAYED, coordination="ccm", attributes={"ns3::CcmFeature::Adaptive": False}),
    "PFT": technique({**DCQCN, "flow_control": "credit"}, throttle="pft"),
    "ratio cut with DCQCN": technique(DCQCN, modifiers=("ratio-cut",)),
    "ratio cut with Swift": technique({"cc": "swift"}, modifiers=("ratio-cut",)),
    "EWMA gate with DCQCN": technique(SPRAYED, modifiers=("ewma-gate",)),
    "EWMA gate with HPCC": technique({"cc": "hpcc", "lb": PATHS}, modifiers=("ewma-gate",)),
    "majority gate with DCQCN": technique({**DCQCN, "lb": PATHS}, modifiers=("majority-gate",)),
    "majority gate with HPCC": technique({"cc": "hpcc", "lb": PATHS}, modifiers=("majority-gate",)),
    "recovery with DCQCN": technique(DCQCN, modifiers=("rtt-ecn-recovery",)),
    "recovery with DCTCP": technique(DCTCP, modifiers=("rtt-ecn-recovery",)),
    "median filter with DCQCN": technique({**DCQCN, "lb": PATHS}, modifiers=("median-filter",)),
    "median filter with Swift":
    technique({"cc": "swift", "lb": PATHS}, modifiers=("median-filter",)),
    "median filter with HPCC": technique({"cc": "hpcc", "lb": PATHS}, modifiers=("median-filter",)),
    **{name: Subject(CONTROL, {"cc": cc}, {"cc": "none"}) for name, cc in
       (("HPCC", "hpcc"), ("HPCC without window", "hpcc-rate"), ("HPCC-PINT", "hpcc-pint"),
        ("FNCC", "fncc"), ("PowerTCP", "powertcp"), ("theta-PowerTCP", "theta-powertcp"),
        ("DCQCN", "dcqcn"), ("DCQCN with window", "dcqcn+win"), ("DCQCN+", "dcqcn-plus"),
        ("RoCC", "rocc"), ("DCTCP", "dctcp"), ("MP-RDMA", "mprdma"), ("InfiniBand", "ib"),
        ("TIMELY", "timely"), ("TIMELY with window", "timely+win"), ("Swift", "swift"),
        ("Falcon", "falcon"), ("NSCC", "nscc"), ("RCCC", "rccc"), ("Bolt", "bolt"),
        ("BTS", "bts"))},
    **{name: Subject(BALANCER, {**DCQCN, "lb": lb}, DCQCN) for name, lb in
       (("ECMP", "ecmp"), ("weights", "weighted-ecmp"), ("trees", "spanning-trees"),
        ("random spraying", "spray-random"), ("round robin", "spray-rr"), ("path set", PATHS),
        ("REPS", "reps"), ("PLB", "plb"), ("flowlets", "flowlet"), ("CONGA", "conga"),
        ("ConWeave", "conweave"), ("Hermes", "hermes"), ("Falcon's paths", "falcon"),
        ("adaptive", "adaptive"), ("DRILL", "drill"))},
    "Valiant": Subject(BALANCER, {**DCQCN, "routing": "valiant"}, DCQCN, ("dragonfly",)),
    "UGAL": Subject(BALANCER, {**DCQCN, "routing": "ugal"}, DCQCN, ("dragonfly",)),
    "PAR and piggyback": Subject(BALANCER, {**DCQCN, "routing": "par-piggyback"}, DCQCN,
                                 ("dragonfly",)),
    "minimal adaptive": Subject(BALANCER, {**DCQCN, "routing": "minimal-adaptive"}, DCQCN,
                                ("torus",)),
    **{name: Subject(MEMORY, {**DCQCN, "switch": switch}, DCQCN) for name, switch in
       (("ABM", "abm"), ("Reverie", "reverie"))},
}


def clash(case: Case, fields: Fields) -> str | None:
    """What a subject needs in place of what the case is about, None if nothing."""
    return next((f"{name} {value}" for name, value in fields.items()
                 if name not in MERGED and name in case.fields and case.fields[name] != value),
                None)


def run_label(fields: Fields) -> str:
    """Of what a subject adds, for the name of a run."""
    parts: list[str] = []
    for value in fields.values():
        if isinstance(value, Mapping):
            parts += [f"{key.rpartition(':')[2]}={one}" for key, one in value.items()]
        else:
            parts += [str(value)] if isinstance(value, str) else map(str, value)
    return "-".join(parts)


def buffer(case: Case, fields: Fields) -> dict[str, int]:
    """Attributes of buffers. Under PFT the program enlarges those of credits, which are no part of
    it: here they are so large without it, too, and on long links as large as these need."""
    if fields.get("flow_control") == "credit":
        return {"ns3::CreditFlowControl::BufferBytes": max(PFT_BYTES, case.link_bytes)}
    if not case.small:
        return {}
    return SMALL_VOQ if fields.get("switch") == "voq" else SMALL


def scenario(name: str, fields: Fields, seed: int, folder: Path) -> Scenario:
    """A run of the case with this name with more fields. folder: for a file of faults."""
    case = CASES[name]
    more: dict[str, Any] = {}
    if case.flows:
        more["flows"] = case.flows(random.Random(f"{name} {seed}"))
    if case.faults:
        more["faults"] = write_faults(folder / f"{name.replace(' ', '-')}.txt", case.faults)
    merged = beside(case.fields, fields)
    return Scenario(stop=STOP, seed=seed, **beside(merged, {"attributes": buffer(case, merged)}),
                    **more)
