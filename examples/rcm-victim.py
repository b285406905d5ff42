#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Incast with a victim under regional congestion mitigation and DCQCN (RCM paper, section 4.2, figure 7).

    python3 rcm-victim.py [--quick] [--sweep] [--seeds N] [--out DIR] [--jobs N] [--program FILE]

Four hosts send to one; two of them share the way up with the victim, which sends to another host. The destination takes 25 Gb/s
from each of the four; what the two leave of the way up, 50 Gb/s, is free for the victim, but backpressure stops the
way up as a whole. Switches with virtual output queues and output queues of 100 kB, PFC, links of 100 Gb/s and 1 us (preset rcm17).
Starts are shifted at random by up to 5 us, anew for each seed. Measured: throughput at the receivers from 1 to 4 ms.
--sweep: instead, RCM with other values of what the paper leaves open. --quick: three seeds.
"""
import random
import statistics
import sys
from pathlib import Path

import find_dcfabric  # noqa: F401
from dcfabric import Flow, Scenario
from dcfabric.showcases.experiment import Claim, Experiment, Number
from dcfabric.measures import between
from dcfabric.showcases.regional import ALONE, OURS, line_gbps, range_text, run_phases

TOPOLOGY = Path(__file__).parent / "topologies" / "rcm-victim.topo"
DESTINATIONS = {0: 5, 1: 5, 2: 6, 3: 5, 4: 5}  # by source; the flows have the numbers of their sources
GROUPS = {"beside": (0, 1), "victim": (2,), "apart": (3, 4)}
SHIFT_US, SETTLED_US, STOP_US = 5, 1000, 4000
PAPER = {(ALONE, "victim"): 50, (OURS, "victim"): 50, ("no control", "victim"): 25}


def scenario(fields, seed):
    draw = random.Random(seed)
    flows = [Flow(src, dst, 100_000_000, draw.uniform(0, SHIFT_US) * 1e3) for src, dst in DESTINATIONS.items()]
    return Scenario(topology=f"file:{TOPOLOGY}", preset="rcm17", flows=flows, seed=seed, stop=f"{STOP_US}us",
                    trace="rates", trace_interval="10us", **fields)


def measure(result):
    """Mean throughput of a flow of each group, over time."""
    return {name: sum(line_gbps(result, flow, STOP_US) for flow in flows) / len(flows) for name, flows in GROUPS.items()}


def body(experiment):
    runs = run_phases(experiment, scenario, measure)
    cases = list(runs)
    values = {case: {group: [float(between(run[group], SETTLED_US, STOP_US).mean()) for run in runs[case]]
                     for group in GROUPS} for case in cases}
    numbers = [Number(case, f"{group}, {what}", "Gb/s", choose(values[case][group]),
                      PAPER.get((case, group)) if what == "mean" else None)
               for case in cases for group in GROUPS
               for what, choose in (("mean", statistics.mean), ("least", min), ("most", max))]
    if experiment.options.sweep:
        return {"numbers": numbers}
    free = values["no control"]["victim"]
    claims = [Claim("without control the victim has 22 to 28 Gb/s", all(22 <= value <= 28 for value in free), range_text(free))]
    for case, percent in ((ALONE, 10), (OURS, 15)):  # DCQCN beside it takes its own time
        victim, others = values[case]["victim"], values[case]["beside"] + values[case]["apart"]
        claims += [Claim(f"{case}: the victim has at least 45 Gb/s", min(victim) >= 45, range_text(victim)),
                   Claim(f"{case}: the others are within {percent} % of 25 Gb/s",
                         all(abs(value / 25 - 1) <= percent / 100 for value in others), range_text(others))]
    series = {case: {"time_us": list(runs[case][0]["victim"].index), **{group: list(runs[case][0][group]) for group in GROUPS}}
              for case in cases}
    return {"numbers": numbers, "claims": claims, "series": series}


if __name__ == "__main__":
    EXPERIMENT = Experiment("rcm-victim", __doc__.splitlines()[0], seeds=10, quick_seeds=3)
    EXPERIMENT.parser.add_argument("--sweep", action="store_true", help="instead, RCM with other values of what the paper leaves open")
    sys.exit(EXPERIMENT.main(body))
