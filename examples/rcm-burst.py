#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Incast with a burst under regional congestion mitigation and DCQCN (RCM paper, section 4.2,
figure 6).

    python3 rcm-burst.py [--quick] [--sweep] [--seeds N] [--out DIR] [--jobs N] [--program FILE]

Four hosts with links of 25 Gb/s send to one from the start; their packets reach the last switch by
one port. (The paper does not say what limits them to a quarter of the line each; with links of 100
Gb/s their first switch is congested before the burst.) At 150 us a fifth host sends 231 packets of
1082 B on the wire, 20 us at line rate, which reach the last switch by another port. Switches with
virtual output queues and output queues of 100 kB, PFC, all other links of 100 Gb/s, 1 us (preset
rcm17). Starts are shifted at random by up to 5 us, anew for each seed. Measured: throughput of each
flow at its receiver, which is the output of the last switch, in intervals of 1 us: before the
burst, in its first 3 us, from 8 us after its begin until it ends, and in the 100 us after its end.
--sweep: instead, RCM with other values of what the paper leaves open. --quick: three seeds.
"""
import random
import statistics
import sys
from pathlib import Path

import find_dcfabric  # noqa: F401
from dcfabric import Flow, Scenario
from showcases.experiment import Claim, Experiment, Number
from dcfabric.measures import between
from showcases.regional import ALONE, BASELINE, OURS, line_gbps, range_text, run_phases

TOPOLOGY = Path(__file__).parent / "topologies" / "rcm-burst.topo"
SENDERS, BURST, RECEIVER = range(4), 4, 5
BURST_US, SHIFT_US, STOP_US = 150, 5, 400
PHASES = ("incast before", "burst at first", "burst later", "incast meanwhile", "incast after")
PAPER = {(OURS, "incast before"): 25, (OURS, "burst at first"): 50, (OURS, "burst later"): 25,
         (BASELINE, "burst later"): 50}


def scenario(fields, seed):
    draw = random.Random(seed)
    flows = [Flow(src, RECEIVER, 100_000_000, draw.uniform(0, SHIFT_US) * 1e3) for src in SENDERS]
    flows.append(Flow(BURST, RECEIVER, 231_000, (BURST_US + draw.uniform(0, SHIFT_US)) * 1e3))
    return Scenario(topology=f"file:{TOPOLOGY}", preset="rcm17", flows=flows, seed=seed,
                    stop=f"{STOP_US}us",
                    trace="rates", trace_interval="1us", **fields)


def measure(result):
    """Throughput in the phases and over time, in Gb/s."""
    burst = line_gbps(result, BURST, STOP_US)
    incast = sum(line_gbps(result, flow, STOP_US) for flow in SENDERS) / len(SENDERS)
    begin, end = burst[burst > 0].index[[0, -1]]  # the first interval and the last are not full
    later = (begin + 8, min(end - 1, begin + 18))
    phases = dict(zip(PHASES,
                      (between(incast, begin - 50, begin - 2), between(burst, begin, begin + 3),
                       between(burst, *later), between(incast, *later),
                       between(incast, end, end + 100))))
    return {"phases": {name: float(part.mean()) for name, part in phases.items()},
            "series": {"time_us": list(incast.index), "incast": list(incast), "burst": list(burst)}}


def body(experiment):
    runs = run_phases(experiment, scenario, measure)
    cases = list(runs)
    values = {case: {phase: [run["phases"][phase] for run in runs[case]] for phase in PHASES}
              for case in cases}
    numbers = [Number(case, f"{phase}, {what}", "Gb/s", choose(values[case][phase]),
                      PAPER.get((case, phase)) if what == "mean" else None)
               for case in cases for phase in PHASES
               for what, choose in (("mean", statistics.mean), ("least", min), ("most", max))]
    if experiment.options.sweep:
        return {"numbers": numbers}
    ours, baseline = values[OURS], values[BASELINE]

    def within(text, found, low, high):
        return Claim(text, all(low <= value <= high for value in found), range_text(found))

    claims = [
        within("the burst begins with half of the line", ours["burst at first"], 40, 60),
        within("RCM: 8 us later the burst has 20 to 30 Gb/s", ours["burst later"], 20, 30),
        within("RCM: each of the four has 17 to 21 Gb/s meanwhile (by hand: 18.75)",
               ours["incast meanwhile"], 17, 21),
        within("DCQCN: the burst keeps half of the line", baseline["burst later"], 40, 60),
        *(Claim(f"in the 100 us after the burst the four have more under {case} than under DCQCN",
                all(a > b for a, b in zip(values[case]["incast after"], baseline["incast after"])),
                f"{range_text(values[case]['incast after'])}; "
                f"{range_text(baseline['incast after'])}")
          for case in (ALONE, OURS)),
    ]
    return {"numbers": numbers, "claims": claims,
            "series": {case: runs[case][0]["series"] for case in cases}}


if __name__ == "__main__":
    EXPERIMENT = Experiment("rcm-burst", __doc__, seeds=10, quick_seeds=3)
    EXPERIMENT.parser.add_argument("--sweep", action="store_true",
                                   help="instead, RCM with other values of what the paper leaves "
                                        "open")
    sys.exit(EXPERIMENT.main(body))
