#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Bandwidth recovered after competing flows end, with and without RTT+ECN recovery, under DCTCP,
DCQCN and HPCC.

    python3 modifiers-recovery.py [--quick] [--sweep] [--seeds N] [--out DIR] [--jobs N]
                                  [--program FILE]

Two, four and eight flows over one link of 100 Gb/s (dumbbell, links of 5 us, base RTT 31 us). One
sends endlessly; the others, which begin within the first 0.2 ms, send 4 MB together. HPCC uses
eight entropies, whose paths share all links here. Measured from the end of the last of the others:
time until the first flow reaches 90 and 95 % of the line rate and stays there for 100 us, link
utilization in the first millisecond; and link utilization while they compete. Source: [Patent],
"Leveraging Round-Trip Time (RTT) and Explicit Congestion Notification (ECN) Signals for Improving
Bandwidth Utilization". --sweep: instead, slack and period, also under WebSearch at 50 % load.
--quick: two flows, one seed.
"""
import itertools
import random
import statistics
import sys

import find_dcfabric  # noqa: F401
from dcfabric import Flow, Scenario
from showcases.experiment import Claim, Experiment, Number
from showcases.feedback import finite
from dcfabric.measures import between, percentile, stays_from, utilisation

CONTROLS = {"DCTCP": {"cc": "dctcp"}, "DCQCN": {"cc": "dcqcn"},
            "HPCC, 8 paths": {"cc": "hpcc", "lb": "path-set:paths=8"}}
FLOWS = (2, 4, 8)
COMPETING_BYTES = 4_000_000
BEGIN_US, HORIZON_US, END_US, STEP_US = 200, 3000, 16_000, 5
FULL = 1062 / 1082  # use of a line that is never idle: without preamble and gap
OFF, ON = "as it is", "RTT+ECN recovery"


def scenario(control, recovery, count, seed, attributes=None):
    draw = random.Random(seed)
    flows = [Flow(0, count, 1 << 40)]
    flows += [Flow(i, count + i, COMPETING_BYTES // (count - 1), 1e3 * draw.uniform(0, BEGIN_US))
              for i in range(1, count)]
    return Scenario(topology=f"dumbbell:switches=2,senders={count}", delay="5us", flows=flows,
                    **CONTROLS[control],
                    seed=seed, stop=f"{END_US}us", trace=["links"], trace_interval=f"{STEP_US}us",
                    modifiers="rtt-ecn-recovery" if recovery == ON else (),
                    attributes=attributes or {})


def measure(result, count):
    """How the first flow comes back; times from the end of the others, infinite if it does not."""
    others = result.flows[result.flows["flow"] > 0]
    ended = float((others["start_ns"] + others["fct_ns"]).max()) / 1e3
    use = utilisation(result, 0, 0, END_US) / FULL
    total = sum(utilisation(result, host, 0, END_US) for host in range(count)) / FULL
    after = between(use, ended, ended + HORIZON_US)
    row = {f"at_{percent}": stays_from(after, percent / 100, 100) - ended for percent in (90, 95)}
    around = between(use, ended - 200, ended + HORIZON_US)
    return {**row, "share": 100 * float(between(use, ended - 100, ended).mean()),
            "use_after": 100 * float(between(use, ended, ended + 1000).mean()),
            "use_before": 100 * float(between(total, BEGIN_US, ended).mean()),
            "queue_kb": result.summary["max_queue_bytes"] / 1e3,
            "line": {"time_us": [float(t) - ended for t in around.index],
                     "use_percent": [100 * float(v) for v in around]}}


QUANTITIES = {"share": ("share of the line in the last 100 us of the others", "%"),
              "use_after": ("link utilization in the first millisecond", "%"),
              "use_before": ("link utilization while they compete", "%"),
              "queue_kb": ("longest queue", "kB")}


def numbers_of(case, rows):
    numbers = [Number(case, text, unit, statistics.mean(row[key] for row in rows))
               for key, (text, unit) in QUANTITIES.items()]
    for percent in (90, 95):
        times = [row[f"at_{percent}"] for row in rows]
        numbers.append(Number(case, f"seeds that reach {percent} % within {HORIZON_US / 1e3:g} ms",
                              "",
                              sum(finite(one) is not None for one in times)))
        if finite(statistics.median(times)) is not None:
            numbers.append(Number(case, f"{percent} % of the line after, median", "us",
                                  statistics.median(times)))
    return numbers


def body(experiment):
    options = experiment.options
    seeds = range(1, options.seeds + 1)
    if options.sweep:
        return {"numbers": sweep_parameters(experiment, seeds)}
    counts = (2,) if options.quick else FLOWS
    keys = list(itertools.product(CONTROLS, (OFF, ON), counts, seeds))
    named = experiment.run(
        {"-".join(map(str, key)).replace(" ", "-").replace(",", ""): scenario(*key)
         for key in keys})
    results = dict(zip(keys, named.values()))
    numbers, found, lines = [], [], {}
    for control, count in itertools.product(CONTROLS, counts):
        rows = {recovery: [measure(results[control, recovery, count, seed], count)
                           for seed in seeds] for recovery in (OFF, ON)}
        for recovery, each in rows.items():
            numbers += numbers_of(f"{control}, {count} flows, {recovery}", each)
            lines.setdefault(control, {}).setdefault(str(count), {})[recovery] = each[0]["line"]
        times = {recovery: [row["at_90"] for row in each] for recovery, each in rows.items()}
        found.append(
            Claim(f"{control}, {count} flows: with recovery at 90 % of the line rate sooner than "
                  "without, for every seed",
                  all(on < off for on, off in zip(times[ON], times[OFF])),
                  f"{text(times[ON])} against {text(times[OFF])} us"))
    return {"numbers": numbers, "claims": found, "series": {"recovery": lines}}


def text(values):
    return "/".join("never" if finite(value) is None else f"{value:.0f}" for value in values)


SLACKS = (0, 0.5, 1, 2, 4, 8, 16)
PERIODS = {"T/2": "15500ns", "T": "0us", "2 T": "62us", "4 T": "124us"}


def sweep_parameters(experiment, seeds):
    """Competition of four flows, and a fabric with flows of all sizes, by slack and period."""
    load = Scenario(topology="leaf-spine:leaves=4,spines=4,hosts=4", delay="5us",
                    workload="websearch", load=0.5,
                    duration="200us" if experiment.options.quick else "2ms")
    settings = {OFF: None}
    settings |= {f"slack {slack}": {"ns3::RttEcnRecoveryModifier::SlackPackets": slack}
                 for slack in SLACKS}
    settings |= {f"period {name}": {"ns3::RttEcnRecoveryModifier::Period": value}
                 for name, value in PERIODS.items()}
    keys = {}
    for control, (name, attributes), seed in itertools.product(CONTROLS, settings.items(), seeds):
        if control != "DCQCN" and name.startswith("period"):
            continue  # windows have epochs without it
        recovery = OFF if attributes is None else ON
        keys[control, name, seed, "competition"] = scenario(control, recovery, 4, seed, attributes)
        keys[control, name, seed, "load"] = load.replace(**CONTROLS[control], seed=seed,
                                                         attributes=attributes or {},
                                                         modifiers="rtt-ecn-recovery"
                                                         if recovery == ON else ())
    named = experiment.run(
        {"sweep-" + "-".join(map(str, key)).replace(" ", "-").replace("/", "over")
         .replace(",", ""): one
         for key, one in keys.items()})
    results = dict(zip(keys, named.values()))
    numbers = []
    for control, name in dict.fromkeys(key[:2] for key in keys):
        case = f"{control}, {name}"
        numbers += numbers_of(case,
                              [measure(results[control, name, seed, "competition"], 4)
                               for seed in seeds])
        loaded = [results[control, name, seed, "load"] for seed in seeds]
        numbers += [Number(case, "WebSearch: slowdown, mean", "",
                           statistics.mean(one.flows["slowdown"].mean() for one in loaded)),
                    Number(case, "WebSearch: slowdown, p99", "",
                           statistics.mean(percentile(one.flows["slowdown"], 99)
                                                                                for one in loaded)),
                    Number(case, "WebSearch: longest queue", "kB",
                           statistics.mean(one.summary["max_queue_bytes"] for one in loaded) / 1e3)]
    return numbers


if __name__ == "__main__":
    EXPERIMENT = Experiment("modifiers-recovery", __doc__, seeds=5)
    EXPERIMENT.parser.add_argument("--sweep", action="store_true",
                                   help="instead, vary slack and period")
    sys.exit(EXPERIMENT.main(body))
