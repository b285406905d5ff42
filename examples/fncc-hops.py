#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Congestion at the first, the middle and the last hop (FNCC paper, section 5.4, figures 11 and
13a-d).

    python3 fncc-hops.py [--quick] [--out DIR] [--jobs N] [--program FILE]

Each path has three switches, links of 100 Gb/s and 1.5 us: flow 0 from 0, flow 1 from 300 us to 450
us (as much as half the line rate carries in 150 us). First hop: both from switch 1. Middle: their
paths meet at switch 2. Last: they meet at switch 3 and go to the same host, so that the last-hop
congestion speed-up (LHCS) of FNCC is at work. The script measures the queue where they meet.
--quick: HPCC and FNCC, first and last hop.
"""
import sys

import find_dcfabric  # noqa: F401
from dcfabric import Flow, Scenario
from showcases.experiment import Claim, Experiment, Number
from dcfabric.measures import between, queue_kb, rate_gbps, utilisation
from dcfabric.run_files import write_whole

JOIN_US, LEAVE_US, STOP_US = 300, 450, 700
# Hosts 0 and 1 send to 2 and 3. Switches, links in the order of which ports get their numbers, the
# queue that fills (node, port), and the receiver of flow 1.
PLACES = {
    "first hop": {"switches": (4, 5, 6), "links": ((4, 5), (0, 4), (1, 4), (5, 6), (6, 2), (6, 3)),
                  "queue": (4, 0),
                  "dst": 3},
    "middle hop": {"switches": (4, 5, 6, 7),
                   "links": ((6, 7), (0, 4), (1, 5), (4, 6), (5, 6), (7, 2), (7, 3)),
                   "queue": (6, 0), "dst": 3},
    "last hop": {"switches": (4, 5, 6, 7, 8),
                 "links": ((8, 2), (0, 4), (1, 5), (4, 6), (5, 7), (6, 8), (7, 8), (8, 3)),
                 "queue": (8, 0), "dst": 2},
}
ALGORITHMS = {
    "HPCC": {"cc": "hpcc"},
    "FNCC without LHCS":
    {"cc": "fncc", "attributes": {"ns3::FnccCongestionControl::LastHopSpeedup": "false"}},
    "FNCC": {"cc": "fncc"},
}
# Reduction of the queue against HPCC in percent, section 5.4.2.
PAPER = {("first hop", "FNCC"): 37.5, ("middle hop", "FNCC"): 29.5,
         ("last hop", "FNCC without LHCS"): 8.4,
         ("last hop", "FNCC"): 38.5}


def write_topology(place, path):
    """A topology file in the format of the HPCC simulator."""
    switches, links = PLACES[place]["switches"], PLACES[place]["links"]
    lines = [f"{4 + len(switches)} {len(switches)} {len(links)}", " ".join(map(str, switches))]
    lines += [f"{a} {b} 100Gbps 0.0015ms 0" for a, b in links]
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, "\n".join(lines) + "\n")
    return path


def scenario(place, algorithm, options):
    folder = options.out.resolve()
    topology = write_topology(place, folder / f"{place.replace(' ', '-')}.topology")
    flows = [Flow(0, 2, 100_000_000, 0), Flow(1, PLACES[place]["dst"], 937_500, JOIN_US * 1e3)]
    chosen = ALGORITHMS[algorithm]
    return Scenario(topology=f"file:{topology}", preset="fncc24", flows=flows, stop=f"{STOP_US}us",
                    cc=chosen["cc"],
                    trace=["queues", "rates", "links"], trace_interval="1us",
                    attributes=chosen.get("attributes", {}))


def body(experiment):
    quick = experiment.options.quick
    places = [place for place in PLACES if not (quick and place == "middle hop")]
    algorithms = [name for name in ALGORITHMS if not (quick and name == "FNCC without LHCS")]
    results = experiment.run({f"{place}, {name}": scenario(place, name, experiment.options)
                              for place in places for name in algorithms})
    numbers, claims, series = [], [], {}
    for place in places:
        peak, mean = {}, {}
        for name in algorithms:
            result = results[f"{place}, {name}"]
            queue = queue_kb(result, *PLACES[place]["queue"], STOP_US)
            link = utilisation(result, *PLACES[place]["queue"], STOP_US)
            peak[name] = float(between(queue, JOIN_US, LEAVE_US).max())
            mean[name] = float(between(queue, JOIN_US, LEAVE_US).mean())
            case = f"{place}, {name}"
            numbers += [Number(case, "longest queue", "kB", peak[name]),
                        Number(case, "mean queue from 300 us to 450 us", "kB", mean[name]),
                        Number(case, "link utilization from 300 us to 450 us", "%",
                               100 * float(between(link, JOIN_US, LEAVE_US).mean()))]
            rates = [rate_gbps(result, flow) for flow in (0, 1)]
            series[case] = {"time_us": [float(t) for t in queue.index],
                            "queue_kb": [float(v) for v in queue],
                            "flow_us": [[float(t) for t in rate.index] for rate in rates],
                            "flow_gbps": [[float(v) for v in rate] for rate in rates]}
        for name in algorithms[1:]:
            paper = PAPER.get((place, name))
            numbers += [Number(f"{place}, {name}", "longest queue below HPCC's by", "%",
                               100 * (1 - peak[name] / peak["HPCC"]), paper),
                        Number(f"{place}, {name}", "mean queue below HPCC's by", "%",
                               100 * (1 - mean[name] / mean["HPCC"]), paper)]
        claims.append(Claim(f"{place}: FNCC's longest queue is shorter than HPCC's",
                            peak["FNCC"] < peak["HPCC"],
                            f"{peak['FNCC']:.0f} and {peak['HPCC']:.0f} kB"))
        if place == "last hop" and not quick:
            claims.append(Claim("last hop: LHCS makes the longest queue shorter",
                                peak["FNCC"] < peak["FNCC without LHCS"],
                                f"{peak['FNCC']:.0f} and {peak['FNCC without LHCS']:.0f} kB"))
    return {"numbers": numbers, "claims": claims, "series": series}


if __name__ == "__main__":
    sys.exit(Experiment("fncc-hops", __doc__).main(body))
