#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Incast with back-to-sender notification, against echoed marks, DCTCP, DCQCN, HPCC, FNCC and
always-notify.

    python3 wreb-incast.py [--quick] [--out DIR] [--jobs N] [--program FILE]

8 to 256 hosts of a fat-tree with 432 (k=12) send 1 MB each to host 0 at once, over links of 100
Gb/s and 1 us, on a fabric with PFC and on a lossy one with a buffer of 4 MiB in each switch.
Measured: time from when a queue first holds 25 kB to the first cut of window or rate of each sender
(from rates and queues every 100 ns), longest queue, bytes of notifications, drops, completion
times. "echoed marks" is the same congestion control, with the same random draws of the same queues,
but without notifications: receivers echo the marks. "always" notifies for each packet beyond 25 kB.
Source: [Patent], "Weighted Random Early Back-to-Sender Notification". --quick: 8 and 32 senders of
a fat-tree k=8, 200 kB each, without always-notify.
"""
import sys

import find_dcfabric  # noqa: F401
from dcfabric import Scenario
from showcases.experiment import Claim, Experiment, Number
from showcases.feedback import buildup_us, finite, first_cuts_us
from dcfabric.measures import percentile

KMIN = 25_000
STOP_US = 1000
FABRICS = {"PFC": ("pfc", {}), "lossy": ("none", {"ns3::SharedBuffer::Size": str(4 << 20)})}
ECHO = {"ns3::WrebFeature::Send": "false"}
ALWAYS = {"ns3::PiecewiseMarkingProfile::Points": f"{KMIN}:0,{KMIN}:1"}
VARIANTS = {"BTS": ("bts", {}), "echoed marks": ("bts", ECHO), "always": ("bts", ALWAYS),
            "DCTCP": ("dctcp", {}),
            "DCQCN": ("dcqcn", {}), "HPCC": ("hpcc", {}), "FNCC": ("fncc", {})}


def scenario(k, senders, size, fabric, variant, traced):
    cc, attributes = VARIANTS[variant]
    flow_control, memory = FABRICS[fabric]
    more = ({"trace": ["rates", "queues"], "trace_interval": "100ns", "stop": f"{STOP_US}us"}
            if traced else {})
    return Scenario(topology=f"fat-tree:k={k}", workload=f"incast:fan-in={senders},size={size}",
                    cc=cc,
                    flow_control=flow_control, attributes={**memory, **attributes}, **more)


def switches_between(k, host):
    """Switches on the way from a host to host 0 of a fat-tree."""
    return 1 if host < k // 2 else 3 if host < (k // 2) ** 2 else 5


def latencies(result):
    """From the queue's build-up to each flow's first cut, in us."""
    return first_cuts_us(result) - buildup_us(result, KMIN)


def ratios_by_hops(k, notified, echoed):
    """Ratio of the median latencies of two runs, for senders at the same distance."""
    ratios = {}
    sources = dict(zip(notified.flows["flow"], notified.flows["src"]))
    first, second = latencies(notified), latencies(echoed)
    for hops in (1, 3, 5):
        group = [flow for flow, src in sources.items() if switches_between(k, src) == hops]
        if group:
            pair = [percentile(one[group], 50) for one in (first, second)]
            ratios[str(hops)] = pair[0] / pair[1] if finite(pair[1]) else None
    return ratios


def body(experiment):
    quick = experiment.options.quick
    k, fan_ins, size = (8, (8, 32), "200kB") if quick else (12, (8, 16, 32, 64, 128, 256), "1MB")
    variants = [name for name in VARIANTS if not (quick and name == "always")]
    keys = [(fabric, name, senders, traced) for fabric in FABRICS for name in variants
            for senders in fan_ins
            for traced in (False, True)]
    named = experiment.run(
        {f"{fabric}-{name}-{senders}{'-traced' if traced else ''}".replace(" ", "-"):
         scenario(k, senders, size, fabric, name, traced)
         for fabric, name, senders, traced in keys})
    results = dict(zip(keys, named.values()))
    numbers, runs = [], {}
    for fabric in FABRICS:
        for name in variants:
            one = {key: [] for key in ("senders", "latency_us", "queue_kb", "bts_percent",
                                       "dropped", "slowdown")}
            for senders in fan_ins:
                result, traced = results[fabric, name, senders,
                                         False], results[fabric, name, senders, True]
                summary = result.summary
                row = {"senders": senders, "latency_us": finite(percentile(latencies(traced), 50)),
                       "queue_kb": summary["max_queue_bytes"] / 1e3,
                       "bts_percent": 100 * summary["bts_bytes"]
                       / float(result.flows["size_bytes"].sum()),
                       "dropped": sum(summary["drops"].values()),
                       "slowdown": summary["slowdown"]["overall"]["mean"]}
                for key, value in row.items():
                    one[key].append(value)
                case = f"{fabric}, {name}, {senders} senders"
                if row["latency_us"] is not None:
                    numbers.append(Number(case, "queue to first cut, median", "us",
                                          row["latency_us"]))
                numbers += [Number(case, "longest queue", "kB", row["queue_kb"]),
                            Number(case, "slowdown, mean", "", row["slowdown"]),
                            Number(case, "slowdown, p99", "",
                                   percentile(result.flows["slowdown"], 99)),
                            Number(case, "goodput", "Gb/s", summary["goodput_gbps"]),
                            Number(case, "packets dropped", "", row["dropped"]),
                            Number(case, "retransmitted packets", "", float(
                                result.flows["packets_retransmitted"].sum()))]
                if row["bts_percent"]:
                    numbers.append(Number(case, "BTS bytes over bytes of data", "%",
                                          row["bts_percent"]))
            runs[f"{fabric}, {name}"] = one
    hops = {str(senders): ratios_by_hops(k, results["PFC", "BTS", senders, True],
                                         results["PFC", "echoed marks", senders, True])
            for senders in fan_ins}
    numbers += [Number(f"PFC, {senders} senders, {switches} switches",
                       "latency, BTS over echoed marks", "", ratio)
                for senders, ratios in hops.items() for switches, ratio in ratios.items()
                if ratio is not None]
    return {"numbers": numbers, "claims": claims(runs, fan_ins),
            "series": {"runs": runs, "hops": hops}}


def claims(runs, fan_ins):
    """What [Patent] promises, for all numbers of senders."""
    def text(fabric, name, key, unit):
        return f"{name} " + "/".join("never" if v is None else f"{v:.3g}"
                                     for v in runs[f"{fabric}, {name}"][key]) + unit

    found = []
    for fabric in FABRICS:
        soon = runs[f"{fabric}, BTS"]["latency_us"]
        for other in ("echoed marks", "DCTCP", "DCQCN"):
            late = runs[f"{fabric}, {other}"]["latency_us"]
            found.append(Claim(f"{fabric}: with BTS senders cut sooner than with {other}",
                               all(a is not None and (b is None or a < b)
                                   for a, b in zip(soon, late)),
                               f"{text(fabric, 'BTS', 'latency_us', ' us')}; "
                               f"{text(fabric, other, 'latency_us', ' us')}"))
        queues = [runs[f"{fabric}, {name}"]["queue_kb"] for name in ("BTS", "echoed marks")]
        found.append(Claim(f"{fabric}: the longest queue is no longer than with echoed marks",
                           all(a <= b for a, b in zip(*queues)),
                           f"{text(fabric, 'BTS', 'queue_kb', ' kB')}; "
                           f"{text(fabric, 'echoed marks', 'queue_kb', ' kB')}"))
    shares = runs["PFC, BTS"]["bts_percent"]
    found.append(Claim("PFC: notifications are below 1 % of the bytes of data", max(shares) < 1,
                       text("PFC", "BTS", "bts_percent", " %")))
    if "PFC, always" in runs:
        found.append(Claim("PFC: always-notify takes several times the bytes",
                           all(a > 3 * b
                               for a, b in zip(runs["PFC, always"]["bts_percent"], shares)),
                           text("PFC", "always", "bts_percent", " %")))
    return found


if __name__ == "__main__":
    sys.exit(Experiment("wreb-incast", __doc__).main(body))
