#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Gates on congestion control with packets spread over many paths: one congested path, and an
incast, with and without gates.

    python3 modifiers-gates.py [--quick] [--sweep] [--ordinary] [--seeds N] [--out DIR] [--jobs N]
                               [--program FILE]

Hot path: four hosts at one of two leaves under eight spines send endlessly to the other leaf, over
all paths. At about 300 us four hosts at the first spine begin to send 2 MB each to hosts at the
second leaf; they have no other path, and 400 Gb/s are more than it carries. Measured over the
following millisecond: goodput of the flows that are sprayed, and of those that are not. Marks of
DCTCP begin at 300 kB, the default at this rate, or at 30 kB, about a third of what a flow needs in
flight. Incast: 16 of 32 hosts at four leaves under eight spines send 1 MB to another one; the gate
has to open. EWMA gate with random spraying and with recycled entropies; both gates with a set of
eight paths, the only one that suits HPCC; links of 100 Gb/s and 1 us. Source: [Patent], "Scalable
Coordination of Congestion Control and Adaptive Load Balancing" and the section after it. --sweep:
instead, signal, gain and thresholds. --ordinary: instead, traffic for which gates are not made;
each number is the geometric mean over seeds of the ratio to the same run without a gate. --quick:
DCTCP, one seed.
"""
import itertools
import math
import random
import statistics
import sys

import find_dcfabric  # noqa: F401
from dcfabric import Flow, Scenario
from showcases.experiment import Claim, Experiment, Number
from dcfabric.measures import between, utilisation
from showcases.two_leaves import TwoLeaves

# name: --cc, whether any load balancer will do (HPCC's telemetry needs a small set of paths),
# attributes
STEP_30_KB = {"ns3::WredMarkingProfile::Kmin": 30_000, "ns3::WredMarkingProfile::Kmax": 30_000}
CONTROLS = {"DCTCP": ("dctcp", True, {}), "DCTCP from 30 kB": ("dctcp", True, STEP_30_KB),
            "DCQCN": ("dcqcn", True, {}),
            "HPCC": ("hpcc", False, {})}
ORDINARY_CONTROLS = {**CONTROLS, "Swift": ("swift", True, {})}
SPRAY, REPS, PATHS = "random spraying", "REPS", "path set"
BALANCERS = {SPRAY: "spray-random", REPS: "reps", PATHS: "path-set:paths=8"}
GATES = {"no gate": (), "EWMA gate": "ewma-gate", "majority gate": "majority-gate"}
NETWORK = TwoLeaves(hosts=4, spines=8, across=4)
BURST_BYTES, SPAN_US, STEP_US = 2_000_000, 1000, 10
BURST_AT_US, END_US = 300, 3000
# most that a gate may add to the longest queue of an incast
ALLOWED_QUEUE = 1.2


def hot_path(topology, seed, end_us=END_US):
    """The flows of the hot path; the burst begins within 50 us, as the seed has it."""
    draw = random.Random(seed)
    begin = 1e3 * draw.uniform(BURST_AT_US, BURST_AT_US + 50)
    hosts, across = NETWORK.hosts, NETWORK.across
    flows = [Flow(host, hosts + host, 1 << 40) for host in range(hosts)]
    flows += [Flow(2 * hosts + i, 2 * hosts + across + i, BURST_BYTES, begin)
              for i in range(across)]
    return Scenario(topology=topology, flows=flows, stop=f"{end_us}us", trace=["links"],
                    trace_interval=f"{STEP_US}us")


def combinations(controls):
    """Congestion control, load balancer and gate."""
    return [(control, balancer, gate) for control, balancer,
            gate in itertools.product(controls, BALANCERS, GATES)
            if (CONTROLS[control][1] or balancer == PATHS)
            and (gate != "majority gate" or balancer == PATHS)]


def scenario(base, control, balancer, gate, seed, attributes=None):
    cc, _, own = ORDINARY_CONTROLS[control]
    return base.replace(cc=cc, lb=BALANCERS[balancer], modifiers=GATES[gate], seed=seed,
                        attributes={**own, **(attributes or {})})


def incast(quick):
    return Scenario(topology="leaf-spine:leaves=4,spines=8,hosts=8",
                    workload=f"incast:fan-in=16,size={'200kB' if quick else '1MB'}")


def goodput_over_time(result, spread=True):
    """Payload that reaches the hosts of the spread flows, or those of the burst, Gb/s."""
    ports = range(NETWORK.hosts) if spread else range(NETWORK.hosts, NETWORK.hosts + NETWORK.across)
    return sum(utilisation(result, NETWORK.second_leaf, port, END_US)
               for port in ports) * 1e5 / 1062


def measure_hot(result):
    """Numbers of a run with a hot path."""
    flows = result.flows
    begin = float(flows["start_ns"].max()) / 1e3
    mean = {spread: float(between(goodput_over_time(result, spread), begin, begin + SPAN_US).mean())
            for spread in (True, False)}
    return {"goodput": mean[True], "burst": mean[False],
            "queue_kb": result.summary["max_queue_bytes"] / 1e3,
            "withheld": sum(result.summary["cc_reductions_withheld"].values()),
            "again": float(flows["packets_retransmitted"].sum())}


def measure_incast(result):
    """Numbers of a run with an incast."""
    summary = result.summary
    return {"incast_queue_kb": summary["max_queue_bytes"] / 1e3,
            "incast_mean_kb": summary["mean_queue_bytes"] / 1e3,
            "incast_cuts": summary["cc_reductions"],
            "incast_withheld": sum(summary["cc_reductions_withheld"].values()),
            "incast_slowdown": float(result.flows["slowdown"].mean())}


QUANTITIES = {"goodput": ("hot path: goodput of the sprayed flows", "Gb/s"),
              "burst": ("hot path: goodput of the burst", "Gb/s"),
              "queue_kb": ("hot path: longest queue", "kB"),
              "withheld": ("hot path: reductions withheld", ""),
              "again": ("hot path: retransmitted packets", ""),
              "incast_queue_kb": ("incast: longest queue", "kB"),
              "incast_mean_kb": ("incast: mean queue", "kB"),
              "incast_cuts": ("incast: reductions", ""),
              "incast_withheld": ("incast: reductions withheld", ""),
              "incast_slowdown": ("incast: slowdown, mean", "")}


def run(experiment, variants, seeds):
    """Runs of both cases for each variant (a name: control, balancer, gate, attributes); rows by
    name, and results."""
    topology = NETWORK.write(experiment.options.out / "hot-path.txt")
    end_us = BURST_AT_US + SPAN_US + 100 if experiment.options.sweep else END_US
    keys = {}
    for (name,
         (control, balancer, gate, attributes)), seed in itertools.product(variants.items(), seeds):
        keys[name, seed, "hot"] = scenario(hot_path(topology, seed, end_us), control, balancer,
                                           gate, seed, attributes)
        keys[name, seed, "incast"] = scenario(incast(experiment.options.quick), control, balancer,
                                              gate, seed, attributes)
    named = experiment.run({f"{name}-{seed}-{case}".replace(" ", "-").replace(",", ""): one
                            for (name, seed, case), one in keys.items()})
    results = dict(zip(keys, named.values()))
    rows = {name: [measure_hot(results[name, seed, "hot"])
                   | measure_incast(results[name, seed, "incast"])
                   for seed in seeds] for name in variants}
    numbers = [Number(name, text, unit, statistics.mean(row[key] for row in rows[name]))
               for name in variants for key, (text, unit) in QUANTITIES.items()]
    return rows, numbers, results


SMALL = "leaf-spine:leaves=4,spines=4,hosts=4"
LONG_LINKS, SLOW_PATH = "WebSearch, links of 20 us", "one slow path"
# a run with path sets for each
ORDINARY = {"WebSearch, 50 %":
            {"topology": SMALL, "workload": "websearch", "load": 0.5, "duration": "3ms"},
            "WebSearch, 70 %": {"topology": SMALL, "workload": "websearch", "load": 0.7,
                                "duration": "2ms"},
            LONG_LINKS: {"workload": "websearch", "load": 0.5, "duration": "4ms"},
            "Hadoop, 50 %": {"topology": SMALL, "workload": "hadoop", "load": 0.5,
                             "duration": "500us"},
            "permutation of 1 MB": {"topology": SMALL, "workload": "permutation:size=1MB"},
            "all-to-all of 100 kB": {"topology": SMALL, "workload": "alltoall:size=100kB"},
            "incast of 8 x 500 kB": {"topology": SMALL, "workload": "incast:fan-in=8,size=500kB"},
            "the same, lossy": {"topology": SMALL, "workload": "incast:fan-in=8,size=500kB",
                                "flow_control": "none"},
            SLOW_PATH: {"workload": "permutation:size=2MB"}}
# on two leaves under four spines
OTHER_NETWORKS = {LONG_LINKS: TwoLeaves(hosts=4, spines=4, delay="20us"),
                  SLOW_PATH: TwoLeaves(hosts=4, spines=4, slow="50Gbps")}


def measure_ordinary(result):
    """Numbers of a run of ordinary traffic."""
    slowdown = result.flows["slowdown"]
    return {"mean": float(slowdown.mean()), "p99": float(slowdown.quantile(0.99)),
            "longest queue": result.summary["max_queue_bytes"],
            "mean queue": result.summary["mean_queue_bytes"],
            "drops": sum(result.summary["drops"].values())}


def ordinary(experiment, seeds):
    """Ratios of runs with and without gates."""
    files = {
        name:
        network.write(experiment.options.out / f"{name.replace(' ', '-').replace(',', '')}.txt")
             for name, network in OTHER_NETWORKS.items()}
    scenarios = {}
    for control, (name, case), gate, seed in itertools.product(ORDINARY_CONTROLS, ORDINARY.items(),
                                                               GATES, seeds):
        base = Scenario(**{"topology": files.get(name), **case})
        scenarios[control, name, gate, seed] = scenario(base, control, PATHS, gate, seed)
    named = experiment.run(
        {"-".join(map(str, key)).replace(" ", "-").replace(",", "").replace("%", ""): one
         for key, one in scenarios.items()})
    found = {key: measure_ordinary(result) for key, result in zip(scenarios, named.values())}
    numbers = []
    for control, name, gate in itertools.product(ORDINARY_CONTROLS, ORDINARY, list(GATES)[1:]):
        for quantity in found[control, name, gate, seeds[0]]:
            pairs = [(found[control, name, gate, seed][quantity],
                      found[control, name, "no gate", seed][quantity])
                     for seed in seeds]
            if all(one > 0 and other > 0 for one, other in pairs):
                ratio = math.exp(statistics.mean(math.log(one / other) for one, other in pairs))
                numbers.append(Number(f"{control}, {name}, {gate}", quantity, "", ratio))
    return numbers


def body(experiment):
    options = experiment.options
    seeds = range(1, options.seeds + 1)
    if options.ordinary:
        return {"numbers": ordinary(experiment, seeds)}
    if options.sweep:
        return {"numbers": run(experiment, swept(), seeds)[1]}
    controls = ["DCTCP"] if options.quick else list(CONTROLS)
    variants = {", ".join(one): (*one, None) for one in combinations(controls)}
    rows, numbers, results = run(experiment, variants, seeds)
    bars, lines, found = {}, {}, []
    for name, (control, balancer, gate, _) in variants.items():
        free = rows[f"{control}, {balancer}, no gate"]
        drawn = {key: [row[key] for row in rows[name]] for key in ("goodput", "burst")}
        drawn["incast_ratio"] = [row["incast_queue_kb"] / other["incast_queue_kb"]
                                 for row, other in zip(rows[name], free)]
        for key, values in drawn.items():
            bars.setdefault(control, {}).setdefault(key, {}).setdefault(balancer, {})[gate] = values
        goodput = goodput_over_time(results[name, 1, "hot"])
        lines.setdefault(f"{control}, {balancer}",
                         {})[gate] = {"time_us": [float(t) for t in goodput.index],
                                      "goodput_gbps": [float(v) for v in goodput]}
        if gate != "no gate":
            found += claims(name, rows[name], free)
    return {"numbers": numbers, "claims": found, "series": {"gates": bars, "lines": lines}}


def claims(name, gated, free):
    """What [Patent] promises of a gate, for the worst seed."""
    more = [one["goodput"] / other["goodput"] for one, other in zip(gated, free)]
    queue = [one["incast_queue_kb"] / other["incast_queue_kb"] for one, other in zip(gated, free)]
    return [Claim(f"{name}: more goodput with one hot path than without the gate", min(more) > 1,
                  f"{min(more):.3f} to {max(more):.3f} times"),
            Claim(f"{name}: the longest queue of an incast is at most {ALLOWED_QUEUE} times as "
                  "long", max(queue) <= ALLOWED_QUEUE,
                  f"{min(queue):.3f} to {max(queue):.3f} times"),
            Claim(f"{name}: the gate opens in an incast",
                  min(one["incast_cuts"] for one in gated) > 0,
                  f"{min(one['incast_cuts'] for one in gated)} reductions and more")]


GAINS = {"1/64": 1 / 64, "1/16": 1 / 16, "1/8": 1 / 8, "1/4": 1 / 4, "1/2": 1 / 2, "1": 1}
THRESHOLDS = (0.1, 0.25, 0.75)
HOLDS = ("0us", "20us", "100us", "200us")
MAJORITIES = (1, 2, 3, 8)


def swept():
    """Both gates under DCQCN and HPCC: one parameter at a time."""
    variants = {}
    for control in ("DCQCN", "HPCC"):
        first = SPRAY if CONTROLS[control][1] else PATHS
        for balancer, gate, of, level in ((first, "EWMA gate", "ns3::EwmaGateModifier",
                                           "Threshold"),
                                          (PATHS, "majority gate", "ns3::MajorityGateModifier",
                                           "PathThreshold")):
            variants[f"{control}, {balancer}, no gate"] = (control, balancer, "no gate", None)
            settings = {"default": {}, "marks alone": {f"{of}::Signal": "ns3::MarkSignal"},
                        "RTT": {f"{of}::Signal": "ns3::RttExcessSignal"}}
            settings |= {f"gain {gain}": {f"{of}::Gain": weight} for gain, weight in GAINS.items()}
            settings |= {f"threshold {threshold}": {f"{of}::{level}": threshold}
                         for threshold in THRESHOLDS}
            settings |= {f"hold {hold}": {f"{of}::Hold": hold} for hold in HOLDS}
            if gate == "majority gate":
                settings |= {f"{least} paths": {f"{of}::Majority": least} for least in MAJORITIES}
            for name, attributes in settings.items():
                variants[f"{control}, {balancer}, {gate}, {name}"] = (
                    control, balancer, gate, attributes)
    return variants


if __name__ == "__main__":
    EXPERIMENT = Experiment("modifiers-gates", __doc__, seeds=5)
    EXPERIMENT.parser.add_argument("--sweep", action="store_true",
                                   help="instead, vary signal, gain and thresholds")
    EXPERIMENT.parser.add_argument("--ordinary", action="store_true",
                                   help="instead, traffic for which gates are not made")
    sys.exit(EXPERIMENT.main(body))
