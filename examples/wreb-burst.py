#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""A burst that meets elephant flows: back-to-sender notification against echoed marks, DCTCP,
DCQCN, HPCC and FNCC.

    python3 wreb-burst.py [--quick] [--out DIR] [--jobs N] [--program FILE]

Two elephants of 8 MB from other pods of a fat-tree with 128 hosts (k=8, 100 Gb/s, 1 us) send to
host 0 from the start; at 300 us 32 more hosts send it 64 kB each. Measured on a fabric with PFC and
on a lossy one with a buffer of 1 MiB in each switch: longest queue at the receiver from the burst
on, utilization of its link, completion times of burst and elephants, drops. --quick: BTS, echoed
marks and DCTCP.
"""
import sys

import find_dcfabric  # noqa: F401
from dcfabric import Flow, Scenario
from showcases.experiment import Claim, Experiment, Number
from dcfabric.measures import between, percentile, queue_kb, utilisation

BURST_US, END_US = 300, 2000
TIMEOUT_NS = 4_194_304  # long enough to tell who waited for it
SENDERS, BURST_BYTES = 32, 64_000
RECEIVER_SWITCH = 128  # edge-0-0, its port 0 leads to host 0
FABRICS = {"PFC": ("pfc", {}), "lossy": ("none", {"ns3::SharedBuffer::Size": str(1 << 20)})}
VARIANTS = {"BTS": ("bts", {}), "echoed marks": ("bts", {"ns3::WrebFeature::Send": "false"}),
            "DCTCP": ("dctcp", {}),
            "DCQCN": ("dcqcn", {}), "HPCC": ("hpcc", {}), "FNCC": ("fncc", {})}


def scenario(fabric, variant):
    elephants = [Flow(17, 0, 8_000_000, 0), Flow(33, 0, 8_000_000, 0)]
    burst = [Flow(48 + 2 * i, 0, BURST_BYTES, BURST_US * 1e3) for i in range(SENDERS)]
    flow_control, memory = FABRICS[fabric]
    cc, attributes = VARIANTS[variant]
    return Scenario(topology="fat-tree:k=8", flows=elephants + burst, flow_control=flow_control,
                    cc=cc,
                    trace=["queues", "links"], trace_interval="1us",
                    attributes={"ns3::FabricNic::AckTimeout": f"{TIMEOUT_NS}ns", **memory,
                                **attributes})


def body(experiment):
    quick = experiment.options.quick
    variants = ["BTS", "echoed marks", "DCTCP"] if quick else list(VARIANTS)
    keys = [(fabric, name) for fabric in FABRICS for name in variants]
    named = experiment.run(
        {f"{fabric}-{name}".replace(" ", "-"): scenario(fabric, name) for fabric, name in keys})
    numbers, series, found = [], {}, {}
    for (fabric, name), result in zip(keys, named.values()):
        queue = queue_kb(result, RECEIVER_SWITCH, 0, END_US)
        use = utilisation(result, RECEIVER_SWITCH, 0, END_US)
        flows = result.flows
        one = {"peak": float(between(queue, BURST_US, END_US).max()),
               "p99": percentile(flows[flows["src"] >= 48]["fct_ns"], 99) / 1e3,
               "elephants": float(flows[flows["src"] < 48]["fct_ns"].mean()) / 1e3,
               "timed_out": int((flows["fct_ns"] > 4e6).sum())}
        found[fabric, name] = one
        case = f"{fabric}, {name}"
        numbers += [Number(case, "longest queue from the burst on", "kB", one["peak"]),
                    Number(case, "link utilization from the burst to 1 ms", "%",
                           100 * float(between(use, BURST_US, 1000).mean())),
                    Number(case, "completion of the burst, p99", "us", one["p99"]),
                    Number(case, "completion of the elephants, mean", "us", one["elephants"]),
                    Number(case, "packets dropped", "", sum(result.summary["drops"].values())),
                    Number(case, "flows that waited for a timeout (4 ms)", "", one["timed_out"]),
                    Number(case, "pause frames", "", result.summary["pfc_pause_frames"]),
                    Number(case, "BTS bytes", "kB", result.summary["bts_bytes"] / 1e3)]
        series[case] = {"time_us": [float(t) for t in queue.index],
                        "queue_kb": [float(v) for v in queue],
                        "use_percent": [100 * float(v) for v in use]}
    others = [name for name in variants if name != "BTS"]
    claims = [Claim("lossy: with BTS no flow waits for a timeout, because BTS reports each drop",
                    found["lossy", "BTS"]["timed_out"] == 0,
                    ", ".join(f"{name} {found['lossy', name]['timed_out']}" for name in variants)),
              Claim("lossy: the burst completes sooner (p99) with BTS than with any other",
                    all(found["lossy", "BTS"]["p99"] < found["lossy", name]["p99"]
                        for name in others),
                    ", ".join(f"{name} {found['lossy', name]['p99']:.0f}" for name in variants)
                    + " us"),
              Claim("PFC: the longest queue is shorter than with echoed marks and with DCTCP",
                    all(found["PFC", "BTS"]["peak"] < found["PFC", name]["peak"]
                        for name in ("echoed marks", "DCTCP")),
                    ", ".join(f"{name} {found['PFC', name]['peak']:.0f}" for name in variants)
                    + " kB")]
    return {"numbers": numbers, "claims": claims, "series": series}


if __name__ == "__main__":
    sys.exit(Experiment("wreb-burst", __doc__).main(body))
