#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Control factor of proactive flow throttling over its settings (PFT paper, figures 3 to 5).

    python3 pft-sweep.py [--quick] [--seeds N] [--pattern NAME] [--buffers B,B] [--out DIR]
                         [--jobs N] [--program FILE]

120 hosts on ten leaves and twelve spines (100 Gb/s, full bisection) under credits, without
congestion control. A fifth of the hosts are victims: each sends 8 bytes and 128 KB to the next one
of a random ring, every 50 us. The others congest the network (--pattern): incasts of 15 to one,
without end or in bursts, or all to all. B is the mean rate of large messages, D the mean delay of
small ones; F_C = (B / D) over the same without throttling. Settings: FT and AT, each with RI over m
and with FI over n; thresholds 592 and 672. --buffers: bytes that the ingress buffer of a link has
for a class. The paper measured GPCNeT, whose closed-loop traffic this does not imitate in full.
--quick: 24 hosts, six settings, one buffer.
"""
import sys

import find_dcfabric  # noqa: F401
from dcfabric import Scenario
from showcases.experiment import Claim, Experiment, Number
from showcases.throttling import (BEST, KINDS, PAPER_BEST, PATTERNS, UNCONTROLLED, Service,
                                           Traffic, buffers_of, control_factor, grid, kind_of,
                                           run_name)


def network(quick):
    """Topology, and the number of its hosts."""
    leaves, spines, hosts = (4, 6, 6) if quick else (10, 12, 12)
    return f"leaf-spine:leaves={leaves},spines={spines},hosts={hosts}", leaves * hosts


def body(experiment):
    options = experiment.options
    topology, hosts = network(options.quick)
    end_us = 400 if options.quick else 1300
    traffic = {seed: Traffic(hosts, options.pattern, end_us / 4, end_us, 50, seed)
               for seed in range(1, options.seeds + 1)}
    settings, buffers = grid(options.quick), buffers_of(options.buffers)

    def scenario(name, buffer, seed):
        fields = dict(settings[name])
        attributes = {**fields.pop("attributes", {}), "ns3::CreditFlowControl::BufferBytes": buffer}
        return Scenario(topology=topology, flows=traffic[seed].flows(), cc="none", lb="ecmp",
                        flow_control="credit", seed=seed,
                        stop=f"{end_us}us", attributes=attributes, **fields)

    results = experiment.run({run_name(name, buffer, seed): scenario(name, buffer, seed)
                              for buffer in buffers for name in settings for seed in traffic})
    numbers, claims, factors, victims = [], [], {}, {}
    for buffer in buffers:
        text = f"{buffer} B"
        services, factors[text], victims[text] = {}, {}, {}
        for name in settings:
            parts = [one.service(results[run_name(name, buffer, seed)])
                     for seed, one in traffic.items()]
            mean = services[name] = Service(sum(part.bandwidth for part, _, _ in parts)
                                            / len(parts),
                                            sum(part.delay for part, _, _ in parts) / len(parts))
            factors[text][name] = control_factor(mean, services[UNCONTROLLED])
            victims[text][name] = {"delay_us": [us for _, delays, _ in parts for us in delays],
                                   "gbps": [gbps for _, _, rates in parts for gbps in rates]}
            case = f"{text}, {name}"
            numbers += [Number(case, "control factor", "", factors[text][name],
                               PAPER_BEST if name == BEST else None),
                        Number(case, "rate of large messages", "Gb/s", mean.bandwidth),
                        Number(case, "delay of small messages", "us", mean.delay)]
            for counter in ("pft_entries", "pft_congested_ns", "pft_delayed_packets"):
                numbers.append(Number(case, counter, "",
                                      sum(results[run_name(name, buffer, seed)].summary[counter]
                                          for seed in traffic) / len(traffic)))
        controlled = {name: factor for name, factor in factors[text].items()
                      if name != UNCONTROLLED}
        above = sum(factor > 1 for factor in controlled.values())
        best = max(controlled, key=controlled.get)
        claims += [Claim(f"{text}: most settings have a control factor above 1",
                         above > len(controlled) / 2,
                         f"{above} of {len(controlled)}, {min(controlled.values()):.2f} to "
                         f"{controlled[best]:.2f} ({best})"),
                   Claim(f"{text}: the best setting lowers delays",
                         services[best].delay < services[UNCONTROLLED].delay,
                         f"{best}: {services[best].delay:.1f} us, without "
                         f"{services[UNCONTROLLED].delay:.1f} us"),
                   Claim(f"{text}: the best setting raises rates",
                         services[best].bandwidth > services[UNCONTROLLED].bandwidth,
                         f"{best}: {services[best].bandwidth:.1f} Gb/s, without "
                         f"{services[UNCONTROLLED].bandwidth:.1f} Gb/s")]
    shown = {text: {name: victims[text][name] for name in [UNCONTROLLED, *(
        max((name for name in settings if kind_of(name) == kind), key=factors[text].get)
        for kind in KINDS)]} for text in factors}
    return {"numbers": numbers, "claims": claims, "series": {"factors": factors, "victims": shown}}


if __name__ == "__main__":
    EXPERIMENT = Experiment("pft-sweep", __doc__, seeds=2, quick_seeds=2)
    EXPERIMENT.parser.add_argument("--pattern", choices=list(PATTERNS), default="incasts",
                                   help="what congests the network (default: %(default)s)")
    EXPERIMENT.add("--buffers", "65536,524288", "524288", "bytes of ingress buffer, comma list",
                   metavar="LIST")
    sys.exit(EXPERIMENT.main(body))
