#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Minimal, Valiant and UGAL-L routing on dragonflies under adversarial and uniform traffic.

    python3 direct-networks.py [--quick] [--seeds N] [--out DIR] [--jobs N] [--program FILE]

Dragonflies with one link between each pair of groups, links of 100 Gb/s and 1 us, PFC, no
congestion control. Adversarial: all hosts of group i send to group i + 1, so that minimal routing
has one link for a p hosts. Uniform: each host sends to every other. Measured in a span in which all
flows are under way: rate at which data arrives at a host, headers included, load of each global
link, share of packets by way of a third group. With 342 hosts: adversarial only. --quick: 72 hosts
only.
"""
import statistics
import sys

import find_dcfabric  # noqa: F401
from dcfabric import Scenario
from showcases.direct import GOODPUT, Dragonfly, global_loads
from showcases.experiment import Claim, Experiment, Number

SIZES = {"72 hosts": Dragonfly(2, 4, 2), "342 hosts": Dragonfly(3, 6, 3)}
# 116,622 flows take too long
TRAFFIC = {"72 hosts": ("adversarial", "uniform"), "342 hosts": ("adversarial",)}
ROUTINGS = ("minimal", "valiant", "ugal")
SPAN_US = {"adversarial": (100, 300), "uniform": (40, 140)}
"""Beginning and end of the span."""
HOST_BYTES = 4_000_000
"""Payload that each host sends, more than it can until the end."""


def scenario(size, traffic, routing, seed, stop_us):
    workload = (f"shift:by={size.hosts * size.routers},size={HOST_BYTES}"
                if traffic == "adversarial"
                else f"alltoall:size={HOST_BYTES // (size.n_hosts - 1)}")
    return Scenario(topology=size.spec(), workload=workload, cc="none", routing=routing, seed=seed,
                    stop=f"{stop_us}us",
                    trace="links", trace_interval="10us")


def measure(size, traffic, before, after):
    """Share of the line rate of a host at which data arrives, load of each global link in ascending
    order, share of non-minimal packets. before, after: runs that stop at the beginning and at the
    end of the span."""
    start_us, end_us = SPAN_US[traffic]
    bits = (after.summary["goodput_gbps"] * end_us * 1e3
            - before.summary["goodput_gbps"] * start_us * 1e3)
    packets = after.summary["minimal_packets"] + after.summary["non_minimal_packets"]
    return {"rate": bits / GOODPUT / ((end_us - start_us) * 1e3) / size.n_hosts / size.rate_gbps,
            "loads": sorted(global_loads(after, size, start_us, end_us)),
            "third": after.summary["non_minimal_packets"] / packets if packets else 0.0}


def body(experiment):
    sizes = dict(list(SIZES.items())[:1]) if experiment.options.quick else SIZES
    keys = [(size, traffic, routing) for size in sizes for traffic in TRAFFIC[size]
            for routing in ROUTINGS]
    seeds = range(1, experiment.options.seeds + 1)
    named = experiment.run({("-".join(key) + f"-{seed}-{stop_us}us").replace(" ", "-"):
                            scenario(SIZES[key[0]], *key[1:], seed, stop_us)
                            for key in keys for seed in seeds for stop_us in SPAN_US[key[1]]})
    runs = iter(named.values())
    measured = {key: [measure(SIZES[key[0]], key[1], next(runs), next(runs)) for _ in seeds]
                for key in keys}
    numbers, series, claims = [], {}, []
    mean = {key: statistics.mean(one["rate"] for one in measured[key]) for key in keys}
    for key in keys:
        case, loads = ", ".join(key), measured[key][0]["loads"]
        numbers += [Number(case, "rate of data at a host", "% of its line rate", 100 * mean[key]),
                    Number(case, "load of global links, mean", "%", 100 * statistics.mean(loads)),
                    Number(case, "load of global links, most", "%", 100 * loads[-1]),
                    Number(case, "packets by way of a third group", "%",
                           100 * measured[key][0]["third"])]
        series[case] = {"load_percent": [100 * load for load in loads]}
    for name in sizes:
        size = SIZES[name]
        share = mean[name, "adversarial", "minimal"] * size.hosts * size.routers
        claims += [
            Claim(f"{name}, adversarial: minimal routing has 1/(a p) of the line rate within 2 %",
                  abs(share - 1) < 0.02,
                  f"{share:.4f} of it")]
        claims += [Claim(f"{name}, adversarial: {routing} has at least 0.4 of the line rate",
                         mean[name, "adversarial", routing] >= 0.4,
                         f"{mean[name, 'adversarial', routing]:.3f}")
                   for routing in ("valiant", "ugal")]
        if "uniform" in TRAFFIC[name]:
            ratio = mean[name, "uniform", "ugal"] / mean[name, "uniform", "minimal"]
            claims += [Claim(f"{name}, uniform: UGAL is within 5 % of minimal routing",
                             ratio > 0.95, f"{ratio:.3f} of it")]
    return {"numbers": numbers, "claims": claims, "series": series}


if __name__ == "__main__":
    sys.exit(Experiment("direct-networks", __doc__, seeds=1).main(body))
