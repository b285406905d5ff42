#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Which repair does best under which loss: time-outs alone, go-back-N and selective repeat without
and with link-level retry, losses by time (RACK) with retry or trimming too, and by count (SLEEK).

    python3 uet-losses.py [--quick] [--seeds N] [--out DIR] [--jobs N] [--program FILE]

Each of 32 hosts at four leaves under four spines (100 Gb/s, 1 us) sends 1 MB to another one under
DCTCP, over lossy switches. Lost are: nothing; one frame in 10,000, 1,000 or 100 on each link; one
in 20 on one link between a leaf and a spine; what a queue of 60 kB cannot hold when 31 hosts send
200 kB to one; or what is on a link that is down from 20 to 70 us. A flow stays on one path, or is
sprayed over all of them; go-back-N is for one path only. Queues that trim hold a bandwidth-delay
product, others what the memory of a switch has. Figures: the 99th percentile of slowdown, and
packets sent again for each packet that is new. --quick: 300 kB, two kinds of loss, one seed.
"""
import itertools
import statistics
import sys

import find_dcfabric  # noqa: F401
from dcfabric import Scenario
from dcfabric.faults import write_faults
from dcfabric.measures import percentile
from showcases.experiment import Claim, Experiment, Number

PATHS = {"one path": "ecmp", "sprayed": "spray-random"}
NEVER = 1000000000  # packets out of order
# A further repair is an entry here; repairs for one path only are named below.
REPAIRS = {
    "time-outs": {"reliability": "selective-repeat",
                  "attributes": {"ns3::SelectiveRepeat::ReorderThreshold": NEVER}},
    "go-back-N": {"reliability": "go-back-n"},
    "go-back-N, LLR": {"reliability": "go-back-n", "link_retry": "llr"},
    "selective repeat": {"reliability": "selective-repeat",
                         "attributes": {"ns3::SelectiveRepeat::ReorderThreshold": 3}},
    "selective repeat, LLR": {"reliability": "selective-repeat", "link_retry": "llr",
                              "attributes": {"ns3::SelectiveRepeat::ReorderThreshold": 3}},
    "RACK": {"reliability": "rack"},
    "RACK, LLR": {"reliability": "rack", "link_retry": "llr"},
    "RACK, trimming": {"reliability": "rack", "trimming": "headers"},
    "SLEEK": {"reliability": "sleek"},
}
IN_ORDER = ("go-back-N", "go-back-N, LLR")
INCAST = "drops in an incast"
LEAF, SPINE = 32, 36  # behind hosts 0 to 31
LOSSES = {"none": {}, "1e-4": {"error_rate": 1e-4}, "1e-3": {"error_rate": 1e-3},
          "1e-2": {"error_rate": 1e-2}, "bad link": {}, INCAST: {}, "link down": {}}
FAULTS = {"bad link": [f"0us loss {LEAF} {SPINE} 0.05"],
          "link down": [f"20us down {LEAF} {SPINE}", f"70us up {LEAF} {SPINE}"]}
QUICK = ("1e-3", INCAST)


def scenarios(experiment, losses, seeds):
    """One for each way, loss, repair and seed."""
    options = experiment.options
    size = "300kB" if options.quick else "1MB"
    base = Scenario(topology="leaf-spine:leaves=4,spines=4,hosts=8", cc="dctcp",
                    flow_control="none", workload=f"permutation:size={size}")
    files = {loss: write_faults(options.out / f"{loss.replace(' ', '-')}.txt", lines)
             for loss, lines in FAULTS.items()}
    keys = {}
    for path, loss, repair, seed in itertools.product(PATHS, losses, REPAIRS, seeds):
        if path == "sprayed" and repair in IN_ORDER:
            continue
        one = base.replace(lb=PATHS[path], seed=seed, faults=files.get(loss), **LOSSES[loss])
        fields = dict(REPAIRS[repair])
        attributes = dict(fields.pop("attributes", {}))
        if loss == INCAST:
            attributes["ns3::CongestionAwareQueueDisc::MaxSize"] = "60kB"
            one = one.replace(workload="incast:fan-in=31,size=200kB")
        keys[path, loss, repair, seed] = one.replace(attributes=attributes, **fields)
    return keys


def body(experiment):
    options = experiment.options
    seeds = range(1, options.seeds + 1)
    losses = QUICK if options.quick else tuple(LOSSES)
    keys = scenarios(experiment, losses, seeds)
    named = experiment.run(
        {"-".join(map(str, key)).replace(" ", "-").replace(",", ""): one
         for key, one in keys.items()})
    results = dict(zip(keys, named.values()))
    numbers, series = [], {path: {} for path in PATHS}
    best = {}
    for path, loss, repair in dict.fromkeys(key[:3] for key in keys):
        each = [results[path, loss, repair, seed] for seed in seeds]
        slow = [percentile(one.flows["slowdown"], 99) for one in each]
        again = [float(one.flows["packets_retransmitted"].sum())
                 / float((one.flows["packets_sent"] - one.flows["packets_retransmitted"]).sum())
                 for one in each]
        case = f"{path}, {loss}, {repair}"
        numbers += [Number(case, "slowdown, p99", "", statistics.mean(slow)),
                    Number(case, "packets sent again, of new ones", "", statistics.mean(again))]
        series[path].setdefault(loss, {})[repair] = {"slowdown": slow, "again": again}
        best.setdefault((path, loss), {})[repair] = statistics.mean(slow)
    claims = []
    for (path, loss), slow in best.items():
        if loss in ("1e-4", "1e-3", "1e-2", "bad link") and path == "one path":
            claims.append(Claim(f"{path}, {loss}: go-back-N is best with link-level retry",
                                slow["go-back-N, LLR"] < slow["go-back-N"],
                                f"{slow['go-back-N, LLR']:.2f} with, {slow['go-back-N']:.2f} "
                                f"without"))
        if loss != "none":
            first = min(slow, key=slow.get)
            claims.append(Claim(f"{path}, {loss}: time-outs alone are not best",
                                first != "time-outs",
                                f"{first} {slow[first]:.2f}, time-outs {slow['time-outs']:.2f}"))
    return {"numbers": numbers, "claims": claims, "series": series}


if __name__ == "__main__":
    sys.exit(Experiment("uet-losses", __doc__, seeds=3).main(body))
