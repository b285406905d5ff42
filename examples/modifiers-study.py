#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Which modifier helps which congestion control in which trouble.

    python3 modifiers-study.py [--quick] [--seeds N] [--out DIR] [--jobs N] [--program FILE]

EWMA gate, majority gate and median filter over six congestion controls, all over sets of eight
paths, which every one of them accepts; links of 100 Gb/s and 1 us. Hot path: four hosts at one of
two leaves under eight spines send 4 MB each to the other leaf, and four hosts at one of the spines,
which have no other path, 1 MB each to that leaf from about 50 us on. Long RTT: the same with links
of 10 us and twice the bytes. Incast: 12 of 16 hosts send 300 kB to one. Loss: a permutation of 1 MB
on the 16 hosts without flow control, where every link loses one packet in two thousand. Asymmetry:
a permutation of 2 MB between two leaves of four hosts under four spines, of which one has half the
rate. No trouble: WebSearch at half of the load. A number is a ratio to the run of the same seed
without a modifier, as the geometric mean over the seeds with the 95 % confidence interval
(Student's t of the logarithms): of the mean slowdown of the flows (on a hot path of those that have
a choice, and of the others), of the longest queue, and of the mean queue of the most loaded port.
--quick: DCTCP and Swift, hot path and incast, two seeds.
"""
import itertools
import math
import random
import sys

import find_dcfabric  # noqa: F401
from dcfabric import Flow, Scenario
from dcfabric.intervals import mean_interval
from showcases.experiment import Claim, Experiment, Number
from showcases.two_leaves import TwoLeaves

CONTROLS = {"DCTCP": "dctcp", "DCQCN": "dcqcn", "Swift": "swift", "TIMELY": "timely",
            "HPCC": "hpcc", "NSCC": "nscc"}
# NSCC asks for an ACK for every 16 KiB, of which a majority of paths cannot be told
EACH_ACK = {"NSCC": {"ns3::FabricNic::AckBytes": 0}}
NOTHING = "no modifier"
MODIFIERS = {"EWMA gate": "ewma-gate", "majority gate": "majority-gate",
             "median filter": "median-filter"}
PATHS = "path-set:paths=8"
SMALL = "leaf-spine:leaves=4,spines=4,hosts=4"
HOT_PATH, LONG_RTT, ASYMMETRY = "hot path", "long RTT", "asymmetry"
NETWORKS = {HOT_PATH: TwoLeaves(hosts=4, spines=8, across=4),
            LONG_RTT: TwoLeaves(hosts=4, spines=8, across=4, delay="10us"),
            ASYMMETRY: TwoLeaves(hosts=4, spines=4, slow="50Gbps")}
# bytes of each flow that has a choice, of each that has none, and when these begin at the earliest
BURSTS = {HOT_PATH: (4_000_000, 1_000_000, 50), LONG_RTT: (8_000_000, 2_000_000, 150)}
CASES = (HOT_PATH, LONG_RTT, "incast", "loss", ASYMMETRY, "no trouble")
QUICK_CONTROLS, QUICK_CASES = ("DCTCP", "Swift"), (HOT_PATH, "incast")
SLOWDOWN, QUEUE, MEAN_QUEUE = "slowdown, mean", "longest queue", "mean queue"
BURST = "slowdown of the others, mean"
HARM = 1.05
"""A ratio of slowdowns above is harm."""


def hot_path(case, topology, seed):
    """The flows of a hot path; those that make it so begin within 50 us, as the seed has it."""
    own, burst, earliest = BURSTS[case]
    draw = random.Random(seed)
    begin = 1e3 * draw.uniform(earliest, earliest + 50)
    hosts, across = NETWORKS[case].hosts, NETWORKS[case].across
    flows = [Flow(host, hosts + host, own) for host in range(hosts)]
    flows += [Flow(2 * hosts + i, 2 * hosts + across + i, burst, begin) for i in range(across)]
    return Scenario(topology=topology, flows=flows)


def make(case, files, seed):
    """The scenario of a case, without congestion control."""
    if case in BURSTS:
        return hot_path(case, files[case], seed)
    return {"incast": Scenario(topology=SMALL, workload="incast:fan-in=12,size=300kB"),
            "loss": Scenario(topology=SMALL, workload="permutation:size=1MB", flow_control="none",
                             error_rate=0.0005),
            ASYMMETRY: Scenario(topology=files[ASYMMETRY], workload="permutation:size=2MB"),
            "no trouble": Scenario(topology=SMALL, workload="websearch", load=0.5,
                                   duration="500us")}[case]


def measure(case, result):
    """What is compared."""
    flows = result.flows
    found = {QUEUE: float(result.summary["max_queue_bytes"]),
             MEAN_QUEUE: float(result.summary["mean_queue_bytes"])}
    if case not in BURSTS:
        return {SLOWDOWN: float(flows["slowdown"].mean()), **found}
    choose = flows["src"] < NETWORKS[case].hosts
    return {SLOWDOWN: float(flows[choose]["slowdown"].mean()), **found,
            BURST: float(flows[~choose]["slowdown"].mean())}


def ratio(pairs):
    """Geometric mean of ratios and its confidence interval."""
    found = mean_interval([math.log(one / other) for one, other in pairs])
    mean = math.exp(found.mean)
    if found.seeds == 1:
        return {"mean": mean, "low": mean, "high": mean}
    return {"mean": mean, "low": math.exp(found.low), "high": math.exp(found.high)}


def body(experiment):
    options = experiment.options
    seeds = range(1, options.seeds + 1)
    controls = QUICK_CONTROLS if options.quick else tuple(CONTROLS)
    cases = QUICK_CASES if options.quick else CASES
    files = {case: network.write(options.out / f"{case.replace(' ', '-')}.txt")
             for case, network in NETWORKS.items()}
    keys = {(case, control, modifier, seed):
            make(case, files, seed).replace(cc=CONTROLS[control], lb=PATHS, seed=seed,
                                            modifiers=MODIFIERS.get(modifier, ()),
                                            attributes=EACH_ACK.get(control, {}))
            for case, control, modifier, seed in itertools.product(
                cases, controls, (NOTHING, *MODIFIERS), seeds)}
    named = experiment.run({"-".join(map(str, key)).replace(" ", "-"): scenario
                            for key, scenario in keys.items()})
    found = {key: measure(key[0], result) for key, result in zip(keys, named.values())}
    numbers, series, best = [], {}, []
    for case, control in itertools.product(cases, controls):
        for quantity, modifier in itertools.product(found[case, control, NOTHING, 1], MODIFIERS):
            one = ratio([(found[case, control, modifier, seed][quantity],
                          found[case, control, NOTHING, seed][quantity]) for seed in seeds])
            if quantity != BURST:
                series.setdefault(case, {}).setdefault(quantity, {}).setdefault(
                    modifier, {})[control] = one
            numbers += [Number(f"{case}, {control}, {modifier}", f"{quantity}{end}", "", one[part])
                        for part, end in (("mean", ""), ("low", ", from"), ("high", ", to"))]
    for case, modifier in itertools.product(cases, MODIFIERS):
        by = series[case][SLOWDOWN][modifier]
        harmed = [control for control in controls if by[control]["low"] > HARM]
        best.append(Claim(f"{case}: the {modifier} slows no control down by more than 5 %",
                          not harmed, ", ".join(f"{control} {by[control]['mean']:.2f}"
                                                for control in harmed)))
    return {"numbers": numbers, "claims": best, "series": {"study": series}}


if __name__ == "__main__":
    sys.exit(Experiment("modifiers-study", __doc__, seeds=6, quick_seeds=2).main(body))
