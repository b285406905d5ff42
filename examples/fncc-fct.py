#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Slowdown of flows on a fat-tree under WebSearch and FB_Hadoop (FNCC paper, section 5.5, figures
14 and 15).

    python3 fncc-fct.py [--quick] [--seeds N] [--k K] [--load L] [--duration T] [--out DIR]
                        [--jobs N] [--program FILE]

Fat-tree with k=8 (128 hosts), links of 100 Gb/s and 1.5 us, Poisson arrivals at 50 % load for 20
ms, five seeds. Average, median, 95th and 99th percentile of the slowdown by flow size, computed for
each seed and averaged over the seeds, as in the paper. --quick: k=4, 1 ms, one seed.
"""
import math
import statistics
import sys

import find_dcfabric  # noqa: F401
from dcfabric import Scenario
from dcfabric.drawing import spread
from showcases.experiment import Claim, Experiment, Number
from dcfabric.measures import BUCKETS, by_size, slowdowns

ALGORITHMS = {"fncc": "FNCC", "hpcc": "HPCC", "dcqcn": "DCQCN"}
WORKLOADS = {"websearch": "WebSearch", "hadoop": "FB_Hadoop"}
STATISTICS = ("average", "median", "p95", "p99")
SHORT, MIDDLE, LONG = "up to 100 kB", "100 kB to 1 MB", "above 1 MB"
# Reduction of the slowdown by FNCC in percent, section 5.5: p95 of short flows, median of long
# ones. Of the latter the text says "up to" and the caption does not, so that both are given for
# either: of all flows of the group at once, which decides whether a claim holds, and the largest of
# its buckets.
PAPER = {("hadoop", SHORT, "p95", "hpcc"): 27.4, ("hadoop", SHORT, "p95", "dcqcn"): 88.9,
         ("websearch", LONG, "median", "hpcc"): 12.4, ("websearch", LONG, "median", "dcqcn"): 42.8}
GROUPED = {SHORT: ("10 kB", "30 kB", "50 kB", "80 kB", "100 kB"),
           LONG: ("2 MB", "5 MB", "10 MB", "above")}


def scenario(options, workload, cc, seed):
    return Scenario(topology=f"fat-tree:k={options.k}", preset="fncc24", workload=workload, cc=cc,
                    load=options.load, duration=options.duration, seed=seed)


def groups(flows):
    """Completed flows by size, and the two groups that the paper discusses with the one between
    them."""
    found = by_size(flows)
    short, long = flows["size_bytes"] <= 100e3, flows["size_bytes"] > 1e6
    for name, part in ((SHORT, flows[short]), (MIDDLE, flows[~short & ~long]), (LONG, flows[long])):
        if len(part):
            found[name] = part
    found["all"] = flows
    return found


def measure(results, workload, cc, seeds):
    """Values of the seeds by group and statistic, and flows of all seeds by group."""
    values, flows_of = {}, {}
    for seed in seeds:
        for group, flows in groups(results[f"{workload}-{cc}-{seed}"].flows).items():
            flows_of[group] = flows_of.get(group, 0) + int(flows["slowdown"].count())
            for statistic, value in slowdowns(flows).items():
                values.setdefault((group, statistic), []).append(value)
    return values, flows_of


def body(experiment):
    options = experiment.options
    seeds = range(1, options.seeds + 1)
    results = experiment.run({f"{workload}-{cc}-{seed}": scenario(options, workload, cc, seed)
                              for seed in seeds for workload in WORKLOADS for cc in ALGORITHMS})
    numbers, claims, series = [], [], {}
    for workload, title in WORKLOADS.items():
        both = {cc: measure(results, workload, cc, seeds) for cc in ALGORITHMS}
        measured = {cc: values for cc, (values, _) in both.items()}
        mean = {cc: {key: statistics.mean(values) for key, values in measured[cc].items()}
                for cc in ALGORITHMS}
        series[title] = {
            name:
            {
                statistic:
                {group: {**spread(measured[cc][group, statistic]), "flows": both[cc][1][group]}
                 for group in BUCKETS if (group, statistic) in mean[cc]}
             for statistic in STATISTICS}
            for cc, name in ALGORITHMS.items()}
        for group in (SHORT, MIDDLE, LONG, "all"):
            for statistic in STATISTICS:
                for cc, name in ALGORITHMS.items():
                    if (group, statistic) in mean[cc]:
                        numbers.append(Number(f"{title}, {group}, {name}", f"{statistic} slowdown",
                                              "",
                                              mean[cc][group, statistic]))
        for (of, group, statistic, cc), paper in PAPER.items():
            if of != workload or (group, statistic) not in mean[cc]:
                continue
            cuts = {name: 100 * (1 - mean["fncc"][name, statistic] / mean[cc][name, statistic])
                    for name in (group, *GROUPED[group]) if (name, statistic) in mean[cc]}
            best = max(GROUPED[group], key=lambda name: cuts.get(name, -math.inf))
            said = f"{statistic} slowdown of FNCC below {ALGORITHMS[cc]}'s by"
            numbers.append(Number(f"{title}, {group}", said, "%", cuts[group], paper))
            numbers.append(Number(f"{title}, {group}", f"{said} up to (flows up to {best})", "%",
                                  cuts[best], paper))
            claims.append(
                Claim(f"{title}, {group}: {statistic} slowdown of FNCC is below {ALGORITHMS[cc]}'s",
                      cuts[group] > 0, f"by {cuts[group]:.1f} %"))
        for cc in ("hpcc", "dcqcn"):
            lower = [group for group in BUCKETS if (group, "average") in mean[cc]
                     and mean["fncc"][group, "average"] < mean[cc][group, "average"]]
            total = sum((group, "average") in mean[cc] for group in BUCKETS)
            claims.append(
                Claim(f"{title}: average slowdown of FNCC is below {ALGORITHMS[cc]}'s for all "
                      "sizes",
                      len(lower) == total, f"{len(lower)} of {total}"))
        for cc, name in ALGORITHMS.items():
            unfinished = sum(int(results[f"{workload}-{cc}-{seed}"].flows["fct_ns"].isna().sum())
                             for seed in seeds)
            numbers.append(Number(f"{title}, {name}", "flows that did not complete", "",
                                  unfinished))
            numbers.append(Number(f"{title}, {name}", "flows", "",
                                  sum(len(results[f"{workload}-{cc}-{seed}"].flows)
                                      for seed in seeds)))
    return {"numbers": numbers, "claims": claims, "series": series}


if __name__ == "__main__":
    EXPERIMENT = Experiment("fncc-fct", __doc__, seeds=5)
    EXPERIMENT.add("--k", 8, 4, "of the fat-tree, even", type=int)
    EXPERIMENT.parser.add_argument("--load", type=float, default=0.5,
                                   help="0 to 1 (default: %(default)s)")
    EXPERIMENT.add("--duration", "20ms", "1ms", "duration of arrivals")
    sys.exit(EXPERIMENT.main(body))
