#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Incast with a victim under regional congestion mitigation and DCQCN (RCM paper, section 4.2,
figure 7).

    python3 rcm-victim.py [--quick] [--sweep | --senders N,N] [--seeds N] [--out DIR] [--jobs N]
                          [--program FILE]

Four hosts send to one; two of them share the way up with the victim, which sends to another host.
The destination takes 25 Gb/s from each of the four; what the two leave of the way up, 50 Gb/s, is
free for the victim, but backpressure stops the way up as a whole. Switches with virtual output
queues and output queues of 100 kB, PFC, links of 100 Gb/s and 1 us (preset rcm17). Starts are
shifted at random by up to 5 us, anew for each seed. Measured: throughput at the receivers from 1 to
4 ms. --sweep: instead, RCM with other values of what the paper leaves open. --senders: instead, the
same with other even numbers of hosts that send to one; the victim's part stays 50 Gb/s, and is 100
Gb/s over their number without control. --quick: three seeds.
"""
import random
import statistics
import sys

import find_dcfabric  # noqa: F401
from dcfabric import DcfabricError, Flow, Scenario
from dcfabric.drawing import spread
from showcases.experiment import Claim, Experiment, Number
from dcfabric.measures import between
from dcfabric.run_files import write_whole
from showcases.regional import (ALONE, BASELINE, LETTER, OURS, SENDERS, TECHNIQUES,
                                         line_gbps, range_text, run_name, run_phases)

SENDERS_OF_PAPER = 4
RATE = "100Gbps 1us 0"
SHIFT_US, SETTLED_US, STOP_US = 5, 1000, 4000
GROUPS = ("beside", "victim", "apart")
BY_SENDERS = (BASELINE, LETTER, OURS, ALONE)
MOST_SENDERS = 64
PART = 50
"""Gb/s of the victim, however many senders: they take the other half of the way up."""
PAPER = {(ALONE, "victim"): 50, (OURS, "victim"): 50, ("no control", "victim"): 25}


def groups_of(senders):
    """Sources, which are hosts and have the flows of the same numbers: half of the senders share
    the way up with the victim."""
    half = senders // 2
    return {"beside": range(half), "victim": range(half, half + 1),
            "apart": range(half + 1, senders + 1)}


def network(folder, senders):
    """The file of the network for so many senders. Hosts: the sources, the destination of the
    senders, that of the victim. Switches: the two of the sources, the two above, those of the two
    destinations."""
    groups, hosts = groups_of(senders), senders + 3
    left, right, left_up, right_up, last, other = range(hosts, hosts + 6)
    links = [
        *((source, right if source in groups["apart"] else left) for source in range(senders + 1)),
             (left, left_up), (right, right_up), (left_up, last), (right_up, last),
             (senders + 1, last), (left_up, other), (senders + 2, other)]
    lines = [f"{hosts + 6} 6 {len(links)}", f"{left} {right} {left_up} {right_up} {last} {other}",
             *(f"{one} {another} {RATE}" for one, another in links)]
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"senders-{senders}.topo"
    write_whole(path, "\n".join((*lines, "")))
    return path


def scenario(path, senders, fields, seed):
    draw = random.Random(seed)
    victim, = groups_of(senders)["victim"]
    flows = [Flow(src, senders + 2 if src == victim else senders + 1, 100_000_000,
                  draw.uniform(0, SHIFT_US) * 1e3)
             for src in range(senders + 1)]
    return Scenario(topology=f"file:{path}", preset="rcm17", flows=flows, seed=seed,
                    stop=f"{STOP_US}us",
                    trace="rates", trace_interval="10us", **fields)


def measure(result, senders):
    """Mean throughput of a flow of each group, over time."""
    return {name: sum(line_gbps(result, flow, STOP_US) for flow in flows) / len(flows)
            for name, flows in groups_of(senders).items()}


def senders_of(options):
    """Numbers of senders."""
    known = [str(senders) for senders in range(2, MOST_SENDERS + 1, 2)]
    for text in options.senders.split(","):
        if text.strip() not in known:
            raise DcfabricError(f"--senders: '{text.strip()}' is not an even number from 2 to "
                                f"{MOST_SENDERS}")
    return sorted({int(text) for text in options.senders.split(",")})


def with_senders(experiment):
    """--senders: the throughput of the victim."""
    seeds = range(1, 1 + experiment.options.seeds)
    keys = [(senders, name, seed) for senders in senders_of(experiment.options)
            for name in BY_SENDERS for seed in seeds]
    paths = {senders: network(experiment.options.out, senders) for senders, *_ in keys}
    results = experiment.run(
        {run_name(*key): scenario(paths[key[0]], key[0], TECHNIQUES[key[1]], key[2])
         for key in keys})
    found = {name: {} for name in BY_SENDERS}
    numbers, claims = [], []
    for senders in paths:
        for name in BY_SENDERS:
            one = found[name][senders] = spread(
                float(between(measure(results[run_name(senders, name, seed)], senders)["victim"],
                              SETTLED_US, STOP_US).mean())
                for seed in seeds)
            numbers.append(Number(f"{senders} senders, {name}", "victim, mean", "Gb/s",
                                  one["mean"]))
        ours = found[OURS][senders]["mean"]
        for what, least in ((f"{BASELINE} alone", found[BASELINE][senders]["mean"]),
                            # the letter cuts deeper, and gives it what is a source's
                            (f"what it has with {LETTER}, up to its part",
                             min(found[LETTER][senders]["mean"], PART)), ("its part", PART)):
            claims.append(
                Claim(f"{senders} senders: with RCM the victim has at least 0.95 of {what}",
                      ours >= 0.95 * least,
                      f"{ours:.1f}, {least:.1f} Gb/s"))
    return {"numbers": numbers, "claims": claims, "series": {SENDERS: found}}


def body(experiment):
    if experiment.options.senders is not None:
        return with_senders(experiment)
    path = network(experiment.options.out, SENDERS_OF_PAPER)
    runs = run_phases(experiment,
                      lambda fields, seed: scenario(path, SENDERS_OF_PAPER, fields, seed),
                      lambda result: measure(result, SENDERS_OF_PAPER))
    cases = list(runs)
    values = {
        case: {group: [float(between(run[group], SETTLED_US, STOP_US).mean()) for run in runs[case]]
               for group in GROUPS} for case in cases}
    numbers = [Number(case, f"{group}, {what}", "Gb/s", choose(values[case][group]),
                      PAPER.get((case, group)) if what == "mean" else None)
               for case in cases for group in GROUPS
               for what, choose in (("mean", statistics.mean), ("least", min), ("most", max))]
    if experiment.options.sweep:
        return {"numbers": numbers}
    free = values["no control"]["victim"]
    claims = [Claim("without control the victim has 22 to 28 Gb/s",
                    all(22 <= value <= 28 for value in free), range_text(free))]
    for case in (ALONE, OURS):
        victim, groups = values[case]["victim"], [values[case]["beside"], values[case]["apart"]]
        # DCQCN, which takes ms to make up for a cut, leaves each seed another division
        others = (groups[0] + groups[1] if case == ALONE
                  else [statistics.mean(group) for group in groups])
        claims += [Claim(f"{case}: the victim has at least 45 Gb/s", min(victim) >= 45,
                         range_text(victim)),
                   Claim(f"{case}: the others are within 10 % of 25 "
                         f"Gb/s{'' if case == ALONE else ' on the mean'}",
                         all(abs(value / 25 - 1) <= 0.1 for value in others), range_text(others))]
    series = {case: {"time_us": list(runs[case][0]["victim"].index),
                     **{group: list(runs[case][0][group]) for group in GROUPS}}
              for case in cases}
    return {"numbers": numbers, "claims": claims, "series": series}


if __name__ == "__main__":
    EXPERIMENT = Experiment("rcm-victim", __doc__, seeds=10, quick_seeds=3)
    instead = EXPERIMENT.parser.add_mutually_exclusive_group()
    instead.add_argument("--senders", metavar="N,N",
                         help=f"instead, other even numbers of senders, 2 to {MOST_SENDERS}, comma "
                              "list")
    instead.add_argument("--sweep", action="store_true",
                         help="instead, RCM with other values of what the paper leaves open")
    sys.exit(EXPERIMENT.main(body))
