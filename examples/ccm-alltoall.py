#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""An all-to-all beside an incast, with and without coordinated congestion management (CCM).

    python3 ccm-alltoall.py [--quick] [--seeds N] [--out DIR] [--jobs N] [--program FILE]

Links of 400 Gb/s and 1 us, PFC. Three networks: leaf-spine (32 hosts), four layers (32), dragonfly
(72); each whole, and with one link between switches slowed down to 50 Gb/s. Traffic: an all-to-all
among all hosts, and after 20 us an incast of 16 hosts to one of them; each host to one that nobody
else sends to (shift: what congestion there is is inside the network); the incast alone. Under DCQCN
and Swift: ECMP (dragonfly: minimal routing), adaptive routing without coordination (packet by
packet; dragonfly: UGAL-L), REPS at hosts, CCM (dragonfly: with UGAL-L in place of its own routing);
under HPCC, which needs a flow on one path at a time, ECMP and CCM. A cut is needless if it hits a
flow to another host than that of the incast. --quick: leaf-spine, DCQCN, one seed.
"""
import itertools
import statistics
import sys

import find_dcfabric  # noqa: F401
from dcfabric import Scenario
from showcases.coordination import (ADAPTIVE, ALL, ALL_TO_ALL, CCM, ECMP, FAN_IN, HOSTS,
                                             INCAST, NETWORKS, RECEIVER, SHIFT, TRAFFIC)
from showcases.experiment import Claim, Experiment, Number
from dcfabric.faults import write_faults

CONTROLS = {"dcqcn": (ECMP, ADAPTIVE, HOSTS, CCM), "swift": (ECMP, ADAPTIVE, HOSTS, CCM),
            "hpcc": (ECMP, CCM)}
WHOLE, SLOW = "whole", "slow link"
NEAR = 1.1
"""An end that is as good as another, at most so much later."""


def cases(options):
    """(network, state, traffic, congestion control, arm)"""
    networks = list(NETWORKS)[:1] if options.quick else NETWORKS
    controls = list(CONTROLS)[:1] if options.quick else CONTROLS
    return [(*case, arm) for case in itertools.product(networks, (WHOLE, SLOW), TRAFFIC, controls)
            for arm in CONTROLS[case[3]]]


def scenario(options, network, state, traffic, control, arm, seed):
    plan = NETWORKS[network]
    faults = None
    if state != WHOLE:
        faults = write_faults(options.out / f"{network.replace(' ', '-')}.faults",
                              [f"0us rate {plan.slow[0]} {plan.slow[1]} 50Gbps"])
    return Scenario(topology=plan.topology, rate="400Gbps",
                    workload=TRAFFIC[traffic].format(by=plan.by, size=plan.size),
                    cc=control, faults=faults, seed=seed, **plan.arm(arm, control))


def measure(result, traffic):
    """Time of the last flow, goodput, cuts by kind, moves and packets that others overtook."""
    groups, summary = result.summary["groups"], result.summary
    part = ALL_TO_ALL if traffic == ALL else None
    flows = result.flows if part is None else result.flows[result.flows["group"] == part]
    needless = {ALL: lambda: int(flows[flows["dst"] != RECEIVER]["cc_reductions"].sum()),
                SHIFT: lambda: summary["cc_reductions"], INCAST: lambda: 0}[traffic]()
    return {"last_us": float((flows["start_ns"] + flows["fct_ns"]).max()) / 1e3,
            "goodput": groups[part]["goodput_gbps"] if part else summary["goodput_gbps"],
            "cuts": summary["cc_reductions"], "needless": needless, "moves": summary["ccm_moves"],
            "reordered": summary["reordered_packets"],
            "resent": int(result.flows["packets_retransmitted"].sum()),
            "packets": int(result.flows["packets_sent"].sum())}


UNITS = {"last_us": ("last flow", "us"), "goodput": ("goodput", "Gb/s"), "cuts": ("cuts", ""),
         "needless": ("needless cuts", ""), "moves": ("moves", ""),
         "reordered": ("packets that others overtook", ""),
         "resent": ("packets sent again", "")}


def body(experiment):
    options = experiment.options
    seeds = range(1, options.seeds + 1)
    keys = [(*case, seed) for case in cases(options) for seed in seeds]
    named = experiment.run(
        {"-".join(map(str, key)).replace(" ", "-").replace(",", ""): scenario(options, *key)
         for key in keys})
    measured = {key: measure(result, key[2]) for key, result in zip(keys, named.values())}
    mean = {case: {name: statistics.mean(measured[(*case, seed)][name] for seed in seeds)
                   for name in next(iter(measured.values()))}
            for case in cases(options)}
    numbers = [Number(", ".join(case), text, unit, values[name]) for case, values in mean.items()
               for name, (text, unit) in UNITS.items()]
    return {"numbers": numbers, "claims": claims(mean),
            "series": {", ".join(case): values for case, values in mean.items()}}


def claims(mean):
    """What the draft promises: [CCM] section 5."""
    found = []
    for (network, state, traffic, control, arm), values in mean.items():
        if arm != CCM:
            continue
        where = f"{network}, {state}, {control}"
        if traffic == INCAST:
            found.append(
                Claim(f"{where}: an incast alone moves a flow once at most at each switch that has "
                      "a choice",
                      values["moves"] <= FAN_IN * NETWORKS[network].choices,
                      f"{values['moves']:.0f} moves of {FAN_IN} flows"))
        if traffic == SHIFT and (control != "hpcc" or NETWORKS[network].choices > 0):
            # a flow without a light path is told to slow down: some are for a time, while the
            # others move one by one
            ecmp = mean.get((network, state, traffic, control, ECMP), {"cuts": 0})["cuts"]
            found.append(
                Claim(f"{where}: congestion inside the network alone cuts hardly anybody, at most "
                      "a fifth of what ECMP cuts",
                      values["cuts"] <= ecmp / 5, f"{values['cuts']:.0f} cuts, {ecmp:.0f}"))
        for name in (ECMP, ADAPTIVE) if traffic == ALL else ():
            if (network, state, traffic, control, name) in mean:
                other = mean[network, state, traffic, control, name]
                found += [Claim(f"{where}: fewer needless cuts than with {name}, or none",
                                values["needless"] < max(other["needless"], 1),
                                f"{values['needless']:.0f}, {other['needless']:.0f}"),
                          Claim(f"{where}: the all-to-all ends sooner than with {name}, or within "
                                "10 % of it",
                                values["last_us"] < NEAR * other["last_us"],
                                f"{values['last_us']:.0f} us, {other['last_us']:.0f} us")]
    return found


if __name__ == "__main__":
    sys.exit(Experiment("ccm-alltoall", __doc__, seeds=3).main(body))
