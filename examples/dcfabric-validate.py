#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Compares dcfabric-sim with the public HPCC simulator; called by examples/dcfabric-validate.

Writes result.json (every number printed or drawn) and a figure to --out.
"""

import argparse
import math
import statistics
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import find_dcfabric  # noqa: F401
from dcfabric import drawing
from dcfabric.commands import guarded, positive, require_packages
from dcfabric.run_files import write_json

HERE = Path(__file__).resolve().parent
CASES = {"permutation-2MB": "permutation, 128 x 2 MB", "incast-16x32MB": "incast, 16 x 32 MB"}
TOLERANCE = 0.10  # of mean, median and p95, averaged over the seeds


def simulate(args, folder, *options):
    """Runs dcfabric-sim into a folder."""
    done = subprocess.run([args.sim, *options, f"--out={folder}", "--force"], capture_output=True,
                          text=True)
    if done.returncode != 0:
        sys.exit(f"dcfabric-sim {' '.join(options)} failed:\n{done.stdout}{done.stderr}")
    return Path(folder)


def describe(times):
    """Mean, median and nearest-rank 95th percentile."""
    ordered = sorted(times)
    rank = math.ceil(0.95 * len(ordered)) - 1
    return {
        "mean": statistics.mean(ordered),
        "median": statistics.median(ordered),
        "p95": ordered[rank],
    }


def compare_with_hpcc_simulator(args):
    """Sender FCTs of two workloads under two algorithms, over several ECMP seeds."""
    import matplotlib
    import pandas as pd

    matplotlib.use("Agg")
    result = {}
    figure, axes = drawing.panels(2, 2, 9, 7)
    for row, (case, title) in enumerate(CASES.items()):
        for column, cc in enumerate(("hpcc", "dcqcn")):
            reference = pd.read_csv(HERE / "reference" / f"{case}.{cc}.csv")["sender_fct_ns"] / 1e3

            def run(seed, case=case, cc=cc):
                folder = simulate(
                    args,
                    args.out / f"{case}-{cc}-{seed}",
                    "--preset=hpcc-sigcomm19",
                    "--topology=fat-tree:k=8",
                    f"--workload=flows:{HERE / 'reference' / case}.flows",
                    f"--cc={cc}",
                    "--lb=ecmp",
                    f"--seed={seed}",
                )
                return pd.read_csv(folder / "flows.csv")["sender_fct_ns"] / 1e3

            with ThreadPoolExecutor(args.jobs) as pool:
                runs = list(pool.map(run, range(1, args.seeds + 1)))
            theirs = describe(reference)
            each = [describe(times) for times in runs]
            ours = {key: statistics.mean(one[key] for one in each) for key in theirs}
            deviation = {key: ours[key] / theirs[key] - 1 for key in theirs}
            spread = {
                key: (min(one[key] for one in each), max(one[key] for one in each))
                for key in theirs
            }
            ok = all(abs(value) <= TOLERANCE for value in deviation.values())
            result[f"{case} {cc}"] = {
                "reference_us": theirs,
                "dcfabric_us": ours,
                "deviation": deviation,
                "range_over_seeds_us": spread,
                "seeds": args.seeds,
                "within_tolerance": ok,
            }
            print(f"{title}, {cc.upper()}: " + ("agrees" if ok else "DIFFERS"))
            for key in theirs:
                low, high = spread[key]
                print(
                    f"  {key:6} {theirs[key]:10.1f} us there, {ours[key]:10.1f} us here "
                    f"({deviation[key]:+.1%}; {low:.1f} to {high:.1f} over {args.seeds} seeds)"
                )
            axis = axes[row][column]
            color = drawing.look(cc).color
            for times in runs:
                axis.plot(sorted(times), [(i + 1) / len(times) for i in range(len(times))], color,
                          lw=0.8)
            axis.plot([], [], color, label=f"dcfabric, {args.seeds} seeds")
            shares = [(i + 1) / len(reference) for i in range(len(reference))]
            axis.plot(sorted(reference), shares, "k--", label="public HPCC simulator")
            axis.set(title=f"{title}, {cc.upper()}", xlabel=drawing.label("sender FCT", "us"),
                     ylabel="share of flows")
            axis.set_xlim(left=0)
            axis.legend()
    drawing.save(figure, args.out / "hpcc-simulator.png")
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sim", required=True, help="dcfabric-sim, optimized build")
    parser.add_argument("--out", type=Path, default=Path("results-validation"),
                        help="result folder")
    parser.add_argument("--seeds", type=positive, default=8, help="ECMP seeds (default 8)")
    parser.add_argument("--jobs", type=positive, default=2, help="runs at a time (default 2)")
    parser.add_argument("--quick", action="store_true", help="two seeds")
    args = parser.parse_args()
    if args.quick:
        args.seeds = min(args.seeds, 2)
    require_packages()
    args.out.mkdir(parents=True, exist_ok=True)
    args.out = args.out.resolve()
    with drawing.styled():
        result = {"hpcc_simulator": compare_with_hpcc_simulator(args)}
    write_json(args.out / "result.json", result)
    print(f"Figure and result.json are in {args.out}")
    return 0


if __name__ == "__main__":
    sys.exit(guarded("dcfabric-validate", main))
