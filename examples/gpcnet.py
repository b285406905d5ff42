#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""GPCNeT's load test: what congestors of closed loops do to victims, under congestion controls.

    python3 gpcnet.py [--quick] [--cc LIST] [--per-host N] [--buffer BYTES] [--seeds N] [--out DIR]
                      [--jobs N] [--program FILE]

120 hosts on ten leaves and twelve spines (100 Gb/s, full bisection) under credits, 16 ranks on
each. A fifth of the hosts are victims, which do the three tests of the benchmark in turn; the
others are its four congestors: all-to-all, incast, put incast, get broadcast, 24 hosts each, so
that 368 ranks send to one host. Three runs for each congestion control: victims alone, both,
congestors alone one after the other. The impact factor is congested over isolated (bandwidth:
isolated over congested), 1 if congestors do no harm; F_C compares with no control under congestion
(PFT paper). Counts are scaled down and printed; sizes, roles and fan-ins are those of the
benchmark. The messages between two hosts share a PDC, or each would begin without knowing of
congestion. --cc: comma list, or all; timely-50us and rocc-150kB have thresholds below what
congestors can have on their way; pft, which needs --buffer, is proactive flow throttling without
congestion control. --quick: 40 hosts, no control and HPCC.
"""
import dataclasses
import statistics
import sys

import find_dcfabric  # noqa: F401
from dcfabric import DcfabricError, Scenario
from dcfabric.commands import positive
from showcases.experiment import Claim, Experiment, Number
from showcases.gpcnet import (ATTRIBUTES, BANDWIDTH, LATENCY, TESTS, Counts, Layout,
                                       congestors_of, impact, job, network, victims_of, write_job)
from showcases.throttling import Service, control_factor

UNCONTROLLED = "none"
CONTROLS = {
    **{name: {"cc": name}
       for name in (UNCONTROLLED, "hpcc", "fncc", "dcqcn", "dctcp", "swift", "timely", "rocc",
                    "bts")},
            "timely-50us": {"cc": "timely",
                            "attributes": {"ns3::TimelyCongestionControl::LowThreshold": "20us",
                                           "ns3::TimelyCongestionControl::HighThreshold": "50us"}},
            "rocc-150kB": {"cc": "rocc",
                           "attributes": {"ns3::RoccFeature::Qref": 150000,
                                          "ns3::RoccFeature::Qmid": 300000,
                                          "ns3::RoccFeature::Qmax": 330000}},
            "pft": {"cc": UNCONTROLLED, "throttle": "pft"}}
THROTTLED = "pft"
SHARED_PDCS = {"ns3::FabricNic::PdcPerMessage": False}
RUNS = {"isolated": {"congestors": False}, "congested": {}, "alone": {"victims": False}}
SHOWN = {"average": "Avg", "worst": "99 %"}
COUNTS = Counts(rings=1, latency_warm_up=2, bandwidth=1, bandwidth_warm_up=0, allreduce=10, alone=2)
"""So that a run beside congestors takes less than a minute."""


def controls_of(options):
    """No control first, because the others are compared with it."""
    names = ([name for name in CONTROLS if name != THROTTLED] if options.cc == "all"
             else options.cc.split(","))
    for name in names:
        if name not in CONTROLS:
            raise DcfabricError(f"--cc: unknown '{name}'; known: all, {', '.join(CONTROLS)}")
    if THROTTLED in names and options.buffer is None:
        raise DcfabricError(f"--cc={THROTTLED}: thresholds are above the default buffers of links; "
                            "give all runs larger ones, such as "
                            "--buffer=131072")
    return [UNCONTROLLED, *(name for name in dict.fromkeys(names) if name != UNCONTROLLED)]


def mean(parts):
    """Of the same figures under several seeds."""
    return {key: {field: statistics.mean(getattr(part[key], field) for part in parts)
                  for field in SHOWN} for key in parts[0]}


def body(experiment):
    options = experiment.options
    topology, hosts = network(options.quick)
    seeds = range(1, options.seeds + 1)
    layouts = {seed: Layout(hosts, options.per_host, seed) for seed in seeds}
    controls = controls_of(options)
    buffer = ({} if options.buffer is None
              else {"ns3::CreditFlowControl::BufferBytes": options.buffer})

    def scenario(run, control, seed):
        path = write_job(options.out / f"{run}-{seed}.txt", job(layouts[seed], COUNTS, **RUNS[run]))
        fields = dict(CONTROLS[control])
        return Scenario(topology=topology, workload=f"program:{path}", seed=seed,
                        flow_control="credit",
                        attributes={**ATTRIBUTES, **SHARED_PDCS, **buffer,
                                    **fields.pop("attributes", {})}, **fields)

    results = experiment.run({f"{control}-{run}-{seed}": scenario(run, control, seed)
                              for control in controls for run in RUNS for seed in seeds})
    print("counts: " + ", ".join(f"{name.replace('_', ' ')} {value}"
                                 for name, value in dataclasses.asdict(COUNTS).items())
          + f"; {options.per_host} ranks on each of {hosts} hosts")
    numbers, factors, services = [], {}, {}
    for control in controls:
        of = {run: [results[f"{control}-{run}-{seed}"].marks for seed in seeds] for run in RUNS}
        victims = {run: mean([victims_of(marks, COUNTS) for marks in of[run]])
                   for run in ("isolated", "congested")}
        rates = {
            run: mean([congestors_of(marks, layouts[seed]) for seed, marks in zip(seeds, of[run])])
                 for run in ("congested", "alone")}
        factors[control] = {test: {} for test in TESTS}
        for test, (title, unit) in TESTS.items():
            for field, shown in SHOWN.items():
                alone, beside = (victims[run][test][field] for run in ("isolated", "congested"))
                factors[control][test][field] = impact(test, alone, beside)
                numbers += [Number(f"{control}, {title}", f"{shown}, isolated", unit, alone),
                            Number(f"{control}, {title}", f"{shown}, congested", unit, beside),
                            Number(f"{control}, {title}", f"{shown}, impact factor", "",
                                   factors[control][test][field])]
        numbers += [Number(f"{control}, {kind}", f"{SHOWN['average']} of a rank, {where}", "MiB/s",
                           rates[run][kind]["average"])
                    for kind in layouts[seeds[0]].congestors
                    for run, where in (("alone", "alone"), ("congested", "beside victims"))]
        services[control] = {field: Service(victims["congested"][BANDWIDTH][field],
                                            victims["congested"][LATENCY][field])
                             for field in SHOWN}
        numbers += [Number(control, f"control factor, {shown}", "",
                           control_factor(services[control][field], services[UNCONTROLLED][field]))
                    for field, shown in SHOWN.items() if control != UNCONTROLLED]
    return {"numbers": numbers, "claims": claims(factors),
            "series": {"impact": factors, "counts": dataclasses.asdict(COUNTS), "hosts": hosts,
                       "per_host": options.per_host}}


def claims(factors):
    """What is expected of congestion, and of its control."""
    found = []
    for test, (title, _) in TESTS.items():
        base = factors[UNCONTROLLED][test]
        found.append(Claim(f"no control: congestors harm {title}", base["worst"] > 1,
                           f"impact factors {base['average']:.2f}, 99 % {base['worst']:.2f}"))
        for control, of in factors.items():
            if control != UNCONTROLLED:
                found.append(Claim(f"{control}: congestors harm {title} less than without control",
                                   of[test]["worst"] < base["worst"],
                                   f"99 %: {of[test]['worst']:.2f} in place of "
                                   f"{base['worst']:.2f}"))
    return found


if __name__ == "__main__":
    EXPERIMENT = Experiment("gpcnet", __doc__, seeds=1)
    EXPERIMENT.add("--cc", "none,hpcc,dcqcn,swift", "none,hpcc",
                   "congestion controls beside none, comma list, or all", metavar="LIST")
    EXPERIMENT.parser.add_argument("--per-host", type=positive, default=16, metavar="N",
                                   help="ranks on a host (default: %(default)s)")
    EXPERIMENT.parser.add_argument("--buffer", type=positive, metavar="BYTES",
                                   help="bytes of ingress buffer of a link (default: what keeps it "
                                        "busy)")
    sys.exit(EXPERIMENT.main(body))
