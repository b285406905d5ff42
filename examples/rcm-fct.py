#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Completion times under the enterprise and data-mining workloads with regional congestion
mitigation (RCM paper, figure 9).

    python3 rcm-fct.py [--quick] [--seeds N] [--workloads NAMES] [--load L] [--duration T]
                       [--techniques NAMES] [--out DIR] [--jobs N] [--program FILE]

The 432 hosts of a fat-tree (preset rcm17: k=12, 100 Gb/s, VOQ switches, PFC) make 12 groups;
Poisson arrivals at 60 % load, to hosts of the same group. The paper does not say which hosts make a
group: contiguous groups are the pods, so that no traffic crosses the core; strided ones have hosts
in all pods. Mean completion time and mean throughput of flows: all, mice (below 1 MB) and elephants
(above 10 MB). Runs last until all flows are complete; arrivals go on for 2 ms (enterprise) and 10
ms (data-mining, whose largest flows of 1 GB take 80 ms alone). --quick: 16 hosts (k=4) in 4 groups,
1 and 3 ms, one seed.
"""
import sys

import find_dcfabric  # noqa: F401
from dcfabric import Scenario
from dcfabric.drawing import spread
from showcases.experiment import Claim, Experiment, Number
from showcases.regional import (BASELINE, OURS, TECHNIQUES, add_techniques, fields_of,
                                         flow_gbps, gain_percent, parts_of, run_name)

WORKLOADS = {"enterprise": ("enterprise", "2ms", "1ms"),
             "datamining": ("data-mining", "10ms", "3ms")}
"""Name, duration of arrivals, and that of --quick."""
GROUPINGS = ("contiguous", "strided")
ALL, MICE, ELEPHANTS = "all", "mice", "elephants"
ABOUT_EQUAL = 5
"""In percent: "rarely performance reduction" for elephants."""
PAPER = {MICE: 10.0}
"""Least reduction of the completion time below DCQCN's in percent, section 5."""


def scenario(options, workload, grouping, technique, seed):
    k = 4 if options.quick else 12
    _, full, short = WORKLOADS[workload]
    fields = fields_of(technique, k)
    duration = options.duration or (short if options.quick else full)
    return Scenario(preset="rcm17", topology=f"fat-tree:k={k}", workload=workload,
                    load=options.load,
                    duration=duration, seed=seed,
                    **{**fields, "attributes": {"ns3::PoissonWorkload::Groups": k,
                                                "ns3::PoissonWorkload::GroupOrder": grouping,
                                                **fields.get("attributes", {})}})


def classes(flows):
    """Flows by the paper's classes of size, those without flows left out."""
    found = {ALL: flows, MICE: flows[flows["size_bytes"] < 1e6],
             ELEPHANTS: flows[flows["size_bytes"] > 10e6]}
    return {name: part for name, part in found.items() if len(part)}


def body(experiment):
    options = experiment.options
    techniques = parts_of(options.techniques, TECHNIQUES, "--techniques")
    seeds = range(1, options.seeds + 1)
    workloads = parts_of(options.workloads, WORKLOADS, "--workloads")
    results = experiment.run(
        {run_name(workload, grouping, technique, seed):
         scenario(options, workload, grouping, technique, seed)
         for workload in workloads for grouping in GROUPINGS for technique in techniques
         for seed in seeds})
    numbers, claims, series, cuts = [], [], {}, {}
    for workload in workloads:
        for grouping in GROUPINGS:
            title = WORKLOADS[workload][0]
            place = f"{title}, {grouping}"
            gbps = {}
            series[place] = {}
            for technique in techniques:
                runs = [results[run_name(workload, grouping, technique, seed)] for seed in seeds]
                parts = [classes(run.flows) for run in runs]
                case = f"{place}, {technique}"
                series[place][technique] = {}
                for kind in (ALL, MICE, ELEPHANTS):
                    with_it = [part[kind] for part in parts if kind in part]
                    if not with_it:
                        continue
                    fct = series[place][technique][kind] = spread(
                        float(part["fct_ns"].mean()) / 1e3 for part in with_it)
                    gbps[technique, kind] = spread(map(flow_gbps, with_it))["mean"]
                    numbers += [Number(f"{case}, {kind}", "flows", "", sum(map(len, with_it))),
                                Number(f"{case}, {kind}", "completion time, mean", "us",
                                       fct["mean"]),
                                Number(f"{case}, {kind}", "throughput of a flow, mean", "Gb/s",
                                       gbps[technique, kind])]
                for name, key in (("offered load", "offered_load"),
                                  ("pause frames", "pfc_pause_frames"),
                                  ("reordered packets", "reordered_packets")):
                    numbers.append(Number(case, name, "",
                                          sum(run.summary[key] for run in runs) / len(runs)))
            if BASELINE in techniques and OURS in techniques:
                cuts[workload, grouping] = compare(place, series[place], gbps, numbers, claims)
    for grouping in GROUPINGS if cuts and len(workloads) == len(WORKLOADS) else ():
        mining, enterprise = cuts["datamining", grouping], cuts["enterprise", grouping]
        claims.append(Claim(f"{grouping}: data-mining gains more than enterprise",
                            mining > enterprise,
                            f"{mining:.1f} % and {enterprise:.1f} %"))
    return {"numbers": numbers, "claims": claims, "series": series}


def compare(place, techniques, gbps, numbers, claims):
    """What the paper says of RCM and DCQCN, and by how much all flows complete sooner, in
    percent."""
    cut = {kind: -gain_percent(techniques[OURS][kind]["mean"], baseline["mean"])
           for kind, baseline in techniques[BASELINE].items()}
    for kind, percent in cut.items():
        more = gain_percent(gbps[OURS, kind], gbps[BASELINE, kind])
        numbers += [Number(f"{place}, {kind}", f"completion time of {OURS} below {BASELINE}'s by",
                           "%", percent, PAPER.get(kind)),
                    Number(f"{place}, {kind}", f"throughput of {OURS} above {BASELINE}'s by", "%",
                           more, PAPER.get(kind))]
        if kind == ELEPHANTS:
            claims.append(Claim(f"{place}: elephants complete about as soon with {OURS}",
                                percent > -ABOUT_EQUAL,
                                f"{percent:.1f} %"))
        else:
            claims.append(Claim(f"{place}: {kind} complete sooner with {OURS} than with {BASELINE}",
                                percent > 0,
                                f"{percent:.1f} %"))
    return cut[ALL]


if __name__ == "__main__":
    EXPERIMENT = Experiment("rcm-fct", __doc__, seeds=2)
    EXPERIMENT.parser.add_argument("--load", type=float, default=0.6,
                                   help="0 to 1 (default: %(default)s)")
    EXPERIMENT.parser.add_argument("--workloads", default=",".join(WORKLOADS), metavar="NAMES",
                                   help="comma list (default: %(default)s)")
    EXPERIMENT.parser.add_argument("--duration",
                                   help="duration of arrivals of all workloads (default: 2ms and "
                                        "10ms; with --quick 1ms and 3ms)")
    add_techniques(EXPERIMENT.parser)
    sys.exit(EXPERIMENT.main(body))
