#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Control factor of proactive flow throttling under GPCNeT, over its settings (PFT paper, figures 1
and 3 to 5).

    python3 pft-gpcnet.py [--quick] [--settings few|grid|all|NAMES] [--buffers B,B] [--unit BYTES]
                          [--delay TIME] [--per-host N] [--lb NAME] [--rings N] [--iterations N]
                          [--pause US] [--seeds N] [--out DIR] [--jobs N] [--program FILE]

120 hosts on ten leaves and twelve spines (100 Gb/s, full bisection) under credits of a flit each
and adaptive routing, without congestion control, 16 ranks on each: GPCNeT's two-sided tests of a
fifth of the hosts beside its four congestors on the others (gpcnet.py). B is the mean bandwidth of
victims, D their mean latency; F_C = (B / D) over the same without throttling, also of the 99 % of
the benchmark. Settings: FT and AT, each with RI over m and with FI over n, thresholds 592 and 672
(grid), and AT with other k, thresholds and periods (all), under the first buffer; under the others
m of 18 and 22 and n of 8 (few). --buffers: bytes that the ingress buffer of a link has for a class.
Each seed has a placement of its own: factors are geometric means of those of the seeds, with their
range. Counts are scaled down and printed; victims measure when congestors have run for a while, and
pause between iterations, so that few of them meet congestion as it comes and goes; congestors meet
rarely. --quick: 40 hosts, seven settings, one buffer.
"""
import dataclasses
import math
import statistics
import sys

import find_dcfabric  # noqa: F401
from dcfabric import Scenario
from dcfabric.commands import not_negative, positive
from dcfabric.intervals import mean_interval
from showcases.experiment import Claim, Experiment, Number
from showcases.gpcnet import (BANDWIDTH, LATENCY, Counts, Layout, attributes, job, network,
                                       values_of, victims_of, write_job)
from showcases.throttling import (BEST, FLIT_BYTES, KINDS, PAPER_BEST, UNCONTROLLED,
                                           Service, buffers_of, chosen, control_factor, grid,
                                           injection_rates, kind_of, run_name)

COUNTS = Counts(rings=2, latency=25, latency_warm_up=2, bandwidth=1, bandwidth_warm_up=0,
                outstanding=1, allreduce=0, rounds=16,
                eager=8192, settle_us=1500, pause_us=20)
"""Congestion has to be there when victims measure: it needs a millisecond to spread, and congestors
that meet often let queues empty. MPI does not wait for the receiver of 4096 bytes. Without pauses,
25 iterations are over in 20 us if they begin in a calm moment."""
DELAY = "100ns"
"""Of links in a machine room. What is on its way counts among used credits, so that over long links
fast senders look congested."""
SHOWN = {"average": "Avg", "worst": "99 %"}
LARGE = 1 << 19
MEMORY = {"ns3::SharedBuffer::Size": 1 << 27}
"""Of a switch, where ingress buffers are large: 24 ports with two classes each do not fit in the
default of 32 MiB."""


def median(values):
    """Of any number of values; the lower one of two."""
    return sorted(values)[(len(values) - 1) // 2]


def body(experiment):
    options = experiment.options
    topology, hosts = network(options.quick)
    counts = dataclasses.replace(COUNTS, rings=options.rings, latency=options.iterations,
                                 pause_us=options.pause)
    buffers = buffers_of(options.buffers)
    layouts = {seed: Layout(hosts, options.per_host, seed) for seed in range(1, options.seeds + 1)}
    wide = chosen(options.settings)
    settings = {buffer: wide if buffer == buffers[0] or len(wide) <= len(grid(True)) else grid(True)
                for buffer in buffers}

    def scenario(name, buffer, seed):
        fields = dict(settings[buffer][name])
        own = {**fields.pop("attributes", {}), **attributes(counts),
               "ns3::FabricNic::PdcPerMessage": False,
               "ns3::CreditFlowControl::BufferBytes": buffer,
               "ns3::CreditFlowControl::UnitBytes": options.unit,
               **(MEMORY if buffer > LARGE else {})}
        path = write_job(options.out / f"job-{seed}.txt", job(layouts[seed], counts))
        return Scenario(topology=topology, workload=f"program:{path}", cc="none",
                        flow_control="credit", lb=options.lb,
                        delay=options.delay, seed=seed, attributes=own, **fields)

    results = experiment.run({run_name(name, buffer, seed): scenario(name, buffer, seed)
                              for buffer in buffers for name in settings[buffer]
                              for seed in layouts})
    print("counts: " + ", ".join(f"{name.replace('_', ' ')} {value}"
                                 for name, value in dataclasses.asdict(counts).items())
          + f"; {options.per_host} ranks on each of {hosts} hosts")
    numbers, claims, factors, ranks = [], [], {}, {}
    for buffer in buffers:
        text = f"{buffer} B"
        services, factors[text], ranks[text] = {}, {}, {}
        for name in settings[buffer]:
            marks = [results[run_name(name, buffer, seed)].marks for seed in layouts]
            found = [victims_of(one, counts) for one in marks]
            services[name] = {field:
                              [
                                  Service(*(getattr(one[test], field)
                                            for test in (BANDWIDTH, LATENCY))) for one in found]
                              for field in SHOWN}
            ranks[text][name] = {key:
                                 [float(value) for one in marks
                                  for value in values_of(one, counts, test).groupby(level=0).mean()]
                                 for key, test in (("delay_us", LATENCY), ("mib_s", BANDWIDTH))}
            case = f"{text}, {name}"
            factors[text][name] = {}
            for field, shown in SHOWN.items():
                each = [control_factor(with_, without)
                        for with_, without in zip(services[name][field],
                                                  services[UNCONTROLLED][field])]
                # ratios: 2 and a half are 1 on average
                logarithms = [math.log(one) for one in each]
                interval = mean_interval(logarithms)
                factors[text][name] |= {field: math.exp(interval.mean), f"{field}_low": min(each),
                                        f"{field}_high": max(each)}
                numbers.append(Number(case, f"control factor, {shown}", "",
                                      factors[text][name][field],
                                      PAPER_BEST if (name, field) == (BEST, "average") else None))
                if interval.seeds > 1:
                    numbers.append(Number(case,
                                          f"control factor, {shown}, its 95 % interval by so many "
                                          "times", "",
                                          math.exp(interval.high - interval.mean)))
                    numbers += [Number(case, f"control factor, {shown}, seed {seed}", "", one)
                                for seed, one in zip(layouts, each)]
                numbers += [Number(case, f"bandwidth, {shown}", "MiB/s",
                                   statistics.mean(of.bandwidth for of in services[name][field])),
                            Number(case, f"latency, {shown}", "us",
                                   statistics.mean(of.delay for of in services[name][field]))]
            for counter in ("pft_entries", "pft_congested_ns", "pft_delayed_packets"):
                numbers.append(Number(case, counter, "",
                                      sum(results[run_name(name, buffer, seed)].summary[counter]
                                          for seed in layouts) / len(layouts)))
        claims += claims_of(text,
                            {name: of for name, of in factors[text].items()
                             if name != UNCONTROLLED}, ranks[text])
    shown = {text: {name: of[name] for name in [UNCONTROLLED, *best_of_kinds(factors[text])]}
             for text, of in ranks.items()}
    return {"numbers": numbers, "claims": claims,
            "series": {"factors": factors, "ranks": shown, "injection": injection_rates(),
                       "buffers": buffers,
                       "counts": dataclasses.asdict(counts), "hosts": hosts,
                       "per_host": options.per_host}}


def best_of_kinds(factors):
    """Of each kind that there is, the setting with the largest control factor."""
    found = {kind: [name for name in factors if kind_of(name) == kind] for kind in KINDS}
    return [max(names, key=lambda name: factors[name]["average"]) for names in found.values()
            if names]


def claims_of(text, factors, ranks):
    """What the paper says of its control factors and of the curves of delay and bandwidth."""
    best = max(factors, key=lambda name: factors[name]["average"])
    above = sum(of["average"] > 1 for of in factors.values())
    middle = {key: {name: median(ranks[name][key]) for name in (UNCONTROLLED, best)}
              for key in ("delay_us", "mib_s")}
    return [Claim(f"{text}: most settings have a control factor above 1", above > len(factors) / 2,
                  f"{above} of {len(factors)}, {min(of['average'] for of in factors.values()):.2f} "
                  "to "
                  f"{factors[best]['average']:.2f} ({best})"
                  + (f"; {BEST}: {factors[BEST]['average']:.2f}" if BEST in factors else "")),
            *(Claim(f"{text}: the best setting moves the curve of {what} to the {way}",
                    (middle[key][best] < middle[key][UNCONTROLLED]) == (way == "left"),
                    f"median of processes {middle[key][UNCONTROLLED]:.4g} {unit} without, "
                    f"{middle[key][best]:.4g} {unit} under {best}")
              for key, what, way, unit in (("delay_us", "delays", "left", "us"),
                                           ("mib_s", "bandwidths", "right", "MiB/s")))]


if __name__ == "__main__":
    EXPERIMENT = Experiment("pft-gpcnet", __doc__, seeds=1)
    EXPERIMENT.add("--buffers", "294912,131072,45056", "294912",
                   "bytes of ingress buffer, comma list", metavar="LIST")
    EXPERIMENT.parser.add_argument("--unit", type=positive, default=FLIT_BYTES, metavar="BYTES",
                                   help="of a credit (default: %(default)s, a flit)")
    EXPERIMENT.parser.add_argument("--delay", default=DELAY, metavar="TIME",
                                   help="of links (default: %(default)s)")
    EXPERIMENT.parser.add_argument("--per-host", type=positive, default=16, metavar="N",
                                   help="ranks on a host (default: %(default)s)")
    EXPERIMENT.add("--rings", COUNTS.rings, 1, "random rings on which victims measure",
                   type=positive, metavar="N")
    EXPERIMENT.add("--iterations", COUNTS.latency, 10, "of the latency test on each of them",
                   type=positive, metavar="N")
    EXPERIMENT.parser.add_argument("--pause", type=not_negative, default=COUNTS.pause_us,
                                   metavar="US",
                                   help="between two of these (default: %(default)s us)")
    EXPERIMENT.parser.add_argument("--lb", default="adaptive", metavar="NAME",
                                   help="load balancing, as of dcfabric-sim (default: %(default)s)")
    EXPERIMENT.add("--settings", "grid", "few",
                   "m of 18 and 22 and n of 8; all m and n; other k, thresholds and periods, too; "
                   "or names as in "
                   "the output with semicolons between them. Many are for the first buffer only",
                   metavar="few|grid|all|NAMES")
    sys.exit(EXPERIMENT.main(body))
