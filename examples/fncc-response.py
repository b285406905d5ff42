#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Response of FNCC, HPCC, DCQCN and RoCC to a second flow (FNCC paper, sections 5.1 and 5.2,
figures 3 and 9).

    python3 fncc-response.py [--quick] [--out DIR] [--jobs N] [--program FILE]

Dumbbell of three switches and two senders, links of 1.5 us at 100, 200 and 400 Gb/s: flow 0 from 0,
flow 1 from 300 us. Measured: when flow 0 slows down (first 5 % below its mean of the 50 us before),
the queue of switch 1 toward switch 2, the utilization of that link in the 150 us after flow 1
joined and later, pause frames. --quick: 100 Gb/s only.
"""
import math
import sys

import find_dcfabric  # noqa: F401
from dcfabric import Flow, Scenario
from showcases.experiment import Claim, Experiment, Number
from dcfabric.measures import between, queue_kb, rate_gbps, reaction_us, utilisation

ALGORITHMS = {"fncc": "FNCC", "hpcc": "HPCC", "dcqcn": "DCQCN", "rocc": "RoCC"}
# Read off figure 9b by the paper's text, at 100 Gb/s.
PAPER_REACTION_US = {"fncc": 300, "hpcc": 330, "dcqcn": 346, "rocc": 370}
JOIN_US, RELIEVED_US, STOP_US = 300, 450, 800
SWITCH, PORT = 4, 2  # of switch 1, towards switch 2


def scenario(cc, rate):
    """One run; flows are too long to end."""
    size = rate * 1_000_000
    return Scenario(topology="dumbbell:switches=3,senders=2", preset="fncc24", cc=cc,
                    rate=f"{rate}Gbps",
                    flows=[Flow(0, 2, size, 0), Flow(1, 3, size, JOIN_US * 1e3)],
                    stop=f"{STOP_US}us",
                    trace=["queues", "rates", "links"], trace_interval="1us")


def time_text(us):
    """A time in words."""
    return f"{us:.0f} us" if math.isfinite(us) else "never"


def body(experiment):
    rates = (100,) if experiment.options.quick else (100, 200, 400)
    results = experiment.run({f"{cc}-{rate}": scenario(cc, rate)
                              for rate in rates for cc in ALGORITHMS})
    numbers, claims, series = [], [], {}
    for rate in rates:
        reaction, peak, used, later, pauses = {}, {}, {}, {}, {}
        for cc, name in ALGORITHMS.items():
            result = results[f"{cc}-{rate}"]
            flows = [rate_gbps(result, flow) for flow in (0, 1)]
            queue = queue_kb(result, SWITCH, PORT, STOP_US)
            link = utilisation(result, SWITCH, PORT, STOP_US)
            reaction[cc] = reaction_us(flows[0], JOIN_US)
            peak[cc] = float(between(queue, JOIN_US, STOP_US).max())
            used[cc] = float(between(link, JOIN_US, RELIEVED_US).mean())
            later[cc] = float(between(link, RELIEVED_US, STOP_US).mean())
            pauses[cc] = result.summary["pfc_pause_frames"]
            case = f"{name}, {rate} Gb/s"
            if math.isfinite(reaction[cc]):
                numbers.append(Number(case, "flow 0 slows down at", "us", reaction[cc],
                                      PAPER_REACTION_US[cc] if rate == 100 else None))
            numbers += [
                Number(case, "longest queue of switch 1", "kB", peak[cc]),
                Number(case, "utilization of the shared link, 300 to 450 us", "%", 100 * used[cc]),
                Number(case, "utilization of the shared link, 450 to 800 us", "%", 100 * later[cc]),
                Number(case, "pause frames", "", pauses[cc]),
            ]
            series[case] = {
                "time_us": [float(t) for t in queue.index],
                "queue_kb": [float(v) for v in queue],
                "utilisation": [float(v) for v in link],
                "flow_us": [[float(t) for t in flow.index] for flow in flows],
                "flow_gbps": [[float(v) for v in flow] for flow in flows],
            }
        order = list(ALGORITHMS)
        claims += [
            Claim(f"{rate} Gb/s: FNCC, HPCC and DCQCN react in this order",
                  reaction["fncc"] < reaction["hpcc"] < reaction["dcqcn"],
                  ", ".join(time_text(reaction[cc]) for cc in order[:3])),
            Claim(f"{rate} Gb/s: RoCC is the last to react",
                  max(reaction, key=reaction.get) == "rocc",
                  time_text(reaction["rocc"])),
            Claim(f"{rate} Gb/s: FNCC has the shortest of the longest queues",
                  min(peak, key=peak.get) == "fncc",
                  ", ".join(f"{peak[cc]:.0f}" for cc in order) + " kB"),
            Claim(f"{rate} Gb/s: FNCC makes more use of the shared link than HPCC, 300 to 450 us",
                  used["fncc"] > used["hpcc"],
                  ", ".join(f"{100 * used[cc]:.1f}" for cc in order) + " %"),
            Claim(f"{rate} Gb/s: FNCC makes more use of the shared link than HPCC, 450 to 800 us",
                  later["fncc"] > later["hpcc"],
                  ", ".join(f"{100 * later[cc]:.1f}" for cc in order) + " %"),
            Claim(f"{rate} Gb/s: FNCC causes no more pause frames than the others",
                  pauses["fncc"] == min(pauses.values()),
                  ", ".join(str(pauses[cc]) for cc in order)),
        ]
    return {"numbers": numbers, "claims": claims, "series": series}


if __name__ == "__main__":
    sys.exit(Experiment("fncc-response", __doc__).main(body))
