#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Completion time of a message over the time at which its receive is posted, for RTW, RNR and
rendezvous.

    python3 message-lateness.py [--quick] [--out DIR] [--jobs N] [--program FILE]

One message of 4 kB to 16 MB at line rate over an idle path of three switches, links of 100 Gb/s and
1 us; its receive is posted 0 to 200 us after it starts. Measured: when its last byte arrives, and
how much payload the receiver refuses. Source: [Patent], "Low Overhead Send/Receive Data Delivery
into User Memory". --quick: three sizes, five times.
"""
import sys

import find_dcfabric  # noqa: F401
from dcfabric import Scenario
from showcases.experiment import Claim, Experiment, Number

PROTOCOLS = {"rtw": "RTW", "rnr": "RNR", "rendezvous": "rendezvous"}
SIZES = {"4 kB": 4_000, "32 kB": 32_000, "256 kB": 256_000, "2 MB": 2_000_000, "16 MB": 16_000_000}
QUICK_SIZES = ("4 kB", "256 kB", "16 MB")
POSTED_US = (0, 1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 25, 30, 40, 50, 60, 70, 80, 90, 100, 120, 140, 160,
             180, 200)
QUICK_POSTED_US = (0, 10, 50, 100, 200)
PAYLOAD = 1000
RATE_GBPS = 100


def scenario(size, messages, posted_us=None):
    """One message."""
    late = None if posted_us is None else f"fixed:{posted_us}us"
    return Scenario(topology="dumbbell:switches=3,senders=1", cc="none", rate=f"{RATE_GBPS}Gbps",
                    delay="1us",
                    payload=PAYLOAD, workload=f"pairs:size={size}", messages=messages,
                    post_delay=late,
                    trace=["messages"], trace_interval="1ms")


def stops(result):
    """How often the sender was stopped."""
    frame = result.messages
    return int(
        ((frame["role"] == "sender") & (frame["from"] == "sending") & (frame["to"] == "waiting"))
        .sum())


def body(experiment):
    quick = experiment.options.quick
    sizes = {name: SIZES[name] for name in (QUICK_SIZES if quick else SIZES)}
    times = QUICK_POSTED_US if quick else POSTED_US
    runs = {("in-time", size): scenario(bytes_, "preposted") for size, bytes_ in sizes.items()}
    runs["in-time", "packet"] = scenario(PAYLOAD, "preposted")
    runs |= {(protocol, size, us): scenario(bytes_, protocol, us)
             for protocol in PROTOCOLS for size, bytes_ in sizes.items() for us in times}
    named = experiment.run(
        {"-".join(str(part).replace(" ", "") for part in key): one for key, one in runs.items()})
    results = dict(zip(runs, named.values()))

    def done_us(*key):
        return float(results[key].flows["fct_ns"].iloc[0]) / 1e3

    rtt_us = float(results["in-time", "packet"].flows["sender_fct_ns"].iloc[0]) / 1e3
    bdp = rtt_us * RATE_GBPS * 125
    numbers = [Number("path", "RTT of a packet", "us", rtt_us),
               Number("path", "BDP", "kB", bdp / 1e3)]
    numbers += [Number(size, "completion with the receive in time", "us", done_us("in-time", size))
                for size in sizes]
    series = {}
    for protocol, name in PROTOCOLS.items():
        for size in sizes:
            one = [results[protocol, size, us] for us in times]
            series[f"{name}, {size}"] = {
                "posted_us": list(times),
                "done_us": [done_us(protocol, size, us) for us in times],
                "wasted_kb": [result.summary["wasted_bytes"] / 1e3 for result in one],
                "stops": [stops(result) for result in one],
                "in_time_us": done_us("in-time", size),
            }
            numbers += [
                Number(f"{name}, {size}", f"completion, receive after {times[-1]} us", "us",
                       series[f"{name}, {size}"]["done_us"][-1]),
                Number(f"{name}, {size}", "most payload refused", "kB",
                       max(series[f"{name}, {size}"]["wasted_kb"])),
            ]
    return {"numbers": numbers, "claims": claims(results, series, sizes, rtt_us, bdp),
            "series": series}


def claims(results, series, sizes, rtt_us, bdp):
    """What follows from the protocols on an idle path."""
    def points(name):
        for size in sizes:
            one = series[f"{name}, {size}"]
            for row in zip(one["posted_us"], one["done_us"], one["wasted_kb"], one["stops"]):
                yield (size, one["in_time_us"], *row)

    # A receive later than one RTT finds a sender that waits: half an RTT for the RTS, then the
    # message anew.
    off = [done - (posted + rtt_us / 2 + in_time) for _, in_time, posted, done, _,
           _ in points("RTW") if posted > rtt_us]
    per_stop = {name: max((wasted * 1e3 / stop for *_, wasted, stop in points(name) if stop),
                          default=0)
                for name in PROTOCOLS.values()}
    refused = [result.summary for key, result in results.items() if key[0] != "in-time"]
    late = {name: max(done - posted - in_time for _, in_time, posted, done, _,
                      _ in points(name) if posted > rtt_us)
            for name in ("RTW", "RNR")}
    wasted = {name: sum(wasted for *_, wasted, _ in points(name)) for name in PROTOCOLS.values()}
    early = [done - in_time for _, in_time, posted, done, _,
             _ in points("rendezvous") if posted == 0]
    most = {name: max(stop for *_, stop in points(name)) for name in PROTOCOLS.values()}
    return [
        Claim("RTW: a message completes half an RTT after its receive is posted, plus what it "
              "takes with the receive in "
              "time (to 0.2 us)", max(map(abs, off)) <= 0.2,
              f"off by {min(off):.3f} to {max(off):.3f} us"),
        Claim("wasted payload is at most one BDP plus one packet per stop",
              max(per_stop.values()) <= bdp + PAYLOAD,
              ", ".join(f"{name} {value / 1e3:.1f}" for name, value in per_stop.items())
              + f" kB of {bdp / 1e3:.1f} kB"),
        Claim("there is an RTW or RNR for each unmatched packet, and for no other",
              all(one["rtw_sent"] + one["rnr_sent"] == one["unmatched_packets"]
                  for one in refused)),
        Claim("RTW stops a sender once, RNR once for each attempt", most["RTW"] == 1 < most["RNR"],
              ", ".join(f"{name} {value}" for name, value in most.items())),
        Claim("RNR wastes more than RTW", wasted["RNR"] > wasted["RTW"],
              ", ".join(f"{name} {value:.0f}" for name, value in wasted.items()) + " kB in all"),
        Claim("rendezvous costs nothing where the receive is in time: the request comes while the "
              "first BDP is sent "
              "(to 0.2 us)", max(map(abs, early)) <= 0.2,
              f"{min(early):.3f} to {max(early):.3f} us"),
        Claim("every receive is followed by the whole message",
              all(result.summary["flows_completed"] == 1 for result in results.values()),
              f"beyond receive and message at most: RTW {late['RTW']:.1f}, RNR {late['RNR']:.1f} "
              "us"),
    ]


if __name__ == "__main__":
    sys.exit(Experiment("message-lateness", __doc__).main(body))
