#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Measures dcfabric-sim against the limit study; called by examples/dcfabric-benchmark.

The two programs run alternately, so that a change in the machine's speed affects both. Rates are
packet-hops per second of wall time inside the run, medians are over the runs, ratios are those of
the pairs.
"""

import argparse
import json
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import find_dcfabric  # noqa: F401
from dcfabric.commands import check_file, guarded, positive
from dcfabric.run_files import write_json


# Root queue discs to be compared, the module's own first.
DISCS = ("ns3::CongestionAwareQueueDisc", "ns3::FifoQueueDisc", "ns3::FqCoDelQueueDisc")


def run_limit(program, k, packets, discs):
    """Returns packet-hops per second of the limit study, with queue discs or with plain FIFOs."""
    command = [program, f"--k={k}", f"--packets={packets}", f"--queueDisc={int(discs)}"]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    hops, seconds = re.match(r"(\d+) packet-hops, ([\d.]+) s", text).groups()
    return int(hops) / float(seconds)


def run_sim(program, *options):
    """Returns summary.json of one run."""
    with tempfile.TemporaryDirectory() as folder:
        command = [program, *options, f"--out={folder}/run"]
        subprocess.run(command, check=True, capture_output=True, text=True)
        return json.loads((Path(folder) / "run" / "summary.json").read_text())


def compare(args, k, size, packets):
    """Interleaved runs of both programs, the limit study also without queue discs; returns medians
    and ratios."""
    options = (f"--topology=fat-tree:k={k}", f"--workload=permutation:size={size}", "--cc=hpcc")
    sim, limit, bound = [], [], []
    for number in range(args.runs + 1):
        ours = run_sim(args.sim, *options)["packet_hops_per_second"]
        theirs = run_limit(args.limit, k, packets, discs=True)
        fifo = run_limit(args.limit, k, packets, discs=False)
        if number == 0:
            continue  # warm-up
        sim.append(ours)
        limit.append(theirs)
        bound.append(fifo)
    ratios = [a / b for a, b in zip(sim, limit)]
    bound_ratios = [a / b for a, b in zip(sim, bound)]
    result = {
        "k": k,
        "hops_per_second": statistics.median(sim),
        "limit_hops_per_second": statistics.median(limit),
        "ratio": statistics.median(ratios),
        "ratio_min": min(ratios),
        "ratio_max": max(ratios),
        "fifo_hops_per_second": statistics.median(bound),
        "fifo_ratio": statistics.median(bound_ratios),
        "fifo_ratio_min": min(bound_ratios),
        "fifo_ratio_max": max(bound_ratios),
    }
    print(
        f"k={k:<3} {result['hops_per_second'] / 1e6:7.3f} M packet-hops/s, limit study "
        f"{result['limit_hops_per_second'] / 1e6:7.3f} M, ratio {result['ratio']:.3f} "
        f"(min {result['ratio_min']:.3f}, max {result['ratio_max']:.3f}, {args.runs} pairs); "
        f"of its plain FIFOs, {result['fifo_hops_per_second'] / 1e6:.3f} M, "
        f"{result['fifo_ratio']:.3f} "
        f"(min {result['fifo_ratio_min']:.3f}, max {result['fifo_ratio_max']:.3f})"
    )
    return result


def compare_discs(args, k, size):
    """Interleaved runs with each root queue disc at switch ports; ratios are to the module's own.

    Without flow control, since ns-3's queue discs as root cannot hold back a paused class.
    """
    options = (f"--topology=fat-tree:k={k}", f"--workload=permutation:size={size}", "--cc=hpcc",
               "--flow-control=none")
    runs = {disc: [] for disc in DISCS}
    drops = {}
    for number in range(args.runs + 1):
        for disc in DISCS:
            summary = run_sim(args.sim, *options, f"--queue-disc={disc}")
            drops[disc] = sum(summary["drops"].values())
            if number > 0:  # the first is a warm-up
                runs[disc].append(summary["packet_hops_per_second"])
    results = []
    for disc in DISCS:
        ratios = [a / b for a, b in zip(runs[disc], runs[DISCS[0]])]
        results.append({
            "k": k,
            "queue_disc": disc,
            "hops_per_second": statistics.median(runs[disc]),
            "ratio": statistics.median(ratios),
            "ratio_min": min(ratios),
            "ratio_max": max(ratios),
            "drops": drops[disc],
        })
        print(f"k={k:<3} {disc:30} {results[-1]['hops_per_second'] / 1e6:7.3f} M packet-hops/s, "
              "ratio "
              f"{results[-1]['ratio']:.3f} (min {min(ratios):.3f}, max {max(ratios):.3f}, "
              f"{args.runs} runs), {drops[disc]} drops")
    return results


def set_up(args, k):
    """Set-up time in seconds and peak memory in bytes of a fat-tree of arity k."""
    runs = [
        run_sim(args.sim, f"--topology=fat-tree:k={k}", "--workload=permutation:size=1kB",
                "--cc=hpcc")
        for _ in range(3)
    ]
    seconds = statistics.median(run["setup_wall_seconds"] for run in runs)
    rss = max(run["peak_rss_bytes"] for run in runs)
    hosts = k**3 // 4
    print(f"k={k:<3} set-up of {hosts} hosts {seconds:6.3f} s, peak memory {rss / 1e6:6.0f} MB")
    return {"k": k, "hosts": hosts, "seconds": seconds, "peak_rss_bytes": rss}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sim", required=True, help="dcfabric-sim, optimized build")
    parser.add_argument("--limit", required=True, help="dcfabric-limit-study, same build")
    parser.add_argument("--runs", type=positive, default=5, help="pairs of runs (default 5)")
    parser.add_argument("--quick", action="store_true", help="k=8 only")
    parser.add_argument("--discs", action="store_true",
                        help="only compare queue discs at switch ports, k=8")
    parser.add_argument("--out", type=Path, help="JSON file for the figures")
    args = parser.parse_args()
    if args.out:
        args.out.parent.mkdir(parents=True, exist_ok=True)
        check_file("--out", args.out)
    if args.discs:
        result = {"queue_discs": compare_discs(args, 8, "2MB")}
    else:
        result = {"speed": [compare(args, 8, "2MB", 2000)]}
    if not args.quick and not args.discs:
        result["speed"].append(compare(args, 16, "500kB", 500))
        small, large = result["speed"]
        growth = small["hops_per_second"] / large["hops_per_second"]
        limit_growth = small["limit_hops_per_second"] / large["limit_hops_per_second"]
        result["growth"] = {"dcfabric": growth, "limit": limit_growth}
        print(f"cost of a packet-hop from k=8 to k=16: x {growth:.2f}, limit study x "
              f"{limit_growth:.2f}")
        result["setup"] = [set_up(args, 16), set_up(args, 32)]
    if args.out:
        write_json(args.out, result)
    return 0


if __name__ == "__main__":
    sys.exit(guarded("dcfabric-benchmark", main))
