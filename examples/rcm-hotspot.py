#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Throughput and latency of background and hot flows with regional congestion mitigation (RCM
paper, figure 8).

    python3 rcm-hotspot.py [--quick] [--seeds N] [--k K] [--loads L,L] [--duration T] [--size S]
                           [--techniques NAMES] [--out DIR] [--jobs N] [--program FILE]

Each host of a fat-tree with 432 (preset rcm17: k=12, 100 Gb/s, VOQ switches, PFC; --k=8: with 128)
sends 85 % of its flows to any other host and 15 % to 12.5 % of the hosts, the hot ones, which are
drawn by the seed. At load L a hot host is offered 0.85 L + 1.2 L of its line rate. The paper gives
neither load nor flow size: loads from 0.3 to 0.9, flows of 100 kB, 8 us at line rate (larger ones
leave more to end-to-end control: --size). A run takes one to five minutes. Throughput: payload that
arrives while flows are generated, of complete flows or not; of a flow: size over completion time,
mean of all flows. The paper does not say which of the two it means. Latency: mean completion time
of all flows; runs last until all are complete. --quick: 16 hosts (k=4), two loads, 200 us, one
seed.
"""
import sys

import find_dcfabric  # noqa: F401
from dcfabric import DcfabricError, Scenario
from dcfabric.drawing import spread
from showcases.experiment import Claim, Experiment, Number
from dcfabric.measures import by_group, duration_ns
from showcases.regional import (BASELINE, OURS, TECHNIQUES, add_techniques, fields_of,
                                         flow_gbps, gain_percent, parts_of, received_bytes,
                                         run_name)

ALL = "all"
# Throughput of background flows above DCQCN's, section 4.2.
PAPER = {"background": 12.2}
A_LITTLE = 10
"""In percent: hot flows "get a little lower performance"."""


def loads_of(options):
    """Offered loads as text."""
    loads = [load.strip() for load in options.loads.split(",")]
    for load in loads:
        try:
            good = 0 < float(load) <= 1
        except ValueError:
            good = False
        if not good:
            raise DcfabricError(f"--loads: '{load}' is not a number above 0 and at most 1")
    return list(dict.fromkeys(loads))


def scenario(options, technique, load, seed):
    k, duration = options.k, options.duration
    return Scenario(preset="rcm17", topology=f"fat-tree:k={k}",
                    workload=f"hotspot:traffic=0.15,hosts=0.125,cold=all,size={options.size}",
                    load=float(load),
                    duration=duration, seed=seed, trace="rates", trace_interval=duration,
                    **fields_of(technique, k))


def groups(result, end_ns):
    """Flows by label, and all of them, with what arrived of them by a time."""
    flows = result.flows.assign(received=result.flows["flow"].map(received_bytes(result, end_ns))
                                .fillna(0))
    return {**by_group(flows), ALL: flows}


def body(experiment):
    options = experiment.options
    techniques, loads = parts_of(options.techniques, TECHNIQUES, "--techniques"), loads_of(options)
    seeds = range(1, options.seeds + 1)
    end_ns = duration_ns(options.duration)
    hosts = options.k ** 3 // 4
    results = experiment.run(
        {run_name(technique, load, seed): scenario(options, technique, load, seed)
         for load in loads for technique in techniques for seed in seeds})
    numbers, claims, series = [], [], {technique: {} for technique in techniques}
    for load in loads:
        for technique in techniques:
            runs = [results[run_name(technique, load, seed)] for seed in seeds]
            parts = [groups(run, end_ns) for run in runs]
            one = series[technique][load] = {
                label:
                {"gbps": spread(float(part[label]["received"].sum()) * 8 / end_ns / hosts
                                for part in parts),
                 "flow_gbps": spread(flow_gbps(part[label]) for part in parts),
                 "fct_us": spread(float(part[label]["fct_ns"].mean()) / 1e3 for part in parts)}
                for label in parts[0]}
            case = f"load {load}, {technique}"
            for label, values in one.items():
                numbers += [Number(f"{case}, {label}", "throughput", "Gb/s a host",
                                   values["gbps"]["mean"]),
                            Number(f"{case}, {label}", "throughput of a flow, mean", "Gb/s",
                                   values["flow_gbps"]["mean"]),
                            Number(f"{case}, {label}", "completion time, mean", "us",
                                   values["fct_us"]["mean"])]
            for name, key in (("offered load", "offered_load"),
                              ("pause frames", "pfc_pause_frames"),
                              ("reordered packets", "reordered_packets"),
                              ("data packet-hops", "data_packet_hops")):
                numbers.append(Number(case, name, "",
                                      sum(run.summary[key] for run in runs) / len(runs)))
            numbers.append(Number(case, "packets sent again", "",
                                  sum(int(run.flows["packets_retransmitted"].sum()) for run in runs)
                                  / len(runs)))
        if BASELINE in techniques and OURS in techniques:
            compare(load, series[OURS][load], series[BASELINE][load], numbers, claims)
    return {"numbers": numbers, "claims": claims, "series": series}


def compare(load, ours, baseline, numbers, claims):
    """What the paper says of RCM and DCQCN, at a load."""
    for label in ours:
        more, faster, later = (gain_percent(ours[label][name]["mean"],
                                            baseline[label][name]["mean"])
                               for name in ("gbps", "flow_gbps", "fct_us"))
        numbers += [Number(f"load {load}, {label}", f"throughput of {OURS} above {BASELINE}'s by",
                           "%", more, PAPER.get(label)),
                    Number(f"load {load}, {label}",
                           f"throughput of a flow of {OURS} above {BASELINE}'s by", "%", faster,
                           PAPER.get(label)),
                    Number(f"load {load}, {label}",
                           f"completion time of {OURS} above {BASELINE}'s by", "%", later)]
        said = f"load {load}: {label} flows"
        if label == "hot":
            claims.append(
                Claim(f"{said} do at most {A_LITTLE} % worse with {OURS} than with {BASELINE}",
                      more > -A_LITTLE and later < A_LITTLE,
                      f"throughput {more:+.1f} %, completion time {later:+.1f} %"))
        else:
            claims.append(Claim(f"{said} get more throughput with {OURS} than with {BASELINE}",
                                more > 0, f"{more:+.1f} %"))
            claims.append(Claim(f"{said} complete sooner with {OURS} than with {BASELINE}",
                                later < 0, f"{later:+.1f} %"))


if __name__ == "__main__":
    EXPERIMENT = Experiment("rcm-hotspot", __doc__, seeds=2)
    EXPERIMENT.add("--loads", "0.3,0.5,0.7,0.9", "0.3,0.7", "offered loads, comma list",
                   metavar="LIST")
    EXPERIMENT.add("--k", 12, 4, "ports of a switch, even; k^3/4 hosts", type=int,
                   choices=range(4, 25, 2), metavar="K")
    EXPERIMENT.add("--duration", "1ms", "200us", "duration of arrivals")
    EXPERIMENT.parser.add_argument("--size", default="100kB",
                                   help="of each flow (default: %(default)s)")
    add_techniques(EXPERIMENT.parser)
    sys.exit(EXPERIMENT.main(body))
