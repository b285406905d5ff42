#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""A congestion control written in Python: DCTCP, compared with the module's own in C++.

    python3 dcfabric-python-cc.py [--quick] [--out DIR]

Two senders share a link of 100 Gb/s. Both algorithms are the same, so that each flow takes the same
time to the picosecond; only the run time of the simulation differs. With --out, the folder gets the
results of both runs and result.json with the printed numbers. Status 1: the flows differ.
"""
import argparse
import sys
from pathlib import Path

import find_dcfabric  # noqa: F401
from dcfabric import CongestionControl, Scenario, sweep
from dcfabric.commands import guarded
from dcfabric.program import require
from dcfabric.run_files import write_json


class Dctcp(CongestionControl):
    """DCTCP (RFC 8257): once per window of data, alpha follows the share of marked packets; a mark
    cuts the window by alpha/2, at most once per window of data, and it grows by a packet when a
    window has been acknowledged. See dctcp-congestion-control.h."""

    needs_ecn = True
    gain = 1 / 16

    def start(self):
        self.alpha = 1.0
        self.covered = self.marked = 0  # packets since alpha was updated
        self.window_end = 0  # bytes sent when this window of data began
        self.cut_end = -1  # bytes sent at the last cut
        self.sent = 0  # bytes sent, as the last ACK told
        self.threshold = self.window_bytes  # of slow start
        self.credit = 0  # bytes acknowledged since the window grew

    def on_ack(self, ack):
        self.sent = ack.sent_bytes
        self.covered += ack.covered_packets
        self.marked += ack.marked_packets
        if ack.cumulative_bytes > self.window_end:
            self.alpha += self.gain * (self.marked / self.covered - self.alpha)
            self.covered = self.marked = 0
            self.window_end = ack.sent_bytes
        if ack.marked_packets:
            if ack.cumulative_bytes > self.cut_end:
                self.cut_end = ack.sent_bytes
                cut = int(self.window_bytes * (1 - self.alpha / 2))
                self.window_bytes = self.threshold = max(cut, self.path.payload_bytes)
                self.credit = 0
        # only a window that holds the sender back may grow
        elif ack.in_flight_bytes + ack.acked_bytes + self.path.payload_bytes > self.window_bytes:
            if self.window_bytes < self.threshold:
                self.window_bytes = min(self.window_bytes + ack.acked_bytes, self.threshold)
                return
            self.credit += ack.acked_bytes
            if self.credit >= self.window_bytes:
                self.credit -= self.window_bytes
                self.window_bytes += self.path.payload_bytes

    def on_modified(self, effect, now_ns):
        if effect == "forgiven":
            self.cut_end = -1  # the last cut was never made
        elif effect == "lowered":  # as after a cut of its own
            self.threshold = self.window_bytes
            self.credit = 0
            self.cut_end = self.sent


def main(arguments):
    parser = argparse.ArgumentParser(description="DCTCP in Python, beside that in C++.")
    parser.add_argument("--quick", action="store_true", help="flows of 1 MB instead of 20 MB")
    parser.add_argument("--out", type=Path, help="folder of results")
    options = parser.parse_args(arguments)
    require("pandas")
    size_mb = 1 if options.quick else 20
    # a step mark at 30 kB, so that there is something to react to from the start
    marks = {"ns3::WredMarkingProfile::Kmin": 30000, "ns3::WredMarkingProfile::Kmax": 30000}
    scenario = Scenario(topology="dumbbell:switches=3,senders=2",
                        workload=f"pairs:size={size_mb}MB",
                        cc="dctcp", attributes=marks)
    runs = sweep({"C++": scenario, "Python": scenario.replace(cc=Dctcp)}, jobs=1, out=options.out)
    acks = int(runs["C++"].flows["packets_sent"].sum())
    seconds = {name: run.summary["run_wall_seconds"] for name, run in runs.items()}
    same = runs["C++"].flows.equals(runs["Python"].flows)
    result = {"acks": acks, "seconds": seconds, "slowdown": seconds["Python"] / seconds["C++"],
              "us_per_ack": (seconds["Python"] - seconds["C++"]) / acks * 1e6, "same_flows": same}
    print("DCTCP in   run (s)  first flow (us)  longest queue (kB)")
    for name, run in runs.items():
        print(f"{name:8} {seconds[name]:9.2f}  {run.flows['fct_ns'][0] / 1e3:15.3f}"
              f"  {run.summary['max_queue_bytes'] / 1e3:18.1f}")
    print(f"{acks} ACKs: Python takes {result['us_per_ack']:.1f} us more for each, "
          f"{result['slowdown']:.0f} times as long in all; flows are "
          f"{'the same' if same else 'DIFFERENT'}")
    if options.out:
        write_json(options.out / "result.json", result)
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(guarded("dcfabric-python-cc.py", lambda: main(sys.argv[1:])))
