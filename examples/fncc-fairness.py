#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Fairness of four flows that join and leave one after the other (FNCC paper, section 5.3, figure
13e).

    python3 fncc-fairness.py [--quick] [--out DIR] [--jobs N] [--program FILE]

Dumbbell of three switches and four senders at 100 Gb/s, 1.5 us; all send to receiver 0. A flow
joins every 100 ms and then they leave in turn: the size of a flow is what an equal share of the
link carries in its time, so that the end times show how equal the shares were. --quick: FNCC and
HPCC, 10 ms instead of 100 ms.

Flows converge by W_AI: in each T every flow gains 40 Mb/s and then loses the same fraction, so that
with n flows a difference shrinks by n x 40 Mb/s of 95 Gb/s in 12.7 us, to 1/e within 15 ms (two
flows) or 7.5 ms (four). 100 ms are long enough for that, 10 ms are not: the index has to be 0.95,
or 0.9 with --quick.
"""
import sys

import find_dcfabric  # noqa: F401
from dcfabric import Flow, Scenario
from showcases.experiment import Claim, Experiment, Number
from dcfabric.measures import between, jain, rate_gbps

ALGORITHMS = {"fncc": "FNCC", "hpcc": "HPCC", "dcqcn": "DCQCN"}
SENDERS = 4
RATE_BPS = 100e9
# Target use of the link (eta) times payload over bytes on the wire: 1456 of 1538 (data without
# INT).
GOODPUT = 0.95 * 1456 / 1538


def flows(step_ns):
    """Flow i is active from step i to step SENDERS + i; the link is shared by those active."""
    active = [[i for i in range(SENDERS) if i <= phase < SENDERS + i]
              for phase in range(2 * SENDERS - 1)]
    share = [0.0] * SENDERS
    for members in active:
        for flow in members:
            share[flow] += 1 / len(members)
    per_step = RATE_BPS * GOODPUT / 8 * step_ns * 1e-9
    return [Flow(i, SENDERS, round(share[i] * per_step), i * step_ns) for i in range(SENDERS)]


def body(experiment):
    quick = experiment.options.quick
    step_us = 10_000 if quick else 100_000
    least = 0.9 if quick else 0.95
    algorithms = {cc: name for cc, name in ALGORITHMS.items() if not (quick and cc == "dcqcn")}
    results = experiment.run({
        cc: Scenario(topology=f"dumbbell:switches=3,senders={SENDERS}", preset="fncc24", cc=cc,
                     flows=flows(step_us * 1e3), stop=f"{9 * step_us}us", trace=["rates"],
                     trace_interval=f"{step_us / 100:g}us")
        for cc in algorithms})
    numbers, claims, series = [], [], {}
    for cc, name in algorithms.items():
        rates = [rate_gbps(results[cc], flow) for flow in range(SENDERS)]
        worst = 1.0
        for phase in range(1, SENDERS):
            # the second half of each phase in which flows join
            means = [
                float(between(rates[flow], (phase + 0.5) * step_us, (phase + 1) * step_us).mean())
                     for flow in range(phase + 1)]
            index = jain(mean for mean in means if mean == mean)  # those that have not left yet
            worst = min(worst, index)
            numbers.append(Number(f"{name}, {phase + 1} flows", "Jain's index", "", index))
        ends = results[cc].flows
        for flow in range(SENDERS):
            ended = float((ends["start_ns"] + ends["fct_ns"])[ends["flow"] == flow].iloc[0]) / 1e3
            numbers.append(Number(f"{name}, flow {flow}", "leaves at", "steps", ended / step_us,
                                  SENDERS + flow))
        if cc == "fncc":
            claims.append(Claim(f"FNCC shares the link fairly (Jain's index of at least {least:g})",
                                worst >= least,
                                f"{worst:.4f}"))
        series[name] = {"step_us": step_us,
                        "flow_us": [[float(t) for t in rate.index] for rate in rates],
                        "flow_gbps": [[float(v) for v in rate] for rate in rates]}
    return {"numbers": numbers, "claims": claims, "series": series}


if __name__ == "__main__":
    sys.exit(Experiment("fncc-fairness", __doc__).main(body))
